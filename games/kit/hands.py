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


class CardButtons(NamedTuple):
    """A card drawn for one place in a hand."""

    face: CardFace
    legal: Markup
    illegal: Markup


class LaidCard(NamedTuple):
    """A card of a layout, drawn both for a place after a card of its suit and for the first place of its suit."""

    card: Card
    hole: Markup  # the place after the card has been played
    without_gap: CardButtons
    with_gap: CardButtons


def sort_hand(
    hand: Iterable[Card], trump: str | None = None, ranks: Sequence[str] = RANKS, trump_ranks: Sequence[str] = ()
) -> Suits:
    """Return the cards by suit, each suit from the highest rank down, with trumps at the right end.

    Black and red suits alternate if possible, even if a suit is missing. A card is its rank and its suit: "TH".

    trump: a suit, or None. ranks: low to high. trump_ranks: those of the trump suit, if they differ.
    """
    suits: dict[str, list[Card]] = {}
    for card in hand:
        suits.setdefault(card[1], []).append(card)

    def strength(card: Card) -> int:
        """Return the place of a card among the ranks of its suit."""
        return (trump_ranks if card[1] == trump and trump_ranks else ranks).index(card[0])

    return [sorted(suits[suit], key=strength, reverse=True) for suit in suit_order(frozenset(suits), trump)]


@cache
def suit_order(suits: frozenset[str], trump: str | None) -> tuple[str, ...]:
    """Return the suits from left to right: in alternating colours if possible, and the trumps last."""
    trumps = tuple(suit for suit in suits if suit == trump)
    plain = [suit for suit in PREFERRED if suit in suits and suit != trump]
    orders = [order + trumps for order in permutations(plain)]
    return max(orders, key=_count_colour_changes)  # The first of equal orders is the preferred one.


def _count_colour_changes(order: tuple[str, ...]) -> int:
    """Return the number of neighbouring suits of different colours."""
    return sum((left in BLACK) != (right in BLACK) for left, right in pairwise(order))


@cache
def lower_row(sizes: tuple[int, ...], trumps_last: bool) -> frozenset[int] | None:
    """Choose the suits for the lower row of a hand in two rows. Return their indices, or None if no choice fits.

    The rows are as equal as whole suits allow. The lower row has the trumps, and the larger part.

    sizes: the number of cards in each suit. trumps_last: whether the last suit is the trumps.
    """
    suits = range(len(sizes))
    best, least = None, ONE_ROW + 1.0  # No row may have more than ONE_ROW cards.
    for choice in range(1, 2 ** len(sizes) - 1):  # All choices but none and all. Bit i: suit i is in the lower row.
        lower = {suit for suit in suits if choice >> suit & 1}
        if trumps_last and suits[-1] not in lower:
            continue
        below = sum(sizes[suit] for suit in lower)
        above = sum(sizes) - below
        longer = max(above, below) + (below < above) / 2  # Of equal choices the half excludes a longer upper row.
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
    """Return the data of a hand for its template. Each card is a button that plays it.

    order: how the hand is sorted on screen. legal: the cards that the seat may play now, or None when it is not its
    turn. They are marked only if other cards of the hand are not legal.
    dealt: all cards that the hand has had in this deal. Each keeps its place on screen, and leaves a hole when played.
    actions: what the buttons of some cards do instead of a plain play, and the words on them.
    """
    legal = None if legal is None else frozenset(legal)
    dealt = tuple(sorted(dealt or hand))  # The layout does not depend on the order of play.
    # Dicts and lists cannot be keys of a cache.
    return _draw_hand(tuple(hand), dealt, order, legal, tuple((actions or {}).items()))


@cache_by_language(4096)  # Hands of the other seats do not change from move to move.
def _draw_hand(
    hand: tuple[Card, ...], dealt: tuple[Card, ...], order: Order, legal: frozenset[Card] | None, actions: Actions
) -> HandTable:
    """Return the data of a hand for its template: a button for each card, and a hole for each card already played.

    hand, dealt: the cards that the player holds now, and at the beginning of the deal. legal: the cards that may be
    played, or None when it is not the player's turn. actions: pairs of a card and what its button does instead.
    """
    action_of = dict(actions)
    some_are_illegal = bool(legal) and len(legal or ()) < len(hand)
    upper_count, suits = _layout(dealt, order)  # All cards are drawn already, with and without a gap.
    faces: list[CardFace] = []
    places: list[Markup] = []
    for suit in suits:
        needs_gap = bool(faces)  # The first card of a suit stands apart from the suit before it.
        for card, hole_of_card, without_gap, with_gap in suit:
            if card not in hand:
                places.append(hole_of_card)
                continue
            buttons = with_gap if needs_gap else without_gap
            needs_gap = False
            is_illegal = some_are_illegal and card not in (legal or ())
            if card in action_of:
                places.append(card_button(card, buttons.face["classes"], action_of[card], is_illegal))
            else:
                places.append(buttons.illegal if is_illegal else buttons.legal)
            faces.append(buttons.face)
    return _hand_table(faces, places, upper_count, "hand marked" if some_are_illegal else "hand")


