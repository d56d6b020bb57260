"""What every game's table has, as data for templates: seats, tricks, what is expected of whom.

Short strings of our own are `Markup` where many are drawn: templates need not look at them for what must be escaped.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple, TypedDict

from games.kit.contract import Card, Event, LevelWords, Move, Score, Standing, Table, rank_seats
from games.kit.hands import sort_hand
from games.kit.language import as_key, cache_by_language, from_key, say, say_in
from games.kit.markup import (
    FACES,
    NOTHING,
    SMALL_FACES,
    Markup,
    Sitter,
    as_markup,
    backs,
    crown,
    last_trick,
    lead_mark,
    leader_crown,
    nameplate,
    personal_markup,
    running_clock,
    stopped_clock,
    trick_line,
)
from games.kit.positions import maker
from games.kit.tricks import FinishedTrick, Play
from games.kit.words import Names, join_words, short_names, who_took_it, with_sign

DASH = as_markup("–")
SEAT_IDS = [Markup(f"seat-{seat}") for seat in range(8)]


type Markings = Mapping[str, Callable[[Any, Names], Iterable[tuple[str, str]]]]
type Sentences = Mapping[str, Callable[[Any, Names], Iterable[str]]]


class Clock(TypedDict):
    """A player's clock, in seconds. Only the time left for the move counts down first, and then the reserve."""

    move: int
    reserve: float
    running: bool
    remaining: float  # of the move and the reserve together


class Player(TypedDict):
    """A player, as tables show them."""

    seat: int | None  # None before the match
    name: str
    kind: str  # "user", "guest", "program" or "bot"
    level: LevelWords | None  # of a bot
    owner: str  # the name of a program's owner, or ""
    profile: str  # the address of their page, or ""
    avatar: tuple[str, str] | None  # the pattern and the colour of a picture
    connected: bool
    stand_in: bool  # whether a bot plays in their absence
    left: bool
    ready: bool  # for the next deal
    clock: Clock | None


type Players = list[Player]
type TemplateData = Mapping[str, Any]  # for a template


class Print(NamedTuple):
    """What is on a card: its text, the suit whose sign it has, or "", and the colours of both and of its ground."""

    text: str
    suit: str
    ink: str
    ground: str


# What a game does that has no way of its own


def no_link(deal: int, at: str = "start") -> str:
    return ""


def sorted_suits(table: Table) -> list[list[Card]]:
    return sort_hand(table["hand"])


def moment(move: Move) -> set[str]:
    return {move["type"]}


def plays_and_winner(event: Event) -> tuple[Sequence[Play], int | None]:
    """The cards of a trick, and who has won it. The cards are [] where each has had an event of its own."""
    return event["plays"], event["seat"]


def nothing(table: Table) -> None:
    return None


def no_news(events: Sequence[Event]) -> str:
    return ""


def rank_and_suit(card: Card) -> Print:
    rank, suit = card[0], card[1]
    return Print("10" if rank == "T" else rank, suit, "#c3221f" if suit in "DH" else "#1c1a17", "#fffefb")


class ReplayTrick(TypedDict):
    """A finished trick of a match."""

    deal: int  # from 1
    trick: int | None  # its number in the deal, from 1
    events: Sequence[Event]  # of its last move


class SheetReader(NamedTuple):
    """For whom a score sheet is drawn, and what it can lead to.

    viewer: the seat of who reads it, or None.
    tricks: gives the finished tricks of the match in order, dicts of "deal", "trick" (its number in the deal) and
    "events" (of its last move). The match has to be folded for it, so only sheets that show tricks call it.
    link: gives the address of a moment of a deal, or "" where there is no replay. It takes the number of the deal
    from 1, and "start", "end", "trick-2" for the end of that trick, or a moment as by `moments_of`.
    standings: of the rules, of a match that is over; empty before.
    """

    viewer: int | None = None
    tricks: Callable[[], Iterable[ReplayTrick]] = list
    link: Callable[..., str] = no_link
    standings: Sequence[Standing] = ()


ANY_READER = SheetReader()


