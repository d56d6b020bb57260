"""Claims at Belot: what a seat knows, and when nothing but who takes the tricks decides what is written."""

from functools import cache
from itertools import product

from games.belot.rules.declarations import counting_side
from games.belot.rules.pack import points_of_cards, trump_suits
from games.belot.rules.sampling import shown_cards
from games.belot.rules.scoring import settle
from games.belot.rules.state import Contract, Declaration, Match
from games.belot.rules.tricks import winner_of
from games.belot.simulation import BELOT, HIGHER, OF_SUIT, cards_under
from games.kit.claims import ALL, Cards, Claims, Position, narrowed
from games.kit.tricks import cards_played

OF_SUIT_BY_CARD = tuple(OF_SUIT[card >> 3] for card in range(32))
LAST_TRICK = 10


@cache
def claimed_cards(contract, club):
    """The `Cards` under a contract. club: whether club rules say what those must play that cannot follow suit."""
    under = cards_under(contract)
    trumps, ruffing = under.trumps, under.ruffing

    def duties(led, best, spared):
        """As games.belot.rules.tricks has them."""
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

    def is_fixed(self, table, kind, hands=None):
        match = _match(table)
        me = table["seat"] % match.sides
        if kind != ALL and match.sides == 3:
            return False  # which of the two others takes what
        winner = me if kind == ALL else 1 - me
        return len({_settled(match, table, winner, *case) for case in _cases(match, table, winner, hands)}) == 1

    def numbers(self, table, cards):
        number = cards_under(table["contract"]["contract"]).number
        return [number[card] for card in cards]

    def own_move(self, moves, card):
        """With belot, where it may be announced."""
        return max((move for move in moves if move.get("card") == card), key=len)

    def other_move(self, moves):
        return moves[0]


def _cases(match, table, winner, hands):
    """What may still differ if all tricks that are left go to one side.

    Yields (the card points that go to it, the points of belots by side, the side whose declarations count or None).
    """
    contract, me = table["contract"]["contract"], table["seat"]
    worth = points_of_cards(contract)
    seen = {play["card"] for trick in (*table["tricks"], table["trick"]) for play in trick["plays"]}
    sure = sum(worth[card] for card in [*(play["card"] for play in table["trick"]["plays"]), *table["hand"]])
    number = sum(table["hand_counts"]) - len(table["hand"])
    if hands is None:
        others = sorted(worth[card] for card in match.pack if card not in seen and card not in table["hand"])
    else:
        others = [worth[card] for seat, hand in enumerate(hands) if seat != me for card in hand]
    fewest, most = sum(others[:number]), sum(others[len(others) - number :])
    belots = [_belot_cases(match, table, suit, seen, hands) for suit in trump_suits(contract)]
    for rest in range(fewest, most + 1):
        for royals in product(*belots):
            sums = [_belots_announced(table, side, match) for side in range(match.sides)]
            for side in royals:
                if side is not None:
                    sums[side] += BELOT
            for side in _counting_sides(match, table, winner):
                yield sure + rest, tuple(sums), side


def _belot_cases(match, table, suit, seen, hands):
    """The sides that may still announce belot in a suit; None among them where perhaps nobody does."""
    pair, me = {f"K{suit}", f"Q{suit}"}, table["seat"]
    if pair & seen or len(pair.intersection(table["hand"])) == 1:
        return [None]
    if pair.issubset(table["hand"]):
        leads = table["to_act"] == me and not table["trick"]["plays"]
        return [me % match.sides] if leads else [None, me % match.sides]
    holders = range(match.seats) if hands is None else [seat for seat, hand in enumerate(hands) if pair.issubset(hand)]
    return [None, *{seat % match.sides for seat in holders if seat != me}]


def _match(table):
    return Match(table["seats"], **table["options"])


def _belots_announced(table, side, match):
    return BELOT * sum(belot["seat"] % match.sides == side for belot in table["belots"])


def _counting_sides(match, table, winner):
    """The sides whose declarations may count in the end; None where none may."""
    declared, sides = table["declared"], match.sides
    if not declared:
        return [None]
    taken = _tricks(match, table, winner)
    if all(each["cards"] for each in declared):
        made = [Declaration(**each | {"cards": tuple(each["cards"])}) for each in declared]
        return [counting_side(made, taken, sides)]
    holders = {each["seat"] % sides for each in declared}
    return [side if taken[side] else None for side in holders] + ([None] if len(holders) > 1 else [])


def _tricks(match, table, winner):
    """By side how many tricks it has in the end."""
    taken = [0] * match.sides
    for trick in table["tricks"]:
        taken[trick["winner"] % match.sides] += 1
    taken[winner] += len(table["hand"]) + any(play["seat"] == table["seat"] for play in table["trick"]["plays"])
    return taken


def _settled(match, table, winner, rest, royals, counting):
    """What is written if one side takes all tricks that are left."""
    contract, sides = Contract(**table["contract"]), match.sides
    worth, points = points_of_cards(contract.contract), list(royals)
    for trick in table["tricks"]:
        points[trick["winner"] % sides] += sum(worth[play["card"]] for play in trick["plays"])
    points[winner] += rest + LAST_TRICK * match.last_trick_ten
    if counting is not None:
        points[counting] += sum(each["points"] for each in table["declared"] if each["seat"] % sides == counting)
    if contract.contract == "NT":
        points = [2 * own for own in points]
    taken = _tricks(match, table, winner)
    valat = taken.index(sum(taken)) if sum(taken) in taken else None
    return settle(match, contract, tuple(points), valat, table["hanging"]), valat
