"""The private part of a Bleven table: the seat's field and its sum, its next step and the result."""

from games.bleven.rules.pack import VALUE, field_sum
from games.bleven.rules.shapes import LastRound, Table
from games.bleven.rules.state import (
    BETWEEN_ROUNDS,
    CROWN,
    FIELD_SIZE,
    FULL_RESERVE,
    MIN_SUM,
    Side,
    complete_options,
    side_of,
)
from games.bleven.table.panels import panel_of
from games.bleven.table.stakes import LOST, SURE, own_seat, own_sum, prospects
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
from games.kit.contract import Move
from games.kit.drawing import Column, Players, TemplateData, draw_result, own_part
from games.kit.hands import draw_row
from games.kit.language import cache_by_language, say, say_in
from games.kit.markup import Markup, as_markup
from games.kit.words import Names, sentence_of, with_sign


def mine(table: Table, moves: list[Move], players: Players) -> TemplateData:
    """Return the data of a seat's own part of the table: its cards and their sum, its next step, and the last result.

    moves: its legal moves. A spectator sees the next step of others and the result.
    """
    phase, seat = table["phase"], table["seat"]
    names = Names([player["name"] for player in players], seat)
    stage = say("Final result") if phase == "over" else say("Round {number}", number=table["round"])
    # The kit draws what all games have in common. The parts of Bleven are None if there is nothing to show.
    mine = own_part(stage, table, moves, players, _sentence(table, moves, names)) | {"sum": None}
    if table["hand"]:
        mine["hand"] = _draw_own_hand(table, moves)
    if seat is not None and phase not in BETWEEN_ROUNDS:
        mine["sum"] = _draw_sum(table)
        mine["box"] = panel_of(table, moves, names)
    if table["last_round"]:
        mine["result"] = _result(table, table["last_round"], names)
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


def _sentence(table: Table, moves: list[Move], names: Names) -> str:
    """Return the sentence above the hand: what to do, whom to wait for, or the result.

    moves: the legal moves of the seat; none if it waits.
    """
    phase = table["phase"]
    if table["last_round"] and table["winner"] is not None:
        return _end_sentence(table, table["last_round"], table["winner"], names)
    if phase == "deal":
        return _scored_sentence(table, names)
    if not moves:
        assert table["to_act"] is not None  # During a round somebody must move.
        return names.with_watching_note(say(AWAITED[phase], name=names[table["to_act"]]))
    if phase == "turn":
        discards = len(table["reserves"][own_seat(table)])
        return _turn_sentence(discards, kinds={move["type"] for move in moves})
    if phase == "discard":
        return say("Discard one of your four cards.")
    if phase == "predict":  # The declarer says how many tricks their side will win.
        pairs, single = "You are the declarer. What will your side win?", "You are the declarer. What will you win?"
        return say(pairs if table["seats"] > 2 else single)
    if phase == "side_bet":
        return say("Do you make a side bet before the next trick?")
    return _asking_sentence(table, names)


def _asking_sentence(table: Table, names: Names) -> str:
    """Return the question to a player who must answer another: a side bet, a raise, a declaration or a prediction."""
    offer = table["side_offer"]  # a bet between two tricks
    if offer:
        return say(
            "{name} bets {stones} more. Are you in?", name=names[offer["seat"]], stones=stone_words(offer["bet"])
        )
    if table["phase"] == "raise" and table["replier"] is not None:
        offered = table["bet"]["offered"]
        return say("{name} raises the bet to {bet}. Your answer?", name=names[table["replier"]], bet=offered)
    assert table["declarer"] is not None
    declarer = names[table["declarer"]]
    if not table["prediction"]:
        return say("{name} declares. Do you stay?", name=declarer)
    prediction = prediction_words(table["prediction"])
    return say("{name} says {prediction}. Your answer?", name=declarer, prediction=prediction)


