"""What one seat of Bids sees besides the felt: its hand, what is expected of it, what a round came to."""

from games.bids.table import words
from games.bids.table.outlook import outlooks, so_far
from games.bids.table.terms import laid_out
from games.kit.drawing import Column, draw_result, own_part, result_lines
from games.kit.hands import Order, card_move, draw_hand
from games.kit.language import say, say_in
from games.kit.markup import CardAction
from games.kit.tricks import played_by
from games.kit.words import Names, end_sentence, with_sign


def mine(table, moves, players):
    names = Names([player["name"] for player in players], table["seat"])
    mine = own_part(_stage(table), table, moves, players, _sentence(table, moves, names))
    if table["hand"]:
        dealt = [*table["hand"], *played_by(table["seat"], [*table["tricks"], table])]
        notes = outlooks(table, names) if moves else {}
        actions = {card: CardAction(card_move("play", card), note=note) for card, note in notes.items()}
        mine["hand"] = draw_hand(table["hand"], Order(sort=laid_out), dealt=dealt, actions=actions)
    if table["phase"] != "play" and table["score_sheet"]["rounds"]:
        mine["result"] = _result(table, names)
    return mine


# What is expected of a seat


def _stage(table):
    return say("Final result") if table["phase"] == "over" else say("Round {number}", number=table["round"])


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
    parts = [(say("Tricks"), last["trick_points"])]
    parts += [("2×", last["doubling"])] if any(last["doubling"]) else []
    parts += [(say_in("head of a column", "Lucky Loser"), last["lucky_loser"])] if any(last["null"]) else []
    parts += [(say("Ally"), last["ally_change"])] if last["ally"] else []
    best = max(totals)
    columns = [
        *[Column(head, [_part(each, plus=at > 0) for each in part], "part") for at, (head, part) in enumerate(parts)],
        Column(say("Round"), [with_sign(points, plus=True) for points in last["total"]]),
        Column(say("Total"), [with_sign(total) for total in totals], "sum"),
        Column(
            say_in("points behind the first", "Behind"),
            [with_sign(total - best) if total < best else "–" for total in totals],
            "behind",
        ),
    ]
    heading, head = words.round_of(last["round"], table["options"]["rounds"]), say_in("in a match", "Place")
    result = draw_result(heading, over, head, columns, result_lines(totals, names, over))
    return result | {"reasons": words.why(last, names)}


def _part(points, plus):
    return with_sign(points, plus=plus) if points else "–"
