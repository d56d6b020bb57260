"""What there is to know of a round of Bids. Source: "Facts" on the rules page."""

from itertools import pairwise

from games.kit.facts import DealFacts, SheetColumn
from games.kit.language import lazily

SHEET_COLUMNS = (SheetColumn(lazily("Tricks"), "tricks"),)


def facts(sheet, events):
    """The DealFacts of the round scored last. sheet: the score sheet after it. events: all of the round."""
    row = sheet["rounds"][-1]
    lowest = next((event["trick"] for event in events if event["type"] == "lowest"), None)
    deal = {
        "leader": next(event["leader"] for event in events if event["type"] == "dealt"),
        "lowest": lowest,
        "surprise": any(event["type"] == "revealed" for event in events),
        "double": any(event["type"] == "doubled" for event in events),
        "allied": row["ally"] is not None,
        "burnt": sum(event["type"] == "trick_burnt" for event in events),
        "nulls": sum(row["null"]),
    }
    surprised = _winner_of_surprise(events)
    return DealFacts(deal, tuple(_of_seat(seat, row, sheet, events, surprised) for seat in range(len(row["total"]))))


def _of_seat(seat, row, sheet, events, surprised):
    won = [event for event in events if event["type"] == "trick_won" and event["seat"] == seat]
    doubled = [event for event in events if event["type"] == "doubled" and event["seat"] == seat]
    return {
        "points": row["total"][seat],
        "score": sum(done["total"][seat] for done in sheet["rounds"]),
        "tricks": len(won),
        "trick_points": row["trick_points"][seat],
        "black_cards": row["black_cards"][seat],
        "doubling": row["doubling"][seat],
        "doubled": bool(doubled),
        "null": row["null"][seat],
        "lucky_loser": row["lucky_loser"][seat],
        "lowest": any("KLOW" in event["black"] for event in won),
        "surprise": surprised == seat,
        "minus5": any("K-5" in event["black"] for event in won),
        "ally": _part_in_alliance(seat, row["ally"]),
        "ally_change": row["ally_change"][seat],
    }


def _winner_of_surprise(events):
    """The seat that won the trick with the card under the Surprise card, or None."""
    for revealed, finished in pairwise(events):
        if revealed["type"] == "revealed":
            return finished["seat"] if finished["type"] == "trick_won" else None
    return None


def _part_in_alliance(seat, ally):
    if ally is None:
        return None
    return {ally["seat"]: "player", ally["partner"]: "partner"}.get(seat)
