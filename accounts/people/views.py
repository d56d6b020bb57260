"""Views of friendships, follows and blocks: POST only, and back to the page with the button."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST

from accounts.limits import View, limited
from accounts.models import User
from accounts.names import casefold
from accounts.next_page import next_url
from accounts.people import finding, online, ties
from accounts.suspension import open_to_suspended


def _view_of(act: Callable[[User, User], object], message: object = "") -> View:
    """Return a view that does something to another user, whose name is in the URL: it calls `act(user, other)`.

    act: such as to ask for friendship. It raises NotPossible. message: a lazy sentence for the next page, with {name}.
    """

    @require_POST
    @login_required
    @limited("people")
    @wraps(act)
    def view(request: HttpRequest, name: str) -> HttpResponse:
        try:
            other = User.objects.get(casefolded_name=casefold(name.replace("\0", "")), is_active=True)
        except User.DoesNotExist:
            raise Http404 from None
        try:
            act(request.user, other)
        except ties.NotPossible as refusal:
            return render(request, "site/refused.html", {"sentence": str(refusal)}, status=400)
        if message:
            messages.success(request, str(message).format(name=other))
        return HttpResponseRedirect(next_url(request) or resolve_url("friends"))

    return view


ask = _view_of(ties.ask)
accept = _view_of(ties.accept, gettext_lazy("{name} is your friend now."))
unfriend = open_to_suspended(_view_of(ties.unfriend))
follow = _view_of(ties.follow)
unfollow = open_to_suspended(_view_of(ties.unfollow))
BLOCKED = gettext_lazy("You have blocked {name}. They don’t find out, and you won’t meet at a table again.")
block = open_to_suspended(_view_of(ties.block, BLOCKED))
unblock = open_to_suspended(_view_of(ties.unblock, gettext_lazy("{name} is no longer blocked.")))


@open_to_suspended
@require_POST
@login_required
@limited("people")
def presence(request: HttpRequest) -> HttpResponse:
    """Show friends when the user is online, or hide it."""
    hides = request.POST.get("hide") == "yes"
    online.set_hides_presence(request.user, hides)
    hidden, visible = "Your friends can no longer see when you’re online.", "Your friends can see when you’re online."
    messages.success(request, gettext(hidden if hides else visible))
    return redirect(next_url(request) or "friends")


@open_to_suspended
@require_POST
@login_required
@limited("people")
def search(request: HttpRequest) -> HttpResponse:
    """Let members find the user by name, or hide it from their search."""
    hides = request.POST.get("hide") == "yes"
    finding.set_hides_name(request.user, hides)
    hidden, visible = "Nobody can find you by name any more.", "Members can find you by name."
    messages.success(request, gettext(hidden if hides else visible))
    return redirect(next_url(request) or "settings")
