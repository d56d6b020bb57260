"""The search's model of Oh Hell: which cards the others may hold after their bids and cards, and what a move leads to.

Bids are searched like cards, because the policy makes about as many of them as people do.
"""

from collections.abc import Callable, Iterator, Sequence
from math import exp
from operator import itemgetter
from random import Random
from typing import NamedTuple

from games.kit.card_sets import ALL, HIGHER, LOWER, NUMBER, SUIT, beats, to_set
from games.kit.contract import Move, Seat
from games.kit.search import Brain, lead, likelier, one_of_equals
from games.kit.tricks import cards_played, winning_place
from games.oh_hell.bot import expected, later_chances, points, public_cards, read_table, seat_of, trump_of, turned_card
from games.oh_hell.rules import OhHell, points_of
from games.oh_hell.simulation import (
    CAUTION,
    NO_BID,
    Choose,
    Turn,
    World,
    bid_out,
    expected_tricks,
    legal_cards,
    play_out,
    policy,
)
from games.oh_hell.taught import scored_moves, sensible_bids
from games.oh_hell.types import View

WORLDS_PER_BATCH = 16  # the number of worlds that are dealt at a time
DEALS_PER_WORLD = 4  # Each world is picked from this many deals, by how well they explain the bids.
LESS, MORE = 1, 2  # The search tries bids from this much below to this much above the rule's.
EASY_LEAD = 3.0  # A choice is easy if the best score is ahead by this much.
SPREAD = 0.6  # the usual difference in tricks between a bid and the expectation of its hand
ODD_PLAY_FACTOR = 0.35  # the weight of a deal, for each card that the policy would not have played


class Play(NamedTuple):
    """A card of another seat, and what that seat could see."""

    seat: Seat
    card: int
    played_since: int  # the set of cards that the seat has played from then on, including this one
    turn: Turn

    def is_odd(self, hand: int, choose: Choose) -> bool:
        """Return whether a sensible player would have played another card, if the seat holds `hand` now.

        Cards that are equally good count as the same card. Hands are sets of bits. choose: the policy of sensible
        players. It takes a hand and a `Turn`, which is what the player could see, and returns a card.
        """
        _, card, played_since, turn = self
        hand |= played_since  # the hand before the play
        legal = legal_cards(hand, turn.led)
        if not legal & (legal - 1):  # A single card.
            return False
        other = choose(hand, turn)
        if other == card:
            return False
        return _are_different(min(card, other), max(card, other), ALL & ~turn.public & ~hand)


class Habits(NamedTuple):
    """The errors of a level. `scored_moves` has the scores: 2 below the best is a bad move, 4 is a blunder."""

    margin: float = 0.0  # Moves are made only if their score is at most this much below the best.
    whim: float = 1.0  # A score lower by this much makes a move less likely by the factor e.
    bid_factor: float = 1.0  # how many times larger the errors in the bidding are
    overbids: float = 0.0  # the bonus to the score of a bid for each trick
    forgets: bool = False  # whether the level forgets the cards that were played before the last trick


class OhHellBrain(Brain[View, World]):
    """Plays with every number of seats and all options. habits: None for a player without errors."""

    def __init__(self, habits: Habits | None = None) -> None:
        self.habits = habits or Habits()
        self.rules = OhHell()

    def rule_move(self, table: View, moves: list[Move], rng: Random) -> Move:
        return moves[0] if len(moves) == 1 else self.learned_move(table, moves)[0]

    def learned_move(self, table: View, moves: list[Move]) -> tuple[Move, float | None]:
        """Return the move that the neural networks choose, and how close the choice is.

        The closeness is 1 if two moves are equally good, and 0.5 or less for an easy choice. It is None if there is
        only one sensible move. A bot without errors makes the best move, any other bot one near the best.
        """
        habits = self.habits
        scored = scored_moves(table, moves, habits.forgets)
        if table["phase"] == "bid":  # Some levels like to bid high.
            scored = [(move, score + habits.overbids * move["tricks"]) for move, score in scored]
        scored.sort(key=itemgetter(1), reverse=True)
        best = scored[0][1]
        closeness = 1 / (1 + (best - scored[1][1]) / EASY_LEAD) if len(scored) > 1 else None
        if not habits.margin:  # A bot without errors.
            return scored[0][0], closeness
        # A bid on one card is too easy for errors.
        factor = habits.bid_factor if table["phase"] == "bid" and table["cards"] > 1 else 1.0
        near_best = [(move, score) for move, score in scored if score >= best - factor * habits.margin]
        # Worse moves are less likely.
        weights = [exp((score - best) / (factor * habits.whim)) for _, score in near_best]
        # With these seeds it makes the same choice in the same position.
        rng = Random(repr((table["hand"], table["bids"], table["tricks"], table["trick"])))
        return rng.choices(near_best, weights)[0][0], closeness

    def candidates(self, table: View, moves: list[Move], rule_move: Move) -> list[Move]:
        """Return the moves to compare: bids near the rule of thumb's, or one card of each group of equally good cards.

        Cards of a suit are equally good if no unseen card is between them. rule_move: the move of the rule of thumb.
        """
        if table["phase"] == "bid":
            usual = rule_move["tricks"]
            bids = sensible_bids(read_table(table), [move["tricks"] for move in moves])
            bids = [bid for bid in bids if -LESS <= bid - usual <= MORE]
            return [move for move in moves if move["tricks"] in bids]
        unseen = ALL & ~public_cards(table) & ~to_set(table["hand"])
        cards, rule_card = [NUMBER[move["card"]] for move in moves], NUMBER[rule_move["card"]]
        chosen = one_of_equals(cards, lambda low, high: not _are_different(low, high, unseen), rule_card)
        return [move for move in moves if NUMBER[move["card"]] in chosen]

    def worlds(self, table: View, rng: Random) -> Iterator[World]:
        """Yield random positions with all cards open that agree with what the seat to act sees, without end.

        Each is picked from several random deals of the unseen cards. A deal that better explains the bids and plays of
        the others is likelier to be picked. table: the game as the seat to act sees it.
        """
        base = read_world(table)
        likelihood = _make_likelihood(table)
        while True:
            states = self.rules.sample_many(table, rng, WORLDS_PER_BATCH * DEALS_PER_WORLD)
            deals = [[to_set(hand) for hand in state.hands] for state in states]
            for hands in likelier(deals, likelihood, DEALS_PER_WORLD, rng):
                yield base._replace(hands=hands)

    def outcome(self, world: World, move: Move, rng: Random) -> float:
        """Return the seat's points minus the mean of the others' if it makes a move and the hand is played out.

        world: a position with all cards open.
        """
        bids = world.bids
        if move["type"] == "bid":
            tricks, bids = bid_out(world, move["tricks"], rng)
        else:
            tricks = play_out(world, NUMBER[move["card"]], rng)
        return lead([points_of(world.scoring, bid, took) for bid, took in zip(bids, tricks, strict=True)], world.seat)

    def estimates(self, table: View, moves: list[Move]) -> dict[int, float]:
        if table["phase"] != "bid":
            return {}
        position = read_table(table)
        chances = list(later_chances(position).values())
        counts = range(len(chances) + 1)
        return {
            place: expected(points(position.scoring, move["tricks"], counts), chances)[0]
            for place, move in enumerate(moves)
        }


