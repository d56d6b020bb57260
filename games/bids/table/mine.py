"""What one seat of Bids sees besides the felt: its hand, what is expected of it, what a round came to."""

from games.bids.rules.pack import SURPRISE
from games.bids.table.felt import so_far, standing_of
from games.bids.table.terms import laid_out, points_words
from games.kit.contract import placed
from games.kit.drawing import own_part
from games.kit.hands import drawn_hand
from games.kit.markup import CROWN
from games.kit.tricks import played_by
from games.kit.words import CARD_NAMES, end_sentence, joined, signed


def mine(table, moves, players):
    names = [player["name"] for player in players]
    mine = own_part(_stage(table), table, moves, players, _sentence(table, moves, names))
    if table["hand"]:
        dealt = [*table["hand"], *played_by(table["seat"], [*table["tricks"], table])]
        mine["hand"] = drawn_hand(table["hand"], sort=laid_out, dealt=dealt)
    if table["phase"] != "play" and table["score_sheet"]["rounds"]:
        mine["result"] = _result(table, players)
    return mine


# What is expected of a seat


def _stage(table):
    return "Final result" if table["phase"] == "over" else f"Round {table['round']}"


def _sentence(table, moves, names):
    seat, phase = table["seat"], table["phase"]
    totals = table["score_sheet"]["totals"]
    if phase == "over":
        return end_sentence(totals, seat, names)
    if phase == "deal":
        return _scored_sentence(table, names)
    if not moves:
        watching = "You are watching. " if seat is None else ""
        return f"{watching}{names[table['to_act']]} is to bid."
    if table["plays"]:
        return f"Your bid. {standing_of(table, so_far(table), names)[1]}"
    what = "the hidden card" if table["centre"] == SURPRISE else f"the {CARD_NAMES[table['centre']]}"
    won = table["tricks"] and table["tricks"][-1]["winner"] == seat
    begin = "Lowest wins" if table["lowest"] else "You won" if won else "You lead"
    return f"{begin}. Bid any card for {what}."


def _scored_sentence(table, names):
    rounds, seat = table["score_sheet"]["rounds"], table["seat"]
    if not rounds:
        return f"The cards are about to be dealt: {names[table['first_leader']]} leads."
    last = rounds[-1]
    if seat is None:
        best = max(last["total"])
        most = [name for name, points in zip(names, last["total"], strict=True) if points == best]
        return f"Round {last['round']}: most for {joined(most)}, {points_words(best)}."
    words = f"{points_words(last['total'][seat])} for you in round {last['round']}"
    if last["null"][seat]:
        return f"{words}: no black card, Lucky Loser {signed(last['lucky_loser'][seat], plus=True)}."
    return f"{words}."


# The result of a round, and of the match


def _result(table, players):
    """A line for every seat: what its points of the last round are made of; by place when the match is over."""
    sheet, over = table["score_sheet"], table["phase"] == "over"
    last = sheet["rounds"][-1]
    doubled, allied = any(last["doubling"]), bool(last["ally"])
    columns = [("Tricks", last["trick_points"])]
    columns += [("2×", last["doubling"])] if doubled else []
    columns += [("Lucky", last["lucky_loser"])]
    columns += [("Ally", last["ally_change"])] if allied else []
    lines = []
    for seat, total, place in placed(sheet["totals"]):
        lines.append(
            {
                "seat": seat,
                "classes": "me" if seat == table["seat"] else "",
                "place": str(place),
                "crown": CROWN if over and place == 1 else "",
                "name": players[seat]["name"],
                "parts": [_part(figures[seat], heading) for heading, figures in columns],
                "points": signed(last["total"][seat], plus=True),
                "total": signed(total),
            }
        )
    if not over:
        lines.sort(key=lambda line: line["seat"])
    return {
        "over": over,
        "heading": "Final result" if over else f"Round {last['round']} of {table['options']['rounds']}",
        "columns": [heading for heading, _ in columns],
        "lines": lines,
    }


def _part(points, heading):
    return signed(points, plus=heading != "Tricks") if points else "–"
