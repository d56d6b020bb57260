"""The part of a table of Bids that one seat sees: its hand, what it is expected to do, the result of a round."""

from collections.abc import Sequence

from games.bids.table import words
from games.bids.table.outlook import outcome_so_far, outlooks
from games.bids.table.terms import group_by_colour
from games.bids.types import View
from games.kit.contract import Move, Score
from games.kit.drawing import Column, Players, TemplateData, draw_result, own_part, result_lines
from games.kit.hands import Order, card_move, draw_hand
from games.kit.language import say, say_in
from games.kit.markup import CardAction
from games.kit.tricks import played_by
from games.kit.words import Names, end_sentence, with_sign


def mine(table: View, moves: list[Move], players: Players) -> TemplateData:
    names = Names([player["name"] for player in players], table["seat"])
    mine = own_part(_stage(table), table, moves, players, _sentence(table, moves, names))
    if table["hand"]:
        dealt = [*table["hand"], *played_by(table["seat"], [*table["tricks"], table])]
        notes = outlooks(table, names) if moves else {}
        actions = {card: CardAction(card_move("play", card), note=note) for card, note in notes.items()}
        mine["hand"] = draw_hand(table["hand"], Order(sort=group_by_colour), dealt=dealt, actions=actions)
    if table["phase"] != "play" and table["score_sheet"]["rounds"]:
        mine["result"] = _result(table, names)
    return mine


def _stage(table: View) -> str:
    return say("Final result") if table["phase"] == "over" else say("Round {number}", number=table["round"])


def _sentence(table: View, moves: list[Move], names: Names) -> str:
    """Return the sentence above the hand: what to do, whom to wait for, or the result of the round or the match.

    moves: the legal moves of this seat, empty if another seat is to move.
    """
    phase, sheet = table["phase"], table["score_sheet"]
    if phase == "over":
        return end_sentence(sheet["totals"], table["seat"], names)
    if phase == "deal":
        rounds = sheet["rounds"]
        return words.round_over(rounds[-1], names) if rounds else words.before_first_round(table["first_leader"], names)
    if not moves:
        assert table["to_act"] is not None
        return words.waiting(table["to_act"], names)
    return " ".join(words.next_step(table, words.who_is_ahead(table, outcome_so_far(table), names)))


def _result(table: View, names: Names) -> TemplateData:
    """Return the result of a round or the match as data of a table: a line for every seat, a column for each figure.

    The first columns are the parts of the points of the round. Some parts are rare and have a column only if a seat has
    such points: from a card that doubles points, for winning no black card ("null"), or from sharing with an ally.
    """
    sheet, over = table["score_sheet"], table["phase"] == "over"
    last, totals = sheet["rounds"][-1], sheet["totals"]
    parts: list[tuple[str, Sequence[Score]]] = [(say("Trick points"), last["trick_points"])]
    if any(last["doubling"]):
        parts.append(("2×", last["doubling"]))
    if any(last["null"]):
        parts.append((say_in("head of a column", "Lucky Loser"), last["lucky_loser"]))
    if last["ally"]:
        parts.append((say("Ally"), last["ally_change"]))
    best = max(totals)
    columns = [
        *[
            # All parts but the first have a plus sign, because they are added to it.
            Column(head, [_points_or_dash(points, plus=index > 0) for points in part], "part")
            for index, (head, part) in enumerate(parts)
        ],
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
    return result | {"reasons": words.reasons(last, names)}


def _points_or_dash(points: Score, plus: bool) -> str:
    return with_sign(points, plus=plus) if points else "–"
