"""The words of Bleven for predictions, sides, moves, results and events, and its drawn stones.

Sentences take their names from `Names`, which calls each reader "you".
"""

from collections.abc import Iterable, Iterator, Sequence

from games.bleven.rules.scoring import triangular
from games.bleven.rules.shapes import PaymentRow, PredictionRow, Round, Table
from games.bleven.rules.state import CROWN, Side, side_of
from games.bleven.rules.view import BLACK
from games.kit.contract import Card, Event, Move, Seat
from games.kit.language import cache_by_language, lazy, lazy_all, lazy_all_in, lazy_in, say, say_count, say_in
from games.kit.markup import NOTHING, Markup, heap
from games.kit.words import THE_CARDS, Names, join_words, sentence_of

# Tricks by number: alone, and as the object of a sentence.
ORDINALS = lazy_all_in("which trick", {1: "1st", 2: "2nd", 3: "3rd"})
THE_ORDINALS = lazy_all({1: "the 1st", 2: "the 2nd", 3: "the 3rd"})

PAID_FOR = {
    "points": lazy("Points"),
    "bet": lazy("Bet"),
    "side_bets": lazy("Side bets"),
    "round": lazy_in("a payment", "Round"),
    "out": lazy_in("a payment", "Out"),
}

ANSWERED = {
    "suspect": lazy_in("of a prediction", "doubted"),
    "deduce": lazy_in("of a prediction", "believed"),
    None: "",
}

# The leader is marked by a word, because a crown means 30 stones in Bleven.
WINNER = lazy_in("beside a name", "winner")
LEADER = lazy_in("beside a name", "leads")


# Sides


def side_names(seat: Seat, names: Names) -> str:
    """Return the players of a side: "Ana and Vera", and "you and Vera" for one of them."""
    seats = sorted(side_seats(seat, names), key=lambda other: other != names.viewer)
    return join_words([names.of(other) for other in seats])


def side_heading(seat: Seat, names: Names) -> str:
    """Return the players of a side at the start of a line: "You and Vera"."""
    return names.list_names(side_seats(seat, names))


def is_own(seat: Seat, names: Names) -> bool:
    """Return whether the reader belongs to the side of a seat."""
    return names.viewer is not None and side_of(seat) == side_of(names.viewer)


def side_seats(seat: Seat, names: Names) -> range:
    """Return the seats of a side, or of the side of a seat."""
    return range(side_of(seat), len(names), 2)


def to_side(seat: Seat, names: Names) -> str:
    """Return the players of a side as recipients of stones: "you and Vera". seat: any seat of the side.

    With two players each is a side, with four each pair.
    """
    others = [names[other] for other in side_seats(seat, names) if other != names.viewer]
    if not is_own(seat, names):
        return join_words(others)
    # The only other player of the own side is a partner.
    return say_in("goes to", "you and {name}", name=others[0]) if others else say_in("goes to", "you")


# Stones, points and predictions


@cache_by_language()
def stone_words(number: int) -> str:
    return say_count(number, "{number} stone", "{number} stones")


def point_words(number: int) -> str:
    return say_count(number, "{number} point", "{number} points") if number else say("no points")


@cache_by_language()
def trick_words(number: int) -> str:
    return say_count(number, "{number} trick", "{number} tricks") if number else say("no trick")


@cache_by_language()
def trick_heading(number: int) -> str:
    """Return a number of tricks at the start of a line: "No trick"."""
    return say_count(number, "{number} trick", "{number} tricks") if number else say_in("heading", "No trick")


@cache_by_language()
def crown_words(number: int) -> str:
    return say_count(number, "{number} crown", "{number} crowns")


def stones(number: int, crowns: bool = False) -> Markup:
    """Draw a heap of stones: black for 5 and white for 1. crowns: whether to draw a crown for each 30."""
    count, rest = divmod(number, CROWN) if crowns else (0, number)
    return _heap(count, rest) if number else NOTHING


