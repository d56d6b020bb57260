"""What the pages of a replay are made of: what an address asks for, and dicts for the templates."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest

from accounts.models import User
from games.analysis import reading
from games.analysis.asking import objection
from games.catalog import get_game
from games.chat.reading import said_by_move
from games.comments.reading import comments_beside
from games.fragments import felt_html
from games.history import lists, marks
from games.history.claims import claimed_moves
from games.history.explanations import explainable_moves
from games.history.replay import Replay
from games.kit.language import lazy, say, say_count, say_in
from games.kit.words import tenths
from games.models import Match
from games.pages.looking import opened_match
from games.pages.refusals import NotHere
from games.play.errors import Refused

LONGEST = 5  # seconds of a thought that are waited for where a match is played as it was
TALLEST = 30  # seconds of a thought whose bar is as high as any


class Asked(NamedTuple):
    """What an address asks for: a replay, what is seen of it, and the index of a move, or None where none is named."""

    shown: Replay
    sight: object  # a Sight
    move: int | None


def asked(request: HttpRequest, code: str):
    """What a request asks for, as far as it may: the Asked. Raises NotHere, Refused, NotAllowed.

    With ?spoilers=off the replay ends for now with the deal of its move: what comes later is nowhere on the page.
    """
    shown = replay_of(request, opened_match(request, code))
    shown.claimed = claimed_moves(shown)
    shown.comments = comments_beside(shown, request.user.pk)
    shown.analysed = reading.is_analysed_beside(shown)
    shown.said = {} if settings.TALK == "off" else said_by_move(shown.snapshot, request.user.pk)
    sight = shown.viewpoint(
        request.user.pk,
        number_in(request, "seat"),
        _switch(request, "open", {"0": False, "1": True}, lazy("In the address, “open” must be 0 or 1.")),
        number_in(request, "beside"),
        _switch(request, "spoilers", {"on": False, "off": True}, lazy("Spoilers are on or off.")),
    )
    move = _move(request, shown, sight)
    if sight.blind:
        shown.end_with_deal(move or 0)
    return Asked(shown, sight, None if move is None else min(move, shown.last))


def replay_of(request: HttpRequest, match: Match):
    """The Replay of a match, for who asks. Raises NotHere before its first move."""
    if not match.move_count:
        raise NotHere(lazy("This match hasn’t started yet. Come back when it has."))
    return Replay(match, request.user.pk)


def place(shown, move: int) -> dict[str, Any]:
    """What pages about one move have in common."""
    return {"match": shown.match, "move": move, "where": shown.label(move), "words": shown.words(move)}


def _switch(request: HttpRequest, name: str, choices, sentence):
    value = request.GET.get(name, "") or next(iter(choices))
    if value not in choices:
        raise Refused(sentence)
    return choices[value]


def _move(request: HttpRequest, shown, sight):
    """The move that an address names, by itself or by its deal and a moment of that."""
    deal, move = number_in(request, "deal"), number_in(request, "move")
    if move is None and deal is not None:
        start = deal_of(shown, deal).start
        at = request.GET.get("at", "")
        move = (shown.moment(deal, at) if at else None) or start
    if move is None and sight.open and not shown.over:
        move = shown.last_opened
    return move


def number_in(request: HttpRequest, name: str):
    """A number from the address, or None where it is not given. Raises Refused for anything else."""
    return clean_number(request.GET.get(name, ""), name)


def clean_number(text: str, name: str) -> int | None:
    """The number that a text is, or None where it is empty. Raises Refused for anything else."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused(lazy("In the address, the {name} must be a number.", name=name))
    return int(text)


def deal_of(shown, number: int):
    """A Deal by its number. Raises NotHere."""
    if not 0 < number <= len(shown.deals):
        raise NotHere(lazy("There is no such {deal}.", deal=shown.deal_word))
    return shown.deals[number - 1]


def deal_in(request: HttpRequest, shown):
    """The Deal that an address names by its number, the first one where it names none."""
    number = number_in(request, "deal")
    return deal_of(shown, 1 if number is None else number)


def address(shown, sight, move: int) -> str:
    """The address of a move. That of a running match names no seat: it may be sent to somebody who knows less."""
    named = {"move": move}
    if shown.over:
        named["seat"] = sight.seat
    if sight.beside is not None:
        named["beside"] = sight.beside
    if sight.open:
        named["open"] = 1
    if sight.blind:
        named["spoilers"] = "off"
    return f"?{urlencode(named)}"


