"""The table of Belot, as every other layer asks for it. Its rules page says what lies there, its players how."""

from games.belot.table.felt import felt
from games.belot.table.mine import mine, suits_of
from games.belot.table.sheet import sheet
from games.belot.table.terms import A_KIND, contract_words, short_contract
from games.belot.table.words import EVERYBODY_PASSED, SENTENCES, deed
from games.kit.drawing import Drawing
from games.kit.language import lazy_all, say
from games.kit.words import SUIT_WORDS

MARK_KINDS = lazy_all({"contract": "Contracts", "announcement": "Declarations", "set": "Set contracts"})


def _bidding_closed(event, names):
    yield "contract", say("{name}: {contract}", name=names.of(event["bidder"]), contract=contract_words(event))


def _passed_out(event, names):
    yield "contract", say("Everybody passed")


def _declared(event, names):
    places = {"name": names.of(event["seat"]), "kind": A_KIND[event["kind"]], "points": event["points"]}
    yield "announcement", say("{name} declares {kind} for {points}", **places)


def _belot(event, names):
    suit = SUIT_WORDS[event["suit"]]
    yield "announcement", say("{name} announces belot in {suit}", name=names.of(event["seat"]), suit=suit)


def _hand_scored(event, names):
    if event["outcome"] == "inside":
        yield "set", say("{contract}: inside", contract=short_contract(event))


EVENT_MARKS = {
    "bidding_closed": _bidding_closed,
    "passed_out": _passed_out,
    "declared": _declared,
    "belot": _belot,
    "hand_scored": _hand_scored,
}


def _news(events):
    return str(EVERYBODY_PASSED) if any(event["type"] == "passed_out" for event in events) else ""


DRAWING = Drawing(
    felt,
    mine,
    sheet,
    deed,
    SENTENCES,
    suits_of=suits_of,
    rules_sections={"bid": "bidding", "play": "play", "deal": "scoring", "over": "end"},
    mark_kinds=MARK_KINDS,
    event_marks=EVENT_MARKS,
    news=_news,
)
