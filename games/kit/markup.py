"""The HTML that is made once and kept: cards, who sits where, past tricks, calls. All other HTML is in templates.

The markup of every card is made once: of the French pack when this module is imported, of any other when its game's
drawing is. What depends on names or on a hand is kept for as long as it may be needed.
"""

from functools import cache, lru_cache, partial
from html import escape
from typing import Any, NamedTuple

from games.kit.cards import SUITS, make_pack
from games.kit.language import ByLanguage, as_key, cache_by_language, from_key, say, say_count, say_in
from games.kit.words import CARD_NAMES, THE_CARDS, Names, minutes


class Markup(str):
    """A string that templates print as it is. Whatever is not ours in it must have been escaped."""

    __slots__ = ()

    def __html__(self):
        return self


NOTHING = Markup()


def in_ascii(markup: str) -> str:
    """HTML with references in place of its few characters beyond ASCII, such as dashes; as it is if they are many.

    With a single one of them a page of 10 kB takes twice the memory, and twenty times as long to be encoded.
    """
    if markup.isascii():
        return markup
    beyond = len(markup.encode()) - len(markup)  # one or two each, but for rare ones
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii") if beyond <= 3 + len(markup) // 16 else markup


def as_markup(words: str) -> Markup:
    """Words of our own that are drawn again and again, as Markup that leaves little to be done for a page."""
    return Markup(in_ascii(words))


# Cards. Scripts, styles and tests know a card by data-card; cards.css draws it.

_PRINTS = {}  # by card, what is printed on it; "" where the style sheet draws rank and suit


def _data(card):
    """The attributes that tell a card."""
    return f'data-card="{card}"' + (f' data-print="{_PRINTS[card]}"' if _PRINTS[card] else "")


def _face(card):
    return as_markup(f'<span class="face" {_data(card)} role="img" aria-label="{CARD_NAMES[card]}"></span>')


def _small_face(card):
    return as_markup(f'<span class="face small" {_data(card)} role="img" aria-label="{CARD_NAMES[card]}"></span>')


def _mini(card):
    return as_markup(f'<i class="mini" {_data(card)}></i>')


FACES = ByLanguage(_face)
SMALL_FACES = ByLanguage(_small_face)
MINI = ByLanguage(_mini)  # beside it, words for those who hear


@cache_by_language()
def back():
    """A card that lies face down."""
    return Markup(f'<span class="face back" role="img" aria-label="{say("face-down card")}"></span>')


@cache_by_language()
def backs(held):
    """So many cards that somebody holds, of which at most five are drawn."""
    if not held:
        return NOTHING
    heard = say_count(held, "{figure} card", "{figure} cards", figure=f'{held}<span class="hidden-text">')
    return Markup(f'<p class="backs" data-count="{min(held, 5)}">{heard}</span></p>')


COINS = [Markup(f'<span class="token" aria-hidden="true">{number}</span>') for number in range(11)]
SUIT_SIGNS = {suit: Markup(f'<span class="suit suit-{suit}"></span>') for suit in SUITS}


def letters_sign(letters):
    """The sign of a contract that is no suit. Beside it, words for those who hear."""
    return Markup(f'<span class="sign" aria-hidden="true">{letters}</span>')


def add_pack(names, prints=None, objects=None):
    """Make the markup of a pack. names: its cards, none of them in another pack, and what they are called, Lazy.

    prints: by card, what is printed on it, for a pack that has no ranks and suits, Lazy if it is a word: data-print,
    for the style sheet.
    objects: what they are called where "the" stands before it, see `words.THE_CARDS`; None for the same.
    """
    for card, name in names.items():
        _PRINTS[card] = prints[card] if prints else ""
        CARD_NAMES[card] = name
        THE_CARDS[card] = (objects or names)[card]


add_pack({card: CARD_NAMES[card] for card in make_pack()}, objects=THE_CARDS)


class CardAction(NamedTuple):
    """The move that a card in the hand makes, as JSON, with a word on the card and words below it."""

    move: str
    tag: str = ""
    note: str = ""


