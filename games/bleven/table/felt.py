"""The public part of a Bleven table: fields and reserves, the pile, the stones at stake."""

from functools import partial
from typing import NamedTuple

from games.bleven.rules.state import BETWEEN_ROUNDS, complete_options
from games.bleven.table.words import (
    ANSWERED,
    crown_words,
    deed,
    outcome,
    places_words,
    point_words,
    prediction_words,
    side_seats,
    stones,
    trick_heading,
    worth,
)
from games.kit.drawing import DASH, caption, draw_felt, draw_tricks
from games.kit.language import as_key, cache_by_language, from_key, say, say_count, say_in
from games.kit.markup import FACES, MINI, NOTHING, Markup, as_markup, back, personal_markup
from games.kit.words import CARD_NAMES, Names, deals, with_sign

GONE = ("left", "out")  # The statuses of seats that have left the round.


def felt(table, players):
    names = Names([player["name"] for player in players])
    shown = _shown(table)
    seats = []
    for seat, ((state, tally), field) in enumerate(zip(_tallies(table), _fields(table, shown), strict=True)):
        total, (reserve, reserve_words) = table["totals"][seat % 2], _reserve(tuple(shown.reserves[seat]))
        drawn = {"state": state, "tally": tally, "total": Markup(total), "stones": stones(total, crowns=True)}
        seats.append(drawn | {"field": field, "reserve": reserve, "reserve_words": reserve_words})
    ended = table["phase"] in BETWEEN_ROUNDS
    pot = shown.offered + shown.side_bets
    return draw_felt(table, players, seats, shown.dealer) | {
        "ended": ended,
        "contract": _contract(table, shown, names),
        "pile": "" if ended else Markup(table["pile"]),
        "pile_words": _pile_words(table["pile"]),
        "pot": stones(pot) if pot and not ended else "",
        "caption": _caption(table, shown, names),
        "said": _said(as_key(list(names), shown.said)) if shown.said else [],
        "tricks": draw_tricks(shown.tricks, names),
    }


@cache_by_language(4096)
def _reserve(cards):
    """Return a reserve as small cards and in words."""
    small = "".join([MINI[card] for card in cards])
    return Markup(small), as_markup(", ".join([str(CARD_NAMES[card]) for card in cards]))


@cache_by_language()
def _pile_words(cards):
    """Return the words after the number of the pile, for screen readers."""
    return as_markup(say_count(cards, "{figure} card in the pile", "{figure} cards in the pile", figure="").strip())


@cache_by_language(4096)
def _said(known):
    """What has been said in a round, a sentence each. known: what players are called, and the moves, packed."""
    names, moves = from_key(known)
    return [personal_markup(partial(deed, move, move["seat"]), names, [move["seat"]]) for move in moves]


# What is on the table: the round in progress, or the one just ended, which stays until the next deal


class _Shown(NamedTuple):
    number: int
    dealer: int
    declarer: int | None
    prediction: dict | None
    replier: int | None
    answer: str | None
    offered: int
    accepted: int
    side_bets: int
    tricks: list
    reserves: list
    said: list


def _shown(table):
    last = table["last_round"]
    if last:
        bets = (last["offered"], last["bet"], last["side_bets"])
        number = last["round"]
    else:
        last, number, bet = table, table["round"], table["bet"]
        bets = (bet["offered"], bet["accepted"], bet["side_bets"])
    one = [last[key] for key in ("dealer", "declarer", "prediction", "replier", "answer")]
    return _Shown(number, *one, *bets, last["tricks"], last["reserves"], last["said"])


# Fields


def _place(classes, face, order=NOTHING):
    """Return the place of a card in a field. order: its place in the animation."""
    return {"classes": Markup(classes), "order": order, "face": face}


def _fields(table, shown):
    """Return the places of each seat's field: face-up cards and backs."""
    seats, last = table["seats"], table["last_round"]
    counts = table["hand_counts"]
    if last:
        open_fields = [last["shown"][seat] if seat in last["faced"] else None for seat in range(seats)]
    else:
        open_fields = table["faced"]
    return [_field(seat, open_fields[seat], 3 if last else counts[seat], shown.tricks) for seat in range(seats)]


def _field(seat, opened, held, tricks):
    """held: how many cards the seat holds face down, less those it has played where a round has ended."""
    if opened:
        return [_place("slot filled", FACES[card]) for card in opened]
    places = []
    for number, trick in enumerate(tricks):
        for order, play in enumerate(trick["plays"]):
            if play["seat"] == seat:
                latest = number == len(tricks) - 1
                won = trick["winner"] == seat
                classes = "slot filled"
                if latest and order == 0:
                    classes += " lead"
                if won:
                    classes += " won winner" if latest else " won"
                if latest:
                    classes += " finished"
                came = Markup(number * len(trick["plays"]) + order)
                places.append(_place(classes, FACES[play["card"]], came))
    backs = max(held, 3) - len(places) if held > 3 else min(held, 3 - len(places))
    return places + [_place("slot down", back())] * backs


