"""How a card looks and is named. The markup of every card is made once: of the French pack when this module is
imported, of any other when its game's drawing is.
"""

from functools import cache
from html import escape
from itertools import pairwise, permutations

from games.kit.cards import RANKS, SUITS, make_pack

RANK_NAMES = "two three four five six seven eight nine ten jack queen king ace"
RANK_WORDS = dict(zip(RANKS, RANK_NAMES.split(), strict=True))
SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
BLACK = "CS"
PREFERRED = "SHCD"  # from the left, where the colours leave a choice
PACK = make_pack()


class Markup(str):
    """A string that templates print as it is. Whatever is not ours in it must have been escaped."""

    __slots__ = ()

    def __html__(self):
        return self


NOTHING = Markup()


def filled(template, *parts):
    """The template with its {} filled as markup: what is not Markup itself is escaped."""
    return Markup(template.format(*(part if isinstance(part, Markup) else escape(str(part)) for part in parts)))


def card_words(card):
    """ "TH" as "ten of hearts"."""
    return f"{RANK_WORDS[card[0]]} of {SUIT_WORDS[card[1]]}"


# By card, of every pack. Scripts, styles and tests know a card by data-card; cards.css draws it.
NAMES = {}
FACES = {}
SMALL_FACES = {}
MINI = {}  # beside it, words for those who hear
MOVES = {}  # what a card in the hand is as a button, beside its classes


def add_pack(names, prints=None):
    """Make the markup of a pack. names: its cards, none of them in another pack, and what they are called.

    prints: by card, what is printed on it, for a pack that has no ranks and suits: data-print, for the style sheet.
    """
    for card, name in names.items():
        data = f'data-card="{card}"' + (f' data-print="{prints[card]}"' if prints else "")
        NAMES[card] = name
        FACES[card] = Markup(f'<span class="face" {data} role="img" aria-label="{name}"></span>')
        SMALL_FACES[card] = Markup(f'<span class="face small" {data} role="img" aria-label="{name}"></span>')
        MINI[card] = Markup(f'<i class="mini" {data}></i>')
        MOVES[card] = Markup(f"""value='{{"type":"play","card":"{card}"}}' id="card-{card}\"""")


add_pack({card: card_words(card) for card in PACK})
BACK = Markup('<span class="face back" role="img" aria-label="face-down card"></span>')
SUIT_SIGNS = {suit: Markup(f'<span class="suit suit-{suit}"></span>') for suit in SUITS}


def sorted_hand(hand, trump=None, ranks=RANKS, trump_ranks=None):
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
