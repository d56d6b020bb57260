"""A fast simulation of a Bleven round, which moves change in place.

Tests compare it with `games.bleven.rules`. A card is an int, its power: 0 is the lowest of the pack, 39 the highest.
A set of tricks or of positions is an int with a bit for each trick: 1 for the first, 2 for the second, 4 for the third.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from games.bleven.rules.pack import POWER, VALUES
from games.bleven.rules.scoring import triangular
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import (
    ANSWERS,
    FIELD_SIZE,
    FULL_RESERVE,
    MIN_SUM,
    POSITIONS,
    Prediction,
    State,
    complete_options,
)
from games.kit.contract import Move, Options, Seat

type Field = tuple[int, ...]  # ascending
type PlainMove = tuple[str, int, int, int]  # the type, the stones or the card, the tricks or NONE, the set of positions
type Offer = tuple[int, Prediction]  # the stones of the main bet, and the prediction that they are for

NONE = -1  # no seat, no number of tricks or no card
STATUS: tuple[str | None, ...] = ("undecided", "stayed", "left", "out", "faced")
UNDECIDED, STAYED, LEFT, OUT, FACED = range(len(STATUS))
POSITION_SETS = [[sum(1 << place - 1 for place in places) for places in choices] for choices in POSITIONS]
PLACES = [tuple(place for place in (1, 2, 3) if named >> place - 1 & 1) for named in range(1 << FIELD_SIZE)]  # by set
DRAW, STAY, LEAVE, DECLARE, DEDUCE, SUSPECT, ACCEPT, IN, GO_OUT, PASS = (
    (kind, 0, NONE, 0)
    for kind in ("draw", "stay", "leave", "declare", "deduce", "suspect", "accept", "in", "out", "pass")
)


class RoundOptions(NamedTuple):
    """The options of a match that matter within a round."""

    seats: int
    max_stakes: int  # the most stones at stake in a round
    believer_wins_bet: bool  # Whether a wrong prediction costs the bet even if the opponent believed it.
    leave_cost: int
    counter_must_double: bool  # Whether a counter-prediction must double the stones at stake.
    open_changes: bool  # Whether side bets may change the number of tricks to any possible one.
    may_draw_on: bool  # Whether players may draw with a full reserve.

    @classmethod
    def of(cls, seats: int, options: Options) -> "RoundOptions":
        """Read the options of a match. options: by name, as the rules store them. Missing ones have their default."""
        complete = complete_options(options)
        return cls(
            seats=seats,
            max_stakes=complete["max_bet"],
            believer_wins_bet=complete["deduced_miss"] == "bet",
            leave_cost=complete["leave_cost"],
            counter_must_double=complete["counter"] == "double",
            open_changes=complete["side_changes"] == "open",
            may_draw_on=complete["five"] == "may",
        )

    @property
    def price_of_leaving(self) -> int:
        """The stones that a side loses when it leaves a round, without bets."""
        return self.seats // 2 * self.leave_cost

    @property
    def price_of_going_out(self) -> int:
        return self.seats // 2 * (self.leave_cost + 1)


def as_plain(move: Move) -> PlainMove:
    """Return a move of the rules (a dict) as a tuple: its type, its card or stones, its tricks and their positions.

    Tricks and positions belong to a prediction: how many tricks, and which ones. Without one they are NONE and 0.
    """
    kind = move["type"]
    if kind == "discard":
        return kind, POWER[move["card"]], NONE, 0
    return kind, stones_of(move), move.get("tricks", NONE), set_of(move.get("positions", ()))


def as_move(plain: PlainMove) -> Move:
    """Return a move of the simulation (a tuple) as a move of the rules (a dict).

    The tuple has the type, the stones, the number of predicted tricks or NONE, and the set of those named one by one.
    Not for discards and side bets, nor after the first trick: there the dict has other keys.
    """
    kind, stones, tricks, positions = plain
    move: Move = {"type": kind}
    if stones or tricks >= 0:
        move["bet" if kind == "predict" else "plus"] = stones
    if tricks >= 0:
        move |= {"tricks": tricks, "positions": list(PLACES[positions])}
    return move


def stones_of(move: Move) -> int:
    """Return the stones that a move adds to those at stake."""
    stones: int = move.get("bet") or move.get("plus") or 0
    return stones


def set_of(places: Iterable[int]) -> int:
    """Return positions (numbers of tricks, from 1) as a set."""
    return sum([1 << place - 1 for place in places])


@dataclass(slots=True, eq=False)
class World:
    """A position of a round with all cards open. Lists are by seat. It begins just after the deal.

    The side of a seat is `seat % 2`.
    """

    options: RoundOptions
    cutter: int
    fields: list[Field]  # including played cards
    pile: list[int]  # The top card is the last.
    phase: str = "turn"  # as in the rules; "" after the round
    seat: int = field(init=False)  # the seat to act
    discards: list[int] = field(init=False)  # the sizes of the reserves
    status: list[int] = field(init=False)
    first_declarer: int = NONE  # the seat that declared by choice
    declarer: int = NONE
    predicted_tricks: int = NONE  # the number of tricks of the standing prediction
    predicted_positions: int = 0  # the set of tricks that it names
    predictions: tuple[Offer, ...] = ()  # all predictions so far
    answer: str | None = None
    offered: int = 0
    accepted: int = 0
    side_bets: int = 0
    side_offer: tuple[int, int] = (NONE, 0)  # the seat and the stones of a side bet that waits for its answer
    next_bettors: list[int] = field(default_factory=list)  # the seats that may still make a side bet after this trick
    trick_count: int = 0
    tricks_won: int = 0  # the set of tricks that side 0 has won
    paid: tuple[int, int] = (0, 0)  # stones by side, after the round

    def __post_init__(self) -> None:
        self.seat = self.cutter
        self.discards, self.status = [0] * self.options.seats, [UNDECIDED] * self.options.seats

    def copy(self) -> "World":
        other = World.__new__(World)
        other.options, other.cutter, other.phase, other.seat = self.options, self.cutter, self.phase, self.seat
        other.fields, other.pile, other.discards = self.fields[:], self.pile[:], self.discards[:]
        other.status, other.next_bettors, other.predictions = self.status[:], self.next_bettors[:], self.predictions
        other.first_declarer, other.declarer = self.first_declarer, self.declarer
        other.predicted_tricks, other.predicted_positions = self.predicted_tricks, self.predicted_positions
        other.offered, other.accepted, other.side_bets = self.offered, self.accepted, self.side_bets
        other.answer, other.side_offer, other.trick_count = self.answer, self.side_offer, self.trick_count
        other.tricks_won, other.paid = self.tricks_won, self.paid
        return other

    # Questions

    @property
    def room(self) -> int:
        """The stones that may still be added to those at stake."""
        return self.options.max_stakes - self.offered - self.side_bets

    def is_short(self, seat: int) -> bool:
        """Return whether the whole field of a seat is below 15."""
        return sum([VALUES[card] for card in self.fields[seat]]) < MIN_SUM

    @property
    def is_full(self) -> bool:
        """Whether the reserve of the seat to act is full."""
        return self.discards[self.seat] >= FULL_RESERVE

    @property
    def has_partner(self) -> bool:
        """Whether the partner of the seat to act is still in the round."""
        return self.options.seats > 2 and self.status[self.seat - 2] <= STAYED

    @property
    def is_declaring(self) -> bool:
        """Whether the side to act is the declaring side, if there is a declarer."""
        return self.seat % 2 == self.declarer % 2

    @property
    def is_hopeless(self) -> bool:
        """Whether the side to act wins nothing: its field (three cards) is below 15, and no partner plays on."""
        return self.partner(self.seat) < 0 and self.is_short(self.seat)

    def partner(self, seat: int) -> int:
        """Return the partner of a seat if the partner stayed, else NONE."""
        partner = (seat + 2) % self.options.seats
        return partner if partner != seat and self.status[partner] == STAYED else NONE

    def won_by(self, side: int) -> int:
        """Return the set of tricks that a side has won."""
        return self.tricks_won ^ ((1 << self.trick_count) - 1) if side else self.tricks_won

    def can_come_true(self) -> bool:
        """Return whether the declaring side can still win the predicted number of tricks."""
        won = self.won_by(self.declarer % 2).bit_count()
        return won <= self.predicted_tricks <= won + FIELD_SIZE - self.trick_count

    def first_opponent(self, seat: int) -> int:
        """Return the first opponent after a seat that plays for the tricks."""
        seats = self.options.seats
        return next(other % seats for other in range(seat + 1, seat + seats, 2) if self.status[other % seats] == STAYED)

    def counter_stones(self) -> range:
        """Return how many stones an answer may add to the stakes if it replaces the prediction by another.

        The range is empty if the answer must double the stakes, but the limit does not allow it.
        """
        room = self.room  # the stones that may still be added
        if self.options.counter_must_double:
            return range(self.options.max_stakes - room, room + 1)  # At least what is at stake now.
        return range(1, room + 1) if room else range(1)  # Without room it adds none.

    def counter_tricks(self) -> range:
        """Return the numbers of tricks that an answer may predict: no fewer than now, and still within reach."""
        won = self.won_by(self.seat % 2).bit_count()
        return range(max(won, self.predicted_tricks), won + FIELD_SIZE - self.trick_count + 1)

    def counters(self) -> list[tuple[int, int]]:
        """Return the predictions that may answer the standing one: pairs of a number of tricks and a set of positions.

        A higher prediction is one of more tricks, or of as many and more positions. Positions are single tricks named
        in advance, so after the first trick there are none. In some matches an answer that can add no more stones must
        be higher.
        """
        must_be_higher = not self.options.counter_must_double and not self.room
        height = self.predicted_tricks, self.predicted_positions.bit_count()
        return [
            (tricks, positions)
            for tricks in self.counter_tricks()
            for positions in (POSITION_SETS[tricks] if not self.trick_count else (0,))
            if not must_be_higher or (tricks, positions.bit_count()) > height  # The number of tricks counts first.
        ]

    def new_stones(self) -> range:
        """Return the range of stones of a side bet that changes the number of tricks."""
        return range(1 if self.options.open_changes else self.offered + self.side_bets, self.room + 1)

    def new_tricks(self, seat: int) -> Sequence[int]:
        """Return the numbers of tricks that a side bet of a player may change the prediction to.

        The player's side must still be able to win that number. By the option of open changes that is all. Otherwise
        the declaring side (the one that has predicted) may raise its number while the prediction can come true, and
        afterwards the other side may name any number.
        """
        won = self.won_by(seat % 2).bit_count()
        reach = range(won, won + FIELD_SIZE - self.trick_count + 1)
        declaring = seat % 2 == self.declarer % 2
        if self.options.open_changes:
            return [tricks for tricks in reach if not declaring or tricks != self.predicted_tricks]
        if declaring != self.can_come_true():
            return []
        return [tricks for tricks in reach if tricks > self.predicted_tricks] if declaring else reach

    def plain_bets(self) -> range:
        """Return the range of stones of a side bet on the present prediction."""
        return range(1, self.room + 1) if self.options.open_changes or self.can_come_true() else range(0)

    def moves(self) -> list[PlainMove]:
        """Return the legal moves of the seat to act, in the order of the rules.

        A move is a tuple: its type, the card or the stones, the number of predicted tricks or NONE, and the set of
        those named one by one. The phase tells what the seat has to decide.
        """
        match self.phase:
            case "turn":  # The players still exchange cards.
                may_draw = not self.is_full or (self.options.may_draw_on and self.pile)
                moves = [DRAW] if may_draw else []
                moves += [STAY, LEAVE] if self.is_full else []
                return moves if self.is_short(self.seat) else [*moves, DECLARE]  # Only with a sum of 15 or more.
            case "discard":
                return [("discard", card, NONE, 0) for card in self.fields[self.seat]]
            case "poll":  # Somebody else has declared.
                return [STAY, LEAVE]
            case "predict":
                return [
                    ("predict", bet, tricks, positions)
                    for bet in range(1, self.options.max_stakes + 1)
                    for tricks in range(FIELD_SIZE + 1)
                    for positions in POSITION_SETS[tricks]
                ]
            case "reply":  # To a prediction.
                return self._replies()
            case "raise":  # The opponent has raised the bet.
                return [IN if self.trick_count else ACCEPT, GO_OUT]
            case "side_bet":
                numbers = self.new_tricks(self.seat)
                moves = [("side_bet", bet, NONE, 0) for bet in self.plain_bets()]
                moves += [("side_bet", bet, tricks, 0) for bet in self.new_stones() for tricks in numbers]
                return [*moves, PASS]
        return [IN, GO_OUT]  # The answer to a side bet.

    def _replies(self) -> list[PlainMove]:
        answers, counters = ANSWERS, self.counters()
        moves = [DEDUCE, SUSPECT]
        moves += [(kind, plus, NONE, 0) for kind in answers for plus in range(1, self.room + 1)]
        moves += [(kind, plus, *other) for kind in answers for plus in self.counter_stones() for other in counters]
        return [*moves, GO_OUT]

    # What a move leads to

    def make(self, move: PlainMove) -> None:
        """Change this position by a legal move. A move is a type, a card or stones, and perhaps a prediction."""
        kind, card_or_stones, tricks, positions = move
        if tricks >= 0:  # It is a prediction. Answers and side bets can be predictions too.
            self._predict(card_or_stones, tricks, positions)
        else:
            _ACTIONS[kind](self, card_or_stones)

    def _draw(self, _: int) -> None:
        self.fields[self.seat] = tuple(sorted((*self.fields[self.seat], self.pile.pop())))
        self.phase = "discard"

    def _discard(self, discard: int) -> None:
        seat = self.seat
        self.fields[seat] = tuple([card for card in self.fields[seat] if card != discard])
        self.discards[seat] += 1
        self.phase = "turn"
        self._ask_undecided()

    def _stay(self, _: int) -> None:
        self.status[self.seat] = STAYED
        self._ask_undecided()

    def _declare(self, _: int) -> None:
        self.declarer = self.first_declarer = self.seat
        self.phase = "poll"
        self._stay(_)

    def _leave(self, _: int) -> None:
        side = self.seat % 2
        self.status[self.seat] = LEFT
        if all([status == LEFT for status in self.status[side::2]]):
            self._end_with_loss(side)
        else:
            self._ask_undecided()

    def _answer(self, word: str, stones: int) -> None:
        self.answer = word
        if stones:
            self.offered += stones
            self.phase, self.seat = "raise", self.declarer
        else:
            self._accept()

    def _offer_side_bet(self, stones: int) -> None:
        self.side_offer = self.seat, stones
        self.phase, self.seat = "side_reply", self.first_opponent(self.seat)

    def _agree_to_offer(self, _: int) -> None:
        if self.phase != "side_reply":
            self._accept()
            return
        self.side_bets += self.side_offer[1]
        self.side_offer = NONE, 0
        self._ask_for_side_bets()

    def _ask_undecided(self) -> None:
        """Make it the turn of the next player who has not yet decided to play on or to leave.

        If all have decided, it is time for the prediction of the declarer. If nobody has declared (undertaken one), the
        first player with cards of 15 or more must predict. Without such a player nobody wins the round.
        """
        seats, status = self.options.seats, self.status
        for step in range(1, seats + 1):
            seat = (self.seat + step) % seats
            if status[seat] == UNDECIDED:
                self.seat = seat
                return
        if self.declarer < 0:
            in_turn = [(self.cutter + step) % seats for step in range(seats)]
            able = [seat for seat in in_turn if status[seat] == STAYED and not self.is_short(seat)]
            if not able:
                self._end_round((0, 0))
                return
            self.declarer = able[0]
        self.phase, self.seat = "predict", self.declarer

    def _predict(self, stones: int, tricks: int, positions: int) -> None:
        self.declarer = self.seat
        self.predicted_tricks, self.predicted_positions = tricks, positions
        self.offered += stones
        self.answer = None
        self.predictions = (*self.predictions, (self.offered, Prediction(tricks, PLACES[positions])))
        self.seat = self.first_opponent(self.seat)
        self.phase = "reply"

    def _accept(self, _: int = 0) -> None:
        self.accepted = self.offered
        if self.trick_count:
            self._ask_for_side_bets()
        else:
            self._start_tricks()

    def _go_out(self, _: int) -> None:
        """Let the seat to act give up the round. Its partner takes over. Without a partner the side loses.

        The argument is not used, see `_ACTIONS`.
        """
        seat = self.seat
        self.status[seat] = OUT
        partner = self.partner(seat)
        if partner < 0:
            self._end_with_loss(seat % 2, extra_stones=1)
            return
        if seat == self.declarer:
            self.declarer = partner
        self.seat = partner
        self.next_bettors = [bettor for bettor in self.next_bettors if bettor != seat]

    def _start_tricks(self) -> None:
        """Play the first trick, if both sides have a player who can.

        With four seats, players with a sum below 15 first drop out and lay their cards open. With two seats such a
        player loses only after the last trick. If no side can play, nobody wins the round.
        """
        if self.options.seats > 2:
            status = self.status
            for seat in range(self.options.seats):
                if status[seat] == STAYED and self.is_short(seat):
                    status[seat] = FACED
            in_play = [STAYED in status[side::2] for side in (0, 1)]  # by side
            if not any(in_play):
                self._end_round((0, 0))
                return
            if not all(in_play):
                self._end_with_loss(in_play.index(False))
                return
            if status[self.declarer] != STAYED:
                self.declarer = self.partner(self.declarer)
        self._play_trick()

    def _play_trick(self) -> None:
        """Play the next trick. Nobody chooses a card: each seat plays its field (three cards) in ascending order.

        Then the players may make side bets, from the winner on. After the last trick the round is scored.
        """
        trick, seats, best = self.trick_count, self.options.seats, NONE
        for seat in range(seats):
            if self.status[seat] == STAYED and self.fields[seat][trick] > best:
                best, winner = self.fields[seat][trick], seat
        self.tricks_won |= (1 - winner % 2) << trick  # It holds the tricks of side 0.
        self.trick_count = trick + 1
        if self.trick_count == FIELD_SIZE:
            self._score()
            return
        in_turn = [(winner + step) % seats for step in range(seats)]
        self.next_bettors = [seat for seat in in_turn if self.status[seat] == STAYED]
        self._ask_for_side_bets()

    def _ask_for_side_bets(self, _: int = 0) -> None:
        """Make it the turn of the next player who can make a side bet. If there is none, play the next trick.

        Each player has one turn after a trick. The argument is not used, see `_ACTIONS`.
        """
        while self.next_bettors:
            seat = self.next_bettors[0]
            self.next_bettors = self.next_bettors[1:]
            # A side bet may leave the prediction as it is, or change its number of tricks.
            if self.room and (self.plain_bets() or (self.new_stones() and self.new_tricks(seat))):
                self.phase, self.seat = "side_bet", seat
                return
        self._play_trick()

    # What is paid

    def _score(self) -> None:
        """End the round after the last trick, and pay both sides in stones.

        The declarer's side gets points for its prediction. If the opponents doubted it, the side that is right wins the
        bet. In some matches a wrong prediction always loses it. Side bets always go to the side that is right.
        """
        # Sides are numbers, 0 and 1. Sets of tricks have a bit for each trick.
        declaring_side = self.declarer % 2
        won = self.won_by(declaring_side)
        right = won.bit_count() == self.predicted_tricks
        # Positions (tricks named one by one) that were won count even if the number of tricks is wrong.
        right_positions = (won & self.predicted_positions).bit_count()
        points = triangular((self.predicted_tricks if right else 0) + right_positions)
        if self.options.seats == 2:
            for seat in (0, 1):
                if self.is_short(seat):  # A field below 15 loses even if it has won tricks.
                    self._end_with_loss(seat, points=0 if seat == declaring_side else points)
                    return
        suspected = self.answer == "suspect"
        if right:
            declarers, opponents = points + (self.accepted if suspected else 0) + self.side_bets, 0
        else:
            declarers = points
            opponents = (self.accepted if suspected or self.options.believer_wins_bet else 0) + self.side_bets
        self._end_round((opponents, declarers) if declaring_side else (declarers, opponents))

    def _end_with_loss(self, losing_side: int, extra_stones: int = 0, points: int = 0) -> None:
        """End the round with a win of the other side, because a side has given up or has cards below 15.

        The winners get all bets, the price of leaving for each player of a side, and `extra_stones` for each. points:
        the points of the winners' prediction.
        """
        players = self.options.seats // 2
        paid = points + players * (self.options.leave_cost + extra_stones) + self.accepted + self.side_bets
        self._end_round((paid, 0) if losing_side else (0, paid))

    def _end_round(self, paid: tuple[int, int]) -> None:
        self.paid = paid
        self.phase = ""


# By the type of a move without a prediction. They take the stones or the card.
_ACTIONS: dict[str, Callable[[World, int], None]] = {
    "draw": World._draw,
    "discard": World._discard,
    "stay": World._stay,
    "declare": World._declare,
    "leave": World._leave,
    "out": World._go_out,
    "deduce": lambda world, stones: world._answer("deduce", stones),
    "suspect": lambda world, stones: world._answer("suspect", stones),
    "side_bet": World._offer_side_bet,
    "pass": World._ask_for_side_bets,
    "accept": World._accept,
    "in": World._agree_to_offer,
}


def play_out(world: World, choose: Callable[[World, Random], PlainMove], rng: Random) -> int:
    """Play the round to its end. Return the stones of side 0 minus the stones of side 1.

    world: a position with all cards open, which changes. choose: takes it and `rng`, and returns a legal move.
    """
    while world.phase:
        world.make(choose(world, rng))
    return world.paid[0] - world.paid[1]


# Worlds of a match


def read_world(table: Table) -> World:
    """Return the position of a round for the simulation. It lacks the cards that the seat to act cannot see.

    table: the round as that seat sees it, a dict. The position has numbers in place of texts, and sets of tricks with a
    bit for each trick. The field of a seat is its three cards, those already played included.
    """
    seats, seat, bet = table["seats"], table["seat"], table["bet"]
    assert seat is not None  # It is no spectator's table.
    fields = [[POWER[card] for card in cards or ()] for cards in table["faced"]]
    for trick in table["tricks"]:
        for play in trick["plays"]:
            fields[play["seat"]].append(POWER[play["card"]])
    fields[seat] += [POWER[card] for card in table["hand"]]
    options, cutter = RoundOptions.of(seats, table["options"]), (table["dealer"] + 1) % seats
    world = World(options, cutter, list(map(tuple, fields)), pile=[])
    world.phase, world.seat = table["phase"], seat
    world.discards = list(map(len, table["reserves"]))
    world.status = list(map(STATUS.index, table["status"]))
    # Where something is still missing, the world keeps its default.
    if table["declarer"] is not None:
        world.declarer = table["declarer"]
    if table["prediction"]:
        world.predicted_tricks = table["prediction"]["tricks"]
        world.predicted_positions = set_of(table["prediction"]["positions"])
    world.answer = table["answer"]
    world.offered, world.accepted, world.side_bets = bet["offered"], bet["accepted"], bet["side_bets"]
    if table["side_offer"]:
        world.side_offer = table["side_offer"]["seat"], table["side_offer"]["bet"]
    world.next_bettors = list(table["window"])
    world.trick_count = len(table["tricks"])
    world.tricks_won = sum(1 << index for index, trick in enumerate(table["tricks"]) if trick["side"] == 0)
    world.first_declarer = next((move["seat"] for move in table["said"] if move["type"] == "declare"), NONE)
    world.predictions = tuple(offer for _, offer in predictions_of(table))
    return world


def predictions_of(table: Table) -> list[tuple[Seat, Offer]]:
    """Return the predictions of this round so far, each after its seat and the main bet (in stones) that it is for.

    The main bet grows with each prediction and raise.
    """
    predictions, main_bet = [], 0
    for move in table["said"]:
        is_new_prediction = "tricks" in move
        if move["type"] != "side_bet" or is_new_prediction:  # A side bet of stones alone leaves the main bet as it is.
            main_bet += stones_of(move)
        if is_new_prediction:
            prediction = Prediction(move["tricks"], tuple(move.get("positions", ())))
            predictions.append((move["seat"], (main_bet, prediction)))
    return predictions


def with_hidden_cards(world: World, state: State) -> World:
    """Return a copy of a position with the hidden cards of the full state of the match."""
    world = world.copy()
    world.fields = [tuple([POWER[card] for card in cards]) for cards in state.fields]
    world.pile = [POWER[card] for card in reversed(state.pile)]
    return world
