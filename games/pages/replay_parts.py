"""The parts of replay pages: reading their addresses, and dicts for their templates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, NotRequired, TypedDict
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from accounts.models import User
from games.analysis.asking import objection
from games.analysis.reading import Moment, is_replay_analysed, moments
from games.catalog import get_game
from games.chat.reading import ReadableLine, lines_by_move
from games.comments.reading import ReadableComment, comments_on_replay
from games.fragments import felt_html
from games.history import lists, marks
from games.history.claims import claimed_moves
from games.history.explanations import explainable_moves
from games.history.folding import Deal
from games.history.replay import Replay, Viewpoint
from games.kit.drawing import TemplateData
from games.kit.language import lazy, say, say_count, say_in
from games.kit.words import tenths
from games.models import Match
from games.pages.looking import opened_match
from games.pages.refusals import NotHere
from games.play.errors import Refused

MAX_THOUGHT = 5  # Seconds. Longer thoughts are cut to this when a match is played back at its own pace.
TALL_THOUGHT = 30  # Seconds. Bars on the timeline grow with the thought, up to this.


class ReplayOnPage(Replay):
    """A replay with everything else that its pages show: claims, comments, chat, and whether it is analysed."""

    def __init__(self, match: Match, user_id: int | None) -> None:
        super().__init__(match, user_id)
        self.claims = claimed_moves(self)
        self.comments = comments_on_replay(self, user_id)
        self.is_analysed = is_replay_analysed(self)
        self.chat = {} if settings.TALK == "off" else lines_by_move(self.snapshot, user_id)


class ReplayQuery(NamedTuple):
    """The replay, the viewpoint and the index of the move that an address names. The move may be missing."""

    replay: ReplayOnPage
    viewpoint: Viewpoint
    move: int | None


class Extras(NamedTuple):
    """Everything that a page shows next to the moves of a deal.

    - moves: sets of indexes by kind. The user may comment on moves of "comment" and report moves of "odd". A bot can
      explain moves of "why". Moves of "hint" were made after a hint.
    - verdicts: the verdicts of an analysis, by the index of the move
    """

    moves: dict[str, set[int]]
    verdicts: dict[int, Moment]


class Frame(TypedDict):
    """One position of a replay, for the templates."""

    move: int
    label: str  # "hand 4, trick 3"
    words: str
    thinking_time: str  # in words, or ""
    extras: set[str]  # the kinds of `Extras.moves` that the move belongs to
    address: str
    felt: str  # HTML
    chat: Sequence[ReadableLine]
    verdict: Moment | None
    comments: Sequence[ReadableComment]
    claim: str  # a sentence about the claim that the move belongs to, or ""
    sentences: NotRequired[list[str]]  # the result, if the move ends a deal
    hands: NotRequired[list[TemplateData]]
    hands_label: NotRequired[str]
    hand: NotRequired[object]  # from `Replay.hand`
    sheet: NotRequired[TemplateData]


class MoveLine(TypedDict):
    """A move in the list of moves."""

    move: int
    url: str
    words: str
    claimed: bool


class MoveGroup(TypedDict):
    """The moves of a trick. The heading is "" for moves outside of tricks."""

    heading: str
    moves: list[MoveLine]


class Pin(TypedDict):
    """A mark on the timeline, with its heading, its place in words and its link."""

    move: int
    kind: str
    words: str
    x: str  # in percent
    heading: str
    where: str
    url: str


class Timeline(TypedDict):
    """The drawing under the slider, and its marks."""

    length: int
    deals: list[dict[str, str]]  # rectangles, as wide as the deal has moves
    ticks: str  # an SVG path with a line at the end of each trick
    thoughts: str  # an SVG path with a bar for each thought
    marks: list[Pin]
    kinds: list[dict[str, object]]  # the "kind", "heading" and "count" of the marks


class Control(TypedDict):
    """A link that steps through the replay. Its url is "" at an end of the match."""

    name: str
    words: str
    key: str
    icon: str
    url: str


def read_query(request: HttpRequest, code: str) -> ReplayQuery:
    """Read the address of a replay page: the match, the viewpoint and the move. Raises NotHere, Refused or NotAllowed.

    The viewpoint says whose cards are visible: those of a "seat", of a second seat "beside" it, or all with "open".
    With ?spoilers=off the replay ends with the deal of the move, so that nothing on the page reveals later moves.
    """
    match = opened_match(request, code)
    _demand_begun(match)
    replay = ReplayOnPage(match, request.user.pk)
    open_sentence = lazy("In the address, “open” must be 0 or 1.")
    viewpoint = replay.viewpoint(
        request.user.pk,
        seat=number_in(request, "seat"),
        open_cards=_read_switch(request, "open", {"0": False, "1": True}, open_sentence),
        beside=number_in(request, "beside"),
        blind=_read_switch(request, "spoilers", {"on": False, "off": True}, lazy("Spoilers are on or off.")),
    )
    move = _read_move(request, replay, viewpoint)
    if viewpoint.blind:
        replay.end_with_deal(move or 0)
    return ReplayQuery(replay, viewpoint, None if move is None else min(move, replay.last))  # Not beyond the end.


def replay_of(request: HttpRequest, match: Match) -> Replay:
    """Return the replay of a match for the user. Raises NotHere before the first move."""
    _demand_begun(match)
    return Replay(match, request.user.pk)


def _demand_begun(match: Match) -> None:
    if not match.move_count:
        raise NotHere(lazy("This match hasn’t started yet. Come back when it has."))


def move_context(replay: Replay, move: int) -> dict[str, object]:
    """Return the context that all pages about one move share."""
    return {"match": replay.match, "move": move, "where": replay.label(move), "words": replay.words(move)}


def _read_switch(request: HttpRequest, name: str, choices: Mapping[str, bool], sentence: str) -> bool:
    """Read a field of the address that is on or off.

    choices: the meaning of each text, the default first: {"0": False, "1": True}. sentence: the refusal of any other.
    """
    text = request.GET.get(name, "") or next(iter(choices))
    if text not in choices:
        raise Refused(sentence)
    return choices[text]


def _read_move(request: HttpRequest, replay: Replay, viewpoint: Viewpoint) -> int | None:
    """Return the index of the move that an address names, or None if it names none.

    It has "move", or the number of a "deal" and perhaps a moment of that deal, "at", such as "end". Without both, a
    running match with open cards starts at the deal that was scored last, because later cards are still secret.
    """
    deal, move = number_in(request, "deal"), number_in(request, "move")
    if move is not None:
        return move
    if deal is not None:
        start = deal_of(replay, deal).start
        moment = request.GET.get("at", "")
        return (replay.moment(deal, moment) if moment else None) or start  # The deal may have no such moment.
    return replay.last_opened if viewpoint.open and not replay.over else None


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return a number from the address, or None if it is missing. Raises Refused for anything else."""
    return clean_number(request.GET.get(name, ""), name)


