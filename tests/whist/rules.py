"""Six-card whist for two pairs: follow suit, the card turned up says what is trump. Public domain.

Source: "Options", "Deal", "Play", "Scoring", "Score sheet", "Moves", "View" and "Events" on the rules page of Whist.
"""

from itertools import starmap
from typing import NamedTuple

from games.kit.cards import deal_singly, dealing, in_order, make_pack, suit
from games.kit.contract import CHANCE, Choice, Meaning, OptionField, Rules, as_standings
from games.kit.moves import check_deck, move_checker
from games.kit.positions import as_dict, from_dict
from games.kit.tricks import (
    Trick,
    as_dicts,
    as_plays,
    card_events,
    cards_played,
    count_tricks,
    dealer_of_hands,
    from_dicts,
    legal_plays,
    play_card,
    visible_cards,
)

PACK = make_pack()
SEATS, SIDES, CARDS = 4, 2, 6
check_move = move_checker("Whist", {"play": {"play": [("card",)]}}, {"play": "The cards are dealt. Play one of yours."})


class Line(NamedTuple):
    """A scored deal: a row of the score sheet, under its keys. Tuples are by side."""

    deal: int
    trump: str
    tricks: tuple
    points: tuple


class State(NamedTuple):
    """A position. Between deals, in the phases "deal" and "over", `tricks` are those of the deal just played."""

    deals: int  # of the match
    lines: tuple  # a Line for each deal played
    phase: str
    to_act: int | None
    tricks: tuple
    turned: str | None = None  # the card that says what is trump; it stays out of the hands
    hands: tuple = ((),) * SEATS
    leader: int | None = None
    trick: tuple = ()


class Whist(Rules):
    """Version 1: every trick beyond three counts."""

    slug = "whist"
    name = "Whist"
    summary = "Take more tricks than the other pair."
    version = 1
    seat_counts = (SEATS,)
    partners_at = (SEATS,)
    meanings = {
        "card_played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "deal_scored": Meaning.DEAL_SCORED,
    }

    def option_fields(self, seats=None):
        choices = tuple(Choice(count, f"{count} deals") for count in (2, 4))
        return (OptionField("deals", "Deals", "How many deals are played.", choices, 2),)

    def new_match(self, seats, options):
        return _between_deals(self.clean_options(seats, options)["deals"], (), ())

    def deck(self, state):
        return list(PACK) if state.phase == "deal" else []

    def dealing(self, state):
        return dealing(PACK, [[1] * CARDS])

    def legal_moves(self, state):
        if state.phase == "play":
            return [{"type": "play", "card": card} for card in legal_plays(state.hands[state.to_act], state.trick)]
        return [{"type": "deal", "deck": list(PACK)}] if state.phase == "deal" else []

    def apply(self, state, move):
        deals, lines, phase, turned = state.deals, state.lines, state.phase, state.turned
        if check_move(move, phase) == "deal":
            deck, first = move["deck"], len(lines) % SEATS
            check_deck(deck, PACK)
            hands = map(in_order, deal_singly(deck[: SEATS * CARDS], SEATS, first))
            return State(deals, lines, "play", first, (), deck[SEATS * CARDS], tuple(hands), first)
        trump = suit(turned)
        to_act, hands, leader, trick, tricks = play_card(state, move["card"], trump)
        if len(tricks) < CARDS:
            return State(deals, lines, phase, to_act, tricks, turned, hands, leader, trick)
        taken = tuple(count_tricks(tricks, SIDES))
        return _between_deals(deals, (*lines, Line(len(lines) + 1, trump, taken, self.points(taken))), tricks)

    def points(self, taken):
        """By side the points of a deal. Source: "Scoring"."""
        return tuple(max(0, count - CARDS // 2) for count in taken)

    def score_sheet(self, state):
        return {"deals": [as_dict(line) for line in state.lines], "total": state.deals, "totals": _totals(state)}

    def standings(self, state):
        return as_standings(_totals(state), SEATS) if state.phase == "over" else []

    def private_view(self, state, seat):
        return {"seat": seat, "hand": list(state.hands[seat])}

    def public_view(self, state):
        number = len(state.lines) + (state.phase != "over")
        return {
            "seat": None,
            "seats": SEATS,
            "phase": state.phase,
            "to_act": state.to_act,
            "deal": number,
            "dealer": (number - 2) % SEATS,
            "turned": state.turned,
            "hand": [],
            "hand_counts": [len(hand) for hand in state.hands],
            "trick": {"leader": state.leader, "plays": as_plays(SEATS, state.leader, state.trick)},
            "tricks": as_dicts(SEATS, state.tricks),
            "score_sheet": self.score_sheet(state),
        }

    def hidden_from(self, state, seat):
        return set(PACK) - visible_cards(state, seat) - {state.turned} if state.turned or state.lines else set()

    def events(self, before, move, after):
        if before.phase == "deal":
            return [{"type": "dealt", "deal": len(after.lines) + 1, "turned": after.turned}]
        return card_events(before, move["card"], after, _deal_scored, self.standings)

    def sample(self, view, rng):
        tricks = from_dicts(view["tricks"])
        return State(
            deals=view["score_sheet"]["total"],
            lines=tuple(from_dict(Line, row) for row in view["score_sheet"]["deals"]),
            phase=view["phase"],
            to_act=view["to_act"],
            tricks=tricks,
            turned=view["turned"],
            hands=dealer_of_hands(PACK, view, tricks)(rng),
            leader=view["trick"]["leader"],
            trick=cards_played(view["trick"]),
        )

    def dump(self, state):
        return as_dict(state)

    def load(self, data):
        state = from_dict(State, data)
        return state._replace(lines=tuple(starmap(Line, state.lines)), tricks=tuple(starmap(Trick, state.tricks)))


class WhistByTricks(Whist):
    """Version 2: every trick counts."""

    version = 2

    def points(self, taken):
        return taken


def _between_deals(deals, lines, tricks):
    over = len(lines) == deals
    return State(deals, lines, "over" if over else "deal", None if over else CHANCE, tricks)


def _totals(state):
    return [sum(line.points[side] for line in state.lines) for side in range(SIDES)]


def _deal_scored(state):
    deal, _, tricks, points = state.lines[-1]
    return {"type": "deal_scored", "deal": deal, "tricks": list(tricks), "points": list(points)}
