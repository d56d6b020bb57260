"""The people around somebody: the page of friends."""

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.limits import limited
from accounts.people.online import hides_presence
from games.history import people


@require_safe
@login_required
@limited("history")
def friends(request):
    context = people.friends(request.user) | {"hides_presence": hides_presence(request.user)}
    return render(request, "people/friends.html", context)
