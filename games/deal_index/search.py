"""Search a player's matches, and the deals in them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, TypedDict

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Func,
    IntegerField,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Concat
from django.db.models.lookups import Exact

from accounts.models import User
from accounts.names import casefold
from accounts.people.online import hides_presence
from games.catalog import get_game
from games.deal_index.answered import deals_in, definition, pattern
from games.deal_index.models import BY_LENGTH, PlayedMatch, SeatFacts
from games.history.lists import SEATS, Line, match_line
from games.models import Match, Seat, counting
from games.notes.models import Note, Tag
from games.notes.notebook import notes_on

PAGE = 25  # Matches per page.
COUNTED = 1_000  # The most matches or deals that are counted.
OLDER = -1  # Marks matches with answers to older questions, where other rows have the index of a search.

# The lookups of a filter: on PlayedMatch for finished matches, on Seat for matches in progress.
OF_PLAYED = {
    "before": "match_id__lt",
    "began_at": "began_at",
    "game": "game",
    "seats": "seats",
    "speed": "speed",
    "place": "finish",
    "margin_from": "margin__gte",
    "margin_to": "margin__lte",
    "deals_from": "deals__gte",
    "deals_to": "deals__lte",
}
OF_SEAT = {
    "before": "match_id__lt",
    "began_at": "match__created_at",
    "game": "match__game",
    "seats": "match__seat_count",
    "speed": "match__speed",
}
OF_RESULTS = ("place", "margin_from", "margin_to", "deals_from", "deals_to")  # Only finished matches have these.
type Filters = Mapping[str, Any]  # the cleaned data of a filter form: see `search`
type Deals = Sequence[tuple[int, list[int] | None]]  # the key of each match, and the numbers of its matching deals


class MatchLine(Line):
    """A match on a page of results. deals: the numbers of its matching deals. note: the user's own."""

    deals: list[int]
    note: Note | None


class Page(TypedDict):
    """A page of results."""

    lines: list[MatchLine]
    older: str  # the code of the match before which the next page starts, or ""
    matches: int  # from this page on
    deals: int | None  # from this page on; None if the filters have no answers
    more: bool  # whether the count stopped early


RESULTS = {"won": {"finish": 1}, "lost": {"finish__gt": 1}}


def search(user: User, filters: Filters, *, own: bool, apart: frozenset[int] = frozenset()) -> Page:
    """Return a page of a user's matches, newest first.

    filters: the cleaned data of a filter form, with "options" [(game slug, option, value)] and "answers", pairs of a
    Question and an Answer. All answers must be true of one deal, and of one seat in it, which "who" selects. "since"
    and "until" are the start of the first day and the end of the last.
    own: whether the reader is the user. Other readers do not see unfinished matches that are unlisted, that have a
    player who hides their presence, or that have a player in `apart` (keys of users).

    It takes three queries, and two more for notes. Later pages cost no more, because a page starts at a match, not at
    a count.
    """
    by_match, last = _find(user, filters, own)
    deals_by_match = dict(by_match[:PAGE])
    matches = Match.objects.filter(pk__in=deals_by_match).order_by("-id").prefetch_related(SEATS)
    notes = notes_on(user, list(deals_by_match)) if own else {}
    lines: list[MatchLine] = [
        {**match_line(match, user), "deals": deals_by_match[match.pk] or [], "note": notes.get(match.pk)}
        for match in matches
    ]
    older = lines[-1]["code"] if len(by_match) > PAGE else ""
    if last and not older:  # The batch ended early: the last matches had no matching deals.
        older = Match.objects.values_list("code", flat=True).get(pk=last)
    return {
        "lines": [line for line in lines if line["over"] or not line["people"] & apart],
        "older": older,
        "matches": len(by_match),
        "deals": sum(len(deals or ()) for _, deals in by_match) if filters["answers"] else None,
        "more": last is not None,
    }