@cache_by_language(4096)
def card_button(card, classes, action, closed=False):
    """A card in the hand as the button that plays it. closed: it may not be played now."""
    state = ' aria-disabled="true"' if closed else ""
    words = f'<span class="tag">{escape(action.tag)}</span>' if action.tag else ""
    words += f'<small class="note">{in_ascii(escape(action.note))}</small>' if action.note else ""
    return Markup(
        f"""<button form="play" name="move" value='{action.move}' id="card-{card}" class="{classes}"{state}>"""
        f"{FACES[card]}{words}</button>"
    )


@cache
def hole(classes):
    """Where a card has been in the hand: its place stays free."""
    return Markup(f'<i class="hole {classes}"></i>')


# You and the others: what everybody sees carries both, and the style sheet shows each seat its own (`.yours`)


@cache_by_language(4096)
def name_or_you(name):
    """What a player is called, "You" for themselves, within an element of class "seat-N"."""
    you = say_in("what a player is called", "You")
    return as_markup(f'<span class="theirs" translate="no">{escape(name)}</span><span class="yours">{you}</span>')


def personal_markup(words, names, seats):
    """A sentence that speaks of these seats, told to each of them in the second person: "Ana leads", "You lead".

    words: makes it of the players' Names. names: a list by seat.
    What a `partial` of plain things says is kept: much of a table stays as it is from move to move.
    """
    if isinstance(words, partial):
        return _told_apart(words.func, as_key(words.args, words.keywords, list(names), list(seats)))
    told = theirs = escape(words(Names(names)))
    for seat in seats:
        yours = escape(words(Names(names, seat)))
        if yours != theirs:
            told = f'<span class="theirs">{told}</span><span class="yours">{yours}</span>'
            told = f'<span class="seat-{seat}">{told}</span>'
    return as_markup(told)


@cache_by_language(4096)
def _told_apart(function, known):
    arguments, named, names, seats = from_key(known)
    return personal_markup(lambda each: function(*arguments, each, **named), names, seats)


# Who sits where


class Sitter(NamedTuple):
    """A player, as a nameplate shows them."""

    seat: int
    name: str
    kind: str  # "user", "guest", "program" or "bot"
    profile: str  # its address, or ""
    level: Any  # the LevelWords of a bot, or None
    owner: str  # the name of a program's owner
    left: bool
    stand_in: bool
    avatar: tuple[str, str] | None  # the pattern and the colour of a picture


@cache_by_language(4096)
def nameplate(sitter, away, dealer):
    """A player's name, with the marks of dealer, absence, and of who has no account."""
    name = name_or_you(sitter.name)
    if sitter.profile:
        address = escape(sitter.profile)
        who = f'<a class="name" id="seat-{sitter.seat}-name" href="{address}" target="_blank">{name}</a>'
    else:
        who = f'<span class="name">{name}</span>'
    picture = ""
    if sitter.avatar:
        pattern, colour = sitter.avatar
        picture = f'<span class="avatar avatar-{pattern} avatar-{colour}" aria-hidden="true"></span>'
    absence = f'<span class="hidden-text">{say(", not connected")}</span>' if away else ""
    return Markup(picture + who + absence + _mark(sitter) + (_dealer() if dealer else ""))


def _mark(sitter):
    if sitter.kind == "bot":
        bot, title = (escape(str(sitter.level.bot)), sitter.level.help) if sitter.level else (say("bot"), "")
        return _abbreviation("bot", bot, title) if title else f'<span class="mark bot">{bot}</span>'
    if sitter.left:
        return _abbreviation("left", say("left"), say("This player has left, a bot has the seat"))
    if sitter.stand_in:
        return _abbreviation("stand-in", say("bot plays"), say("A bot plays for this player until they are back"))
    if sitter.kind == "program":
        owner = escape(sitter.owner)
        whose = say("bot{narrow} of {owner}{end}", narrow='<span class="wide">', owner=owner, end="</span>")
        return _abbreviation("bot whose", whose, say("A bot that {owner} runs", owner=sitter.owner))
    return f'<span class="mark guest">{say("guest")}</span>' if sitter.kind == "guest" else ""


def _abbreviation(classes, words, title):
    return f'<abbr class="mark {classes}" title="{escape(str(title))}">{words}</abbr>'


