"""The parts that the tables of all games share, as data for templates: seats, tricks, results.

Our own short strings are `Markup` if a table has many of them, because templates print it without escaping.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, TypedDict

from games.kit.contract import Card, Event, LevelWords, Move, Score, Seat, Sheet, Standing, Table, rank_seats
from games.kit.hands import sort_hand
from games.kit.language import as_key, cache_by_language, from_key, say, say_in
from games.kit.markup import (
    FACES,
    NOTHING,
    SMALL_FACES,
    Markup,
    SeatedPlayer,
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
    with_names,
)
from games.kit.positions import maker
from games.kit.tricks import FinishedTrick, Play
from games.kit.words import Names, join_words, short_names, with_sign

DASH = as_markup("–")
SEAT_IDS = [Markup(f"seat-{seat}") for seat in range(8)]


type TemplateData = Mapping[str, Any]
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

    seat: Seat | None  # None before the match
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


type Players = list[Player]  # by seat


class Print(NamedTuple):
    """The face of a card in a picture. Colours are hex codes."""

    text: str
    suit: str  # the suit of the sign, or ""
    ink: str  # the colour of text and sign
    ground: str


# The defaults of a Drawing and of a SheetReader


class Link(Protocol):
    """Returns the URL of a moment of a deal in the replay, or "" if there is none.

    deal: from 1. at: "start", "end", "trick-2" for the end of the second trick, or a name from `Drawing.moments_of`.
    """

    def __call__(self, deal: int, at: str = "start") -> str: ...


def no_link(deal: int, at: str = "start") -> str:
    return ""


def sorted_suits(table: Table) -> list[list[Card]]:
    return sort_hand(table["hand"])


def type_of_move(move: Move) -> set[str]:
    return {move["type"]}


def plays_and_winner(event: Event) -> tuple[Sequence[Play], Seat | None]:
    return event["plays"], event["seat"]


def no_card(table: Table) -> None:
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
    """The reader of a score sheet, and the functions that the sheet needs for its details and links."""

    viewer: Seat | None = None  # None for a spectator
    tricks: Callable[[], Iterable[ReplayTrick]] = list  # Replays the match, so only sheets that show tricks call it.
    link: Link = no_link
    standings: Sequence[Standing] = ()  # empty before the end of the match
    changes: Mapping[int, str] = {}  # by deal, who has corrected it, at a real table
    is_over: bool = False  # whether no more deals follow, as after the only deal of a challenge


ANY_READER = SheetReader()


class Drawing[T: Table, S: Sheet](NamedTuple):
    """The functions that turn the views and sheets of one game into data for its templates."""

    felt: Callable[[T, Players], TemplateData]  # the public part of the table, from a spectator's view
    mine: Callable[[T, list[Move], Players], TemplateData]  # the part of one seat or a spectator, with its legal moves
    sheet: Callable[[S, Players, SheetReader], TemplateData]  # the score sheet, with "rows" in the order of deals
    describe_move: Callable[[Move, Seat | None, Names], str]  # describes a move: "Ana plays the ten of hearts"
    event_sentences: Sentences  # by type of event

    suits_of: Callable[[T], list[list[Card]]] = sorted_suits  # the hand in display order
    rules_sections: Mapping[str, str] = {}  # by phase, the id of its section on the rules page
    mark_kinds: Mapping[str, str] = {}  # the headings of the kinds of marks on a replay's timeline, in order
    event_marks: Markings = {}  # by type of event: the kind and the words of each mark
    moments_of: Callable[[Move], set[str]] = type_of_move  # the names that sheets use in links to the move
    # The cards of a trick, if its cards had no events of their own, and its winner, from the event of its end.
    finished_trick: Callable[[Any], tuple[Sequence[Play], Seat | None]] = plays_and_winner
    centre_card: Callable[[T], Card | None] = no_card  # the face-up card in the middle that nobody played
    news: Callable[[Sequence[Any]], str] = no_news  # a sentence on the latest events that the felt cannot show
    print_of: Callable[[Card], Print] = rank_and_suit  # for pictures of cards

    def rules_section(self, table: T) -> str:
        """Return the id of the section of the rules page that players may need now, or ""."""
        return self.rules_sections.get(table["phase"], "")

    def sentences(self, events: Iterable[Event], players: Players, viewer: Seat | None = None) -> list[str]:
        """Describe events in whole sentences for screen readers. viewer: the seat that is "you"."""
        return self.sentences_for(events, Names([player["name"] for player in players], viewer))

    def sentences_for(self, events: Iterable[Event], names: Names) -> list[str]:
        return [sentence for event in events for sentence in self.event_sentences[event["type"]](event, names)]

    def marks(self, events: Iterable[Event], players: Players) -> list[tuple[str, str]]:
        """Return the marks on the timeline of a replay: for each mark its kind, and words without a full stop.

        Marks show important events, such as the end of the bidding. Most types of events leave no mark.
        """
        names = Names([player["name"] for player in players])
        events_with_marks = [event for event in events if event["type"] in self.event_marks]
        return [mark for event in events_with_marks for mark in self.event_marks[event["type"]](event, names)]

    def move_words(self, move: Move, players: Players, seat: Seat | None = None) -> str:
        """Describe a move, without a full stop."""
        return self.describe_move(move, seat, Names([player["name"] for player in players]))

    def open_hands(self, tables: Iterable[T], players: Players) -> list[TemplateData]:
        """Return the open hands of all players as data for the template of a replay.

        tables: what each seat can see, by seat.
        """
        return [
            {
                "classes": f"seat-{seat}",
                "name": players[seat]["name"],
                "suits": [[SMALL_FACES[card] for card in suit] for suit in self.suits_of(table)],
            }
            for seat, table in enumerate(tables)
        ]


# Seats


def round_table(count: int, viewer: Seat | None) -> list[Seat]:
    """Return all seats in order around the table, the viewer's first."""
    first = viewer or 0  # Spectators begin with seat 0.
    return [*range(first, count), *range(first)]


