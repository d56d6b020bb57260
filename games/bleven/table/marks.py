"""What the timeline of a replay of Bleven marks: predictions, those that failed, open fields and crowns."""

from games.bleven.table.words import crown_words, deed, listed_cards, side_heading
from games.kit.language import lazily, said

MARK_KINDS = {
    "contract": lazily("Predictions"),
    "set": lazily("Failed predictions"),
    "special": lazily("Open fields and crowns"),
}


def _said(event, names):
    if "tricks" in event["move"]:
        yield "contract", deed(event["move"], event["seat"], names)


def _round_scored(event, names):
    if event["right"] is False:
        yield "set", said("The prediction of round {round} fails", round=event["round"])


def _faced(event, names):
    cards = listed_cards(event["cards"])
    yield "special", said("{name} lays the field open: {cards}", name=names[event["seat"]], cards=cards)


def _crowned(event, names):
    crowns = crown_words(event["crowns"])
    yield "special", said("{side}: {crowns}", side=side_heading(event["side"], names), crowns=crowns)


EVENT_MARKS = {"said": _said, "round_scored": _round_scored, "faced": _faced, "crowned": _crowned}
