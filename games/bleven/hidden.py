"""Which cards the others may hold in Bleven, after all that they threw away and said.

A field is the likelier the better it fits what its seat has said: with two seats, where the solved strategy has
something to say, as somebody plays who mostly follows it; else a prediction fits the better the more it is worth, and
an answer the oftener it is right. Nothing is ruled out but what the rules do.
"""

from itertools import accumulate, combinations
from math import exp, prod, sumprod

from games.bleven.bot import BLUFF, RIGHT, likelihood, read_table
from games.bleven.classes import class_of, likest, nearest, turn_of
from games.bleven.mixed import is_solved, strategy
from games.bleven.policy import as_declarer
from games.bleven.prospects import prospect
from games.bleven.rules.pack import VALUES
from games.bleven.rules.sampling import certain_sums
from games.bleven.rules.state import FIELD_SIZE
from games.bleven.simulation import Terms

HABIT = 0.2  # part of the moves of others that no strategy explains
SHORT = {"undecided": 0.5, "stayed": 0.1}  # how likely a field below 15 is to be kept, by status
ODD = 0.2  # how likely a prediction or an answer is that is worth nothing to who makes it
VAGUE = 4.0  # stones of a prediction that make much of a difference to how likely it is


def hidden_fields(table, shown):
    """{seat: (its hidden cards, tuples; their weights, added up)} of the others that still play for the tricks.

    shown: by seat the cards that everybody has seen of its field, as a tuple.
    """
    position, limits = read_table(table), certain_sums(table)
    others = [seat for seat, status in enumerate(table["status"]) if seat != table["seat"] and status in SHORT]
    found = {}
    for seat, rival in zip(others, position.rivals, strict=True):
        fit, enough = _fit_of(table, seat), limits.get(seat)
        likely = {card: likelihood(rival, card) for card in position.unseen if card > rival.above}
        chosen, weights = [], []
        for cards in combinations(likely, rival.hidden):
            beyond = sum([VALUES[card] for card in cards]) - rival.needs
            if enough is not None and enough != (beyond >= 0):
                continue
            weight = prod([likely[card] for card in cards]) * fit(shown[seat] + cards)
            if beyond < rival.bluff:
                weight *= BLUFF
            if beyond < 0 and enough is None:
                weight *= SHORT[table["status"][seat]]
            chosen.append(cards)
            weights.append(weight)
        found[seat] = chosen, list(accumulate(weights))
    return found


def _fit_of(table, seat):
    """A function that says how well a whole field fits what its seat has said, as a factor."""
    if is_solved(table) and table["seats"] == 2:
        by_class = _fit_by_class(table, seat)
        return lambda field: by_class.get(class_of(field), 1.0)
    return _fit_by_worth(table, seat)


def _fit_by_class(table, seat):
    """By class of fields how likely a seat says with them what it has said, where that follows the solved strategy."""
    turn, most = turn_of(table), table["options"]["max_bet"]
    made = [prediction for _, prediction in predictions_of(table)]
    fits, count, phase = {}, 0, "turn"  # count: of predictions so far
    for words in table["said"]:
        kind = words["type"]
        if kind in ("pass", "side_bet"):
            break
        if kind == "predict":
            phase = kind
        if "tricks" in words:
            stones, prediction = made[count]
            choice = nearest(stones, most), likest(*prediction)
        else:
            choice = "raise" if words.get("plus") else kind
        found = strategy(phase, tuple(made[:count]), turn, most) if words["seat"] == seat else None
        if found:
            _weigh(fits, found, choice)
        count += "tricks" in words
        if kind == "declare":
            phase = "poll"
        elif phase in ("predict", "reply"):
            phase = "raise" if choice == "raise" or ("plus" in words and "tricks" not in words) else "reply"
    return fits


def _weigh(fits, found, choice):
    """Multiply each class by how likely it makes a choice. found: as `strategy` returns it."""
    odd = HABIT / len({each for choices, _ in found.values() for each in choices})
    for number, (choices, weights) in found.items():
        share = sum(weight for each, weight in zip(choices, weights, strict=True) if each == choice) / sum(weights)
        fits[number] = fits.get(number, 1.0) * (odd + (1 - HABIT) * share)


def _fit_by_worth(table, seat):
    """A function as `_fit_of` returns, for what a seat has said that follows no strategy."""
    terms = Terms.of(table["seats"], table["options"])
    made = [
        ((tricks, sum(1 << place - 1 for place in places)), stones)
        for teller, (stones, (tricks, places)) in predictions_of(table)
        if teller == seat
    ]
    answer = table["answer"] if table["replier"] == seat else None
    company = table["seats"] == 4, table["seats"] // 2

    def fit(field):
        found = 1.0
        odds = prospect(field, *company).odds
        for prediction in made:
            found *= ODD + 1 / (1 + exp(-as_declarer(terms, odds, *prediction, 0) / VAGUE))
        if answer:
            comes_true = sumprod(odds, RIGHT[FIELD_SIZE - table["prediction"]["tricks"]])
            found *= ODD + (comes_true if answer == "deduce" else 1 - comes_true)
        return found

    if not made and not answer:
        return lambda field: 1.0
    return fit


def predictions_of(table):
    """Pairs of a seat and a prediction, as `games.bleven.mixed.strategy` has them, in the order made."""
    found, stones = [], 0
    for words in table["said"]:
        if words["type"] != "side_bet" or "tricks" in words:  # stones alone are no part of the main bet
            stones += words.get("bet", words.get("plus", 0))
        if "tricks" in words:
            found.append((words["seat"], (stones, (words["tricks"], tuple(words.get("positions", ()))))))
    return found
