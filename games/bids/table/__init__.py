"""The table of Bids, as every other layer asks for it. Its rules page says what lies there; how is our own taste."""

from games.bids.rules.pack import ALLY, DOUBLE, LOWEST, SURPRISE
from games.bids.table.felt import felt
from games.bids.table.mine import mine
from games.bids.table.sheet import sheet
from games.bids.table.terms import PRINTS, laid_out, points_words
from games.bids.table.words import SENTENCES, deed
from games.kit.drawing import Drawing, Print
from games.kit.language import lazy, say

MARK_KINDS = {"special": lazy("Special cards"), "set": lazy("Burnt tricks")}

_CENTRES = {
    SURPRISE: "Trick {trick}: the Surprise card",
    LOWEST: "Trick {trick}: the Lowest card",
    DOUBLE: "Trick {trick}: the black 2×",
}


def _turned(event, names):
    if event["card"] in _CENTRES:
        yield "special", say(_CENTRES[event["card"]], trick=event["trick"])


def _doubled(event, names):
    before, after = points_words(event["before"]), event["after"]
    places = {"name": names[event["seat"]], "before": before, "after": after}
    yield "special", say("{name} doubles {before} to {after}", **places)


def _allied(event, names):
    one, other = names[event["seat"]], names[event["partner"]]
    yield "special", say("{one} and {other} are allied", one=one, other=other)


def _lucky_loser(event, names):
    yield "special", say("{name} is a Lucky Loser", name=names[event["seat"]])


def _trick_burnt(event, names):
    yield "set", say("Trick {trick} is burnt: {points}", trick=event["trick"], points=points_words(event["points"]))


COLOURS = {  # of what is printed and of the ground, as in bids.css
    "R": ("#fffdf4", "#b0261d"),
    "Y": ("#2a1f08", "#f1c232"),
    "G": ("#fffdf4", "#1d6b3c"),
    "B": ("#fffdf4", "#1c4f9f"),
    "K": ("#f0d595", "#25221e"),
}
ALLY_COLOURS = ("#2a1f08", "#f3ead3")
EVENT_MARKS = {
    "centre": _turned,
    "doubled": _doubled,
    "allied": _allied,
    "lucky_loser": _lucky_loser,
    "trick_burnt": _trick_burnt,
}


def _suits(table):
    return laid_out(table["hand"])


def _centre(table):
    return table["centre"]


def _winner(event):
    return [], event.get("seat")  # of nobody, where it is burnt


def _printed(card):
    ink, ground = COLOURS[card[0]] if card != ALLY else ALLY_COLOURS
    return Print(PRINTS[card], "" if card == ALLY else card[0], ink, ground)


DRAWING = Drawing(
    felt,
    mine,
    sheet,
    deed,
    SENTENCES,
    suits_of=_suits,
    rules_sections={"play": "play", "deal": "scoring", "over": "end"},
    mark_kinds=MARK_KINDS,
    event_marks=EVENT_MARKS,
    finished_trick=_winner,
    in_centre=_centre,
    printed=_printed,
)
