"""Somebody's matches: their own list with their notes and filters, the public profile, and the page of friends."""

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpResponseRedirect, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse

from accounts.models import User
from accounts.names import casefold
from accounts.next_page import next_url
from accounts.people.blocks import apart_from
from accounts.people.online import hides_presence
from accounts.people.ties import relation
from accounts.renaming import find_by_past_name
from games.catalog import deal_words
from games.deal_index import played, taking
from games.deal_index.search import search
from games.history import lists, people
from games.kit.facts import of_unit
from games.kit.language import lazy, say, say_count
from games.models import Match
from games.notes import notebook
from games.notes.models import TEXT
from games.pages.filters import INSIDE, FilterForm, saved_filters
from games.pages.refusals import NotHere, act, first_of, page
from games.play import vacations
from games.play.completion import completion_of
from games.play.errors import NO_SUCH_MATCH, Refused
from games.play.requests import clean_count
from games.ratings.boards import hides_ratings, ratings_of
from games.statistics.figures import partners

CSV = "text/csv; charset=utf-8"


@page("history", known=True)
def my_matches(request):
    return _history_page(request, request.user)


@page("history", known=True)
def next_table(request):
    """Lead to the next table that waits for the user, after the one whose code is given."""
    codes = lists.waiting_tables(request.user, after=request.GET.get("after", ""))
    if codes:
        return redirect("match", codes[0])
    messages.info(request, say("No other table waits for you."))
    return redirect("lobby")


@act()
def vacation(request):
    """Go on vacation for so many "days", or come back without them."""
    if "days" in request.POST:
        vacations.begin(request.user, clean_count(request.POST["days"]))
    else:
        vacations.end(request.user)
    return redirect("my_matches")


@page("history")
def profile(request, name):
    user, present = member_of(name)
    if not present:
        query = request.GET.urlencode()
        return redirect(f"{user.get_absolute_url()}?{query}" if query else user)
    return _history_page(request, user)


def member_of(name):
    """(the member of this name in any case, or who was called so until lately; whether it is their present name).

    Raises NotHere.
    """
    # PostgreSQL would refuse to look for a name with a zero byte.
    if "\0" not in name:
        if user := User.objects.filter(casefolded_name=casefold(name), is_guest=False).first():
            return user, True
        if user := find_by_past_name(name):
            return user, False
    raise NotHere(lazy("There is no such player. Check the name."))


@page("download", known=True)
def records(request):
    """The records of the finished matches that are asked for, one JSON document a line."""
    return _taken(request, taking.records, "application/jsonl", "valat-matches.jsonl")


@page("download", known=True)
def facts(request):
    """The facts of the deals that are asked for, of one game, a line for each seat."""
    if not request.GET.get("game"):
        raise Refused(lazy("Choose a game first: each has facts of its own."))
    return _taken(request, taking.facts, CSV, "valat-deals.csv")


@page("download", known=True)
def sheets(request):
    """The score sheets of the finished matches that are asked for, a line for each deal."""
    return _taken(request, taking.sheets, CSV, "valat-sheets.csv")


