"""Pictures of users without uploads: a pattern in a colour. Users choose one, or have one by their primary key."""

from django.utils.translation import gettext, pgettext_lazy

from accounts.models import User

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
# 29 and the number of avatars (48) have no common factor, so every avatar is used. Users who sign up one after the
# other differ in pattern and colour.
STEP = 29


def avatar_of(user: User) -> tuple[str, str]:
    """Return the pattern and the colour of a user's avatar: the chosen ones, or others that follow from the key."""
    pattern, _, colour = user.avatar.partition("-")
    if pattern in PATTERNS and colour in COLOURS:
        return pattern, colour
    number = (user.pk or 0) * STEP  # Users with neighbouring keys get avatars that look different.
    row, column = divmod(number, len(PATTERNS))  # All avatars in a table: a row for each colour, again and again.
    return [*PATTERNS][column], [*COLOURS][row % len(COLOURS)]


def all_avatars() -> dict[str, str]:
    """Return the description of every avatar by its stored name: {"rings-green": "rings in green"}."""
    return {f"{pattern}-{colour}": _describe(pattern, colour) for colour in COLOURS for pattern in PATTERNS}


def _describe(pattern: str, colour: str) -> str:
    return gettext("{pattern} in {colour}").format(pattern=PATTERNS[pattern], colour=COLOURS[colour])
