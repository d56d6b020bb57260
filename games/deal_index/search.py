"""Search a player's matches, and the deals in them."""

import re
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
from accounts.names import search_key
from accounts.people.online import hides_presence
from games.catalog import get_game
from games.deal_index.answered import deals_in, pattern, questions_hash
from games.deal_index.hits import Deals
from games.deal_index.models import BY_LENGTH, PlayedMatch, SeatFacts
from games.history.lists import SEATS, Line, match_line
from games.kit.facts import HAND, Answer, Question
from games.models import Match, Seat, counting
from games.notes.models import Note, Tag
from games.notes.notebook import notes_on

PAGE = 25  # Matches per page.
COUNT_LIMIT = 1_000  # The most matches or deals that are counted.
OLDER_ANSWERS = -1  # Marks matches with answers to older questions, where other rows have the index of a search.

# The lookups of a filter: on PlayedMatch for finished matches, on Seat for matches in progress.
PLAYED_LOOKUPS = {
    "before": "match_id__lt",
    "began_at": "began_at",
    "game": "game",
    "seats": "seats",
    "speed": "speed__in",
    "place": "finish",
    "margin_from": "margin__gte",
    "margin_to": "margin__lte",
    "deals_from": "deals__gte",
    "deals_to": "deals__lte",
}
SEAT_LOOKUPS = {
    "before": "match_id__lt",
    "began_at": "match__created_at",
    "game": "match__game",
    "seats": "match__seat_count",
    "speed": "match__speed__in",
}
# Only finished matches have these.
RESULT_FILTERS = ("place", "margin_from", "margin_to", "deals_from", "deals_to", "ended", "ahead")
type Filters = Mapping[str, Any]  # the cleaned data of a filter form: see `search`


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


RESULTS = {"won": {"finish": 1}, "lost": {"finish__gt": 1}, "over": {}}


def search(user: User, filters: Filters, *, own: bool, apart: frozenset[int] = frozenset()) -> Page:
    """Return one page of a search among the matches that a user has played, newest first.

    filters: the cleaned data of the search form. Its "answers" are pairs of a Question about a deal and an Answer. If
    there are any, the page has the matches with a deal of which all are true, and the numbers of these deals. Answers
    about a seat must be true of one seat, which "who" selects. "options" are (game slug, option, value).
    own: whether the reader is the user. Others do not see all unfinished matches (see `_running_conditions`), and
    none with a player in `apart` (keys of users).
    A page starts at a match, not at a count, so later pages are as fast as the first.
    """
    results, last = _find_batch(user, filters, own)  # last: the last match searched, None if there are no more.
    deals_by_match = dict(results[:PAGE])
    matches = Match.objects.filter(pk__in=deals_by_match).order_by("-id").prefetch_related(SEATS)
    notes = notes_on(user, list(deals_by_match)) if own else {}
    lines: list[MatchLine] = [
        {
            **match_line(match, user),
            "deals": deals_by_match[match.pk] or [],
            "note": notes.get(match.pk),
        }
        for match in matches
    ]
    older = lines[-1]["code"] if len(results) > PAGE else ""  # The next page starts after this match.
    if last and not older:  # The batch ended early: the last matches had no matching deals.
        older = Match.objects.values_list("code", flat=True).get(pk=last)
    return {
        "lines": [line for line in lines if line["over"] or not line["people"] & apart],
        "older": older,
        "matches": len(results),
        "deals": sum(len(deals or ()) for _, deals in results) if filters["answers"] else None,
        "more": last is not None,
    }


def batches(user: User, filters: Filters, *, own: bool) -> Iterator[Deals]:
    """Yield all results of a search among a user's matches, in lists of at most PAGE.

    A result is the key of a match, and the numbers of the deals that the search has found in it. The numbers are None
    if the search asks nothing about deals. own: whether the reader is the user.
    """
    last: int | None = -1  # The match after which the search goes on. -1 only lets the loop begin.
    while last:
        results, last = _find_batch(user, filters, own)
        for start in range(0, len(results), PAGE):
            yield results[start : start + PAGE]
        filters = {**filters, "before": last}


