"""The sensible Bleven player, which makes the move with the highest expected stones.

It first works out the odds: the chance of each set of tricks that its side could win. They are exact against one
hidden field, and sampled against more. The odds give the expected stones of every prediction, answer and bet: the
stones of its own side minus the stones of the other. A few constants below guess how other players answer. The bot
ignores the match score.

Cards, sets of tricks and moves are ints and tuples as in `games.bleven.simulation`. A prediction is a pair of a number
of tricks and a set of positions.
"""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from math import inf, prod, sumprod
from random import Random
from typing import NamedTuple

from games.bleven.rules.pack import ASCENDING, POWER, VALUES
from games.bleven.rules.scoring import triangular
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE, MIN_SUM
from games.bleven.simulation import (
    NONE,
    PLACES,
    POSITION_SETS,
    Field,
    PlainMove,
    RoundOptions,
    World,
    as_plain,
    read_world,
    set_of,
)
from games.kit.contract import Move, Seat

type Odds = tuple[float, ...]  # The chance of every set of tricks. Reversed, the odds of the other side.
type OddsOf = Callable[[Sequence[Field]], list[Odds]]
type CardSampler = Callable[[OtherPlayer, set[int]], Sequence[int]]
type Layout = tuple[int, list[int]]  # the tricks won without the own cards, and the card to beat in each trick

# How people play. BLUFF_WEIGHT and `Thresholds` come from matches between bots with different values, and against
# simple plans, with prices of 1 and 4. The other numbers are guesses. They only change the odds of what is uncertain.
ODD_CARD_WEIGHT = 0.25  # Players rarely keep a card below one they discard: its weight, where higher cards weigh 1.
STRONG_SUM = 22  # The usual sum of a field that declares early, or stays after another declared.
BLUFF_WEIGHT = 0.7  # The weight of a weaker field after such a move, where stronger fields weigh 1.
CLAIM_FACTOR = 2.0  # An opponent's claim multiplies the odds of what it claims by this.
DOUBT_SHARE = {True: 0.4, False: 0.6}  # The share of right and of wrong predictions that are doubted.
COUNTER_LOSS = 2.0  # The stones lost by a wrong prediction if the opponent can answer with a higher one.
WORLDS = 60  # The sample size where several fields are hidden. The odds are then good to about a sixteenth.

SAMPLE_TRIES = 20  # The number of attempts to sample a hand that fits.

LONG_PREDICTION = FIELD_SIZE - 1  # A prediction of this many tricks mostly fails.
TRICK_SETS = range(1 << FIELD_SIZE)  # All sets of tricks.


def _points_by_tricks_won(tricks: int, positions: int) -> list[int]:
    """Return the points of a prediction for each set of tricks that its side may win.

    A prediction names a number of tricks, and perhaps which ones (the positions). The number counts only if it is
    exact. Each position that is won counts in any case. A count of n is worth 1 + 2 + … + n points. Sets of tricks are
    ints with a bit for each trick.
    """
    right_tricks = [tricks if won.bit_count() == tricks else 0 for won in TRICK_SETS]
    return [triangular(right_tricks[won] + (won & positions).bit_count()) for won in TRICK_SETS]


# The points of each prediction, by the set of tricks won. Then whether a number of tricks is right, likewise.
POINTS = {
    (tricks, positions): _points_by_tricks_won(tricks, positions)
    for tricks, sets in enumerate(POSITION_SETS)
    for positions in sets
}
IS_RIGHT = [[float(won.bit_count() == tricks) for won in TRICK_SETS] for tricks in range(FIELD_SIZE + 1)]


class Thresholds(NamedTuple):
    """The points that a field must be worth for a move. To stay or to raise: the lead over the other side's points."""

    declare: float = 5.0  # before the reserve is full
    declare_last: float = 2.0  # when the reserve is full
    # Or the stones that a prediction must be worth while draws are left, if it is believed. None: use the two above.
    declare_if_believed: float | None = None
    stay: float = -8.0  # Others declare more against a player who leaves often.
    stay_with_partner: float | None = None  # if the partner may stay too; None: with any field
    raise_: float | None = None  # to doubt a long prediction and raise to the limit; None: never