def draw_felt(
    table: Table,
    players: Players,
    seats: Sequence[Mapping[str, object]],
    dealer: Seat | None = None,
    classes: str = "clockwise",
) -> dict[str, object]:
    """Return the data that all games need to draw the felt: the table and its seats, as everybody may see them.

    table: what spectators can see. seats: for each seat, more data for the game's template. Its "state", if any, is a
    CSS class of the seat. dealer: the seat that deals, or None. classes: the CSS classes of the felt.
    """
    phase, count, sizes = table["phase"], len(players), table["hand_counts"]
    return {
        "classes": Markup(f"felt {classes} players-{count} phase-{phase}"),
        "players": Markup(count),
        "phase": Markup(phase),
        "seats": [
            {**extra, **_draw_seat(player, extra.get("state"), seat == table["to_act"], seat == dealer, sizes[seat])}
            for seat, (player, extra) in enumerate(zip(players, seats, strict=True))
        ],
    }


# Makes a SeatedPlayer from the fields of a Player, faster than by keywords.
_seated_player, _seated_fields = maker(SeatedPlayer), itemgetter(*SeatedPlayer._fields)


def _draw_seat(player: Player, state: object, acting: bool, dealer: bool, hand_size: int) -> dict[str, object]:
    """Return a player's seat at the table as data for the template: name, face-down cards, clock.

    state: a CSS class, or None. acting: whether it is the player's turn. dealer: whether the player deals.
    """
    seat = player["seat"]
    assert seat is not None  # It is None only before the match.
    away = not player["connected"] and player["kind"] != "bot"
    classes = f"seat seat-{seat}{' acting' if acting else ''}{' away' if away else ''}"
    return {
        "id": SEAT_IDS[seat],
        "classes": Markup(f"{classes} {state}" if state else classes),
        "who": nameplate(_seated_player(_seated_fields(player)), away, dealer),
        "backs": backs(hand_size),
        "clock": draw_clock(player["clock"]),
    }


def draw_clock(clock: Clock | None) -> Markup:
    """Return the markup of a seat's clock, or no markup if it has none."""
    if not clock:
        return NOTHING
    reserve = int(clock["reserve"])
    return running_clock(max(0, clock["remaining"]), reserve) if clock["running"] else stopped_clock(reserve)


