"""The Bleven side of the search: it selects moves to compare, samples hidden cards and plays rounds out."""

from random import Random

from games.bleven.bot import BlevenBot, believed, read_table, worth
from games.bleven.classes import nearest
from games.bleven.hidden import hidden_fields, predictions_of
from games.bleven.letter import TWO, LetterBot, highest_raise
from games.bleven.mixed import choice_shares, solved_shares
from games.bleven.pairs import FOUR, PairsBot, odds_of
from games.bleven.policy import choose
from games.bleven.rules.pack import POWER
from games.bleven.rules.state import complete_options
from games.bleven.simulation import NONE, STATUS, Terms, World, as_plain, play_out
from games.kit.search import Brain

WORLDS = 300  # The sample size for the odds where several fields are hidden.
BATCH = 32  # The number of worlds dealt at a time.
TRIED = 10  # At most this many moves are compared, plus the move of the rule of thumb.
FEW = 3  # With fewer moves from the solved strategy, the search adds the best estimates.
FAIR = 0.1  # The search tries a move of the solved strategy with at least this share.
STONE_KINDS = 3  # Few, some or many stones. The search tries one prediction of each kind.


class BlevenBrain(Brain):
    """The search for two and four seats and all options. A result is the own side's stones minus the other side's."""

    def __init__(self):
        self.rules_of_thumb = {2: BlevenBot(), 4: PairsBot(turns=FOUR)}
        self.to_the_letter = {2: LetterBot(turns=TWO), 4: LetterBot(turns=FOUR)}

    def rule_of_thumb(self, table):
        """Return the bot that plays the hard bot's rule of thumb under the options of this match."""
        believing_wins = complete_options(table["options"])["deduced_miss"] == "bet"
        return (self.to_the_letter if believing_wins else self.rules_of_thumb)[table["seats"]]

    def rule_move(self, table, moves, rng):
        """Return the most frequent move of the solved strategy, or the rule of thumb's where nothing is solved."""
        shares = [(share, move) for move, share in solved_shares(table) if move in moves]
        if shares:
            return max(shares, key=lambda pair: pair[0])[1]
        return self.rule_of_thumb(table).choose(table, moves, rng)

    def by_belief(self, table, moves):
        """Return the hard bot's prediction where believing can win the bet, else None."""
        rule = self.rule_of_thumb(table)
        return rule.by_belief(table, moves, Random(0)) if isinstance(rule, LetterBot) else None

    def big_raise(self, table, moves):
        """Return the raise to the limit if the hard bot would make it to drive others out, else None."""
        rule = self.rule_of_thumb(table)
        if table["phase"] != "reply" or table["tricks"]:
            return None
        position = read_table(table)
        if not rule.raises(position, odds_of(position, [position.hand], Random(0), WORLDS)[0]):
            return None
        return highest_raise(table, moves)

    def candidates(self, table, moves, rule_move):
        """Return the moves to compare: all if they are few, else the solved strategy's and the best of each kind."""
        if len(moves) <= TRIED:
            return moves
        selection = [move for move, share in solved_shares(table) if share >= FAIR]
        selection = [*selection, *_words(moves)] if selection else []
        if len(selection) < FEW:
            selection += _likeliest(table, moves)[: FEW if selection else TRIED]
        selection = [rule_move, *(move for move in selection if not is_alike(move, rule_move))]
        return [move for move in moves if move in selection]

    def worlds(self, table, rng):
        base, cards = read_world(table), read_table(table).unseen
        hidden = hidden_fields(table, base.fields)
        others = [seat for seat in range(table["seats"]) if seat not in hidden and seat != table["seat"]]
        while True:
            samples = [rng.choices(chosen, cum_weights=sums, k=BATCH) for chosen, sums in hidden.values()]
            for hands in zip(*samples, strict=True):
                used = {card for hand in hands for card in hand}
                if len(used) < sum(map(len, hands)):
                    continue  # One card is in two hands.
                world, rest = base.copy(), [card for card in cards if card not in used]
                rng.shuffle(rest)
                for seat, hand in zip(hidden, hands, strict=True):
                    world.fields[seat] += hand
                for seat in others:
                    count = table["hand_counts"][seat]
                    world.fields[seat] += tuple(sorted(rest[:count]))
                    del rest[:count]
                world.pile = rest
                yield world

    def outcome(self, world, move, rng):
        after, side = world.copy(), world.seat % 2
        after.make(as_plain(move))
        ahead = play_out(after, choose, rng)
        return -ahead if side else ahead


