"""The policy of all seats in play-outs of Bleven, a faster version of the hard bot.

With two seats it samples a move from the solved strategy, where there is one. Otherwise it makes the best move by the
rule of thumb, with rougher odds. It chooses at random between moves of nearly equal value. People are not exact either,
and a search that could predict every move would rely on it too much.
"""

from functools import cache, lru_cache
from itertools import product
from math import sumprod

from games.bleven.bot import BELIEF, DOUBTED, MOST, RIGHT, TOPPED
from games.bleven.bot import POINTS as POINTS_BY_PLACES
from games.bleven.classes import TURNS as EARLY
from games.bleven.classes import class_of
from games.bleven.letter import best_believed, beyond_ready, forfeit, turns_of
from games.bleven.mixed import PHASES, at_last, is_solved_at, strategy
from games.bleven.prospects import company, late_odds, prospect, thrown
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE
from games.bleven.simulation import ACCEPT, DECLARE, DEDUCE, DRAW, GO_OUT, IN, LEAVE, NONE, PASS, STAY, SUSPECT

NEAR = 0.7  # Moves within this many stones of the best are equally likely.
POINTS = {
    (tricks, sum(1 << place - 1 for place in places)): points for (tricks, places), points in POINTS_BY_PLACES.items()
}


def choose(world, rng):
    """Return the move of the seat to act in a `World`."""
    phase, seat = world.phase, world.seat
    if phase == "discard":
        return "discard", thrown(world.fields[seat], world.terms.seats), NONE, 0
    if not world.played and phase in PHASES and is_solved(world.terms):
        move = _drawn(world, rng)
        if move:
            return move
    if phase == "turn" or phase == "poll":
        return _turn(world)
    if phase == "predict":
        options = openings(world.fields[seat], *company(world, seat), world.terms)
    else:
        options = _near(_answers(world, seat))
    return options[int(rng.random() * len(options))]


def _near(options):
    """Return the moves that are nearly as good as the best. options: pairs of a value and a move."""
    least = max(options)[0] - NEAR
    return [move for worth, move in options if worth >= least]


# The solved strategy


@cache
def is_solved(terms):
    """Do the same as `games.bleven.mixed.is_solved`, for the `Terms` of a match."""
    return terms.seats == 2 and is_solved_at(terms.leave_cost, terms.deduced_pays)


def turn_of(world):
    """Do the same as `games.bleven.classes.turn_of`, for a `World`."""
    seats = world.terms.seats
    seat = world.spoken
    if seat < 0:
        seat = world.seat if world.declarer < 0 else world.declarer
    turn = world.discards[seat] * seats + (seat - world.cutter) % seats
    return turn if turn < EARLY else EARLY - 2 + turn % 2


def _drawn(world, rng):
    """Sample a move from the solved strategy. Return None if it has no move here or the move is illegal."""
    turn = turn_of(world)
    found = strategy(world.phase, world.history, turn, world.terms.most)
    if not found:
        return None
    choices, weights = found[_class(world.fields[world.seat])]
    choice = choices[0] if len(choices) == 1 else rng.choices(choices, weights)[0]
    if choice.__class__ is tuple:
        return _as_prediction(world, choice)
    if choice == "draw" and world.discards[world.seat] >= FULL_RESERVE:
        if world.terms.draws_on:
            return DRAW if world.pile else None
        choice = None if world.short(world.seat) else at_last(choice, turn)
    if choice == "raise":
        return ("suspect", world.room, NONE, 0)
    return choice and (choice, 0, NONE, 0)


_class = cache(class_of)


def _as_prediction(world, choice):
    bet, (tricks, places) = choice
    named = sum([1 << place - 1 for place in places])
    if world.phase == "predict":
        return "predict", bet, tricks, named
    stones = min(max(bet - world.offered, 1), world.room)
    if stones not in world.counter_stones() or (tricks, named) not in world.counters():
        return None
    return "suspect", stones, tricks, named


# The rule of thumb


def _turn(world):
    seat, terms = world.seat, world.terms
    turns = turns_of(terms.seats, terms.deduced_pays)
    asked, full = world.phase == "poll", world.discards[seat] >= FULL_RESERVE
    may_draw = not asked and (not full or (terms.draws_on and world.pile))
    if world.short(seat):
        return DRAW if may_draw else LEAVE
    partner, *others = company(world, seat)
    hopes = prospect(world.fields[seat], partner, *others)
    if terms.deduced_pays:
        ready = beyond_ready(hopes.odds, terms.most, may_draw) >= 0
    else:
        ready = hopes.promise >= (turns.last_call if full else turns.ready)
    if ready and not asked:
        return DECLARE
    if may_draw and (terms.deduced_pays or not full):
        return DRAW
    least = turns.helps if partner else turns.stays
    return STAY if least is None or hopes.lead >= least else LEAVE


