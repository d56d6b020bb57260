"""Somebody's matches: their own list, and the public profile."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts.limits import limited
from accounts.models import User
from accounts.names import casefold
from games.history import lists
from games.pages.forms import HistoryForm


@require_safe
@login_required
@limited("history")
def my_matches(request):
    return _history_page(request, request.user)


@require_safe
@limited("history")
def profile(request, name):
    if "\0" in name:
        raise Http404("There is no such player.")  # PostgreSQL would refuse the question
    user = get_object_or_404(User, casefolded_name=casefold(name), is_guest=False)
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
