"""How pages show people, and what browsers say of themselves."""

from django import template
from django.utils.translation import gettext

from accounts import sanctions
from accounts.avatars import avatar_of

register = template.Library()


@register.inclusion_tag("accounts/sanctions.html", takes_context=True)
def sanctions_shown(context):
    """What who looks at a page is to know: that they are suspended, and warnings that they haven't read."""
    user, request = context.get("user"), context.get("request")
    known = user is not None and user.is_authenticated
    found = [(each, sanctions.sentence(each)) for each in sanctions.shown_to(user)] if known else []
    here = request.get_full_path() if found and request.method == "GET" else ""
    return {"found": found, "here": here, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("accounts/avatar.html")
def avatar(user):
    """The picture of a user."""
    pattern, colour = avatar_of(user)
    return {"pattern": pattern, "colour": colour}


@register.inclusion_tag("accounts/avatar.html")
def avatar_like(stored):
    """The picture that is stored so, "rings-green"."""
    pattern, _, colour = stored.partition("-")
    return {"pattern": pattern, "colour": colour}


# In this order: most browsers claim to be others too.
BROWSERS = [("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox")]
BROWSERS += [("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari")]
SYSTEMS = [("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("CrOS", "ChromeOS")]
SYSTEMS += [("Windows", "Windows"), ("Mac OS", "Mac"), ("Linux", "Linux")]


@register.filter
def browser(user_agent):
    """A user agent in words, "Firefox on Linux"; the first words of one that is not known."""
    program = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    if not program:
        return user_agent[:40] or gettext("Unknown browser")
    if not system:
        return program
    return gettext("{browser} on {system}").format(browser=program, system=system)
