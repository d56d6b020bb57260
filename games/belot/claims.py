"""Claims at Belot: what a seat knows, and when nothing but who takes the tricks decides what is written."""

from functools import cache
from itertools import product

from games.belot.rules.declarations import counting_side
from games.belot.rules.pack import BELOT, LAST_TRICK, points_of_cards, times, trump_suits, winner_of
from games.belot.rules.sampling import shown_cards
from games.belot.rules.scoring import settle
from games.belot.rules.state import Contract, Declaration, Match
from games.belot.simulation import HIGHER, OF_SUIT, cards_under
from games.kit.claims import Claims
from games.kit.proofs import ALL, Cards, Ending, Position, narrowed
from games.kit.tricks import cards_played

OF_SUIT_BY_CARD = tuple(OF_SUIT[card >> 3] for card in range(32))


@cache
def claimed_cards(contract, club):
    """The `Cards` under a contract. club: whether club rules say what those must play that cannot follow suit."""
    under = cards_under(contract)
    trumps, ruffing = under.trumps, under.ruffing

    def duties(led, best, spared):
        """As games.belot.rules.pack has them."""
        follow = OF_SUIT_BY_CARD[led]
        if trumps >> led & 1:
            return HIGHER[best], follow
        if not ruffing or (club and spared):
            return (follow,)
        return follow, ruffing & HIGHER[best] if club and ruffing >> best & 1 else ruffing

    return Cards(OF_SUIT_BY_CARD, HIGHER, ruffing, sum(OF_SUIT) & ~trumps, duties)


class BelotClaims(Claims):
    """From the second trick on: until then declarations may still be made."""

    def is_open(self, table):
        return table["phase"] == "play" and bool(table["tricks"])

    def position(self, table):
        match, contract, me = _match(table), table["contract"]["contract"], table["seat"]
        number = cards_under(contract).number
        played, ruled_out = shown_cards(match, table)

        def to_set(cards):
            return sum(1 << number[card] for card in cards)

        own = to_set(table["hand"])
        unseen = to_set(match.pack) & ~own & ~to_set(set().union(*played))
        unseen, barred = narrowed(unseen, tuple(map(to_set, ruled_out)), me)
        trick, leader = cards_played(table["trick"]), table["trick"]["leader"]
        place = winner_of(contract, trick) if trick else 0
        return Position(
            cards=claimed_cards(contract, match.trumping == "club"),
            me=me,
            seats=match.seats,
            partners=match.seats == 4,
            seat=table["to_act"],
            own=own,
            unseen=unseen,
            barred=barred,
            led=number[trick[0]] if trick else None,
            best=number[trick[place]] if trick else 0,
            best_seat=(leader + place) % match.seats,
            count=len(trick),
        )

    def is_fixed(self, table, kind, tables=None):
        match, me = _match(table), table["seat"]
        if kind != ALL and match.sides == 3:
            return False  # which of the two others takes what
        winner = me if kind == ALL else (me + 1) % match.seats
        left = self.position(table).left
        tricks = tuple(left if seat == winner else 0 for seat in range(match.seats))
        found = set()
        for points in _points_left(match, table, tables):
            all_points = tuple(points if seat == winner else 0 for seat in range(match.seats))
            found |= self.scores(table, Ending(tricks, all_points, winner), tables)
        return len(found) == 1

    def worth(self, table):
        return cards_under(table["contract"]["contract"]).worth

    def scores(self, table, ending, tables):
        match = _match(table)
        taken, points = _taken(match, table, ending)
        suits = trump_suits(table["contract"]["contract"])
        is_sure = _leads_on(match, table, ending)
        cases = product(*(_belot_cases(match, table, suit, tables, is_sure=is_sure) for suit in suits))
        return {
            _settled(table, taken, points, royals, side)
            for royals in cases
            for side in _counting_sides(table, tables, taken, match.sides)
        }

    def numbers(self, table, cards):
        number = cards_under(table["contract"]["contract"]).number
        return [number[card] for card in cards]

    def own_move(self, moves, card):
        """With belot, where it may be announced."""
        return max((move for move in moves if move.get("card") == card), key=len)

    def other_move(self, moves):
        return moves[0]