def batches(user: User, filters: Filters, *, own: bool) -> Iterator[Deals]:
    """Yield the results, PAGE matches at a time, with None for all deals of a match."""
    last: int | None = -1
    while last:
        by_match, last = _find(user, filters, own)
        for start in range(0, len(by_match), PAGE):
            yield by_match[start : start + PAGE]
        filters = {**filters, "before": last}


def counts(user: User, searches: Sequence[Filters]) -> list[int]:
    """Count the results of several searches in a user's own matches: deals if the search has answers, else matches.

    This takes one query, and a few more while some matches have answers
    to older questions. Of these only the newest COUNTED are searched.
    """
    inside = {place: filters for place, filters in enumerate(searches) if filters["answers"]}
    rows = _older(user, sorted({filters["game"] for filters in inside.values()})) if inside else []
    for place, filters in enumerate(searches):
        if place in inside:
            hits = Sum(_Hits(_expression(filters)))
            rows += [
                _tagged(part.filter(_may_fit(filters)), place, hits) for part in _by_length(user, filters, own=True)
            ]
        else:
            rows += [_tagged(part, place, Count("match")) for part in _parts(user, filters, own=True)]
    totals = [0] * len(searches)
    older: list[int] = []
    for place, number in rows[0].union(*rows[1:], all=True) if rows else ():
        if place == OLDER:
            older.append(number)
        else:
            totals[place] += number or 0
    if older:
        newest = sorted(older)[-COUNTED:]
        for place, filters in inside.items():
            matches = PlayedMatch.objects.filter(*_of_played(user, filters, own=True), match__in=newest)
            matches = matches.exclude(questions=definition(filters["game"]))  # These are counted above.
            by_match = _by_facts(user, filters, list(matches.values_list("match", flat=True)))
            totals[place] += sum(map(len, by_match.values()))
    return totals


def _older(user: User, games: Iterable[str]) -> list[QuerySet[PlayedMatch]]:
    """Return querysets of (OLDER, match): matches of these games with answers to older questions."""
    answering = reduce(or_, (Q(game=game, questions=definition(game)) for game in games))
    older = PlayedMatch.objects.filter(user=user, game__in=games).exclude(answering)
    return [
        older.filter(part).annotate(asked_as=Value(OLDER, IntegerField())).values_list("asked_as", "match")
        for part in BY_LENGTH
    ]


def _tagged(rows: QuerySet[Model], place: int, number: Func) -> QuerySet[Model]:
    """Return a queryset of one row: (place, number)."""
    rows = rows.annotate(asked_as=Value(place, IntegerField())).values("asked_as").annotate(found=number)
    return rows.order_by().values_list("asked_as", "found")


class _Hits(Func):
    """The number of deals that a regular expression finds in the letters of a PlayedMatch."""

    function = "REGEXP_COUNT"
    output_field = IntegerField()

    def __init__(self, expression: str) -> None:
        super().__init__(F("letters"), Value(expression, TextField()))


