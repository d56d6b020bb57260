"""Pictures of people without uploads: a pattern in a colour, chosen by them or given by their key."""

PATTERNS = ("rings", "stripes", "checks", "dots", "diamonds", "waves")
COLOURS = ("green", "teal", "blue", "violet", "rose", "red", "amber", "grey")
STEP = 29  # prime to how many there are, so that all come up, and those who come together differ in both


def avatar_of(user):
    """(pattern, colour) of a user."""
    pattern, _, colour = user.avatar.partition("-")
    if pattern in PATTERNS and colour in COLOURS:
        return pattern, colour
    number = (user.pk or 0) * STEP
    return PATTERNS[number % len(PATTERNS)], COLOURS[number // len(PATTERNS) % len(COLOURS)]


def all_avatars():
    """Every avatar as users store it, with its words, one colour after the other: {"rings-green": "green rings"}."""
    return {f"{pattern}-{colour}": f"{colour} {pattern}" for colour in COLOURS for pattern in PATTERNS}
