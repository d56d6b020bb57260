"""What people do to each other, each by one button: all by POST, back to where the button was."""

from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST

from accounts.limits import limited
from accounts.models import User
from accounts.names import casefold
from accounts.next_page import next_url
from accounts.people import online, ties
from accounts.suspension import open_to_suspended


def _act(act, said=""):
    """The view of `act(user, other)`. said: a sentence for the page after it, with the other's name in {name}."""

    @require_POST
    @login_required
    @limited("people")
    @wraps(act)
    def view(request, name):
        try:
            other = User.objects.get(casefolded_name=casefold(name.replace("\0", "")), is_active=True)
        except User.DoesNotExist:
            raise Http404 from None
        try:
            act(request.user, other)
        except ties.NotPossible as refusal:
            return render(request, "site/refused.html", {"sentence": str(refusal)}, status=400)
        if said:
            messages.success(request, str(said).format(name=other))
        return HttpResponseRedirect(next_url(request) or resolve_url("friends"))

    return view


ask = _act(ties.ask)
accept = _act(ties.accept, gettext_lazy("{name} is your friend now."))
unfriend = open_to_suspended(_act(ties.unfriend))
follow = _act(ties.follow)
unfollow = open_to_suspended(_act(ties.unfollow))
BLOCKED = gettext_lazy("You have blocked {name}. They don’t find out, and you won’t meet at a table again.")
block = open_to_suspended(_act(ties.block, BLOCKED))
unblock = open_to_suspended(_act(ties.unblock, gettext_lazy("{name} is no longer blocked.")))


@open_to_suspended
@require_POST
@login_required
@limited("people")
def presence(request):
    """Show friends when the user is here, or hide it."""
    hidden = request.POST.get("hide") == "yes"
    online.set_hides_presence(request.user, hidden)
    hiding, shown = "Your friends can no longer see when you’re online.", "Your friends can see when you’re online."
    messages.success(request, gettext(hiding if hidden else shown))
    return redirect(next_url(request) or "friends")