def own_part(stage: str, table: Table, moves: list[Move], players: Players, sentence: str) -> dict[str, object]:
    """Return the data of the part of the page that depends on the reader, a player or a spectator, in all games.

    The game replaces "hand", "box" (its buttons), "result" and "claim_note" (a sentence for the panel of claims). After
    a deal, "unready" names the players who are not ready for the next one, if the reader is.

    stage: the stage of the match, such as "Hand 2". moves: the reader's legal moves, empty when it is not their turn.
    sentence: what the reader may do, or waits for.
    """
    seat = table["seat"]
    return {
        "turn": "1" if moves else "",
        "stage": stage,
        "sentence": sentence,
        "hand": None,
        "box": None,
        "result": None,
        "claim_note": "",
        "seated": seat is not None,
        "stand_in": seat is not None and players[seat]["stand_in"],
        "unready": join_words(unready_names(players)) if seat is not None and players[seat]["ready"] else "",
    }


def mark_names(mine: TemplateData, players: Players) -> dict[str, Any]:
    """Return the data of the reader's part of the page with its sentences as HTML. Browsers do not translate the names.

    mine: as from `own_part`. A page may add "claimed", a sentence, and "shared", several.
    """
    names = [player["name"] for player in players]
    marked = {**mine, "sentence": with_names(mine["sentence"], names)}
    if mine.get("claimed"):
        marked["claimed"] = with_names(mine["claimed"], names)
    if mine.get("shared"):
        marked["shared"] = [with_names(sentence, names) for sentence in mine["shared"]]
    if result := mine["result"]:
        lines = [{**line, "name": with_names(line["name"], names)} for line in result["lines"]]
        reasons = [with_names(reason, names) for reason in result["reasons"]]
        marked["result"] = {**result, "lines": lines, "reasons": reasons}
    return marked


def unready_names(players: Players) -> list[str]:
    """Return the names of the players who are present and not ready for the next deal."""
    people = [player for player in players if player["kind"] not in ("bot", "program")]
    present = [player for player in people if player["connected"] and not player["left"] and not player["stand_in"]]
    return [player["name"] for player in present if not player["ready"]]


class Column(NamedTuple):
    """A column of a result."""

    heading: str
    figures: Sequence[str]  # by seat or by side
    classes: str = ""


