"""The table of Bleven: the interface for all other layers. The rules page defines what the table holds."""

from games.bleven.table.felt import felt
from games.bleven.table.mine import mine
from games.bleven.table.sheet import sheet
from games.bleven.table.words import SENTENCES, crown_words, deed, listed_cards, side_heading
from games.kit.drawing import Drawing
from games.kit.language import lazy, say

MARK_KINDS = {
    "contract": lazy("Predictions"),
    "set": lazy("Failed predictions"),
    "special": lazy("Open fields and crowns"),
}


def _said(event, names):
    if "tricks" in event["move"]:
        yield "contract", deed(event["move"], event["seat"], names)


def _round_scored(event, names):
    if event["right"] is False:
        yield "set", say("The prediction of round {round} fails", round=event["round"])


def _faced(event, names):
    cards = listed_cards(event["cards"])
    yield "special", say("{name} lays the field open: {cards}", name=names[event["seat"]], cards=cards)


def _crowned(event, names):
    crowns = crown_words(event["crowns"])
    yield "special", say("{side}: {crowns}", side=side_heading(event["side"], names), crowns=crowns)


RULES_SECTIONS = {
    **dict.fromkeys(("turn", "discard", "poll"), "deal"),
    **dict.fromkeys(("predict", "reply", "raise"), "bidding"),
    **dict.fromkeys(("side_bet", "side_reply"), "play"),
    "deal": "scoring",
    "over": "end",
}
EVENT_MARKS = {"said": _said, "round_scored": _round_scored, "faced": _faced, "crowned": _crowned}


def _suits(table):
    return [table["hand"]]  # The order of play.


def _moments(move):
    """Return the usual moments of a move, plus a prediction if the move names tricks."""
    return {move["type"], "predict"} if "tricks" in move else {move["type"]}


def _finished_trick(event):
    return event["plays"], event["winner"]


def _deed(move, seat, names):
    return say("The cards are dealt") if move["type"] == "deal" else deed(move, seat, names)


DRAWING = Drawing(
    felt,
    mine,
    sheet,
    _deed,
    SENTENCES,
    suits_of=_suits,
    rules_sections=RULES_SECTIONS,
    mark_kinds=MARK_KINDS,
    event_marks=EVENT_MARKS,
    moments_of=_moments,
    finished_trick=_finished_trick,
)
