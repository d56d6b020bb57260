"""Tags for all pages: {% load site %}."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.html import json_script
from django.utils.safestring import SafeString

from accounts.models import User
from games.chat.letters import unread_count
from games.kit import facts
from games.kit.language import lazy_in
from games.kit.markup import Markup, with_names
from games.notifications import bell, waiting
from games.pages.queue import own_entry, state_of
from games.pages.sentences import SENTENCES, in_language
from games.queue.entering import LOOK_EVERY, arrive, present_counts

register = template.Library()


@register.simple_tag
def unread_messages(user: User | AnonymousUser) -> int:
    """Return the number of unread messages from friends. Guests and visitors get none."""
    return 0 if not user.is_authenticated or user.is_guest else unread_count(user)


@register.simple_tag(takes_context=True)
def waiting_count(context: Mapping[str, User]) -> int:
    """Return the number of tables that wait for the user of a page, or 0 without a user."""
    user = context.get("user")
    return waiting.count(user) if user is not None else 0


@register.inclusion_tag("queue/strip.html", takes_context=True)
def queue_strip(context: Mapping[str, Any], *, follow: bool = False) -> dict[str, object]:
    """Show a user who waits for players how that goes. If this page is the table that calls them, delete their entry.

    follow: for the page of the queue, whose script goes to the table without a click.
    """
    request = context.get("request")
    if request is None or (request.path == reverse("queue")) != follow:
        return {}
    entry = own_entry(request)
    if entry and entry.match and entry.user_id == request.user.pk and request.path == entry.match.get_absolute_url():
        arrive(request.user, entry.match.code)
        return {}
    counts = present_counts() if entry and not entry.match else Counter()
    here = request.path if request.method == "GET" else ""  # The page to return to.
    return {
        "state": state_of(entry, counts, request.user),
        "here": here,
        "look_every": LOOK_EVERY,
        "follow": follow,
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag(takes_context=True)
def bell_count(context: Mapping[str, Any]) -> int:
    """Return the number of unread events in the bell of the user of a page."""
    user = context.get("user")
    return bell.counts([user.pk]).get(user.pk, 0) if user is not None and user.is_authenticated else 0


PLACES = {
    1: lazy_in("a place", "{number}st"),
    2: lazy_in("a place", "{number}nd"),
    3: lazy_in("a place", "{number}rd"),
}


@register.filter
def place(number: int) -> str:
    """Return a place in a match, which has at most 20 players: "1st". Django translates this into few languages."""
    return str(PLACES.get(number, lazy_in("a place", "{number}th"))).format(number=number)


@register.filter
def marking(text: str, names: Sequence[str | Mapping[str, Any]]) -> Markup:
    """Return a sentence as HTML that keeps browsers from translating these names. names: or players, who have names."""
    return with_names(text, [name if isinstance(name, str) else name["name"] for name in names])


@register.simple_tag
def bell_total(events: int, tables: int) -> int:
    """Return what a bell counts: unread events, and tables that wait."""
    return events + tables


@register.simple_tag
def sentences(part: str) -> SafeString:
    """Render the sentences of scripts for static/site/sentences.js. part: a key of SENTENCES, used once per page."""
    return json_script(in_language(SENTENCES[part]), f"sentences-{part}")


@register.filter
def of_unit(figure: object, unit: str) -> str:
    """Return a formatted figure with its unit: "7 bids", "10½ points". unit: a key of games.kit.facts.COUNTED."""
    text = str(figure)
    try:
        number = float(text.lstrip("−").replace(",", ".").replace("½", ".5"))
    except ValueError:  # It has spaces between its thousands.
        number = 1000
    return facts.of_unit(number, unit, text)
