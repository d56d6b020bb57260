"""Six-card whist for two pairs: follow suit, the card turned up says what is trump. Public domain.

Source: "Options", "Deal", "Play", "Scoring", "Score sheet", "Moves", "View" and "Events" on the rules page of Whist.
"""

from typing import NamedTuple

from games.kit.cards import SUIT_NAMES, dealing, dealt_singly, in_order, make_pack, suit
from games.kit.contract import CHANCE, Choice, IllegalMove, Meaning, OptionField, Rules, as_standings
from games.kit.moves import check_deck, hands_without, move_checker
from games.kit.positions import as_lists, as_tuples
from games.kit.sampling import deal_unseen
from games.kit.tricks import (
    Trick,
    as_dicts,
    as_plays,
    cards_played,
    from_dicts,
    legal_plays,
    shown_voids,
    trick_won,
    winning_place,
)

PACK = make_pack()
SEATS, CARDS = 4, 6
check_move = move_checker(
    "Whist",
    {"deal": {"deal": [("deck",)]}, "play": {"play": [("card",)]}},
    {"deal": "The cards are not dealt yet. Wait for the deal.", "play": "The cards are dealt. Play one of yours."},
)


class State(NamedTuple):
    """A position. Between deals, in the phases "deal" and "over", `tricks` are those of the deal just played."""

    deals: int  # of the match
    lines: tuple  # of each deal played: (trump, tricks by side, points by side)
    phase: str
    to_act: int | None
    turned: str | None  # the card that says what is trump; it stays out of the hands
    hands: tuple
    leader: int | None
    trick: tuple
    tricks: tuple


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

    # Options

    def option_fields(self, seats=None):
        choices = tuple(Choice(count, f"{count} deals") for count in (2, 4))
        return (OptionField("deals", "Deals", "How many deals are played.", choices, 2),)

    def new_match(self, seats, options):
        return _between_deals(self.clean_options(seats, options)["deals"], (), ())

    # Deal

    def deck(self, state):
        return list(PACK) if state.phase == "deal" else []

    def dealing(self, state):
        return dealing(PACK, [[1] * CARDS])

    # Moves

    def legal_moves(self, state):
        if state.phase == "play":
            return [{"type": "play", "card": card} for card in legal_plays(state.hands[state.to_act], state.trick)]
        return [{"type": "deal", "deck": list(PACK)}] if state.phase == "deal" else []

    def apply(self, state, move):
        if check_move(move, state.phase) == "deal":
            check_deck(move["deck"], PACK)
            first = (_dealer(state) + 1) % SEATS
            hands = tuple(map(in_order, dealt_singly(move["deck"][: SEATS * CARDS], SEATS, first)))
            turned = move["deck"][SEATS * CARDS]
            return state._replace(
                phase="play", to_act=first, turned=turned, hands=hands, leader=first, trick=(), tricks=()
            )
        card, seat = move["card"], state.to_act
        hands, trick = hands_without(state.hands, seat, card), (*state.trick, card)
        if card not in legal_plays(state.hands[seat], state.trick):
            raise IllegalMove(f"You hold a {SUIT_NAMES[suit(trick[0])]}, so you must follow suit.")
        if len(trick) < SEATS:
            return state._replace(to_act=(seat + 1) % SEATS, hands=hands, trick=trick)
        winner = (state.leader + winning_place(trick, suit(state.turned))) % SEATS
        tricks = (*state.tricks, Trick(state.leader, trick, winner))
        if len(tricks) < CARDS:
            return state._replace(to_act=winner, hands=hands, leader=winner, trick=(), tricks=tricks)
        taken = _taken(tricks)
        return _between_deals(state.deals, (*state.lines, (suit(state.turned), taken, self.points(taken))), tricks)

    # Scoring

    def points(self, taken):
        """By side the points of a deal. Source: "Scoring"."""
        return tuple(max(0, count - CARDS // 2) for count in taken)

    def standings(self, state):
        return as_standings(_totals(state), SEATS) if state.phase == "over" else []

    def score_sheet(self, state):
        return {
            "deals": [
                {"deal": number, "trump": trump, "tricks": list(taken), "points": list(points)}
                for number, (trump, taken, points) in enumerate(state.lines, 1)
            ],
            "total": state.deals,
            "totals": list(_totals(state)),
        }

    # View

    def view(self, state, seat):
        between = state.phase != "play"
        return {
            "game": self.slug,
            "seat": seat,
            "seats": SEATS,
            "options": {"deals": state.deals},
            "phase": state.phase,
            "to_act": state.to_act,
            "deal": len(state.lines) + (state.phase != "over"),
            "dealer": _dealer(state),
            "turned": state.turned,
            "hand": [] if seat is None else list(state.hands[seat]),
            "hand_counts": [len(hand) for hand in state.hands],
            "trick": {"leader": state.leader, "plays": as_plays(SEATS, state.leader, state.trick)},
            "tricks": [] if between else as_dicts(SEATS, state.tricks),
            "last_tricks": as_dicts(SEATS, state.tricks) if between else [],
            "score_sheet": self.score_sheet(state),
        }

    def events(self, before, move, after):
        if before.phase == "deal":
            return [{"type": "dealt", "deal": len(after.lines) + 1, "turned": after.turned}]
        happened = [{"type": "card_played", "seat": before.to_act, "card": move["card"]}]
        if len(after.tricks) > len(before.tricks):
            happened.append(trick_won(SEATS, after.tricks))
        if after.phase != "play":
            _, taken, points = after.lines[-1]
            scored = {"deal": len(after.lines), "tricks": list(taken), "points": list(points)}
            happened.append({"type": "deal_scored", **scored})
        if after.phase == "over":
            happened.append({"type": "match_over", "standings": self.standings(after)})
        return happened

    # Sampling

    def hidden_from(self, state, seat):
        seen = {card for trick in state.tricks for card in trick.cards}.union(state.trick, [state.turned])
        seen.update(state.hands[seat] if seat is not None else ())
        return set(PACK) - seen if state.lines or state.phase == "play" else set()

    def sample(self, view, rng):
        lines = tuple(
            (row["trump"], tuple(row["tricks"]), tuple(row["points"])) for row in view["score_sheet"]["deals"]
        )
        if view["phase"] != "play":
            return _between_deals(view["options"]["deals"], lines, from_dicts(view["last_tricks"]))
        tricks, trick = from_dicts(view["tricks"]), cards_played(view["trick"])
        played = [*((done.leader, done.cards) for done in tricks), (view["trick"]["leader"], trick)]
        seen = {view["turned"], *view["hand"]}.union(*(cards for _, cards in played))
        unseen, voids = [card for card in PACK if card not in seen], shown_voids(SEATS, played)
        others = [seat for seat in range(SEATS) if seat != view["seat"]]
        sizes = [view["hand_counts"][seat] for seat in others]
        barred = [{card for card in unseen if suit(card) in voids[seat]} for seat in others]
        hands = dict(zip(others, deal_unseen(unseen, sizes, barred, rng), strict=True)) | {view["seat"]: view["hand"]}
        return State(
            deals=view["options"]["deals"],
            lines=lines,
            phase="play",
            to_act=view["to_act"],
            turned=view["turned"],
            hands=tuple(in_order(hands[seat]) for seat in range(SEATS)),
            leader=view["trick"]["leader"],
            trick=trick,
            tricks=tricks,
        )

    # Positions as stored

    def dump(self, state):
        return {name: as_lists(value) for name, value in state._asdict().items()}

    def load(self, data):
        stored = {name: as_tuples(value) for name, value in data.items()}
        return State(**stored | {"tricks": tuple(Trick(*trick) for trick in stored["tricks"])})


class WhistByTricks(Whist):
    """Version 2: every trick counts."""

    version = 2

    def points(self, taken):
        return taken


def _between_deals(deals, lines, tricks):
    over = len(lines) == deals
    return State(
        deals, lines, "over" if over else "deal", None if over else CHANCE, None, ((),) * SEATS, None, (), tricks
    )


def _dealer(state):
    return (len(state.lines) - (state.phase == "over") - 1) % SEATS


def _taken(tricks):
    sides = [trick.winner % 2 for trick in tricks]
    return sides.count(0), sides.count(1)


def _totals(state):
    return tuple(sum(points[side] for _, _, points in state.lines) for side in (0, 1))
