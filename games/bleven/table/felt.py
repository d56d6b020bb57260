"""The public part of a Bleven table: fields and reserves, the pile, the stones at stake."""

from collections.abc import Callable
from functools import partial

from games.bleven.rules.shapes import LastRound, Table, TrickRow
from games.bleven.rules.state import BETWEEN_ROUNDS, FIELD_SIZE, Side, complete_options, side_of
from games.bleven.table.words import (
    ANSWERED,
    crown_words,
    declaring_side,
    describe_move,
    outcome,
    places_words,
    point_words,
    prediction_words,
    side_seats,
    stones,
    trick_heading,
    worth,
)
from games.kit.contract import Card, Seat
from games.kit.drawing import DASH, Players, TemplateData, caption, draw_felt, draw_tricks
from games.kit.language import as_key, cache_by_language, from_key, say, say_count, say_in
from games.kit.markup import FACES, MINI, NOTHING, Markup, as_markup, back, personal_markup
from games.kit.words import CARD_NAMES, Names, deals, with_sign

GONE = ("left", "out")  # The statuses of seats that have left the round.


def felt(table: Table, players: Players) -> TemplateData:
    names = Names([player["name"] for player in players])
    visible = _visible_round(table)
    seats = []
    for seat, ((state, tally), field) in enumerate(zip(_tallies(table), _fields(table), strict=True)):
        total, (reserve, reserve_words) = table["totals"][side_of(seat)], _reserve(tuple(visible["reserves"][seat]))
        own = {"state": state, "tally": tally, "total": Markup(total), "stones": stones(total, crowns=True)}
        seats.append({**own, "field": field, "reserve": reserve, "reserve_words": reserve_words})
    ended = table["phase"] in BETWEEN_ROUNDS
    offered, _, side_bets = _bets(table)
    pot = offered + side_bets
    return draw_felt(table, players, seats, visible["dealer"]) | {
        "ended": ended,
        "contract": _contract_slip(table, names),
        "pile": "" if ended else Markup(table["pile"]),
        "pile_words": _pile_words(table["pile"]),
        "pot": stones(pot) if pot and not ended else "",
        "caption": _caption(table, names),
        "said": _move_sentences(as_key(list(names), visible["said"])) if visible["said"] else [],
        "tricks": draw_tricks(visible["tricks"], names),
    }


def _visible_round(table: Table) -> Table | LastRound:
    """Return the round on the table: the one in progress, or the one just ended, which stays until the next deal."""
    return table["last_round"] or table


def _bets(table: Table) -> tuple[int, int, int]:
    """Return the stones of the main bet as offered, of the main bet as accepted, and of the side bets."""
    last, bet = table["last_round"], table["bet"]
    if last:
        return last["offered"], last["bet"], last["side_bets"]
    return bet["offered"], bet["accepted"], bet["side_bets"]


@cache_by_language(4096)
def _reserve(cards: tuple[Card, ...]) -> tuple[Markup, Markup]:
    """Return a reserve as small cards and in words."""
    small = "".join([MINI[card] for card in cards])
    return Markup(small), as_markup(", ".join([str(CARD_NAMES[card]) for card in cards]))


@cache_by_language()
def _pile_words(cards: int) -> Markup:
    """Return the words after the number of the pile, for screen readers."""
    return as_markup(say_count(cards, "{figure} card in the pile", "{figure} cards in the pile", figure="").strip())


@cache_by_language(4096)
def _move_sentences(key: bytes) -> list[Markup]:
    """Return a sentence for each spoken move of a round. key: the names and the moves, packed."""
    names, moves = from_key(key)
    return [personal_markup(partial(describe_move, move, move["seat"]), names, [move["seat"]]) for move in moves]


# Fields


def _field_place(classes: str, face: Markup, order: Markup = NOTHING) -> dict[str, Markup]:
    """Return the place of a card in a field. order: its place in the animation."""
    return {"classes": Markup(classes), "order": order, "face": face}


def _fields(table: Table) -> list[list[dict[str, Markup]]]:
    """Return the places of each seat's field: face-up cards and backs."""
    last, fields = table["last_round"], []
    for seat in range(table["seats"]):
        if last:
            face_up = last["shown"][seat] if seat in last["faced"] else None
        else:
            face_up = table["faced"][seat]
        if face_up:
            places = [_field_place("slot filled", FACES[card]) for card in face_up]
        else:
            places = _played_places(seat, _visible_round(table)["tricks"])
            hidden = FIELD_SIZE - len(places) if last else table["hand_counts"][seat]
            places += [_field_place("slot down", back())] * hidden
        fields.append(places)
    return fields


def _played_places(seat: Seat, tricks: list[TrickRow]) -> list[dict[str, Markup]]:
    """Return the places of the cards that a seat has played. The animation deals them in the order of play."""
    places = []
    for number, trick in enumerate(tricks, 1):
        order = next((order for order, play in enumerate(trick["plays"]) if play["seat"] == seat), None)
        if order is None:
            continue
        latest, won = number == len(tricks), trick["winner"] == seat
        classes = "slot filled" + " lead" * (latest and order == 0) + " won" * won + " winner" * (latest and won)
        order_in_round = Markup((number - 1) * len(trick["plays"]) + order)
        places.append(
            _field_place(classes + " finished" * latest, FACES[trick["plays"][order]["card"]], order_in_round)
        )
    return places


