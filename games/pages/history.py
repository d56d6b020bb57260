"""The lists of matches: the user's own, with notes and filters, and public profiles."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from operator import itemgetter
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse

from accounts.models import User
from accounts.names import casefold
from accounts.next_page import next_url
from accounts.people.blocks import apart_from
from accounts.people.ties import friends_of, relation
from accounts.renaming import find_by_past_name
from accounts.sorting import sort_key
from games.analysis.accuracies import accuracies_in, recent_accuracies
from games.catalog import deal_words, game_name
from games.deal_index import played, taking
from games.deal_index.hits import hits_of
from games.deal_index.search import search
from games.history import lists, people
from games.kit.analysis import ACCURACIES, PERFECT
from games.kit.facts import of_unit
from games.kit.language import lazy, say, say_count
from games.models import Match
from games.notes import notebook
from games.notes.models import TEXT
from games.pages.filters import DEAL_PREFIX, FilterForm, saved_filters
from games.pages.refusals import NO_SUCH_PLAYER, NotHere, act, first_of, page
from games.play import vacations
from games.play.completion import completion_of
from games.play.errors import NO_SUCH_MATCH, Refused
from games.play.requests import clean_count
from games.ratings.boards import hides_ratings, ratings_of
from games.ratings.graph import draw_graph
from games.statistics.figures import partners
from games.statistics.privacy import visible_parts
from games.tallies.lists import in_history

NOTHING: dict[str, Any] = {"lines": [], "older": "", "matches": 0, "deals": None, "more": False}
MAX_QUERY = 4000  # No form of ours sends a longer query of filters.


@page("history", needs_login=True)
def my_matches(request: HttpRequest) -> HttpResponse:
    return _history_page(request, request.user)


@page("history", needs_login=True)
def next_table(request: HttpRequest) -> HttpResponse:
    """Redirect to the next table that waits for the user, after the table with the code "after"."""
    codes = lists.waiting_tables(request.user, after=request.GET.get("after", ""))
    if codes:
        return redirect("match", codes[0])
    messages.info(request, say("No other table waits for you."))
    return redirect("lobby")


@act()
def vacation(request: HttpRequest) -> HttpResponse:
    """Begin a vacation of this number of "days", or end it if the field is missing."""
    if "days" in request.POST:
        vacations.begin(request.user, clean_count(request.POST["days"]))
    else:
        vacations.end(request.user)
    return redirect("my_matches")


@page("history")
def profile(request: HttpRequest, name: str) -> HttpResponse:
    user, present = member_of(name)
    if not present:
        query = request.GET.urlencode()
        return redirect(f"{user.get_absolute_url()}?{query}" if query else user)
    return _history_page(request, user)


def member_of(name: str) -> tuple[User, bool]:
    """Return a member by their present or a recent former name, and whether it is the present one.

    Capitals and small letters count as equal. Raises NotHere.
    """
    # PostgreSQL refuses a text with a zero byte.
    if "\0" not in name:
        if user := User.objects.filter(casefolded_name=casefold(name), is_guest=False).first():
            return user, True
        if user := find_by_past_name(name):
            return user, False
    raise NotHere(NO_SUCH_PLAYER)


@page("download", needs_login=True)
def records(request: HttpRequest) -> HttpResponseBase:
    """Send the records of the finished matches that the filters allow, one JSON document per line."""
    return _stream_download(request, taking.records, "application/jsonl", "valat-matches.jsonl")


@page("download", needs_login=True)
def facts(request: HttpRequest) -> HttpResponseBase:
    """Send a CSV file with facts about the deals of one game that the filters allow. It has a line for each seat."""
    if not request.GET.get("game"):
        raise Refused(lazy("Choose a game first: each has facts of its own."))
    return _csv_download(request, taking.facts, "valat-deals.csv")


@page("download", needs_login=True)
def sheets(request: HttpRequest) -> HttpResponseBase:
    """Send the score sheets of the finished matches that the filters allow, with a line for each deal."""
    return _csv_download(request, taking.sheets, "valat-sheets.csv")


def _csv_download(request: HttpRequest, lines: Callable[..., Iterator[str]], name: str) -> HttpResponseBase:
    form = taking.csv_form(request.GET.get("csv", ""))
    return _stream_download(request, partial(lines, form=form), taking.CSV, name)


def _stream_download(
    request: HttpRequest, lines: Callable[[User, dict[str, object]], Iterator[str]], content_type: str, name: str
) -> HttpResponseBase:
    form = FilterForm(request.GET)
    if not form.is_valid():
        return render(request, "history/history.html", {"form": form, "owner": request.user}, status=400)
    response = StreamingHttpResponse(taking.stream(lines(request.user, form.criteria)), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _history_page(request: HttpRequest, user: User) -> HttpResponse:
    own = user == request.user
    form = FilterForm(request.GET, owner="" if own else user.username)
    if not form.is_valid():
        return render(request, "history/history.html", {"form": form, "owner": user}, status=400)
    apart = frozenset() if own else apart_from(request.user)
    is_other_person = request.user.is_authenticated and not own and not user.is_program
    at_tables, online = form.cleaned_data.get("where") == "table", form.cleaned_data.get("where") == "online"
    page: Mapping[str, Any] = NOTHING if at_tables else search(user, form.criteria, own=own, apart=apart)
    hits = hits_of(user, {line["code"]: line["deals"] for line in page["lines"]}, with_cards=own)
    accuracies = accuracies_in(user, [line["code"] for line in page["lines"]]) if own else {}
    if own and not online:
        page = _with_tallies(user, form, page)
    results = played.results(user)
    filters = _query_without(request.GET, "before", *(request.GET.keys() - form.fields.keys()))
    older = filters.copy()
    older["before"] = page["older"]
    words = deal_words(form.cleaned_data["game"])
    context = {
        **page,
        "form": form,
        "lines": [
            line | {"hits": hits.get(line["code"], []), "accuracy": accuracies.get(line["code"])}
            for line in page["lines"]
        ],
        "owner": user,
        "deals_word": words.many,
        "count_words": _count_words(page["matches"], page["deals"], words.unit, page["more"]),
        "results": results,
        "completion": completion_of(user),
        "ratings": [] if not own and hides_ratings(user) else ratings_of(user),
        "accuracy": _accuracy_context(request.user, user),
        "vacation": vacations.vacation_of(user),
        "vacation_days": range(1, vacations.days_left(user) + 1),
        "own": user == request.user,
        "partners": (with_names := partners(user)),
        "known_names": _known_names(request.user, [name for name, *_ in with_names] if own else []),
        "relation": relation(request.user, user) if is_other_person else None,
        "may_invite": is_other_person and people.may_invite(request.user, user),
        "filters": [
            {"sentence": sentence, "query": _query_without(filters, *_dependent_fields(name, filters)).urlencode()}
            for name, sentence in form.sentences
        ],
        "present_query": filters.urlencode(),
        "address": f"{request.path}?{filters.urlencode()}" if filters else request.path,
        "csv_query": f"{filters.urlencode()}&" if filters else "",  # The form of the file follows.
        "saved": saved_filters(user) if own else [],
        "older_query": older.urlencode() if page["older"] else "",
    }
    return render(request, "history/history.html", context)


def _accuracy_context(reader: User | AnonymousUser, user: User) -> dict[str, object] | None:
    """Return the accuracy of a player in their latest analysed matches: the mean, a graph, and a line for each.

    Return None if there are none, or if the player does not show the reader how their deals went.
    """
    matches = recent_accuracies(user)
    if not matches or "deals" not in visible_parts(reader, user):
        return None
    figures = [match.accuracy for match in matches]
    return {
        "mean": round(sum(figures) / len(figures)),
        "each": {"perfect": PERFECT, **ACCURACIES},
        "graph": draw_graph(figures, matches[0].ended_at, matches[-1].ended_at) if len(figures) > 1 else None,
        "lines": [match._asdict() | {"game": game_name(match.game)} for match in reversed(matches)],
    }


def _with_tallies(user: User, form: FilterForm, page: Mapping[str, Any]) -> dict[str, Any]:
    """Return a page of matches with the finished tallies that ended between its first match and the next page."""
    before, lines = form.cleaned_data.get("before"), page["lines"]
    since = lines[-1]["date"] if lines and page["older"] else None
    until = lines[0]["date"] if lines and before else None
    tallies = in_history(user, form.criteria, since, until)
    merged = sorted([*lines, *tallies], key=itemgetter("date"), reverse=True)
    return {**page, "lines": merged, "matches": page["matches"] + len(tallies)}


def _known_names(user: User, partners: list[str]) -> list[str]:
    """Return the names to suggest in filters: of the reader's friends and partners."""
    friends = friends_of(user).values_list("username", flat=True) if user.is_authenticated else ()
    return sorted({*friends, *partners}, key=sort_key)