@cache_by_language()
def _heap(crowns: int, rest: int) -> Markup:
    black, white = divmod(rest, BLACK)
    words = [crown_words(crowns)] if crowns else []
    words += [stone_words(rest)] if rest else []
    return heap(join_words(words), ["crown-stone"] * crowns + ["black"] * black + ["white"] * white)


def worth(prediction: PredictionRow) -> int:
    """Return the points of a prediction that is completely right."""
    return triangular(prediction["tricks"] + len(prediction["positions"]))


def prediction_words(prediction: PredictionRow | Move) -> str:
    """Return such words as "no trick", "2 tricks, including the 1st" or "2 tricks: the 1st and the 3rd"."""
    return _tricks_and_places(prediction["tricks"], tuple(prediction.get("positions", ())))


@cache_by_language()  # There are twenty.
def _tricks_and_places(tricks: int, positions: tuple[int, ...]) -> str:
    words, places = trick_words(tricks), _places_words(tricks, positions)
    if not places:
        return words
    if len(positions) == tricks:
        return say("{tricks}: {places}", tricks=words, places=places)
    return say("{tricks}, {places}", tricks=words, places=places)


def places_words(prediction: PredictionRow) -> str:
    """Return the positions of a prediction: "including the 1st", or "the 1st and the 3rd" if it names all tricks."""
    return _places_words(prediction["tricks"], tuple(prediction["positions"]))


def _places_words(tricks: int, positions: Sequence[int]) -> str:
    if len(positions) in (0, tricks):
        return listed_places(positions)
    return say("including {places}", places=listed_places(positions))


def listed_places(places: Iterable[int]) -> str:
    """Return a list of tricks: "the 1st and the 3rd"."""
    return join_words([str(THE_ORDINALS[place]) for place in places])


# Results


def outcome(row: Round | Event, names: Names) -> str:
    """Return the end of a round in a few words without a full stop: "The prediction failed", "Ana leaves the round".

    row: the round on the score sheet, or the event of its end. Its winner is a side, 0 or 1.
    """
    if row["winner"] is None or row["result"] is None:
        return say("Nobody has 15: nobody is paid")
    if row["result"] == "played":  # The tricks decided it.
        return say("The prediction is right" if row["right"] else "The prediction failed")
    loser = 1 - row["winner"]
    yours, one, many = _LOST[row["result"]]
    return names.say_of_all(side_seats(loser, names), yours, one, many)


# By result, three forms: for the reader alone, for one other player, and for a pair.
_LOST = {
    "left": ("You leave the round", "{names} leaves the round", "{names} leave the round"),
    "out": ("You are out", "{names} is out", "{names} are out"),
    "under15": ("You have less than 15", "{names} has less than 15", "{names} have less than 15"),
}


def verdict(row: Round, names: Names) -> list[str]:
    """Return sentences about a round: the prediction, the tricks or why there were none, and what was paid for them.

    row: the round on the score sheet.
    """
    sentences = []
    if row["prediction"]:
        yours, theirs = "You predicted {prediction}.", "{names} predicted {prediction}."
        seats, prediction = side_seats(declaring_side(row), names), prediction_words(row["prediction"])
        sentences.append(names.say_of_all(seats, yours, theirs, theirs, prediction=prediction))
    if row["right"] is not None:
        sentences.append(won_words(row, names))
    if row["result"] != "played":
        sentences.append(sentence_of(outcome(row, names)))
    return sentences + counted_words(row) + bet_words(row, names)


def declaring_side(row: Round | Table) -> Side:
    assert row["declarer"] is not None
    return side_of(row["declarer"])


def won_places(row: Round) -> list[int]:
    """Return the numbers of the tricks that the declaring side won, from 1."""
    return [number for number, trick in enumerate(row["tricks"], 1) if trick["side"] == declaring_side(row)]


