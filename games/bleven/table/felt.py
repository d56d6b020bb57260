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
    """Return the data of the public part of a table, for its template: all that everybody sees.

    For each seat that is its field (three cards), its reserve (the discards), its status and its total in stones. In
    the middle are the draw pile, the stones at stake, a caption, and a slip of paper with the prediction ("contract").
    """
    names = Names([player["name"] for player in players])
    visible = _visible_round(table)
    seats = []
    for seat, (field, (state, tally)) in enumerate(zip(_fields(table), _tallies(table), strict=True)):
        reserve, reserve_words = _reserve(tuple(visible["reserves"][seat]))
        total = table["totals"][side_of(seat)]
        cards = {"field": field, "reserve": reserve, "reserve_words": reserve_words}
        score = {"total": Markup(total), "stones": stones(total, crowns=True)}
        seats.append({**cards, **score, "state": state, "tally": tally})
    ended = table["phase"] in BETWEEN_ROUNDS
    offered, _, side_bets = _bets(table)
    pot = offered + side_bets  # the stones at stake
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
    """Return three numbers of stones: the main bet as one side offers it, as both have accepted it, and the side bets.

    The main bet is the one on the prediction. Side bets follow between the tricks.
    """
    last, bet = table["last_round"], table["bet"]
    if last:  # The round has ended. It stays on the table until the next deal.
        return last["offered"], last["bet"], last["side_bets"]
    return bet["offered"], bet["accepted"], bet["side_bets"]


@cache_by_language(4096)
def _reserve(cards: tuple[Card, ...]) -> tuple[Markup, Markup]:
    """Return a reserve (the discards of a seat, face up) as small cards, and in words for screen readers."""
    small = "".join([MINI[card] for card in cards])
    return Markup(small), as_markup(", ".join([str(CARD_NAMES[card]) for card in cards]))


@cache_by_language()
def _pile_words(cards: int) -> Markup:
    """Return the words after the number of the pile, for screen readers."""
    return as_markup(say_count(cards, "{figure} card in the pile", "{figure} cards in the pile", figure="").strip())


@cache_by_language(4096)
def _move_sentences(key: bytes) -> list[Markup]:
    """Return a sentence for each move that the players have said in a round, with "you" for its own player.

    key: the names of the players and the moves. The cache takes only hashable arguments, so they are packed into bytes.
    """
    names, moves = from_key(key)
    return [personal_markup(partial(describe_move, move, move["seat"]), names, [move["seat"]]) for move in moves]


# Fields


def _field_slot(classes: str, face: Markup, order: Markup = NOTHING) -> dict[str, Markup]:
    """Return the data of a card in a field. order: when the animation shows it."""
    return {"classes": Markup(classes), "order": order, "face": face}


def _fields(table: Table) -> list[list[dict[str, Markup]]]:
    """Return by seat its field (its three cards) as everybody sees it: the data of face-up cards and of backs.

    The cards that a seat has played are face up, the others are not. A field that adds up to less than 15 does not
    play. It is laid open (faced).
    """
    last, fields = table["last_round"], []  # None during a round. After it, its cards stay until the next deal.
    for seat in range(table["seats"]):
        if last:
            laid_open = last["shown"][seat] if seat in last["faced"] else None
        else:
            laid_open = table["faced"][seat]
        if laid_open:
            slots = [_field_slot("slot filled", FACES[card]) for card in laid_open]
        else:
            slots = _played_slots(seat, _visible_round(table)["tricks"])
            backs = FIELD_SIZE - len(slots) if last else table["hand_counts"][seat]
            slots += [_field_slot("slot down", back())] * backs
        fields.append(slots)
    return fields


def _played_slots(seat: Seat, tricks: list[TrickRow]) -> list[dict[str, Markup]]:
    """Return the data of the cards that a seat has played, for its template.

    Each has style classes, its face, and its number from 0 among the cards of the round, for an animation.
    """
    slots = []
    for number, trick in enumerate(tricks, 1):
        place = next((place for place, play in enumerate(trick["plays"]) if play["seat"] == seat), None)
        if place is None:  # The seat has gone out or was never in.
            continue
        is_latest, has_won = number == len(tricks), trick["winner"] == seat
        leads, wins = is_latest and place == 0, is_latest and has_won
        marks = {"lead": leads, "won": has_won, "winner": wins, "finished": is_latest}
        classes = " ".join(["slot filled", *[mark for mark, applies in marks.items() if applies]])
        order_in_round = Markup((number - 1) * len(trick["plays"]) + place)
        slots.append(_field_slot(classes, FACES[trick["plays"][place]["card"]], order_in_round))
    return slots


