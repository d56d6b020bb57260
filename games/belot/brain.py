"""The search's model of Belot: the likely hands of the others after their calls, and the results of a play."""

from collections.abc import Callable, Iterator, Sequence
from math import prod
from random import Random
from typing import NamedTuple

from games.belot.bot import BelotBot, read_auction
from games.belot.calling import choose_call, gains
from games.belot.rules import sampling
from games.belot.rules.declarations import counting_side, open_declarations
from games.belot.rules.pack import (
    ALL_TRUMPS,
    BELOT,
    LAST_TRICK,
    NO_TRUMPS,
    PLAIN_RANKS,
    TRUMP_RANKS,
    card_points,
    points_factor,
    trump_suits,
    winning_index,
)
from games.belot.rules.scoring import settle
from games.belot.rules.state import Declaration, Match, State
from games.belot.rules.types import View
from games.belot.rules.view import contract_of, match_of, seat_of
from games.belot.simulation import HIGHER, World, best_play, contract_cards, play_out
from games.kit.cards import SUITS
from games.kit.contract import Card, Move
from games.kit.search import Brain, lead, likelier, one_of_equals
from games.kit.tricks import cards_played

WORLDS_PER_BATCH = 8  # the number of worlds that are dealt at a time
DEALS_PER_WORLD = 3  # Each world is picked from this many deals, by how well they explain the calls.
OPEN_CARDS = {2: 8, 3: 10, 4: 12}  # By seats: with this many cards in all hands the search looks to the end.
VALUABLE = 10  # the points of a ten. Cards with as many or more are worth saving from rivals.
CARD_POINT = 0.01  # match points for every point, on top of the match points that it is rounded to
# How much likelier a seat is to hold a card of these ranks if it has bid the suit, all trumps or no trumps.
SUIT_FACTORS = {"J": 3.0, "9": 1.7}
ALL_TRUMPS_FACTORS = {"J": 1.6, "9": 1.2}
NO_TRUMPS_FACTORS = {"A": 1.7, "T": 1.2}
UNBID_FACTOR = 0.5  # The same for both jack and nine of a suit that it has never bid.


class PlayWorld(NamedTuple):
    """A sampled position of the play, and the values that score its deal."""

    world: World
    declarations: list[Declaration]  # all of the deal, including future ones
    settlements: "Settlements"


class Settlements:
    """Computes the worth of a deal to a side, and caches it by points and tricks.

    table: the view of any seat during the play. side: by default the side of the view's seat.
    """

    def __init__(self, table: View, side: int | None = None) -> None:
        self.match = match_of(table)
        self.contract = contract_of(table)
        self.hanging = table["hanging"]
        self.side = seat_of(table) % self.match.sides if side is None else side
        self.cache: dict[tuple[int, ...], float] = {}

    def worth(self, points: Sequence[int], tricks: Sequence[int], declarations: Sequence[Declaration]) -> float:
        """Return the value of a finished deal to `self.side`: by how many match points it is ahead of the others' mean.

        Every point of the deal adds a little. points, tricks: by side, without the points of declarations.
        declarations: all sequences and squares of the deal. Only one side counts its own, or nobody. A seat is on the
        side `seat % sides`.
        """
        sides, total = self.match.sides, sum(tricks)
        counted = [0] * sides  # the points of declarations by side
        if declarations:
            side = counting_side(declarations, tricks, sides)
            if side is not None:
                counted[side] = sum(item.points for item in declarations if item.seat % sides == side)
        # Many deals end alike, so values are cached. Of the tricks it only matters which side, if any, took them all.
        key = (*points, *counted, tricks.index(total) if total in tricks else -1)
        if key not in self.cache:
            self.cache[key] = self._compute_worth(points, counted, tricks)
        return self.cache[key]

    def _compute_worth(self, points: Sequence[int], counted: Sequence[int], tricks: Sequence[int]) -> float:
        total, side = sum(tricks), self.side
        factor = points_factor(self.contract.contract)
        sums = [factor * (own + more) for own, more in zip(points, counted, strict=True)]
        valat = tricks.index(total) if total in tricks else None
        mp = settle(self.match, self.contract, tuple(sums), valat, self.hanging).mp
        return lead(mp, side) + CARD_POINT * lead(sums, side)


