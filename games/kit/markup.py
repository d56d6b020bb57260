"""Cached HTML: cards, nameplates, past tricks, calls. All other HTML is in templates.

The markup of a card never changes. Markup that depends on names or on a hand stays in a cache of limited size.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from html import escape
from typing import NamedTuple

from games.kit.cards import SUITS, make_pack
from games.kit.contract import Card, LevelWords, Seat
from games.kit.language import ByLanguage, Lazy, as_key, cache_by_language, from_key, say, say_count, say_in
from games.kit.words import CARD_NAMES, RANK_WORDS, THE_CARDS, Names, minutes


class Markup(str):
    """A string that templates print as it is. Text from users in it must be escaped."""

    __slots__ = ()

    def __html__(self) -> "Markup":
        return self


NOTHING = Markup()


def in_ascii(markup: str) -> str:
    """Return HTML with references in place of characters beyond ASCII, such as dashes, unless there are many.

    A single such character doubles the memory of a page of 10 kB, and encoding takes twenty times as long. A text full
    of them, such as Cyrillic, would become much longer.
    """
    if markup.isascii():
        return markup
    extra_bytes = len(markup.encode()) - len(markup)  # One or two for most characters beyond ASCII.
    has_many = extra_bytes > 3 + len(markup) // 16  # A few in a short text, or about one character in 16.
    return markup if has_many else markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def as_markup(words: str) -> Markup:
    """Return our own words as Markup in ASCII, which pages can print without further work."""
    return Markup(in_ascii(words))


def with_names(text: str, names: Iterable[str]) -> Markup:
    """Return a text as HTML that keeps browsers from translating these names."""
    return as_markup(_mark_names(str(text), tuple(names)))


def _mark_names(text: str, names: tuple[str, ...]) -> str:
    return _pattern_of(names).sub(r'<span translate="no">\g<0></span>', escape(text))


@lru_cache(1024)
def _pattern_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for names in escaped text. It finds the longest one, and no part of a word or of "&#x27;"."""
    longest_first = sorted((re.escape(escape(name)) for name in names if name), key=len, reverse=True)
    return re.compile(rf"(?<![\w&#])(?:{'|'.join(longest_first)})(?!\w)" if longest_first else r"(?!)")


# Cards. Scripts, styles and tests know a card by data-card; cards.css draws it.

_PRINTS: dict[Card, str] = {}  # by card, the text on its face; "" if the style sheet draws rank and suit


def _card_attributes(card: Card) -> str:
    return f'data-card="{card}"' + (f' data-print="{_PRINTS[card]}"' if _PRINTS[card] else "")


def _face(card: Card) -> Markup:
    return as_markup(f'<span class="face" {_card_attributes(card)} role="img" aria-label="{CARD_NAMES[card]}"></span>')


def _small_face(card: Card) -> Markup:
    return as_markup(
        f'<span class="face small" {_card_attributes(card)} role="img" aria-label="{CARD_NAMES[card]}"></span>'
    )


def _mini(card: Card) -> Markup:
    return as_markup(f'<i class="mini" {_card_attributes(card)}></i>')


FACES = ByLanguage(_face)
SMALL_FACES = ByLanguage(_small_face)
MINI = ByLanguage(_mini)  # It needs a name for screen readers next to it.


@cache_by_language()
def index(rank: str) -> Markup:
    """Return the index of a card of this rank. The style sheet knows the letter, which readers can choose."""
    if rank.isdigit() or rank == "T":
        return Markup("10" if rank == "T" else rank)
    return as_markup(f'<span class="index" data-rank="{rank}" role="img" aria-label="{RANK_WORDS[rank]}"></span>')


@cache_by_language()
def back() -> Markup:
    """Return a face-down card."""
    return Markup(f'<span class="face back" role="img" aria-label="{say("face-down card")}"></span>')


@cache_by_language()
def backs(count: int) -> Markup:
    """Return the face-down cards of a hand: their number, and a picture of at most five of them."""
    if not count:
        return NOTHING
    # The text after the number is only for screen readers.
    words = say_count(count, "{figure} card", "{figure} cards", figure=f'{count}<span class="hidden-text">')
    return Markup(f'<p class="backs" data-count="{min(count, 5)}">{words}</span></p>')


