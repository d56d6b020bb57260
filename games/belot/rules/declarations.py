"""Squares and sequences: what a hand may declare, and whose declarations count.

Source: "Declarations" on the rules page.
"""

from collections.abc import Iterable, Sequence

from games.belot.rules.pack import SEQUENCE_RANKS
from games.belot.rules.state import Declaration
from games.kit.cards import SUITS
from games.kit.contract import Card, Seat

SQUARES = {"J": 200, "9": 150, "A": 100, "K": 100, "Q": 100, "T": 100}  # points by rank, the highest square first
SEQUENCES = {3: ("tierce", 20), 4: ("quarte", 50), 5: ("quint", 100)}  # kind and points by length

_SQUARES = tuple((tuple(rank + suit for suit in SUITS), points) for rank, points in SQUARES.items())
# By suit, all its cards from high to low. The None at the end closes every run.
_SUITS_HIGH_TO_LOW = tuple((*(rank + suit for rank in reversed(SEQUENCE_RANKS)), None) for suit in SUITS)


def open_declarations(
    seat: Seat, hand: Iterable[Card], earlier: Sequence[Declaration], may_share: bool
) -> list[Declaration]:
    """Return what a seat may declare now: squares (four of a rank), then sequences by suit, the highest first.

    A sequence is three to five cards of a suit without a gap. earlier: the declarations of this seat so far, which use
    up their cards. may_share: whether a card may be in a square and also in a sequence.
    """
    for_squares = for_sequences = set(hand)  # the cards that are still free for each kind
    if earlier:
        in_squares = [declaration.cards for declaration in earlier if declaration.kind == "square"]
        in_sequences = [declaration.cards for declaration in earlier if declaration.kind != "square"]
        for_squares = for_squares.difference(*in_squares, *([] if may_share else in_sequences))
        for_sequences = for_sequences.difference(*in_sequences, *([] if may_share else in_squares))
    declarations = [
        Declaration(seat, "square", points, cards) for cards, points in _SQUARES if for_squares.issuperset(cards)
    ]
    for suit_cards in _SUITS_HIGH_TO_LOW:  # Each suit ends with None, which closes its last run.
        run: list[Card] = []
        for card in suit_cards:
            if card in for_sequences:
                run.append(card)
                continue
            if len(run) >= 3:  # The run ends here, and is long enough to be a sequence.
                declarations.append(_sequence(seat, run))
            run = []
    return declarations


def _sequence(seat: Seat, run: list[Card]) -> Declaration:
    """Return the declaration of an unbroken run of three or more cards, given from high to low."""
    kind, points = SEQUENCES[min(len(run), 5)]
    return Declaration(seat, kind, points, tuple(run[4::-1]))  # the five highest cards at most, low to high


def counting_side(declarations: Sequence[Declaration], tricks: Sequence[int], sides: int) -> int | None:
    """Return the side that counts its declarations, or None if nobody does.

    It is the side with the highest declaration, if it has taken a trick. A side is a team, or a player without a
    partner; a seat is on the side `seat % sides`. tricks: the number of tricks by side.
    """
    if not declarations:
        return None
    highest = max(map(_strength, declarations))
    holders = {declaration.seat % sides for declaration in declarations if _strength(declaration) == highest}
    side = holders.pop()
    is_tie = bool(holders)  # Another side holds an equal one, and then nobody counts.
    return None if is_tie or not tricks[side] else side


def _strength(declaration: Declaration) -> tuple[int, ...]:
    """Return a sort key, the highest for the best declaration.

    A square (four of a rank) beats all sequences. These go by length, and then by their highest card.
    """
    top = declaration.cards[-1][0]  # the rank of the highest card
    if declaration.kind == "square":  # The keys of SQUARES start with the best rank.
        return 2, -list(SQUARES).index(top)
    return 1, len(declaration.cards), SEQUENCE_RANKS.index(top)
