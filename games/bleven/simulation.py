"""A fast simulation of a Bleven round, which moves change in place.

Tests compare it with `games.bleven.rules`. A card is an int, its power: 0 is the lowest of the pack, 39 the highest.
A set of tricks, or of positions, is an int with a bit for each trick, 1 for the first. A move is a tuple of four: its
type, the stones or the card, the number of tricks (NONE without one) and the positions.
"""

from typing import NamedTuple

from games.bleven.rules.pack import POWER, VALUES
from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import ANSWERS, FIELD_SIZE, FULL_RESERVE, MIN_SUM, POSITIONS, complete_options

NONE = -1  # Stands for no seat, no number of tricks or no card.
STATUS = ("undecided", "stayed", "left", "out", "faced")
UNDECIDED, STAYED, LEFT, OUT, FACED = range(len(STATUS))
NAMED = [[sum(1 << place - 1 for place in positions) for positions in sets] for sets in POSITIONS]  # Like POSITIONS.
PLACES = [tuple(place for place in (1, 2, 3) if named >> place - 1 & 1) for named in range(1 << FIELD_SIZE)]
DRAW, STAY, LEAVE, DECLARE, DEDUCE, SUSPECT, ACCEPT, IN, GO_OUT, PASS = (
    (kind, 0, NONE, 0)
    for kind in ("draw", "stay", "leave", "declare", "deduce", "suspect", "accept", "in", "out", "pass")
)


class Terms(NamedTuple):
    """The options of a match that matter within a round."""

    seats: int
    most: int  # The limit of stones at stake.
    deduced_pays: bool  # Whether a wrong prediction costs the bet even if the replier believed it.
    leave_cost: int
    doubling: bool  # Whether a counter-prediction must double the stones at stake.
    open_changes: bool  # Whether side bets may change the number of tricks to any possible one.
    draws_on: bool  # Whether players may draw with a full reserve.

    @classmethod
    def of(cls, seats, options):
        """Return the terms of a match. options: as in a view."""
        terms = complete_options(options)
        return cls(
            seats,
            terms["max_bet"],
            terms["deduced_miss"] == "bet",
            terms["leave_cost"],
            terms["counter"] == "double",
            terms["side_changes"] == "open",
            terms["five"] == "may",
        )


def as_plain(move):
    """Return a move of the rules as a tuple."""
    kind = move["type"]
    if kind == "discard":
        return kind, POWER[move["card"]], NONE, 0
    named = sum(1 << place - 1 for place in move.get("positions", ()))
    return kind, move.get("bet", move.get("plus", 0)), move.get("tricks", NONE), named