class BelotBrain(Brain):
    """Searches for cards. Calls come from `calling`, declarations from the rule of thumb.

    consider: the filter of plays. Bots leave out what looks absurd; the analysis judges nearly every play.
    """

    def __init__(self, consider: Callable[[View, list[Move]], list[Move]]) -> None:
        self.rule = BelotBot()
        self.consider = consider

    def rule_move(self, table: View, moves: list[Move], rng: Random) -> Move:
        if table["phase"] == "bid":
            return choose_call(read_auction(table), moves)
        return self.rule.choose(table, self.consider(table, moves), rng)

    def candidates(self, table: View, moves: list[Move], rule_move: Move) -> list[Move]:
        """Return the plays that the search compares: `rule_move`, and one play of each group of equally good cards.

        Cards of a suit are equally good if nobody else has one between them and they have the same points. A king or
        queen of trumps is never played in silence if it may announce both ("belot"), which earns points. rule_move: the
        move of the simple bot. It alone may break that rule.
        """
        if rule_move["type"] != "play":
            return [rule_move]
        moves = self.consider(table, moves)  # without absurd plays
        announced = {move["card"] for move in moves if "belot" in move}
        world = read_world(table)
        number, points = world.cards.number, world.cards.points
        # The cards that others may hold. A set of cards is the bits of an int: bit n is the card with the number n.
        unseen = ~(world.absent | sum(1 << number[card] for card in table["hand"]))

        def is_equal(low: int, high: int) -> bool:
            """Return whether two cards of a suit have the same points and no unseen card is between them."""
            between = HIGHER[low] & ~HIGHER[high - 1]  # above the one and below the other
            is_same_suit = low >> 3 == high >> 3  # Numbers are 8 times the suit, plus the place in the suit.
            return is_same_suit and points[low] == points[high] and not unseen & between

        plays = [move for move in moves if move["type"] == "play"]
        # One card of each group of equals, `rule_move`'s if it is in the group.
        chosen = one_of_equals({number[move["card"]] for move in plays}, is_equal, number[rule_move["card"]])

        def is_candidate(move: Move) -> bool:
            card = move["card"]
            if card == rule_move["card"]:
                return move == rule_move
            omits_belot = card in announced and "belot" not in move
            return number[card] in chosen and not omits_belot

        return [move for move in plays if is_candidate(move)]

    def estimates(self, table: View, moves: list[Move]) -> dict[int, float]:
        return gains(read_auction(table), moves) if table["phase"] == "bid" else {}

    def worlds(self, table: View, rng: Random) -> Iterator[PlayWorld]:
        return map(world_maker(table), likely_states(table, rng))

    def outcome(self, world: PlayWorld, move: Move, rng: Random) -> float:
        position, declarations, settlements = world
        card = position.cards.number[move["card"]]
        if sum(hand.bit_count() for hand in position.hands) <= OPEN_CARDS[len(position.hands)]:
            return best_play(position, card, lambda points, tricks: settlements.worth(points, tricks, declarations))
        return settlements.worth(*play_out(position, card, rng), declarations)


def likely_states(table: View, rng: Random) -> Iterator[State]:
    """Yield possible states of the deal, without end. The cards that the seat cannot see are dealt at random.

    The better the hands of a state explain the calls of the others, the more often it is chosen: one of
    DEALS_PER_WORLD random states, by likelihood. table: the view of the seat, which all states fit.
    """
    likelihood = _make_likelihood(table)
    while True:
        states = sampling.sample_many(table, rng, WORLDS_PER_BATCH * DEALS_PER_WORLD)
        yield from likelier(states, lambda state: likelihood(state.hands), DEALS_PER_WORLD, rng)


