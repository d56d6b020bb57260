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
    Terms,
    World,
    as_plain,
    read_world,
    set_of,
)
from games.kit.contract import Move, Seat

type Odds = tuple[float, ...]  # The chance of every set of tricks. Reversed, the odds of the other side.
type OddsOf = Callable[[Sequence[Field]], list[Odds]]
type Sample = tuple[int, list[int]]  # the tricks won without the own cards, and the card to beat in each trick

# How people play. BLUFF and `Thresholds` come from matches between bots with different values, and against simple
# plans, with prices of 1 and 4. The other numbers are guesses. They only change the odds of what is uncertain.
ODD_CARD = 0.25  # Players rarely keep a card below one they discard: its weight, where higher cards weigh 1.
STRONG = 22  # The usual sum of a field that declares early, or stays after another declared.
BLUFF = 0.7  # The weight of a weaker field after such a move, where stronger fields weigh 1.
BELIEF = 2.0  # A rival's words multiply the odds of what it hopes for by this.
DOUBTED = {True: 0.4, False: 0.6}  # The share of right and of wrong predictions that are suspected.
TOPPED = 2.0  # The stones lost by a wrong prediction if the replier can top it.
WORLDS = 60  # The sample size where several fields are hidden. The odds are then good to about a sixteenth.

MOST = FIELD_SIZE - 1  # A prediction of this many tricks mostly fails.
WON = range(1 << FIELD_SIZE)  # All sets of tricks.


def _points_by_tricks_won(tricks: int, positions: int) -> list[int]:
    """Return the points of a prediction, a list by the set of tricks won. Rules: "Scoring"."""
    return [triangular((tricks if won.bit_count() == tricks else 0) + (won & positions).bit_count()) for won in WON]


POINTS = {
    (tricks, positions): _points_by_tricks_won(tricks, positions)
    for tricks, sets in enumerate(POSITION_SETS)
    for positions in sets
}
RIGHT = [[float(won.bit_count() == tricks) for won in WON] for tricks in range(FIELD_SIZE + 1)]


class Thresholds(NamedTuple):
    """The points that a field must promise for a move. To stay or to raise: the lead over the rivals' promise."""

    declare: float = 5.0  # before the reserve is full
    declare_last: float = 2.0  # when the reserve is full
    believed: float | None = None  # Judges by `best_believed` instead: the stones to declare while draws are left.
    stay: float = -8.0  # Others declare more against a player who leaves often.
    stay_with_partner: float | None = None  # if the partner may stay too; None: with any field
    raise_: float | None = None  # to doubt MOST tricks or more and raise to the limit; None: never


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
        world, thresholds = situation.world, self.thresholds(situation.world.terms)
        find_odds = partial(self.odds_of, situation, rng=rng)
        if world.phase == "discard":
            return {"type": "discard", "card": ASCENDING[choose_discard(situation.hand, find_odds)]}
        if world.phase in ("turn", "poll"):
            return {"type": choose_turn(world, [move["type"] for move in moves], find_odds, thresholds)}
        (odds,) = find_odds([situation.hand])
        if world.phase == "reply" and raises(world, odds, thresholds):
            return highest_raise("suspect", moves)
        calm_first = sorted(moves, key=lambda move: move["type"] != "pass")
        values = estimates(world, odds, calm_first)
        return calm_first[values.index(max(values))]

    def odds_of(self, situation: "Situation", fields: Sequence[Field], rng: Random) -> list[Odds]:
        return odds_of(situation, fields, rng, self.worlds)

    def thresholds(self, terms: Terms) -> Thresholds:
        return THRESHOLDS


class Rival(NamedTuple):
    """What everybody knows about another seat that plays for the tricks, which may be the partner."""

    is_partner: bool
    hidden: int  # the number of its cards that are face down
    highest_play: int  # the highest card it has played, or NONE; its other cards are higher
    needed: int  # the least sum of its hidden cards
    bluff: int  # What a strong field has beyond that. Such a seat may still bluff. 0 if it claimed no strength.
    highest_discard: int  # or NONE
    discards: int = 0  # the size of its reserve


class Situation(NamedTuple):
    """What the seat to act knows."""

    world: World  # without hidden cards
    unseen: Field  # the cards that other seats may hold
    rivals: tuple[Rival, ...]

    @property
    def hand(self) -> Field:
        return self.world.fields[self.world.seat][self.world.trick_count :]

    @property
    def is_short(self) -> bool:
        """Whether its field is below 15. Such a field wins nothing."""
        return self.world.is_short(self.world.seat)


