"""Claims: a seat says that the rest of the tricks are its side's, or that none is.

A claim is true if it comes true whatever the others play. It is looked at in two ways, neither of which lets the seat
play by what it can't know:

- from the seat's view alone: whatever cards the others may hold, it has an answer to all they play (`is_proven`). That
  tells nothing of hidden cards, whether it holds or not;
- with the cards as they lie, where the seat plays in a set order that follows from its own view (`is_true`). That it
  does not hold tells something, so whoever asks may be told that once a deal.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from games.kit.contract import Card, Move
from games.kit.language import say_count
from games.kit.proofs import (
    ALL,
    NODES,
    NONE,
    Ending,
    Position,
    Proof,
    TooMuch,
    all_are_high,
    drop_impossible,
    own_cards,
)
from games.kit.words import Names, number_word

KINDS = (ALL, NONE)
FEWEST = 2  # cards in hand: the last one is played faster than claimed

# By kind, whether partners play, and whether the seat itself is told: of one trick that is left, and of several.
ONE_TRICK = {
    (ALL, False, True): "You claim the rest, and take the last trick.",
    (ALL, False, False): "{name} claims the rest, and takes the last trick.",
    (ALL, True, True): "You claim the rest: the last trick for your side.",
    (ALL, True, False): "{name}’s side takes the last trick.",
    (NONE, False, True): "You claim none of the rest: the last trick for the others.",
    (NONE, False, False): "{name} claims none of the rest: the last trick for the others.",
    (NONE, True, True): "You claim none of the rest: the last trick for the other side.",
    (NONE, True, False): "{name} claims none of the rest: the last trick for the other side.",
}
SEVERAL_TRICKS = {
    (ALL, False, True): "You claim the rest, and take the last {word} tricks.",
    (ALL, False, False): "{name} claims the rest, and takes the last {word} tricks.",
    (ALL, True, True): "You claim the rest: the last {word} tricks for your side.",
    (ALL, True, False): "{name}’s side takes the last {word} tricks.",
    (NONE, False, True): "You claim none of the rest: the last {word} tricks for the others.",
    (NONE, False, False): "{name} claims none of the rest: the last {word} tricks for the others.",
    (NONE, True, True): "You claim none of the rest: the last {word} tricks for the other side.",
    (NONE, True, False): "{name} claims none of the rest: the last {word} tricks for the other side.",
}


class Claims[T: Mapping[str, Any]](ABC):
    """Which claims a game knows, and what it takes to prove them."""

    @abstractmethod
    def is_open(self, table: T) -> bool:
        """Whether the cards are being played, and a view shows enough for a claim."""

    @abstractmethod
    def position(self, table: T) -> Position:
        """What the seat knows whose view `table` is, which `can_claim`."""

    @abstractmethod
    def is_fixed(self, table: T, kind: str, tables: list[T] | None = None) -> bool:
        """Whether the score of all is the same however the deal goes on, as long as the claim comes true.

        tables: the views of all seats; None where only that may be used which the seat knows.
        """

    @abstractmethod
    def worth(self, table: T) -> Sequence[int]:
        """What each card is worth that goes into a trick, by its number."""

    @abstractmethod
    def scores(self, table: T, ending: Ending, tables: list[T] | None) -> set[Hashable]:
        """All that may be written if the deal ends like this: one thing, unless something else can still differ."""

    @abstractmethod
    def numbers(self, table: T, cards: Iterable[Card]) -> list[int]:
        """The numbers of these cards in a Position."""

    @abstractmethod
    def own_move(self, moves: list[Move], card: Card) -> Move:
        """The move by which the seat that claims plays a card, of its legal ones."""

    @abstractmethod
    def other_move(self, moves: list[Move]) -> Move:
        """A legal move of another seat, which no longer matters."""

    def can_claim(self, table: T) -> bool:
        """Whether there is anything for the seat to claim."""
        return len(table["hand"]) >= FEWEST and self.is_open(table)

    def is_sure(self, table: T) -> bool:
        """Whether the seat, which leads, sees at once that all the rest is its own."""
        if not self.can_claim(table) or table["trick"]["plays"] or table["to_act"] != table["seat"]:
            return False
        return all_are_high(self.position(table)) and self.is_fixed(table, ALL)

    def is_proven(self, table: T, kind: str, nodes: int = NODES) -> bool:
        """Whether a claim comes true and no score depends on the others, by what the seat knows.

        False too where that takes too long to see.
        """
        return self.can_claim(table) and self.is_fixed(table, kind) and self._proof(table, kind, nodes) is not None

    def is_true(self, table: T, kind: str, tables: list[T], nodes: int = NODES) -> bool:
        """As `is_proven`, with the cards as they lie and the order of `own_cards`. tables: the views of all seats."""
        if not self.can_claim(table):
            return False
        position = self.position(table)
        held = [sum(1 << number for number in self.numbers(table, each["hand"])) for each in tables]
        held[position.me] = 0
        unseen, barred = drop_impossible(sum(held), tuple(sum(held) & ~hand for hand in held), position.me)
        proof = Proof(kind, nodes, nowhere=position.unseen & ~unseen)
        position = position._replace(unseen=unseen, barred=barred)
        if not _holds(proof, position):
            return False
        return self.is_fixed(table, kind, tables) or self._ends_one_way(table, proof, position, tables)

    def _ends_one_way(self, table: T, proof: Proof, position: Position, tables: list[T]) -> bool:
        """Whether all endings of a claim that holds are written in the same way."""
        worth = self.worth(table)
        stake = sum(worth[number] for play in table["trick"]["plays"] for number in self.numbers(table, [play["card"]]))
        endings = proof.endings(position, worth, stake)
        if endings is None:
            return False
        return len(set().union(*(self.scores(table, ending, tables) for ending in endings))) == 1

    def card(self, table: T, kind: str, *, in_order: bool) -> Card:
        """The card that the seat to act plays to make its claim come true. in_order: it `is_true`, else `is_proven`."""
        position = self.position(table)
        cards = own_cards(position, kind)
        if not (in_order or len(cards) == 1 or (kind == ALL and not position.trick_size and all_are_high(position))):
            proof = self._proof(table, kind, NODES)
            assert proof is not None
            cards = [card for card in cards if proof.holds_after(position, card)]
        return next(card for card in table["hand"] if self.numbers(table, [card]) == cards[:1])

    def _proof(self, table: T, kind: str, nodes: int) -> Proof | None:
        """A Proof that holds, or None."""
        position = self.position(table)
        for alone in (True, False) if position.partners and kind == ALL else (False,):
            proof = Proof(kind, nodes, alone=alone)
            if _holds(proof, position):
                return proof
        return None


def _holds(proof: Proof, position: Position) -> bool:
    try:
        return proof.holds(position)
    except TooMuch:
        return False


def describe_claim(seat: int, kind: str, tricks: int, names: Names, *, partners: bool) -> str:
    """What is said of an accepted claim: "Ana claims the rest, and takes the last five tricks."

    tricks: how many there were left. partners: whether sides of two play.
    """
    case = kind, partners, seat == names.viewer
    return say_count(tricks, ONE_TRICK[case], SEVERAL_TRICKS[case], name=names[seat], word=number_word(tricks))