def _taken(request, lines, content_type, name):
    form = FilterForm(request.GET)
    if not form.is_valid():
        return render(request, "history/history.html", {"form": form, "owner": request.user}, status=400)
    response = StreamingHttpResponse(taking.stream(lines(request.user, form.asked)), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _history_page(request, user):
    own = user == request.user
    form = FilterForm(request.GET, owner="" if own else user.username)
    if not form.is_valid():
        return render(request, "history/history.html", {"form": form, "owner": user}, status=400)
    apart = frozenset() if own else apart_from(request.user)
    page = search(user, form.asked, own=own, apart=apart)
    results = played.results(user)
    filters = _without(request.GET, "before")
    older = filters.copy()
    older["before"] = page["older"]
    called = deal_words(form.cleaned_data["game"])
    context = page | {
        "form": form,
        "owner": user,
        "deals_word": called.many,
        "found_words": _found_words(page, called.unit),
        "results": results,
        "completion": completion_of(user),
        "ratings": [] if not own and hides_ratings(user) else ratings_of(user),
        "vacation": vacations.vacation_of(user),
        "vacation_days": range(1, vacations.days_left(user) + 1),
        "own": user == request.user,
        "partners": partners(user),
        "relation": relation(request.user, user)
        if request.user.is_authenticated and not own and not user.is_program
        else None,
        "filters": [
            {"sentence": sentence, "query": _without(filters, *_belonging_to(name, filters)).urlencode()}
            for name, sentence in form.sentences
        ],
        "asked_query": filters.urlencode(),
        "saved": saved_filters(user) if own else [],
        "older_query": older.urlencode() if page["older"] else "",
    }
    return render(request, "history/history.html", context)


def _found_words(page, unit):
    """How many matches there are in a page of a search and after it, and deals of this unit, as a sentence."""
    places = {"figure": intcomma(page["matches"])}
    if page["deals"] is None:
        if page["more"]:
            return say_count(page["matches"], "More than {figure} match.", "More than {figure} matches.", **places)
        return say_count(page["matches"], "{figure} match.", "{figure} matches.", **places)
    places["deals"] = of_unit(page["deals"], unit, intcomma(page["deals"]))
    if page["more"]:
        one, many = "More than {deals} in {figure} match.", "More than {deals} in {figure} matches."
    else:
        one, many = "{deals} in {figure} match.", "{deals} in {figure} matches."
    return say_count(page["matches"], one, many, **places)


def _without(query, *names):
    """A copy of the fields of an address without these, and without the empty ones."""
    query = query.copy()
    for name in [*names, *(name for name, value in query.items() if not value)]:
        query.pop(name, None)
    return query


def _belonging_to(name, filters):
    """The fields that go when a filter is taken away: with the game goes what is asked of its deals and options."""
    if name != "game":
        return [name]
    return [name, "who", *(other for other in filters if other.startswith((INSIDE, f"{filters['game']}.")))]


@page("act", known=True, posts=True)
def note(request, code):
    """The page on which somebody notes something of a match of theirs."""
    match = _own_match(request.user, code)
    if request.method == "POST":
        given = request.POST
        notebook.note(
            request.user,
            match,
            starred="starred" in given,
            text=given.get("text", "").replace("\r\n", "\n"),
            tags=given.get("tags", ""),
        )
        messages.success(request, say("Noted."))
        return HttpResponseRedirect(next_url(request) or match.get_absolute_url())
    context = {"match": match, "note": notebook.note_of(request.user, match), "longest": TEXT}
    return render(request, "history/note.html", context | {"tags": notebook.tags_of(request.user)})


@act()
def star(request, code):
    """Give a match of one's own a star, or with "off" take it away."""
    notebook.star(request.user, _own_match(request.user, code), starred="off" not in request.POST)
    return HttpResponseRedirect(next_url(request) or resolve_url("my_matches"))


@act()
def save_filter(request):
    """Keep the filters of "query", an address’s, under a "name"."""
    query = request.POST.get("query", "")
    fields = QueryDict(query if len(query) <= 4000 else "").copy()
    fields.pop("before", None)
    if not FilterForm(fields).is_valid():
        raise Refused(lazy("These filters can’t be read. Go back and change them."))
    kept = notebook.save_filter(request.user, request.POST.get("name", ""), fields.urlencode())
    messages.success(request, say("Saved as “{name}”.", name=kept.name))
    return redirect(f"{reverse('my_matches')}?{kept.query}")


@act()
def delete_filter(request):
    notebook.delete_filter(request.user, clean_count(request.POST.get("filter", "")))
    return redirect("my_matches")


def _own_match(user, code):
    return first_of(Match.objects.filter(code=code, seats__user=user, guide=False), NO_SUCH_MATCH)


@page("history", known=True)
def friends(request):
    context = people.friends(request.user) | {"hides_presence": hides_presence(request.user)}
    return render(request, "people/friends.html", context)