def read_table(table: Table) -> Situation:
    """Return the `Situation` of the seat that sees `table`."""
    world, seats = read_world(table), range(table["seats"])
    others = [other for other in seats if other != world.seat and table["status"][other] in ("undecided", "stayed")]
    visible = {POWER[card] for cards in table["reserves"] for card in cards}.union(*world.fields)
    return Situation(
        world=world,
        unseen=tuple(card for card in range(len(VALUES)) if card not in visible),
        rivals=tuple(_read_rival(table, world, other) for other in others),
    )


def _read_rival(table: Table, world: World, seat: Seat) -> Rival:
    """Return what everybody knows about a seat. world: of the seat to act."""
    played_sum = sum(VALUES[card] for card in world.fields[seat])
    needed = max(MIN_SUM - played_sum, 0)
    return Rival(
        is_partner=seat % 2 == world.seat % 2,
        hidden=table["hand_counts"][seat],
        highest_play=max(world.fields[seat], default=NONE),
        needed=needed,
        bluff=max(STRONG - played_sum, 0) - needed if _claims_strength(table, seat) else 0,
        highest_discard=max((POWER[card] for card in table["reserves"][seat]), default=NONE),
        discards=len(table["reserves"][seat]),
    )


def _claims_strength(table: Table, seat: Seat) -> bool:
    """Return whether a seat declared with draws left, or stayed alone after another seat declared."""
    calls = [(move["seat"], move["type"]) for move in table["said"] if move["type"] in ("declare", "stay")]
    if (seat, "declare") in calls:
        return len(table["reserves"][seat]) < FULL_RESERVE
    is_alone = table["seats"] == 2 or table["status"][(seat + 2) % 4] == "left"
    kinds = [kind for _, kind in calls]
    return is_alone and "declare" in kinds and (seat, "stay") in calls[kinds.index("declare") :]


# The discard phase


def choose_discard(hand: Field, find_odds: OddsOf) -> int:
    """Return the discard that leaves the best field. The lowest of equals wins."""
    values = values_of_discards(hand, find_odds)
    return max(hand, key=lambda card: values[card])


def values_of_discards(hand: Field, find_odds: OddsOf) -> dict[int, tuple[bool, float]]:
    """Return by discard whether the field that is left has 15 or more, and what it promises."""
    fields = [tuple([card for card in hand if card != discard]) for discard in hand]
    enough = [sum([VALUES[card] for card in field]) >= MIN_SUM for field in fields]
    return dict(zip(hand, zip(enough, map(promise, find_odds(fields)), strict=True), strict=True))


def choose_turn(world: World, kinds: Collection[str], find_odds: OddsOf, thresholds: Thresholds = THRESHOLDS) -> str:
    """Return the type of the move of an undecided seat. kinds: the legal types."""
    may_draw = "draw" in kinds
    if world.is_short(world.seat):
        return "draw" if may_draw else "leave"
    (odds,) = find_odds([world.fields[world.seat]])
    if "declare" in kinds and beyond_declaring(world, odds, thresholds, may_draw) >= 0:
        return "declare"
    if may_draw and (thresholds.believed is not None or not world.is_full):
        return "draw"
    return "stay" if beyond_staying(world, odds, thresholds) >= 0 else "leave"


def beyond_declaring(world: World, odds: Odds, thresholds: Thresholds, may_draw: bool) -> float:
    """Return how far the odds are above the threshold for declaring."""
    if thresholds.believed is not None:
        return best_believed(odds, world.terms.limit)[0] - (thresholds.believed if may_draw else 0.0)
    return promise(odds) - (thresholds.declare_last if world.is_full else thresholds.declare)


def beyond_staying(world: World, odds: Odds, thresholds: Thresholds) -> float:
    """Return how far the odds are above the threshold for staying."""
    least = thresholds.stay_with_partner if world.has_partner else thresholds.stay
    return inf if least is None else lead(odds) - least


def best_believed(odds: Odds, limit: int) -> tuple[float, tuple[int, int]]:
    """Return the best prediction at the highest stakes if it is believed, after its value in stones."""
    value, tricks, places = max(
        (sumprod(odds, points) - (1 - sumprod(odds, RIGHT[tricks])) * limit, tricks, PLACES[positions])
        for (tricks, positions), points in POINTS.items()
    )
    return value, (tricks, set_of(places))


@lru_cache(maxsize=1 << 16)
def promise(odds: Odds) -> float:
    """Return the expected points of the best prediction for the side with these odds."""
    return max(sumprod(odds, points) for points in POINTS.values())


def lead(odds: Odds) -> float:
    """Return the promise of these odds minus the other side's."""
    return promise(odds) - promise(odds[::-1])


# The odds


