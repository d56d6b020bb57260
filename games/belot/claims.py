"""Claims at Belot: what a seat knows, and whether the score depends on anything but who takes the remaining tricks."""

from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from itertools import product

from games.belot.rules.declarations import counting_side
from games.belot.rules.pack import ALL_TRUMPS, BELOT, LAST_TRICK, card_points, points_factor, trump_suits, winning_index
from games.belot.rules.sampling import played_and_excluded
from games.belot.rules.scoring import Settlement, settle
from games.belot.rules.state import Declaration, Match
from games.belot.rules.types import View
from games.belot.rules.view import contract_of, match_of, seat_of
from games.belot.simulation import HIGHER, OF_SUIT, contract_cards
from games.kit.claims import Claims
from games.kit.contract import Card, Move
from games.kit.proofs import ALL, Cards, Ending, Position, drop_impossible
from games.kit.tricks import cards_played

OF_SUIT_BY_CARD = tuple(OF_SUIT[card >> 3] for card in range(32))


@cache
def claim_cards(contract: str, club_rules: bool) -> Cards:
    """Return what a proof of a claim needs to know of the cards: which of them beat others, and which must be played.

    A claim says that a player takes all remaining tricks, or none. Cards are numbers, and sets of cards are the bits of
    an int. club_rules: an option. Then a trump must beat those in the trick, and nobody has to trump a partner's trick.
    """
    cards_of_contract = contract_cards(contract)
    trumps = cards_of_contract.trumps
    ruffing = cards_of_contract.ruffing  # the trumps that beat other suits: none if all suits are trumps

    def duties(led: int, best: int, partner_wins: bool) -> tuple[int, ...]:
        """Return sets of cards. A seat must play from the first set that has a card of its hand, or else any card.

        led, best: the first and the best card of the trick. partner_wins: whether the partner played the best one.
        """
        follow = OF_SUIT_BY_CARD[led]
        if trumps >> led & 1:  # A trump was led. Beat it if possible.
            return HIGHER[best], follow
        if not ruffing or (club_rules and partner_wins):
            return (follow,)
        must_overruff = club_rules and ruffing >> best & 1  # if the best card is a trump
        return follow, ruffing & HIGHER[best] if must_overruff else ruffing

    plain = sum(OF_SUIT) & ~trumps
    return Cards(OF_SUIT_BY_CARD, HIGHER, ruffing, plain, duties)