def world_maker(table: View, side: int | None = None) -> Callable[[State], PlayWorld]:
    """Return a function that converts a state of the rules to a world: a position that can be played to the end fast.

    table: the view of a seat. All states fit it, and differ only in the cards that the seat cannot see. side: the side
    whose result counts, or None for the side of the seat.
    """
    settlements, base = Settlements(table, side), read_world(table)
    number = base.cards.number
    # Sequences and squares are declared in the first trick only.
    may_declare = not table["tricks"] and settlements.contract.contract != NO_TRUMPS

    def make_world(state: State) -> PlayWorld:
        # A set of cards is the bits of an int, by card number.
        hands = [sum(1 << number[card] for card in hand) for hand in state.hands]
        later = _later_declarations(settlements.match, table, state.hands) if may_declare else []
        return PlayWorld(base._replace(hands=hands), [*state.declared, *later], settlements)

    return make_world


def without_gifts(table: View, moves: list[Move]) -> list[Move]:
    """Return the moves without gifts, which only the last seat to play to a trick can make.

    A gift is a card of ten or more points in a rival's trick, though a lower card of the suit loses too.
    """
    is_last_to_play = len(table["trick"]["plays"]) == table["seats"] - 1
    if table["phase"] != "play" or not is_last_to_play:
        return moves
    points = card_points(contract_of(table).contract)
    costly = _costly_losers(table, {move["card"] for move in moves if move["type"] == "play"})
    return [move for move in moves if move.get("card") not in costly or points[move["card"]] < VALUABLE]


def sound_plays(table: View, moves: list[Move]) -> list[Move]:
    """Return the moves without plays that no experienced player makes.

    The search judges a play by the results of many deals that it plays to the end. It may prefer an absurd one if the
    contract is lost or won anyway, so that nearly nothing depends on it.
    """
    if table["phase"] != "play" or sum(table["hand_counts"]) <= OPEN_CARDS[table["seats"]]:
        return without_gifts(table, moves)  # Near the end the search plays every line out.
    cards = {move["card"] for move in moves if move["type"] == "play"}
    unsound = _unsound_plays(table, cards) if table["trick"]["plays"] else _unsound_leads(table, cards)
    # An announcement may be worth the points of its card.
    return [move for move in moves if move.get("card") not in unsound or "belot" in move]


def _unsound_leads(table: View, cards: set[Card]) -> set[Card]:
    """Return leads (first cards of a trick) that no experienced player makes.

    The bidder has chosen the contract, and the defenders play against it. Unsound leads are:
    - Any but the jack to the first trick by a bidder with jack and nine of trumps: they are the two highest.
    - A defender's trump without the jack, if there are other suits.
    - A card of ten or more points that another seat may beat, if the suit has a lower card.
    """
    contract, bidder, _ = contract_of(table)
    jack, nine = "J" + contract, "9" + contract  # of trumps, in the contract of a suit
    if bidder == table["seat"] and not table["tricks"] and {jack, nine} <= cards:
        return cards - {jack}
    trumps = {card for card in cards if card[1] == contract}
    is_defender = bidder % len(table["sides"]) != seat_of(table) % len(table["sides"])
    # With trumps out of play, the bidder's other cards are safe. So defenders do not lead them, except the jack, which
    # is certain to take the trick.
    unsound = trumps if is_defender and jack not in trumps and len(trumps) < len(cards) else set()
    points = card_points(contract)
    suits_with_low_card = {card[1] for card in cards if points[card] < VALUABLE}
    valuable = {card for card in _beatable(table, cards) if points[card] >= VALUABLE}
    too_high = {card for card in valuable if card[1] in suits_with_low_card}
    return unsound | too_high


def _unsound_plays(table: View, cards: set[Card]) -> set[Card]:
    """Return plays to a trick that no experienced player makes. The seat does not lead to it.

    - In a trick that a rival is certain to take: more points than necessary in a suit.
    - As the last seat, in a trick that the partner takes: any other card than one of ten or more points that may be
      lost later, if there is such a card. In this trick its points are safe.
    """
    plays, trick, contract = table["trick"]["plays"], cards_played(table["trick"]), contract_of(table).contract
    taker, sides = plays[winning_index(contract, trick)]["seat"], len(table["sides"])
    if taker % sides != seat_of(table) % sides:  # A rival is winning the trick so far.
        return _costly_losers(table, cards)
    points = card_points(contract)
    # Cards that do not take the trick: after them another card still wins it.
    losing = {card for card in cards if winning_index(contract, [*trick, card]) < len(trick)}
    beatable = {card for card in _beatable(table, losing) if points[card] >= VALUABLE}
    # A card of another suit than the one led counts only if it is alone in its suit: else it may guard others there.
    threatened = {card for card in beatable if card[1] == trick[0][1] or _is_bare(card, cards)}
    is_last_to_play = len(plays) == table["seats"] - 1
    return cards - threatened if threatened and is_last_to_play else set()


