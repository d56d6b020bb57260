"""Deal the cards again that a seat can't see, in the past: it would have seen the same with the new decks.

`rules.sample` deals the hidden cards of a view again. Here the moves of the deal are rewritten so that they lead to
such a sample: hidden cards exchange their places in the decks and in hidden moves of other seats.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from games.catalog import CHANCE, IllegalMove, Rules
from games.kit.contract import Card, Move, Position, State

type Path = tuple[str | int, ...]  # the keys and indices that lead to a list

TRIES = 40  # Some samples can't be reached by the moves of the deal.


class NoOtherDeal(ValueError):
    """No other deal was found that looks the same to this seat."""


def dealt_anew(rules: Rules, before: State, moves: list[Move], seat: int, rng: Random) -> list[Move]:
    """Return the moves of one deal with other cards in place of the cards that `seat` can't see after them.

    before: the state before the deal. The seat's view after each move stays the same. Raises NoOtherDeal.
    """
    states = list(_states(rules, before, moves))
    end = states[-1]
    if rules.to_act(end) in (CHANCE, None):
        return moves  # Nobody holds a card.
    views = [rules.view(state, seat) for state in states]
    hidden = rules.hidden_from(end, seat)
    if not hidden:
        return moves
    own_places = _hidden_strings(rules.dump(end), hidden)
    for sample in rules.sample_many(views[-1], rng, TRIES):
        exchange = _exchange(own_places, _hidden_strings(rules.dump(sample), hidden), hidden)
        if exchange is None:
            continue
        candidate = _in_order_of_dealing([_exchange_cards(move, exchange) for move in moves], moves)
        try:
            if [rules.view(state, seat) for state in _states(rules, before, candidate)] == views:
                return candidate
        except IllegalMove:
            continue
    raise NoOtherDeal


def _states(rules: Rules, state: State, moves: list[Move]) -> Iterator[State]:
    for move in moves:
        state = rules.apply(state, move)
        yield state


def _hidden_strings(position: Position, hidden: set[Card]) -> list[tuple[Path, Card]]:
    return [(path, card) for path, card in _strings(position, ()) if card in hidden]


def _strings(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield every string with the path to its list. The path leaves out the place in that list."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(inner, (*path, key))
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            yield from _strings(inner, path if isinstance(inner, str) else (*path, place))


def _exchange(
    here: list[tuple[Path, Card]], there: list[tuple[Path, Card]], hidden: set[Card]
) -> dict[Card, Card] | None:
    """Map each hidden card of a position to the card in the same place of another position.

    here, there: the hidden cards of both, with the paths of their lists. A list is ignored if it has different lengths
    in both, for example the list of an earlier deal. Returns None if the positions differ in their places.
    """
    counts = Counter(path for path, _ in here), Counter(path for path, _ in there)
    places = _places(here, counts[1], hidden), _places(there, counts[0], hidden)
    groups = [[each.get(place, []) for each in places] for place in places[0].keys() | places[1].keys()]
    if any(len(old) != len(new) for old, new in groups):
        return None
    return {card: other for old, new in groups for card, other in zip(old, new, strict=True)}


def _places(
    cards: list[tuple[Path, Card]], other_counts: Counter[Path], hidden: set[Card]
) -> dict[frozenset[Path], list[Card]]:
    """Group the hidden cards by the lists that contain them, in order. Cards that nobody holds are in no list."""
    counts = Counter(path for path, _ in cards)
    lists: dict[Card, list[Path]] = {}
    for path, card in cards:
        if counts[path] == other_counts[path]:
            lists.setdefault(card, []).append(path)
    groups: dict[frozenset[Path], list[Card]] = {}
    for card in [*lists, *sorted(hidden.difference(lists))]:
        groups.setdefault(frozenset(lists.get(card, ())), []).append(card)
    return groups


def _exchange_cards(value: Any, cards: dict[Card, Card]) -> Any:
    """Return a move with its cards exchanged."""
    if isinstance(value, str):
        return cards.get(value, value)
    if isinstance(value, dict):
        return {key: _exchange_cards(inner, cards) for key, inner in value.items()}
    return [_exchange_cards(inner, cards) for inner in value] if isinstance(value, list) else value


def _in_order_of_dealing(moves: list[Move], before: list[Move]) -> list[Move]:
    """Return the moves with every deck in an order that fits the next shuffle of the same deal.

    The cards of the next shuffle lie on top of the deck. before: the moves before the exchange. They say which cards
    the first deck contains, because an exchanged card may belong to the second shuffle only.
    """
    decks = [(move, old["deck"]) for move, old in zip(moves, before, strict=True) if "deck" in move]
    for (first, pack), (second, _) in itertools.pairwise(decks):
        in_second, in_first = set(second["deck"]), set(pack)
        order = [*second["deck"], *(card for card in first["deck"] if card not in in_second)]
        first["deck"] = [card for card in order if card in in_first]
    return moves