def _count_words(matches: int, deals: int | None, unit: str, more: bool) -> str:
    """Return how much a search has found as a sentence: "12 matches.", "More than 500 hands in 90 matches."

    deals: their number, None if only matches are counted. unit: the word for deals in the game, as a key of
    facts.COUNTED. more: whether there are more results than these.
    """
    places = {"figure": intcomma(matches)}
    if deals is None:
        if more:
            return say_count(matches, "More than {figure} match.", "More than {figure} matches.", **places)
        return say_count(matches, "{figure} match.", "{figure} matches.", **places)
    places["deals"] = of_unit(deals, unit, intcomma(deals))
    if more:
        one, many = "More than {deals} in {figure} match.", "More than {deals} in {figure} matches."
    else:
        one, many = "{deals} in {figure} match.", "{deals} in {figure} matches."
    return say_count(matches, one, many, **places)


def _query_without(query: QueryDict, *names: str) -> QueryDict:
    """Return a copy of the fields of an address without these names and without empty fields."""
    query = query.copy()
    empty_names = [name for name, value in query.items() if not value]
    for name in [*names, *empty_names]:
        query.pop(name, None)
    return query


def _dependent_fields(name: str, filters: Mapping[str, str]) -> list[str]:
    """Return the names of the fields to remove when a filter is removed: its own, and those that depend on it.

    Only the game has fields that depend on it: its options and the questions about its deals. filters: all fields.
    """
    if name != "game":
        return [name]
    option_prefix = f"{filters['game']}."
    dependent_names = [other for other in filters if other.startswith((DEAL_PREFIX, option_prefix))]
    return [name, "who", *dependent_names]  # "who" is the player that the questions are about.


