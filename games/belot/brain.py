"""What the search knows of Belot: how the cards may lie behind the calls, and what a card leads to."""

from math import prod
from typing import NamedTuple

from games.belot.bot import BelotBot, read_auction
from games.belot.calling import choose_call, gains
from games.belot.rules import sampling
from games.belot.rules.declarations import counting_side, open_declarations
from games.belot.rules.pack import BELOT, points_of_cards, winner_of
from games.belot.rules.scoring import settle
from games.belot.rules.state import Contract, Match
from games.belot.simulation import HIGHER, World, best_play, cards_under, play_out
from games.kit.cards import SUITS
from games.kit.search import Brain, lead, likelier, one_of_equals
from games.kit.tricks import cards_played

BATCH = 8  # worlds dealt at a time
CHOICE = 3  # deals for each world, of which the one is taken that explains the calls
OPEN_CARDS = {2: 8, 3: 10, 4: 12}  # by seats: so few cards in all hands are played as well as can be
CARD_POINT = 0.01  # match points that a point is worth beside what it is rounded to
BID_ON = {"J": 3.0, "9": 1.7}  # how much likelier a seat holds these cards of a suit that it has bid, than if not
BID_ON_ALL = {"J": 1.6, "9": 1.2}  # in each suit, if it has bid all trumps
BID_ON_NONE = {"A": 1.7, "T": 1.2}
PASSED = 0.5  # how much less likely a seat holds J and 9 of a suit that it might have bid and never did


class Dealt(NamedTuple):
    """A world and what its deal comes to beside the cards."""

    world: World
    declared: list  # all Declarations, those still to be made as well
    settlements: "Settlements"


class Settlements:
    """What a deal is worth to a seat, by what the sides have made of it. Each is worked out once."""

    def __init__(self, table, side=None):
        """table: of any seat, in the play. side: whose worth it is; that of the seat without it."""
        self.match = Match(table["seats"], **table["options"])
        self.contract = Contract(**table["contract"])
        self.hanging = table["hanging"]
        self.side = table["seat"] % self.match.sides if side is None else side
        self.known = {}

    def worth(self, points, tricks, declared):
        """By how many match points the side is ahead of the mean of the others, and a little for every point.

        points, tricks: by side, declarations not among them. declared: all Declarations of the deal.
        """
        sides, total = self.match.sides, sum(tricks)
        counted = [0] * sides
        if declared:
            side = counting_side(declared, tricks, sides)
            if side is not None:
                counted[side] = sum(each.points for each in declared if each.seat % sides == side)
        key = (*points, *counted, tricks.index(total) if total in tricks else -1)
        if key not in self.known:
            self.known[key] = self._worth(points, counted, tricks)
        return self.known[key]

    def _worth(self, points, counted, tricks):
        total, side = sum(tricks), self.side
        both = [own + more for own, more in zip(points, counted, strict=True)]
        if self.contract.contract == "NT":
            both = [2 * own for own in both]
        valat = tricks.index(total) if total in tricks else None
        gains = settle(self.match, self.contract, tuple(both), valat, self.hanging).mp
        return lead(gains, side) + CARD_POINT * lead(both, side)


class BelotBrain(Brain):
    """Searches for cards. Calls come from a table of what they gain, declarations from the rule of thumb."""

    def __init__(self):
        self.rule = BelotBot()

    def rule_move(self, table, moves, rng):
        if table["phase"] == "bid":
            return choose_call(read_auction(table), moves)
        return self.rule.choose(table, without_gifts(table, moves), rng)

    def candidates(self, table, moves, rule_move):
        if rule_move["type"] != "play":
            return [rule_move]
        moves = without_gifts(table, moves)
        announced = {move["card"] for move in moves if "belot" in move}
        world = read_world(table)
        number, worth = world.cards.number, world.cards.worth
        unseen = ~(world.gone | sum(1 << number[card] for card in table["hand"]))

        def as_good(low, high):
            return low >> 3 == high >> 3 and worth[low] == worth[high] and not unseen & HIGHER[low] & ~HIGHER[high - 1]

        plays = [move for move in moves if move["type"] == "play"]
        kept = one_of_equals({number[move["card"]] for move in plays}, as_good, number[rule_move["card"]])
        return [
            move
            for move in plays
            if move == rule_move
            or (
                (number[move["card"]] in kept and move["card"] != rule_move["card"])
                and ("belot" in move or move["card"] not in announced)
            )
        ]

    def estimates(self, table, moves):
        if table["phase"] != "bid":
            return {}
        return gains(read_auction(table), moves)

    def worlds(self, table, rng):
        dealt = dealing(table)
        for state in likely_states(table, rng):
            yield dealt(state)

    def outcome(self, world, move, rng):
        position, settlements, declared = world.world, world.settlements, world.declared
        card = position.cards.number[move["card"]]
        if sum(hand.bit_count() for hand in position.hands) <= OPEN_CARDS[len(position.hands)]:
            return best_play(position, card, lambda points, tricks: settlements.worth(points, tricks, declared))
        return settlements.worth(*play_out(position, card, rng), declared)


def likely_states(table, rng):
    """States without end that the seat whose view `table` is may be in, those that explain the calls more often."""
    explains = _likelihood(table)
    while True:
        states = sampling.sample_many(table, rng, BATCH * CHOICE)
        yield from likelier(states, lambda state: explains(state.hands), CHOICE, rng)


