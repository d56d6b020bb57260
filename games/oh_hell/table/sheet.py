"""The score sheet of Oh Hell: a row for each hand, a blot on each missed bid, a dot at the dealer's bid."""

from collections.abc import Callable

from games.kit.contract import Seat
from games.kit.drawing import ANY_READER, Players, SheetReader, TemplateData, draw_totals, round_table
from games.kit.language import say_in
from games.kit.markup import SUIT_SIGNS
from games.kit.words import SUIT_WORDS, with_sign
from games.oh_hell.table import words
from games.oh_hell.types import ScoreSheet, SeatResult, SheetRow


def sheet(score_sheet: ScoreSheet, players: Players, reader: SheetReader = ANY_READER) -> TemplateData:
    viewer, link = reader.viewer, reader.link
    totals, changes = score_sheet["totals"], reader.changes
    played = score_sheet["hands_played"]
    rows = score_sheet["hands"]
    over = played == len(rows)
    order, you = round_table(len(players), viewer), say_in("what a player is called", "You")
    return {
        "classes": "sheet hands many" if len(players) > 5 else "sheet hands",
        "sequence": words.SEQUENCES[score_sheet["game_style"]],
        "scoring": words.SCORINGS[score_sheet["scoring_style"]],
        "players": [{"name": you if seat == viewer else players[seat]["name"]} for seat in order],
        "rows": [
            {**_sheet_row(row, row["hand"] == played + 1, order, link), "changed": changes.get(row["hand"], "")}
            for row in rows
        ],
        "totals": draw_totals(totals, order, played > 0, over),
        "over": over,
    }


def _sheet_row(row: SheetRow, current: bool, order: list[Seat], link: Callable[..., str]) -> TemplateData:
    """Return the texts of one hand, which is a row of the score sheet. current: whether the hand is being played.

    order: the seats in the order of the columns. link: a function that returns the address of a hand in the replay.
    """
    off = row["over_under"]  # the sum of the bids minus the number of tricks, or None before all have bid
    scored = row["seats"][0]["points"] is not None  # All seats get their points at the same time.
    dealer = row["dealer"] if current or scored else None  # Later dealers do not matter yet.
    return {
        "number": str(row["hand"]),
        "classes": "current" if current else "scored" if scored else "blank",
        "cards": str(row["cards"]),
        "sign": SUIT_SIGNS[row["trump"]] if row["trump"] else "",
        "trump": SUIT_WORDS[row["trump"]] if row["trump"] else "",
        "off": "" if off is None else with_sign(off, plus=True),
        "off_words": "" if off is None else words.over_or_under(off),
        "cells": [{**_sheet_cell(row["seats"][seat]), "dealer": seat == dealer} for seat in order],
        "url": link(row["hand"]),
    }


def _sheet_cell(cell: SeatResult) -> dict[str, str]:
    """Return the dict for one player's bid in a hand, as a column of the score sheet shows it.

    cell: the number of tricks bid and taken, the points and the total, None while there is no such number. A bid is
    made only with exactly that number of tricks.
    """
    bid, tricks, points, total = cell["bid"], cell["taken"], cell["points"], cell["total"]
    if bid is None:
        return {"classes": "", "bid": "", "words": "", "total": "", "points": ""}
    if tricks is None:
        return {"classes": "bid", "bid": str(bid), "words": "", "total": "", "points": ""}
    if points is None or total is None:
        texts = {"bid": str(bid), "words": words.has_so_far(tricks), "total": f"({tricks})", "points": ""}
        return {"classes": "playing"} | texts
    return {
        "classes": "made" if bid == tricks else "missed",
        "bid": str(bid),
        "words": words.made() if bid == tricks else words.missed(tricks),
        "total": with_sign(total),
        "points": words.points_in_hand(points),
    }
