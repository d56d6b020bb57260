"""What one seat of Bleven sees besides the felt: its field and its sum, what is expected of it, the result."""

from games.bleven.rules.pack import VALUE, field_sum
from games.bleven.rules.state import CROWN as STONES_OF_A_CROWN
from games.bleven.rules.state import ENOUGH, all_terms
from games.bleven.table.felt import ENDED
from games.bleven.table.panels import panel_of
from games.bleven.table.stakes import own_sum
from games.bleven.table.words import (
    PAID_FOR,
    outcome,
    prediction_words,
    side_does,
    side_names,
    stone_words,
    stones,
    won_places,
    won_words,
)
from games.kit.drawing import own_part
from games.kit.hands import drawn_row
from games.kit.markup import CROWN
from games.kit.words import joined, signed


def mine(table, moves, players):
    phase, seat = table["phase"], table["seat"]
    names = [player["name"] for player in players]
    stage = "Final result" if phase == "over" else f"Round {table['round']}"
    mine = own_part(stage, table, moves, players, _sentence(table, moves, names))
    mine |= {"sum": None, "panel": None}
    if table["hand"]:
        mine["hand"] = _hand(table, moves)
    if seat is not None and phase not in ENDED:
        mine["sum"] = _sum(table)
        mine["panel"] = panel_of(table, moves, names)
    if table["last_round"]:
        mine["result"] = _result(table, names)
    return mine


# What is expected of a seat


DOING = {
    "discard": "to discard",
    "poll": "to stay or leave",
    "predict": "to predict",
    "reply": "to answer",
    "raise": "to answer the raise",
    "side_bet": "to bet or pass",
    "side_reply": "to answer the side bet",
}


def _sentence(table, moves, names):
    phase, seat, actor = table["phase"], table["seat"], table["to_act"]
    if phase == "over":
        return _end_sentence(table, names)
    if phase == "deal":
        return _scored_sentence(table, names)
    if not moves:
        watching = "You are watching. " if seat is None else ""
        return f"{watching}{names[actor]} is {DOING.get(phase, 'to act')}."
    offered = table["bet"]["offered"]
    if phase == "turn":
        return _turn_sentence(len(table["reserves"][seat]), {move["type"] for move in moves})
    if phase == "discard":
        return "Discard one of your four cards."
    if phase == "poll":
        return f"{names[table['declarer']]} declares. Do you stay?"
    if phase == "predict":
        return (
            "You are the declarer. What will your side win?"
            if table["seats"] > 2
            else "You declare: what will you win?"
        )
    if phase == "reply":
        return f"{names[table['declarer']]} predicts {prediction_words(table['prediction'])}. Your answer?"
    if phase == "raise":
        return f"{names[table['replier']]} raises the bet to {offered}. Your answer?"
    if phase == "side_bet":
        return "A side bet before the next trick?"
    return f"{names[table['side_offer']['seat']]} bets {stone_words(table['side_offer']['bet'])} more. Are you in?"


def _turn_sentence(discards, kinds):
    if "stay" not in kinds:
        return "Your turn. Draw, or declare." if "declare" in kinds else "Your turn. Draw a card."
    *most, last = ["stay", "leave", *(["draw on"] if "draw" in kinds else []), *(kinds & {"declare"})]
    return f"{'Five' if discards == 5 else discards} discards: {', '.join(most)} or {last}."


def _scored_sentence(table, names):
    last, seat = table["last_round"], table["seat"]
    if not last:
        return f"{names[table['dealer']]} is about to deal."
    sentences = [outcome(last, names)]
    if seat is not None and last["winner"] is not None:
        mine = last["stones"][seat % 2]
        whose = "You" if table["seats"] == 2 else "Your side"
        gets = "get" if table["seats"] == 2 else "gets"
        sentences.append(f"{whose} {gets} {stone_words(mine) if mine else 'nothing'}")
    return f"{'. '.join(sentences)}.{_what_comes(table)}"