def odds_of(situation: Situation, fields: Sequence[Field], rng: Random, count: int = WORLDS) -> list[Odds]:
    """Return the odds of each field for its side. count: the sample size against several rivals."""
    if situation.is_short and len(situation.hand) <= FIELD_SIZE:
        fields = [(NONE,) * len(situation.hand)]  # Such a field wins no trick.
    if len(situation.rivals) == 1:
        return [_exact_odds(situation, field) for field in fields]
    unseen = {rival: [card for card in situation.unseen if card > rival.highest_play] for rival in situation.rivals}
    return sampled_odds(situation, fields, count, lambda rival, used: _likely_cards(rival, unseen[rival], used, rng))


def likelihood(rival: Rival, card: int) -> float:
    """Return the weight of a card in a rival's hand. Players discard their lowest cards."""
    return ODD_CARD if card < rival.highest_discard else 1.0


def weight_of(rival: Rival, cards: Collection[int]) -> float:
    """Return the weight of a rival's hidden cards; 0 if its field would be below 15."""
    beyond = sum([VALUES[card] for card in cards]) - rival.needed
    if beyond < 0:
        return 0.0
    return prod([likelihood(rival, card) for card in cards]) * (BLUFF if beyond < rival.bluff else 1.0)


def _exact_odds(situation: Situation, field: Field) -> Odds:
    """Return the odds against one hidden field. Adds up all possible fields card by card, the lowest first."""
    (rival,), world = situation.rivals, situation.world
    ways: list[dict[tuple[int, int], float]]  # By the number of cards so far: {(needed sum, tricks won): weight}.
    ways = [{} for _ in range(rival.hidden + 1)]
    ways[0][rival.needed + rival.bluff, world.won_by(world.seat % 2)] = 1.0
    for card in situation.unseen:
        if card < rival.highest_play:
            continue
        weight, value = likelihood(rival, card), VALUES[card]
        for chosen in reversed(range(rival.hidden)):
            takes = (field[chosen] > card) << world.trick_count + chosen
            more = ways[chosen + 1]
            for (needed, won), weight_before in ways[chosen].items():
                key = max(needed - value, 0), won | takes
                more[key] = more.get(key, 0.0) + weight_before * weight
    odds = [0.0] * len(WON)
    missing = max(rival.bluff, min(needed for needed, _ in ways[-1]))  # More only if the field must be below 15.
    for (needed, won), weight in ways[-1].items():
        if needed <= missing:
            odds[won] += weight * (BLUFF if needed else 1.0)
    return _normal(odds)


def sampled_odds(
    situation: Situation, fields: Sequence[Field], count: int, sample_cards: Callable[[Rival, set[int]], Sequence[int]]
) -> list[Odds]:
    """Return the odds of each field over samples of all hidden cards.

    sample_cards: takes a rival and the cards of other seats, and returns possible hidden cards of the rival, ascending.
    """
    samples = [_sample_rivals(situation, sample_cards) for _ in range(count)]
    return [_counted_odds(situation.world.trick_count, field, samples) for field in fields]


def _sample_rivals(situation: Situation, sample_cards: Callable[[Rival, set[int]], Sequence[int]]) -> Sample:
    """Sample the hidden cards of all rivals. sample_cards: as for `sampled_odds`."""
    world, used = situation.world, set[int]()
    count = FIELD_SIZE - world.trick_count
    theirs, partners = [NONE] * count, [NONE] * count
    for rival in situation.rivals:
        cards = sample_cards(rival, used)
        used.update(cards)
        best = partners if rival.is_partner else theirs
        best[:] = map(max, best, cards)
    won = world.won_by(world.seat % 2)
    for place in range(count):
        won |= (partners[place] > theirs[place]) << world.trick_count + place
    return won, theirs


def _likely_cards(rival: Rival, cards: Sequence[int], used: set[int], rng: Random) -> list[int]:
    """Sample the hidden cards of a seat by their weights. used: the cards of other seats."""
    for _ in range(20):
        sample = {cards[int(rng.random() * len(cards))] for _ in range(rival.hidden)}
        if len(sample) == rival.hidden and sample.isdisjoint(used):
            weight = weight_of(rival, sample)
            if weight and rng.random() < weight:
                return sorted(sample)
    return sorted(rng.sample(cards, rival.hidden))  # Hardly any field fits. An unlikely one does little harm.


def _counted_odds(trick_count: int, field: Field, samples: list[Sample]) -> Odds:
    """Return how often the field wins each set of tricks, as odds. trick_count: the number of finished tricks."""
    odds = [0.0] * len(WON)
    for won, theirs in samples:
        for place, card in enumerate(theirs):
            if field[place] > card:
                won |= 1 << trick_count + place
        odds[won] += 1.0
    return _normal(odds)