def _tallies(table: Table) -> list[tuple[str, str]]:
    """Return by seat a pair: the style classes of its status, and the status in a word or two.

    After a round the word is what the round brought its side.
    """
    last = table["last_round"]
    if last:
        return [_result_tally(last, seat) for seat in range(table["seats"])]
    return [_current_tally(table, seat, status) for seat, status in enumerate(table["status"])]


def _current_tally(table: Table, seat: Seat, status: str | None) -> tuple[str, str]:
    """Return a pair: the style classes of a seat's status during a round, and the status in a word or two.

    Of all that could be said the most important comes first. A declarer has made the prediction, a replier answers it.
    """
    if status is None:  # No round has been dealt yet.
        return "", DASH
    if status == "faced":  # The cards add up to less than 15, so they are laid open and do not play.
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
    """Return the style classes of a seat after a round, and the stones that the round brought its side, in words.

    last: the round on the score sheet.
    """
    gained = last["stones"][side_of(seat)]
    state = ""
    if last["winner"] is not None:
        state = "made" if last["winner"] == side_of(seat) else "missed"
    if seat in last["left"] or seat in last["out"]:
        state += " gone"
    return state, with_sign(gained, plus=True) if gained else say_in("what a round has brought", "nothing")


# The slip, and the middle of the table


def _contract_slip(table: Table, names: Names) -> TemplateData:
    options, row = complete_options(table["options"]), _visible_round(table)
    rounds = options["crowns"], options["rounds"], row["round"]
    return _draw_slip(as_key(list(names), rounds, row["declarer"], row["prediction"], row["answer"], _bets(table)))


@cache_by_language(4096)  # It stays the same during draws and discards, and during tricks.
def _draw_slip(key: bytes) -> TemplateData:
    """Return the data of the slip of paper on the table: the round, the prediction and the bets on it.

    The player who makes the prediction is the declarer. key: the names and the contents of the slip. The cache takes
    only hashable arguments, so they are packed into bytes.
    """
    names, (crowns, last_number, number), declarer, prediction, answer, bets = from_key(key)
    slip = {
        "deal": as_markup(round_words(last_number, number)),
        "target": say("to {crowns}", crowns=crown_words(crowns)),  # what wins the match
        "prediction": as_markup(say("No prediction yet")),
        **dict.fromkeys(("who", "worth", "bet", "answer", "state"), ""),  # until there is a prediction
    }
    if prediction is None:
        if declarer is not None:
            slip["who"] = _words_about(_declares, declarer, names)
        return slip
    points = worth(prediction)  # 0 for "no trick"
    slip["who"] = _words_about(_predicts, declarer, names)
    slip["prediction"] = as_markup(prediction_words(prediction))
    slip["worth"] = say("worth {points}", points=point_words(points)) if points else say("worth only the bet")
    slip["bet"] = as_markup(_bet_words(*bets))
    slip["answer"] = answer  # whether the other side believes it
    slip["state"] = ANSWERED[answer]  # the same in words
    return slip


NEAR = 5  # The table shows the number of rounds this many rounds before the last.


def round_words(last: int, number: int) -> str:
    """Return the name of a round: "Round 7", or "Round 56 of 60" near the last.

    After the last, if the totals are equal, follows the "Deciding round". last: the number of the last round, 0 if
    there is no limit.
    """
    if not last or number <= last - NEAR:
        return say("Round {number}", number=number)
    return say("Round {number} of {last}", number=number, last=last) if number <= last else say("Deciding round")


def _bet_words(offered: int, agreed: int, side_bets: int) -> str:
    """Return the stones at stake in words: "Bet 4, side bets 2, 3 more offered".

    agreed: the bet on the prediction that both sides have agreed to, 0 before they have. offered: this bet and what one
    side wants to add to it. side_bets: the bets between the tricks.
    """
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
    """Return the caption in the middle of the table, or None if nothing has happened that it could name.

    It names the winner of the match, the result of the last round, the score of the prediction, or the declarer. Each
    player that it names reads "you" there.
    """
    last, winner = table["last_round"], table["winner"]
    prediction, declarer = table["prediction"], table["declarer"]
    everybody = range(len(names))
    if winner is not None:
        return caption(personal_markup(partial(_wins, winner), names, everybody), classes="winner")
    if table["phase"] == "deal":
        if not last:
            return caption(_words_about(deals, table["dealer"], names))
        return caption(personal_markup(partial(outcome, last), names, everybody), classes="winner")
    if prediction and table["tricks"]:
        score = say("Won {won} of {tricks}", won=table["won"][declaring_side(table)], tricks=prediction["tricks"])
        return caption(say("{left} left", left=FIELD_SIZE - len(table["tricks"])), large=score)
    if prediction:
        return caption(places_words(prediction), large=trick_heading(prediction["tricks"]))
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
