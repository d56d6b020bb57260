"""How a hand lies: its suits side by side, in two rows on a phone, each card a button."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import Any, NamedTuple

from games.kit.cards import RANKS
from games.kit.language import cache_by_language, say_count
from games.kit.markup import FACES, CardAction, Markup, card_button, hole

BLACK = "CS"
TWINS = ({"C", "S"}, {"D", "H"})  # suits of one colour: side by side they need a gap
PREFERRED = "SHCD"  # from the left, where the colours leave a choice
ONE_ROW = 7  # so many cards fit in one row on a phone


def sort_hand(hand, trump=None, ranks=RANKS, trump_ranks=None):
    """The cards of `hand` as a list of suits, each a list from the highest rank down, trumps at the right end.

    Black and red suits alternate as far as may be, also where a suit is missing.
    ranks: low to high, as they count in this contract. trump_ranks: those of the trump suit, if they differ.
    """
    held = {}
    for card in hand:
        held.setdefault(card[1], []).append(card)
    orders = {trump: trump_ranks or ranks}
    return [
        sorted(held[suit], key=lambda card: -orders.get(card[1], ranks).index(card[0]))
        for suit in suit_order(frozenset(held), trump)
    ]


@cache
def suit_order(suits, trump):
    """These suits (a frozenset) from left to right, as a tuple."""
    trumps = tuple(suit for suit in suits if suit == trump)
    plain = [suit for suit in PREFERRED if suit in suits and suit != trump]
    orders = [order + trumps for order in permutations(plain)]
    return max(orders, key=_alternations)  # of equals the first, so the preferred one


def _alternations(order):
    return sum((left in BLACK) != (right in BLACK) for left, right in pairwise(order))


@cache
def lower_row(sizes, trumps_last):
    """Which suits go into the lower of two rows: their places in a hand whose suits have these sizes, as a set.

    The rows are as equal as whole suits allow; trumps are in the lower one, which has the longer part.
    None if no such division leaves fewer than eight cards in both rows.
    """
    places = range(len(sizes))
    best, least = None, 8
    for chosen in range(1, 2 ** len(sizes) - 1):
        lower = {place for place in places if chosen >> place & 1}
        if trumps_last and places[-1] not in lower:
            continue
        below = sum(sizes[place] for place in lower)
        above = sum(sizes) - below
        longer = max(above, below) + (below < above) / 2  # of two like divisions the one with more below
        if longer < least:
            best, least = frozenset(lower), longer
    return best


class Order(NamedTuple):
    """How a hand is sorted for looking at."""

    trump: str | None = None
    ranks: tuple[Sequence[str], ...] = ()  # of plain suits and of trumps, low to high, if they are not the usual ones
    sort: Callable[..., list[list[Any]]] = sort_hand  # makes of a hand and the trump suit a list of suits

    def suits(self, hand):
        """The cards of `hand` as a list of suits, each a list of cards."""
        return self.sort(hand, self.trump, *self.ranks)


USUAL = Order()


def draw_hand(hand, order=USUAL, legal=None, dealt=None, actions=None):
    """The dict of a hand to play from: its cards sorted for looking at, each with the row it is in on a phone.

    legal: the cards that may be played now, or None when it is not this seat's turn to play; cards are marked only
    if some may be played and some not.
    dealt: all cards that the seat has held in this deal, where some have left its hand. The hand is laid out as it was
    with them: every card keeps its place and its row, and those that have left leave holes.
    actions: by card, a CardAction, for those that do not make a plain move or have words with them.
    """
    legal = None if legal is None else frozenset(legal)
    dealt = tuple(sorted(dealt or hand))  # in one order, however much of it has been played
    return _draw_hand(tuple(hand), dealt, order, legal, tuple((actions or {}).items()))


@cache_by_language(4096)  # the other seats' hands stay as they are from move to move
def _draw_hand(hand, dealt, order, legal, actions):
    actions, held = dict(actions), set(hand)
    marked = bool(legal) and len(legal) < len(hand)
    upper, suits = _layout(dealt, order)
    cards, places = [], []
    for suit in suits:
        is_first = bool(cards)  # the first of a suit keeps away from the suits before it
        for card, left, beside, apart in suit:
            if card not in held:
                places.append(left)
                continue
            shown, opened, closed = apart if is_first else beside
            is_first = False
            is_closed = marked and card not in legal
            if card in actions:
                places.append(card_button(card, shown["classes"], actions[card], is_closed))
            else:
                places.append(closed if is_closed else opened)
            cards.append(shown)
    return _laid_out(cards, places, upper, "hand marked" if marked else "hand")


@cache_by_language(1024)
def _layout(dealt, order):
    """How many cards lie in the upper row, and by suit each card, the hole it leaves, and how it is drawn.

    That is two times a dict, its button, and its button where it may not be played: as it lies beside others of its
    suit, and as the first that is left of it, after another suit.
    """
    suits = order.suits(dealt)
    upper = _upper_row(suits, order.trump)
    laid, last = [], {}  # last: the suit that came last, by row
    for suit in suits:
        laid.append([])
        for card in suit:
            row = "upper" if card in upper else "lower"
            classes = row
            if row not in last:
                classes += " row-start"
            elif {last[row], card[1]} in TWINS:
                classes += " twin"
            last[row] = card[1]
            beside, apart = _draw_card(card, f"card {classes}"), _draw_card(card, f"card {classes} gap")
            laid[-1].append((card, hole(classes), beside, apart))
    return len(upper), laid


def _draw_card(card, classes):
    """As a dict, as the button that plays it, and as that where it may not be played."""
    classes, action = Markup(classes), CardAction(card_move("play", card))
    shown = {"face": FACES[card], "classes": classes}
    return shown, card_button(card, classes, action), card_button(card, classes, action, True)


def draw_row(cards, closed=True, notes=None, new=None):
    """The dict of a hand of few cards to discard from, in the order given, and with a few words under each.

    closed: none may be discarded now; whoever tries is told why. notes: words by card. new: the card that has just
    come, or None.
    """
    return _draw_row(tuple(cards), closed, tuple((notes or {}).items()), new)


@cache_by_language(4096)
def _draw_row(cards, closed, notes, new):
    notes = dict(notes)
    shown, buttons = [], []
    for place, card in enumerate(cards):
        classes = Markup(f"card lower{' row-start' if place == 0 else ''}{' drawn' if card == new else ''}")
        shown.append({"face": FACES[card], "classes": classes})
        action = CardAction(card_move("discard", card), note=notes.get(card, ""))
        buttons.append(card_button(card, classes, action, closed))
    return _laid_out(shown, buttons, 0, "hand")


def card_move(kind, card):
    """The move of that type with a card, as JSON."""
    return f'{{"type":"{kind}","card":"{card}"}}'


def _laid_out(cards, places, upper, classes):
    """cards: a dict for each. places: the markup of each, and of each hole, where they lie. upper: how many above."""
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
def _label(count):
    return Markup(say_count(count, "Hand, {number} card", "Hand, {number} cards"))


def _upper_row(suits, trump):
    """The cards in the upper of two rows, where two are needed: whole suits if they fit, else the left half."""
    cards = [card for suit in suits for card in suit]
    if len(cards) <= ONE_ROW:
        return ()
    lower = lower_row(tuple([len(suit) for suit in suits]), suits[-1][0][1] == trump)
    if lower is None:
        return cards[: len(cards) // 2]
    return [card for place, suit in enumerate(suits) if place not in lower for card in suit]
