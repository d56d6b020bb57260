"""The likely hidden cards of other seats in Bleven, judged by their discards and calls.

Fields that fit a seat's calls get a higher weight. With two seats the seat is assumed to follow the solved strategy
mostly. Elsewhere a prediction fits better the more it is worth, and an answer the more often it is right. Only the
rules exclude a field completely.
"""

from collections.abc import Callable
from itertools import accumulate, combinations
from math import exp, prod, sumprod

from games.bleven.bot import BLUFF_WEIGHT, IS_RIGHT, declarer_value, likelihood, read_table
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
LEAST_FIT = 0.2  # The weight of a prediction or answer that gains its player nothing.
VALUE_SCALE = 4.0  # in stones: a prediction with this expected value weighs 1 / (1 + 1 / e), or 73 %.

type Hands = tuple[list[Field], list[float]]  # possible hands, and their cumulative weights


def hidden_fields(table: Table) -> dict[Seat, Hands]:
    """Return, by seat, the hidden cards that each other player in the round may hold, and how likely they are.

    That is a list of hands and a list of cumulative weights, as `random.choices` takes them. A hand weighs more if it
    fits what its player has discarded and said. The hand and the cards played are the player's field of three cards,
    which wins nothing below a sum of 15.
    """
    situation, certain = read_table(table), certain_sums(table)
    world, statuses = situation.world, table["status"]
    seats = [seat for seat, status in enumerate(statuses) if seat != world.seat and status in SHORT_WEIGHTS]
    hands_by_seat = {}
    for seat, player in zip(seats, situation.others, strict=True):
        weigh_calls = _weight_by_calls(table, world, seat)
        # Whether the rules prove that the whole field has 15 or more: True, False, or None if they prove nothing.
        has_enough = certain.get(seat)
        card_weights = {card: likelihood(player, card) for card in situation.unseen if card > player.highest_play}
        hands, weights = [], []
        for cards in combinations(card_weights, player.hidden):
            excess = sum([VALUES[card] for card in cards]) - player.needed  # Negative if the field is below 15.
            if has_enough is not None and has_enough != (excess >= 0):
                continue
            weight = prod([card_weights[card] for card in cards]) * weigh_calls(world.fields[seat] + cards)
            if excess < player.claimed:  # The player has claimed to be stronger.
                weight *= BLUFF_WEIGHT
            if excess < 0 and has_enough is None:  # Players rarely play on with such a field.
                weight *= SHORT_WEIGHTS[statuses[seat]]
            hands.append(cards)
            weights.append(weight)
        hands_by_seat[seat] = hands, list(accumulate(weights))
    return hands_by_seat


def _weight_by_calls(table: Table, world: World, seat: Seat) -> Callable[[Field], float]:
    """Return a function that tells how well a field (three cards) explains the calls of its player, as a weight.

    Where the best strategy was computed offline, the player is assumed to follow it mostly.
    """
    if is_solved(world.options):
        weights = _weights_by_class(table, world, seat)
        return lambda field: weights.get(class_of(field), 1.0)
    return _weight_by_value(table, world, seat)


def _weights_by_class(table: Table, world: World, seat: Seat) -> dict[int, float]:
    """Return, by class of similar fields, how likely a player with such a field is to make the seat's calls.

    A field is the three cards of a player, and calls are moves without cards. Players mostly follow a strategy that was
    solved offline. It depends on the phase and on earlier predictions, so the loop replays the calls of all players.
    The result is empty if the strategy covers none of the seat's calls.
    """
    turn, limit = turn_of(world), world.options.max_stakes
    weights: dict[int, float] = {}
    prediction_count, phase = 0, "turn"  # before the next call
    for move in table["said"]:
        kind = move["type"]
        if kind in ("pass", "side_bet"):  # The strategy ends before side bets.
            break
        if kind == "predict":
            phase = kind
        call: Call = "raise" if move.get("plus") else kind
        if "tricks" in move:  # The move names a prediction. The strategy knows only some bets and predictions.
            bet, prediction = world.predictions[prediction_count]
            call = nearest(bet, limit), most_similar(prediction)
        earlier_predictions = world.predictions[:prediction_count]
        if move["seat"] == seat and (mixes := strategy(phase, earlier_predictions, turn, world.options)):
            _multiply_by_shares(weights, mixes, call)
        prediction_count += "tricks" in move
        # The phase of the next move.
        if kind == "declare":
            phase = "poll"  # Others now stay or leave.
        elif phase in ("predict", "reply"):
            # An answer that only adds stones is a raise. A prediction awaits a reply.
            phase = "raise" if "plus" in move and "tricks" not in move else "reply"
    return weights


def _multiply_by_shares(weights: dict[int, float], mixes: dict[int, Mix], call: Call) -> None:
    """Multiply the weight of each class of fields by the chance that a player with such a field makes this call.

    mixes: the strategy, by class: a list of calls and a list of their shares. Some players do not follow it. So a part
    of the chance, HABIT, is spread evenly over all calls.
    """
    all_calls = {possible for calls, _ in mixes.values() for possible in calls}
    habit_chance = HABIT / len(all_calls)
    for number, (calls, parts) in mixes.items():
        share = sum(part for possible, part in zip(calls, parts, strict=True) if possible == call) / sum(parts)
        weights[number] = weights.get(number, 1.0) * (habit_chance + (1 - HABIT) * share)


def _weight_by_value(table: Table, world: World, seat: Seat) -> Callable[[Field], float]:
    """Return a function that tells how well a field (three cards) explains the calls of its player, as a weight.

    It assumes no strategy. A prediction is likelier with a field that makes it pay. An answer to a prediction is
    likelier with a field that makes the answer right.
    """
    # The seat's own predictions, as pairs of a number and a set of tricks, and their bets.
    bets = [
        ((prediction.tricks, set_of(prediction.positions)), bet)
        for predictor, (bet, prediction) in predictions_of(table)
        if predictor == seat
    ]
    answer = table["answer"] if table["replier"] == seat else None
    if not bets and not answer:
        return lambda field: 1.0
    seats = world.options.seats

    def weigh(field: Field) -> float:
        weight, odds = 1.0, early_odds(field, seats == 4, seats // 2)
        for prediction, bet in bets:
            value = declarer_value(world.options, odds, prediction, bet, 0)
            weight *= LEAST_FIT + 1 / (1 + exp(-value / VALUE_SCALE))  # It grows with the value.
        if answer:
            # The prediction comes true if the replier's side wins all other tricks.
            comes_true = sumprod(odds, IS_RIGHT[FIELD_SIZE - world.predicted_tricks])
            weight *= LEAST_FIT + (comes_true if answer == "deduce" else 1 - comes_true)
        return weight

    return weigh