def page(shown, sight) -> dict[str, Any]:
    """What the page and its frames have in common."""
    game = shown.match.game
    return {
        "match": shown.match,
        "rules": shown.rules,
        "players": shown.players,
        "deal_word": shown.deal_word,
        "unusual": lists.unusual_options(shown.match),
        "over": shown.over,
        "can_open": shown.can_open,
        "can_analyse": shown.analysed or (shown.over and not objection(shown.match)),
        "sight": sight,
        "viewer": sight.seat or 0,
        "sheet_template": f"{get_game(game).room}/sheet.html",
    }


def beside_moves(shown, request: HttpRequest, deal) -> dict[str, Any]:
    """The moves of a deal, by its number, beside which something stands: {what: a set of indexes}.

    "odd": moves of bots that may be called odd, all of a match that is over, by whoever is known here. "why": those of
    which it may be asked why. "hint": those for which a hint was taken. "comment": those that may be commented on.
    "verdict": {index: Moment} of those judged.
    """
    of_deal = shown.deals[deal - 1]
    commenting = shown.over and not shown.hides and request.user.is_authenticated and settings.TALK == "free"
    return {
        "comment": set(range(shown.last + 1)) if commenting else set(),
        "odd": set(shown.bot_moves) if shown.over and request.user.is_authenticated else set(),
        "why": set(explainable_moves(shown, deal)),
        "hint": {hint["index"] for hint in shown.match.hints},
        "verdict": reading.moments(shown.match, of_deal.first, of_deal.last)
        if shown.analysed and not shown.hides
        else {},
    }


def frame(shown, sight, move: int, beside):
    """One position for the templates, without its score sheet. beside: as `beside_moves` makes it."""
    sentences, verdict = shown.sentences(move), beside["verdict"].get(move)
    spoken = [*sentences, verdict.spoken] if verdict and verdict.spoken else sentences
    felt = shown.felt(move) | {"moves": move + 1, "say": " ".join(spoken)}
    drawn = {
        "move": move,
        "label": shown.label(move),
        "words": shown.words(move),
        "took": _thought(shown.times[move]),
        "marks": {what for what, moves in beside.items() if move in moves},
        "address": address(shown, sight, move),
        "felt": felt_html(get_game(shown.match.game), felt, shown.match),
        "said": shown.said.get(move, ()),
        "verdict": verdict,
        "comments": () if shown.hides else shown.comments.get(move, ()),  # they may tell what comes
        "claimed": shown.claimed.get(move, ""),
    }
    if shown.ends_deal(move):
        drawn["sentences"] = sentences[1:]  # the first says the move itself
    elif sight.open and shown.is_open(move):
        hands, first = shown.open_hands(move), sight.seat or 0
        drawn |= {"hands": hands[first:] + hands[:first], "whose": say_in("cards", "All hands")}
    elif sight.beside is not None:
        hands = shown.open_hands(move)
        drawn |= {"hands": [hands[sight.seat], hands[sight.beside]], "whose": say_in("cards", "Two hands")}
    elif sight.seat is not None:
        drawn["hand"] = shown.hand(move, sight.seat)
    return drawn


def _thought(seconds: float) -> str:
    """How long somebody thought, in words, or ""."""
    if seconds < 0.1:
        return ""
    if seconds < 10:
        return say("{seconds} seconds", seconds=tenths(seconds))
    if seconds < 90:
        return say_count(round(seconds), "{number} second", "{number} seconds")
    return say_count(round(seconds / 60), "{number} minute", "{number} minutes")


def sheet(shown, sight, move: int):
    """The score sheet as it stood after a move, linked to the moves that it tells of."""
    return shown.sheet(move, lambda to: address(shown, sight, to))


def moves(shown, sight, number: int, until: int | None = None) -> list[dict[str, Any]]:
    """The moves of a deal in words, in order: a list of {"heading", "moves"}, one for each trick.

    until: the index of the last of them, or None for all.
    """
    deal = shown.deals[number - 1]

    def line(move: int) -> dict[str, Any]:
        words, url = shown.words(move), address(shown, sight, move)
        return {"move": move, "url": url, "words": words, "claimed": move in shown.claimed}

    last = deal.last if until is None else until
    return [
        {"heading": heading, "moves": list(map(line, of_trick))}
        for heading, of_trick in shown.by_trick(range(deal.first, last + 1))
    ]