class Drawing[T: Mapping[str, Any], S: Mapping[str, Any]](NamedTuple):
    """Draws one game: functions that turn what its rules say into dicts for its templates.

    players: a list by seat of {"seat", "name", "kind", "level", "owner", "profile", "connected", "stand_in", "left",
    "ready", "clock", "avatar"}; the avatar is a pattern and a colour, or None.
    tables and score sheets are the dicts of the game's `view` and `score_sheet`.
    """

    felt: Callable[[T, Players], TemplateData]  # the table as everybody sees it, from a spectator's view
    mine: Callable[[T, list[Move], Players], TemplateData]  # a seat's or a spectator's own part; its legal moves
    sheet: Callable[[S, Players, SheetReader], TemplateData]  # the score sheet; its "rows" are in the order of deals
    deed: Callable[[Move, int | None, Names], str]  # a move in words: "Ana plays the ten of hearts"
    event_sentences: Sentences  # by type of event

    suits_of: Callable[[T], list[list[Card]]] = sorted_suits  # the hand in the order in which it is drawn
    rules_sections: Mapping[str, str] = {}  # by phase, the id of the section of the rules page about it
    mark_kinds: Mapping[str, str] = {}  # the headings of the kinds of marks on a replay's timeline, in order
    event_marks: Markings = {}  # by type of event, its marks on the timeline: their kinds and words
    moments_of: Callable[[Move], set[str]] = moment  # the names by which sheets link to the move
    finished_trick: Callable[[Any], tuple[Sequence[Play], int | None]] = plays_and_winner
    centre_card: Callable[[T], Card | None] = nothing  # the open card in the middle that nobody played
    news: Callable[[Sequence[Any]], str] = no_news  # a sentence on those of the last events that the felt cannot show
    print_of: Callable[[Card], Print] = rank_and_suit  # for pictures of cards

    def rules_section(self, table: T) -> str:
        """The id of the part of the rules page that a table's players may want to read now, or ""."""
        return self.rules_sections.get(table["phase"], "")

    def sentences(self, events: Iterable[Event], players: Players, viewer: int | None = None) -> list[str]:
        """What has happened, for those who listen: a list of whole sentences.

        viewer: the seat of who listens and is "you", or None.
        """
        return self.sentences_for(events, Names([player["name"] for player in players], viewer))

    def sentences_for(self, events: Iterable[Event], names: Names) -> list[str]:
        """The same, with the Names of the players."""
        return [sentence for event in events for sentence in self.event_sentences[event["type"]](event, names)]

    def marks(self, events: Iterable[Event], players: Players) -> list[tuple[str, str]]:
        """What of events a replay's timeline marks: pairs of a kind and words without a full stop."""
        names = Names([player["name"] for player in players])
        marked = [event for event in events if event["type"] in self.event_marks]
        return [mark for event in marked for mark in self.event_marks[event["type"]](event, names)]

    def move_words(self, move: Move, players: Players, seat: int | None = None) -> str:
        """A move in words, without a full stop."""
        return self.deed(move, seat, Names([player["name"] for player in players]))

    def open_hands(self, tables: Iterable[T], players: Players) -> list[TemplateData]:
        """Every seat's hand laid open, for a replay. tables: `view` for every seat, in order."""
        return [
            {
                "classes": f"seat-{seat}",
                "name": players[seat]["name"],
                "suits": [[SMALL_FACES[card] for card in suit] for suit in self.suits_of(table)],
            }
            for seat, table in enumerate(tables)
        ]


# Seats


def round_table(count: int, viewer: int | None) -> list[int]:
    """The seats in their order at the table, the viewer's first; of nobody's, seat 0."""
    first = viewer or 0
    return [*range(first, count), *range(first)]


