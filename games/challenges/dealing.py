"""The cards that a seat can't see, dealt anew in the past: other decks, with which all that it saw came to be as well.

The rules deal anew what a view hides (`rules.sample`). Here the deal's own moves are rewritten so that they lead there:
every card that is hidden changes its place with others in the decks, and in what other seats did unseen.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from games.catalog import CHANCE, IllegalMove, Rules

TRIES = 40  # of the rules' worlds some can't be had by what was done in this deal


class NoOtherDeal(ValueError):
    """No other deal was found that this seat would have seen just so."""


def dealt_anew(rules: Rules, before: Any, moves: list[dict], seat: int, rng: Random) -> list[dict]:
    """Moves of one deal like these, with the cards dealt anew that `seat` can't see after them.

    before: the state before the first of them. After each the seat has the view that it had. Raises NoOtherDeal.
    """
    states = list(_states(rules, before, moves))
    end = states[-1]
    if rules.to_act(end) in (CHANCE, None):
        return moves  # nobody holds a card
    views = [rules.view(state, seat) for state in states]
    hidden = rules.hidden_from(end, seat)
    if not hidden:
        return moves
    here = _hidden_strings(rules.dump(end), hidden)
    for world in rules.sample_many(views[-1], rng, TRIES):
        changed = _exchange(here, _hidden_strings(rules.dump(world), hidden), hidden)
        if changed is None:
            continue
        other = _in_order_of_dealing([_exchanged(move, changed) for move in moves], moves)
        try:
            if [rules.view(state, seat) for state in _states(rules, before, other)] == views:
                return other
        except IllegalMove:
            continue
    raise NoOtherDeal


def _states(rules: Rules, state: Any, moves: list[dict]) -> Iterator[Any]:
    for move in moves:
        state = rules.apply(state, move)
        yield state


def _hidden_strings(position: Any, hidden: set[str]) -> list[tuple[tuple, str]]:
    return [(path, card) for path, card in _strings(position, ()) if card in hidden]


def _strings(value: Any, path: tuple) -> Iterator[tuple[tuple, str]]:
    """Every string with the path to the list that it is in: the place within it is left out."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(inner, (*path, key))
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            yield from _strings(inner, path if isinstance(inner, str) else (*path, place))


def _exchange(here: list[tuple[tuple, str]], there: list[tuple[tuple, str]], hidden: set[str]) -> dict | None:
    """For each hidden card of a position the one that has its place in the other; None where they have other places.

    here, there: the hidden cards with the lists that they are in. A list of which only one position knows so many, such
    as that of an earlier deal, says nothing.
    """
    counts = Counter(path for path, _ in here), Counter(path for path, _ in there)
    places = _places(here, counts[1], hidden), _places(there, counts[0], hidden)
    groups = [[each.get(place, []) for each in places] for place in places[0].keys() | places[1].keys()]
    if any(len(old) != len(new) for old, new in groups):
        return None
    return {card: other for old, new in groups for card, other in zip(old, new, strict=True)}


def _places(found: list[tuple[tuple, str]], known: Counter, hidden: set[str]) -> dict[frozenset, list[str]]:
    """The hidden cards by where they are: in which lists, each in its order there. Of no list are those in no hand."""
    counts = Counter(path for path, _ in found)
    lists: dict[str, list[tuple]] = {}
    for path, card in found:
        if counts[path] == known[path]:
            lists.setdefault(card, []).append(path)
    groups: dict[frozenset, list[str]] = {}
    for card in [*lists, *sorted(hidden.difference(lists))]:
        groups.setdefault(frozenset(lists.get(card, ())), []).append(card)
    return groups


def _exchanged(value: Any, cards: dict[str, str]) -> Any:
    """A move with cards exchanged."""
    if isinstance(value, str):
        return cards.get(value, value)
    if isinstance(value, dict):
        return {key: _exchanged(inner, cards) for key, inner in value.items()}
    return [_exchanged(inner, cards) for inner in value] if isinstance(value, list) else value


def _in_order_of_dealing(moves: list[dict], before: list[dict]) -> list[dict]:
    """The moves, each deck with the cards on top that the next shuffle of the same deal is of.

    Which cards that are is said by the order of the first one. before: the moves before cards were exchanged, for a
    card may come in with the second shuffle only, and have changed its place with another.
    """
    decks = [(move, old["deck"]) for move, old in zip(moves, before, strict=True) if "deck" in move]
    for (first, pack), (second, _) in itertools.pairwise(decks):
        taken, whole = set(second["deck"]), set(pack)
        order = [*second["deck"], *(card for card in first["deck"] if card not in taken)]
        first["deck"] = [card for card in order if card in whole]
    return moves