@page("act", needs_login=True, posts=True)
def note(request: HttpRequest, code: str) -> HttpResponse:
    """Show the user's note on one of their matches. By POST, save it."""
    match = _own_match(request.user, code)
    if request.method == "POST":
        data = request.POST
        notebook.note(
            request.user,
            match,
            starred="starred" in data,
            text=data.get("text", "").replace("\r\n", "\n"),
            tags=data.get("tags", ""),
        )
        messages.success(request, say("Noted."))
        return HttpResponseRedirect(next_url(request) or match.get_absolute_url())
    context = {"match": match, "note": notebook.note_of(request.user, match), "longest": TEXT}
    return render(request, "history/note.html", context | {"tags": notebook.tags_of(request.user)})


@act()
def star(request: HttpRequest, code: str) -> HttpResponse:
    """Give one of the user's matches a star. With "off", remove it."""
    notebook.star(request.user, _own_match(request.user, code), starred="off" not in request.POST)
    return HttpResponseRedirect(next_url(request) or resolve_url("my_matches"))


@act()
def save_filter(request: HttpRequest) -> HttpResponse:
    """Save the filters of a list of matches, which are the "query" of its address, under a "name"."""
    query = request.POST.get("query", "")
    fields = QueryDict(query if len(query) <= MAX_QUERY else "").copy()
    fields.pop("before", None)  # This is the place in the list, not a filter.
    if not FilterForm(fields).is_valid():
        raise Refused(lazy("These filters can’t be read. Go back and change them."))
    saved = notebook.save_filter(request.user, request.POST.get("name", ""), fields.urlencode())
    messages.success(request, say("Saved as “{name}”.", name=saved.name))
    return redirect(f"{reverse('my_matches')}?{saved.query}")


@act()
def delete_filter(request: HttpRequest) -> HttpResponse:
    notebook.delete_filter(request.user, clean_count(request.POST.get("filter", "")))
    return redirect("my_matches")


def _own_match(user: User, code: str) -> Match:
    return first_of(Match.objects.filter(code=code, seats__user=user, guide=False), NO_SUCH_MATCH)