def _costly_losers(table: View, cards: set[Card]) -> set[Card]:
    """Return the cards that give a rival more points than a lower card of their suit, if its trick is certain.

    The rival's trick is certain if this seat plays last, or if no other seat can beat the best card in its suit. The
    set is empty otherwise, and in a trick of the own side.
    """
    plays, trick = table["trick"]["plays"], cards_played(table["trick"])
    seat, sides, (contract, bidder, _) = seat_of(table), len(table["sides"]), contract_of(table)
    best = winning_index(contract, trick)  # the index of the best card so far
    taker = plays[best]["seat"]
    # With three players, both defenders play against the bidder.
    taker_is_friend = taker % sides == seat % sides or (sides == 3 and bidder not in (taker, seat))
    is_last_to_play = len(plays) == table["seats"] - 1
    if taker_is_friend or (not is_last_to_play and _beatable(table, {trick[best]})):
        return set()
    points = card_points(contract)
    losing = [card for card in cards if winning_index(contract, [*trick, card]) < len(trick)]
    suits = {card[1] for card in losing}
    fewest = {suit: min(points[card] for card in losing if card[1] == suit) for suit in suits}
    return {card for card in losing if points[card] > fewest[card[1]]}


def _is_bare(card: Card, cards: set[Card]) -> bool:
    """Return whether this is the only card of its suit."""
    return sum(other[1] == card[1] for other in cards) == 1


def _beatable(table: View, cards: set[Card]) -> set[Card]:
    """Return the cards that another seat may beat, because it may hold a higher card of their suit.

    A card is a text of its rank and its suit: "JH" is the jack of hearts.
    """
    trumps = trump_suits(contract_of(table).contract)
    visible = set(table["hand"]).union(cards_played(table["trick"]), *map(cards_played, table["tricks"]))

    def higher_cards(rank: str, suit: str) -> set[Card]:
        ranks = TRUMP_RANKS if suit in trumps else PLAIN_RANKS
        return {other + suit for other in ranks[ranks.index(rank) + 1 :]}

    return {card for card in cards if higher_cards(*card) - visible}  # if any higher card is not visible


def read_world(table: View) -> World:
    """Convert what a seat sees to a World, a form that the search can play to the end fast.

    Its hands stay empty, because the seat knows only its own: the caller fills them in for each deal that it tries.
    There a card is a number, and a set of cards is the bits of an int. A seat is on the side `seat % sides`.
    """
    match, (contract, bidder, _) = match_of(table), contract_of(table)
    cards = contract_cards(contract)
    trick, leader = cards_played(table["trick"]), table["trick"]["leader"]
    assert leader is not None
    played = [card for finished_trick in table["tricks"] for card in cards_played(finished_trick)]
    winner = winning_index(contract, trick) if trick else 0  # the index of the best card in the trick
    not_in_pack = sum(1 << number for card, number in cards.number.items() if card not in match.pack)
    return World(
        seat=seat_of(table),
        sides=match.sides,
        cards=cards,
        club_rules=match.club_rules,
        any_lead=match.belot_reply == "any",  # whether belot may be announced on a rival's lead too
        bidding_side=bidder % match.sides,
        hands=[],
        absent=not_in_pack | sum(1 << cards.number[card] for card in [*played, *trick]),  # cards in no hand
        best=cards.number[trick[winner]] if trick else 0,
        best_seat=(leader + winner) % match.seats,
        trick=tuple(cards.number[card] for card in trick),
        points=_points_so_far(table, match.sides),
        tricks=table["tricks_won"],
        last_trick_points=LAST_TRICK if match.last_trick_ten else 0,
    )