def counts(user: User, searches: Sequence[Filters]) -> list[int]:
    """Return the number of results of each of several searches among a user's own matches.

    A search with "answers", which must be true of a deal, counts deals. Any other search counts matches. One query
    counts for all searches, because each query costs time. Matches whose stored answers are out of date need more
    queries. Of these only the newest COUNT_LIMIT count.
    """
    deal_searches = {index: filters for index, filters in enumerate(searches) if filters["answers"]}
    games = sorted({filters["game"] for filters in deal_searches.values()})
    querysets = _with_older_answers(user, games) if games else []
    for index, filters in enumerate(searches):
        querysets += _count_querysets(user, filters, index)
    totals = [0] * len(searches)
    older_matches: list[int] = []
    for label, number in querysets[0].union(*querysets[1:], all=True) if querysets else ():
        if label == OLDER_ANSWERS:
            older_matches.append(number)  # Here the number is the key of a match.
        else:  # The label is the index of a search.
            totals[label] += number or 0  # A sum of no rows is None.
    newest = sorted(older_matches)[-COUNT_LIMIT:]
    for index, filters in deal_searches.items() if newest else ():
        totals[index] += _count_by_facts(user, filters, newest)
    return totals


def _count_querysets(user: User, filters: Filters, index: int) -> list[QuerySet[Model]]:
    """Return querysets that together count the results of a search. Each has one row: (index, number).

    index: of the search, to recognize its rows in the union of several searches.
    """
    if not filters["answers"]:
        parts = _match_querysets(user, filters, own=True)
        return [_labelled_total(part, index, Count("match")) for part in parts]
    hits = Sum(_Hits(_deal_expression(filters)))
    parts = _by_length(user, filters, own=True)
    return [_labelled_total(part.filter(_has_all_letters(filters)), index, hits) for part in parts]


def _count_by_facts(user: User, filters: Filters, keys: Sequence[int]) -> int:
    """Count the deals that a search finds in those of some matches whose stored answers are out of date.

    keys: of the matches. Only these need the slow search by facts, for their answers say nothing about new questions.
    """
    matches = PlayedMatch.objects.filter(*_played_conditions(user, filters, own=True), match__in=keys)
    matches = matches.exclude(questions=questions_hash(filters["game"]))  # Their answers are up to date.
    deals_by_match = _search_facts(user, filters, list(matches.values_list("match", flat=True)))
    return sum(map(len, deals_by_match.values()))


def _with_older_answers(user: User, games: Iterable[str]) -> list[QuerySet[PlayedMatch]]:
    """Return querysets of a user's matches of these games that a search can't count yet.

    A match is stored with the answers to all questions that a search can ask about its deals. When a new version asks
    others, a job in the background answers them. Until then the answers are out of date. The rows join a union with
    those of counts, where OLDER_ANSWERS in the first column tells them apart; the second is the key of the match. One
    queryset is for matches whose answers are short enough for the index that holds them, the other for the rest.
    """
    is_current = reduce(or_, (Q(game=game, questions=questions_hash(game)) for game in games))
    older = PlayedMatch.objects.filter(user=user, game__in=games).exclude(is_current)
    return [
        older.filter(part).annotate(asked_as=Value(OLDER_ANSWERS, IntegerField())).values_list("asked_as", "match")
        for part in BY_LENGTH
    ]


def _labelled_total(rows: QuerySet[Model], index: int, number: Func) -> QuerySet[Model]:
    """Return a queryset of one row: the index of a search, and the number of its results.

    The index tells which search a row belongs to, after a union with the rows of other searches.
    rows: the matches that the search finds. number: the aggregate over them, such as Count("match").
    """
    labelled = rows.annotate(asked_as=Value(index, IntegerField()))
    total = labelled.values("asked_as").annotate(found=number)  # All rows have one label, so this makes one group.
    return total.order_by().values_list("asked_as", "found")


class _Hits(Func):
    """The number of deals that a regular expression finds in the letters of a PlayedMatch."""

    function = "REGEXP_COUNT"
    output_field = IntegerField()

    def __init__(self, expression: str) -> None:
        super().__init__(F("letters"), Value(expression, TextField()))


def define_hits(sender: object, connection: BaseDatabaseWrapper, **_: object) -> None:
    """Define the function REGEXP_COUNT(text, expression) in SQLite, which lacks it. PostgreSQL has it.

    It counts what a regular expression finds in a text: here each find is a deal. Django's signal
    `connection_created` calls this for every new connection.
    """
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            "REGEXP_COUNT", 2, lambda text, expression: len(deals_in(text, expression)), deterministic=True
        )


