"""What the timeline of a replay of Bleven marks: predictions, those that failed, open fields and crowns."""

from games.bleven.table.words import crown_words, deed, side_names
from games.kit.words import CARD_NAMES, joined, said

MARK_KINDS = {"contract": "Predictions", "set": "Failed predictions", "special": "Open fields and crowns"}


def _said(event, names):
    if "tricks" in event["move"]:
        yield "contract", deed(event["move"], event["seat"], names)


def _round_scored(event, names):
    if event["right"] is False:
        yield "set", said("The prediction of round {round} fails", round=event["round"])


def _faced(event, names):
    cards = joined([said("the {card}", card=CARD_NAMES[card]) for card in event["cards"]])
    yield "special", said("{name} lays the field open: {cards}", name=names.of(event["seat"]), cards=cards)


def _crowned(event, names):
    crowns = crown_words(event["crowns"])
    yield "special", said("{side}: {crowns}", side=side_names(event["side"], names), crowns=crowns)


EVENT_MARKS = {"said": _said, "round_scored": _round_scored, "faced": _faced, "crowned": _crowned}