COINS = [Markup(f'<span class="token" aria-hidden="true">{number}</span>') for number in range(11)]
SUIT_SIGNS = {suit: Markup(f'<span class="suit suit-{suit}"></span>') for suit in SUITS}


def letters_sign(letters: str) -> Markup:
    """Return the sign of a contract without a suit. It needs words for screen readers next to it."""
    return Markup(f'<span class="sign" aria-hidden="true">{letters}</span>')


def add_pack(
    names: Mapping[Card, Lazy], prints: Mapping[Card, str] | None = None, objects: Mapping[Card, Lazy] | None = None
) -> None:
    """Register the names and the faces of the cards of a pack. No other pack may have any of these cards.

    names: by card, translated on use. prints: by card, the text on its face, for a pack without ranks and suits.
    objects: by card, its name after "the" within a sentence, which differs from the other one in some languages.
    """
    for card, name in names.items():
        _PRINTS[card] = prints[card] if prints else ""
        CARD_NAMES[card] = name
        THE_CARDS[card] = (objects or names)[card]


add_pack({card: CARD_NAMES[card] for card in make_pack()}, objects=THE_CARDS)


class CardAction(NamedTuple):
    """The effect of a click on a card in the hand."""

    move: str  # as JSON
    tag: str = ""  # a word on the card
    note: str = ""  # words below it


@cache_by_language(4096)
def card_button(card: Card, classes: str, action: CardAction, closed: bool = False) -> Markup:
    """Return a card in the hand as the button that plays it.

    action: the move that the button makes, and words on the card. closed: whether it may not be played now. A click
    then brings an explanation, so the button is not really disabled.
    """
    state = ' aria-disabled="true"' if closed else ""
    words = f'<span class="tag">{escape(action.tag)}</span>' if action.tag else ""
    words += f'<small class="note">{in_ascii(escape(action.note))}</small>' if action.note else ""
    return Markup(
        f"""<button form="play" name="move" value='{action.move}' id="card-{card}" class="{classes}"{state}>"""
        f"{FACES[card]}{words}</button>"
    )


@cache
def hole(classes: str) -> Markup:
    """Return the empty place of a card that has left the hand."""
    return Markup(f'<i class="hole {classes}"></i>')


# You and the others. Markup for everybody contains both versions, and the style sheet shows each seat its own.


@cache_by_language(4096)
def name_or_you(name: str) -> Markup:
    """Return a player's name in two versions. The style sheet shows that player "You", and all others the name.

    It knows the player from an element around it, of the class "seat-N".
    """
    you = say_in("what a player is called", "You")
    return as_markup(f'<span class="theirs" translate="no">{escape(name)}</span><span class="yours">{you}</span>')


def personal_markup(words: Callable[[Names], str], names: Iterable[str], seats: Iterable[Seat]) -> Markup:
    """Return a sentence in several versions: "You lead" for one of `seats`, "Ana leads" for everybody else.

    All readers get the same markup, and the style sheet shows each reader one version.

    words: a function that returns the sentence. Its argument is `names` with "you" for the reader.
    names: of the players, by seat. seats: the seats that the sentence may be about.
    """
    if isinstance(words, partial):  # It has a key for a cache. Much of a table stays the same from move to move.
        return _cached_markup(words.func, as_key(words.args, words.keywords, list(names), list(seats)))
    names = tuple(names)
    markup = theirs = _mark_names(words(Names(names)), names)
    for seat in seats:  # Each seat with a version of its own wraps the markup for all readers before it.
        yours = _mark_names(words(Names(names, seat)), names)
        if yours != theirs:
            both = f'<span class="theirs">{markup}</span><span class="yours">{yours}</span>'
            markup = f'<span class="seat-{seat}">{both}</span>'
    return as_markup(markup)


@cache_by_language(4096)
def _cached_markup(function: Callable[..., str], key: bytes) -> Markup:
    arguments, keywords, names, seats = from_key(key)
    return personal_markup(lambda names: function(*arguments, names, **keywords), names, seats)


# Players