def won_words(row: Round, names: Names) -> str:
    """Return a sentence about the tricks won by the declaring side, which made the prediction: "You won the 1st."."""
    places, seats = won_places(row), side_seats(declaring_side(row), names)
    if not places:
        return names.say_of_all(seats, "You won no trick.", "{names} won no trick.", "{names} won no trick.")
    yours, theirs = "You won {places}.", "{names} won {places}."
    return names.say_of_all(seats, yours, theirs, theirs, places=listed_places(places))


def counted_words(row: Round) -> list[str]:
    """Return sentences about the points of a prediction: one for its number of tricks, and one for its positions.

    Positions are the tricks that it named: the 1st, 2nd or 3rd. The last sentence gives the points of the round. There
    are no sentences if no points could be paid.
    """
    prediction, counted = row["prediction"], row["counted"]
    # Without tricks nothing was counted. After them a side with less than 15 may still have lost all its points.
    is_forfeit = row["result"] != "played" and not row["points"]
    if not prediction or not counted or is_forfeit:
        return []
    tricks, named = prediction["tricks"], len(prediction["positions"])
    hits, points = counted["positions"], point_words(row["points"])
    if row["right"]:
        without_positions = "{tricks}: right, {points}." if tricks else "{tricks}: right, only the bet counts."
        sentence = "{tricks}: right ({base})." if named else without_positions
    else:
        sentence = "{tricks}: wrong." if named else "{tricks}: wrong, no points."
    sentences = [say(sentence, tricks=trick_heading(tricks), points=points, base=triangular(tricks))]
    if named == 1:
        sentence = "The position is right: {points}." if hits else "The position is wrong: {points}."
        sentences.append(say(sentence, points=points))
    elif named:
        sentences.append(say("{hits} of {named} positions right: {points}.", hits=hits, named=named, points=points))
    return sentences


def bet_words(row: Round, names: Names) -> list[str]:
    """Return sentences about the winners of the bets in a round, if the tricks decided it.

    The main bet is on the prediction. Side bets follow between the tricks. The replier is the player who answered the
    prediction: doubted it ("suspect") or believed it ("deduce").
    """
    replier, sentences = row["replier"], []
    if row["result"] != "played" or replier is None:
        return []
    side_paid = {payment["for"]: payment["side"] for payment in row["paid"]}  # by reason
    if "bet" in side_paid:
        if row["answer"] == "suspect":
            yours = "You doubted it: the bet of {bet} goes to {names}."
            theirs = "{name} doubted it: the bet of {bet} goes to {names}."
        else:  # By an option of the match the bet is paid even if the replier believed a prediction that failed.
            yours = "You believed it, but since it failed the bet of {bet} goes to {names}."
            theirs = "{name} believed it, but since it failed the bet of {bet} goes to {names}."
        recipients = to_side(side_paid["bet"], names)
        sentences.append(names.say_of(replier, yours, theirs, bet=row["bet"], names=recipients))
    elif row["answer"] == "deduce":
        yours, theirs = "You believed it: nobody gets the bet.", "{name} believed it: nobody gets the bet."
        sentences.append(names.say_of(replier, yours, theirs))
    if "side_bets" in side_paid:
        recipients = to_side(side_paid["side_bets"], names)
        one, many = "The side bet of {number} stone goes to {names}.", "The side bets, {number} stones, go to {names}."
        sentences.append(say_count(row["side_bets"], one, many, names=recipients))
    return sentences


def payment_words(payment: PaymentRow, names: Names) -> str:
    """Return a sentence about a payment and its reason."""
    yours, one, many = _PAYMENTS[payment["for"]]
    return names.say_of_all(side_seats(payment["side"], names), yours, one, many, stones=stone_words(payment["stones"]))


_PAYMENTS = {
    "points": ("You get {stones} for points.", "{names} gets {stones} for points.", "{names} get {stones} for points."),
    "bet": ("You win the bet of {stones}.", "{names} wins the bet of {stones}.", "{names} win the bet of {stones}."),
    "side_bets": (
        "You win {stones} in side bets.",
        "{names} wins {stones} in side bets.",
        "{names} win {stones} in side bets.",
    ),
    "round": (
        "You get {stones} for the round.",
        "{names} gets {stones} for the round.",
        "{names} get {stones} for the round.",
    ),
    "out": (
        "You get {stones} because the others went out.",
        "{names} gets {stones} because the others went out.",
        "{names} get {stones} because the others went out.",
    ),
}