def dealing(table, side=None):
    """A function of a state of the play that makes it `Dealt`. table, side: as for `Settlements`."""
    settlements, base = Settlements(table, side), read_world(table)
    number = base.cards.number
    declares = not table["tricks"] and table["contract"]["contract"] != "NT"

    def dealt(state):
        hands = [sum(1 << number[card] for card in hand) for hand in state.hands]
        more = _still_declared(settlements.match, table, state.hands) if declares else []
        return Dealt(base._replace(hands=hands), [*state.declared, *more], settlements)

    return dealt


def without_gifts(table, moves):
    """The moves but for those that give a rival's trick a ten or more though a lower card of the suit loses as well.

    Play-outs alone would now and then make one: where the contract is lost or won anyway, nearly nothing follows.
    """
    plays, trick = table["trick"]["plays"], cards_played(table["trick"])
    if table["phase"] != "play" or len(plays) < table["seats"] - 1:
        return moves
    contract, seat, sides = table["contract"]["contract"], table["seat"], len(table["sides"])
    taker = plays[winner_of(contract, trick)]["seat"]
    if taker % sides == seat % sides or (sides == 3 and table["contract"]["bidder"] not in (taker, seat)):
        return moves
    worth = points_of_cards(contract)
    cards = {move["card"] for move in moves if move["type"] == "play"}
    losing = [card for card in cards if winner_of(contract, [*trick, card]) < len(trick)]
    least = {suit: min(worth[card] for card in losing if card[1] == suit) for suit in {card[1] for card in losing}}
    gifts = [card for card in losing if worth[card] >= 10 and worth[card] > least[card[1]]]
    return [move for move in moves if move.get("card") not in gifts]


def read_world(table):
    """The `World` that the seat whose view `table` is is in, but for the hands."""
    match = Match(table["seats"], **table["options"])
    contract, bidder = table["contract"]["contract"], table["contract"]["bidder"]
    cards = cards_under(contract)
    trick, leader = cards_played(table["trick"]), table["trick"]["leader"]
    finished = [cards_played(each) for each in table["tricks"]]
    points = [0] * match.sides
    for won, played in zip(table["tricks"], finished, strict=True):
        points[won["winner"] % match.sides] += sum(cards.worth[cards.number[card]] for card in played)
    for belot in table["belots"]:
        points[belot["seat"] % match.sides] += BELOT
    place = winner_of(contract, trick) if trick else 0
    out = sum(1 << number for card, number in cards.number.items() if card not in match.pack)
    return World(
        seat=table["seat"],
        sides=match.sides,
        cards=cards,
        club=match.trumping == "club",
        reply=match.belot_reply == "any",
        bidding=bidder % match.sides,
        hands=[],
        gone=out | sum(1 << cards.number[card] for played in [*finished, trick] for card in played),
        best=cards.number[trick[place]] if trick else 0,
        best_seat=(leader + place) % table["seats"],
        trick=tuple(cards.number[card] for card in trick),
        points=points,
        tricks=table["tricks_won"],
        ten=10 if match.last_trick_ten else 0,
    )


def _still_declared(match, table, hands):
    """What the seats that have not played a card yet declare with these hands."""
    done = {play["seat"] for play in table["trick"]["plays"]} | {each["seat"] for each in table["declared"]}
    return declared_by(match, [() if seat in done else hand for seat, hand in enumerate(hands)])


def declared_by(match, hands):
    """All that these hands, by seat, may declare one after the other, a list."""
    found = []
    for seat, hand in enumerate(hands):
        made = []
        while more := open_declarations(seat, hand, made, match.shared_cards):
            made.append(more[0])
        found += made
    return found


def _likelihood(table):
    """A function explains(hands): how likely the others would have called as they did, up to a factor."""
    played = [set() for _ in table["hand_counts"]]
    for trick in [*table["tricks"], table["trick"]]:
        for play in trick["plays"]:
            played[play["seat"]].add(play["card"])
    factors, unbid = _read_bids(table)
    others = [seat for seat in range(len(played)) if seat != table["seat"]]

    def explains(hands):
        return prod(_weight(played[seat].union(hands[seat]), factors[seat], unbid[seat]) for seat in others)

    return explains


def _read_bids(table):
    """By seat the factors for the cards that it may hold, and the suits that it has not bid."""
    factors, unbid = [{} for _ in table["hand_counts"]], [set(SUITS) for _ in table["hand_counts"]]
    for call in table["calls"]:
        seat, contract = call["seat"], call.get("contract")
        if contract in ("NT", "AT"):
            on_all = BID_ON_NONE if contract == "NT" else BID_ON_ALL
            factors[seat] |= {rank + suit: factor for rank, factor in on_all.items() for suit in SUITS}
            unbid[seat].clear()
        elif contract:
            factors[seat] |= {rank + contract: factor for rank, factor in BID_ON.items()}
            unbid[seat].discard(contract)
    return factors, unbid


def _weight(hand, factors, unbid):
    """How likely a seat that was dealt this set of cards would have called as it did."""
    weight = prod(factor for card, factor in factors.items() if card in hand)
    return weight * PASSED ** sum("J" + suit in hand and "9" + suit in hand for suit in unbid)
