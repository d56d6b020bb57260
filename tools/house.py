"""Contracts for import-linter. In pyproject.toml "rooms" means the packages of all games in the catalog."""

from graphlib import TopologicalSorter
from typing import Any

from grimp import ImportGraph
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import ContractCheck

from games.catalog import all_games

ROOMS = [f"games.{game.room}" for game in all_games()]
ROOTS = {"games", "accounts", "config"}  # These packages hold no code themselves.


class Layers(LayersContract):
    """Each module is in a layer, imports run downwards, and there are no cycles of imports."""

    def __init__(self, name: str, session_options: dict[str, object], contract_options: dict[str, Any]) -> None:
        layers = [" | ".join(ROOMS) if layer == "rooms" else layer for layer in contract_options["layers"]]
        super().__init__(name, session_options, contract_options | {"layers": layers})
        self._names = tuple(f"{name}." for layer in layers for name in layer.split(" | "))

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        without_layer = [name for name in graph.modules - ROOTS if not f"{name}.".startswith(self._names)]
        assert not without_layer, f"Name these in a layer of pyproject.toml: {without_layer}"
        TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()
        return super().check(graph, verbose)


class Independence(IndependenceContract):
    def __init__(self, name: str, session_options: dict[str, object], contract_options: dict[str, Any]) -> None:
        super().__init__(name, session_options, contract_options | {"modules": ROOMS})
