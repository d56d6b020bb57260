"""The private part of a Bleven table: the seat's field and its sum, its next step and the result."""

from games.bleven.rules.pack import VALUE, field_sum
from games.bleven.rules.state import BETWEEN_ROUNDS, CROWN, FULL_RESERVE, MIN_SUM, complete_options
from games.bleven.table.panels import panel_of
from games.bleven.table.stakes import LOST, SURE, own_sum, prospects
from games.bleven.table.words import (
    ORDINALS,
    PAID_FOR,
    WINNER,
    is_own,
    outcome,
    prediction_words,
    side_heading,
    side_seats,
    stone_words,
    stones,
    verdict,
)
from games.kit.drawing import Column, draw_result, own_part
from games.kit.hands import draw_row
from games.kit.language import cache_by_language, say, say_in
from games.kit.markup import Markup, as_markup
from games.kit.words import Names, sentence_of, with_sign


def mine(table, moves, players):
    phase, seat = table["phase"], table["seat"]
    names = Names([player["name"] for player in players], seat)
    stage = say("Final result") if phase == "over" else say("Round {number}", number=table["round"])
    mine = own_part(stage, table, moves, players, _sentence(table, moves, names))
    mine |= {"sum": None}
    if table["hand"]:
        mine["hand"] = _hand(table, moves)
    if seat is not None and phase not in BETWEEN_ROUNDS:
        mine["sum"] = _sum(table)
        mine["box"] = panel_of(table, moves, names)
    if table["last_round"]:
        mine["result"] = _result(table, names)
    return mine


# The next step of a seat


AWAITED = {
    "turn": "Waiting for {name}.",
    "discard": "Waiting for {name} to discard.",
    "poll": "Waiting for {name} to stay or leave.",
    "predict": "Waiting for {name} to predict.",
    "reply": "Waiting for {name} to answer.",
    "raise": "Waiting for {name} to answer the raise.",
    "side_bet": "Waiting for {name} to bet or pass.",
    "side_reply": "Waiting for {name} to answer the side bet.",
}


def _sentence(table, moves, names):
    phase, seat = table["phase"], table["seat"]
    if phase == "over":
        return _end_sentence(table, names)
    if phase == "deal":
        return _scored_sentence(table, names)
    if not moves:
        return names.with_watching_note(say(AWAITED[phase], name=names[table["to_act"]]))
    if phase == "turn":
        return _turn_sentence(len(table["reserves"][seat]), {move["type"] for move in moves})
    if phase == "discard":
        return say("Discard one of your four cards.")
    if phase == "predict":
        pairs, single = "You are the declarer. What will your side win?", "You are the declarer. What will you win?"
        return say(pairs if table["seats"] > 2 else single)
    if phase == "side_bet":
        return say("Do you make a side bet before the next trick?")
    return _asking_sentence(table, names)


def _asking_sentence(table, names):
    """Return the sentence about the call of another player that needs an answer."""
    phase = table["phase"]
    if phase == "poll":
        return say("{name} declares. Do you stay?", name=names[table["declarer"]])
    if phase == "reply":
        prediction = prediction_words(table["prediction"])
        return say("{name} says {prediction}. Your answer?", name=names[table["declarer"]], prediction=prediction)
    if phase == "raise":
        offered = table["bet"]["offered"]
        return say("{name} raises the bet to {bet}. Your answer?", name=names[table["replier"]], bet=offered)
    seat, bet = table["side_offer"]["seat"], table["side_offer"]["bet"]
    return say("{name} bets {stones} more. Are you in?", name=names[seat], stones=stone_words(bet))


def _turn_sentence(discards, kinds):
    if "stay" not in kinds:
        return say("Your turn. Draw, or declare." if "declare" in kinds else "Your turn. Draw a card.")
    if discards == FULL_RESERVE:
        sentences = {
            (False, False): "Five discards: stay or leave.",
            (False, True): "Five discards: stay, leave or declare.",
            (True, False): "Five discards: stay, leave or draw on.",
            (True, True): "Five discards: stay, leave, draw on or declare.",
        }
        return say(sentences["draw" in kinds, "declare" in kinds])
    sentences = {  # There are more than five.
        (False, False): "{number} discards: stay or leave.",
        (False, True): "{number} discards: stay, leave or declare.",
        (True, False): "{number} discards: stay, leave or draw on.",
        (True, True): "{number} discards: stay, leave, draw on or declare.",
    }
    return say(sentences["draw" in kinds, "declare" in kinds], number=discards)


def _scored_sentence(table, names):
    last, seat = table["last_round"], table["seat"]
    if not last:
        return names.say_of(table["dealer"], "You deal next.", "{name} deals next.")
    sentences = [sentence_of(outcome(last, names))]
    if seat is not None and last["winner"] is not None:
        gained = last["stones"][seat % 2]
        if gained:
            yours, pairs = "You get {stones}.", "Your side gets {stones}."
        else:
            yours, pairs = "You get nothing.", "Your side gets nothing."
        sentences.append(say(yours if table["seats"] == 2 else pairs, stones=stone_words(gained)))
    return " ".join([*sentences, *_what_comes(table)])


