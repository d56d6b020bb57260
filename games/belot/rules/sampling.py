"""Sample positions that fit a view, by dealing the cards that its seat cannot see.

Source: "Sampling" on the rules page. A view says something about hidden hands: plays exclude cards, the second card of
an announced belot is with the same seat, and every declaration must have been possible.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from games.belot.rules.declarations import SEQUENCES, SQUARES
from games.belot.rules.pack import SEQUENCE_RANKS, duties
from games.belot.rules.state import (
    BelotPair,
    CallPair,
    Deal,
    Declaration,
    Match,
    ScoredDeal,
    State,
    between_deals,
    state_of,
)
from games.belot.rules.types import BelotEntry, Call, DeclarationEntry, View
from games.belot.rules.view import contract_of, match_of
from games.kit.cards import SUITS, in_order
from games.kit.contract import Card, Seat
from games.kit.positions import from_dict
from games.kit.sampling import deal_holding, dealer
from games.kit.tricks import cards_played, from_dicts

type Declarations = tuple[Declaration, ...]
type DeclarableCards = tuple[
    tuple[Card, ...], frozenset[Card]
]  # a declaration's cards, and their neighbours in its suit
type DealtHands = tuple[list[list[Card]], dict[Seat, Iterator[Declaration]]]


def sample(view: View, rng: Random) -> State:
    return sample_many(view, rng, 1)[0]


def sample_many(view: View, rng: Random, count: int) -> list[State]:
    match, phase = match_of(view), view["phase"]
    deal = Deal(
        match=match,
        lines=(),
        totals=tuple(view["totals"]),
        hanging=view["hanging"],
        number=view["deal_number"],
        dealer=view["dealer"],
        pack=(),
        calls=_load_calls(view["calls"]),
        contract=contract_of(view) if view["contract"] else None,
    )
    if phase in ("deal", "over"):
        return [_between_deals(deal, view)] * count
    trick, tricks = cards_played(view["trick"]), from_dicts(view["tricks"])
    leader, belots = view["trick"]["leader"], _load_belots(view["belots"])
    dealer_of_view = _Dealer(match, view)
    states = []
    for _ in range(count):
        dealt_hands, rest, declared = dealer_of_view.deal(rng)
        if rest:
            rng.shuffle(rest)
            deal = deal._replace(pack=tuple(rest) if phase == "bid" else in_order(rest))
        hands = tuple(map(in_order, dealt_hands))
        states.append(state_of((deal, phase, view["to_act"], hands, leader, trick, tricks, declared, belots)))
    return states


def _between_deals(deal: Deal, view: View) -> State:
    last = view["last_hand"]
    if last is None:
        return between_deals(deal)
    deal = deal._replace(calls=_load_calls(last["calls"]))
    if last["outcome"] == "passed":
        return between_deals(deal)
    deal = deal._replace(lines=(from_dict(ScoredDeal, last),))
    declared = tuple(from_dict(Declaration, entry) for entry in last["declared"])
    return between_deals(
        deal, view["phase"], played=(from_dicts(last["played"]), declared, _load_belots(last["announced"]))
    )


# Cards


class _Dealer:
    """Deals the cards that the seat of a view does not see.

    All deals that fit the view are equally likely, and so are the declarations that fit a deal. What they
    have in common is computed once: `sizes`, `barred` and `holdings` are in the order of `others`.
    """

    def __init__(self, match: Match, view: View) -> None:
        self.match, self.view, self.seat = match, view, view["seat"]  # None of a spectator
        self.played, excluded = played_and_excluded(match, view)
        self.visible = set(view["hand"]).union(*self.played)
        self.unseen = [card for card in match.pack if card not in self.visible]
        self.certain: list[set[Card]] = [set() for _ in self.played]  # by seat, cards that it must still hold
        for belot in view["belots"]:
            royals = {rank + belot["suit"] for rank in "KQ"}
            self.certain[belot["seat"]] |= royals - self.visible
        self.others = [seat for seat in range(match.seats) if seat != self.seat]
        self.entries = {seat: [entry for entry in view["declared"] if entry["seat"] == seat] for seat in self.others}
        self.sizes = [view["hand_counts"][seat] for seat in self.others]
        self.barred = [excluded[seat] for seat in self.others]
        self.own = [from_dict(Declaration, entry) for entry in view["declared"] if entry["seat"] == self.seat]
        all_certain = set().union(*self.certain)
        if any(self.entries.values()):
            self.holdings = [self._possible_holdings(seat, excluded[seat] | all_certain) for seat in self.others]
            self.deal_others = self._deal_with_declarations
        else:
            sizes = [size - len(self.certain[seat]) for seat, size in zip(self.others, self.sizes, strict=True)]
            self.deal_rest = dealer([card for card in self.unseen if card not in all_certain], sizes, self.barred)
            self.deal_others = self._deal_without_declarations

    def deal(self, rng: Random) -> tuple[list[list[Card]], list[Card], Declarations]:
        """Return random hands by seat, the cards left over, and the declarations (sequences, squares) with their cards.

        The seat of the view keeps its own hand. The others get cards that fit what the view shows.
        """
        other_hands, declarations = self.deal_others(rng)  # the declarations as iterators by seat
        hands = dict(zip(self.others, other_hands, strict=True))
        in_hands = set().union(*other_hands)
        if self.seat is not None:
            hands[self.seat] = self.view["hand"]
            declarations[self.seat] = iter(self.own)
        # Bring the declarations of all seats into the order of the view.
        declared = [next(declarations[entry["seat"]]) for entry in self.view["declared"]]
        left_over = [card for card in self.unseen if card not in in_hands]
        return [hands[seat] for seat in range(self.match.seats)], left_over, tuple(declared)

    def _deal_without_declarations(self, rng: Random) -> DealtHands:
        """Return the hands of the other seats, and no declarations."""
        hands = self.deal_rest(rng)
        return [[*self.certain[seat], *hand] for seat, hand in zip(self.others, hands, strict=True)], {}

    def _deal_with_declarations(self, rng: Random) -> DealtHands:
        """Return random hands of the other seats, and by seat the declarations that it may have made with its hand.

        A declaration shows its kind and points, not its cards: several sets of cards may be behind it. A holding is the
        part of such a set that has not been played yet. Each hand is dealt with one of the possible holdings of its
        seat. Deal until all hands fit all declarations.
        """
        while True:
            hands, chosen = deal_holding(self.unseen, self.sizes, self.barred, self.holdings, rng)
            declarations = {}
            for seat, hand, holding in zip(self.others, hands, chosen, strict=True):
                first_hand = self.played[seat].union(hand)  # the hand before the first trick
                candidates = list(_fitting_declarations(self.match, self.entries[seat], first_hand, first_hand))
                # A hand that contains several holdings can be dealt for each of them, and would be too frequent. Accept
                # it only if it was dealt for the first one.
                if not candidates or self._still_in_hand(seat, candidates[0]) != holding:
                    break
                declarations[seat] = iter(rng.choice(candidates))
            if len(declarations) == len(self.others):  # No hand has broken off the loop.
                return hands, declarations

    def _possible_holdings(self, seat: Seat, barred: set[Card]) -> list[frozenset[Card]]:
        """Return the sets of cards that a seat may still hold from its declarations (sequences, squares). One is right.

        A declaration shows its kind and points, not its cards, so often several sets are possible. barred: the cards
        that cannot be in this hand, or are certain to be in some hand.
        """
        certain = self.played[seat] | self.certain[seat]  # the cards that were in its first hand for sure
        possible = certain.union(set(self.unseen) - barred)
        candidates = _fitting_declarations(self.match, self.entries[seat], possible, certain)
        # Different declarations may leave the same cards. `dict.fromkeys` drops repetitions, and keeps the order.
        return list(dict.fromkeys(self._still_in_hand(seat, declarations) for declarations in candidates))

    def _still_in_hand(self, seat: Seat, declarations: Declarations) -> frozenset[Card]:
        cards = self.certain[seat].union(*(declaration.cards for declaration in declarations))
        return frozenset(cards - self.visible)


def played_and_excluded(match: Match, view: View) -> tuple[list[set[Card]], list[set[Card]]]:
    """Return two lists of sets by seat: the cards that it has played, and the cards that its plays exclude.

    For example, a seat that has not followed suit holds no card of that suit.
    """
    played: list[set[Card]] = [set() for _ in range(match.seats)]
    excluded: list[set[Card]] = [set() for _ in range(match.seats)]
    contract = view["contract"]["contract"] if view["contract"] else ""  # There are no plays without a contract.
    for trick in [*view["tricks"], view["trick"]]:
        cards: list[Card] = []
        for play in trick["plays"]:
            seat, card = play["seat"], play["card"]
            # A seat must play from the first of these sets that has a card of its hand.
            for duty_set in duties(match, contract, cards):
                if card in duty_set:
                    break
                excluded[seat] |= duty_set
            cards.append(card)
            played[seat].add(card)
    return played, excluded


def _fitting_declarations(
    match: Match,
    entries: Sequence[DeclarationEntry],
    possible: set[Card],
    certain: set[Card],
    earlier: Declarations = (),
) -> Iterator[Declarations]:
    """Yield all possible combinations of cards behind the declarations (sequences, squares) of a seat.

    entries: its declarations as others see them: kind and points, but no cards. possible: the cards that may have been
    in its first hand. certain: the cards that were in it. earlier: the declarations chosen for the first entries. Each
    call chooses the next one, and calls itself for those after it.
    """
    if len(earlier) == len(entries):  # All are chosen.
        yield earlier
        return
    entry = entries[len(earlier)]
    seat, kind, points = entry["seat"], entry["kind"], entry["points"]
    is_square = kind == "square"
    # Earlier declarations use up their cards. An option allows a card in a square (four of a rank) and in a sequence.
    used = {
        card
        for declaration in earlier
        if not match.shared_cards or (declaration.kind == "square") == is_square
        for card in declaration.cards
    }
    free, certainly_free = possible - used, certain - used
    # With a neighbour in its hand the seat would have declared a longer sequence.
    for cards, neighbours in _DECLARABLE_CARDS[kind, points]:
        if free.issuperset(cards) and neighbours.isdisjoint(certainly_free):
            yield from _fitting_declarations(
                match, entries, possible, certain, (*earlier, Declaration(seat, kind, points, cards))
            )


def _all_declarable_cards() -> dict[tuple[str, int], list[DeclarableCards]]:
    """Return the cards of all possible declarations (sequences of a suit, and squares: four of a rank).

    The result is a dict of lists by kind and points. An entry is a pair: the cards of a declaration, and the set of
    neighbours that would have made a sequence longer. It is empty for a square.
    """
    by_kind_and_points: dict[tuple[str, int], list[DeclarableCards]] = {}
    for length, (kind, points) in SEQUENCES.items():
        for suit in SUITS:
            suit_cards = [rank + suit for rank in SEQUENCE_RANKS]
            for start in range(len(suit_cards) - length + 1):
                end = start + length
                # Five cards may be the top of a longer run, so the card below them does not matter.
                below = suit_cards[start - 1 : start] if start and length < 5 else []
                run = tuple(suit_cards[start:end]), frozenset(below + suit_cards[end : end + 1])
                by_kind_and_points.setdefault((kind, points), []).append(run)
    for rank, points in SQUARES.items():
        by_kind_and_points.setdefault(("square", points), []).append(
            (tuple(rank + suit for suit in SUITS), frozenset())
        )
    return by_kind_and_points


_DECLARABLE_CARDS = _all_declarable_cards()


# From JSON


def _load_calls(calls: Iterable[Call]) -> tuple[CallPair, ...]:
    return tuple((call["seat"], call.get("contract", call["call"])) for call in calls)


def _load_belots(belots: Iterable[BelotEntry]) -> tuple[BelotPair, ...]:
    return tuple((belot["seat"], belot["suit"]) for belot in belots)