def _find_batch(user: User, filters: Filters, own: bool) -> tuple[Deals, int | None]:
    """Search a user's matches, or the deals in them if the filters have answers. Stop at COUNT_LIMIT, to limit memory.

    Return two values. The first has the results, newest first: the key of each match, and the numbers of its deals
    (None without answers). The second is the key of the last match that was searched, to go on from there, or None if
    there are no more. own: whether the reader is the user.
    """
    return _find_deals(user, filters, own) if filters["answers"] else _find_matches(user, filters, own)


def _find_matches(user: User, filters: Filters, own: bool) -> tuple[Deals, int | None]:
    """Search a user's matches, and return at most COUNT_LIMIT as pairs (key, None), the newest first.

    None stands where a search for deals has their numbers. Return also the key of the last match if there are more,
    else None. own: whether the reader is the user.
    """
    parts = [part.order_by().values_list("match_id") for part in _match_querysets(user, filters, own)]
    if not parts:
        return [], None
    rows = parts[0].union(*parts[1:], all=True)
    keys = [match for (match,) in rows.order_by("-match_id")[: COUNT_LIMIT + 1]]  # One more shows that there are more.
    last = keys[COUNT_LIMIT - 1] if len(keys) > COUNT_LIMIT else None
    return [(match, None) for match in keys[:COUNT_LIMIT]], last


def _match_querysets(user: User, filters: Filters, own: bool) -> list[QuerySet[Model]]:
    """Return the querysets that together find the matches of a search: finished ones, and matches in progress.

    The first are rows of PlayedMatch, the others of Seat. Leave out a queryset that could find nothing, as when the
    search is for matches in progress only. own: whether the reader is the user.
    """
    parts: list[QuerySet[Model]] = []
    if filters["result"] != "running":
        parts.append(PlayedMatch.objects.filter(*_played_conditions(user, filters, own)))
    # A match in progress has no result, no margin and no final place.
    needs_result = filters["result"] in RESULTS or any(filters[name] not in (None, "") for name in RESULT_FILTERS)
    if not needs_result:
        parts.append(Seat.objects.filter(*_running_conditions(user, filters, own)))
    return parts


def _find_deals(user: User, filters: Filters, own: bool) -> tuple[Deals, int | None]:
    """Search the deals in a user's matches, and return the numbers of about COUNT_LIMIT of them, by match.

    Return pairs (key of the match, numbers of its deals), newest first, and the key of the last match that was
    searched, or None if there are no more. Each match is stored with `letters`, a text that encodes what is true of
    its deals: a regular expression finds the deals in it. own: whether the reader is the user.
    """
    game, expression = filters["game"], _deal_expression(filters)
    fits = _has_all_letters(filters) & Q(letters__regex=expression)
    is_outdated = ~Q(questions=questions_hash(game))  # The letters answer older questions.
    # None for those matches. Their deals are searched by their facts instead.
    current_letters = Case(
        When(questions=questions_hash(game), then=F("letters")), default=Value(None), output_field=TextField()
    )
    short, long = (
        part.filter(fits | is_outdated).order_by().values_list("match_id", current_letters)
        for part in _by_length(user, filters, own)
    )
    # One more shows that there are more.
    rows = list(short.union(long, all=True).order_by("-match_id")[: COUNT_LIMIT + 1])
    deals_of_outdated = _search_facts(user, filters, [match for match, letters in rows if letters is None])
    results: list[tuple[int, list[int]]] = []
    deal_count = 0
    for match, letters in rows[:COUNT_LIMIT]:
        deals = deals_of_outdated.get(match, []) if letters is None else deals_in(letters, expression)
        deal_count += len(deals)
        if deal_count > COUNT_LIMIT and results:
            return results, results[-1][0]  # The next search begins with `match`.
        if deals:
            results.append((match, deals))
    return results, rows[COUNT_LIMIT - 1][0] if len(rows) > COUNT_LIMIT else None


def _deal_expression(filters: Filters) -> str:
    """Return the regular expression that finds the deals of a search in the letters (encoded answers) of a match."""
    return pattern(get_game(filters["game"]), filters["answers"], filters["who"])[1]