THRESHOLDS = Thresholds()


class BlevenBot:
    """A bot for two and four seats and all options. It uses `rng` only to sample hidden fields."""

    def __init__(self, name: str = "sensible-1", worlds: int = WORLDS) -> None:
        self.name = name
        self.worlds = worlds

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        if len(moves) == 1:
            return moves[0]
        situation = read_table(table)
        world, thresholds = situation.world, self.thresholds(situation.world.options)
        find_odds = partial(self.odds_of, situation, rng=rng)
        if world.phase == "discard":
            return {"type": "discard", "card": ASCENDING[choose_discard(situation.hand, find_odds)]}
        if world.phase in ("turn", "poll"):
            return {"type": choose_turn(world, [move["type"] for move in moves], find_odds, thresholds)}
        (odds,) = find_odds([situation.hand])
        if world.phase == "reply" and should_raise(world, odds, thresholds):
            return highest_raise("suspect", moves)
        calm_first = sorted(moves, key=lambda move: move["type"] != "pass")
        values = estimates(world, odds, calm_first)
        return calm_first[values.index(max(values))]

    def odds_of(self, situation: "Situation", fields: Sequence[Field], rng: Random) -> list[Odds]:
        return odds_of(situation, fields, rng, self.worlds)

    def thresholds(self, options: RoundOptions) -> Thresholds:
        return THRESHOLDS


class OtherPlayer(NamedTuple):
    """What everybody knows about another seat that plays for the tricks. It may be an opponent or the partner."""

    is_partner: bool
    hidden: int  # the number of its cards that are face down
    highest_play: int  # the highest card it has played, or NONE; its other cards are higher
    needed: int  # the least sum of its hidden cards
    claimed: int  # What a field as strong as it claims has beyond that. It may be a bluff. 0 without such a claim.
    highest_discard: int  # or NONE
    discards: int = 0  # the size of its reserve


class Situation(NamedTuple):
    """What the seat to act knows."""

    world: World  # without hidden cards
    unseen: Field  # the cards that other seats may hold
    others: tuple[OtherPlayer, ...]

    @property
    def hand(self) -> Field:
        return self.world.fields[self.world.seat][self.world.trick_count :]

    @property
    def is_short(self) -> bool:
        """Whether its field is below 15. Such a field wins nothing."""
        return self.world.is_short(self.world.seat)


def read_table(table: Table) -> Situation:
    """Return what the seat to act knows: the position, the cards that it cannot see, and facts about other players.

    table: the game as this seat sees it. Players who have left the round do not matter. Discards (the cards in a
    reserve) are face up.
    """
    world, statuses = read_world(table), table["status"]
    in_play = [seat for seat, status in enumerate(statuses) if status in ("undecided", "stayed")]
    discards = {POWER[card] for reserve in table["reserves"] for card in reserve}
    visible = discards.union(*world.fields)  # The fields hold only cards that this seat can see.
    return Situation(
        world=world,
        unseen=tuple(card for card in range(len(VALUES)) if card not in visible),
        others=tuple(_read_player(table, world, seat) for seat in in_play if seat != world.seat),
    )


def _read_player(table: Table, world: World, seat: Seat) -> OtherPlayer:
    """Return what everybody knows about the player in another seat. world: the position as the seat to act sees it.

    A field (the three cards of a seat) with a sum below 15 wins nothing. So the hidden cards must add up to what is
    missing to 15. They probably add up to more if the player has claimed to be strong.
    """
    played_sum = sum(VALUES[card] for card in world.fields[seat])
    needed = max(MIN_SUM - played_sum, 0)
    needed_if_strong = max(STRONG_SUM - played_sum, 0)
    return OtherPlayer(
        is_partner=seat % 2 == world.seat % 2,
        hidden=table["hand_counts"][seat],
        highest_play=max(world.fields[seat], default=NONE),
        needed=needed,
        claimed=needed_if_strong - needed if _claims_strength(table, seat) else 0,
        highest_discard=max((POWER[card] for card in table["reserves"][seat]), default=NONE),
        discards=len(table["reserves"][seat]),
    )