def _tallies(table: Table) -> list[tuple[str, str]]:
    """Return the status of each seat, as classes and in words."""
    last = table["last_round"]
    if last:
        return [_result_tally(last, seat) for seat in range(table["seats"])]
    return [_current_tally(table, seat, status) for seat, status in enumerate(table["status"])]


def _current_tally(table: Table, seat: Seat, status: str | None) -> tuple[str, str]:
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


def _result_tally(last: LastRound, seat: Seat) -> tuple[str, str]:
    gained = with_sign(last["stones"][side_of(seat)], plus=True)
    state = "" if last["winner"] is None else "made" if last["winner"] == side_of(seat) else "missed"
    if seat in last["left"] or seat in last["out"]:
        state += " gone"
    return state, gained if gained != "0" else say_in("what a round has brought", "nothing")


# The slip, and the middle of the table


def _contract_slip(table: Table, names: Names) -> TemplateData:
    options, row = complete_options(table["options"]), _visible_round(table)
    rounds = options["crowns"], options["rounds"], row["round"]
    return _draw_slip(as_key(list(names), rounds, row["declarer"], row["prediction"], row["answer"], _bets(table)))


@cache_by_language(4096)  # It stays the same during draws and discards, and during tricks.
def _draw_slip(key: bytes) -> TemplateData:
    """Return the slip with the prediction and its bets. key: the names and the contents of the slip, packed."""
    names, (crowns, last, number), declarer, prediction, answer, bets = from_key(key)
    slip = {
        "deal": as_markup(round_words(last, number)),
        "target": say("to {crowns}", crowns=crown_words(crowns)),
        "prediction": as_markup(say("No prediction yet")),
        **dict.fromkeys(("who", "worth", "bet", "answer", "state"), ""),
    }
    if prediction is None:
        if declarer is not None:
            slip["who"] = _words_about(_declares, declarer, names)
        return slip
    points = worth(prediction)
    slip["who"] = _words_about(_predicts, declarer, names)
    slip["prediction"] = as_markup(prediction_words(prediction))
    slip["worth"] = say("worth {points}", points=point_words(points)) if points else say("worth only the bet")
    slip["bet"] = as_markup(_bet_words(*bets))
    slip["answer"] = answer
    slip["state"] = ANSWERED[answer]
    return slip


NEAR = 5  # The table shows the number of rounds this many rounds before the last.


def round_words(last: int, number: int) -> str:
    """Return the name of a round: "Round 7", near the end "Round 56 of 60", or "Deciding round" after it.

    last: the number of the last round, 0 if there is no limit.
    """
    if not last or number <= last - NEAR:
        return say("Round {number}", number=number)
    return say("Round {number} of {last}", number=number, last=last) if number <= last else say("Deciding round")


def _bet_words(offered: int, agreed: int, side_bets: int) -> str:
    """Return the stones at stake in words: "Bet 4, side bets 2, 3 more offered"."""
    more = offered - agreed
    if not agreed:
        return say("Bet {offered} offered", offered=more)
    if more and side_bets:
        sentence = "Bet {agreed}, side bets {side_bets}, {offered} more offered"
    elif more:
        sentence = "Bet {agreed}, {offered} more offered"
    else:
        sentence = "Bet {agreed}, side bets {side_bets}" if side_bets else "Bet {agreed}"
    return say(sentence, agreed=agreed, offered=more, side_bets=side_bets)


def _caption(table: Table, names: Names) -> TemplateData | None:
    """Return the caption in the middle of the table, or None."""
    last, winner = table["last_round"], table["winner"]
    prediction, declarer = table["prediction"], table["declarer"]
    if winner is not None:
        return caption(personal_markup(partial(_wins, winner), names, range(len(names))), classes="winner")
    if table["phase"] == "deal":
        if not last:
            return caption(_words_about(deals, table["dealer"], names))
        return caption(personal_markup(partial(outcome, last), names, range(len(names))), classes="winner")
    if prediction and table["tricks"]:
        large = say("Won {won} of {tricks}", won=table["won"][declaring_side(table)], tricks=prediction["tricks"])
        return caption(say("{left} left", left=FIELD_SIZE - len(table["tricks"])), large)
    if prediction:
        return caption(places_words(prediction), trick_heading(prediction["tricks"]))
    return None if declarer is None else caption(_words_about(_declares, declarer, names))


def _wins(side: Side, names: Names) -> str:
    yours, one, many = "You win the match", "{names} wins the match", "{names} win the match"
    return names.say_of_all(side_seats(side, names), yours, one, many)


def _words_about(words: Callable[[Seat, Names], str], seat: Seat, names: Names) -> Markup:
    """Return words about one player, in the second person for that player. words: takes the seat and the Names."""
    return personal_markup(partial(words, seat), names, [seat])


def _declares(seat: Seat, names: Names) -> str:
    return names.say_of(seat, "You declare", "{name} declares")


def _predicts(seat: Seat, names: Names) -> str:
    return names.say_of(seat, "You predict", "{name} predicts")
