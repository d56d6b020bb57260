from types import ModuleType

import pytest

from games.kit.contract import Rules
from games.kit.roles import made_of


def module(**functions):
    made = ModuleType("made")
    vars(made).update(functions)
    return made


def test_methods_are_the_functions_of_their_names():
    names = Rules.__abstractmethods__ - {"deck"}
    others = module(**dict.fromkeys(names, lambda *arguments: None))

    @made_of(module(deck=lambda state: ["AS", state], helper=None), others)
    class Snap(Rules):
        def standings(self, state):
            return [self]

    snap = Snap()
    assert snap.deck("2C") == ["AS", "2C"]
    assert snap.standings(None) == [snap]  # what the class has itself stays


def test_function_that_is_missing_is_named():
    @made_of(module(**dict.fromkeys(Rules.__abstractmethods__ - {"deck"})))
    class Snap(Rules):
        pass

    with pytest.raises(TypeError, match="'deck'"):
        Snap()
