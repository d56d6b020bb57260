"""What the analysis of a finished match knows of Belot: also what a call leads to, which the bots have in a table."""

from games.belot import coach_words as words
from games.belot.bot import read_auction
from games.belot.brain import BelotBrain, dealing, likely_states
from games.belot.calling import choose_call, gains, is_natural
from games.belot.rules.game import Belot
from games.belot.simulation import best_play, play_out, policy
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.search import Brain

OPEN_CARDS = {2: 12, 3: 12, 4: 16}  # by seats: so few cards in all hands are played as well as can be


class CallBrain(Brain):
    """Tries calls out: the others call as the bots do, then the deal is played out. Worlds are states of the rules."""

    def __init__(self):
        self.rules = Belot()

    def rule_move(self, table, moves, rng):
        return choose_call(read_auction(table), moves)

    def candidates(self, table, moves, rule_move):
        """Natural calls, and a pass: no partner could read others."""
        return [move for move in moves if move == rule_move or is_natural(table["hand"], move)]

    def worlds(self, table, rng):
        return likely_states(table, rng)

    def outcome(self, world, move, rng):
        side = world.to_act % world.deal.match.sides
        state = self.rules.apply(world, move)
        while state.phase == "bid":
            table = self.rules.view(state, state.to_act)
            state = self.rules.apply(state, choose_call(read_auction(table), self.rules.legal_moves(state)))
        if state.phase != "play":
            return 0.0  # all have passed
        position, declared, settlements = dealing(self.rules.view(state, state.to_act), side)(state)
        hand = position.hands[position.seat]
        first = policy(position, position.seat, hand, hand, position.gone, None, 0, 0, len(position.hands) - 1)
        return settlements.worth(*play_out(position, first, rng), declared)


class BelotAnalyst(Analyst):
    """For every number of seats and all options."""

    scale = Scale(inaccuracy=1.5, mistake=3.0, blunder=6.0)
    effort = Effort(match=250_000, most=1500, open=200)

    meaning = words.JUDGED

    def __init__(self):
        self._brain, self._calls = BelotBrain(), CallBrain()

    def brain(self, table):
        return self._calls if table["phase"] == "bid" else self._brain

    def agrees(self, table, moves, made, other):
        """Of calls, whether the bots' table says so too: play-outs know too little of what calls tell the others."""
        if table["phase"] != "bid":
            return True
        worth = gains(read_auction(table), moves)
        lost = worth.get(moves.index(made))  # none is known of what no partner could read
        return lost is None or worth.get(moves.index(other), lost) > lost

    def true_world(self, table, state):
        return state if table["phase"] == "bid" else dealing(table)(state)

    def solved(self, world, moves):
        if moves[0]["type"] != "play":
            return None
        position, declared, settlements = world
        if sum(hand.bit_count() for hand in position.hands) > OPEN_CARDS[len(position.hands)]:
            return None
        number = position.cards.number

        def worth(points, tricks):
            return settlements.worth(points, tricks, declared)

        return [best_play(position, number[move["card"]], worth) for move in moves]


ANALYST = BelotAnalyst()
