"""The HTML that is made once and kept: cards, who sits where, tricks that are over. All other HTML is in templates.

The markup of every card is made once: of the French pack when this module is imported, of any other when its game's
drawing is. What depends on names or on a hand is kept for as long as it may be needed.
"""

from functools import cache, lru_cache
from html import escape

from games.kit.cards import SUITS, make_pack
from games.kit.words import CARD_NAMES, Names, minutes


class Markup(str):
    """A string that templates print as it is. Whatever is not ours in it must have been escaped."""

    __slots__ = ()

    def __html__(self):
        return self


NOTHING = Markup()


# Cards. Scripts, styles and tests know a card by data-card; cards.css draws it.

FACES = {}
SMALL_FACES = {}
MINI = {}  # beside it, words for those who hear
BACK = Markup('<span class="face back" role="img" aria-label="face-down card"></span>')
BACKS = [NOTHING] + [  # by cards held; at most five are drawn
    Markup(f'<p class="backs" data-count="{min(held, 5)}">{held}<span class="hidden-text"> cards</span></p>')
    for held in range(1, 53)
]
COINS = [Markup(f'<span class="token" aria-hidden="true">{number}</span>') for number in range(11)]
SUIT_SIGNS = {suit: Markup(f'<span class="suit suit-{suit}"></span>') for suit in SUITS}


def letters_sign(letters):
    """The sign of a contract that is no suit. Beside it, words for those who hear."""
    return Markup(f'<span class="sign" aria-hidden="true">{letters}</span>')


def add_pack(names, prints=None):
    """Make the markup of a pack. names: its cards, none of them in another pack, and what they are called.

    prints: by card, what is printed on it, for a pack that has no ranks and suits: data-print, for the style sheet.
    """
    for card, name in names.items():
        data = f'data-card="{card}"' + (f' data-print="{prints[card]}"' if prints else "")
        CARD_NAMES[card] = name
        FACES[card] = Markup(f'<span class="face" {data} role="img" aria-label="{name}"></span>')
        SMALL_FACES[card] = Markup(f'<span class="face small" {data} role="img" aria-label="{name}"></span>')
        MINI[card] = Markup(f'<i class="mini" {data}></i>')


add_pack({card: CARD_NAMES[card] for card in make_pack()})


@lru_cache(maxsize=4096)
def card_button(card, classes, move, closed=False, tag="", note=""):
    """A card in the hand as the button that plays it.

    move: as JSON. closed: it may not be played now. tag, note: a word on the card, words below it.
    """
    state = ' aria-disabled="true"' if closed else ""
    words = f'<span class="tag">{escape(tag)}</span>' if tag else ""
    words += f'<small class="note">{escape(note)}</small>' if note else ""
    return Markup(
        f"""<button form="play" name="move" value='{move}' id="card-{card}" class="{classes}"{state}>"""
        f"{FACES[card]}{words}</button>"
    )


@cache
def hole(classes):
    """Where a card has been in the hand: its place stays free."""
    return Markup(f'<i class="hole {classes}"></i>')


# You and the others: what everybody sees carries both, and the style sheet shows each seat its own (`.yours`)


@lru_cache(maxsize=4096)
def called(name):
    """What a player is called, "You" for themselves, within an element of class "seat-N"."""
    return Markup(f'<span class="theirs">{escape(name)}</span><span class="yours">You</span>')


def told_apart(words, names, seats):
    """A sentence that speaks of these seats, told to each of them in the second person: "Ana leads", "You lead".

    words: makes it of the players' Names. names: a list by seat.
    """
    told = theirs = escape(words(Names(names)))
    for seat in seats:
        yours = escape(words(Names(names, seat)))
        if yours != theirs:
            told = f'<span class="theirs">{told}</span><span class="yours">{yours}</span>'
            told = f'<span class="seat-{seat}">{told}</span>'
    return Markup(told)


# Who sits where

DEALER = (
    '<button type="button" class="mark dealer word" id="at-dealer" popovertarget="word-dealer" title="Dealer">'
    '<span aria-hidden="true">D</span><span class="hidden-text">Dealer</span></button>'
)
BOT = '<span class="mark bot">bot</span>'
GUEST = '<span class="mark guest">guest</span>'
STAND_IN = '<abbr class="mark stand-in" title="A bot plays for this player until they are back">bot plays</abbr>'
LEFT = '<abbr class="mark left" title="This player has left, a bot has the seat">left</abbr>'
AWAY = '<span class="hidden-text">, not connected</span>'