class SeatedPlayer(NamedTuple):
    """The fields of a player that a nameplate shows, as in `drawing.Player`."""

    seat: Seat
    name: str
    kind: str  # "user", "guest", "program" or "bot"
    profile: str  # its address, or ""
    level: LevelWords | None  # of a bot
    owner: str  # the name of a program's owner
    left: bool
    stand_in: bool
    avatar: tuple[str, str] | None  # the pattern and the colour of a picture


@cache_by_language(4096)
def nameplate(player: SeatedPlayer, away: bool, dealer: bool) -> Markup:
    """Return the markup of a player's picture and name, and marks: guest or bot, absent ("away"), dealer."""
    name = name_or_you(player.name)
    if player.profile:
        address = escape(player.profile)
        label = f'<a class="name" id="seat-{player.seat}-name" href="{address}" target="_blank">{name}</a>'
    else:
        label = f'<span class="name">{name}</span>'
    picture = ""
    if player.avatar:
        pattern, colour = player.avatar
        picture = f'<span class="avatar avatar-{pattern} avatar-{colour}" aria-hidden="true"></span>'
    absence = f'<span class="hidden-text">{say(", not connected")}</span>' if away else ""
    return Markup(picture + label + absence + _player_mark(player) + (_dealer_mark() if dealer else ""))


def _player_mark(player: SeatedPlayer) -> str:
    """Return the mark that says who plays in a seat: a bot, a guest, or a bot for an absent player. "" for a user.

    A program is a bot that a user runs, in contrast to the site's own bots.
    """
    if player.kind == "bot":
        bot, title = (escape(str(player.level.bot)), player.level.help) if player.level else (say("bot"), "")
        return _abbreviation("bot", bot, title) if title else f'<span class="mark bot">{bot}</span>'
    if player.left:
        return _abbreviation("left", say("left"), say("This player has left, a bot has the seat"))
    if player.stand_in:
        return _abbreviation("stand-in", say("bot plays"), say("A bot plays for this player until they are back"))
    if player.kind == "program":
        owner = escape(player.owner)
        whose = say("bot{narrow} of {owner}{end}", narrow='<span class="wide">', owner=owner, end="</span>")
        return _abbreviation("bot whose", whose, say("A bot that {owner} runs", owner=player.owner))
    return f'<span class="mark guest">{say("guest")}</span>' if player.kind == "guest" else ""


def _abbreviation(classes: str, words: str, title: str) -> str:
    return f'<abbr class="mark {classes}" title="{escape(str(title))}">{words}</abbr>'


def _dealer_mark() -> str:
    dealer = say_in("role", "Dealer")
    return (
        f'<button type="button" class="mark dealer word" id="at-dealer" popovertarget="word-dealer" title="{dealer}">'
        f'<span aria-hidden="true">{say_in("mark of the dealer, one letter", "D")}</span>'
        f'<span class="hidden-text">{dealer}</span></button>'
    )


@lru_cache(maxsize=1024)
def stopped_clock(reserve: int) -> Markup:
    """Return a clock that does not run: its reserve of seconds, as "1:40"."""
    return Markup(f'<span class="clock" data-reserve="{reserve}">{minutes(reserve)}</span>')


@lru_cache(maxsize=1024)
def running_clock(remaining: float, reserve: int) -> Markup:
    """Return a running clock: the time for the move and the reserve, as "0:18 + 1:40".

    A script counts down data-remaining. remaining: the seconds of both together. reserve: the seconds that a player has
    for the whole match, which are used when the time for the move is up.
    """
    seconds = int(remaining)
    move_time, reserve_left = max(0, seconds - reserve), min(seconds, reserve)
    return Markup(
        f'<span class="clock running" data-remaining="{remaining:.1f}" data-reserve="{reserve}">'
        f"{minutes(move_time)} + {minutes(reserve_left)}</span>"
    )


def countdown(seconds: float) -> Markup:
    """Return a time like "1:05" that a script counts down."""
    return Markup(f'<b data-remaining="{seconds:.1f}">{minutes(int(seconds))}</b>')


# Tricks


def lead_mark() -> str:
    """Return the mark on the first card of the trick in progress."""
    return f'<span class="led">{say_in("mark on a card", "led")}</span>'


