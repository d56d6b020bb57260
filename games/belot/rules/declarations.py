"""Squares and sequences: what a hand may declare, and whose declarations count.

Source: "Declarations" on the rules page.
"""

from games.belot.rules.pack import SEQUENCE_RANKS
from games.belot.rules.state import Declaration
from games.kit.cards import SUITS

SQUARES = {"J": 200, "9": 150, "A": 100, "K": 100, "Q": 100, "T": 100}  # points by rank, the highest first
SEQUENCES = {3: ("tierce", 20), 4: ("quarte", 50), 5: ("quint", 100)}  # by length

_SQUARES = tuple((tuple(rank + suit for suit in SUITS), points) for rank, points in SQUARES.items())
_LADDERS = tuple((*(rank + suit for rank in reversed(SEQUENCE_RANKS)), None) for suit in SUITS)  # None ends every run


def open_declarations(seat, hand, made, shared):
    """What a seat may declare now, as `Declaration`s: squares from the highest, then sequences by suit, high to low.

    made: the declarations of this seat so far. shared: whether a card may be in a square and in a sequence.
    """
    for_squares = for_sequences = set(hand)
    if made:
        for_squares = for_squares.difference(*(each.cards for each in made if not shared or each.kind == "square"))
        for_sequences = for_sequences.difference(*(each.cards for each in made if not shared or each.kind != "square"))
    declarations = [
        Declaration(seat, "square", points, cards) for cards, points in _SQUARES if for_squares.issuperset(cards)
    ]
    for ladder in _LADDERS:
        run = []
        for card in ladder:
            if card in for_sequences:
                run.append(card)
                continue
            if len(run) >= 3:
                declarations.append(_sequence(seat, run))
            run = []
    return declarations


def _sequence(seat, run):
    """What an unbroken run of three or more cards, high to low, may be declared as."""
    kind, points = SEQUENCES[min(len(run), 5)]
    return Declaration(seat, kind, points, tuple(run[4::-1]))


def points_of(kind, highest):
    """What a declaration of this kind is worth. highest: its last card."""
    return SQUARES[highest[0]] if kind == "square" else dict(SEQUENCES.values())[kind]


def counting_side(declared, tricks, sides):
    """The side that counts all its declarations, or None.

    tricks: how many each side has taken. The highest declaration of a side without a trick still beats the others'.
    """
    if not declared:
        return None
    highest = max(map(_strength, declared))
    holders = {each.seat % sides for each in declared if _strength(each) == highest}
    side = holders.pop()
    return None if holders or not tricks[side] else side


def _strength(declaration):
    """Squares by rank above all sequences; those by length, then by their highest card."""
    top = declaration.cards[-1][0]
    if declaration.kind == "square":
        return 2, -list(SQUARES).index(top)
    return 1, len(declaration.cards), SEQUENCE_RANKS.index(top)
