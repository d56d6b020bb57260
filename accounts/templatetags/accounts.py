"""How the pages of accounts show what browsers say of themselves."""

from django import template

register = template.Library()

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
        return user_agent[:40] or "Unknown browser"
    return f"{program} on {system}" if system else program
