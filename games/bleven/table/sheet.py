"""The score sheet of Bleven: a row for each round, with its calculation."""

from collections.abc import Callable, Iterable, Sequence

from games.bleven.rules.scoring import triangular
from games.bleven.rules.shapes import PaymentRow, PredictionRow, Round, Sheet
from games.bleven.rules.state import CROWN, Side, side_of
from games.bleven.table.words import (
    ANSWERED,
    LEADER,
    ORDINALS,
    WINNER,
    bet_words,
    counted_words,
    crown_words,
    declaring_side,
    is_own,
    outcome,
    payment_words,
    prediction_words,
    side_heading,
    side_seats,
    stone_words,
    stones,
    won_places,
    won_words,
)
from games.kit.contract import Seat
from games.kit.drawing import ANY_READER, Players, SheetReader, TemplateData
from games.kit.language import Lazy, lazy_all_in, say, say_in
from games.kit.words import Names, sentence_of, with_sign

type Link = Callable[..., str]  # as in `SheetReader`


def sheet(score_sheet: Sheet, players: Players, reader: SheetReader = ANY_READER) -> TemplateData:
    """Return the data of the score sheet for its template: a row for each round, and the totals of both sides.

    The scores are in stones, and thirty stones make a crown. reader: who reads it, which decides who is called "you".
    The reader's own side comes first.
    """
    names, standings = Names([player["name"] for player in players], reader.viewer), reader.standings
    target, totals = score_sheet["target"], [side["total"] for side in score_sheet["sides"]]
    sides = sorted((0, 1), key=lambda side: not is_own(side, names))  # False sorts before True.
    is_over = bool(standings)  # There are standings only at the end of the match.
    if is_over:  # One side has won, even with equal totals.
        signs = {side_of(standings[0]["seat"]): WINNER}
    else:
        signs = {} if totals[0] == totals[1] else {totals.index(max(totals)): LEADER}
    rounds = score_sheet["rounds"]
    totals_before = [[0, 0], *[row["totals"] for row in rounds]]  # before each round, and after the last
    crowns = crown_words(target // CROWN)
    return {
        "caption": say("to {crowns} ({stones})", crowns=crowns, stones=stone_words(target)),
        "sides": [side_heading(side, names) for side in sides],
        "rows": [
            {**_row(row, before, sides, names, reader.link), "changed": reader.changes.get(row["round"], "")}
            for row, before in zip(rounds, totals_before, strict=False)
        ],
        "totals": [
            {
                "total": stone_words(totals[side]),
                "number": totals[side],
                "stones": stones(totals[side], crowns=True),
                "sign": signs.get(side, ""),
            }
            for side in sides
        ],
    }


def _row(row: Round, before: Sequence[int], sides: Iterable[Side], names: Names, link: Link) -> TemplateData:
    """Return the data of a round on the score sheet.

    before: the totals of both sides before the round. sides: in display order. link: returns the address of the round
    in the replay, or of a moment in it. Values are "" for what did not happen in the round.
    """
    number, prediction = row["round"], row["prediction"]
    is_played = row["result"] == "played"  # The tricks decided the round, so by_tricks is its result.
    by_tricks = "right" if row["right"] else "failed"
    return {
        "number": str(number),
        "declarer": side_heading(declaring_side(row), names) if prediction else "",
        "prediction": prediction_words(prediction) if prediction else say("no prediction"),
        "predicted": link(number, "predict") if prediction else "",
        "bet": _sheet_bet(row),
        "answer": ANSWERED[row["answer"]],
        "tricks": _trick_marks(row, prediction, link) if prediction else [],
        "result": RESULTS[by_tricks if is_played else row["result"]],
        # A prediction may be right in a round that the side then loses with less than 15.
        "state": by_tricks if is_played or row["right"] else "",
        "equation": _equation(row),
        "steps": [{"words": words, "url": link(number, at)} for words, at in _score_steps(row, before, names)],
        "cells": [
            {
                "gained": with_sign(row["stones"][side], plus=True) if row["stones"][side] else "–",
                "total": str(row["totals"][side]),
                "classes": "won" if row["winner"] == side else "",
                "crown": row["crowns"][side] > before[side] // CROWN,
            }
            for side in sides
        ],
        "url": link(number),
        "end": link(number, "end"),
    }


RESULTS: dict[str | None, Lazy] = lazy_all_in(
    "how a round ended",
    {"right": "right", "failed": "failed", "left": "left", "out": "out", "under15": "under 15", "void": "void"},
)


def _sheet_bet(row: Round) -> str:
    if not row["prediction"] or not row["offered"]:  # At a real table nobody notes what was offered in vain.
        return ""
    if not row["bet"]:
        return say("bet {bet} offered", bet=row["offered"])
    sentence = "bet {bet}, side bets {side_bets}" if row["side_bets"] else "bet {bet}"
    return say(sentence, bet=row["bet"], side_bets=row["side_bets"])


def _trick_marks(row: Round, prediction: PredictionRow, link: Link) -> list[dict[str, str]]:
    """Return the data of a mark for each trick: whether the side that predicted won it, and had named it in advance.

    link: returns the address of a trick in the replay.
    """
    marks, places_won = [], won_places(row)
    for number in range(1, len(row["tricks"]) + 1):
        won, named = number in places_won, number in prediction["positions"]
        if named:
            sentence = "{place} won, as named" if won else "{place} lost, though named"
        else:
            sentence = "{place} won" if won else "{place} lost"
        mark = {
            "classes": "trick-mark" + " won" * won + " named" * named,
            "number": str(number),
            "words": say(sentence, place=ORDINALS[number]),
            "url": link(row["round"], f"trick-{number}"),
        }
        marks.append(mark)
    return marks


def _points_sum(number: int) -> str:
    """Return the points for a number of tricks and positions as a sum: "1 + 2 + 3 = 6"."""
    return f"{' + '.join(map(str, range(1, number + 1)))} = {triangular(number)}" if number > 1 else str(number)


def _equation(row: Round) -> str:
    """Return the payments of a round in one short line: "points 1 + 2 + 3 = 6, bet 4".

    For three right tricks and positions a prediction has 1 + 2 + 3 points, so this sum is written out.
    """
    parts = []
    for payment in row["paid"]:
        amount: object = payment["stones"]
        if payment["for"] == "points" and row["counted"]:
            amount = _points_sum(row["counted"]["tricks"] + row["counted"]["positions"])
        parts.append(say(_PAID[payment["for"]], stones=amount))
    return ", ".join(parts) or say("nothing paid")


_PAID = {
    "points": "points {stones}",
    "bet": "bet {stones}",
    "side_bets": "side bets {stones}",
    "round": "round {stones}",
    "out": "out {stones}",
}


def _score_steps(row: Round, before: Sequence[int], names: Names) -> list[tuple[str, str]]:
    """Return the steps of a round's score, in order: pairs of a sentence and the moment of the round, for a link.

    The moment is the type of the move that the sentence is about, or "end". before: the totals of both sides before the
    round.
    """
    steps = [(names.say_of(seat, "You leave the round.", "{name} leaves the round."), "leave") for seat in row["left"]]
    if row["prediction"]:
        steps.append((_offer_words(row, row["prediction"], names), "predict"))
    if row["answer"] and row["replier"] is not None:
        steps.append((_answer_words(row, row["replier"], names), row["answer"]))
    if row["side_bets"]:
        steps.append((say("Side bets agreed: {stones}.", stones=stone_words(row["side_bets"])), "in"))
    steps += [(names.say_of(seat, "You go out.", "{name} goes out."), "out") for seat in row["out"]]
    yours = "You have less than 15 and lay your field open."
    theirs = "{name} has less than 15, and the field is laid open."
    at_the_end = [names.say_of(seat, yours, theirs) for seat in row["faced"]]
    if row["right"] is not None:  # All tricks were played.
        at_the_end.append(won_words(row, names))
    if row["result"] in ("under15", "void"):  # The steps above explain all other results.
        at_the_end.append(sentence_of(outcome(row, names)))
    at_the_end += [*counted_words(row), *bet_words(row, names)]
    totals = list(before)
    for payment in row["paid"]:
        at_the_end.append(_payment_and_total(payment, totals[payment["side"]], names))
        totals[payment["side"]] += payment["stones"]
    return steps + [(words, "end") for words in at_the_end]


def _offer_words(row: Round, prediction: PredictionRow, names: Names) -> str:
    """Return a sentence about the prediction that stood at the end, and all stones offered on it.

    It has three forms: for the reader alone, for one other player, and for a pair.
    """
    yours, one, many = (
        "You bet {stones} on {prediction}.",
        "{names} bets {stones} on {prediction}.",
        "{names} bet {stones} on {prediction}.",
    )
    places = {"stones": stone_words(row["offered"]), "prediction": prediction_words(prediction)}
    return names.say_of_all(side_seats(declaring_side(row), names), yours, one, many, **places)


def _answer_words(row: Round, replier: Seat, names: Names) -> str:
    """Return a sentence about the answer to a prediction, and the bet that both sides agreed on then."""
    if row["answer"] == "suspect":
        yours = "You doubt it (suspect); the bet agreed: {bet}."
        theirs = "{name} doubts it (suspect); the bet agreed: {bet}."
    else:
        yours = "You believe it (deduce); the bet agreed: {bet}."
        theirs = "{name} believes it (deduce); the bet agreed: {bet}."
    bet = stone_words(row["bet"]) if row["bet"] else say_in("of a bet", "none")
    return names.say_of(replier, yours, theirs, bet=bet)


def _payment_and_total(payment: PaymentRow, before: int, names: Names) -> str:
    """Return a payment and its sum: "Boris wins the bet of 4 stones. New total: 0 + 4 = 4."."""
    number = payment["stones"]
    total = say("New total: {before} + {number} = {after}.", before=before, number=number, after=before + number)
    return f"{payment_words(payment, names)} {total}"