@lru_cache(maxsize=4096)
def nameplate(seat, name, profile, kind, level, owner, left, stand_in, away, dealer, avatar=None):
    """Who sits there, with the marks of dealer, absence, and of who has no account.

    kind: "user", "guest", "program" or "bot". level: the LevelWords of a bot, or None. owner: the name of a program's.
    avatar: the pattern and the colour of somebody's picture, or None.
    """
    if profile:
        who = f'<a class="name" id="seat-{seat}-name" href="{escape(profile)}" target="_blank">{called(name)}</a>'
    else:
        who = f'<span class="name">{called(name)}</span>'
    mark = _bot_mark(level) if kind == "bot" else LEFT if left else STAND_IN if stand_in else _mark(kind, owner)
    picture = f'<span class="avatar avatar-{avatar[0]} avatar-{avatar[1]}" aria-hidden="true"></span>' if avatar else ""
    return Markup(picture + who + (AWAY if away else "") + mark + (DEALER if dealer else ""))


def _mark(kind, owner):
    if kind != "program":
        return GUEST if kind == "guest" else ""
    whose = escape(owner)
    word = f'bot<span class="wide"> of {whose}</span>'
    return f'<abbr class="mark bot whose" title="A bot that {whose} runs">{word}</abbr>'


def _bot_mark(level):
    if not level:
        return BOT
    return f'<abbr class="mark bot" title="{escape(level.help)}">{escape(level.bot)}</abbr>'


@lru_cache(maxsize=1024)
def stopped_clock(reserve):
    """What a clock that does not run has in reserve: "1:40"."""
    return Markup(f'<span class="clock" data-reserve="{reserve}">{minutes(reserve)}</span>')


@lru_cache(maxsize=1024)
def running_clock(remaining, reserve):
    """A clock that runs: "0:18 + 1:40", what is left of the move and of the reserve, in seconds.

    A script counts data-remaining down, which is both together.
    """
    left = int(remaining)
    return Markup(
        f'<span class="clock running" data-remaining="{remaining:.1f}" data-reserve="{reserve}">'
        f"{minutes(max(0, left - reserve))} + {minutes(min(left, reserve))}</span>"
    )


def counted_down(seconds):
    """Seconds that a script counts down, as "1:05"."""
    return Markup(f'<b data-remaining="{seconds:.1f}">{minutes(int(seconds))}</b>')


# Tricks


LED = '<span class="led">led</span>'  # on the first card of a trick, where its cards lie around the table


def last_trick(_number, turned, cards, players, place, words):
    """The last trick: small cards in the order played, and words, which are markup.

    turned: cards that no seat has played. players: (seat, name) of each. place: of the winning card among the others,
    or None.
    """
    figures = "".join(f"<figure class=turned>{SMALL_FACES[card]}</figure>" for card in turned)
    figures += "".join(
        f'<figure class="seat-{seat}{" winner" if at == place else ""}">{SMALL_FACES[card]}'
        f"<figcaption>{called(name)}</figcaption></figure>"
        for at, (card, (seat, name)) in enumerate(zip(cards, players, strict=True))
    )
    return Markup(f'<div class="last">{figures}</div><p class="words">{words}</p>')


def trick_line(number, turned, cards, players, place, words):
    """An earlier trick: small cards in the order played, each with its player. Arguments as of `last_trick`."""
    minis = "".join(f"<span class=turned>{_heard(MINI[card], card)}</span>" for card in turned)
    minis += "".join(
        f'<span class="played seat-{seat}{" winner" if at == place else ""}"><small>{called(name)}</small>'
        f"{_heard(MINI[card], card)}</span>"
        for at, (card, (seat, name)) in enumerate(zip(cards, players, strict=True))
    )
    return Markup(f'<span class="hidden-text">Trick {number}: </span>{minis}<span class="hidden-text">{words}</span>')


def _heard(mini, card):
    """A small card, and its name for those who listen."""
    return f'{mini}<span class="hidden-text">: {CARD_NAMES[card]}. </span>'


# Stones


def heap(words, kinds):
    """A heap of stones and what they come to. kinds: the class of each, in the order in which they lie."""
    marks = "".join(f'<i class="{kind}"></i>' for kind in kinds)
    return Markup(f'<span class="stones" role="img" aria-label="{words}">{marks}</span>')


# Results

CROWN = Markup('<span class="crown" role="img" aria-label="Winner"></span>')
LEADER = Markup('<span class="crown" role="img" aria-label="Leads"></span>')