def _what_comes(table):
    """That the next round may decide the match by the number of rounds; else nothing."""
    last = all_terms(table["options"])["rounds"]
    if last and table["round"] == last:
        return " The next round is the last: then the higher total wins."
    if last and table["round"] > last:
        return " The totals are level: one more round decides."
    return ""


def _end_sentence(table, names):
    seat, winner = table["seat"], table["winner"]
    how = _how_won(table, names)
    if seat is not None and seat % 2 == winner:
        partner = [name for other, name in enumerate(names) if other % 2 == winner and other != seat]
        return f"{joined(['You', *partner])} win {how}."
    return f"{side_does(winner, names, 'wins', 'win')} {how}."


def _how_won(table, names):
    """By crowns, "with 31 stones"; else by the number of rounds."""
    totals, winner = table["totals"], table["winner"]
    total = f"with {stone_words(totals[winner])}"
    if totals[winner] >= table["options"]["crowns"] * STONES_OF_A_CROWN:
        return total
    if totals[0] != totals[1]:
        return f"{total} after {table['round']} rounds"
    level = f"at {totals[0]} : {totals[1]}"
    if table["last_round"]["winner"] is None:
        return f"{level}: the last round was void, and {names[table['dealer']]} dealt it"
    return f"{level}: the last round decides"


# The hand


def _hand(table, moves):
    hand = table["hand"]
    if table["phase"] != "discard" or not moves:
        return drawn_row(hand)
    total = field_sum(hand)
    notes = {card: f"leaves {total - VALUE[card]}" for card in hand}
    return drawn_row(hand, "discard", notes, table["drawn"])


def _sum(table):
    """The sum of the own field against 15; None where it is not this seat's any more."""
    seat = table["seat"]
    if table["status"][seat] not in ("undecided", "stayed"):
        return None
    if len(table["hand"]) > 3:
        return {"classes": "field-sum", "number": str(field_sum(table["hand"])), "words": "in four cards"}
    total = own_sum(table)
    if total >= ENOUGH:
        return {"classes": "field-sum enough", "number": str(total), "words": "15 or more"}
    return {"classes": "field-sum short", "number": str(total), "words": f"{ENOUGH - total} short of 15"}


# The result of a round, and of the match


def _result(table, names):
    """A line for each side: what it was paid and its total; the winner first when the match is over."""
    last, over, seat = table["last_round"], table["phase"] == "over", table["seat"]
    columns = list(dict.fromkeys(payment["for"] for payment in last["paid"]))
    lines = []
    for side in (0, 1):
        paid = {payment["for"]: payment["stones"] for payment in last["paid"] if payment["side"] == side}
        won = table["winner"] == side if over else last["winner"] == side
        lines.append(
            {
                "classes": " ".join(
                    filter(None, ["won" if won else "", "me" if seat is not None and seat % 2 == side else ""])
                ),
                "crown": CROWN if over and won else "",
                "name": side_names(side, names),
                "paid": [str(paid.get(column, "–")) for column in columns],
                "gained": signed(last["stones"][side], plus=True),
                "total": str(table["totals"][side]),
                "stones": stones(table["totals"][side], crowns=True),
                "won": won,
            }
        )
    if over:
        lines.sort(key=lambda line: not line["won"])
    return {
        "over": over,
        "heading": "Final result" if over else f"Round {last['round']}",
        "verdict": _verdict(last, names),
        "columns": [PAID_FOR[column] for column in columns],
        "lines": lines,
    }


def _verdict(row, names):
    """How a round went, in a sentence or two."""
    if not row["prediction"]:
        return f"{outcome(row, names)}."
    said = f"{side_does(row['declarer'], names, 'predicted', 'predicted')} {prediction_words(row['prediction'])}"
    if row["right"] is None:
        return f"{said}. {outcome(row, names)}."
    return f"{said} and won {won_words(won_places(row))}. {outcome(row, names)}."
