"""The drawing of a table of Bleven for the pages and sockets of the site."""

from collections.abc import Iterator

from games.bleven.rules.shapes import Table
from games.bleven.table.felt import felt
from games.bleven.table.mine import mine
from games.bleven.table.sheet import sheet
from games.bleven.table.words import SENTENCES, crown_words, describe_move, listed_cards, side_heading
from games.kit.contract import Card, Event, Move, Seat
from games.kit.drawing import Drawing
from games.kit.language import lazy, say
from games.kit.tricks import Play
from games.kit.words import Names

MARK_KINDS = {
    "contract": lazy("Predictions"),
    "set": lazy("Failed predictions"),
    "special": lazy("Open fields and crowns"),
}


def _mark_prediction(event: Event, names: Names) -> Iterator[tuple[str, str]]:
    if "tricks" in event["move"]:
        yield "contract", describe_move(event["move"], event["seat"], names)


def _mark_failure(event: Event, names: Names) -> Iterator[tuple[str, str]]:
    if event["right"] is False:
        yield "set", say("The prediction of round {round} fails", round=event["round"])


def _mark_open_field(event: Event, names: Names) -> Iterator[tuple[str, str]]:
    cards = listed_cards(event["cards"])
    yield "special", say("{name} lays the field open: {cards}", name=names[event["seat"]], cards=cards)


def _mark_crown(event: Event, names: Names) -> Iterator[tuple[str, str]]:
    crowns = crown_words(event["crowns"])
    yield "special", say("{side}: {crowns}", side=side_heading(event["side"], names), crowns=crowns)


RULES_SECTIONS = {
    **dict.fromkeys(("turn", "discard", "poll"), "deal"),
    **dict.fromkeys(("predict", "reply", "raise"), "bidding"),
    **dict.fromkeys(("side_bet", "side_reply"), "play"),
    "deal": "scoring",
    "over": "end",
}
EVENT_MARKS = {
    "said": _mark_prediction,
    "round_scored": _mark_failure,
    "faced": _mark_open_field,
    "crowned": _mark_crown,
}


def _cards_in_order_of_play(table: Table) -> list[list[Card]]:
    return [table["hand"]]


def _moments(move: Move) -> set[str]:
    """Return the type of a move, and "predict" if the move names tricks."""
    return {move["type"], "predict"} if "tricks" in move else {move["type"]}


def _plays_and_winner(event: Event) -> tuple[list[Play], Seat]:
    return event["plays"], event["winner"]


DRAWING = Drawing(
    felt,
    mine,
    sheet,
    describe_move,
    SENTENCES,
    suits_of=_cards_in_order_of_play,
    rules_sections=RULES_SECTIONS,
    mark_kinds=MARK_KINDS,
    event_marks=EVENT_MARKS,
    moments_of=_moments,
    finished_trick=_plays_and_winner,
)
