"""What the search knows of Oh Hell: how the cards may lie that others have bid on, and what a card leads to.

Bids may be tried out as well as cards, now that the policy makes about as many of them as people do.
"""

from math import exp, prod
from operator import itemgetter
from random import Random
from typing import NamedTuple

from games.kit.card_sets import ALL, HIGHER, LOWER, NUMBER, SUIT, beats, to_set
from games.kit.cards import SUITS
from games.kit.search import Brain, lead, likelier, one_of_equals
from games.kit.tricks import cards_played, winning_place
from games.oh_hell.bot import expected, later_chances, points, read_table
from games.oh_hell.rules import OhHell, points_of
from games.oh_hell.simulation import CAUTION, Turn, World, bid_out, expected_tricks, legal_cards, play_out, policy
from games.oh_hell.taught import scored_moves, sensible_bids

BATCH = 16  # worlds dealt at a time
CHOICE = 4  # deals for each world, of which the one is taken that explains the bids
LESS, MORE = 1, 2  # by how much the bids that are tried differ from the rule's
PLAIN = 3.0  # A choice is easy if the best score is so far ahead.
SPREAD = 0.6  # tricks by which a bid easily differs from what its hand promises
ODD_PLAY = 0.35  # how much less likely cards are with which somebody has not played as the policy would


class Play(NamedTuple):
    """A card that another seat has played, and what it went by."""

    seat: int
    card: int
    since: int  # the set of cards that the seat has played since, this one among them
    turn: Turn

    def is_odd(self, left, choose):
        """Whether a seat that holds the cards `left` now would by the policy `choose` have played another card."""
        _, card, since, turn = self
        hand = left | since
        legal = legal_cards(hand, turn.led)
        if not legal & (legal - 1):
            return False
        other = choose(hand, turn)
        if other == card:
            return False
        return _between(min(card, other), max(card, other), ALL & ~turn.gone & ~hand)


class Habits(NamedTuple):
    """How a level errs. Scores are those of `scored_moves`: two below the best is a bad move, four a blunder."""

    margin: float = 0.0  # A move is made only if its score is at most so far below the best.
    whim: float = 1.0  # How much of that distance makes a move less likely by the factor e.
    overbids: float = 0.0  # what the score of a bid gains for each trick
    forgets: bool = False  # whether it remembers no card that was played before the last trick


class OhHellBrain(Brain):
    """For every number of seats, style and scoring.

    habits: None for a player that does not err.
    """

    def __init__(self, habits: Habits | None = None):
        self.habits = habits
        self.rules = OhHell()

    def rule_move(self, table, moves, rng):
        return moves[0] if len(moves) == 1 else self._thought(table, moves)[0]

    def learned_move(self, table, moves):
        return self._thought(table, moves)

    def _thought(self, table, moves):
        """(the move by the scores, how hard the choice was). A level that errs does so by chance."""
        habits = self.habits or Habits()
        scored = scored_moves(table, moves, habits.forgets)
        if table["phase"] == "bid":
            scored = [(move, score + habits.overbids * move["tricks"]) for move, score in scored]
        scored.sort(key=itemgetter(1), reverse=True)
        best = scored[0][1]
        closeness = 1 / (1 + (best - scored[1][1]) / PLAIN) if len(scored) > 1 else None
        if not habits.margin:
            return scored[0][0], closeness
        near = [(move, score) for move, score in scored if score >= best - habits.margin]
        weights = [exp((score - best) / habits.whim) for _, score in near]
        rng = Random(repr((table["hand"], table["bids"], table["tricks"], table["trick"])))
        return rng.choices(near, weights)[0][0], closeness

    def candidates(self, table, moves, rule_move):
        if table["phase"] == "bid":
            usual = rule_move["tricks"]
            bids = sensible_bids(read_table(table), [move["tricks"] for move in moves])
            return [move for move in moves if move["tricks"] in bids and -LESS <= move["tricks"] - usual <= MORE]
        unseen = ALL & ~_gone(table) & ~to_set(table["hand"])
        cards = [NUMBER[move["card"]] for move in moves]
        kept = one_of_equals(cards, lambda low, high: not _between(low, high, unseen), NUMBER[rule_move["card"]])
        return [move for move in moves if NUMBER[move["card"]] in kept]

    def worlds(self, table, rng):
        base = read_world(table)
        explains = _likelihood(table, base)
        while True:
            dealt = self.rules.sample_many(table, rng, BATCH * CHOICE)
            found = [[to_set(hand) for hand in state.hands] for state in dealt]
            for hands in likelier(found, explains, CHOICE, rng):
                yield base._replace(hands=hands)

    def outcome(self, world, move, rng):
        if move["type"] == "bid":
            taken, bids = bid_out(world, move["tricks"], rng)
            world = world._replace(bids=bids)
        else:
            taken = play_out(world, NUMBER[move["card"]], rng)
        made = [points_of(world.scoring, bid, took) for bid, took in zip(world.bids, taken, strict=True)]
        return lead(made, world.seat)

    def estimates(self, table, moves):
        if table["phase"] != "bid":
            return {}
        position = read_table(table)
        chances = list(later_chances(position).values())
        counts = range(len(chances) + 1)
        return {
            place: expected(points(position.scoring, move["tricks"], counts), chances)[0]
            for place, move in enumerate(moves)
        }