def believed(world: World, odds: Odds) -> Odds:
    """Return the odds after the last call of a rival, which knows its own field and claims something about it."""
    claim = _rival_claim(world)
    if claim is None:
        return odds
    right = RIGHT[world.tricks]
    if not world.is_declaring:
        right = right[::-1]
    hoped = float(claim)
    return _normal([chance * (BELIEF if comes == hoped else 1.0) for chance, comes in zip(odds, right, strict=True)])


def _rival_claim(world: World) -> bool | None:
    """Return what the rival to answer says of the prediction: right, wrong, or None for no claim."""
    match world.phase:
        case "reply":
            return True
        case "raise" if world.answer == "suspect":
            return False
        case "side_reply":
            return world.side_offer[0] % 2 == world.declarer % 2
    return None


def _normal(weights: list[float]) -> Odds:
    total = sum(weights)
    return tuple([weight / total for weight in weights])


# Predictions, answers and bets


def raises(world: World, odds: Odds, thresholds: Thresholds) -> bool:
    """Return whether to answer a long prediction with a raise to the limit. Many declarers then go out."""
    least = thresholds.raise_
    if least is None or world.trick_count or world.tricks < MOST or world.is_short(world.seat):
        return False
    return lead(odds) >= least


def highest_raise(word: str, moves: list[Move]) -> Move:
    """Return the answer with this word that adds the most stones."""
    answers = [move for move in moves if move["type"] == word and "tricks" not in move]
    return max(answers, key=lambda move: move.get("plus", 0))


def estimates(world: World, odds: Odds, moves: list[Move]) -> list[float]:
    """Return the expected stones of each move. Not for turns and discards."""
    odds = believed(world, odds)
    return [worth(world, odds, as_plain(move)) for move in moves]


def worth(world: World, odds: Odds, move: PlainMove) -> float:
    """Return the expected stones of a move of the seat to act: its own side's minus the other side's."""
    kind, added, tricks, positions = move
    if kind == "out":
        return -_cost_of_going_out(world)
    if tricks >= 0:
        if world.is_hopeless:
            return -(world.terms.price + world.offered + added + world.side_bets)
        return as_declarer(world.terms, odds, (tricks, positions), world.offered + added, world.side_bets)
    if kind in ("deduce", "suspect"):
        value = _value_if_played(world, odds, kind, world.offered + added, world.side_bets)
        return _value_of_offer(world, value) if added else value
    if kind == "side_bet":
        return _value_of_offer(
            world, _value_if_played(world, odds, world.answer, world.accepted, world.side_bets + added)
        )
    # The move is accept, in or pass.
    return _value_if_played(world, odds, world.answer, world.offered, world.side_bets + world.side_offer[1])


def _value_if_played(world: World, odds: Odds, answer: str | None, bet: int, side_bets: int) -> float:
    """Return the expected stones if the round ends with this answer and these stones."""
    if world.is_hopeless:
        return -(world.terms.price + bet + side_bets)
    won = side_bets + (bet if answer == "suspect" else 0)
    lost = side_bets + (bet if answer == "suspect" or world.terms.deduced_pays else 0)
    prediction = world.tricks, world.positions
    if world.is_declaring:
        return _value_of_prediction(odds, prediction, won, lost)
    return -_value_of_prediction(odds[::-1], prediction, won, lost)


def as_declarer(terms: Terms, odds: Odds, prediction: tuple[int, int], bet: int, side_bets: int) -> float:
    """Return the expected stones of a prediction before the answer to it."""
    won = DOUBTED[True] * bet
    lost = bet if terms.deduced_pays else DOUBTED[False] * bet
    if not terms.must_double or 2 * (bet + side_bets) <= terms.limit:
        lost += TOPPED
    return _value_of_prediction(odds, prediction, won + side_bets, lost + side_bets)


def _value_of_prediction(odds: Odds, prediction: tuple[int, int], won: float, lost: float) -> float:
    """Return the expected stones of a prediction for its own side. won, lost: the stones if it is right or wrong."""
    right = sumprod(odds, RIGHT[prediction[0]])
    return sumprod(odds, POINTS[prediction]) + right * won - (1 - right) * lost


def _cost_of_going_out(world: World) -> int:
    """Return the stones lost by going out. Assumes that the partner goes out too."""
    return world.terms.price_of_going_out + world.accepted + world.side_bets


def _value_of_offer(world: World, value: float) -> float:
    """Return the expected stones of an offer that is worth `value` if a rival accepts it.

    This assumes that rivals go out half as often as they should.
    """
    return (value + min(value, _cost_of_going_out(world))) / 2
