"""What the coach of Bleven says, in whole sentences."""

from games.bleven.table.words import prediction_words, stone_words
from games.kit.language import counted, lazily, said
from games.kit.words import THE_CARDS

UNIT = lazily("Stones on average")
MEANING = lazily("The stones are those that the side wins by this round.")
JUDGED = lazily(
    "The stones are those by which the side is ahead in this round, whatever it needs to win the match. A move that a "
    "player who gives nothing away would make by lot, a bluff too, loses nothing."
)
BLUFF = 20  # a prediction that comes true less often, in hundredths, is made to be believed

_ADVICE = {
    "draw": "Draw a card.",
    "declare": "Declare.",
    "stay": "Stay.",
    "leave": "Leave the round.",
    "deduce": "Believe it (deduce).",
    "suspect": "Doubt it (suspect).",
    "accept": "Accept the raise.",
    "in": "Stay in.",
    "out": "Go out.",
    "pass": "Pass.",
}
_ADVICE_TO_RAISE = {
    "deduce": "Believe it (deduce) and raise by {stones}.",
    "suspect": "Doubt it (suspect) and raise by {stones}.",
    "side_bet": "Make a side bet of {stones}.",
}
_NAMES = {
    "draw": "drawing a card",
    "declare": "declaring",
    "stay": "staying",
    "leave": "leaving the round",
    "deduce": "believing it",
    "suspect": "doubting it",
    "accept": "accepting the raise",
    "in": "staying in",
    "out": "going out",
    "pass": "passing",
}
_NAMES_OF_RAISES = {
    "deduce": "believing it and raising by {stones}",
    "suspect": "doubting it and raising by {stones}",
    "side_bet": "a side bet of {stones}",
}


def advice(move):
    if move["type"] == "discard":
        return said("Discard the {card}.", card=THE_CARDS[move["card"]])
    if move["type"] == "predict":
        return said("Bet {stones} on {prediction}.", stones=_stones(move), prediction=_prediction(move))
    if "tricks" in move:
        sentence = "Bet {stones} more, now on {prediction}." if _added(move) else "Now predict {prediction}."
        return said(sentence, stones=_stones(move), prediction=_prediction(move))
    return said((_ADVICE_TO_RAISE if _added(move) else _ADVICE)[move["type"]], stones=_stones(move))


def name(move):
    if move["type"] == "discard":
        return said("discarding the {card}", card=THE_CARDS[move["card"]])
    if move["type"] == "predict":
        return said("a bet of {stones} on {prediction}", stones=_stones(move), prediction=_prediction(move))
    if "tricks" in move:
        sentence = "betting {stones} more, now on {prediction}" if _added(move) else "predicting {prediction}"
        return said(sentence, stones=_stones(move), prediction=_prediction(move))
    return said((_NAMES_OF_RAISES if _added(move) else _NAMES)[move["type"]], stones=_stones(move))


def _added(move):
    return move.get("plus", move.get("bet", 0))


def _stones(move):
    return stone_words(_added(move))


def _prediction(move):
    return prediction_words({"positions": []} | move)


def stones(number):
    """number: in figures, with a decimal."""
    return said("1 stone" if number == "1.0" else "{number} stones", number=number)


# What speaks for a move


def short(total, enough):
    sentence = "Your field adds up to {total}, and with less than {enough} you take no trick."
    return said(sentence, total=total, enough=enough)


def tricks(in_pairs, percents):
    """percents: how often the side wins no trick, one, two and three."""
    if in_pairs:
        sentence = (
            "As the cards may lie, your side wins no trick {none}% of the time, 1 trick {one}%, 2 tricks {two}% and "
            "all 3 tricks {three}%."
        )
    else:
        sentence = (
            "Against all that your rival may hold, you win no trick {none}% of the time, 1 trick {one}%, 2 tricks "
            "{two}% and all 3 tricks {three}%."
        )
    return said(
        sentence,
        none=percents[0],
        one=percents[1],
        two=percents[2],
        three=percents[3],
    )


def own_comes_true(percent):
    """percent: how often the number of tricks comes true that is now predicted."""
    if percent < BLUFF:
        return said("It is a bluff: so many tricks come true only about {percent}% of the time.", percent=percent)
    return said("So many tricks come true about {percent}% of the time.", percent=percent)


def comes_true(percent):
    return said("The prediction comes true about {percent}% of the time.", percent=percent)


def of_solved(percent):
    """percent: how often the solved strategy makes this move with such a field."""
    if percent == 100:
        return said("With a field like this a player who gives nothing away always does so.")
    return said(
        "With a field like this a player who gives nothing away does so {percent}% of the time, by lot.",
        percent=percent,
    )


# Why a bot moved so


def knew(cards):
    return counted(
        cards,
        "It knew its own card, all that had been thrown away or played, and what had been said.",
        "It knew its own {number} cards, all that had been thrown away or played, and what had been said.",
    )


def drew(percent):
    if percent == 100:
        return said("With a field like this its strategy leaves no choice: it always does so.")
    return said(
        "Who always does the same with the same field can be read. With one like this its strategy does so {percent}% "
        "of the time, by lot.",
        percent=percent,
    )


KEPT = lazily("Of the fields that it could keep, the one left promises most.")
SHORT = lazily("Its field was short of 15, with which it would have taken no trick.")


def promised(points):
    """points: of the best prediction, on average, in figures."""
    return said("It went by what its field promised: predictions worth {points} points on average.", points=points)


def promises(number):
    """number: stones, in figures."""
    return said("By its odds this promised {stones} on average, and nothing else clearly more.", stones=stones(number))
