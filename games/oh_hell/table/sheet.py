"""The sheet of Oh Hell: a row a hand, a blot on every bid that was missed."""

from games.kit.markup import CROWN, LEADER, SUIT_SIGNS
from games.kit.words import SUIT_WORDS, signed

STYLES = {
    "long": "long",
    "long-inverted": "long, inverted",
    "short-up-and-down": "short, down and up",
    "short-up": "short, up",
    "short-down": "short, down",
}


def sheet(score_sheet, players, link, viewer):
    """viewer: whose column comes first, or None."""
    count = len(players)
    order = [((viewer or 0) + place) % count for place in range(count)]
    totals = score_sheet["totals"]
    played = score_sheet["hands_played"]
    best = max(totals)
    rows = score_sheet["hands"]
    over = played == len(rows)
    return {
        "caption": f"{STYLES[score_sheet['game_style']]}, {score_sheet['scoring_style']} scoring",
        "players": [{"name": players[seat]["name"], "me": seat == viewer} for seat in order],
        "rows": [_sheet_row(row, row["hand"] == played + 1, order, link) for row in rows],
        "totals": [
            {"total": signed(total), "crown": (CROWN if over else LEADER) if played and total == best else ""}
            for total in [totals[seat] for seat in order]
        ],
        "over": over,
    }


def _sheet_row(row, current, order, link):
    off = row["over_under"]
    scored = row["seats"][0]["points"] is not None
    return {
        "number": str(row["hand"]),
        "classes": "current" if current else "scored" if scored else "blank",
        "cards": str(row["cards"]),
        "sign": SUIT_SIGNS[row["trump"]] if row["trump"] else "",
        "trump": SUIT_WORDS[row["trump"]] if row["trump"] else "",
        "off": "" if off is None else signed(off, plus=True),
        "off_words": "" if off is None else f"over by {off}" if off > 0 else f"under by {-off}",
        "cells": [_sheet_cell(row["seats"][seat]) | {"dealer": seat == row["dealer"]} for seat in order],
        "url": link(row["hand"]),
    }


def _sheet_cell(cell):
    """One player's line of a hand: the bid, blotted when missed, and the running total."""
    bid, taken, points = cell["bid"], cell["taken"], cell["points"]
    if bid is None:
        return {"classes": "", "bid": "", "words": "", "total": "", "points": ""}
    if taken is None:
        return {"classes": "bid", "bid": str(bid), "words": "", "total": "", "points": ""}
    if points is None:
        return {"classes": "playing", "bid": str(bid), "words": f"has {taken}", "total": f"({taken})", "points": ""}
    return {
        "classes": "made" if bid == taken else "missed",
        "bid": str(bid),
        "words": "made" if bid == taken else f"missed, took {taken}",
        "total": signed(cell["total"]),
        "points": f"{signed(points, plus=True)} in this hand",
    }
