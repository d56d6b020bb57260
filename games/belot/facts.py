"""What there is to know of a deal of Belot. Source: "Facts" on the rules page."""

from games.belot.luck import worths
from games.belot.table.terms import CONTRACT_WORDS
from games.kit.facts import DealFacts, SheetColumn
from games.kit.language import lazily, lazily_in

KINDS = ("tierce", "quarte", "quint", "square")  # the better, the later
OUTCOMES = {
    "made": lazily_in("outcome of a contract", "made"),
    "inside": lazily_in("outcome of a contract", "inside"),
    "hanging": lazily_in("outcome of a contract", "hanging"),
}

SHEET_COLUMNS = (
    SheetColumn(lazily("Contract"), "deal_contract", CONTRACT_WORDS),
    SheetColumn(lazily_in("doubled or not", "Level"), "deal_level", {1: "", 2: "×2", 4: "×4", 8: "×8"}),
    SheetColumn(lazily("Outcome"), "deal_outcome", OUTCOMES),
)


def facts(sheet, events):
    """The DealFacts of the deal scored last. sheet: the score sheet after it. events: all of the deal."""
    row = sheet["rows"][-1]
    bidding = row["points"][_side_of(row["bidder"], sheet)]
    deal = {key: row[key] for key in ("dealer", "contract", "bidder", "level", "outcome", "hanging")}
    deal |= {
        "by": 2 * bidding - sum(row["points"]),
        "valat": row["valat"] is not None,
        "pot": sum(row["pot"]),
        "kirtik": any(row["kirtik"]),
    }
    by_side = worths(sheet, row, events)
    return DealFacts(deal, tuple(_of_seat(seat, row, sheet, events, by_side) for seat in range(sheet["seats"])))


def _of_seat(seat, row, sheet, events, by_side):
    side = _side_of(seat, sheet)
    own = [event for event in events if event.get("seat") == seat]
    kinds = [event["kind"] for event in own if event["type"] == "declared"]
    calls = {event["call"] for event in own if event["type"] == "called"}
    return {
        "points": row["mp"][side],
        "score": row["totals"][side],
        "role": _role(seat, side, row, sheet),
        "tricks": row["tricks"][side],
        "card_points": row["points"][side],
        "doubled": "double" in calls,
        "redoubled": bool(calls & {"redouble", "surcontre"}),
        "declared": sum(event["points"] for event in own if event["type"] == "declared"),
        "declaration": max(kinds, key=KINDS.index, default=None),
        "belots": sum(event["type"] == "belot" for event in own),
        "valat": row["valat"] == side,
        "kirtik": row["kirtik"][side] != 0,
        "worth": by_side[side],
        "beyond": round(row["mp"][side] - by_side[side], 1) + 0.0,
    }


def _role(seat, side, row, sheet):
    if seat == row["bidder"]:
        return "bidder"
    return "partner" if side == _side_of(row["bidder"], sheet) else "defender"


def _side_of(seat, sheet):
    return seat % len(sheet["sides"])
