"""Whist among the games of the site, in all its versions, in some of them, or not at all."""

from pathlib import Path

import pytest

from games import catalog
from games.history import folding
from games.play import memory
from tests.whist import GAME

HERE = Path(__file__).parent


class Shelf:
    """What this process has of Whist, as after an update, before it, or after the host took the game away."""

    def __init__(self, monkeypatch):
        self._monkeypatch = monkeypatch
        self._others = list(catalog._GAMES)
        self.hold(1, 2)

    def hold(self, *versions):
        """From now on this process has these versions, or without any does not know the game."""
        rules = tuple(rules for rules in GAME.rules if rules.version in versions)
        ours = [GAME._replace(rules=rules)] if rules else []
        self._monkeypatch.setattr(catalog, "_GAMES", [*self._others, *ours])
        memory.forget()  # as another process
        folding.forget()


@pytest.fixture
def whist(monkeypatch, settings):
    """The Shelf, with both versions on it."""
    (engine,) = settings.TEMPLATES
    settings.TEMPLATES = [engine | {"DIRS": [*engine["DIRS"], HERE / "templates"]}]
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, HERE / "static"]
    return Shelf(monkeypatch)