def draw_felt(
    table: Table,
    players: Players,
    seats: Sequence[Mapping[str, object]],
    dealer: int | None = None,
    classes: str = "clockwise",
) -> dict[str, object]:
    """What every felt has: its seats, with what their game adds to each of them.

    seats: by seat a dict, of which "state" is put among the classes. classes: of the felt.
    """
    phase, count, held = table["phase"], len(players), table["hand_counts"]
    return {
        "classes": Markup(f"felt {classes} players-{count} phase-{phase}"),
        "players": Markup(count),
        "phase": Markup(phase),
        "seats": [
            {**own, **_draw_seat(player, own.get("state"), seat == table["to_act"], seat == dealer, held[seat])}
            for seat, (player, own) in enumerate(zip(players, seats, strict=True))
        ],
    }


_sitter_of, _of_sitter = maker(Sitter), itemgetter(*Sitter._fields)


def _draw_seat(player: Player, state: object, acting: bool, dealer: bool, held: int) -> dict[str, object]:
    """held: the number of cards in the hand."""
    seat = player["seat"]
    assert seat is not None
    away = not player["connected"] and player["kind"] != "bot"
    classes = f"seat seat-{seat}{' acting' if acting else ''}{' away' if away else ''}"
    return {
        "id": SEAT_IDS[seat],
        "classes": Markup(f"{classes} {state}" if state else classes),
        "who": nameplate(_sitter_of(_of_sitter(player)), away, dealer),
        "backs": backs(held),
        "clock": draw_clock(player["clock"]),
    }


def draw_clock(clock: Clock | None) -> Markup:
    """A seat's clock as markup, or "" where there is none."""
    if not clock:
        return NOTHING
    reserve = int(clock["reserve"])
    return running_clock(max(0, clock["remaining"]), reserve) if clock["running"] else stopped_clock(reserve)


def own_part(stage: str, table: Table, moves: list[Move], players: Players, sentence: str) -> dict[str, Any]:
    """The dict of one seat's own part that games add to: what is expected of it, and who waits for whom.

    stage: where the match has got to, "Hand 2".
    """
    seat = table["seat"]
    return {
        "turn": "1" if moves else "",
        "stage": stage,
        "sentence": sentence,
        "hand": None,
        "box": None,
        "result": None,
        "seated": seat is not None,
        "stand_in": seat is not None and players[seat]["stand_in"],
        "unready": join_words(unready_names(players)) if seat is not None and players[seat]["ready"] else "",
    }


def unready_names(players: Players) -> list[str]:
    """The names of those whom the next deal waits for."""
    people = [player for player in players if player["kind"] not in ("bot", "program") and player["connected"]]
    return [player["name"] for player in people if not (player["ready"] or player["left"] or player["stand_in"])]


class Column(NamedTuple):
    """A column of a result. figures: by seat, or by side, plain text or Markup."""

    heading: str
    figures: Sequence[str]
    classes: str = ""


