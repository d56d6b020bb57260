"""The people around somebody: the page of friends."""

from django.shortcuts import render

from accounts.people.online import hides_presence
from games.history import people
from games.pages.decorators import page


@page("history", known=True)
def friends(request):
    context = people.friends(request.user) | {"hides_presence": hides_presence(request.user)}
    return render(request, "people/friends.html", context)
