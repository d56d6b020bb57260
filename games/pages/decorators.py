"""Which requests a view answers: by what method, from whom, how often."""

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_http_methods

from accounts.limits import limited


def page(action, *, known=False, posts=False):
    """Return a decorator for the view of a page, which is read as often as `action` of settings.RATE_LIMITS allows.

    known: by users and guests alone. posts: its forms are posted to the same address.
    """
    return _answering(["GET", "HEAD", "POST"] if posts else ["GET", "HEAD"], action, known)


def act(action="act"):
    """Return a decorator for the view of what a user or guest does by POST, as often as `action` allows."""
    return _answering(["POST"], action, known=True)


def _answering(methods, action, known):
    def decorate(view):
        of_known = login_required(limited(action)(view)) if known else limited(action)(view)
        return require_http_methods(methods)(of_known)

    return decorate