def _claims_strength(table: Table, seat: Seat) -> bool:
    """Return whether a player has claimed strong cards by its calls, which are moves without cards.

    A player who declares (undertakes to predict its tricks) does so, if it could still exchange cards for better ones.
    So does a player who stays in the round after another player's declaration, without a partner who might help.
    """
    calls = [(move["seat"], move["type"]) for move in table["said"] if move["type"] in ("declare", "stay")]
    if (seat, "declare") in calls:
        return len(table["reserves"][seat]) < FULL_RESERVE
    is_alone = table["seats"] == 2 or table["status"][(seat + 2) % 4] == "left"  # The partner sits opposite.
    kinds = [kind for _, kind in calls]
    calls_since_declaration = calls[kinds.index("declare") :] if "declare" in kinds else []
    return is_alone and (seat, "stay") in calls_since_declaration


# The discard phase


def choose_discard(hand: Field, find_odds: OddsOf) -> int:
    """Return the card to discard, so that the best three cards stay. Of equal choices the lowest card goes.

    find_odds: takes several fields (three cards each), and returns the odds of each: the chance of each set of tricks.
    """
    values = values_of_discards(hand, find_odds)
    return max(hand, key=lambda card: values[card])


def values_of_discards(hand: Field, find_odds: OddsOf) -> dict[int, tuple[bool, float]]:
    """Return, for each card of a hand of four, how good the hand is without it.

    A value is a pair: whether the other three cards add up to 15 or more, and the expected points of their best
    prediction. The first counts more, because cards below 15 win nothing. find_odds: takes fields (three cards each),
    and returns the odds of each: the chance of each set of tricks.
    """
    fields = [tuple([card for card in hand if card != discard]) for discard in hand]
    enough = [sum([VALUES[card] for card in field]) >= MIN_SUM for field in fields]
    values = zip(enough, map(best_points, find_odds(fields)), strict=True)
    return dict(zip(hand, values, strict=True))


def choose_turn(world: World, kinds: Collection[str], find_odds: OddsOf, thresholds: Thresholds = THRESHOLDS) -> str:
    """Choose between the moves before a prediction, and return its type: "declare", "draw", "stay" or "leave".

    To declare is to undertake a prediction, to stay is to play on without one, and to leave is to give up the round.
    kinds: the legal types. find_odds: takes fields (three cards each), and returns the odds of each: the chance of each
    set of tricks. thresholds: how good the field must be to declare or to stay.
    """
    may_draw = "draw" in kinds
    if world.is_short(world.seat):  # Cards below 15 win nothing.
        return "draw" if may_draw else "leave"
    (odds,) = find_odds([world.fields[world.seat]])
    if "declare" in kinds and margin_for_declaring(world, odds, thresholds, may_draw) >= 0:
        return "declare"
    # Few matches allow more draws with a full reserve (five discards). They pay only where believers win bets.
    draw_pays = not world.is_full or thresholds.declare_if_believed is not None
    if may_draw and draw_pays:
        return "draw"
    return "stay" if margin_for_staying(world, odds, thresholds) >= 0 else "leave"


def margin_for_declaring(world: World, odds: Odds, thresholds: Thresholds, may_draw: bool) -> float:
    """Return by how much the cards are better than necessary to declare. It is negative if they are too weak.

    To declare is to undertake a prediction of the own side's tricks. So the cards are worth what their best prediction
    is worth. odds: the chance of each set of tricks that the side may win. may_draw: whether the player may still
    exchange cards for better ones.
    """
    # In such matches an opponent who believes a wrong prediction wins the bet. So stones count, and not only points.
    if thresholds.declare_if_believed is not None:
        value, _ = best_prediction_if_believed(odds, world.options.max_stakes)
        return value - (thresholds.declare_if_believed if may_draw else 0.0)
    # Without hope for better cards, fewer points are enough.
    return best_points(odds) - (thresholds.declare_last if world.is_full else thresholds.declare)