def timeline(shown, sight, move: int, user: User) -> dict[str, Any]:
    """The drawing under the slider, and what is marked on it.

    A stretch for each deal, as wide as it has moves; a tick for each trick's end; a bar for each thought; "marks", and
    their "kinds". Who is not to be told what comes sees no mark of what comes.
    """
    length, number = max(shown.last, 1), shown.steps[move].deal
    found = [mark for mark in marks.marks_of(shown, user) if not shown.hides or mark.move <= move]
    headings = marks.headings(shown)
    return {
        "length": length,
        "deals": [
            {
                "classes": "deal now" if deal.number == number else "deal",
                "x": str(deal.first - 0.5),  # whatever the language, SVG wants a point
                "width": str(deal.last - deal.first + 1),
            }
            for deal in shown.deals
        ],
        "ticks": "".join(f"M{last} 0v10" for deal in shown.deals for _, _, last in deal.tricks),
        "thoughts": "".join(f"M{at} 10v-{_height(took):.1f}" for at, took in enumerate(shown.times) if took),
        "marks": [
            mark._asdict()
            | {
                "x": f"{100 * mark.move / length:.2f}%",
                "heading": str(headings.get(mark.kind, mark.kind.capitalize())),
                "where": shown.label(mark.move),
                "url": address(shown, sight, mark.move),
            }
            for mark in found
        ],
        "kinds": [
            {"kind": kind, "heading": heading, "count": count}
            for kind, heading in headings.items()
            if (count := sum(mark.kind == kind for mark in found))
        ],
    }


def _said_besides(mark) -> str:
    """What those hear of a mark who listen: nothing of the game's own, which the move itself tells."""
    if mark["kind"] not in marks.HEADINGS:
        return ""
    return say("{heading}: {words}.", heading=mark["heading"], words=mark["words"])


def _height(seconds: float):
    """How high the bar of a thought is, of 10."""
    return 10 * min(1, seconds / TALLEST) ** 0.5


def controls(shown, sight, move: int, marked):
    """The links that step through the match, each with its key; at an end of the match without an address.

    marked: the indexes of the moves that are marked.
    """
    starts = [deal.start for deal in shown.deals]
    end = shown.last + shown.hides  # what comes after the deal is on another page
    steps = [
        ("deal-back", say("Previous {deal}", deal=shown.deal_word), "↑", "skip-back", _before(starts, move)),
        ("deal-on", say("Next {deal}", deal=shown.deal_word), "↓", "skip-forward", _after(starts, move, end)),
        ("first", say("Start of the match"), say_in("key", "Home"), "chevron-first", 0),
        ("trick-back", say("Previous trick"), say_in("key", "Shift ←"), "chevrons-left", _before(shown.stops, move)),
        ("back", say("Previous move"), "←", "chevron-left", max(move - 1, 0)),
        ("on", say("Next move"), "→", "chevron-right", min(move + 1, end)),
        ("trick-on", say("Next trick"), say_in("key", "Shift →"), "chevrons-right", _after(shown.stops, move, end)),
        ("last", _last_words(shown), say_in("key", "End"), "chevron-last", shown.last),
        ("mark-back", say("Previous mark"), "p", "chevrons-left", _before(marked, move, move)),
        ("mark-on", say("Next mark"), "n", "chevrons-right", _after(marked, move, move)),
    ]
    return {
        name.replace("-", "_"): {
            "name": name,
            "words": words,
            "key": key,
            "icon": icon,
            "url": address(shown, sight, to) if to != move else "",
        }
        for name, words, key, icon, to in steps
    }


def _last_words(shown) -> str:
    if shown.hides:
        return say("End of this {deal}", deal=shown.deal_word)
    return say("End of the match" if shown.over else "Latest move")


def _before(stops, move: int, start: int = 0):
    return max((other for other in stops if other < move), default=start)


def _after(stops, move: int, end):
    return min((other for other in stops if other > move), default=end)


def data(shown, sight, move: int, found) -> dict[str, Any]:
    """What scripts know of the match. found: as `timeline` makes it."""
    return {
        "move": move,
        "last": shown.last,
        "hides": shown.hides,
        "blind": sight.blind,
        "seat": sight.seat,
        "beside": sight.beside,
        "open": sight.open,
        "over": shown.over,
        "can_open": shown.can_open,
        "deal_word": str(shown.deal_word),
        "deals": [deal._asdict() for deal in shown.deals],
        "marks": [[mark["move"], mark["kind"], _said_besides(mark)] for mark in found["marks"]],
        "mistakes": [mark["move"] for mark in found["marks"] if mark["kind"] == "mistake"],
        "times": [round(min(took, LONGEST), 1) for took in shown.times],
    }