class BelotClaims(Claims):
    """Claims are possible from the second trick on, when nobody may declare any more."""

    def is_open(self, table: View) -> bool:
        return table["phase"] == "play" and bool(table["tricks"])

    def position(self, table: View) -> Position:
        match, contract, me = match_of(table), contract_of(table).contract, seat_of(table)
        number = contract_cards(contract).number
        played, excluded = played_and_excluded(match, table)

        def to_set(cards: Iterable[Card]) -> int:
            return sum(1 << number[card] for card in cards)

        own = to_set(table["hand"])
        unseen = to_set(match.pack) & ~own & ~to_set(set().union(*played))
        unseen, barred = drop_impossible(unseen, tuple(map(to_set, excluded)), me)
        trick, leader, seat = cards_played(table["trick"]), table["trick"]["leader"], table["to_act"]
        assert leader is not None
        assert seat is not None
        winner = winning_index(contract, trick) if trick else 0
        return Position(
            cards=claim_cards(contract, match.club_rules),
            me=me,
            seats=match.seats,
            partners=match.seats == 4,
            seat=seat,
            own=own,
            unseen=unseen,
            barred=barred,
            led=number[trick[0]] if trick else None,
            best=number[trick[winner]] if trick else 0,
            best_seat=(leader + winner) % match.seats,
            trick_size=len(trick),
        )

    def is_fixed(self, table: View, kind: str, tables: list[View] | None = None) -> bool:
        """Return whether a true claim decides the score of the deal, so that nobody needs to play on.

        A claim says that the seat takes all remaining tricks (kind ALL), or none. table: the view of the seat. tables:
        the views of all seats, or None to use only what the seat knows.
        """
        match, me = match_of(table), seat_of(table)
        if kind != ALL and match.sides == 3:
            return False  # The claim does not say which of the two others takes which trick.
        # Which seat of the winning side takes a trick does not matter, so one seat may take them all.
        winner = me if kind == ALL else (me + 1) % match.seats
        remaining = self.position(table).remaining
        tricks = tuple(remaining if seat == winner else 0 for seat in range(match.seats))
        scores: set[Hashable] = set()
        for points in _points_left(match, table, tables):  # Try every possible sum of the cards in these tricks.
            by_seat = tuple(points if seat == winner else 0 for seat in range(match.seats))
            scores |= self.scores(table, Ending(tricks, points=by_seat, last=winner), tables)
        return len(scores) == 1  # The score is the same in all cases.

    def worth(self, table: View) -> Sequence[int]:
        return contract_cards(contract_of(table).contract).points

    def scores(self, table: View, ending: Ending, tables: list[View] | None) -> set[Hashable]:
        match = match_of(table)
        tricks, points = _final_tricks(match, table, ending)
        suits = trump_suits(contract_of(table).contract)
        will_announce = _keeps_the_lead(match, table, ending)
        cases = product(*(_belot_sides(match, table, suit, tables, will_announce) for suit in suits))
        return {
            _settle_ending(table, tricks, points, belot_sides, side)
            for belot_sides in cases
            for side in _counting_sides(table, tables, tricks, match.sides)
        }

    def numbers(self, table: View, cards: Iterable[Card]) -> list[int]:
        number = contract_cards(contract_of(table).contract).number
        return [number[card] for card in cards]

    def own_move(self, moves: list[Move], card: Card) -> Move:
        """Return the play of a card, with belot if it may be announced."""
        return max((move for move in moves if move.get("card") == card), key=len)

    def other_move(self, moves: list[Move]) -> Move:
        return moves[0]


def _points_left(match: Match, table: View, tables: list[View] | None) -> range:
    """Return the range of points that the cards of the remaining tricks may have together.

    It is a single number if the seat can infer all cards. With two players it cannot, because some cards are not dealt.
    tables: the views of all seats, or None to use only what the seat of `table` knows.
    """
    points = card_points(contract_of(table).contract)
    visible_points = sum(points[card] for card in [*cards_played(table["trick"]), *table["hand"]])
    count = sum(table["hand_counts"]) - len(table["hand"])  # of the cards in other hands
    if tables is None:
        visible = _played_cards(table).union(table["hand"])
        others = sorted(points[card] for card in match.pack if card not in visible)
    else:
        others = [points[card] for view in tables if view["seat"] != table["seat"] for card in view["hand"]]
    # The other hands hold `count` of these cards, so at least the cheapest and at most the dearest ones.
    fewest, most = sum(others[:count]), sum(others[len(others) - count :])
    return range(visible_points + fewest, visible_points + most + 1)


def _played_cards(table: View) -> set[Card]:
    return {play["card"] for trick in (*table["tricks"], table["trick"]) for play in trick["plays"]}


def _belot_sides(
    match: Match, table: View, suit: str, tables: list[View] | None, will_announce: bool
) -> list[int | None]:
    """Return the sides that may still announce belot in a suit, and None if it may be that no side does.

    Belot is the king and queen of trumps in one hand. tables: the views of all seats, or None to use only what the seat
    of `table` knows. will_announce: whether this seat, if it holds both cards, is sure to announce them.
    """
    pair, me = {f"K{suit}", f"Q{suit}"}, seat_of(table)
    if pair & _played_cards(table) or len(pair.intersection(table["hand"])) == 1:
        return [None]  # Nobody holds both cards.
    if pair.issubset(table["hand"]):
        return [me % match.sides] if will_announce else [None, me % match.sides]
    seats = [seat for seat in range(match.seats) if seat != me]
    if tables is not None:
        seats = [seat for seat in seats if pair.issubset(tables[seat]["hand"])]
    return [None, *{seat % match.sides for seat in seats}]


