"""What the search knows of Bleven: which moves are worth comparing, how the cards may lie, what a move leads to."""

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

WORLDS = 300  # drawn for the odds where more than one field is hidden
BATCH = 32  # worlds dealt at a time
TRIED = 10  # moves at most, besides that of the rule of thumb
FEW = 3  # moves of the solved strategy beside which others are tried too
FAIR = 0.1  # the share of a move in the solved strategy from which on it is tried
STONE_KINDS = 3  # few, some or many stones: of predictions that differ in nothing else one of each is tried


class BlevenBrain(Brain):
    """For two and four seats and all options. Worth is in stones of the round: the own side's less the other's."""

    def __init__(self):
        self.rules_of_thumb = {2: BlevenBot(), 4: PairsBot(turns=FOUR)}
        self.to_the_letter = {2: LetterBot(turns=TWO), 4: LetterBot(turns=FOUR)}

    def rule_of_thumb(self, table):
        """The bot whose rule of thumb is that of the hard bot in such a match."""
        believed = complete_options(table["options"])["deduced_miss"] == "bet"
        return (self.to_the_letter if believed else self.rules_of_thumb)[table["seats"]]

    def rule_move(self, table, moves, rng):
        """What the solved strategy does most often, or where it is silent the move of the rule of thumb."""
        shares = [(share, move) for move, share in solved_shares(table) if move in moves]
        if shares:
            return max(shares, key=lambda each: each[0])[1]
        return self.rule_of_thumb(table).choose(table, moves, rng)

    def by_belief(self, table, moves):
        """The prediction that the hard bot makes where believing wins the bet; None elsewhere."""
        rule = self.rule_of_thumb(table)
        return rule.by_belief(table, moves, Random(0)) if isinstance(rule, LetterBot) else None

    def big_raise(self, table, moves):
        """The raise with all the room by which the hard bot drives others out, where it does so; else None."""
        rule = self.rule_of_thumb(table)
        if table["phase"] != "reply" or table["tricks"]:
            return None
        position = read_table(table)
        if not rule.raises(position, odds_of(position, [position.hand], Random(0), WORLDS)[0]):
            return None
        return highest_raise(table, moves)

    def candidates(self, table, moves, rule_move):
        """All of a few; else what the solved strategy would do and words alone, or of each kind what promises most."""
        if len(moves) <= TRIED:
            return moves
        wanted = [move for move, share in solved_shares(table) if share >= FAIR]
        wanted = [*wanted, *_words(moves)] if wanted else []
        if len(wanted) < FEW:
            wanted += _likeliest(table, moves)[: FEW if wanted else TRIED]
        wanted = [rule_move, *(move for move in wanted if not is_alike(move, rule_move))]
        return [move for move in moves if move in wanted]

    def worlds(self, table, rng):
        base, cards = read_world(table), read_table(table).unseen
        hidden = hidden_fields(table, base.fields)
        others = [seat for seat in range(table["seats"]) if seat not in hidden and seat != table["seat"]]
        while True:
            drawn = [rng.choices(chosen, cum_weights=sums, k=BATCH) for chosen, sums in hidden.values()]
            for hands in zip(*drawn, strict=True):
                held = {card for hand in hands for card in hand}
                if len(held) < sum(map(len, hands)):
                    continue  # a card in two hands
                world, rest = base.copy(), [card for card in cards if card not in held]
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
    """What the rule of thumb expects of predictions, answers and bets, a list."""
    position = read_table(table)
    odds = believed(position, odds_of(position, [position.hand], Random(0), WORLDS)[0])
    return [worth(position, odds, move) for move in moves]


def _words(moves):
    """Those that name no stones."""
    return [move for move in moves if "bet" not in move and "plus" not in move]


def _likeliest(table, moves):
    """Of each kind of moves the one that promises most, and of those the best."""
    promises, best = estimates(table, moves), {}
    for place, move in enumerate(moves):
        if "tricks" not in move or move["type"] != "deduce":  # with a prediction the word has no effect
            kind = _kind(move, table["options"]["max_bet"])
            if kind not in best or promises[place] > promises[best[kind]]:
                best[kind] = place
    return [moves[place] for place in sorted(best.values(), key=lambda place: -promises[place])[:TRIED]]


def _kind(move, most):
    """What a move has in common with those that differ in stones or positions."""
    stones = move.get("bet", move.get("plus", 0))
    if "tricks" in move:
        return move["type"], move["tricks"], (stones - 1) * STONE_KINDS // most
    return move["type"], stones > 0


def is_alike(one, other):
    """Whether two moves come to the same: a counter-prediction with either word."""
    return "tricks" in one and "plus" in one and {**one, "type": ""} == {**other, "type": ""}


def as_strategy(table, moves):
    """How often the solved strategy makes each of these moves, or what it takes for it; none where it is silent."""
    shares = {}
    for choice, share in choice_shares(table):
        shares[choice] = shares.get(choice, 0.0) + share
    if not shares:
        return []
    return [shares.get(_choice_of(table, move), 0.0) for move in moves]


def _choice_of(table, move):
    """What the strategy calls a move. Bets are the nearest of those that it knows; a prediction is only just that."""
    if "tricks" in move:
        stones = table["bet"]["offered"] + move.get("bet", move.get("plus"))
        return nearest(stones, table["options"]["max_bet"]), (move["tricks"], tuple(move["positions"]))
    if move.get("plus"):
        return "raise" if move["type"] == "suspect" else None
    return move["type"]


# Worlds


def read_world(table):
    """The `World` that the seat whose view `table` is is in, but for the hidden cards."""
    seats, offer, bet, prediction = table["seats"], table["side_offer"], table["bet"], table["prediction"]
    shown = [[] if cards is None else [POWER[card] for card in cards] for cards in table["faced"]]
    for trick in table["tricks"]:
        for play in trick["plays"]:
            shown[play["seat"]].append(POWER[play["card"]])
    shown[table["seat"]] += [POWER[card] for card in table["hand"]]
    world = World(Terms.of(seats, table["options"]), (table["dealer"] + 1) % seats, list(map(tuple, shown)), [])
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
    world.history = tuple(made for _, made in predictions_of(table))
    return world


def filled(world, state):
    """A `World` without hidden cards with those of a state of the rules."""
    world = world.copy()
    world.fields = [tuple(map(POWER.get, field)) for field in state.fields]
    world.pile = [POWER[card] for card in reversed(state.pile)]
    return world
