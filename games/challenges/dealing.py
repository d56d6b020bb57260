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
    """Return the moves of a deal so far, with other cards in place of the ones that a seat can't see at their end.

    A user who plays on from here then knows only what the seat knew: it would have seen the same after each move.
    moves: the shuffle first. before: the state before them. rng: the source of chance. Raise NoOtherDeal if TRIES
    attempts find no such moves.
    """
    states = list(_states_after(rules, before, moves))
    end = states[-1]
    if rules.to_act(end) in (CHANCE, None):
        return moves  # Nobody holds a card.
    views = [rules.view(state, seat) for state in states]
    hidden = rules.hidden_from(end, seat)  # The cards that the seat can't see.
    if not hidden:
        return moves
    cards_here = _hidden_strings(rules.dump(end), hidden)
    # Each sample is a state that looks the same to the seat, with the hidden cards dealt again.
    for sample in rules.sample_many(views[-1], rng, TRIES):
        cards_there = _hidden_strings(rules.dump(sample), hidden)
        exchange = _map_hidden_cards(cards_here, cards_there, hidden)  # The new card for each hidden card.
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
    """Yield the state after each of these moves. state: the one before them."""
    for move in moves:
        state = rules.apply(state, move)
        yield state


def _hidden_strings(position: Position, hidden: set[Card]) -> list[tuple[Path, Card]]:
    """Return the hidden cards in a stored position, each with the path to its list."""
    return [(path, card) for path, card in _strings(position, ()) if card in hidden]


def _strings(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield (path, string) for every string in a value made of dicts and lists, as JSON has them.

    A path has the keys and indices that lead to the list with the string. It leaves out the index of the string
    itself: the strings are cards, and their order in a hand does not matter. path: the path to `value`.
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
    """Map each hidden card of one position to a card that lies in the same place in another position.

    A place is the set of lists with the card, such as the hand of a seat. here, there: the hidden cards of the two
    positions, each with the path to a list. hidden: all these cards. Return None if a place does not have as many cards
    in both positions.
    """
    counts_here, counts_there = Counter(path for path, _ in here), Counter(path for path, _ in there)
    cards_here = _cards_by_lists(here, counts_there, hidden)
    cards_there = _cards_by_lists(there, counts_here, hidden)
    exchange: dict[Card, Card] = {}
    for place in cards_here.keys() | cards_there.keys():
        old, new = cards_here.get(place, []), cards_there.get(place, [])
        if len(old) != len(new):
            return None
        exchange.update(zip(old, new, strict=True))
    return exchange


def _cards_by_lists(
    cards: list[tuple[Path, Card]], other_counts: Counter[Path], hidden: set[Card]
) -> dict[frozenset[Path], list[Card]]:
    """Group the hidden cards by the set of lists that contain them, such as the deck and the hand of a seat.

    cards: each with the path to a list. A card in two lists comes twice. other_counts: the number of hidden cards in
    each list of the other position. Ignore lists where it differs, as in the list of an earlier deal. Hidden cards that
    nobody holds are in no list: their set is empty.
    """
    counts = Counter(path for path, _ in cards)
    lists: dict[Card, list[Path]] = {}
    for path, card in cards:
        if counts[path] == other_counts[path]:
            lists.setdefault(card, []).append(path)
    groups: dict[frozenset[Path], list[Card]] = {}
    # Sorted, because a set has no fixed order.
    for card in [*lists, *sorted(hidden.difference(lists))]:
        groups.setdefault(frozenset(lists.get(card, ())), []).append(card)
    return groups


def _exchange_cards(value: Any, cards: dict[Card, Card]) -> Any:
    """Return a copy of a move, or of a value within one, with other cards. cards: the new card for each old one."""
    if isinstance(value, str):
        return cards.get(value, value)
    if isinstance(value, dict):
        return {key: _exchange_cards(inner, cards) for key, inner in value.items()}
    return [_exchange_cards(inner, cards) for inner in value] if isinstance(value, list) else value


def _in_order_of_dealing(moves: list[Move], before: list[Move]) -> list[Move]:
    """Return the moves of a deal after its cards were exchanged, with the decks of its shuffles in an order that fits.

    Most deals have one shuffle. A deal of the game Bids has two: the cards of the second must come first in the deck of
    the first. moves: their decks change in place. before: the moves before the exchange. They say which cards a deck
    had, because an exchanged card may be missing in the first deck.
    """
    shuffles = [(move, set(old["deck"])) for move, old in zip(moves, before, strict=True) if "deck" in move]
    for (first, first_cards), (second, _) in itertools.pairwise(shuffles):
        second_cards = set(second["deck"])
        others = [card for card in first["deck"] if card not in second_cards]
        first["deck"] = [card for card in [*second["deck"], *others] if card in first_cards]
    return moves
