"""The bots: computer players, found by the game they play.

A bot has a `name` and `choose(table, moves, rng)`, which returns one of `moves`.
table: what its seat may know, `rules.view(state, seat)`. moves: `rules.legal_moves(state)`. rng: a random.Random.
It is told nothing else and remembers nothing: the same table, moves and seed give the same move.
"""

from games.bots.belot import BelotBot
from games.bots.bids import BidsBot
from games.bots.bleven import BlevenBot
from games.bots.oh_hell import OhHellBot
from games.bots.random_bot import RandomBot

_RANDOM = RandomBot()
_SENSIBLE = {"oh-hell": OhHellBot(), "belot": BelotBot(), "bids": BidsBot(), "bleven": BlevenBot()}


def get_bot(game, name="sensible"):
    """The bot called `name` that plays the game of this slug. KeyError if there is none."""
    return {"sensible": _SENSIBLE[game], "random": _RANDOM}[name]
