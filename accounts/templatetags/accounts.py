"""Template tags for users, their sanctions and their browsers."""

from django import template
from django.utils.translation import gettext

from accounts import adoption, sanctions
from accounts.avatars import avatar_of
from accounts.models import User

register = template.Library()


@register.inclusion_tag("accounts/sanctions.html", takes_context=True)
def own_sanctions(context: template.Context) -> dict[str, object]:
    """Show the reader's own suspension and unread warnings."""
    user, request = context.get("user"), context.get("request")
    is_logged_in = user is not None and user.is_authenticated
    rows = [(each, sanctions.sentence(each)) for each in sanctions.current_sanctions(user)] if is_logged_in else []
    here = request.get_full_path() if rows and request.method == "GET" else ""  # The page to return to.
    return {"sanctions": rows, "here": here, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("accounts/guest_question.html", takes_context=True)
def guest_question(context: template.Context) -> dict[str, object]:
    """Ask a user who has logged in whether the matches of this browser's guest are theirs."""
    request = context.get("request")
    guest = adoption.guest_in_question(request) if request is not None else None
    if guest is None:
        return {}
    here = request.get_full_path() if request.method == "GET" else ""  # The page to return to.
    return {"guest": guest, "count": adoption.match_count(guest), "here": here, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("accounts/avatar.html")
def avatar(user: User) -> dict[str, str]:
    pattern, colour = avatar_of(user)
    return {"pattern": pattern, "colour": colour}


@register.inclusion_tag("accounts/avatar.html")
def avatar_by_name(name: str) -> dict[str, str]:
    """Show an avatar by its stored name, "rings-green"."""
    pattern, _, colour = name.partition("-")
    return {"pattern": pattern, "colour": colour}


# The order matters: most user agents also contain the names of other browsers.
BROWSERS = [("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox")]
BROWSERS += [("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari")]
SYSTEMS = [("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS")]
SYSTEMS += [("Windows", "Windows"), ("Mac OS", "Mac"), ("Linux", "Linux")]


@register.filter
def browser(user_agent: str) -> str:
    """Return a user agent in words, "Firefox on Linux", or the start of an unknown one."""
    name = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    if not name:
        return user_agent[:40] or gettext("Unknown browser")
    if not system:
        return name
    return gettext("{browser} on {system}").format(browser=name, system=system)
