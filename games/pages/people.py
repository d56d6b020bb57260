"""The page of friends, and the search for members."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.people.online import hides_presence
from games.history import people
from games.kit.language import lazy
from games.pages.refusals import page
from games.play.errors import NotAllowed


@page("history", needs_login=True)
def friends(request: HttpRequest) -> HttpResponse:
    context = people.friends(request.user) | {"hides_presence": hides_presence(request.user)}
    return render(request, "people/friends.html", context)


@page("find_people", needs_login=True)
def find_people(request: HttpRequest) -> HttpResponse:
    """List the members whose names begin with the text "name": for a script only the list, as the user types."""
    if request.user.is_guest:
        raise NotAllowed(lazy("Only people with an account can look for others by name. Sign up first."))
    text = request.GET.get("name", "")
    context = {"text": text, "found": people.find(request.user, text)}
    return render(request, "people/found.html" if request.htmx else "people/find.html", context)