def _turn_sentence(discards: int, kinds: set[str]) -> str:
    """Return the sentence about a turn, which names the moves that the player may make.

    At first that is to draw a card and discard one. After five discards the player may stay in the round or leave it.
    With strong cards they may also declare, which ends the changing of cards. discards: how many the player has made.
    kinds: the types of the legal moves.
    """
    if "stay" not in kinds:
        return say("Your turn. Draw, or declare." if "declare" in kinds else "Your turn. Draw a card.")
    choice = ("draw" in kinds, "declare" in kinds)  # the key of a sentence
    if discards == FULL_RESERVE:
        sentences = {
            (False, False): "Five discards: stay or leave.",
            (False, True): "Five discards: stay, leave or declare.",
            (True, False): "Five discards: stay, leave or draw on.",
            (True, True): "Five discards: stay, leave, draw on or declare.",
        }
        return say(sentences[choice])
    sentences = {  # By an option of the match one may make more than five discards.
        (False, False): "{number} discards: stay or leave.",
        (False, True): "{number} discards: stay, leave or declare.",
        (True, False): "{number} discards: stay, leave or draw on.",
        (True, True): "{number} discards: stay, leave, draw on or declare.",
    }
    return say(sentences[choice], number=discards)


def _scored_sentence(table: Table, names: Names) -> str:
    """Return the sentences before a deal: the result of the last round, or the dealer of the first."""
    last, seat = table["last_round"], table["seat"]
    if not last:
        return names.say_of(table["dealer"], "You deal next.", "{name} deals next.")
    sentences = [sentence_of(outcome(last, names))]
    if seat is not None and last["winner"] is not None:
        gained = last["stones"][side_of(seat)]
        if gained:
            yours, pairs = "You get {stones}.", "Your side gets {stones}."
        else:
            yours, pairs = "You get nothing.", "Your side gets nothing."
        sentences.append(say(yours if table["seats"] == 2 else pairs, stones=stone_words(gained)))
    return " ".join([*sentences, *_last_round_notice(table)])


def _last_round_notice(table: Table) -> list[str]:
    """Return a list with a notice if the next round may be the last, else an empty list."""
    last = complete_options(table["options"])["rounds"]  # the number of the last round, 0 if there is no limit
    if last and table["round"] == last:
        return [say("The next round is the last: then the higher total wins.")]
    if last and table["round"] > last:  # One round is added if the totals are equal after the last.
        return [say("The totals are level: one more round decides.")]
    return []


def _end_sentence(table: Table, last: LastRound, winner: Side, names: Names) -> str:
    """Return the sentence about the winning side of the match, and how it won. last: the row of the last round.

    A side wins by reaching enough stones (points; a crown is thirty), or by the higher total after the last round. If
    the totals are equal then, the winner of an added round wins, or the dealer if nobody won that.
    """
    totals = table["totals"]
    if totals[winner] >= table["options"]["crowns"] * CROWN:
        sentences = _BY_CROWNS
    elif totals[0] != totals[1]:
        sentences = _BY_HIGHER_TOTAL
    else:
        sentences = _BY_DEALING if last["winner"] is None else _BY_LAST_ROUND
    yours, one, many = sentences
    places = {"stones": stone_words(totals[winner]), "rounds": table["round"], "total": totals[0]}
    return names.say_of_all(side_seats(winner, names), yours, one, many, **places)


# How a match is won, in three forms: for the reader alone, for one other player, and for a pair.
_BY_CROWNS = ("You win with {stones}.", "{names} wins with {stones}.", "{names} win with {stones}.")
_BY_HIGHER_TOTAL = (
    "You win with {stones} after {rounds} rounds.",
    "{names} wins with {stones} after {rounds} rounds.",
    "{names} win with {stones} after {rounds} rounds.",
)
_BY_LAST_ROUND = (
    "You win at {total} : {total}: the last round decides.",
    "{names} wins at {total} : {total}: the last round decides.",
    "{names} win at {total} : {total}: the last round decides.",
)
_BY_DEALING = (
    "You win at {total} : {total}: the last round was void, and you dealt it.",
    "{names} wins at {total} : {total}: the last round was void, and {names} dealt it.",
    "{names} win at {total} : {total}: the last round was void, and the winners dealt it.",
)


