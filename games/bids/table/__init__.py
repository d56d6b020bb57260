"""The drawing of a table of Bids for the pages and sockets of the site."""

from collections.abc import Iterator

from games.bids.rules.pack import ALLY, DOUBLE, LOWEST, SURPRISE
from games.bids.table.felt import felt
from games.bids.table.mine import mine
from games.bids.table.sheet import sheet
from games.bids.table.terms import PRINTS, group_by_colour, points_words
from games.bids.table.words import SENTENCES, describe_move
from games.bids.types import (
    Allied,
    CentreTurned,
    Doubled,
    LuckyLoser,
    TrickBurnt,
    View,
)
from games.kit.contract import Card, Event, Seat
from games.kit.drawing import Drawing, Markings, Play, Print
from games.kit.language import lazy, say
from games.kit.words import Names

MARK_KINDS = {"special": lazy("Special cards"), "set": lazy("Burnt tricks")}

_SPECIAL_CENTRE_WORDS = {
    SURPRISE: "Trick {trick}: the Surprise card",
    LOWEST: "Trick {trick}: the Lowest card",
    DOUBLE: "Trick {trick}: the black 2×",
}


def _mark_centre(event: CentreTurned, names: Names) -> Iterator[tuple[str, str]]:
    if event["card"] in _SPECIAL_CENTRE_WORDS:
        yield "special", say(_SPECIAL_CENTRE_WORDS[event["card"]], trick=event["trick"])


def _mark_doubling(event: Doubled, names: Names) -> Iterator[tuple[str, str]]:
    before, after = points_words(event["before"]), event["after"]
    places = {"name": names[event["seat"]], "before": before, "after": after}
    yield "special", say("{name} doubles {before} to {after}", **places)


def _mark_alliance(event: Allied, names: Names) -> Iterator[tuple[str, str]]:
    yield "special", say("{one} and {other} are allied", one=names[event["seat"]], other=names[event["partner"]])


def _mark_lucky_loser(event: LuckyLoser, names: Names) -> Iterator[tuple[str, str]]:
    yield "special", say("{name} is a Lucky Loser", name=names[event["seat"]])


def _mark_burnt_trick(event: TrickBurnt, names: Names) -> Iterator[tuple[str, str]]:
    yield "set", say("Trick {trick} is burnt: {points}", trick=event["trick"], points=points_words(event["points"]))


COLOURS = {  # by colour, the ink and the ground of a card, as in bids.css
    "R": ("#fffdf4", "#b0261d"),
    "Y": ("#2a1f08", "#f1c232"),
    "G": ("#fffdf4", "#1d6b3c"),
    "B": ("#fffdf4", "#1c4f9f"),
    "K": ("#f0d595", "#25221e"),
}
ALLY_COLOURS = ("#2a1f08", "#f3ead3")
EVENT_MARKS: Markings = {
    "centre": _mark_centre,
    "doubled": _mark_doubling,
    "allied": _mark_alliance,
    "lucky_loser": _mark_lucky_loser,
    "trick_burnt": _mark_burnt_trick,
}


def _colours_of_hand(table: View) -> list[list[Card]]:
    return group_by_colour(table["hand"])


def _centre_card(table: View) -> Card | None:
    return table["centre"]


def _plays_and_winner(event: Event) -> tuple[list[Play], Seat | None]:
    return [], event.get("seat")  # The event of a burnt trick has no seat.


def _print_of(card: Card) -> Print:
    ink, ground = COLOURS[card[0]] if card != ALLY else ALLY_COLOURS
    return Print(PRINTS[card], "" if card == ALLY else card[0], ink, ground)


DRAWING = Drawing(
    felt,
    mine,
    sheet,
    describe_move,
    SENTENCES,
    suits_of=_colours_of_hand,
    rules_sections={"play": "play", "deal": "scoring", "over": "end"},
    mark_kinds=MARK_KINDS,
    event_marks=EVENT_MARKS,
    finished_trick=_plays_and_winner,
    centre_card=_centre_card,
    print_of=_print_of,
)