# Moves


def describe_move(move: Move, seat: Seat | None, names: Names) -> str:
    """Return a sentence about a move without its full stop: "Ana goes out". seat: its player, None for a deal."""
    if move["type"] == "deal":
        return say("The cards are dealt")
    assert seat is not None
    if "tricks" in move:  # Answers and side bets that name tricks are new predictions.
        return _describe_prediction(move, seat, names)
    kind, stones = move["type"], added_stones(move)
    if kind == "discard":
        yours, theirs = "You discard the {card}", "{name} discards the {card}"
        return names.say_of(seat, yours, theirs, card=THE_CARDS[move["card"]])
    yours, theirs = _RAISES[kind] if stones else _MOVES[kind]
    return names.say_of(seat, yours, theirs, stones=stone_words(stones))


_MOVES = {
    "draw": ("You draw a card", "{name} draws a card"),
    "stay": ("You stay", "{name} stays"),
    "leave": ("You leave the round", "{name} leaves the round"),
    "declare": ("You declare", "{name} declares"),
    "deduce": ("You believe it (deduce)", "{name} believes it (deduce)"),
    "suspect": ("You doubt it (suspect)", "{name} doubts it (suspect)"),
    "accept": ("You accept the raise", "{name} accepts the raise"),
    "in": ("You are in", "{name} is in"),
    "out": ("You go out", "{name} goes out"),
    "pass": ("You pass", "{name} passes"),
}
_RAISES = {
    "deduce": ("You believe it (deduce) and raise by {stones}", "{name} believes it (deduce) and raises by {stones}"),
    "suspect": ("You doubt it (suspect) and raise by {stones}", "{name} doubts it (suspect) and raises by {stones}"),
    "side_bet": ("You make a side bet of {stones}", "{name} makes a side bet of {stones}"),
}


def added_stones(move: Move) -> int:
    return move.get("plus") or move.get("bet") or 0


def _describe_prediction(move: Move, seat: Seat, names: Names) -> str:
    """Return a sentence about a move that predicts tricks. All but the first prediction of a round replace another."""
    prediction = prediction_words(move)
    if move["type"] == "predict":  # the first of the round
        yours, theirs = "You bet {stones} on {prediction}", "{name} bets {stones} on {prediction}"
        return names.say_of(seat, yours, theirs, stones=stone_words(move["bet"]), prediction=prediction)
    added = added_stones(move)
    if added:
        yours, theirs = "You bet {stones} more, now on {prediction}", "{name} bets {stones} more, now on {prediction}"
    else:
        yours, theirs = "You now predict {prediction}", "{name} now predicts {prediction}"
    return names.say_of(seat, yours, theirs, stones=stone_words(added), prediction=prediction)


def auction_words(spoken: Iterable[Move], names: Names) -> str:
    """Return the calls about the prediction in one line: "Ana: 4 on 2 tricks · you doubt it, +4"."""
    return " · ".join(filter(None, [_short_move_words(move, move["seat"], names) for move in spoken]))


def _short_move_words(move: Move, seat: Seat, names: Names) -> str | None:
    """Return a call about a prediction in a few words: "Ana: 4 on 2 tricks", "you doubt it, +4". None for other moves.

    The lone numbers are stones: the bet on the first prediction, and what later calls add to it.
    """
    kind, stones = move["type"], added_stones(move)
    if "tricks" in move:  # The move is a prediction. All but the first ("predict") replace another.
        first, later = "{who}: {stones} on {prediction}", "{who}: +{stones} on {prediction}"
        with_stones = first if kind == "predict" else later
        sentence = with_stones if stones else "{who}: {prediction}"
        return say(sentence, who=names.of(seat), prediction=prediction_words(move), stones=stones)
    if kind not in _SHORT:
        return None
    yours, theirs = _SHORT_RAISES[kind] if stones else _SHORT[kind]
    return names.say_of(seat, yours, theirs, stones=stones)