def margin_for_staying(world: World, odds: Odds, thresholds: Thresholds) -> float:
    """Return by how much the cards are better than necessary to stay in the round. It is negative if they are too weak.

    The cards are worth the expected points of their best prediction, minus the points of the other side's best. odds:
    the chance of each set of tricks that the side may win. thresholds: the least values for each type of move.
    """
    least = thresholds.stay_with_partner if world.has_partner else thresholds.stay
    # Without a least value any cards are good enough.
    return inf if least is None else points_lead(odds) - least


def best_prediction_if_believed(odds: Odds, max_stakes: int) -> tuple[float, tuple[int, int]]:
    """Find the best prediction if the opponent will believe it. Return its value in stones, and the prediction.

    A believed prediction wins no bet if it is right, but loses it if it is wrong. The bet is the highest one,
    `max_stakes`. A prediction is a pair of a number of tricks and a set of positions (tricks named one by one). odds:
    the chance of each set of tricks that the side may win.
    """
    values = []
    for (tricks, positions), points in POINTS.items():
        chance_wrong = 1 - sumprod(odds, IS_RIGHT[tricks])
        values.append((sumprod(odds, points) - chance_wrong * max_stakes, tricks, PLACES[positions]))
    value, tricks, places = max(values)  # Of equal values the prediction of more tricks.
    return value, (tricks, set_of(places))


@lru_cache(maxsize=1 << 16)
def best_points(odds: Odds) -> float:
    """Return the expected points of the best prediction for the side with these odds."""
    return max(sumprod(odds, points) for points in POINTS.values())


def points_lead(odds: Odds) -> float:
    """Return the expected points of this side's best prediction minus the points of the other side's best one."""
    return best_points(odds) - best_points(odds[::-1])


# The odds


def odds_of(situation: Situation, fields: Sequence[Field], rng: Random, count: int = WORLDS) -> list[Odds]:
    """Return the odds of each of several fields (the three cards of the seat to act): the chance of each set of tricks.

    A set has a bit for each trick. Against one other player the odds are exact. Against more they come from `count`
    random layouts of the hidden cards. situation: what the seat knows.
    """
    if situation.is_short and len(situation.hand) <= FIELD_SIZE:
        fields = [(NONE,) * len(situation.hand)]  # Cards below 15 win no trick, as if each were lower than any other.
    if len(situation.others) == 1:
        return [_exact_odds(situation, field) for field in fields]
    # Cards are played in ascending order, so hidden ones are higher than those played.
    possible = {other: [card for card in situation.unseen if card > other.highest_play] for other in situation.others}
    return sampled_odds(situation, fields, count, lambda other, used: _likely_cards(other, possible[other], used, rng))


def likelihood(player: OtherPlayer, card: int) -> float:
    """Return the weight of a card in another player's hand. Players discard their lowest cards."""
    return ODD_CARD_WEIGHT if card < player.highest_discard else 1.0


def weight_of(player: OtherPlayer, cards: Collection[int]) -> float:
    """Return how likely it is that another player holds these hidden cards, as a weight from 0 to 1.

    It is 0 if all cards of the player would add up to less than 15, because such players do not play on. It is lower if
    the player would be bluffing: claiming to be stronger than these cards.
    """
    excess = sum([VALUES[card] for card in cards]) - player.needed
    if excess < 0:
        return 0.0
    return prod([likelihood(player, card) for card in cards]) * (BLUFF_WEIGHT if excess < player.claimed else 1.0)


