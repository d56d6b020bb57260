"""The drawing of Belot, with what the timeline of a replay marks."""

from collections.abc import Iterator, Sequence

from games.belot.rules.types import BelotAnnounced, BiddingClosed, Declared, HandScored
from games.belot.table.felt import felt
from games.belot.table.mine import mine, suits_of
from games.belot.table.sheet import sheet
from games.belot.table.terms import A_KIND, contract_words, short_contract
from games.belot.table.words import EVERYBODY_PASSED, SENTENCES, describe_move
from games.kit.contract import Event
from games.kit.drawing import Drawing, Markings
from games.kit.language import lazy_all, say
from games.kit.words import SUIT_WORDS, Names

type Mark = tuple[str, str]  # a key of MARK_KINDS and words

MARK_KINDS = lazy_all({"contract": "Contracts", "announcement": "Declarations", "set": "Set contracts"})


def _bidding_closed(event: BiddingClosed, names: Names) -> Iterator[Mark]:
    yield "contract", say("{name}: {contract}", name=names.of(event["bidder"]), contract=contract_words(event))


def _passed_out(event: Event, names: Names) -> Iterator[Mark]:
    yield "contract", say("Everybody passed")


def _declared(event: Declared, names: Names) -> Iterator[Mark]:
    places = {"name": names.of(event["seat"]), "kind": A_KIND[event["kind"]], "points": event["points"]}
    yield "announcement", say("{name} declares {kind} for {points}", **places)


def _belot(event: BelotAnnounced, names: Names) -> Iterator[Mark]:
    suit = SUIT_WORDS[event["suit"]]
    yield "announcement", say("{name} announces belot in {suit}", name=names.of(event["seat"]), suit=suit)


def _hand_scored(event: HandScored, names: Names) -> Iterator[Mark]:
    if event["outcome"] == "inside":
        yield "set", say("{contract}: inside", contract=short_contract(event))


EVENT_MARKS: Markings = {
    "bidding_closed": _bidding_closed,
    "passed_out": _passed_out,
    "declared": _declared,
    "belot": _belot,
    "hand_scored": _hand_scored,
}


def _news(events: Sequence[Event]) -> str:
    return str(EVERYBODY_PASSED) if any(event["type"] == "passed_out" for event in events) else ""


DRAWING = Drawing(
    felt,
    mine,
    sheet,
    describe_move,
    SENTENCES,
    suits_of=suits_of,
    rules_sections={"bid": "bidding", "play": "play", "deal": "scoring", "over": "end"},
    mark_kinds=MARK_KINDS,
    event_marks=EVENT_MARKS,
    news=_news,
)