def _by_length(user: User, filters: Filters, own: bool) -> list[QuerySet[PlayedMatch]]:
    """Return two querysets of a user's finished matches that fit the filters, except the filters about deals.

    The column `letters` is a text that says what is true of each deal. The first queryset has the matches where it is
    short enough for an index, the second has the others. So the database can use an index for the first.
    own: whether the reader is the user.
    """
    matches = PlayedMatch.objects.filter(*_played_conditions(user, filters, own))
    return [matches.filter(part) for part in BY_LENGTH]


def _has_all_letters(filters: Filters) -> Q:
    """Return a condition on a match: each answer of a search is true of some deal, perhaps of different deals.

    The database tests this faster than the regular expression, which then finds the deals with all answers at once.
    The condition is false for matches whose stored answers are to older questions of the game.
    """
    letters, _ = pattern(get_game(filters["game"]), filters["answers"], filters["who"])
    # Concat adds nothing, but keeps PostgreSQL from the index on questions, which holds the rows of all users.
    is_current = Exact(Concat("questions", Value("")), questions_hash(filters["game"]))
    return Q(is_current, *(Q(letters__contains=answer) for answer in letters))


def _search_facts(user: User, filters: Filters, matches: Sequence[int]) -> dict[int, list[int]]:
    """Search the deals of some matches by their stored facts. Return {match: [deal number]}, the last deal first.

    This is slow, so it is only for matches whose stored answers are to older questions. matches: their keys.
    The filter "who" says of whose seat the answers must be true: the user's own (""), a partner's, an opponent's or
    anybody's.
    """
    if not matches:
        return {}
    # Arguments for `filter`, such as {"deal__facts__trump": "H"} and {"points__gte": 10}.
    deal_lookups: dict[str, object] = {}
    seat_lookups: dict[str, object] = {}
    cards = Q()
    for question, answer in filters["answers"]:
        if question is HAND:
            cards &= Q(facts__hand__iregex=rf'(^|[" ]){re.escape(answer.value)}([" ]|$)')
            continue
        lookups = seat_lookups if question.of_seat else deal_lookups
        lookups[_lookup_of(question, answer)] = answer.value
    rows = SeatFacts.objects.filter(seat__user=user, seat__match__in=matches, **deal_lookups)
    if not (seat_lookups or cards) or not filters["who"]:  # The answers about a seat must be true of the user.
        rows = rows.filter(cards, **seat_lookups)
    else:  # They must be true of another seat in the same deal, or of any seat.
        somebody = SeatFacts.objects.filter(cards, deal=OuterRef("deal"), **seat_lookups)
        if filters["who"] == "partner":
            somebody = somebody.filter(seat__team=OuterRef("seat__team")).exclude(seat=OuterRef("seat"))
        elif filters["who"] == "opponent":
            somebody = somebody.filter(_is_opponent("seat__", "seat__team")).exclude(seat=OuterRef("seat"))
        rows = rows.filter(Exists(somebody))
    by_match: dict[int, list[int]] = {}
    for match, deal in rows.order_by("-deal__number").values_list("seat__match_id", "deal__number"):
        by_match.setdefault(match, []).append(deal)
    return by_match


def _lookup_of(question: Question, answer: Answer) -> str:
    """Return the lookup in SeatFacts that tests an answer to a question about a deal, such as "points__gte"."""
    column = question.fact if question.fact in ("points", "score") else f"facts__{question.fact}"
    prefix = "" if question.of_seat else "deal__"
    ending = "" if answer.compared == "exact" else f"__{answer.compared}"
    return f"{prefix}{column}{ending}"


def _is_opponent(prefix: str, own_team: str) -> Q:
    """Return the condition that a seat is an opponent of the user: it has no team, or another team.

    It is for a subquery about seats. prefix: the path to the seat in it, such as "seat__". own_team: the column of the
    outer query with the user's team.
    """
    return Q(**{f"{prefix}team__isnull": True}) | ~Q(**{f"{prefix}team": OuterRef(own_team)})