def _points_left(match, table, tables):
    """All that the cards may be worth that are still to go into tricks; one number where all hands are known."""
    worth = points_of_cards(table["contract"]["contract"])
    sure = sum(worth[card] for card in [*(play["card"] for play in table["trick"]["plays"]), *table["hand"]])
    number = sum(table["hand_counts"]) - len(table["hand"])
    if tables is None:
        known = _seen(table).union(table["hand"])
        others = sorted(worth[card] for card in match.pack if card not in known)
    else:
        others = [worth[card] for each in tables if each["seat"] != table["seat"] for card in each["hand"]]
    return range(sure + sum(others[:number]), sure + sum(others[len(others) - number :]) + 1)


def _seen(table):
    """The cards that have been played."""
    return {play["card"] for trick in (*table["tricks"], table["trick"]) for play in trick["plays"]}


def _belot_cases(match, table, suit, tables, *, is_sure):
    """The sides that may still announce belot in a suit; None among them where perhaps nobody does.

    is_sure: whether the seat plays its cards where it announces the belot that it holds.
    """
    pair, me = {f"K{suit}", f"Q{suit}"}, table["seat"]
    if pair & _seen(table) or len(pair.intersection(table["hand"])) == 1:
        return [None]
    if pair.issubset(table["hand"]):
        return [me % match.sides] if is_sure else [None, me % match.sides]
    seats = [seat for seat in range(match.seats) if seat != me]
    if tables is not None:
        seats = [seat for seat in seats if pair.issubset(tables[seat]["hand"])]
    return [None, *{seat % match.sides for seat in seats}]


def _leads_on(match, table, ending):
    """Whether the seat or its partner leads to all tricks that are left, so that it may announce belot.

    In all trumps that would not help it to discard on its partner's lead.
    """
    leads = table["to_act"] == table["seat"] and not table["trick"]["plays"]
    lost = any(ending.tricks[seat] for seat in range(match.seats) if (seat - table["seat"]) % match.sides)
    return leads and not lost and not (match.seats == 4 and table["contract"]["contract"] == "AT")


def _match(table):
    return Match(table["seats"], **table["options"])


def _counting_sides(table, tables, taken, sides):
    """The sides whose declarations may count in the end; None where none may. taken: tricks by side."""
    if tables is None:
        declared = table["declared"]
    else:  # each seat sees the cards of its own
        declared = [tables[each["seat"]]["declared"][place] for place, each in enumerate(table["declared"])]
    if not declared:
        return [None]
    if all(each["cards"] for each in declared):
        made = [Declaration(**each | {"cards": tuple(each["cards"])}) for each in declared]
        return [counting_side(made, taken, sides)]
    holders = {each["seat"] % sides for each in declared}
    return [side if taken[side] else None for side in holders] + ([None] if len(holders) > 1 else [])


def _taken(match, table, ending):
    """By side how many tricks it has in the end, and what the cards in them and the last trick are worth."""
    worth = points_of_cards(table["contract"]["contract"])
    taken, points = [0] * match.sides, [0] * match.sides
    for trick in table["tricks"]:
        taken[trick["winner"] % match.sides] += 1
        points[trick["winner"] % match.sides] += sum(worth[play["card"]] for play in trick["plays"])
    for seat in range(match.seats):
        taken[seat % match.sides] += ending.tricks[seat]
        points[seat % match.sides] += ending.points[seat]
    points[ending.last % match.sides] += LAST_TRICK * match.last_trick_ten
    return taken, points


def _settled(table, taken, points, royals, counting):
    """What is written for these tricks and points by side.

    royals: the sides that still announce belot, or None. counting: the side whose declarations count, or None.
    """
    match, contract = _match(table), Contract(**table["contract"])
    sides = match.sides
    points = list(points)
    for side in [*(belot["seat"] % sides for belot in table["belots"]), *royals]:
        if side is not None:
            points[side] += BELOT
    for each in table["declared"]:
        if counting is not None and each["seat"] % sides == counting:
            points[counting] += each["points"]
    points = [times(contract.contract) * own for own in points]
    valat = taken.index(sum(taken)) if sum(taken) in taken else None
    return settle(match, contract, tuple(points), valat, table["hanging"]), valat


CLAIMS = BelotClaims()
