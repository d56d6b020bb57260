"""Somebody's matches: their own list, and the public profile."""

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.limits import limited
from accounts.models import User
from accounts.names import casefold
from games.history import lists
from games.pages.forms import HistoryForm
from games.pages.refusals import NotHere


@require_safe
@login_required
@limited("history")
def my_matches(request):
    return _history_page(request, request.user)


@require_safe
@limited("history")
def profile(request, name):
    # PostgreSQL would refuse to look for a name with a zero byte.
    user = None if "\0" in name else User.objects.filter(casefolded_name=casefold(name), is_guest=False).first()
    if user is None:
        raise NotHere("There is no such player.")
    return _history_page(request, user)


def _history_page(request, user):
    form = HistoryForm(request.GET)
    if not form.is_valid():
        return render(request, "history/history.html", {"form": form, "owner": user}, status=400)
    page = lists.history(user, form, own=user == request.user)
    filters = request.GET.copy()
    filters.pop("before", None)
    older = filters.copy()
    older["before"] = page["older"]
    context = page | {
        "form": form,
        "owner": user,
        "results": lists.results(user),
        "partners": lists.partners(user),
        "filtered": any(value for value in filters.values()),
        "older_query": older.urlencode() if page["older"] else "",
    }
    return render(request, "history/history.html", context)
