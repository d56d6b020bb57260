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
    """Return the moves of a deal with other cards in place of the ones that `seat` can't see after them.

    moves: all so far, the shuffle first. before: the state before them. With the new moves the seat would have seen the
    same after each move. Raise NoOtherDeal if no such moves are found.
    """
    states = list(_states_after(rules, before, moves))
    end = states[-1]
    if rules.to_act(end) in (CHANCE, None):
        return moves  # Nobody holds a card.
    views = [rules.view(state, seat) for state in states]
    hidden = rules.hidden_from(end, seat)  # The cards that the seat can't see.
    if not hidden:
        return moves
    places = _hidden_strings(rules.dump(end), hidden)
    # Each sample is a state that looks the same to the seat, with the hidden cards dealt again.
    for sample in rules.sample_many(views[-1], rng, TRIES):
        exchange = _map_hidden_cards(places, _hidden_strings(rules.dump(sample), hidden), hidden)
        if exchange is None:
            continue
        candidate = _in_order_of_dealing([_exchange_cards(move, exchange) for move in moves], moves)
        try:
            if [rules.view(state, seat) for state in _states_after(rules, before, candidate)] == views:
                return candidate
        except IllegalMove:  # With the new cards somebody would not have followed suit, for example.
            continue
    raise NoOtherDeal


def _states_after(rules: Rules, state: State, moves: list[Move]) -> Iterator[State]:
    """Yield the state after each of these moves."""
    for move in moves:
        state = rules.apply(state, move)
        yield state


def _hidden_strings(position: Position, hidden: set[Card]) -> list[tuple[Path, Card]]:
    """Return the hidden cards in a stored position, each with the path to its list."""
    return [(path, card) for path, card in _strings(position, ()) if card in hidden]


def _strings(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield every string in a value made of dicts and lists, with the path to its list.

    A path consists of keys and indices. It leaves out the index of the string itself, because the order of the cards in
    a list does not matter. path: the path to `value`.
    """
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(inner, (*path, key))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _strings(inner, path if isinstance(inner, str) else (*path, index))


def _map_hidden_cards(
    here: list[tuple[Path, Card]], there: list[tuple[Path, Card]], hidden: set[Card]
) -> dict[Card, Card] | None:
    """Map each hidden card of a position to a card in the same lists (such as a hand) of another position.

    here, there: the hidden cards of both, with the paths to their lists. A list is ignored if it has different lengths
    in both, for example the list of an earlier deal. Return None if the positions have different places for cards.
    """
    counts_here, counts_there = Counter(path for path, _ in here), Counter(path for path, _ in there)
    cards_here = _cards_by_lists(here, counts_there, hidden)
    cards_there = _cards_by_lists(there, counts_here, hidden)
    exchange: dict[Card, Card] = {}
    for lists in cards_here.keys() | cards_there.keys():
        old, new = cards_here.get(lists, []), cards_there.get(lists, [])
        if len(old) != len(new):
            return None
        exchange.update(zip(old, new, strict=True))
    return exchange


def _cards_by_lists(
    cards: list[tuple[Path, Card]], other_counts: Counter[Path], hidden: set[Card]
) -> dict[frozenset[Path], list[Card]]:
    """Group the hidden cards by the lists that contain them. A card may be in several, such as a deck and a hand.

    cards: each with the path to a list. other_counts: the lengths of the lists in the other position. Lists whose
    lengths differ do not count. Cards that nobody holds are in no list.
    """
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
    """Return a move, or a value within one, with its cards exchanged. cards: the new card for each old one."""
    if isinstance(value, str):
        return cards.get(value, value)
    if isinstance(value, dict):
        return {key: _exchange_cards(inner, cards) for key, inner in value.items()}
    return [_exchange_cards(inner, cards) for inner in value] if isinstance(value, list) else value


def _in_order_of_dealing(moves: list[Move], before: list[Move]) -> list[Move]:
    """Return the moves with every deck in an order that fits the next shuffle of the same deal.

    A deal of Bids has two shuffles. The cards of the next shuffle lie on top of the deck. before: the moves before the
    exchange. They say which cards the first deck contains, because an exchanged card may be only in the second one.
    """
    shuffles = [(move, old["deck"]) for move, old in zip(moves, before, strict=True) if "deck" in move]
    for (first, first_pack), (second, _) in itertools.pairwise(shuffles):
        # First the second deck, then the other cards of the first one. Leave out cards that the first one lacks.
        in_second, in_first = set(second["deck"]), set(first_pack)
        order = [*second["deck"], *(card for card in first["deck"] if card not in in_second)]
        first["deck"] = [card for card in order if card in in_first]
    return moves