def estimates(table, moves):
    """Return the expected stones of each move by the rule of thumb, for predictions, answers and bets."""
    position = read_table(table)
    odds = believed(position, odds_of(position, [position.hand], Random(0), WORLDS)[0])
    return [worth(position, odds, move) for move in moves]


def _words(moves):
    """Return the moves that name no stones."""
    return [move for move in moves if "bet" not in move and "plus" not in move]


def _likeliest(table, moves):
    """Return the best move of each kind, at most TRIED of them."""
    promises, best = estimates(table, moves), {}
    for place, move in enumerate(moves):
        if "tricks" not in move or move["type"] != "deduce":  # The word has no effect on a counter-prediction.
            kind = _kind(move, table["options"]["max_bet"])
            if kind not in best or promises[place] > promises[best[kind]]:
                best[kind] = place
    return [moves[place] for place in sorted(best.values(), key=lambda place: -promises[place])[:TRIED]]


def _kind(move, most):
    """Return a key that is equal for moves that differ only a little in stones, or in positions."""
    stones = move.get("bet", move.get("plus", 0))
    if "tricks" in move:
        return move["type"], move["tricks"], (stones - 1) * STONE_KINDS // most
    return move["type"], stones > 0


def is_alike(one, other):
    """Return whether two moves have the same effect: one counter-prediction with either word."""
    return "tricks" in one and "plus" in one and {**one, "type": ""} == {**other, "type": ""}


def as_strategy(table, moves):
    """Return the share of each move in the solved strategy; an empty list where nothing is solved."""
    shares = {}
    for choice, share in choice_shares(table):
        shares[choice] = shares.get(choice, 0.0) + share
    if not shares:
        return []
    return [shares.get(_choice_of(table, move), 0.0) for move in moves]


def _choice_of(table, move):
    """Return the choice of the strategy that matches a move. The bet is rounded, the prediction is not."""
    if "tricks" in move:
        stones = table["bet"]["offered"] + move.get("bet", move.get("plus"))
        return nearest(stones, table["options"]["max_bet"]), (move["tricks"], tuple(move["positions"]))
    if move.get("plus"):
        return "raise" if move["type"] == "suspect" else None
    return move["type"]


# Worlds


def read_world(table):
    """Return the `World` of a table without its hidden cards."""
    seats, offer, bet, prediction = table["seats"], table["side_offer"], table["bet"], table["prediction"]
    fields = [[] if cards is None else [POWER[card] for card in cards] for cards in table["faced"]]
    for trick in table["tricks"]:
        for play in trick["plays"]:
            fields[play["seat"]].append(POWER[play["card"]])
    fields[table["seat"]] += [POWER[card] for card in table["hand"]]
    world = World(Terms.of(seats, table["options"]), (table["dealer"] + 1) % seats, list(map(tuple, fields)), [])
    world.phase, world.seat = table["phase"], table["to_act"]
    world.discards = list(map(len, table["reserves"]))
    world.status = list(map(STATUS.index, table["status"]))
    world.declarer = NONE if table["declarer"] is None else table["declarer"]
    if prediction:
        world.tricks, world.named = as_plain({"type": "predict"} | prediction)[2:]
    world.answer = table["answer"]
    world.offered, world.accepted, world.side_bets = bet["offered"], bet["accepted"], bet["side_bets"]
    world.side_offer = offer and (offer["seat"], offer["bet"])
    world.window = list(table["window"])
    world.played = len(table["tricks"])
    world.won = sum(1 << place for place, trick in enumerate(table["tricks"]) if not trick["side"])
    world.spoken = next((words["seat"] for words in table["said"] if words["type"] == "declare"), NONE)
    world.history = tuple(entry for _, entry in predictions_of(table))
    return world


def filled(world, state):
    """Return a copy of a `World` with the hidden cards of a state."""
    world = world.copy()
    world.fields = [tuple(map(POWER.get, field)) for field in state.fields]
    world.pile = [POWER[card] for card in reversed(state.pile)]
    return world
