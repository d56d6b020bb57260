"""The contracts of import-linter in pyproject.toml, where "rooms" stands for those of all games in the catalog."""

from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

from games.catalog import all_games

ROOMS = [f"games.{game.room}" for game in all_games()]


class Layers(LayersContract):
    def __init__(self, name, session_options, contract_options):
        super().__init__(name, session_options, contract_options | {"layers": with_rooms(contract_options["layers"])})


class Independence(IndependenceContract):
    def __init__(self, name, session_options, contract_options):
        super().__init__(name, session_options, contract_options | {"modules": ROOMS})


def with_rooms(layers):
    """The layers, from the top, each "module | module"."""
    return [" | ".join(ROOMS) if layer == "rooms" else layer for layer in layers]