# The hand


def _draw_own_hand(table: Table, moves: list[Move]) -> TemplateData:
    """Return the data of the player's own cards. moves: the legal moves of the player.

    Below each card stand a few words. They give the sum of the other cards if one must be discarded. Later they give
    the trick that the card plays to, and whether it is sure to win or to lose.
    """
    hand, phase = table["hand"], table["phase"]
    must_discard = phase == "discard" and bool(moves)
    if must_discard:
        total = field_sum(hand)
        notes = {card: say("{sum} left", sum=total - VALUE[card]) for card in hand}
        return draw_row(hand, closed=False, notes=notes, new=table["drawn"])
    # In these phases players change cards, or say whether they stay in the round with them.
    is_choosing_cards = phase in ("turn", "discard", "poll")
    if is_choosing_cards or table["status"][own_seat(table)] != "stayed":
        return draw_row(hand)
    notes = {card: _fate_words(place, fate) for card, (place, fate) in prospects(table).items()}
    return draw_row(hand, notes=notes)


@cache_by_language()
def _fate_words(place: int, fate: str) -> str:
    return say(_FATES[fate], place=ORDINALS[place])


_FATES = {SURE: "{place}: sure", LOST: "{place}: lost", "": "{place}"}  # The trick of a card in the hand.


def _draw_sum(table: Table) -> TemplateData | None:
    """Return the data of the sum of the player's cards, compared to 15, or None for a player who has left the round.

    With 15 or more one may declare and win by tricks.
    """
    if table["status"][own_seat(table)] not in ("undecided", "stayed"):
        return None
    if len(table["hand"]) > FIELD_SIZE:  # One of four cards must be discarded, so their sum decides nothing yet.
        return {"classes": "field-sum", "number": str(field_sum(table["hand"])), "words": say("in four cards")}
    return _compared_sum(own_sum(table))


@cache_by_language()
def _compared_sum(total: int) -> TemplateData:
    if total >= MIN_SUM:
        classes, words = "field-sum enough", say("15 or more")
    else:
        classes, words = "field-sum short", say("{missing} short of 15", missing=MIN_SUM - total)
    return {"classes": Markup(classes), "number": Markup(total), "words": as_markup(words)}


# The result of a round, and of the match


def _result(table: Table, last: LastRound, names: Names) -> TemplateData:
    """Return the result of the last round as the data of a table: payments and totals, a line for each side.

    The player's own side comes first or, after the match, the winner. last: the row of the round on the score sheet.
    """
    is_over = table["phase"] == "over"
    winner = table["winner"] if is_over else last["winner"]  # of the match, or of the round
    # False sorts before True.
    sides = sorted((0, 1), key=lambda side: (is_over and side != winner, not is_own(side, names)))
    lines = [
        {
            "who": side,
            "classes": " ".join(["won"] * (side == winner) + ["me"] * is_own(side, names)),
            "sign": WINNER if is_over and side == winner else "",
            "name": side_heading(side, names),
        }
        for side in sides
    ]
    heading = say("Round {number}", number=last["round"])
    result = draw_result(heading, is_over, say_in("of a match", "Side"), _result_columns(table, last), lines)
    return result | {"reasons": verdict(last, names)}


def _result_columns(table: Table, last: LastRound) -> list[Column]:
    """Return the columns of a round's result, with figures by side: payments by reason, their sum, and the total.

    last: the row of the round on the score sheet.
    """
    stones_paid = {(payment["side"], payment["for"]): payment["stones"] for payment in last["paid"]}
    reasons = dict.fromkeys(payment["for"] for payment in last["paid"])  # each once, in the order of payment
    totals = [Markup(f"{stones(total, crowns=True)}{total}") for total in table["totals"]]
    columns = [
        Column(PAID_FOR[reason], [str(stones_paid.get((side, reason), "–")) for side in (0, 1)]) for reason in reasons
    ]
    gains = [with_sign(gained, plus=True) for gained in last["stones"]]
    return [*columns, Column(say("Stones"), gains), Column(say("Total"), totals, "sum")]