@cache_by_language(1024)
def _layout(dealt: tuple[Card, ...], order: Order) -> tuple[int, list[list[LaidCard]]]:
    """Return the number of cards in the upper of two rows, and the cards of a hand by suit, as markup.

    Each card is drawn for every case that may arise during the deal. The first card that is left of its suit has a gap
    before it. A card that has been played leaves a hole.
    """
    suits = order.suits(dealt)
    upper = _upper_row(suits, order.trump)
    layout = []
    last_suit: dict[str, str] = {}  # by row, the suit of the card before
    for suit in suits:
        cards = []
        for card in suit:
            row = "upper" if card in upper else "lower"
            classes = row
            if row not in last_suit:
                classes += " row-start"
            elif {last_suit[row], card[1]} in TWINS:  # Neighbours of one colour need a gap between them.
                classes += " twin"
            last_suit[row] = card[1]
            without_gap, with_gap = _draw_buttons(card, f"card {classes}"), _draw_buttons(card, f"card {classes} gap")
            cards.append(LaidCard(card, hole(classes), without_gap, with_gap))
        layout.append(cards)
    return len(upper), layout


def _draw_buttons(card: Card, classes: str) -> CardButtons:
    """Return the face of a card, and its button in two versions: one that plays it, and one for when it is illegal.

    classes: the CSS classes of the card.
    """
    markup, action = Markup(classes), CardAction(card_move("play", card))
    face: CardFace = {"face": FACES[card], "classes": markup}
    return CardButtons(face, card_button(card, markup, action), card_button(card, markup, action, closed=True))


def draw_row(
    cards: Sequence[Card], closed: bool = True, notes: Mapping[Card, str] | None = None, new: Card | None = None
) -> HandTable:
    """Return the data of a hand of few cards for its template. Each card is a button that discards it.

    cards: in display order. closed: whether no discard is legal now. The buttons then only explain that.
    notes: a few words below each card. new: the card that was just drawn, which is marked.
    """
    return _draw_row(tuple(cards), closed, tuple((notes or {}).items()), new)


@cache_by_language(4096)
def _draw_row(cards: tuple[Card, ...], closed: bool, notes: Notes, new: Card | None) -> HandTable:
    """Return a hand to discard from, with all its cards in one row.

    closed: whether no discard is legal now. notes: pairs of a card and the words below it. new: the card just drawn.
    """
    note_of = dict(notes)
    faces: list[CardFace] = []
    buttons = []
    for index, card in enumerate(cards):
        classes = Markup(f"card lower{' row-start' if index == 0 else ''}{' drawn' if card == new else ''}")
        faces.append({"face": FACES[card], "classes": classes})
        action = CardAction(card_move("discard", card), note=note_of.get(card, ""))
        buttons.append(card_button(card, classes, action, closed))
    return _hand_table(faces, buttons, 0, "hand")


def card_move(kind: str, card: Card) -> str:
    """Return a move with a card as JSON. kind: its type, such as "play"."""
    return f'{{"type":"{kind}","card":"{card}"}}'


def _hand_table(faces: list[CardFace], places: list[Markup], upper_count: int, classes: str) -> HandTable:
    """Return the data of a hand for its template.

    places: the markup of buttons and holes, in order. upper_count: how many of them are in the upper of two rows.
    """
    return {
        "cards": faces,
        "buttons": Markup("".join(places)),
        "count": Markup(len(faces)),
        "places": Markup(len(places)),
        "upper": Markup(upper_count),
        "lower": Markup(len(places) - upper_count),
        "classes": Markup(classes),
        "label": _hand_label(len(faces)),
    }


@cache_by_language()
def _hand_label(count: int) -> Markup:
    return Markup(say_count(count, "Hand, {number} card", "Hand, {number} cards"))


def _upper_row(suits: Suits, trump: str | None) -> Collection[Card]:
    """Return the cards of a hand that go into the upper of two rows, or () if one row is enough.

    They are whole suits if both rows then fit on the screen of a phone, or else the left half of the hand.

    suits: lists of cards, from left to right. trump: the trump suit, or None.
    """
    cards = [card for suit in suits for card in suit]
    if len(cards) <= ONE_ROW:
        return ()
    last_suit = suits[-1][0][1]
    lower_suits = lower_row(tuple([len(suit) for suit in suits]), last_suit == trump)
    if lower_suits is None:
        return cards[: len(cards) // 2]
    return [card for index, suit in enumerate(suits) if index not in lower_suits for card in suit]
