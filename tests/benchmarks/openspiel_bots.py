"""OpenSpiel's search for Oh Hell as an opponent of ours: from a view to its position, and from its action to a move.

Its `ISMCTSBot` deals the hidden cards anew from the position it is given, but always the very cards that are in play:
it knows those that were left over. As it is, it therefore needs the true position; the honest one gets several that
agree with its view, deals among those, and adds up what it finds. Needs open-spiel, see tools/requirements.txt.
"""

from functools import cache

import pyspiel

from games.catalog import get_rules

RULES = get_rules("oh-hell")
RANKS, SUITS = "23456789TJQKA", "CDSH"
CARDS = {rank + suit: 4 * high + low for high, rank in enumerate(RANKS) for low, suit in enumerate(SUITS)}
BID = len(CARDS)  # the action that bids no trick
EXPLORATION = 10.0  # about half of what a deal can be worth
HONEST_WORLDS = 4


class Ismcts:
    """Information set Monte Carlo tree search with random play-outs, which makes the move that it tried most often.

    simulations: in all, for one move. honest: else the tables must be those of `Open`.
    """

    def __init__(self, simulations, honest):
        self.simulations = simulations
        self.honest = honest

    def choose(self, table, moves, rng):
        if len(moves) == 1:
            return moves[0]
        states = RULES.sample_many(table, rng, HONEST_WORLDS) if self.honest else [table["state"]]
        tried = {}
        for state in states:
            position = position_of(table, state)
            seed = rng.randrange(2**31)
            bot = pyspiel.ISMCTSBot(
                seed,
                pyspiel.RandomRolloutEvaluator(1, seed),
                EXPLORATION,
                self.simulations // len(states),
                -1,
                pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
            )
            for action, share in bot.get_policy(position):
                tried[action] = tried.get(action, 0.0) + share
        return max(moves, key=lambda move: tried.get(action_of(move), 0.0))


class Open:
    """Oh Hell as it is, but that every view shows the whole position as well, under "state"."""

    def view(self, state, seat):
        return {**RULES.view(state, seat), "state": state}

    def __getattr__(self, name):
        return getattr(RULES, name)


def position_of(table, state):
    """OpenSpiel's position for the seat whose view `table` is, with the cards as they lie in `state`."""
    seats, cards, first = table["seats"], table["cards"], (table["dealer"] + 1) % table["seats"]
    if table["options"]["scoring_style"] != "positive":
        raise ValueError("OpenSpiel plays Oh Hell with positive scoring only.")
    plays = [play for trick in [*table["tricks"], table["trick"]] for play in trick["plays"]]
    hands = [list(hand) for hand in state.hands]
    for play in plays:
        hands[play["seat"]].append(play["card"])
    dealt = [CARDS[hands[number % seats][number // seats]] for number in range(seats * cards)]
    order = [(first + place) % seats for place in range(seats)]
    bids = [BID + table["bids"][seat] for seat in order if table["bids"][seat] is not None]
    position = _game(seats, cards).new_initial_state()
    actions = [cards, table["dealer"], *dealt, CARDS[table["turned"]], *bids, *(CARDS[play["card"]] for play in plays)]
    for action in actions:
        position.apply_action(action)
    return position


def action_of(move):
    return BID + move["tricks"] if move["type"] == "bid" else CARDS[move["card"]]


@cache
def _game(seats, cards):
    return pyspiel.load_game(f"oh_hell(players={seats},num_tricks_fixed={cards})")
