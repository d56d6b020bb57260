"""What one seat of Bids sees besides the felt: its hand, what is expected of it, what a round came to."""

from games.bids.table import words
from games.bids.table.outlook import outlooks, so_far
from games.bids.table.terms import laid_out
from games.kit.contract import placed
from games.kit.drawing import own_part
from games.kit.hands import drawn_hand
from games.kit.language import said, said_in
from games.kit.markup import crown
from games.kit.tricks import played_by
from games.kit.words import Names, end_sentence, signed


def mine(table, moves, players):
    names = Names([player["name"] for player in players], table["seat"])
    mine = own_part(_stage(table), table, moves, players, _sentence(table, moves, names))
    if table["hand"]:
        dealt = [*table["hand"], *played_by(table["seat"], [*table["tricks"], table])]
        notes = outlooks(table, names) if moves else None
        mine["hand"] = drawn_hand(table["hand"], sort=laid_out, dealt=dealt, notes=notes)
    if table["phase"] != "play" and table["score_sheet"]["rounds"]:
        mine["result"] = _result(table, names)
    return mine


# What is expected of a seat


def _stage(table):
    return said("Final result") if table["phase"] == "over" else said("Round {number}", number=table["round"])


def _sentence(table, moves, names):
    phase, sheet = table["phase"], table["score_sheet"]
    if phase == "over":
        return end_sentence(sheet["totals"], table["seat"], names)
    if phase == "deal":
        rounds = sheet["rounds"]
        return words.round_over(rounds[-1], names) if rounds else words.before_first_round(table["first_leader"], names)
    if not moves:
        return words.waiting(table["to_act"], names)
    return " ".join(words.expected(table, words.standing(table, so_far(table), names)))


# The result of a round, and of the match


def _result(table, names):
    """A line for every seat, by place: what its points of the last round are made of; and what made them so."""
    sheet, over = table["score_sheet"], table["phase"] == "over"
    last, totals = sheet["rounds"][-1], sheet["totals"]
    columns = [(said("Tricks"), last["trick_points"])]
    columns += [("2×", last["doubling"])] if any(last["doubling"]) else []
    columns += [(said_in("head of a column", "Lucky Loser"), last["lucky_loser"])] if any(last["null"]) else []
    columns += [(said("Ally"), last["ally_change"])] if last["ally"] else []
    lines = [
        {
            "seat": seat,
            "classes": "me" if seat == table["seat"] else "",
            "place": str(place),
            "crown": crown() if over and place == 1 else "",
            "name": said_in("what a player is called", "You") if seat == table["seat"] else names[seat],
            "parts": [_part(figures[seat], plus=at > 0) for at, (_, figures) in enumerate(columns)],
            "points": signed(last["total"][seat], plus=True),
            "total": signed(total),
            "behind": signed(total - max(totals)) if total < max(totals) else "–",
        }
        for seat, total, place in placed(totals)
    ]
    return {
        "over": over,
        "heading": said("Final result") if over else words.round_of(last["round"], table["options"]["rounds"]),
        "columns": [heading for heading, _ in columns],
        "lines": lines,
        "why": words.why(last, names),
    }


def _part(points, plus):
    return signed(points, plus=plus) if points else "–"