_SHORT = {
    "deduce": ("you believe it", "{name} believes it"),
    "suspect": ("you doubt it", "{name} doubts it"),
    "side_bet": ("you bet", "{name} bets"),
    "accept": ("you accept", "{name} accepts"),
    "in": ("you are in", "{name} is in"),
    "out": ("you are out", "{name} is out"),
}
_SHORT_RAISES = {
    "deduce": ("you believe it, +{stones}", "{name} believes it, +{stones}"),
    "suspect": ("you doubt it, +{stones}", "{name} doubts it, +{stones}"),
    "side_bet": ("you bet {stones}", "{name} bets {stones}"),
}


# Events


def _round_dealt(event: Event, names: Names) -> Iterator[str]:
    yield say("Round {round}.", round=event["round"])
    yield names.say_of(event["dealer"], "You deal.", "{name} deals.")
    yield names.say_of(event["cutter"], "You begin.", "{name} begins.")


def _move_made(event: Event, names: Names) -> Iterator[str]:
    move = event["move"] if event["type"] == "said" else {**event, "type": _UNSPOKEN[event["type"]]}
    yield sentence_of(describe_move(move, event["seat"], names))


_UNSPOKEN = {"drew": "draw", "discarded": "discard"}  # by type of event, the type of the move


def _must_declare(event: Event, names: Names) -> Iterator[str]:
    yield names.say_of(event["seat"], "Nobody has declared, so you must.", "Nobody has declared, so {name} must.")


def listed_cards(cards: Iterable[Card]) -> str:
    """Return a list such as "the two of clubs, the ace of spades and the king of hearts"."""
    return join_words([say("the {card}", card=THE_CARDS[card]) for card in cards])


def _faced(event: Event, names: Names) -> Iterator[str]:
    cards = listed_cards(event["cards"])
    yours = "You have less than 15 and lay your field open: {cards}."
    theirs = "{name} has less than 15, and the field is laid open: {cards}."
    yield names.say_of(event["seat"], yours, theirs, cards=cards)


def _trick_won(event: Event, names: Names) -> Iterator[str]:
    yours, theirs = "you the {card}", "{name} the {card}"
    plays = [names.say_of(play["seat"], yours, theirs, card=THE_CARDS[play["card"]]) for play in event["plays"]]
    yield say("Trick {trick}: {plays}.", trick=event["trick"], plays=join_words(plays))
    yield names.say_of(event["winner"], "You win it.", "{name} wins it.")


def _round_scored(event: Event, names: Names) -> Iterator[str]:
    yield sentence_of(outcome(event, names))
    for payment in event["paid"]:
        yield payment_words(payment, names)
    totals = [f"{side_names(side, names)} {total}" for side, total in enumerate(event["totals"])]
    yield say("Stones: {totals}.", totals=", ".join(totals))


def _crowned(event: Event, names: Names) -> Iterator[str]:
    crowns = crown_words(event["crowns"])
    yours, one, many = "You have {crowns}.", "{names} has {crowns}.", "{names} have {crowns}."
    yield names.say_of_all(side_seats(event["side"], names), yours, one, many, crowns=crowns)


def _match_over(event: Event, names: Names) -> Iterator[str]:
    winner = event["standings"][0]
    yours, one = "You win the match with {stones}.", "{names} wins the match with {stones}."
    many = "{names} win the match with {stones}."
    yield names.say_of_all(side_seats(winner["seat"], names), yours, one, many, stones=stone_words(winner["score"]))


SENTENCES = {
    "round_dealt": _round_dealt,
    **dict.fromkeys(("drew", "discarded", "said"), _move_made),
    "must_declare": _must_declare,
    "faced": _faced,
    "trick_won": _trick_won,
    "round_scored": _round_scored,
    "crowned": _crowned,
    "match_over": _match_over,
}