def draw_result(
    heading: str, over: bool, head: str, columns: Sequence[Column], lines: Iterable[Mapping[str, Any]]
) -> dict[str, object]:
    """Return the result of a deal, or of a finished match, as a table. A game may add an "outcome" and "reasons".

    heading: of a deal. over: whether the match is over. head: the heading of the column of names.
    columns: the figures after the names, by seat or side. lines: in display order, dicts of "who" (the seat or side),
    "classes" and "name", and perhaps of "place" (the rank), "crown", "mates" (the players of a side) and "sign".
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
    """Return a line of the result for every player, the best first. The line of the reader has the class "me".

    totals: the scores by seat. over: whether the match is over; then the winners have a crown. states: an additional
    CSS class for each seat.
    """
    lines = []
    for seat, _, place in rank_seats(totals):
        is_reader = seat == names.viewer
        classes = [states[seat]] if states else []
        lines.append(
            {
                "who": seat,
                "classes": " ".join([*classes, "me"] if is_reader else classes),
                "place": str(place),
                "crown": crown() if over and place == 1 else "",
                "name": say_in("what a player is called", "You") if is_reader else names[seat],
            }
        )
    return lines


def draw_totals(totals: Sequence[Score], order: Iterable[int], begun: bool, over: bool) -> list[dict[str, str]]:
    """Return the totals below a score sheet. The highest have a crown, unless nothing has been scored (not `begun`).

    totals: by seat or by side. order: the seats or sides in the order of the columns. over: whether the match is over.
    """
    best = max(totals)
    mark = (crown() if over else leader_crown()) if begun else ""
    return [{"total": with_sign(totals[side]), "crown": mark if totals[side] == best else ""} for side in order]


def caption(words: str, large: str = "", classes: str = "") -> dict[str, str]:
    """Return the text in the middle of the table. large: words in large type above it."""
    return {"words": words, "large": large, "classes": classes}


# Tricks


def visible_trick(table: Table, tricks: Sequence[FinishedTrick]) -> tuple[list[Play], Seat | None]:
    """Return the cards on the table, and the winner of their trick, or None if it is still in progress.

    A finished trick stays on the table until the next card is led, and the last one until the next deal.

    tricks: the finished tricks of the deal.
    """
    plays = table["trick"]["plays"]
    if plays or not tricks:
        return plays, None
    return tricks[-1]["plays"], tricks[-1]["winner"]


EMPTY_SLOT = (Markup("slot"), NOTHING)
SLOT_CLASSES = {  # by whether the card was led, the trick is finished and the card has won it
    (lead, finished, won): Markup("slot filled" + " lead" * lead + " finished" * finished + " winner" * won)
    for lead, finished, won in product((False, True), repeat=3)
}


def slots(
    count: int, plays: Iterable[Play], winner: Seat | None = None, finished: bool = False
) -> list[tuple[Markup, Markup]]:
    """Return, for each of `count` seats, the CSS classes and the markup of the card that it has played to a trick.

    The markup is empty if the seat has not played. plays: the cards of the trick in order, each with its seat.
    winner: of a finished trick, or None. finished: whether the trick is over even if nobody has won it.
    """
    finished = finished or winner is not None
    by_seat = [EMPTY_SLOT] * count
    for index, play in enumerate(plays):
        seat, is_lead = play["seat"], index == 0
        face = FACES[play["card"]]
        by_seat[seat] = (
            SLOT_CLASSES[is_lead, finished, seat == winner],
            Markup(face + lead_mark()) if is_lead else face,
        )
    return by_seat


def who_took_it(trick: FinishedTrick, names: Names) -> str:
    """Return "Ana led, Boris took it." for a finished trick. The reader of `names` is "you"."""
    leader, winner = trick["leader"], trick["winner"]
    if leader == winner:
        return names.say_of(leader, "You led and took it.", "{name} led and took it.")
    yours, theirs = "You led, {winner} took it.", "{name} led, {winner} took it."
    return names.say_of(leader, yours, theirs, winner=names.of(winner))


def draw_tricks[T: Mapping[str, Any]](
    tricks: Sequence[T],
    names: Sequence[str],
    words: Callable[[T, Names], str] | None = None,
    unplayed: Callable[[T], tuple[Card, ...]] | None = None,
) -> dict[str, object] | None:
    """Return the markup of the last finished trick ("last") and of the "earlier" ones, the latest first.

    Return None if no trick is finished. names: of the players, by seat.
    words: a function that describes the result of a trick. If it is None, that is who led and who won.
    unplayed: a function that returns the cards of a trick that no seat played. If it is None, there are none.
    """
    # A cache needs hashable arguments, so the tricks and the names become bytes.
    return _draw_tricks(as_key(tricks, list(names)), words or who_took_it, unplayed) if tricks else None


@cache_by_language(1024)  # The finished tricks stay the same during the play of a trick.
def _draw_tricks(
    key: bytes, words: Callable[[Any, Names], str], unplayed: Callable[[Any], tuple[Card, ...]] | None
) -> dict[str, object]:
    """Return the markup of the last trick ("last") and of the "earlier" ones, the latest first.

    key: the tricks and the names of the players, as bytes for the cache. words: a function that describes the result
    of a trick. unplayed: a function that returns the cards of a trick that no seat played, or None.
    """
    tricks, names = from_key(key)
    full_and_short = names, short_names(names)
    drawn_tricks = [
        _draw_trick(as_key(number, trick, full_and_short), words, unplayed, number == len(tricks))
        for number, trick in enumerate(tricks, 1)
    ]
    return {"last": drawn_tricks.pop(), "earlier": drawn_tricks[::-1]}


@cache_by_language(4096)  # A trick is drawn twice: when it is finished, and when it is no longer the last.
def _draw_trick(
    key: bytes, words: Callable[[Any, Names], str], unplayed: Callable[[Any], tuple[Card, ...]] | None, is_last: bool
) -> Markup:
    """Return the markup of a finished trick: large if it is the last one, or else as a line.

    key: the number of the trick, the trick, and the names in full and in short, as bytes for the cache. words: a
    function that describes its result. unplayed: a function that returns its cards that no seat played, or None.
    """
    number, trick, (names, short) = from_key(key)
    winner = trick["winner"]
    plays = []
    for play in trick["plays"]:
        seat = play["seat"]
        classes = f"seat-{seat}{' winner' if seat == winner else ''}"
        plays.append((classes, short[seat], play["card"]))
    # The result is about the leader and the winner, if there is one. They read "You" instead of their names.
    result = personal_markup(partial(words, trick), names, {trick["leader"], winner} - {None})
    unplayed_cards = unplayed(trick) if unplayed else ()
    if is_last:
        return last_trick(unplayed_cards, plays, result)
    return trick_line(number, unplayed_cards, plays, result)