def _played_conditions(user: User, filters: Filters, own: bool) -> list[Q]:
    """Return the conditions that find the finished matches of a search among the rows of PlayedMatch.

    own: whether the reader is the user.
    """
    condition = Q(user=user, **RESULTS.get(filters["result"], {}))
    if filters["result"] == "running":
        condition &= Q(pk__in=[])  # A finished match is not in progress.
    for name, yes in (("rated", "yes"), ("left", "yes"), ("bots", "with")):
        if filters[name]:  # "" means any.
            condition &= Q(**{name: filters[name] == yes})
    if filters["ended"]:
        begins, ends = filters["ended"]
        condition &= Q(match__ended_at__gte=begins, match__ended_at__lt=ends)
    if filters["ahead"]:
        others = PlayedMatch.objects.filter(match=OuterRef("match_id"), finish__gt=OuterRef("finish"))
        condition &= Q(Exists(others.filter(user__search_name=search_key(filters["ahead"]))))
    return [condition, *_common_conditions(user, filters, own, PLAYED_LOOKUPS, PlayedMatch.objects.all())]


def _running_conditions(user: User, filters: Filters, own: bool) -> list[Q]:
    """Return the conditions that find the matches in progress of a search among the rows of Seat.

    own: whether the reader is the user. Others find only listed matches, and none if the user hides their presence.
    """
    condition = Q(counting("match__"), user=user, finish=None)
    conditions = [condition, Q(match__status__in=Match.RUNNING)]
    if not own:
        conditions.append(Q(pk__in=[]) if hides_presence(user) else Q(match__listed=True))
    if filters["rated"]:
        conditions.append(Q(match__rated=filters["rated"] == "yes"))
    seats = Seat.objects.filter(match=OuterRef("match_id"))
    if filters["bots"]:
        # A bot that took over the seat of somebody who left does not count, but the program of a user does.
        has_bots = Exists(seats.filter(~Q(bot="") & Q(left_at=None) | Q(user__is_program=True)))
        conditions.append(has_bots if filters["bots"] == "with" else ~has_bots)
    if filters["left"]:
        was_left = Exists(seats.filter(left_at__isnull=False))
        conditions.append(was_left if filters["left"] == "yes" else ~was_left)
    return conditions + _common_conditions(user, filters, own, SEAT_LOOKUPS, Seat.objects.all())


def _lookups(filters: Filters, columns: Mapping[str, str]) -> dict[str, object]:
    """Return arguments for the method `filter`, one for each filter with a value. columns: the lookups by filter."""
    return {column: filters[name] for name, column in columns.items() if filters.get(name) not in (None, "", [])}


def _common_conditions(
    user: User, filters: Filters, own: bool, columns: Mapping[str, str], others: QuerySet[Model]
) -> list[Q]:
    """Return the conditions that a search has for finished matches and for matches in progress alike.

    columns: by the name of a filter, its lookup in the searched model (PlayedMatch or Seat). others: all rows of that
    model. There is one for each player of a match, so they show who the user's partners and opponents are.
    own: whether the reader is the user. Only they can search their notes.
    """
    conditions = [Q(**_lookups(filters, columns))]
    if filters["since"]:
        conditions.append(Q(**{f"{columns['began_at']}__gte": filters["since"]}))
    if filters["until"]:
        conditions.append(Q(**{f"{columns['began_at']}__lt": filters["until"]}))
    for game, option, value in filters["options"]:
        conditions.append(Q(**{columns["game"]: game, f"match__options__{option}": value}))
    players = others.filter(match=OuterRef("match_id"))
    # By filter, the condition on another player, whose name the filter has as its value.
    sides = {"player": Q(), "partner": Q(team=OuterRef("team")), "against": _is_opponent("", "team")}
    for name, side in sides.items():
        if filters[name]:
            conditions.append(Exists(players.filter(side, user__search_name=search_key(filters[name]))))
    return conditions + (_note_conditions(user, filters) if own else [])


def _note_conditions(user: User, filters: Filters) -> list[Q]:
    """Return the conditions on the user's own notes about a match: a star, a tag, or words of the text."""
    notes = Note.objects.filter(user=user, match=OuterRef("match_id"))
    conditions = []
    if filters.get("starred"):
        conditions.append(Exists(notes.filter(starred=True)))
    if filters.get("tag"):
        tags = Tag.objects.filter(name=filters["tag"].strip().lower())
        conditions.append(Exists(notes.filter(Exists(tags.filter(note=OuterRef("pk"))))))
    if filters.get("noted"):
        conditions.append(Exists(notes.filter(search_text__contains=search_key(filters["noted"]))))
    return conditions