def last_trick(unplayed: Iterable[Card], plays: Sequence[tuple[str, str, Card]], words: Markup) -> Markup:
    """Return the markup of the last finished trick: small cards in the order of play, and words.

    unplayed: cards of the trick that no seat played. plays: for each card the CSS classes of the seat, the name of the
    player, and the card. words: a sentence on the result.
    """
    figures = "".join(f"<figure class=turned>{SMALL_FACES[card]}</figure>" for card in unplayed)
    figures += "".join(
        f'<figure class="{classes}">{SMALL_FACES[card]}<figcaption>{name_or_you(name)}</figcaption></figure>'
        for classes, name, card in plays
    )
    return Markup(f'<div class="last">{figures}</div><p class="words">{words}</p>')


def trick_line(number: int, unplayed: Iterable[Card], plays: Sequence[tuple[str, str, Card]], words: Markup) -> Markup:
    """Return the markup of an earlier trick: very small cards in the order of play, with their players.

    unplayed: cards of the trick that no seat played. plays: for each card the CSS classes of the seat, the name of the
    player, and the card. words: a sentence on the result, for screen readers.
    """
    minis = "".join(f"<span class=turned>{_mini_and_name(card)}</span>" for card in unplayed)
    minis += "".join(
        f'<span class="played {classes}"><small>{name_or_you(name)}</small>{_mini_and_name(card)}</span>'
        for classes, name, card in plays
    )
    trick = say("Trick {number}: ", number=number)
    return Markup(f'<span class="hidden-text">{trick}</span>{minis}<span class="hidden-text">{words}</span>')


def _mini_and_name(card: Card) -> str:
    return f'{MINI[card]}<span class="hidden-text">: {CARD_NAMES[card]}. </span>'


# Stones


def heap(words: str, kinds: Iterable[str]) -> Markup:
    """Return a heap of stones. words: its value, for screen readers. kinds: the class of each stone, in order."""
    marks = "".join(f'<i class="{kind}"></i>' for kind in kinds)
    return Markup(f'<span class="stones" role="img" aria-label="{words}">{marks}</span>')


# Calls: buttons that make a move, with the points that it could bring


def call_button(name: str, move: str, words: str, classes: str = "call", closed: bool | str = False) -> Markup:
    """Return a button that sends a move to the server.

    The server checks the fields of its form, not the browser (formnovalidate).

    name: the id of the button. move: as JSON. words: its markup. closed: whether the move is not legal now, or else the
    id of the element that explains why it is not. A click then brings a refusal, so the button is not disabled.
    """
    state = ' aria-disabled="true"' if closed else ""
    if isinstance(closed, str) and closed:
        state += f' aria-describedby="{closed}"'
    return as_markup(
        f"""<button form="play" name="move" value='{move}' formnovalidate id="{name}" class="{classes}"{state}>"""
        f"{words}</button>"
    )


def side_by_side(*buttons: str, classes: str = "calls") -> Markup:
    return Markup(f'<div class="{classes}">{"".join(buttons)}</div>')


def case_line(case: object, figures: Iterable[str], joint: str) -> Markup:
    """Return a line of figures with the name of the case they are for, or "". joint: the word between two figures."""
    return Markup((f"<span>{escape(str(case))}</span> " if case else "") + f" {joint} ".join(figures))


def figure(words: object) -> str:
    """Return a figure that does not change."""
    return f"<b>{words}</b>"


def changing_figure(words: object, field: str, times: object, add: object) -> str:
    """Return a figure that a script updates as the player types: `add` plus `times` the number in a form field."""
    return f'<b data-echo="{field}" data-times="{times}" data-add="{add}" data-signed>{words}</b>'


def cells(values: Iterable[object]) -> Markup:
    """Return table cells. The values are plain and need no escaping."""
    return Markup("".join([f"<td>{value}</td>" for value in values]))


# Results


def crown() -> Markup:
    """Return the mark of a winner."""
    return Markup(f'<span class="crown" role="img" aria-label="{say("Winner")}"></span>')


def leader_crown() -> Markup:
    """Return the mark of a seat or side with the most points."""
    return Markup(f'<span class="crown" role="img" aria-label="{say_in("has the most points", "Leads")}"></span>')