def _points_so_far(table: View, sides: int) -> list[int]:
    """Return the points by side of finished tricks, and of announced kings and queens of trumps (belots)."""
    card_worth, points = card_points(contract_of(table).contract), [0] * sides
    for trick in table["tricks"]:
        points[trick["winner"] % sides] += sum(card_worth[card] for card in cards_played(trick))
    for belot in table["belots"]:
        points[belot["seat"] % sides] += BELOT
    return points


def _later_declarations(match: Match, table: View, hands: Sequence[Sequence[Card]]) -> list[Declaration]:
    """Return what the seats that have neither declared nor played a card will declare with these hands."""
    finished = {play["seat"] for play in table["trick"]["plays"]} | {entry["seat"] for entry in table["declared"]}
    return all_declarations(match, [() if seat in finished else hand for seat, hand in enumerate(hands)])


def all_declarations(match: Match, hands: Sequence[Sequence[Card]]) -> list[Declaration]:
    """Return all sequences and squares (four of a rank) that these hands, by seat, declare one after the other."""
    declarations: list[Declaration] = []
    for seat, hand in enumerate(hands):
        own: list[Declaration] = []
        # A declaration uses up its cards, so ask again after each one.
        while possible := open_declarations(seat, hand, own, match.shared_cards):
            own.append(possible[0])
        declarations += own
    return declarations


def _make_likelihood(table: View) -> Callable[[Sequence[Sequence[Card]]], float]:
    """Return a function of possible hands, by seat, that tells how well they explain the calls of the other seats.

    Its result is proportional to the chance that seats with these hands make these calls. A seat called with its first
    hand, so the function adds the cards that the seat has played since.
    """
    played: list[set[Card]] = [set() for _ in table["hand_counts"]]
    for trick in [*table["tricks"], table["trick"]]:
        for play in trick["plays"]:
            played[play["seat"]].add(play["card"])
    factors, suits = _clues_from_bids(table)
    others = [seat for seat in range(len(played)) if seat != table["seat"]]

    def likelihood(hands: Sequence[Sequence[Card]]) -> float:
        return prod(_hand_likelihood(played[seat].union(hands[seat]), factors[seat], suits[seat]) for seat in others)

    return likelihood


def _clues_from_bids(table: View) -> tuple[list[dict[Card, float]], list[set[str]]]:
    """Return what the bids of each seat say about its hand, as two lists by seat.

    The first has dicts with factors: how much likelier the seat is to hold a card because of its bids. The second has
    sets of suits that it has not bid, so that it is less likely to hold the best cards there.
    """
    seats = table["seats"]
    factors: list[dict[Card, float]] = [{} for _ in range(seats)]
    suits = [set(SUITS) for _ in range(seats)]
    for call in table["calls"]:
        seat, contract = call["seat"], call.get("contract")
        if contract in (NO_TRUMPS, ALL_TRUMPS):  # Such a bid says the same of all suits.
            by_rank = NO_TRUMPS_FACTORS if contract == NO_TRUMPS else ALL_TRUMPS_FACTORS
            factors[seat] |= {rank + suit: factor for rank, factor in by_rank.items() for suit in SUITS}
            suits[seat].clear()  # A bid without a trump suit may hide strength in any suit.
        elif contract:
            factors[seat] |= {rank + contract: factor for rank, factor in SUIT_FACTORS.items()}
            suits[seat].discard(contract)
    return factors, suits


def _hand_likelihood(hand: set[Card], factors: dict[Card, float], suits: set[str]) -> float:
    """Return how likely a seat with this hand is to call as it did, up to a constant factor.

    factors: for some cards, how much likelier the seat's bids are with the card. suits: the suits that it has not bid.
    With the two best trumps, jack and nine, it would often have bid the suit.
    """
    weight = prod(factor for card, factor in factors.items() if card in hand)
    strong_unbid_suits = sum("J" + suit in hand and "9" + suit in hand for suit in suits)
    return weight * UNBID_FACTOR**strong_unbid_suits