def _exact_odds(situation: Situation, field: Field) -> Odds:
    """Return the chance of each set of tricks that a field (three cards) wins against the only other player.

    It weighs all hidden hands of that player. A hand below 15 is impossible. A hand that is weaker than the player
    claims is a bluff, and less likely.
    """
    (player,) = situation.others
    weights = _weights_of_results(situation, field, player)
    odds = [0.0] * len(TRICK_SETS)
    # A hand may miss the claimed strength, but not 15. If every hand misses 15, the nearest ones count.
    most_missing = max(player.claimed, min(missing for missing, _ in weights))
    for (missing, won), weight in weights.items():
        if missing <= most_missing:
            odds[won] += weight * (BLUFF_WEIGHT if missing else 1.0)
    return _normal(odds)


def _weights_of_results(situation: Situation, field: Field, player: OtherPlayer) -> dict[tuple[int, int], float]:
    """Return the total weight of the hidden hands of another player that lead to the same result against a field.

    A result is a pair: what the sum of the hand misses to the claimed one, and the set of tricks that the field (three
    cards) wins. Both seats play in ascending order, so the first hidden card meets the first card of the field, and so
    on. That is why hands can be built card by card, the lowest first.
    """
    world = situation.world
    # By the number of cards so far, the weights by result. Without cards the whole sum is missing.
    ways: list[dict[tuple[int, int], float]] = [{} for _ in range(player.hidden + 1)]
    ways[0][player.needed + player.claimed, world.won_by(world.seat % 2)] = 1.0
    for card in situation.unseen:
        if card < player.highest_play:
            continue
        weight, value = likelihood(player, card), VALUES[card]
        for length in reversed(range(player.hidden)):  # From the longest hand, so that none gets the card twice.
            trick_bit = (field[length] > card) << world.trick_count + length
            longer_ways = ways[length + 1]
            for (missing, won), weight_before in ways[length].items():
                key = max(missing - value, 0), won | trick_bit
                longer_ways[key] = longer_ways.get(key, 0.0) + weight_before * weight
    return ways[-1]


def sampled_odds(situation: Situation, fields: Sequence[Field], count: int, sample_cards: CardSampler) -> list[Odds]:
    """Return the odds of each field (three cards): the chance of each set of tricks that the side may win.

    They are shares of `count` random layouts of the hidden cards. sample_cards: takes another player and the cards
    already given to others. It returns possible hidden cards of the player, ascending.
    """
    layouts = [_sample_layout(situation, sample_cards) for _ in range(count)]
    return [_counted_odds(situation.world.trick_count, field, layouts) for field in fields]


def _sample_layout(situation: Situation, sample_cards: CardSampler) -> Layout:
    """Sample the hidden cards of all other players, and return what they mean for the tricks still to be played.

    That is the set of tricks that the side wins without its own cards, and the opponents' best card in each trick.
    sample_cards: takes another player and the cards already given to others. It returns cards for the player.
    """
    world, used = situation.world, set[int]()
    tricks_left = FIELD_SIZE - world.trick_count
    opponents_best, partners_best = [NONE] * tricks_left, [NONE] * tricks_left
    for player in situation.others:
        cards = sample_cards(player, used)
        used.update(cards)
        best = partners_best if player.is_partner else opponents_best
        best[:] = map(max, best, cards)  # The higher card of each trick stays.
    won = world.won_by(world.seat % 2)
    for trick, (partners, opponents) in enumerate(zip(partners_best, opponents_best, strict=True), world.trick_count):
        won |= (partners > opponents) << trick  # The partner wins it without help.
    return won, opponents_best


def _likely_cards(player: OtherPlayer, cards: Sequence[int], used: set[int], rng: Random) -> list[int]:
    """Sample the hidden cards of another player, so that likelier hands come more often.

    cards: all that the player may hold. used: the cards already given to others. A random hand is accepted as often as
    it is likely, or else another one is tried.
    """
    for _ in range(SAMPLE_TRIES):
        sample = {cards[int(rng.random() * len(cards))] for _ in range(player.hidden)}
        if len(sample) == player.hidden and sample.isdisjoint(used):  # No card comes twice.
            weight = weight_of(player, sample)  # from 0 to 1
            if weight and rng.random() < weight:
                return sorted(sample)
    return sorted(rng.sample(cards, player.hidden))  # Hardly any hand fits. An unlikely one does little harm.


