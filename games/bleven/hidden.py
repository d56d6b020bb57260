"""The likely hidden cards of other seats in Bleven, judged by their discards and calls.

Fields that fit a seat's calls get a higher weight. With two seats the seat is assumed to follow the solved strategy
mostly. Elsewhere a prediction fits better the more it is worth, and an answer the more often it is right. Only the
rules exclude a field completely.
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

HABIT = 0.2  # The share of other players' moves that no strategy explains.
SHORT = {"undecided": 0.5, "stayed": 0.1}  # The weight of a field below 15, by status.
ODD = 0.2  # The weight of a prediction or answer that gains its player nothing.
VAGUE = 4.0  # The scale, in stones, of the logistic weight of a prediction.


def hidden_fields(table, shown):
    """Return {seat: (possible hands, cumulative weights)} for the other seats that still play for the tricks.

    shown: the face-up cards of each seat's field, tuples by seat.
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
    """Return a function from a whole field to its weight, given the calls of its seat."""
    if is_solved(table) and table["seats"] == 2:
        by_class = _fit_by_class(table, seat)
        return lambda field: by_class.get(class_of(field), 1.0)
    return _fit_by_worth(table, seat)


def _fit_by_class(table, seat):
    """Return the weight of each class of fields, where the calls of the seat follow the solved strategy."""
    turn, most = turn_of(table), table["options"]["max_bet"]
    made = [prediction for _, prediction in predictions_of(table)]
    fits, count, phase = {}, 0, "turn"  # count: the number of predictions so far.
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
    """Multiply the weight of each class by its share of a choice. found: a result of `strategy`."""
    odd = HABIT / len({each for choices, _ in found.values() for each in choices})
    for number, (choices, weights) in found.items():
        share = sum(weight for each, weight in zip(choices, weights, strict=True) if each == choice) / sum(weights)
        fits[number] = fits.get(number, 1.0) * (odd + (1 - HABIT) * share)


def _fit_by_worth(table, seat):
    """Return the function of `_fit_of` for calls that follow no strategy."""
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
    """Return pairs of a seat and a prediction in order, in the form that `games.bleven.mixed.strategy` takes."""
    found, stones = [], 0
    for words in table["said"]:
        if words["type"] != "side_bet" or "tricks" in words:  # Stones alone do not change the main bet.
            stones += words.get("bet", words.get("plus", 0))
        if "tricks" in words:
            found.append((words["seat"], (stones, (words["tricks"], tuple(words.get("positions", ()))))))
    return found
