"""What players note of their matches, and the filters that they keep by name. Only they see it."""

from django.contrib import messages
from django.http import HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse

from accounts.next_page import next_url
from games.kit.language import lazily, said
from games.models import Match
from games.notes import keeping
from games.notes.models import TEXT
from games.pages.decorators import act, page
from games.pages.filters import FilterForm
from games.pages.refusals import NotHere
from games.play.errors import NO_SUCH_MATCH, Refused
from games.play.requests import clean_count


@page("act", known=True, posts=True)
def note(request, code):
    """The page on which somebody notes something of a match of theirs."""
    match = _own_match(request.user, code)
    if request.method == "POST":
        given = request.POST
        keeping.note(
            request.user,
            match,
            starred="starred" in given,
            text=given.get("text", "").replace("\r\n", "\n"),
            tags=given.get("tags", ""),
        )
        messages.success(request, said("Noted."))
        return HttpResponseRedirect(next_url(request) or match.get_absolute_url())
    context = {"match": match, "note": keeping.note_of(request.user, match), "longest": TEXT}
    return render(request, "history/note.html", context | {"tags": keeping.tags_of(request.user)})


@act()
def star(request, code):
    """Give a match of one's own a star, or with "off" take it away."""
    keeping.star(request.user, _own_match(request.user, code), starred="off" not in request.POST)
    return HttpResponseRedirect(next_url(request) or resolve_url("my_matches"))


@act()
def save_filter(request):
    """Keep the filters of "query", an address’s, under a "name"."""
    query = request.POST.get("query", "")
    fields = QueryDict(query if len(query) <= 4000 else "").copy()
    fields.pop("before", None)
    if not FilterForm(fields).is_valid():
        raise Refused(lazily("These filters can’t be read. Go back and change them."))
    kept = keeping.save_filter(request.user, request.POST.get("name", ""), fields.urlencode())
    messages.success(request, said("Saved as “{name}”.", name=kept.name))
    return redirect(f"{reverse('my_matches')}?{kept.query}")


@act()
def delete_filter(request):
    keeping.delete_filter(request.user, clean_count(request.POST.get("filter", "")))
    return redirect("my_matches")


def _own_match(user, code):
    match = Match.objects.filter(code=code, seats__user=user, guide=False).first()
    if match is None:
        raise NotHere(NO_SUCH_MATCH)
    return match