def read_world(table: View) -> World:
    """Return the position for the simulation, which has numbers in place of texts. table: the game as the seat sees it.

    Its list of hands stays empty, because the hands are sampled many times. Sets of cards are ints with a bit for each
    card.
    """
    trick = cards_played(table["trick"])
    place = winning_place(trick, table["trump"]) if trick else 0
    return World(
        seat=seat_of(table),
        scoring=table["options"]["scoring_style"],
        trump=trump_of(table),
        hands=[],
        bids=[NO_BID if bid is None else bid for bid in table["bids"]],
        tricks_won=table["taken"],
        public=public_cards(table),
        led=SUIT[NUMBER[trick[0]]] if trick else None,
        best=NUMBER[trick[place]] if trick else 0,
        best_seat=table["trick"]["plays"][place]["seat"] if trick else 0,
        trick_size=len(trick),
    )


def _make_likelihood(table: View) -> Callable[[Sequence[int]], float]:
    """Return a function that tells how well possible hands explain the bids and the cards of the other seats.

    It takes the present hands of all seats, as sets of bits. Its result is proportional to the chance of these bids and
    cards.
    """
    seats, trump, turned = table["seats"], trump_of(table), turned_card(table)
    first = (table["dealer"] + 1) % seats
    # By seat, the expected tricks that its bid suggests. Players bid a little less than they expect.
    bids = [
        (seat, bid + CAUTION) for seat, bid in enumerate(table["bids"]) if bid is not None and seat != table["seat"]
    ]
    choose = policy(seats, table["stock"]).choose
    plays = list(_plays_of_others(table))
    played = [0] * seats  # by seat, the set of cards that it has played
    for play in plays:
        played[play.seat] |= 1 << play.card

    def likelihood(hands: Sequence[int]) -> float:
        # Hands are less likely the further their expected tricks are from the bids. The curve has heavy tails, because
        # some players bid anything at all.
        surprise = 1.0
        for seat, bid in bids:
            expectation = expected_tricks(hands[seat] | played[seat], trump, turned, seats, seat == first)
            surprise *= 1 + ((expectation - bid) / SPREAD) ** 2
        odd_plays = sum(play.is_odd(hands[play.seat], choose) for play in plays)
        return ODD_PLAY_FACTOR**odd_plays / surprise**2

    return likelihood


def _plays_of_others(table: View) -> Iterator[Play]:
    """Yield the plays of all other seats in this hand, the last one first.

    Each has a `Turn`, which is what the player could see, and the set of cards that the player has played since. The
    first loop follows the tricks and collects plays. The second goes back and adds the cards played since. Sets of
    cards are ints with a bit for each card.
    """
    seats, scoring, trump = table["seats"], table["options"]["scoring_style"], trump_of(table)
    public, plays, played_since = 1 << turned_card(table), [], [0] * seats
    winners = [trick["winner"] for trick in table["tricks"]]
    for number, trick in enumerate([*table["tricks"], table["trick"]]):
        led, best = None, 0
        for place, play in enumerate(trick["plays"]):
            seat, card = play["seat"], NUMBER[play["card"]]
            need = (table["bids"][seat] or 0) - winners[:number].count(seat)  # the tricks missing for its bid
            turn = Turn(need, scoring, trump, public, led, best, following=seats - 1 - place)
            plays.append(Play(seat, card, played_since=0, turn=turn))
            public |= 1 << card
            if led is None:
                led, best = SUIT[card], card
            elif beats(card, best, trump):
                best = card
    for one_play in reversed(plays):
        seat = one_play.seat
        played_since[seat] |= 1 << one_play.card
        if seat != table["seat"]:
            yield one_play._replace(played_since=played_since[seat])


def _are_different(low: int, high: int, unseen: int) -> bool:
    """Return whether it matters which of two cards a seat plays: their suits differ, or an unseen card is between."""
    return SUIT[low] != SUIT[high] or unseen & HIGHER[low] & LOWER[high] != 0
