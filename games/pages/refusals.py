"""An act that is refused, as a page."""

from functools import wraps

from django.shortcuts import render

from games.play.errors import Refused


def refusing(view):
    """The view, with an act that is refused answered by a page that says why, with a 4xx."""

    @wraps(view)
    def wrapped(request, *args, **kwargs):
        try:
            return view(request, *args, **kwargs)
        except Refused as refusal:
            context = {"sentence": str(refusal), "code": kwargs.get("code")}
            return render(request, "site/refused.html", context, status=refusal.status)

    return wrapped
