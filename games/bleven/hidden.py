"""The likely hidden cards of other seats in Bleven, judged by their discards and calls.

Fields that fit a seat's calls get a higher weight. With two seats the seat is assumed to follow the solved strategy
mostly. Elsewhere a prediction fits better the more it is worth, and an answer the more often it is right. Only the
rules exclude a field completely.
"""

from collections.abc import Callable
from itertools import accumulate, combinations
from math import exp, prod, sumprod

from games.bleven.bot import BLUFF, RIGHT, as_declarer, likelihood, read_table
from games.bleven.classes import Call, class_of, most_similar, nearest, turn_of
from games.bleven.mixed import Mix, is_solved, strategy
from games.bleven.prospects import early_odds
from games.bleven.rules.pack import VALUES
from games.bleven.rules.sampling import certain_sums
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import FIELD_SIZE
from games.bleven.simulation import Field, World, predictions_of, set_of
from games.kit.contract import Seat

HABIT = 0.2  # The share of other players' moves that no strategy explains.
SHORT_WEIGHTS: dict[str | None, float] = {"undecided": 0.5, "stayed": 0.1}  # for fields below 15, by status
ODD = 0.2  # The weight of a prediction or answer that gains its player nothing.
VAGUE = 4.0  # The scale, in stones, of the logistic weight of a prediction.

type Hands = tuple[list[Field], list[float]]  # possible hands, and their cumulative weights


def hidden_fields(table: Table) -> dict[Seat, Hands]:
    """Return the possible hands of the other seats that still play for the tricks."""
    situation, limits = read_table(table), certain_sums(table)
    world, statuses = situation.world, table["status"]
    others = [seat for seat, status in enumerate(statuses) if seat != world.seat and status in SHORT_WEIGHTS]
    hands_by_seat = {}
    for seat, rival in zip(others, situation.rivals, strict=True):
        fit, enough = _fit_of(table, world, seat), limits.get(seat)
        likely = {card: likelihood(rival, card) for card in situation.unseen if card > rival.highest_play}
        hands, weights = [], []
        for cards in combinations(likely, rival.hidden):
            beyond = sum([VALUES[card] for card in cards]) - rival.needed
            if enough is not None and enough != (beyond >= 0):
                continue
            weight = prod([likely[card] for card in cards]) * fit(world.fields[seat] + cards)
            if beyond < rival.bluff:
                weight *= BLUFF
            if beyond < 0 and enough is None:
                weight *= SHORT_WEIGHTS[statuses[seat]]
            hands.append(cards)
            weights.append(weight)
        hands_by_seat[seat] = hands, list(accumulate(weights))
    return hands_by_seat


def _fit_of(table: Table, world: World, seat: Seat) -> Callable[[Field], float]:
    """Return a function from a whole field to its weight, given the calls of its seat."""
    if is_solved(world.terms):
        fits = _fit_by_class(table, world, seat)
        return lambda field: fits.get(class_of(field), 1.0)
    return _fit_by_worth(table, world, seat)


def _fit_by_class(table: Table, world: World, seat: Seat) -> dict[int, float]:
    """Return the weight of each class of fields, where the calls of the seat follow the solved strategy."""
    turn, limit = turn_of(world), world.terms.limit
    fits: dict[int, float] = {}
    count, phase = 0, "turn"  # count: the number of predictions so far.
    for move in table["said"]:
        kind = move["type"]
        if kind in ("pass", "side_bet"):
            break
        if kind == "predict":
            phase = kind
        call: Call = "raise" if move.get("plus") else kind
        if "tricks" in move:
            stones, prediction = world.history[count]
            call = nearest(stones, limit), most_similar(prediction)
        mixes = strategy(phase, world.history[:count], turn, limit) if move["seat"] == seat else None
        if mixes:
            _weigh(fits, mixes, call)
        count += "tricks" in move
        if kind == "declare":
            phase = "poll"
        elif phase in ("predict", "reply"):
            phase = "raise" if "plus" in move and "tricks" not in move else "reply"
    return fits


def _weigh(fits: dict[int, float], mixes: dict[int, Mix], call: Call) -> None:
    """Multiply the weight of each class by its share of a call."""
    odd = HABIT / len({each for calls, _ in mixes.values() for each in calls})
    for number, (calls, weights) in mixes.items():
        share = sum(weight for each, weight in zip(calls, weights, strict=True) if each == call) / sum(weights)
        fits[number] = fits.get(number, 1.0) * (odd + (1 - HABIT) * share)


def _fit_by_worth(table: Table, world: World, seat: Seat) -> Callable[[Field], float]:
    """Return the function of `_fit_of` for calls that follow no strategy."""
    offers = [
        ((prediction.tricks, set_of(prediction.positions)), stones)
        for declarer, (stones, prediction) in predictions_of(table)
        if declarer == seat
    ]
    answer = table["answer"] if table["replier"] == seat else None
    if not offers and not answer:
        return lambda field: 1.0
    seats = world.terms.seats

    def fit(field: Field) -> float:
        weight, odds = 1.0, early_odds(field, seats == 4, seats // 2)
        for prediction, stones in offers:
            weight *= ODD + 1 / (1 + exp(-as_declarer(world.terms, odds, prediction, stones, 0) / VAGUE))
        if answer:
            comes_true = sumprod(odds, RIGHT[FIELD_SIZE - world.tricks])
            weight *= ODD + (comes_true if answer == "deduce" else 1 - comes_true)
        return weight

    return fit
