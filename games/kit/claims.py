"""Claims: a seat declares that its side takes all remaining tricks, or none of them.

A claim is true if no play of the other seats can prevent it. There are two checks. In both of them the claiming seat
plays only by its own view:

- `is_proven` considers all cards that the others may hold. Its answer reveals nothing about hidden cards.
- `is_true` considers the actual cards, and the claiming seat plays in an order that follows from its view. A refusal
  reveals something about hidden cards, so a seat may ask only once a deal.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence

from games.kit.contract import Card, Move, Table
from games.kit.language import say_count
from games.kit.proofs import (
    ALL,
    MAX_POSITIONS,
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
FEWEST_CARDS = 2  # in the hand of a player who claims. Claiming the last card takes longer than playing it.

# The sentences for one remaining trick and for several: by kind, whether partners play, and whether the reader claims.
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


class Claims[T: Table](ABC):
    """The claims of one game, and the facts that their proofs need."""

    @abstractmethod
    def is_open(self, table: T) -> bool:
        """Return whether the cards are being played and the view shows enough for a claim."""

    @abstractmethod
    def position(self, table: T) -> Position:
        """Return what a seat knows that has the view `table` and `can_claim`."""

    @abstractmethod
    def is_fixed(self, table: T, kind: str, tables: list[T] | None = None) -> bool:
        """Return whether a true claim decides all scores of the deal, so that nobody needs to play on.

        A claim says that the seat's side takes all remaining tricks (kind ALL), or none of them (NONE).
        tables: the views of all seats, or None to use only what the claiming seat knows.
        """

    @abstractmethod
    def worth(self, table: T) -> Sequence[int]:
        """Return the value of each card in a trick, by the number of the card."""

    @abstractmethod
    def scores(self, table: T, ending: Ending, tables: list[T] | None) -> set[Hashable]:
        """Return all possible scores of a deal with this ending. There are several if other things can still differ."""

    @abstractmethod
    def numbers(self, table: T, cards: Iterable[Card]) -> list[int]:
        """Return the numbers of these cards in a Position."""

    @abstractmethod
    def own_move(self, moves: list[Move], card: Card) -> Move:
        """Return the claiming seat's legal move that plays `card`."""

    @abstractmethod
    def other_move(self, moves: list[Move]) -> Move:
        """Return any legal move of another seat. It no longer matters which."""

    def can_claim(self, table: T) -> bool:
        """Return whether the seat may claim."""
        return len(table["hand"]) >= FEWEST_CARDS and self.is_open(table)

    def is_sure(self, table: T) -> bool:
        """Return whether the seat may claim all remaining tricks, and the claim is so obvious that it needs no search.

        The seat must be about to lead, and its cards must plainly win all tricks. That must also decide all scores.
        table: what the seat knows.
        """
        is_to_lead = table["to_act"] == table["seat"] and not table["trick"]["plays"]
        if not is_to_lead or not self.can_claim(table):
            return False
        return all_are_high(self.position(table)) and self.is_fixed(table, ALL)

    def is_proven(self, table: T, kind: str, max_positions: int = MAX_POSITIONS) -> bool:
        """Return whether a claim is certainly true, to a player who sees only their own hand.

        A claim says that the seat's side takes all remaining tricks (kind ALL), or none of them (NONE). It must also
        decide all scores of the deal. After `max_positions` the search gives up, and the claim is not proven.
        """
        if not self.can_claim(table) or not self.is_fixed(table, kind):
            return False
        return self._find_proof(table, kind, max_positions) is not None

    def is_true(self, table: T, kind: str, tables: list[T], max_positions: int = MAX_POSITIONS) -> bool:
        """Return whether a claim is true with the actual cards, however the other seats play them.

        A claim says that the seat's side takes all remaining tricks (kind ALL), or none of them (NONE). The seat plays
        its cards in a fixed order that follows from what it knows, so it gains nothing from the cards of the others.
        The claim must also decide all scores of the deal.

        table: the view of the claiming seat. tables: the views of all seats.
        """
        if not self.can_claim(table):
            return False
        position = self.position(table)
        actual = self._with_actual_cards(table, position, tables)
        # The seat cannot know which cards are absent from all hands, so its order of play must not depend on it.
        proof = Proof(kind, max_positions, absent=position.unseen & ~actual.unseen)
        if not _proof_succeeds(proof, actual):
            return False
        return self.is_fixed(table, kind, tables) or self._has_one_score(table, proof, actual, tables)

    def _with_actual_cards(self, table: T, position: Position, tables: list[T]) -> Position:
        """Return the position of the claiming seat if it knew the hands of all others. tables: the views of all seats.

        Sets of cards are the bits of an int. Each other seat is barred from the cards that the others hold.
        """
        hands = [sum(1 << number for number in self.numbers(table, view["hand"])) for view in tables]
        hands[position.me] = 0  # Its own cards are not unseen.
        all_unseen = sum(hands)
        unseen, barred = drop_impossible(all_unseen, tuple(all_unseen & ~hand for hand in hands), position.me)
        return position._replace(unseen=unseen, barred=barred)

    def _has_one_score(self, table: T, proof: Proof, position: Position, tables: list[T]) -> bool:
        """Return whether the deal has the same scores in the end, however the others play after a true claim.

        Return False if there are too many ways to play to try them all. proof: the search that has proven the claim,
        from this position. tables: the views of all seats.
        """
        card_points = self.worth(table)
        cards_on_table = self.numbers(table, [play["card"] for play in table["trick"]["plays"]])
        endings = proof.endings(position, card_points, sum(card_points[number] for number in cards_on_table))
        if endings is None:
            return False
        scores: set[Hashable] = set().union(*(self.scores(table, ending, tables) for ending in endings))
        return len(scores) == 1

    def card(self, table: T, kind: str, *, in_order: bool) -> Card:
        """Return the card that a seat plays next after its claim of all remaining tricks (ALL) or none (NONE).

        in_order: whether the claim was accepted only because of the actual cards. That check assumes a fixed order, so
        the seat must keep to it. If the seat's own knowledge proves the claim, any card is right that keeps the proof.
        """
        position = self.position(table)
        cards = own_cards(position, kind)  # in the fixed order
        any_order_wins = kind == ALL and not position.trick_size and all_are_high(position)
        first_is_right = in_order or len(cards) == 1 or any_order_wins
        if not first_is_right:
            proof = self._find_proof(table, kind, MAX_POSITIONS)
            assert proof is not None
            cards = [card for card in cards if proof.holds_after(position, card)]
        # Back from numbers to the card in the hand.
        return next(card for card in table["hand"] if self.numbers(table, [card]) == cards[:1])

    def _find_proof(self, table: T, kind: str, max_positions: int) -> Proof | None:
        """Return a proof that a claim is certainly true to a seat with this view, or None if the search finds none.

        If partners claim all tricks, the search first tries to prove that the seat takes them alone, without the help
        of its partner. That proves most claims, and is faster.
        """
        position = self.position(table)
        partner_may_help = position.partners and kind == ALL
        for alone in (True, False) if partner_may_help else (False,):
            proof = Proof(kind, max_positions, alone=alone)
            if _proof_succeeds(proof, position):
                return proof
        return None


def _proof_succeeds(proof: Proof, position: Position) -> bool:
    """Return whether the search proves the claim. A search that takes too long proves nothing."""
    try:
        return proof.holds(position)
    except TooMuch:
        return False


def describe_claim(seat: int, kind: str, tricks: int, names: Names, *, partners: bool) -> str:
    """Describe an accepted claim to a reader: "Ana claims the rest, and takes the last five tricks."

    kind: all the remaining tricks (ALL) or none of them (NONE). tricks: their number. names: of the players by seat,
    with the reader's seat. partners: whether the game has sides of two.
    """
    case = kind, partners, seat == names.viewer
    return say_count(tricks, ONE_TRICK[case], SEVERAL_TRICKS[case], name=names[seat], word=number_word(tricks))
