"""The contracts of import-linter in pyproject.toml, where "rooms" stands for those of all games in the catalog."""

from graphlib import TopologicalSorter

from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

from games.catalog import all_games

ROOMS = [f"games.{game.room}" for game in all_games()]
ROOTS = {"games", "accounts", "config"}  # These packages hold no code themselves.


class Layers(LayersContract):
    """Each module is in a layer, imports run downwards, and no module imports itself by way of others."""

    def __init__(self, name, session_options, contract_options):
        layers = [" | ".join(ROOMS) if layer == "rooms" else layer for layer in contract_options["layers"]]
        super().__init__(name, session_options, contract_options | {"layers": layers})
        self._names = tuple(f"{name}." for layer in layers for name in layer.split(" | "))

    def check(self, graph, verbose):
        homeless = [name for name in graph.modules - ROOTS if not f"{name}.".startswith(self._names)]
        assert not homeless, f"Name these in a layer of pyproject.toml: {homeless}"
        TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()
        return super().check(graph, verbose)


class Independence(IndependenceContract):
    def __init__(self, name, session_options, contract_options):
        super().__init__(name, session_options, contract_options | {"modules": ROOMS})
