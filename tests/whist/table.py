"""Whist as it is drawn."""

from games.kit.cards import suit
from games.kit.drawing import (
    ANY_READER,
    DASH,
    Column,
    Drawing,
    draw_felt,
    draw_result,
    draw_tricks,
    own_part,
    slots,
    visible_trick,
)
from games.kit.hands import Order, draw_hand, sort_hand
from games.kit.language import say_count
from games.kit.markup import SMALL_FACES, SUIT_SIGNS, Markup, crown
from games.kit.words import CARD_NAMES, SUIT_TITLES, card_played, join_words, match_over, trick_won


def _dealt(event, names):
    yield f"Deal {event['deal']}: the {CARD_NAMES[event['turned']]} is turned."


def _deal_scored(event, names):
    yield f"Points: {event['points'][0]} and {event['points'][1]}."


SENTENCES = {
    "dealt": _dealt,
    "card_played": card_played,
    "trick_won": trick_won,
    "deal_scored": _deal_scored,
    "match_over": match_over,
}


def _trump(table):
    return suit(table["turned"]) if table["turned"] else None


def _suits(table):
    return sort_hand(table["hand"], _trump(table))


def _felt(table, players):
    names, totals = [player["name"] for player in players], table["score_sheet"]["totals"]
    tricks = table["tricks"]
    shown, winner = visible_trick(table, tricks)
    won = [trick["winner"] for trick in tricks]
    seats = [
        {
            "tally": say_count(won.count(seat), "{number} trick", "{number} tricks") if tricks else DASH,
            "total": Markup(totals[seat % 2]),
            "slot": slot,
            "face": face,
        }
        for seat, (slot, face) in enumerate(slots(len(players), shown, winner))
    ]
    return draw_felt(table, players, seats, table["dealer"]) | {
        "contract": _contract(table),
        "caption": f"{names[winner]} takes it" if winner is not None else "",
        "tricks": draw_tricks(tricks, names),
    }


def _contract(table):
    turned = table["turned"]
    return {
        "emblem": SMALL_FACES[turned] if turned else "",
        "what": f"{SUIT_TITLES[suit(turned)]} are trumps" if turned else "No card turned yet",
        "deal": f"Deal {table['deal']}",
        "length": f"of {table['score_sheet']['total']}",
    }


def _mine(table, moves, players):
    over = table["phase"] == "over"
    stage = "Final result" if over else f"Deal {table['deal']}"
    mine = own_part(stage, table, moves, players, _sentence(table, moves, players))
    if table["hand"]:
        legal = {move["card"] for move in moves} if moves else None
        mine["hand"] = draw_hand(table["hand"], Order(_trump(table)), legal)
    if table["phase"] != "play" and table["score_sheet"]["deals"]:
        sides, totals = _sides(players), table["score_sheet"]["totals"]
        lines = [{"who": side, "name": sides[side]} for side in (0, 1)]
        mine["result"] = draw_result(stage, over, "Side", [Column("Total", list(map(str, totals)), "sum")], lines)
    return mine


def _sides(players):
    return [join_words([player["name"] for player in players[side::2]]) for side in (0, 1)]


def _sentence(table, moves, players):
    if table["phase"] == "play":
        return "Your turn." if moves else f"{players[table['to_act']]['name']} is to play."
    return "The match is over." if table["phase"] == "over" else f"{players[table['dealer']]['name']} deals."


def _sheet(score_sheet, players, reader=ANY_READER):
    totals, over = score_sheet["totals"], len(score_sheet["deals"]) == score_sheet["total"]
    return {
        "sides": _sides(players),
        "rows": [
            {
                "deal": row["deal"],
                "sign": SUIT_SIGNS[row["trump"]],
                "points": [str(points) for points in row["points"]],
                "url": reader.link(row["deal"]),
                "changed": reader.changes.get(row["deal"], ""),
            }
            for row in score_sheet["deals"]
        ],
        "totals": [
            {"total": str(total), "crown": crown() if over and total == max(totals) else ""} for total in totals
        ],
    }


def _deed(move, seat, names):
    return "The cards are dealt" if move["type"] == "deal" else f"{names[seat]} plays the {CARD_NAMES[move['card']]}"


DRAWING = Drawing(_felt, _mine, _sheet, _deed, SENTENCES, suits_of=_suits)
