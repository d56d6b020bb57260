"""The layout of a hand: its suits in order, in two rows on a phone. Each card is a button."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import NamedTuple, TypedDict

from games.kit.cards import RANKS
from games.kit.contract import Card
from games.kit.language import cache_by_language, say_count
from games.kit.markup import FACES, CardAction, Markup, card_button, hole

BLACK = "CS"
TWINS = ({"C", "S"}, {"D", "H"})  # Neighbouring suits of the same colour need a gap between them.
PREFERRED = "SHCD"  # The order from the left, where the colours leave a choice.
ONE_ROW = 7  # As many cards fit in one row on a phone.

type Suits = list[list[Card]]
type Actions = tuple[tuple[Card, CardAction], ...]
type Notes = tuple[tuple[Card, str], ...]


class CardFace(TypedDict):
    face: Markup
    classes: Markup


class HandTable(TypedDict):
    """A hand for its template. Numbers are markup."""

    cards: list[CardFace]
    buttons: Markup  # the buttons and the holes of both rows
    count: Markup  # the number of cards
    places: Markup  # the number of cards and holes
    upper: Markup  # the number of places in the upper row
    lower: Markup
    classes: Markup
    label: Markup  # what screen readers say


class LaidCard(NamedTuple):
    """A card of a layout, drawn both for a place after a card of its suit and for the first place of its suit."""

    card: Card
    hole: Markup
    inner: tuple[CardFace, Markup, Markup]  # the face, the button, and the button of a card that is not legal
    first: tuple[CardFace, Markup, Markup]


def sort_hand(
    hand: Iterable[Card], trump: str | None = None, ranks: Sequence[str] = RANKS, trump_ranks: Sequence[str] = ()
) -> Suits:
    """Return the cards by suit, each suit from the highest rank down, with trumps at the right end.

    Black and red suits alternate if possible, even if a suit is missing.

    ranks: low to high, as in the contract. trump_ranks: those of the trump suit, if they differ.
    """
    suits: dict[str, list[Card]] = {}
    for card in hand:
        suits.setdefault(card[1], []).append(card)
    orders = {trump: trump_ranks or ranks}
    return [
        sorted(suits[suit], key=lambda card: -orders.get(card[1], ranks).index(card[0]))
        for suit in suit_order(frozenset(suits), trump)
    ]


@cache
def suit_order(suits: frozenset[str], trump: str | None) -> tuple[str, ...]:
    """Return the suits from left to right."""
    trumps = tuple(suit for suit in suits if suit == trump)
    plain = [suit for suit in PREFERRED if suit in suits and suit != trump]
    orders = [order + trumps for order in permutations(plain)]
    return max(orders, key=_alternations)  # The first of equal orders is the preferred one.


def _alternations(order: tuple[str, ...]) -> int:
    return sum((left in BLACK) != (right in BLACK) for left, right in pairwise(order))


@cache
def lower_row(sizes: tuple[int, ...], trumps_last: bool) -> frozenset[int] | None:
    """Return the indices of the suits in the lower of two rows. sizes: the number of cards in each suit.

    The rows are as equal as whole suits allow. The lower row has the trumps, and the larger part. Return None if every
    division leaves a row of eight or more cards.
    """
    places = range(len(sizes))
    best, least = None, 8.0
    for choice in range(1, 2 ** len(sizes) - 1):
        lower = {place for place in places if choice >> place & 1}
        if trumps_last and places[-1] not in lower:
            continue
        below = sum(sizes[place] for place in lower)
        above = sum(sizes) - below
        longer = max(above, below) + (below < above) / 2  # The half prefers a longer lower row.
        if longer < least:
            best, least = frozenset(lower), longer
    return best


class Order(NamedTuple):
    """The order of the cards of a hand on screen."""

    trump: str | None = None
    ranks: tuple[Sequence[str], ...] = ()  # of plain suits and of trumps, low to high, if they are not the usual ones
    sort: Callable[..., Suits] = sort_hand  # of a hand, `trump` and `ranks`

    def suits(self, hand: Iterable[Card]) -> Suits:
        return self.sort(hand, self.trump, *self.ranks)


USUAL = Order()


def draw_hand(
    hand: Sequence[Card],
    order: Order = USUAL,
    legal: Collection[Card] | None = None,
    dealt: Iterable[Card] | None = None,
    actions: Mapping[Card, CardAction] | None = None,
) -> HandTable:
    """Return a hand to play from.

    legal: the cards that the seat may play now, or None when it is not its turn. They are marked only if other cards
    of the hand are not legal.
    dealt: all cards that were in the hand during this deal, if some are gone. The layout is made for all of them: every
    card keeps its place and its row, and missing cards leave holes.
    actions: for cards that make another move than a plain play, or that have words on them.
    """
    legal = None if legal is None else frozenset(legal)
    dealt = tuple(sorted(dealt or hand))  # The layout does not depend on the order of play.
    return _draw_hand(tuple(hand), dealt, order, legal, tuple((actions or {}).items()))


@cache_by_language(4096)  # Hands of the other seats do not change from move to move.
def _draw_hand(
    hand: tuple[Card, ...], dealt: tuple[Card, ...], order: Order, legal: frozenset[Card] | None, actions: Actions
) -> HandTable:
    action_of = dict(actions)
    marked = bool(legal) and len(legal or ()) < len(hand)
    upper, suits = _layout(dealt, order)
    cards: list[CardFace] = []
    places: list[Markup] = []
    for suit in suits:
        is_first = bool(cards)  # The first card of a suit stands apart from the suit before it.
        for card, hole_of_card, inner, first in suit:
            if card not in hand:
                places.append(hole_of_card)
                continue
            face, open_button, closed_button = first if is_first else inner
            is_first = False
            is_closed = marked and card not in (legal or ())
            if card in action_of:
                places.append(card_button(card, face["classes"], action_of[card], is_closed))
            else:
                places.append(closed_button if is_closed else open_button)
            cards.append(face)
    return _hand_table(cards, places, upper, "hand marked" if marked else "hand")


@cache_by_language(1024)
def _layout(dealt: tuple[Card, ...], order: Order) -> tuple[int, list[list[LaidCard]]]:
    """Return the number of cards in the upper row, and the cards by suit."""
    suits = order.suits(dealt)
    upper = _upper_row(suits, order.trump)
    layout = []
    last_suit: dict[str, str] = {}  # by row
    for suit in suits:
        cards = []
        for card in suit:
            row = "upper" if card in upper else "lower"
            classes = row
            if row not in last_suit:
                classes += " row-start"
            elif {last_suit[row], card[1]} in TWINS:
                classes += " twin"
            last_suit[row] = card[1]
            inner, first = _draw_card(card, f"card {classes}"), _draw_card(card, f"card {classes} gap")
            cards.append(LaidCard(card, hole(classes), inner, first))
        layout.append(cards)
    return len(upper), layout


def _draw_card(card: Card, classes: str) -> tuple[CardFace, Markup, Markup]:
    """Return the face of a card, the button that plays it, and the button of a card that is not legal."""
    markup, action = Markup(classes), CardAction(card_move("play", card))
    face: CardFace = {"face": FACES[card], "classes": markup}
    return face, card_button(card, markup, action), card_button(card, markup, action, True)


def draw_row(
    cards: Sequence[Card], closed: bool = True, notes: Mapping[Card, str] | None = None, new: Card | None = None
) -> HandTable:
    """Return a hand of few cards to discard from, in the given order.

    closed: whether no discard is legal now; the refusal gives the reason. notes: a few words below each card. new: the
    card that was just drawn.
    """
    return _draw_row(tuple(cards), closed, tuple((notes or {}).items()), new)


@cache_by_language(4096)
def _draw_row(cards: tuple[Card, ...], closed: bool, notes: Notes, new: Card | None) -> HandTable:
    note_of = dict(notes)
    faces: list[CardFace] = []
    buttons = []
    for place, card in enumerate(cards):
        classes = Markup(f"card lower{' row-start' if place == 0 else ''}{' drawn' if card == new else ''}")
        faces.append({"face": FACES[card], "classes": classes})
        action = CardAction(card_move("discard", card), note=note_of.get(card, ""))
        buttons.append(card_button(card, classes, action, closed))
    return _hand_table(faces, buttons, 0, "hand")


def card_move(kind: str, card: Card) -> str:
    """Return the move of that type with a card, as JSON."""
    return f'{{"type":"{kind}","card":"{card}"}}'


def _hand_table(cards: list[CardFace], places: list[Markup], upper: int, classes: str) -> HandTable:
    return {
        "cards": cards,
        "buttons": Markup("".join(places)),
        "count": Markup(len(cards)),
        "places": Markup(len(places)),
        "upper": Markup(upper),
        "lower": Markup(len(places) - upper),
        "classes": Markup(classes),
        "label": _label(len(cards)),
    }


@cache_by_language()
def _label(count: int) -> Markup:
    return Markup(say_count(count, "Hand, {number} card", "Hand, {number} cards"))


def _upper_row(suits: Suits, trump: str | None) -> Collection[Card]:
    """Return the cards of the upper row, empty if one row is enough: whole suits if they fit, or else the left half."""
    cards = [card for suit in suits for card in suit]
    if len(cards) <= ONE_ROW:
        return ()
    lower = lower_row(tuple([len(suit) for suit in suits]), suits[-1][0][1] == trump)
    if lower is None:
        return cards[: len(cards) // 2]
    return [card for place, suit in enumerate(suits) if place not in lower for card in suit]
