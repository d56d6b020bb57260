"""What there is to know of a hand of Oh Hell. Source: "Facts" on the rules page."""

from games.kit.facts import DealFacts, SheetColumn
from games.kit.language import lazily, lazily_in
from games.kit.words import SUIT_WORDS
from games.oh_hell.luck import worths

SHEET_COLUMNS = (
    SheetColumn(lazily("Cards"), "deal_cards"),
    SheetColumn(lazily("Trumps"), "deal_trump", SUIT_WORDS),
    SheetColumn(lazily_in("noun", "Bid"), "bid"),
    SheetColumn(lazily("Tricks"), "tricks"),
)


def facts(sheet, events):
    """The DealFacts of the hand scored last. sheet: the score sheet after it. events: all of the hand."""
    row = sheet["hands"][sheet["hands_played"] - 1]
    deal = {key: row[key] for key in ("dealer", "cards", "trump", "over_under")}
    seats = row["seats"]
    turns = [(seat - row["dealer"] - 1) % len(seats) + 1 for seat in range(len(seats))]
    return DealFacts(deal, tuple(map(_of_seat, seats, turns, worths(sheet, row, events))))


def _of_seat(line, turn, worth):
    off = line["taken"] - line["bid"]
    return {
        "points": line["points"],
        "score": line["total"],
        "turn": turn,
        "bid": line["bid"],
        "tricks": line["taken"],
        "off": off,
        "made": off == 0,
        "worth": worth,
        "beyond": round(line["points"] - worth, 1) + 0.0,
    }