def clean_number(text: str, name: str) -> int | None:
    """Convert a text to a number, or to None if it is empty. Raises Refused for anything else."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused(lazy("In the address, the {name} must be a number. Correct the address.", name=name))
    return int(text)


def deal_of(replay: Replay, number: int) -> Deal:
    """Return a deal of a replay by its number, from 1. Raises NotHere if there is none."""
    if not 0 < number <= len(replay.deals):
        raise NotHere(lazy("There is no such {deal}. Choose one in the replay.", deal=replay.deal_word))
    return replay.deals[number - 1]


def deal_in(request: HttpRequest, replay: Replay) -> Deal:
    """Return the deal whose number is in the address, by default the first."""
    number = number_in(request, "deal")
    return deal_of(replay, 1 if number is None else number)


def address(replay: Replay, viewpoint: Viewpoint, move: int) -> str:
    """Return the query of the replay's address that shows a move from this viewpoint.

    In a running match it names no seat, because it may be sent to somebody who must see less.
    """
    query: dict[str, object] = {"move": move}
    if replay.over:
        query["seat"] = viewpoint.seat
    if viewpoint.beside is not None:
        query["beside"] = viewpoint.beside
    if viewpoint.open:
        query["open"] = 1
    if viewpoint.blind:
        query["spoilers"] = "off"
    return f"?{urlencode(query)}"


def page_context(replay: ReplayOnPage, viewpoint: Viewpoint) -> dict[str, object]:
    """Return the part of the template context that is the same for all positions of a replay.

    The page of one position needs it, and so do the other positions of a deal, which the page's script fetches.
    """
    game = replay.match.game
    return {
        "match": replay.match,
        "rules": replay.rules,
        "players": replay.players,
        "deal_word": replay.deal_word,
        "unusual": lists.unusual_options(replay.match),  # The options that differ from the usual rules.
        "over": replay.over,
        "can_open": replay.can_open,
        "can_analyse": replay.is_analysed or (replay.over and not objection(replay.match)),
        "viewpoint": viewpoint,
        "viewer": viewpoint.seat or 0,  # The seat at the bottom of the table.
        "sheet_template": f"{get_game(game).room}/sheet.html",
    }


def extras_of(replay: ReplayOnPage, user: User | AnonymousUser, number: int) -> Extras:
    """Return what a page offers next to the moves of a deal: comments, reports, explanations, hints and verdicts.

    number: of the deal. Users can report odd moves of bots. Explanations give a bot's reasons for its move. Verdicts
    judge moves, after an analysis. A replay without spoilers (`hides`) has no comments and verdicts: they may tell how
    the match goes on.
    """
    deal = replay.deals[number - 1]
    may_comment = replay.over and not replay.hides and user.is_authenticated and settings.TALK == "free"
    may_report = replay.over and user.is_authenticated
    shows_verdicts = replay.is_analysed and not replay.hides
    moves_by_kind = {
        "comment": set(range(replay.last + 1)) if may_comment else set(),
        "odd": set(replay.bot_moves) if may_report else set(),
        "why": set(explainable_moves(replay, number)),
        "hint": {hint["index"] for hint in replay.match.hints},
    }
    return Extras(moves_by_kind, moments(replay.match, deal.first, deal.last) if shows_verdicts else {})


def frame(replay: ReplayOnPage, viewpoint: Viewpoint, move: int, extras: Extras) -> Frame:
    """Return the position after a move for the templates. The caller adds the score sheet where it has changed.

    viewpoint: whose hands it shows. extras: what the page offers next to the moves, from `extras_of`.
    """
    sentences = replay.sentences(move)  # What happened in this move.
    verdict = extras.verdicts.get(move)
    spoken = [*sentences, verdict.spoken] if verdict and verdict.spoken else sentences
    # The felt is the middle of the table, which everybody sees. Screen readers speak the text of "say".
    felt = {**replay.felt(move), "moves": move + 1, "say": " ".join(spoken)}
    position: Frame = {
        "move": move,
        "label": replay.label(move),
        "words": replay.words(move),
        "thinking_time": _duration_words(replay.times[move]),
        "extras": {kind for kind, moves in extras.moves.items() if move in moves},
        "address": address(replay, viewpoint, move),
        "felt": felt_html(get_game(replay.match.game), felt, replay.match),
        "chat": replay.chat.get(move, ()),
        "verdict": verdict,
        "comments": () if replay.hides else replay.comments.get(move, ()),  # Comments may reveal later moves.
        "claim": replay.claims.get(move, ""),
    }
    if replay.ends_deal(move):
        # Nobody holds cards any more, so show the result instead. The first sentence only describes the move itself.
        position["sentences"] = sentences[1:]
    else:
        _add_hands(position, replay, viewpoint)
    return position


def _add_hands(position: Frame, replay: ReplayOnPage, viewpoint: Viewpoint) -> None:
    """Add the hands that are visible from a viewpoint: all of them, those of two seats, that of one seat, or none."""
    move = position["move"]
    if viewpoint.open and replay.is_open(move):
        hands, first = replay.open_hands(move), viewpoint.seat or 0  # The viewer's hand comes first.
        position["hands"], position["hands_label"] = hands[first:] + hands[:first], say_in("cards", "All hands")
    elif viewpoint.seat is not None and viewpoint.beside is not None:
        hands = replay.open_hands(move)
        position["hands"] = [hands[viewpoint.seat], hands[viewpoint.beside]]
        position["hands_label"] = say_in("cards", "Two hands")
    elif viewpoint.seat is not None:
        position["hand"] = replay.hand(move, viewpoint.seat)


def _duration_words(seconds: float) -> str:
    """Return a duration in words, or "" if it is too short."""
    if seconds < 0.1:
        return ""
    if seconds < 10:
        return say("{seconds} seconds", seconds=tenths(seconds))
    if seconds < 90:
        return say_count(round(seconds), "{number} second", "{number} seconds")
    return say_count(round(seconds / 60), "{number} minute", "{number} minutes")


def sheet(replay: Replay, viewpoint: Viewpoint, move: int) -> TemplateData:
    """Draw the score sheet after a move, with links to the moves behind its figures."""
    return replay.sheet(move, lambda to: address(replay, viewpoint, to))


def move_groups(replay: ReplayOnPage, viewpoint: Viewpoint, number: int, until: int | None = None) -> list[MoveGroup]:
    """Return the moves of a deal in words, grouped by trick, each with a link to its position.

    number: of the deal. until: the index of the last move to list, or None for all.
    """
    deal = replay.deals[number - 1]
    last = deal.last if until is None else until

    def line(move: int) -> MoveLine:
        words, url = replay.words(move), address(replay, viewpoint, move)
        return {"move": move, "url": url, "words": words, "claimed": move in replay.claims}  # Part of a claim?

    return [
        {"heading": heading, "moves": [line(move) for move in trick_moves]}
        for heading, trick_moves in replay.by_trick(range(deal.first, last + 1))
    ]


def timeline(replay: Replay, viewpoint: Viewpoint, move: int, user: User | AnonymousUser) -> Timeline:
    """Draw the timeline of the whole match: deals, ends of tricks, thinking times, and marks on special moves.

    Return numbers and paths for an SVG. One unit in x is one move. A replay that hides its end shows no marks after the
    present move.
    """
    length, number = max(replay.last, 1), replay.steps[move].deal
    visible = [mark for mark in marks.marks_of(replay, user) if not replay.hides or mark.move <= move]
    headings = marks.headings(replay)
    return {
        "length": length,
        "deals": [
            {
                "classes": "deal now" if deal.number == number else "deal",
                "x": str(deal.first - 0.5),  # SVG needs a decimal point in every language.
                "width": str(deal.last - deal.first + 1),
            }
            for deal in replay.deals
        ],
        "ticks": "".join(f"M{last} 0v10" for deal in replay.deals for _, _, last in deal.tricks),
        "thoughts": "".join(
            f"M{at} 10v-{_bar_height(seconds):.1f}" for at, seconds in enumerate(replay.times) if seconds
        ),
        "marks": [
            {
                "move": mark.move,
                "kind": mark.kind,
                "words": mark.words,
                "x": f"{100 * mark.move / length:.2f}%",
                "heading": str(headings.get(mark.kind, mark.kind.capitalize())),
                "where": replay.label(mark.move),
                "url": address(replay, viewpoint, mark.move),
            }
            for mark in visible
        ],
        "kinds": [
            {"kind": kind, "heading": heading, "count": count}
            for kind, heading in headings.items()
            if (count := sum(mark.kind == kind for mark in visible))
        ],
    }


def _spoken_mark(mark: Pin) -> str:
    """Return a mark on the timeline as a sentence for screen readers.

    A mark of the game itself, such as a contract, gets "", because the words of the move already say it.
    """
    if mark["kind"] not in marks.HEADINGS:
        return ""
    return say("{heading}: {words}.", heading=mark["heading"], words=mark["words"])


def _bar_height(seconds: float) -> float:
    """Return the height of the bar of a thought, at most 10. Its root keeps short thoughts visible."""
    return 10 * min(1.0, seconds / TALL_THOUGHT) ** 0.5


def controls(replay: Replay, viewpoint: Viewpoint, move: int, marked_moves: Sequence[int]) -> dict[str, Control]:
    """Return the links that step through a replay, by name: to the next move, the previous trick, and so on.

    move: the index of the present move. marked_moves: the indexes of the moves with a mark on the timeline. A link that
    would lead to the present move has no URL. Each link also has a key on the keyboard and an icon.
    """

    def link(name: str, words: str, key: str, icon: str, target: int) -> Control:
        url = address(replay, viewpoint, target) if target != move else ""
        return {"name": name, "words": words, "key": key, "icon": icon, "url": url}

    starts, tricks = [deal.start for deal in replay.deals], replay.stops
    # A replay without spoilers (`hides`) ends with this deal. One move further, the page of the next deal begins.
    end = replay.last + 1 if replay.hides else replay.last
    controls = [
        link("deal-back", say("Previous {deal}", deal=replay.deal_word), "↑", "skip-back", _previous(starts, move)),
        link("deal-on", say("Next {deal}", deal=replay.deal_word), "↓", "skip-forward", _next(starts, move, end)),
        link("first", say("Start of the match"), say_in("key", "Home"), "chevron-first", 0),
        link("trick-back", say("Previous trick"), say_in("key", "Shift ←"), "chevrons-left", _previous(tricks, move)),
        link("back", say("Previous move"), "←", "chevron-left", max(move - 1, 0)),
        link("on", say("Next move"), "→", "chevron-right", min(move + 1, end)),
        link("trick-on", say("Next trick"), say_in("key", "Shift →"), "chevrons-right", _next(tricks, move, end)),
        link("last", _words_for_end(replay), say_in("key", "End"), "chevron-last", replay.last),
        link("mark-back", say("Previous mark"), "p", "chevrons-left", _previous(marked_moves, move, start=move)),
        link("mark-on", say("Next mark"), "n", "chevrons-right", _next(marked_moves, move, end=move)),
    ]
    return {control["name"].replace("-", "_"): control for control in controls}


def _words_for_end(replay: Replay) -> str:
    if replay.hides:
        return say("End of this {deal}", deal=replay.deal_word)
    return say("End of the match" if replay.over else "Latest move")


def _previous(stops: Iterable[int], move: int, start: int = 0) -> int:
    """Return the last of these moves that comes before a move, or `start` if there is none."""
    return max((other for other in stops if other < move), default=start)


def _next(stops: Iterable[int], move: int, end: int) -> int:
    """Return the first of these moves that comes after a move, or `end`."""
    return min((other for other in stops if other > move), default=end)


def script_data(replay: Replay, viewpoint: Viewpoint, move: int, pins: Iterable[Pin]) -> dict[str, object]:
    """Return the data that the scripts of a replay page need, to step through the match and to play it back.

    move: the index of the present move. pins: the marks on the timeline. "times" are the seconds that each move took.
    Long times are cut, so that nobody waits for them when the match is played back.
    """
    return {
        "move": move,
        "last": replay.last,
        "hides": replay.hides,
        "blind": viewpoint.blind,
        "seat": viewpoint.seat,
        "beside": viewpoint.beside,
        "open": viewpoint.open,
        "over": replay.over,
        "can_open": replay.can_open,
        "deal_word": str(replay.deal_word),
        "deals": [deal._asdict() for deal in replay.deals],
        "marks": [[mark["move"], mark["kind"], _spoken_mark(mark)] for mark in pins],
        "mistakes": [mark["move"] for mark in pins if mark["kind"] == "mistake"],
        "times": [round(min(seconds, MAX_THOUGHT), 1) for seconds in replay.times],
    }