def _dealer():
    dealer = say_in("role", "Dealer")
    return (
        f'<button type="button" class="mark dealer word" id="at-dealer" popovertarget="word-dealer" title="{dealer}">'
        f'<span aria-hidden="true">{say_in("mark of the dealer, one letter", "D")}</span>'
        f'<span class="hidden-text">{dealer}</span></button>'
    )


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


def countdown(seconds):
    """Seconds that a script counts down, as "1:05"."""
    return Markup(f'<b data-remaining="{seconds:.1f}">{minutes(int(seconds))}</b>')


# Tricks


def lead_mark():
    """The mark on the first card of a trick, where its cards lie around the table."""
    return f'<span class="led">{say_in("mark on a card", "led")}</span>'


def last_trick(turned, plays, words):
    """The last trick: small cards in the order played, and words, which are markup.

    turned: cards that no seat has played. plays: (classes of the seat, name of the player, card) of each.
    """
    figures = "".join(f"<figure class=turned>{SMALL_FACES[card]}</figure>" for card in turned)
    figures += "".join(
        f'<figure class="{seat}">{SMALL_FACES[card]}<figcaption>{name_or_you(name)}</figcaption></figure>'
        for seat, name, card in plays
    )
    return Markup(f'<div class="last">{figures}</div><p class="words">{words}</p>')


def trick_line(number, turned, plays, words):
    """An earlier trick: small cards in the order played, each with its player. Arguments as of `last_trick`."""
    minis = "".join(f"<span class=turned>{_heard(MINI[card], card)}</span>" for card in turned)
    minis += "".join(
        f'<span class="played {seat}"><small>{name_or_you(name)}</small>{_heard(MINI[card], card)}</span>'
        for seat, name, card in plays
    )
    trick = say("Trick {number}: ", number=number)
    return Markup(f'<span class="hidden-text">{trick}</span>{minis}<span class="hidden-text">{words}</span>')


def _heard(mini, card):
    """A small card, and its name for those who listen."""
    return f'{mini}<span class="hidden-text">: {CARD_NAMES[card]}. </span>'


# Stones


def heap(words, kinds):
    """A heap of stones and what they come to. kinds: the class of each, in the order in which they lie."""
    marks = "".join(f'<i class="{kind}"></i>' for kind in kinds)
    return Markup(f'<span class="stones" role="img" aria-label="{words}">{marks}</span>')


# Calls: buttons by which a seat says what it does, and on them what that would come to


def call_button(name, move, words, classes="call", closed=False):
    """A button that makes a move, as JSON.

    name: its id. words: markup. closed: whether the move may not be made now, or the id of words that say why.
    """
    state = ' aria-disabled="true"' if closed else ""
    if isinstance(closed, str) and closed:
        state += f' aria-describedby="{closed}"'
    return as_markup(
        f"""<button form="play" name="move" value='{move}' formnovalidate id="{name}" class="{classes}"{state}>"""
        f"{words}</button>"
    )


def side_by_side(*buttons, classes="calls"):
    """Such buttons beside each other."""
    return Markup(f'<div class="{classes}">{"".join(buttons)}</div>')


def case_line(case, figures, joint):
    """What comes of something in one case: its words, or "", and figures with a word between them."""
    return Markup((f"<span>{escape(str(case))}</span> " if case else "") + f" {joint} ".join(figures))


def figure(words):
    """A figure that stays."""
    return f"<b>{words}</b>"


def changing_figure(words, field, times, add):
    """A figure that a script keeps at `add` and so many times what stands in a field."""
    return f'<b data-echo="{field}" data-times="{times}" data-add="{add}" data-signed>{words}</b>'


def cells(values):
    """Cells of a table that hold nothing but plain values."""
    return Markup("".join([f"<td>{value}</td>" for value in values]))


# Results


def crown():
    """The mark of who has won."""
    return Markup(f'<span class="crown" role="img" aria-label="{say("Winner")}"></span>')


def leader_crown():
    """The mark of who leads."""
    return Markup(f'<span class="crown" role="img" aria-label="{say_in("has the most points", "Leads")}"></span>')
