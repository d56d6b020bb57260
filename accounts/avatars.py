"""Pictures of people without uploads: a pattern in a colour, chosen by them or given by their key."""

from django.utils.translation import gettext, pgettext_lazy

PATTERNS = {
    "rings": pgettext_lazy("pattern", "rings"),
    "stripes": pgettext_lazy("pattern", "stripes"),
    "checks": pgettext_lazy("pattern", "checks"),
    "dots": pgettext_lazy("pattern", "dots"),
    "diamonds": pgettext_lazy("pattern", "diamonds"),
    "waves": pgettext_lazy("pattern", "waves"),
}
COLOURS = {
    "green": pgettext_lazy("rings in a colour", "green"),
    "teal": pgettext_lazy("rings in a colour", "teal"),
    "blue": pgettext_lazy("rings in a colour", "blue"),
    "violet": pgettext_lazy("rings in a colour", "violet"),
    "rose": pgettext_lazy("rings in a colour", "rose"),
    "red": pgettext_lazy("rings in a colour", "red"),
    "amber": pgettext_lazy("rings in a colour", "amber"),
    "grey": pgettext_lazy("rings in a colour", "grey"),
}
STEP = 29  # prime to how many there are, so that all come up, and those who come together differ in both


def avatar_of(user):
    """(pattern, colour) of a user."""
    pattern, _, colour = user.avatar.partition("-")
    if pattern in PATTERNS and colour in COLOURS:
        return pattern, colour
    number = (user.pk or 0) * STEP
    return [*PATTERNS][number % len(PATTERNS)], [*COLOURS][number // len(PATTERNS) % len(COLOURS)]


def all_avatars():
    """Every avatar as users store it, with its words, one colour after the other: {"rings-green": "rings in green"}."""
    return {f"{pattern}-{colour}": _words(pattern, colour) for colour in COLOURS for pattern in PATTERNS}


def _words(pattern, colour):
    return gettext("{pattern} in {colour}").format(pattern=PATTERNS[pattern], colour=COLOURS[colour])