def _tallies(table):
    """Return the status of each seat, as classes and in words."""
    last = table["last_round"]
    if last:
        return [_result_tally(last, seat) for seat in range(table["seats"])]
    return [_tally(table, seat, status) for seat, status in enumerate(table["status"])]


def _tally(table, seat, status):
    if status is None:
        return "", DASH
    if status == "faced":
        return "faced", say("under 15")
    if status in GONE:
        return "gone", say_in("how a player stands", "left" if status == "left" else "out")
    if seat == table["declarer"]:
        return "declarer", say_in("how a player stands", "declarer")
    if seat == table["replier"] and table["answer"]:
        return "", say_in("how a player stands", "doubts it" if table["answer"] == "suspect" else "believes it")
    if status == "stayed":
        return "", say_in("how a player stands", "stays")
    return "", say_in("how a player stands", "to act" if seat == table["to_act"] else "waits")


def _result_tally(last, seat):
    gained = with_sign(last["stones"][seat % 2], plus=True)
    state = "" if last["winner"] is None else "made" if last["winner"] == seat % 2 else "missed"
    if seat in last["left"] or seat in last["out"]:
        state += " gone"
    return state, gained if gained != "0" else say_in("what a round has brought", "nothing")


# The slip, and the middle of the table


def _contract(table, shown, names):
    options = table["options"]
    rounds = options["crowns"], complete_options(options)["rounds"], shown.number
    bets = shown.offered, shown.accepted, shown.side_bets
    return _slip(as_key(list(names), rounds, shown.declarer, shown.prediction, shown.answer, bets))


@cache_by_language(4096)  # It stays the same during draws and discards, and during tricks.
def _slip(known):
    """known: what players are called and all that the slip tells, packed."""
    names, (crowns, last, number), declarer, prediction, answer, bets = from_key(known)
    slip = {
        "deal": as_markup(round_words(last, number)),
        "target": say("to {crowns}", crowns=crown_words(crowns)),
        "who": "",
        "prediction": as_markup(say("No prediction yet")),
        "worth": "",
        "bet": "",
        "answer": "",
        "state": "",
    }
    if prediction is None:
        if declarer is not None:
            slip["who"] = _one_told(_declares, declarer, names)
        return slip
    points = worth(prediction)
    slip["who"] = _one_told(_predicts, declarer, names)
    slip["prediction"] = as_markup(prediction_words(prediction))
    slip["worth"] = say("worth {points}", points=point_words(points)) if points else say("worth only the bet")
    slip["bet"] = as_markup(_bet_words(*bets))
    slip["answer"] = answer
    slip["state"] = ANSWERED[answer]
    return slip


NEAR = 5  # The table shows the number of rounds this many rounds before the last.


def round_words(last, number):
    """Return the name of a round: "Round 7", near the end "Round 56 of 60", or "Deciding round" after it.

    last: the number of the last round, 0 if there is no limit.
    """
    if not last or number <= last - NEAR:
        return say("Round {number}", number=number)
    return say("Round {number} of {last}", number=number, last=last) if number <= last else say("Deciding round")


def _bet_words(on_the_table, agreed, side_bets):
    offered = on_the_table - agreed
    if not agreed:
        return say("Bet {offered} offered", offered=offered)
    if offered and side_bets:
        sentence = "Bet {agreed}, side bets {side_bets}, {offered} more offered"
    elif offered:
        sentence = "Bet {agreed}, {offered} more offered"
    else:
        sentence = "Bet {agreed}, side bets {side_bets}" if side_bets else "Bet {agreed}"
    return say(sentence, agreed=agreed, offered=offered, side_bets=side_bets)


def _caption(table, shown, names):
    """Return the caption in the middle of the table, or None."""
    phase = table["phase"]
    if phase == "over":
        wins = personal_markup(partial(_wins, table["winner"]), names, range(len(names)))
        return caption(wins, classes="winner")
    if phase == "deal":
        last = table["last_round"]
        if not last:
            return caption(_one_told(deals, table["dealer"], names))
        return caption(personal_markup(partial(outcome, last), names, range(len(names))), classes="winner")
    if shown.tricks:
        won, left = table["won"][shown.declarer % 2], 3 - len(shown.tricks)
        large = say("Won {won} of {tricks}", won=won, tricks=shown.prediction["tricks"])
        return caption(say("{left} left", left=left), large)
    if shown.prediction:
        return caption(places_words(shown.prediction), trick_heading(shown.prediction["tricks"]))
    if phase in ("poll", "predict"):
        return caption(_one_told(_declares, table["declarer"], names))
    return None


def _wins(side, names):
    yours, one, many = "You win the match", "{names} wins the match", "{names} win the match"
    return names.say_of_all(side_seats(side, names), yours, one, many)


def _one_told(words, seat, names):
    """Return words about one player, in the second person for that player. words: takes the seat and the Names."""
    return personal_markup(partial(words, seat), names, [seat])


def _declares(seat, names):
    return names.say_of(seat, "You declare", "{name} declares")


def _predicts(seat, names):
    return names.say_of(seat, "You predict", "{name} predicts")