class World:
    """A position of a round with all cards open. Lists are indexed by seat.

    phase: as in the rules; None after the round. fields: tuples of cards, ascending, including played cards. pile: the
    top card comes last. won: the set of tricks that side 0 has won. paid: the stones of each side, after the round.
    spoken: the seat that declared by choice.
    history: the predictions so far, in the form that `games.bleven.mixed.strategy` takes.
    """

    __slots__ = (
        "accepted", "answer", "cutter", "declarer", "discards", "fields", "history", "named", "offered", "paid",
        "phase", "pile", "played", "seat", "side_bets", "side_offer", "spoken", "status", "terms", "tricks", "window",
        "won",
    )  # fmt: skip

    def __init__(self, terms, cutter, fields, pile):
        """Start a round just after the deal."""
        self.terms, self.cutter, self.fields, self.pile = terms, cutter, fields, pile
        self.phase, self.seat = "turn", cutter
        self.discards, self.status = [0] * terms.seats, [UNDECIDED] * terms.seats
        self.spoken = self.declarer = self.tricks = NONE
        self.named = self.offered = self.accepted = self.side_bets = self.played = self.won = 0
        self.answer = self.side_offer = self.paid = None
        self.window, self.history = [], ()

    def copy(self):
        other = World.__new__(World)
        other.terms, other.cutter, other.phase, other.seat = self.terms, self.cutter, self.phase, self.seat
        other.fields, other.pile, other.discards = self.fields[:], self.pile[:], self.discards[:]
        other.status, other.window, other.history = self.status[:], self.window[:], self.history
        other.spoken, other.declarer = self.spoken, self.declarer
        other.tricks, other.named, other.answer = self.tricks, self.named, self.answer
        other.offered, other.accepted, other.side_bets = self.offered, self.accepted, self.side_bets
        other.side_offer, other.played, other.won, other.paid = self.side_offer, self.played, self.won, self.paid
        return other

    # Questions

    @property
    def room(self):
        return self.terms.most - self.offered - self.side_bets

    def short(self, seat):
        """Return whether the whole field of a seat is below 15."""
        return sum([VALUES[card] for card in self.fields[seat]]) < MIN_SUM

    def partner(self, seat):
        """Return the partner of a seat if the partner stayed, else NONE."""
        partner = (seat + 2) % self.terms.seats
        return partner if partner != seat and self.status[partner] == STAYED else NONE

    def won_by(self, side):
        """Return the set of tricks that a side has won."""
        return self.won ^ ((1 << self.played) - 1) if side else self.won

    def can_come_true(self):
        won = self.won_by(self.declarer % 2).bit_count()
        return won <= self.tricks <= won + FIELD_SIZE - self.played

    def first_opponent(self, seat):
        seats = self.terms.seats
        return next(other % seats for other in range(seat + 1, seat + seats, 2) if self.status[other % seats] == STAYED)

    def counter_stones(self):
        """Return the range of stones that a counter-prediction may add."""
        room = self.room
        if self.terms.doubling:
            return range(self.terms.most - room, room + 1)
        return range(1, room + 1) if room else range(1)

    def counter_tricks(self):
        """Return the range of tricks that a counter-prediction may name."""
        won = self.won_by(self.seat % 2).bit_count()
        return range(max(won, self.tricks), won + FIELD_SIZE - self.played + 1)

    def counters(self):
        """Return the legal counter-predictions, pairs of a number of tricks and positions."""
        higher = not self.terms.doubling and not self.room
        height = self.tricks, self.named.bit_count()
        return [
            (tricks, named)
            for tricks in self.counter_tricks()
            for named in (NAMED[tricks] if not self.played else (0,))
            if not higher or (tricks, named.bit_count()) > height
        ]

    def new_stones(self):
        """Return the range of stones of a side bet that changes the number of tricks."""
        return range(1 if self.terms.open_changes else self.offered + self.side_bets, self.room + 1)

    def new_tricks(self, seat):
        """Return the numbers of tricks that a side bet of `seat` may change the prediction to."""
        won = self.won_by(seat % 2).bit_count()
        reach = range(won, won + FIELD_SIZE - self.played + 1)
        declaring = seat % 2 == self.declarer % 2
        if self.terms.open_changes:
            return [tricks for tricks in reach if not declaring or tricks != self.tricks]
        if declaring:
            return [tricks for tricks in reach if tricks > self.tricks] if self.can_come_true() else []
        return [] if self.can_come_true() else reach

    def plain_bets(self):
        """Return the range of stones of a side bet on the present prediction."""
        return range(1, self.room + 1) if self.terms.open_changes or self.can_come_true() else range(0)

    def moves(self):
        """Return the legal moves, in the order of the rules."""
        match self.phase:
            case "turn":
                seat = self.seat
                full = self.discards[seat] >= FULL_RESERVE
                found = [DRAW] if not full or (self.terms.draws_on and self.pile) else []
                found += [STAY, LEAVE] if full else []
                return found if self.short(seat) else [*found, DECLARE]
            case "discard":
                return [("discard", card, NONE, 0) for card in self.fields[self.seat]]
            case "poll":
                return [STAY, LEAVE]
            case "predict":
                return [
                    ("predict", bet, tricks, named)
                    for bet in range(1, self.terms.most + 1)
                    for tricks in range(FIELD_SIZE + 1)
                    for named in NAMED[tricks]
                ]
            case "reply":
                return self._replies()
            case "raise":
                return [IN if self.played else ACCEPT, GO_OUT]
            case "side_bet":
                numbers = self.new_tricks(self.seat)
                found = [("side_bet", bet, NONE, 0) for bet in self.plain_bets()]
                found += [("side_bet", bet, tricks, 0) for bet in self.new_stones() for tricks in numbers]
                return [*found, PASS]
        return [IN, GO_OUT]

    def _replies(self):
        answers, counters = ANSWERS, self.counters()
        found = [DEDUCE, SUSPECT]
        found += [(kind, plus, NONE, 0) for kind in answers for plus in range(1, self.room + 1)]
        found += [(kind, plus, *other) for kind in answers for plus in self.counter_stones() for other in counters]
        return [*found, GO_OUT]

    # What a move leads to

    def make(self, move):
        """Make a legal move."""
        kind, number, tricks, named = move
        if tricks >= 0:
            self._predict(number, tricks, named)
        else:
            _ACTS[kind](self, number)

    def _draw(self, _):
        self.fields[self.seat] = tuple(sorted((*self.fields[self.seat], self.pile.pop())))
        self.phase = "discard"

    def _discard(self, discard):
        seat = self.seat
        self.fields[seat] = tuple([card for card in self.fields[seat] if card != discard])
        self.discards[seat] += 1
        self.phase = "turn"
        self._ask_undecided()

    def _stay(self, _):
        self.status[self.seat] = STAYED
        self._ask_undecided()

    def _declare(self, _):
        self.declarer = self.spoken = self.seat
        self.phase = "poll"
        self._stay(_)

    def _leave(self, _):
        side = self.seat % 2
        self.status[self.seat] = LEFT
        if all([status == LEFT for status in self.status[side::2]]):
            self._lose(side, 0)
        else:
            self._ask_undecided()

    def _answer(self, word, stones):
        self.answer = word
        if stones:
            self.offered += stones
            self.phase, self.seat = "raise", self.declarer
        else:
            self._accept()

    def _bet(self, stones):
        self.side_offer = self.seat, stones
        self.phase, self.seat = "side_reply", self.first_opponent(self.seat)

    def _agree(self, _):
        if self.phase != "side_reply":
            self._accept()
            return
        self.side_bets += self.side_offer[1]
        self.side_offer = None
        self._ask_for_side_bets()

    def _ask_undecided(self):
        seats, status = self.terms.seats, self.status
        for step in range(1, seats + 1):
            seat = (self.seat + step) % seats
            if status[seat] == UNDECIDED:
                self.seat = seat
                return
        if self.declarer < 0:
            in_turn = [(self.cutter + step) % seats for step in range(seats)]
            able = [seat for seat in in_turn if status[seat] == STAYED and not self.short(seat)]
            if not able:
                self._end(0, 0)
                return
            self.declarer = able[0]
        self.phase, self.seat = "predict", self.declarer

    def _predict(self, stones, tricks, named):
        self.declarer = self.seat
        self.tricks, self.named = tricks, named
        self.offered += stones
        self.answer = None
        self.history = (*self.history, (self.offered, (tricks, PLACES[named])))
        self.seat = self.first_opponent(self.seat)
        self.phase = "reply"

    def _accept(self, _=0):
        self.accepted = self.offered
        if self.played:
            self._ask_for_side_bets()
        else:
            self._face_weak_fields()

    def _go_out(self, _):
        seat = self.seat
        self.status[seat] = OUT
        partner = self.partner(seat)
        if partner < 0:
            self._lose(seat % 2, 1)
            return
        if seat == self.declarer:
            self.declarer = partner
        self.seat = partner
        self.window = [waiting for waiting in self.window if waiting != seat]

    def _face_weak_fields(self):
        if self.terms.seats > 2:
            status = self.status
            for seat in range(self.terms.seats):
                if status[seat] == STAYED and self.short(seat):
                    status[seat] = FACED
            in_play = [STAYED in status[side::2] for side in (0, 1)]
            if not all(in_play):
                if any(in_play):
                    self._lose(in_play.index(False), 0)
                else:
                    self._end(0, 0)
                return
            if status[self.declarer] != STAYED:
                self.declarer = self.partner(self.declarer)
        self._play_trick()

    def _play_trick(self):
        place, seats, best = self.played, self.terms.seats, NONE
        for seat in range(seats):
            if self.status[seat] == STAYED and self.fields[seat][place] > best:
                best, winner = self.fields[seat][place], seat
        self.won |= (1 - winner % 2) << place
        self.played = place + 1
        if self.played == FIELD_SIZE:
            self._score()
            return
        in_turn = [(winner + step) % seats for step in range(seats)]
        self.window = [seat for seat in in_turn if self.status[seat] == STAYED]
        self._ask_for_side_bets()

    def _ask_for_side_bets(self, _=0):
        while self.window:
            seat = self.window[0]
            self.window = self.window[1:]
            if self.room and (self.plain_bets() or (self.new_stones() and self.new_tricks(seat))):
                self.phase, self.seat = "side_bet", seat
                return
        self._play_trick()

    # What is paid

    def _score(self):
        declaring = self.declarer % 2
        won = self.won_by(declaring)
        right = won.bit_count() == self.tricks
        points = triangular((self.tricks if right else 0) + (won & self.named).bit_count())
        if self.terms.seats == 2:
            for seat in (0, 1):
                if self.short(seat):
                    self._lose(seat, 0, 0 if seat == declaring else points)
                    return
        suspected = self.answer == "suspect"
        if right:
            own, other = points + (self.accepted if suspected else 0) + self.side_bets, 0
        else:
            own = points
            other = (self.accepted if suspected or self.terms.deduced_pays else 0) + self.side_bets
        self._end(*((other, own) if declaring else (own, other)))

    def _lose(self, side, more, points=0):
        """End the round with the loss of a side. more: stones that each of its players pays beyond the price."""
        players = self.terms.seats // 2
        paid = points + players * (self.terms.leave_cost + more) + self.accepted + self.side_bets
        self._end(*((paid, 0) if side else (0, paid)))

    def _end(self, one, other):
        self.paid = one, other
        self.phase = None


_ACTS = {  # By the type of a move without a prediction. They take the stones or the card.
    "draw": World._draw,
    "discard": World._discard,
    "stay": World._stay,
    "declare": World._declare,
    "leave": World._leave,
    "out": World._go_out,
    "deduce": lambda world, stones: world._answer("deduce", stones),
    "suspect": lambda world, stones: world._answer("suspect", stones),
    "side_bet": World._bet,
    "pass": World._ask_for_side_bets,
    "accept": World._accept,
    "in": World._agree,
}


def play_out(world, choose, rng):
    """Play a world to its end. Return the stones of side 0 minus those of side 1.

    choose: takes a world and `rng`, and returns a legal move of the seat to act.
    """
    while world.phase:
        world.make(choose(world, rng))
    return world.paid[0] - world.paid[1]