def define_hits(sender: object, connection: BaseDatabaseWrapper, **_: object) -> None:
    """Define in SQLite the function that _Hits calls."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            "REGEXP_COUNT", 2, lambda text, expression: len(deals_in(text, expression)), deterministic=True
        )


def _find(user: User, filters: Filters, own: bool) -> tuple[Deals, int | None]:
    """Return the results, newest first, and the key of the last match searched if there are more.

    The search stops at COUNTED, to limit memory.
    """
    return _deals(user, filters, own) if filters["answers"] else _matches(user, filters, own)


def _matches(user: User, filters: Filters, own: bool) -> tuple[Deals, int | None]:
    """Search for matches. The result is as from `_find`, with None for each list of deals."""
    parts = [part.order_by().values_list("match_id") for part in _parts(user, filters, own)]
    if not parts:
        return [], None
    rows = parts[0].union(*parts[1:], all=True)
    keys = [match for (match,) in rows.order_by("-match_id")[: COUNTED + 1]]
    return [(match, None) for match in keys[:COUNTED]], keys[COUNTED - 1] if len(keys) > COUNTED else None


def _parts(user: User, filters: Filters, own: bool) -> list[QuerySet[Model]]:
    """Return one or both of two querysets: PlayedMatch of finished matches, Seat of matches in progress."""
    parts = [PlayedMatch.objects.filter(*_of_played(user, filters, own))] if filters["result"] != "running" else []
    if filters["result"] not in RESULTS and not any(filters[name] not in (None, "") for name in OF_RESULTS):
        parts.append(Seat.objects.filter(*_of_running(user, filters, own)))
    return parts


def _deals(user: User, filters: Filters, own: bool) -> tuple[Deals, int | None]:
    """Search for deals. The result is as from `_find`. A match has all its matching deals or is not there."""
    game, expression = filters["game"], _expression(filters)
    fits = _may_fit(filters) & Q(letters__regex=expression)
    current_letters = Case(
        When(questions=definition(game), then=F("letters")), default=Value(None), output_field=TextField()
    )
    short, long = (
        part.filter(fits | ~Q(questions=definition(game))).order_by().values_list("match_id", current_letters)
        for part in _by_length(user, filters, own)
    )
    rows = list(short.union(long, all=True).order_by("-match_id")[: COUNTED + 1])
    of_others = _by_facts(user, filters, [match for match, letters in rows if letters is None])
    by_match: list[tuple[int, list[int]]] = []
    number = 0
    for match, letters in rows[:COUNTED]:
        deals = of_others.get(match, []) if letters is None else deals_in(letters, expression)
        number += len(deals)
        if number > COUNTED and by_match:
            return by_match, by_match[-1][0]
        if deals:
            by_match.append((match, deals))
    return by_match, rows[COUNTED - 1][0] if len(rows) > COUNTED else None


def _expression(filters: Filters) -> str:
    return pattern(get_game(filters["game"]), filters["answers"], filters["who"])[1]


def _by_length(user: User, filters: Filters, own: bool) -> list[QuerySet[PlayedMatch]]:
    """Return two querysets of PlayedMatch by the other filters: with short letters, and with long ones."""
    matches = PlayedMatch.objects.filter(*_of_played(user, filters, own))
    return [matches.filter(part) for part in BY_LENGTH]


def _may_fit(filters: Filters) -> Q:
    """Return the condition that a text answers the current questions and contains all the letters.

    The letters may belong to different deals. This is a cheaper test than the regular expression.
    """
    letters, _ = pattern(get_game(filters["game"]), filters["answers"], filters["who"])
    # Concat keeps PostgreSQL from using the index on questions, which holds the rows of all users.
    questions = Exact(Concat("questions", Value("")), definition(filters["game"]))
    return Q(questions, *(Q(letters__contains=answer) for answer in letters))


def _by_facts(user: User, filters: Filters, matches: Sequence[int]) -> dict[int, list[int]]:
    """Search the facts of matches without current answers. Return {match: [deal number]}, the last deal first."""
    if not matches:
        return {}
    of_deal: dict[str, object] = {}
    of_seat: dict[str, object] = {}
    for question, answer in filters["answers"]:
        names = of_seat if question.of_seat else of_deal
        column = question.fact if question.fact in ("points", "score") else f"facts__{question.fact}"
        prefix = "" if question.of_seat else "deal__"
        ending = "" if answer.compared == "exact" else f"__{answer.compared}"
        names[f"{prefix}{column}{ending}"] = answer.value
    rows = SeatFacts.objects.filter(seat__user=user, seat__match__in=matches, **of_deal)
    if not of_seat or not filters["who"]:
        rows = rows.filter(**of_seat)
    else:
        somebody = SeatFacts.objects.filter(deal=OuterRef("deal"), **of_seat)
        if filters["who"] == "partner":
            somebody = somebody.filter(seat__team=OuterRef("seat__team")).exclude(seat=OuterRef("seat"))
        elif filters["who"] == "opponent":
            somebody = somebody.filter(_against("seat__", "seat__team")).exclude(seat=OuterRef("seat"))
        rows = rows.filter(Exists(somebody))
    by_match: dict[int, list[int]] = {}
    for match, deal in rows.order_by("-deal__number").values_list("seat__match_id", "deal__number"):
        by_match.setdefault(match, []).append(deal)
    return by_match


def _against(prefix: str, own_team: str) -> Q:
    """Return the condition that a seat is an opponent. own_team: the column with the team in the outer query."""
    return Q(**{f"{prefix}team__isnull": True}) | ~Q(**{f"{prefix}team": OuterRef(own_team)})


def _of_played(user: User, filters: Filters, own: bool) -> list[Q]:
    """Return the conditions on PlayedMatch, for finished matches."""
    condition = Q(user=user, **RESULTS.get(filters["result"], {}))
    if filters["result"] == "running":
        condition &= Q(pk__in=[])  # A finished match is not in progress.
    for name, yes in (("rated", "yes"), ("left", "yes"), ("bots", "with")):
        if filters[name]:
            condition &= Q(**{name: filters[name] == yes})
    return [condition, *_of_both(user, filters, own, OF_PLAYED, PlayedMatch.objects.all())]


def _of_running(user: User, filters: Filters, own: bool) -> list[Q]:
    """Return the conditions on Seat, for matches in progress."""
    condition = Q(counting("match__"), user=user, finish=None)
    conditions = [condition, Q(match__status__in=Match.RUNNING)]
    if not own:
        conditions.append(Q(pk__in=[]) if hides_presence(user) else Q(match__listed=True))
    if filters["rated"]:
        conditions.append(Q(match__rated=filters["rated"] == "yes"))
    here = Seat.objects.filter(match=OuterRef("match_id"))
    if filters["bots"]:
        bots = Exists(here.filter(~Q(bot="") & Q(left_at=None) | Q(user__is_program=True)))
        conditions.append(bots if filters["bots"] == "with" else ~bots)
    if filters["left"]:
        left = Exists(here.filter(left_at__isnull=False))
        conditions.append(left if filters["left"] == "yes" else ~left)
    return conditions + _of_both(user, filters, own, OF_SEAT, Seat.objects.all())


def _values(filters: Filters, columns: Mapping[str, str]) -> dict[str, object]:
    return {column: filters[name] for name, column in columns.items() if filters.get(name) not in (None, "")}


def _of_both(user: User, filters: Filters, own: bool, columns: Mapping[str, str], others: QuerySet[Model]) -> list[Q]:
    """Return the conditions common to both models. others: all rows of the same model."""
    conditions = [Q(**_values(filters, columns))]
    if filters["since"]:
        conditions.append(Q(**{f"{columns['began_at']}__gte": filters["since"]}))
    if filters["until"]:
        conditions.append(Q(**{f"{columns['began_at']}__lt": filters["until"]}))
    for game, option, value in filters["options"]:
        conditions.append(Q(**{columns["game"]: game, f"match__options__{option}": value}))
    here = others.filter(match=OuterRef("match_id"))
    sides = {"player": Q(), "partner": Q(team=OuterRef("team")), "against": _against("", "team")}
    for name, side in sides.items():
        if filters[name]:
            conditions.append(Exists(here.filter(side, user__casefolded_name=casefold(filters[name]))))
    return conditions + (_of_notes(user, filters) if own else [])


def _of_notes(user: User, filters: Filters) -> list[Q]:
    """Return the conditions on the user's own notes."""
    notes = Note.objects.filter(user=user, match=OuterRef("match_id"))
    conditions = []
    if filters.get("starred"):
        conditions.append(Exists(notes.filter(starred=True)))
    if filters.get("tag"):
        tags = Tag.objects.filter(name=filters["tag"].strip().lower())
        conditions.append(Exists(notes.filter(Exists(tags.filter(note=OuterRef("pk"))))))
    if filters.get("noted"):
        conditions.append(Exists(notes.filter(text__icontains=filters["noted"])))
    return conditions