@lru_cache(maxsize=1 << 14)
def openings(field, partner, opponents, drawn, terms):
    """Return the declarer's best predictions as moves."""
    odds = prospect(field, partner, opponents, drawn).odds
    if terms.deduced_pays:
        worth, (tricks, places) = best_believed(odds, terms.most)
        players = terms.seats // 2
        if worth > -forfeit(players, players * terms.leave_cost):
            return [("predict", terms.most, tricks, sum(1 << place - 1 for place in places))]
    bets = {1, terms.most // 2, min(terms.most // 2 + 1, terms.most), terms.most}
    return _near(
        [
            (as_declarer(terms, odds, prediction, bet, 0), ("predict", bet, *prediction))
            for bet, prediction in product(sorted(bets), POINTS)
        ]
    )


def as_declarer(terms, odds, prediction, bet, side_bets):
    """Return the expected stones of a prediction before the answer to it, as `games.bleven.bot.worth` does."""
    right = sumprod(odds, RIGHT[prediction[0]])
    won = DOUBTED[True] * bet
    lost = bet if terms.deduced_pays else DOUBTED[False] * bet
    if not terms.doubling or 2 * (bet + side_bets) <= terms.most:
        lost += TOPPED
    return sumprod(odds, POINTS[prediction]) + right * (won + side_bets) - (1 - right) * (lost + side_bets)


def _answers(world, seat):
    """Return pairs of a value and a move for answers and bets, with only the fewest or the most stones."""
    hopes = _Hopes(world, seat)
    match world.phase:
        case "reply":
            return hopes.replies()
        case "raise":
            return [(hopes.played_out(), IN if world.played else ACCEPT), (-hopes.forfeit, GO_OUT)]
        case "side_bet":
            return hopes.bets()
    return [(hopes.played_out(more=world.side_offer[1]), IN), (-hopes.forfeit, GO_OUT)]


class _Hopes:
    """The expected stones of a seat's calls: its own side's minus the other side's."""

    def __init__(self, world, seat):
        self.world, self.terms = world, world.terms
        side = seat % 2
        self.declaring = world.declarer % 2 == side
        self.alone_short = world.partner(seat) < 0 and world.short(seat)
        self.price = self.terms.leave_cost * (self.terms.seats // 2)
        self.forfeit = self.price + self.terms.seats // 2 + world.accepted + world.side_bets
        self.prospect = None if world.played else prospect(world.fields[seat], *company(world, seat))
        odds = self.prospect.odds if self.prospect else late_odds(world, seat)
        claim = self._claim()
        right = RIGHT[world.tricks if self.declaring else FIELD_SIZE - world.tricks]
        if claim is not None:
            weights = [chance * BELIEF if comes == claim else chance for chance, comes in zip(odds, right, strict=True)]
            total = sum(weights) or 1.0
            odds = [weight / total for weight in weights]
        self.odds = odds
        self.right = sumprod(odds, right)
        declared = odds if self.declaring else odds[::-1]
        self.points = sumprod(declared, POINTS[world.tricks, world.named])

    def _claim(self):
        world = self.world
        if world.phase == "reply":
            return True
        if world.phase == "raise":
            return False if world.answer == "suspect" else None
        return world.side_offer[0] % 2 == world.declarer % 2 if world.phase == "side_reply" else None

    def played_out(self, answer=None, bet=None, more=0):
        """Return the expected stones if the round ends with the present prediction. more: stones in side bets."""
        world = self.world
        answer, bet = answer or world.answer, world.offered if bet is None else bet
        side_bets = world.side_bets + more
        if self.alone_short:
            return -(self.price + bet + side_bets)
        won = bet if answer == "suspect" else 0
        lost = bet if answer == "suspect" or self.terms.deduced_pays else 0
        worth = self.points + self.right * (won + side_bets) - (1 - self.right) * (lost + side_bets)
        return worth if self.declaring else -worth

    def _if_refused(self, worth):
        return (worth + min(worth, self.forfeit)) / 2

    def _as_declarer(self, prediction, bet):
        if self.alone_short:
            return -(self.price + bet + self.world.side_bets)
        return as_declarer(self.terms, self.odds, prediction, bet, self.world.side_bets)

    def replies(self):
        world = self.world
        offered, room = world.offered, world.room
        if self._raises():
            return [(0.0, ("deduce" if self.terms.deduced_pays else "suspect", room, NONE, 0))]
        found = [(-self.forfeit, GO_OUT)]
        for alone in (DEDUCE, SUSPECT):
            kind = alone[0]
            found.append((self.played_out(kind), alone))
            for plus in {1, room} if room else ():
                found.append((self._if_refused(self.played_out(kind, offered + plus)), (kind, plus, NONE, 0)))
        stones = world.counter_stones()
        if not stones or self.alone_short:
            return found
        predictions = world.counters()
        for plus in {stones[0], stones[-1]}:
            found += [
                (self._as_declarer(prediction, offered + plus), ("suspect", plus, *prediction))
                for prediction in predictions
            ]
        return found

    def _raises(self):
        world, least = self.world, turns_of(self.terms.seats, self.terms.deduced_pays).raises
        if least is None or world.played or not world.room or world.tricks < MOST or self.alone_short:
            return False
        return self.prospect.lead >= least

    def bets(self):
        """Return pairs of a value and a move for side bets."""
        world = self.world
        found = [(self.played_out(), PASS)]
        plain, stones = world.plain_bets(), world.new_stones()
        for bet in {plain[0], plain[-1]} if plain else ():
            worth = self.played_out(bet=world.accepted, more=bet)
            found.append((self._if_refused(worth), ("side_bet", bet, NONE, 0)))
        for tricks in world.new_tricks(world.seat) if stones else ():
            for bet in {stones[0], stones[-1]}:
                found.append((self._as_declarer((tricks, 0), world.offered + bet), ("side_bet", bet, tricks, 0)))
        return found
