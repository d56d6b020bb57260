"""What the timeline of a replay of Bids marks: special cards, what came of them, and burnt tricks."""

from games.bids.rules.pack import DOUBLE, LOWEST, SURPRISE
from games.bids.table.terms import points_words
from games.kit.language import lazily, said

MARK_KINDS = {"special": lazily("Special cards"), "set": lazily("Burnt tricks")}

_CENTRES = {
    SURPRISE: "Trick {trick}: the Surprise card",
    LOWEST: "Trick {trick}: the Lowest card",
    DOUBLE: "Trick {trick}: the black 2×",
}


def _turned(event, names):
    if event["card"] in _CENTRES:
        yield "special", said(_CENTRES[event["card"]], trick=event["trick"])


def _doubled(event, names):
    before, after = points_words(event["before"]), event["after"]
    places = {"name": names[event["seat"]], "before": before, "after": after}
    yield "special", said("{name} doubles {before} to {after}", **places)


def _allied(event, names):
    one, other = names[event["seat"]], names[event["partner"]]
    yield "special", said("{one} and {other} are allied", one=one, other=other)


def _lucky_loser(event, names):
    yield "special", said("{name} is a Lucky Loser", name=names[event["seat"]])


def _trick_burnt(event, names):
    yield "set", said("Trick {trick} is burnt: {points}", trick=event["trick"], points=points_words(event["points"]))


EVENT_MARKS = {
    "centre": _turned,
    "doubled": _doubled,
    "allied": _allied,
    "lucky_loser": _lucky_loser,
    "trick_burnt": _trick_burnt,
}