def _what_comes(table):
    """Return a notice if the next round may be the last, as a list of sentences."""
    last = complete_options(table["options"])["rounds"]
    if last and table["round"] == last:
        return [say("The next round is the last: then the higher total wins.")]
    if last and table["round"] > last:
        return [say("The totals are level: one more round decides.")]
    return []


def _end_sentence(table, names):
    """Return the sentence about the winner of the match: by crowns or after the last round."""
    totals, winner = table["totals"], table["winner"]
    places = {"stones": stone_words(totals[winner]), "rounds": table["round"], "total": totals[0]}
    if totals[winner] >= table["options"]["crowns"] * CROWN:
        yours, one, many = _BY_CROWNS
    elif totals[0] != totals[1]:
        yours, one, many = _AFTER_ROUNDS
    elif table["last_round"]["winner"] is None:
        yours, one, many = _BY_THE_DEAL
    else:
        yours, one, many = _BY_THE_LAST
    return names.say_of_all(side_seats(winner, names), yours, one, many, **places)


_BY_CROWNS = ("You win with {stones}.", "{names} wins with {stones}.", "{names} win with {stones}.")
_AFTER_ROUNDS = (
    "You win with {stones} after {rounds} rounds.",
    "{names} wins with {stones} after {rounds} rounds.",
    "{names} win with {stones} after {rounds} rounds.",
)
_BY_THE_LAST = (
    "You win at {total} : {total}: the last round decides.",
    "{names} wins at {total} : {total}: the last round decides.",
    "{names} win at {total} : {total}: the last round decides.",
)
_BY_THE_DEAL = (
    "You win at {total} : {total}: the last round was void, and you dealt it.",
    "{names} wins at {total} : {total}: the last round was void, and {names} dealt it.",
    "{names} win at {total} : {total}: the last round was void, and the winners dealt it.",
)


# The hand


def _hand(table, moves):
    hand, phase = table["hand"], table["phase"]
    if phase == "discard" and moves:
        total = field_sum(hand)
        notes = {card: say("{sum} left", sum=total - VALUE[card]) for card in hand}
        return draw_row(hand, closed=False, notes=notes, new=table["drawn"])
    if phase in ("turn", "discard", "poll") or table["status"][table["seat"]] != "stayed":
        return draw_row(hand)
    notes = {card: _fate_words(place, fate) for card, (place, fate) in prospects(table).items()}
    return draw_row(hand, notes=notes)


@cache_by_language()
def _fate_words(place, fate):
    return say(_FATES[fate], place=ORDINALS[place])


_FATES = {SURE: "{place}: sure", LOST: "{place}: lost", "": "{place}"}  # The trick of a card in the hand.


def _sum(table):
    """Return the sum of the own field compared to 15, or None if the seat has no field any more."""
    seat = table["seat"]
    if table["status"][seat] not in ("undecided", "stayed"):
        return None
    if len(table["hand"]) > 3:
        return {"classes": "field-sum", "number": str(field_sum(table["hand"])), "words": say("in four cards")}
    return _drawn_sum(own_sum(table))


@cache_by_language()
def _drawn_sum(total):
    if total >= MIN_SUM:
        classes, words = "field-sum enough", say("15 or more")
    else:
        classes, words = "field-sum short", say("{missing} short of 15", missing=MIN_SUM - total)
    return {"classes": Markup(classes), "number": Markup(total), "words": as_markup(words)}


# The result of a round, and of the match


def _result(table, names):
    """Return a line with payment and total for each side. The own side is first; after the match, the winner."""
    last, over = table["last_round"], table["phase"] == "over"
    winner = table["winner"] if over else last["winner"]
    paid = {(payment["side"], payment["for"]): payment["stones"] for payment in last["paid"]}
    totals = [Markup(f"{stones(total, crowns=True)}{total}") for total in table["totals"]]
    columns = [
        Column(PAID_FOR[kind], [str(paid.get((side, kind), "–")) for side in (0, 1)])
        for kind in dict.fromkeys(payment["for"] for payment in last["paid"])
    ]
    columns.append(Column(say("Stones"), [with_sign(gained, plus=True) for gained in last["stones"]]))
    columns.append(Column(say("Total"), totals, "sum"))
    lines = [
        {
            "who": side,
            "classes": " ".join(["won"] * (side == winner) + ["me"] * is_own(side, names)),
            "sign": WINNER if over and side == winner else "",
            "name": side_heading(side, names),
        }
        for side in sorted((0, 1), key=lambda side: (over and side != winner, not is_own(side, names)))
    ]
    heading = say("Round {number}", number=last["round"])
    result = draw_result(heading, over, say_in("of a match", "Side"), columns, lines)
    return result | {"reasons": verdict(last, names)}