def read_world(table):
    """The `World` that the seat whose view `table` is is in, but for the hands."""
    trick, trump = cards_played(table["trick"]), table["trump"]
    place, leader = winning_place(trick, trump) if trick else 0, table["trick"]["leader"]
    return World(
        seat=table["seat"],
        scoring=table["options"]["scoring_style"],
        trump=SUITS.index(trump),
        hands=[],
        bids=table["bids"],
        taken=table["taken"],
        gone=_gone(table),
        led=SUIT[NUMBER[trick[0]]] if trick else None,
        best=NUMBER[trick[place]] if trick else 0,
        best_seat=(leader + place) % table["seats"] if trick else 0,
        count=len(trick),
    )


def _gone(table):
    tricks = [*table["tricks"], table["trick"]]
    return to_set([table["turned"]]) | to_set(play["card"] for trick in tricks for play in trick["plays"])


def _promises(table, hands):
    """By seat the tricks to expect of these hands, those before the first card."""
    first, trump, turned = (table["dealer"] + 1) % table["seats"], SUITS.index(table["trump"]), NUMBER[table["turned"]]
    return [expected_tricks(hand, trump, turned, table["seats"], seat == first) for seat, hand in enumerate(hands)]


def _likelihood(table, world):
    """A function explains(hands): how likely the others would have bid and played as they did, up to a factor."""
    bids = [(seat, bid + CAUTION) for seat, bid in enumerate(table["bids"]) if bid is not None and seat != world.seat]
    choose = policy(table["seats"], table["stock"]).choose
    plays = list(_plays_of_others(table))
    played = [0] * table["seats"]
    for play in plays:
        played[play.seat] |= 1 << play.card

    def explains(hands):
        promises = _promises(table, [hand | since for hand, since in zip(hands, played, strict=True)])
        surprise = prod(1 + ((promises[seat] - bid) / SPREAD) ** 2 for seat, bid in bids)  # some bid anything at all
        odd = sum(play.is_odd(hands[play.seat], choose) for play in plays)
        return ODD_PLAY**odd / surprise**2

    return explains


def _plays_of_others(table):
    """The `Play`s of all other seats in this deal."""
    seats, scoring, trump = table["seats"], table["options"]["scoring_style"], SUITS.index(table["trump"])
    gone, taken, found, since = 1 << NUMBER[table["turned"]], [0] * seats, [], [0] * seats
    for trick in [*table["tricks"], table["trick"]]:
        led, best = None, 0
        for place, play in enumerate(trick["plays"]):
            seat, card = play["seat"], NUMBER[play["card"]]
            need = table["bids"][seat] - taken[seat]
            found.append(Play(seat, card, 0, Turn(need, scoring, trump, gone, led, best, seats - 1 - place)))
            gone |= 1 << card
            if led is None:
                led, best = SUIT[card], card
            elif beats(card, best, trump):
                best = card
        if "winner" in trick:
            taken[trick["winner"]] += 1
    for play in reversed(found):
        since[play.seat] |= 1 << play.card
        if play.seat != table["seat"]:
            yield play._replace(since=since[play.seat])


def _between(low, high, unseen):
    """Whether two cards differ: in suit, or by a card of the set between them."""
    return SUIT[low] != SUIT[high] or unseen & HIGHER[low] & LOWER[high] != 0