def _counted_odds(trick_count: int, field: Field, layouts: list[Layout]) -> Odds:
    """Return the odds of a field (three cards): for each set of tricks, the share of layouts where the side wins it.

    trick_count: the number of finished tricks. layouts: possible cards of the other seats. Each is a pair of the set of
    tricks that the side wins without the field, and the cards to beat in the remaining tricks.
    """
    odds = [0.0] * len(TRICK_SETS)
    for won, cards_to_beat in layouts:
        for place, card_to_beat in enumerate(cards_to_beat):
            if field[place] > card_to_beat:
                won |= 1 << trick_count + place
        odds[won] += 1.0
    return _normal(odds)


def adjust_for_claim(world: World, odds: Odds) -> Odds:
    """Return the odds after an opponent's last call, which claims that the prediction is right or wrong.

    The opponent knows its own cards, so sets of tricks that agree with the claim become likelier. odds: the chance of
    each set of tricks that the side to act may win.
    """
    claim = _claim_of_opponent(world)
    if claim is None:
        return odds
    is_right = IS_RIGHT[world.predicted_tricks]
    if not world.is_declaring:
        is_right = is_right[::-1]  # By the tricks of the other side, which wins all tricks that the declarers lose.
    factors = [CLAIM_FACTOR if right == claim else 1.0 for right in is_right]
    return _normal([chance * factor for chance, factor in zip(odds, factors, strict=True)])


def _claim_of_opponent(world: World) -> bool | None:
    """Return whether the last call of an opponent claims that the prediction is right. None: it claims nothing."""
    match world.phase:
        case "reply":  # The opponent has just predicted.
            return True
        case "raise" if world.answer == "suspect":  # It has doubted the prediction, and raised the bet.
            return False
        case "side_reply":  # It has made a side bet on its own success, so declarers say right and others wrong.
            bettor, _ = world.side_offer
            return bettor % 2 == world.declarer % 2
    return None


def _normal(weights: list[float]) -> Odds:
    total = sum(weights)
    return tuple([weight / total for weight in weights])


# Predictions, answers and bets


def should_raise(world: World, odds: Odds, thresholds: Thresholds) -> bool:
    """Return whether to raise the bet to the limit after a prediction of many tricks. Many declarers then give up.

    odds: the chance of each set of tricks that the side may win. thresholds: how good the own cards must be for it.
    """
    least = thresholds.raise_
    is_long = world.predicted_tricks >= LONG_PREDICTION
    # None: this player never raises. Cards below 15 win nothing.
    if least is None or world.trick_count or not is_long or world.is_short(world.seat):
        return False
    return points_lead(odds) >= least


def highest_raise(word: str, moves: list[Move]) -> Move:
    """Return the answer with this word ("deduce" or "suspect") that adds the most stones to the bet."""
    answers = [move for move in moves if move["type"] == word and "tricks" not in move]
    return max(answers, key=lambda move: move.get("plus", 0))


def estimates(world: World, odds: Odds, moves: list[Move]) -> list[float]:
    """Return the expected stones of each move. Not for turns and discards."""
    odds = adjust_for_claim(world, odds)
    return [expected_stones(world, odds, as_plain(move)) for move in moves]