def _keeps_the_lead(match: Match, table: View, ending: Ending) -> bool:
    """Return whether the seat is certain to get a chance to announce belot, king and queen of trumps.

    Belot can be announced on one's own lead or the partner's. So it is certain if this seat leads now, and its side
    takes all remaining tricks. ending: the result of these tricks by seat.
    """
    me = seat_of(table)
    leads_now = table["to_act"] == me and not table["trick"]["plays"]
    # Seats of the own side are a multiple of `sides` away.
    others_win = any(ending.tricks[seat] for seat in range(match.seats) if (seat - me) % match.sides)
    # In all trumps a partner may lead another suit, and then the seat may have to discard its king or queen.
    may_discard = match.seats == 4 and contract_of(table).contract == ALL_TRUMPS
    return leads_now and not others_win and not may_discard


def _counting_sides(table: View, tables: list[View] | None, tricks: Sequence[int], sides: int) -> list[int | None]:
    """Return the possible answers to the question which side counts its declarations, None among them for "no side".

    Only the side with the highest declaration (sequence or square) counts its own, if it takes a trick. tables: the
    views of all seats, or None to use only what the seat of `table` knows. tricks: by side, at the end of the deal.
    """
    entries = table["declared"]
    if tables is not None:  # Take each entry from the view of its own seat, which sees the cards of the declaration.
        entries = [tables[entry["seat"]]["declared"][index] for index, entry in enumerate(entries)]
    if not entries:
        return [None]
    declarations = [
        Declaration(entry["seat"], entry["kind"], entry["points"], tuple(entry["cards"]))
        for entry in entries
        if entry["cards"]
    ]
    if len(declarations) == len(entries):  # All cards are visible.
        return [counting_side(declarations, tricks, sides)]
    holders = {entry["seat"] % sides for entry in entries}  # sides that may hold the highest one
    may_tie = len(holders) > 1  # With equal declarations at the top, nobody counts.
    return [side if tricks[side] else None for side in holders] + ([None] if may_tie else [])


def _final_tricks(match: Match, table: View, ending: Ending) -> tuple[list[int], list[int]]:
    """Return two lists by side: the tricks at the end of the deal, and their points.

    These are the points of the cards, and ten for the last trick as an option. ending: the result of the remaining
    tricks by seat, and the winner of the last one. A seat is on the side `seat % sides`.
    """
    worth = card_points(contract_of(table).contract)
    tricks, points = [0] * match.sides, [0] * match.sides
    for trick in table["tricks"]:
        tricks[trick["winner"] % match.sides] += 1
        points[trick["winner"] % match.sides] += sum(worth[play["card"]] for play in trick["plays"])
    for seat in range(match.seats):
        tricks[seat % match.sides] += ending.tricks[seat]
        points[seat % match.sides] += ending.points[seat]
    points[ending.last % match.sides] += LAST_TRICK * match.last_trick_ten  # an option, as a bool
    return tricks, points


def _settle_ending(
    table: View,
    tricks: Sequence[int],
    points: Sequence[int],
    belot_sides: Iterable[int | None],
    counting: int | None,
) -> tuple[Settlement, int | None]:
    """Return what a deal would score: the match points, and the side that has taken all tricks (valat), or None.

    tricks, points: by side, at the end of the deal. belot_sides: for each trump suit, the side that will announce its
    king and queen, or None. counting: the side whose declarations (sequences and squares) count, or None.
    """
    match, contract = match_of(table), contract_of(table)
    sides = match.sides
    sums = list(points)
    # The announcements of kings and queens so far, and those to come.
    for side in [*(belot["seat"] % sides for belot in table["belots"]), *belot_sides]:
        if side is not None:
            sums[side] += BELOT
    for entry in table["declared"]:
        if counting is not None and entry["seat"] % sides == counting:
            sums[counting] += entry["points"]
    sums = [points_factor(contract.contract) * amount for amount in sums]
    valat = tricks.index(sum(tricks)) if sum(tricks) in tricks else None
    return settle(match, contract, tuple(sums), valat, table["hanging"]), valat


CLAIMS = BelotClaims()
