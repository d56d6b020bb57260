"""What there is to know of a round of Bleven. Source: "Facts" on the rules page."""

from games.kit.facts import DealFacts, SheetColumn
from games.kit.language import lazily, lazily_in

SHEET_COLUMNS = (
    SheetColumn(lazily("Predicted"), "deal_predicted"),
    SheetColumn(
        lazily_in("of a prediction", "Right"), "deal_right", {True: lazily("yes"), False: lazily_in("answer", "no")}
    ),
    SheetColumn(lazily("Bet"), "deal_bet"),
)


def facts(sheet, events):
    """The DealFacts of the round scored last. sheet: the score sheet after it. events: all of the round."""
    row = sheet["rounds"][-1]
    prediction = row["prediction"] or {"tricks": None, "positions": ()}
    said = [event for event in events if event["type"] == "said"]
    deal = {key: row[key] for key in ("dealer", "result", "declarer", "replier", "answer", "right")}
    deal |= {key: row[key] for key in ("offered", "bet", "side_bets")}
    deal |= {
        "predicted": prediction["tricks"],
        "positions": len(prediction["positions"]),
        "raised": any(map(_is_raise, said)),
        "stones": sum(row["stones"]),
    }
    sides = {seat: side for side in sheet["sides"] for seat in side["seats"]}
    return DealFacts(deal, tuple(_of_seat(seat, sides[seat]["side"], row, said) for seat in sorted(sides)))


def _of_seat(seat, side, row, said):
    own = [event for event in said if event["seat"] == seat]
    kinds = {event["move"]["type"] for event in own}
    declarer = seat == row["declarer"]
    return {
        "points": row["stones"][side],
        "score": row["totals"][side],
        "won": row["winner"] == side,
        "tricks": sum(trick["winner"] == seat for trick in row["tricks"]),
        "predicted": row["prediction"]["tricks"] if declarer and row["prediction"] else None,
        "right": row["right"] if declarer else None,
        "declared": "declare" in kinds,
        "deduced": "deduce" in kinds,
        "suspected": "suspect" in kinds,
        "raised": any(map(_is_raise, own)),
        "countered": any("plus" in event["move"] and "tricks" in event["move"] for event in own),
        "side_bet": "side_bet" in kinds,
        "out": seat in row["out"],
        "left": seat in row["left"],
        "faced": seat in row["faced"],
    }


def _is_raise(event):
    """Whether stones were added to an answer, with a better prediction or without."""
    return event["move"].get("plus", 0) > 0
