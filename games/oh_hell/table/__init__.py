"""The drawing of a table of Oh Hell for the pages and sockets of the site."""

from collections.abc import Iterator

from games.kit.contract import Card
from games.kit.drawing import Drawing, Markings
from games.kit.hands import sort_hand
from games.kit.language import lazy, say
from games.kit.words import Names, join_words
from games.oh_hell.table.felt import felt
from games.oh_hell.table.mine import mine
from games.oh_hell.table.sheet import sheet
from games.oh_hell.table.words import SENTENCES, describe_move, over_or_under
from games.oh_hell.types import BiddingClosed, HandScored, View

MARK_KINDS = {"contract": lazy("Bids"), "set": lazy("Missed bids")}


def _bidding_closed(event: BiddingClosed, names: Names) -> Iterator[tuple[str, str]]:
    bids = ", ".join(f"{name} {bid}" for name, bid in zip(names, event["bids"], strict=True))
    yield "contract", say("Bids: {bids}, {off}", bids=bids, off=over_or_under(event["over_under"]))


def _hand_scored(event: HandScored, names: Names) -> Iterator[tuple[str, str]]:
    results = zip(names, event["bids"], event["taken"], strict=True)
    missed = [
        say("{name} {tricks} of {bid}", name=name, tricks=tricks, bid=bid)
        for name, bid, tricks in results
        if bid != tricks
    ]
    if missed:
        yield "set", say("Missed: {missed}", missed=join_words(missed))


EVENT_MARKS: Markings = {"bidding_closed": _bidding_closed, "hand_scored": _hand_scored}


def _suits_of_hand(table: View) -> list[list[Card]]:
    return sort_hand(table["hand"], table["trump"])


def _card_turned_up(table: View) -> Card | None:
    return table["turned"]


DRAWING = Drawing(
    felt,
    mine,
    sheet,
    describe_move,
    SENTENCES,
    suits_of=_suits_of_hand,
    rules_sections={"bid": "bidding", "play": "play", "deal": "scoring", "over": "end"},
    mark_kinds=MARK_KINDS,
    event_marks=EVENT_MARKS,
    centre_card=_card_turned_up,
)