def draw_result(
    heading: str, over: bool, head: str, columns: Sequence[Column], lines: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """The result of a deal, or of the match if it is over, as a table; a game may add "outcome" and "reasons".

    head: what stands over the names. lines: in their order, dicts of "who" (the seat or side), "classes", "name", and
    where they are there "place", "crown", "mates" and "sign".
    """
    return {
        "heading": say("Final result") if over else heading,
        "over": over,
        "head": head,
        "placed": any(line.get("place") for line in lines),
        "columns": columns,
        "lines": [
            {**line, "cells": [(column.classes, column.figures[line["who"]]) for column in columns]} for line in lines
        ],
        "outcome": "",
        "reasons": (),
    }


def result_lines(
    totals: Sequence[Score], names: Names, over: bool, states: Sequence[str] | None = None
) -> list[dict[str, Any]]:
    """A line of a result for every seat, by place. states: by seat, more classes."""
    lines = []
    for seat, _, place in rank_seats(totals):
        classes = [states[seat]] if states else []
        lines.append(
            {
                "who": seat,
                "classes": " ".join([*classes, "me"] if seat == names.viewer else classes),
                "place": str(place),
                "crown": crown() if over and place == 1 else "",
                "name": say_in("what a player is called", "You") if seat == names.viewer else names[seat],
            }
        )
    return lines


def draw_totals(totals: Sequence[Score], order: Iterable[int], begun: bool, over: bool) -> list[dict[str, str]]:
    """The totals below a sheet, in the order of its columns: the most have a crown, once it has begun."""
    best, sign = max(totals), (crown() if over else leader_crown()) if begun else ""
    return [{"total": with_sign(totals[each]), "crown": sign if totals[each] == best else ""} for each in order]


def caption(words: str, large: str = "", classes: str = "") -> dict[str, str]:
    """What the middle of the table says. large: words above the others."""
    return {"words": words, "large": large, "classes": classes}


# Tricks


def visible_trick(table: Table, tricks: Sequence[FinishedTrick]) -> tuple[list[Play], int | None]:
    """The cards that lie on the table and who has won them, if the trick is finished.

    tricks: those of the deal. A finished one stays until the next card is led, the last of a deal until the next deal.
    """
    plays = table["trick"]["plays"]
    if plays or not tricks:
        return plays, None
    return tricks[-1]["plays"], tricks[-1]["winner"]


EMPTY_SLOT = (Markup("slot"), NOTHING)
SLOT_CLASSES = {  # by whether its card was led, whether the trick is finished, whether the card has won it
    (lead, finished, won): Markup("slot filled" + " lead" * lead + " finished" * finished + " winner" * won)
    for lead, finished, won in product((False, True), repeat=3)
}


def slots(
    count: int, plays: Iterable[Play], winner: int | None = None, finished: bool = False
) -> list[tuple[Markup, Markup]]:
    """The places of a trick by seat, as (classes, face): face is empty where a card is still to come.

    winner: the seat that has won it. finished: it is over, even where nobody has won it.
    """
    finished = finished or winner is not None
    places = [EMPTY_SLOT] * count
    for place, play in enumerate(plays):
        seat = play["seat"]
        classes = SLOT_CLASSES[place == 0, finished, seat == winner]
        face = FACES[play["card"]]
        places[seat] = (classes, face if place else Markup(face + lead_mark()))
    return places


def draw_tricks[T: Mapping[str, Any]](
    tricks: Sequence[T],
    names: Sequence[str],
    words: Callable[[T, Names], str] = who_took_it,
    turned: Callable[[T], tuple[Card, ...]] | None = None,
) -> dict[str, Any] | None:
    """The last trick with its cards, and the earlier ones as a line each, latest first: a dict of markup, or None.

    words: says of a trick and the names what became of it; its winner may be None. turned: which cards of a trick,
    a tuple, no seat has played.
    """
    return _draw_tricks_of_key(as_key(tricks, list(names)), words, turned) if tricks else None


@cache_by_language(1024)  # while a trick is played those before it stay as they are
def _draw_tricks_of_key(
    known: bytes, words: Callable[[Any, Names], str], turned: Callable[[Any], tuple[Card, ...]] | None
) -> dict[str, Any]:
    """known: the tricks and what players are called, packed."""
    tricks, names = from_key(known)
    versions = names, short_names(names)
    lines = [
        _draw_trick(as_key(number, trick, versions), words, turned, number == len(tricks))
        for number, trick in enumerate(tricks, 1)
    ]
    return {"last": lines.pop(), "earlier": lines[::-1]}


@cache_by_language(4096)  # a trick is drawn when it is finished, and once more when it is no longer the last
def _draw_trick(
    known: bytes, words: Callable[[Any, Names], str], turned: Callable[[Any], tuple[Card, ...]] | None, is_last: bool
) -> Markup:
    """One trick as markup. known: its number, its dict, and what players are called, in full and in short, packed."""
    number, trick, (names, short) = from_key(known)
    winner = trick["winner"]
    plays = []
    for play in trick["plays"]:
        seat = play["seat"]
        plays.append((f"seat-{seat}{' winner' if seat == winner else ''}", short[seat], play["card"]))
    became = personal_markup(partial(words, trick), names, {trick["leader"], winner} - {None})
    unplayed = turned(trick) if turned else ()
    return last_trick(unplayed, plays, became) if is_last else trick_line(number, unplayed, plays, became)