def expected_stones(world: World, odds: Odds, move: PlainMove) -> float:
    """Return the expected stones of a move of the seat to act: its own side's minus the other side's.

    odds: the chance of each set of tricks that its side may win. move: a prediction, an answer to one, or a side bet.
    It is a tuple: its type, the stones that it adds to the bets, the number of predicted tricks or NONE, and the set of
    those named one by one.
    """
    kind, added, tricks, positions = move
    if kind == "out":  # The seat gives up.
        return -_cost_of_going_out(world)
    if tricks >= 0:  # The move names a new prediction.
        if world.is_hopeless:  # Cards below 15 lose all bets.
            return -(world.options.price_of_leaving + world.offered + added + world.side_bets)
        return declarer_value(world.options, odds, (tricks, positions), world.offered + added, world.side_bets)
    if kind in ("deduce", "suspect"):  # It believes or doubts the prediction.
        value = _value_if_played(world, odds, kind, world.offered + added, world.side_bets)
        return _value_of_offer(world, value) if added else value
    if kind == "side_bet":
        value = _value_if_played(world, odds, world.answer, world.accepted, world.side_bets + added)
        return _value_of_offer(world, value)
    _, side_stones = world.side_offer  # The move accepts a raise or a side bet, or passes.
    return _value_if_played(world, odds, world.answer, world.offered, world.side_bets + side_stones)


def _value_if_played(world: World, odds: Odds, answer: str | None, bet: int, side_bets: int) -> float:
    """Return the expected stones of the side to act if nobody raises any more and the tricks decide.

    answer: whether the opponent believes ("deduce") or doubts ("suspect") the prediction. bet, side_bets: in stones.
    """
    if world.is_hopeless:  # Cards below 15 lose all bets.
        return -(world.options.price_of_leaving + bet + side_bets)
    # A declarer with a right prediction wins the bet only from a doubter. A wrong one always loses the side bets.
    won = side_bets + (bet if answer == "suspect" else 0)
    lost = side_bets + (bet if answer == "suspect" or world.options.believer_wins_bet else 0)
    prediction = world.predicted_tricks, world.predicted_positions
    if world.is_declaring:
        return _value_of_prediction(odds, prediction, won, lost)
    # The declarers win the tricks that this side does not win, so their odds are in the reverse order.
    return -_value_of_prediction(odds[::-1], prediction, won, lost)


def declarer_value(options: RoundOptions, odds: Odds, prediction: tuple[int, int], bet: int, side_bets: int) -> float:
    """Return the expected stones of a prediction for its own side, before the opponent believes or doubts it.

    odds: the chance of each set of tricks that the side may win. prediction: a number of tricks, and a set of positions
    (the tricks that it names). bet, side_bets: in stones.
    """
    # An opponent who doubts the prediction wins or loses the bet. One who believes it wins the bet in some matches if
    # the prediction is wrong, but never loses it.
    won = DOUBT_SHARE[True] * bet
    lost = bet if options.believer_wins_bet else DOUBT_SHARE[False] * bet
    # The opponent may also answer with a higher prediction, if the stakes leave room for it.
    if not options.counter_must_double or 2 * (bet + side_bets) <= options.max_stakes:
        lost += COUNTER_LOSS
    return _value_of_prediction(odds, prediction, won + side_bets, lost + side_bets)


def _value_of_prediction(odds: Odds, prediction: tuple[int, int], won: float, lost: float) -> float:
    """Return the expected stones of a prediction for its own side. won, lost: the bets if it is right or wrong.

    prediction: a number of tricks, and a set of positions (the tricks that it names).
    """
    tricks, _ = prediction
    chance_right = sumprod(odds, IS_RIGHT[tricks])
    return sumprod(odds, POINTS[prediction]) + chance_right * won - (1 - chance_right) * lost


def _cost_of_going_out(world: World) -> int:
    """Return the stones lost by giving up the round ("out"). Assumes that the partner gives up too."""
    return world.options.price_of_going_out + world.accepted + world.side_bets


def _value_of_offer(world: World, value: float) -> float:
    """Return the expected stones of an offer: a raise or a side bet. value: its stones if the opponent accepts it.

    The opponent can also give up, and should do so whenever that costs it less. This assumes that opponents do it in
    half of these cases.
    """
    value_with_best_reply = min(value, _cost_of_going_out(world))  # Giving up would cost either side the same.
    return (value + value_with_best_reply) / 2
