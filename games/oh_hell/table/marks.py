"""What the timeline of a replay of Oh Hell marks: what was bid in each hand, and who missed it."""

from games.kit.language import lazily, said
from games.kit.words import joined
from games.oh_hell.table.words import over_or_under

MARK_KINDS = {"contract": lazily("Bids"), "set": lazily("Missed bids")}


def _bidding_closed(event, names):
    bids = ", ".join(f"{name} {bid}" for name, bid in zip(names, event["bids"], strict=True))
    yield "contract", said("Bids: {bids}, {off}", bids=bids, off=over_or_under(event["over_under"]))


def _hand_scored(event, names):
    figures = zip(names, event["bids"], event["taken"], strict=True)
    missed = [
        said("{name} {tricks} of {bid}", name=name, tricks=has, bid=bid) for name, bid, has in figures if bid != has
    ]
    if missed:
        yield "set", said("Missed: {missed}", missed=joined(missed))


EVENT_MARKS = {"bidding_closed": _bidding_closed, "hand_scored": _hand_scored}
