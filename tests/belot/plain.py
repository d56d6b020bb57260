"""Belot a second time, slow and plain, to check the first by. It shares no code with games.belot.rules.

A deal is played again from its shuffle for every question about it.

    python -m tests.belot.plain 4 7 target=51 kirtik=true > tests/data/belot/matches/NAME.json

prints a random match with these seats, random seed and options as a record, worked out by this program.
"""

import random
import sys

from tests.kit.recording import record_of, written

DEFAULTS = {
    "target": 151,
    "deal": "3+2+3",
    "dealer_pass": "free",
    "third_double": False,
    "trumping": "always",
    "shared_cards": False,
    "belot_reply": "partner",
    "last_trick_ten": True,
    "hanging": True,
    "kirtik": False,
}
BIDS = ["C", "D", "H", "S", "NT", "AT"]
TRUMP_ORDER = "J9ATKQ87"  # high to low, here and below
PLAIN_ORDER = "ATKQJ987"
RUN_ORDER = "AKQJT987"
SQUARE_ORDER = "J9AKQT"
TRUMP_WORTH = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}


def pack_of(seats):
    return [rank + suit for suit in "CDHS" for rank in ("789TJQKA" if seats == 4 else "9TJQKA")]


def is_trump(card, contract):
    return contract == "AT" or card[1] == contract


def worth(card, contract):
    return (TRUMP_WORTH if is_trump(card, contract) else PLAIN_WORTH)[card[0]]


def beats(card, other, contract):
    """Whether a card played later beats one that is winning the trick."""
    if card[1] == other[1]:
        order = TRUMP_ORDER if is_trump(card, contract) else PLAIN_ORDER
        return order.index(card[0]) < order.index(other[0])
    return card[1] == contract


def declarations_of(hand, declared, shared):
    """(kind, cards) of what a seat with this hand may declare, having declared those before."""
    squares_from = [card for card in hand if not any(card in c for k, c in declared if k == "square" or not shared)]
    runs_from = [card for card in hand if not any(card in c for k, c in declared if k != "square" or not shared)]
    found = []
    for rank in SQUARE_ORDER:
        four = [rank + suit for suit in "CDHS"]
        if all(card in squares_from for card in four):
            found.append(("square", four))
    for suit in "CDHS":
        marks = "".join(rank if rank + suit in runs_from else " " for rank in RUN_ORDER)
        for run in marks.split():
            if len(run) >= 3:
                kind = "tierce" if len(run) == 3 else "quarte" if len(run) == 4 else "quint"
                found.append((kind, [rank + suit for rank in reversed(run[:5])]))
    return found


def declaration_points(kind, cards):
    if kind == "square":
        return {"J": 200, "9": 150}.get(cards[0][0], 100)
    return {"tierce": 20, "quarte": 50, "quint": 100}[kind]


def declaration_rank(kind, cards):
    """The greater, the higher."""
    if kind == "square":
        return [100 - SQUARE_ORDER.index(cards[0][0])]
    return [len(cards), -RUN_ORDER.index(cards[-1][0])]


def settle(options, n, contract, points, tricks, hanging):
    """What is written for the points of a deal. n: how many sides. tricks: by side. hanging: from before."""
    sides = range(n)
    contract, bidder, level = contract
    bidding = bidder % n
    mine, others = points[bidding], sum(points[side] for side in sides if side != bidding)
    if mine == others and options["hanging"]:
        outcome = "hanging"
    else:
        outcome = "made" if mine > others else "inside"
    limit = {"NT": 5, "AT": 4}.get(contract, 6)

    def down(amount):
        return amount // 10 + (1 if amount % 10 > limit else 0)

    def up(amount):
        return amount // 10 + (1 if amount % 10 >= limit else 0)

    def rounded(amount, amounts):
        alone_highest = sorted(amounts)[-1] == amount and amounts.count(amount) == 1
        return down(amount) if alone_highest else up(amount)

    # the defenders, the one who gets what is odd first
    defenders = [side for side in [(bidding + 1) % n, (bidding + 2) % n] if side != bidding]
    if len(defenders) == 2 and points[defenders[1]] > points[defenders[0]]:
        defenders.reverse()

    def halves(amount):
        if len(defenders) == 1:
            return {defenders[0]: amount}
        return {defenders[0]: (amount + 1) // 2, defenders[1]: amount // 2}

    mp, pot, marks, left = [0] * n, [0] * n, ["number"] * n, 0
    whole = down(sum(points))
    if outcome == "made":
        if level == 1:
            mp = [rounded(amount, points) for amount in points]
        else:
            mp[bidding] = whole * level
            marks = ["number" if side == bidding else "dash" for side in sides]
        pot[bidding] = hanging
    elif outcome == "inside":
        marks[bidding] = "dash"
        if len(defenders) == 1:
            mp[defenders[0]] = whole * level
        else:
            shares = {side: points[side] + half for side, half in halves(mine).items()}
            for side in defenders:
                mp[side] = rounded(shares[side], list(shares.values())) * level
        for side, half in halves(hanging).items():
            pot[side] = half
    else:
        if level == 1:
            mp = [0 if side == bidding else down(points[side]) for side in sides]
            marks[bidding] = "hanging"
            left = hanging + up(mine)
        else:
            marks = ["hanging"] * n
            left = hanging + whole * level

    valat = next((side for side in sides if tricks[side] == sum(tricks)), None)
    kirtik = [0] * n
    if options["kirtik"]:
        for side in sides:
            committed = side == bidding or level > 1
            won = (outcome == "made" and side == bidding) or (outcome == "inside" and side != bidding)
            if (committed and not won) or (valat is not None and side != valat):
                kirtik[side] = -10
    mp = [mp[side] + pot[side] + kirtik[side] + (9 if side == valat else 0) for side in sides]
    settled = {"outcome": outcome, "valat": valat, "pot": pot, "kirtik": kirtik}
    return settled | {"marks": marks, "mp": mp, "hanging": left}


class PlainDeal:
    def __init__(self, seats, options, number, dealer, moves=()):
        self.seats, self.options, self.number, self.dealer = seats, options, number, dealer
        self.sides = 3 if seats == 3 else 2
        self.moves = list(moves)
        self.phase = "deal"
        self.turn = -1
        self.hands = [[] for _ in range(seats)]
        self.face_down = []
        self.calls = []
        self.contract = None  # [contract, bidder, level]
        self.leader = None
        self.plays = []  # (seat, card) of the trick in progress
        self.tricks = []  # (leader, plays, winner)
        self.declared = []  # (seat, kind, cards)
        self.belots = []  # (seat, suit)
        self.told = []  # events of the last move, but for the scoring
        for move in moves:
            self.told = []
            getattr(self, "do_" + move["type"])(move)

    def after(self, move):
        return PlainDeal(self.seats, self.options, self.number, self.dealer, [*self.moves, move])

    def in_turn(self):
        return [(self.dealer + 1 + i) % self.seats for i in range(self.seats)]

    def side(self, seat):
        return seat % 2 if self.seats == 4 else seat

    def partner(self, seat):
        return (seat + 2) % 4 if self.seats == 4 else None

    def give(self, count):
        for seat in self.in_turn():
            self.hands[seat] += self.face_down[:count]
            self.face_down = self.face_down[count:]

    def held(self, seat):
        return [card for card in pack_of(self.seats) if card in self.hands[seat]]

    # moves

    def do_deal(self, move):
        self.face_down = list(move["deck"])
        for packet in self.options["deal"].split("+")[:2]:
            self.give(int(packet))
        self.phase, self.turn = "bid", self.in_turn()[0]
        self.told.append({"type": "hand_dealt", "deal": self.number, "dealer": self.dealer})

    def called(self, **call):
        self.calls.append({"seat": self.turn, **call})
        self.told.append({"type": "called", "seat": self.turn, **call})
        self.turn = (self.turn + 1) % self.seats
        passes = 0
        while passes < len(self.calls) and self.calls[-1 - passes]["call"] == "pass":
            passes += 1
        if self.contract is None:
            if passes == self.seats:
                self.phase = "passed"
                self.told.append({"type": "passed_out", "deal": self.number, "dealer": self.dealer})
            return
        top = 8 if self.options["third_double"] else 4
        if passes == self.seats - 1 or (self.contract[0] == "AT" and self.contract[2] == top):
            self.give(int(self.options["deal"][-1]))
            self.phase, self.turn, self.leader = "play", self.in_turn()[0], self.in_turn()[0]
            self.told.append({"type": "bidding_closed", **self.contract_told()})

    def do_pass(self, move):
        self.called(call="pass")

    def do_bid(self, move):
        self.contract = [move["contract"], self.turn, 1]
        self.called(call="bid", contract=move["contract"])

    def do_double(self, move):
        self.contract[2] = 2
        self.called(call="double")

    def do_redouble(self, move):
        self.contract[2] = 4
        self.called(call="redouble")

    def do_surcontre(self, move):
        self.contract[2] = 8
        self.called(call="surcontre")

    def do_declare(self, move):
        points = declaration_points(move["kind"], move["cards"])
        self.declared.append((self.turn, move["kind"], move["cards"]))
        self.told.append({"type": "declared", "seat": self.turn, "kind": move["kind"], "points": points})

    def do_play(self, move):
        seat, card = self.turn, move["card"]
        if "belot" in move:
            self.belots.append((seat, card[1]))
            self.told.append({"type": "belot", "seat": seat, "suit": card[1]})
        elif card[0] in "KQ" and (seat, card[1]) in self.belots:
            self.told.append({"type": "rebelot", "seat": seat, "suit": card[1]})
        self.told.append({"type": "card_played", "seat": seat, "card": card})
        self.hands[seat].remove(card)
        self.plays.append((seat, card))
        self.turn = (seat + 1) % self.seats
        if len(self.plays) == self.seats:
            self.turn = self.winning()[0]
            self.tricks.append((self.leader, self.plays, self.turn))
            plays = self.plays_told(self.plays)
            self.told.append({"type": "trick_won", "seat": self.turn, "trick": len(self.tricks), "plays": plays})
            self.leader, self.plays = self.turn, []
            if not self.hands[self.turn]:
                self.phase = "scored"

    def winning(self):
        """(seat, card) that is winning the trick in progress."""
        best = self.plays[0]
        for play in self.plays[1:]:
            if beats(play[1], best[1], self.contract[0]):
                best = play
        return best

    # legal moves

    def legal_moves(self):
        if self.phase == "deal":
            return [{"type": "deal", "deck": pack_of(self.seats)}]
        return self.legal_calls() if self.phase == "bid" else self.legal_declarations() + self.legal_plays()

    def legal_calls(self):
        moves = []
        bound = self.turn == self.dealer and self.contract is None and self.options["dealer_pass"] != "free"
        points = sum(worth(card, "NT") for card in self.hands[self.turn])
        if not bound or (self.options["dealer_pass"] == "seven" and points <= 7):
            moves.append({"type": "pass"})
        contract, bidder, level = self.contract or (None, None, None)
        moves += [{"type": "bid", "contract": bid} for bid in BIDS[BIDS.index(contract) + 1 if contract else 0 :]]
        if contract:
            ours = self.side(bidder) == self.side(self.turn)
            if level == 1 and not ours:
                moves.append({"type": "double"})
            elif level == 2 and ours:
                moves.append({"type": "redouble"})
            elif level == 4 and not ours and self.options["third_double"]:
                moves.append({"type": "surcontre"})
        return moves

    def legal_declarations(self):
        if self.tricks or self.contract[0] == "NT":
            return []
        before = [(kind, cards) for seat, kind, cards in self.declared if seat == self.turn]
        open_ones = declarations_of(self.hands[self.turn], before, self.options["shared_cards"])
        return [{"type": "declare", "kind": kind, "cards": cards} for kind, cards in open_ones]

    def legal_plays(self):
        moves = []
        for card in self.held(self.turn):
            if self.may_play(card):
                moves.append({"type": "play", "card": card})
                if self.may_announce(card):
                    moves.append({"type": "play", "card": card, "belot": True})
        return moves

    def may_play(self, card):
        if not self.plays:
            return True
        hand, contract, led = self.hands[self.turn], self.contract[0], self.plays[0][1][1]
        winner, winning = self.winning()
        following = [held for held in hand if held[1] == led]
        if following:
            if card[1] != led:
                return False
            if is_trump(card, contract) and any(beats(held, winning, contract) for held in following):
                return beats(card, winning, contract)
            return True
        trumps = [held for held in hand if held[1] == contract]
        if contract in ("NT", "AT") or not trumps:
            return True
        if self.options["trumping"] == "always":
            return card in trumps
        if winner == self.partner(self.turn):
            return True
        if winning[1] != contract:
            return card in trumps
        over = [held for held in trumps if beats(held, winning, contract)]
        return card in over if over else True

    def may_announce(self, card):
        contract, hand = self.contract[0], self.hands[self.turn]
        pair = ["K" + card[1], "Q" + card[1]]
        if card not in pair or not is_trump(card, contract) or not all(one in hand for one in pair):
            return False
        if not self.plays:
            return True
        led_by, led = self.plays[0]
        if led[1] != card[1]:
            return contract != "AT"
        return self.options["belot_reply"] == "any" or led_by == self.partner(self.turn)

    # scoring

    def row(self, totals, hanging):
        """The row of the score sheet. totals, hanging: before this deal."""
        contract, bidder, level = self.contract
        sides = range(self.sides)
        tricks = [len([1 for *_, winner in self.tricks if self.side(winner) == side]) for side in sides]
        cards = [
            sum(worth(c, contract) for _, plays, winner in self.tricks if self.side(winner) == side for _, c in plays)
            for side in sides
        ]
        last = self.side(self.tricks[-1][2])
        declarations = [
            sum(declaration_points(kind, cs) for seat, kind, cs in self.declared if self.side(seat) == side)
            if side == self.counting()
            else 0
            for side in sides
        ]
        belots = [20 * len([1 for seat, _ in self.belots if self.side(seat) == side]) for side in sides]
        points = [cards[side] + declarations[side] + belots[side] for side in sides]
        if self.options["last_trick_ten"]:
            points[last] += 10
        if contract == "NT":
            points = [2 * amount for amount in points]

        settled = settle(self.options, self.sides, self.contract, points, tricks, hanging)
        return {
            "deal": self.number,
            "dealer": self.dealer,
            "contract": contract,
            "bidder": bidder,
            "level": level,
            "tricks": tricks,
            "cards": cards,
            "last_trick": last,
            "declarations": declarations,
            "belots": belots,
            "points": points,
            "totals": [totals[side] + settled["mp"][side] for side in sides],
            **settled,
        }

    def counting(self):
        """The side whose declarations count, or None."""
        squares = [each for each in self.declared if each[1] == "square"]
        best = max([declaration_rank(kind, cards) for _, kind, cards in squares or self.declared], default=None)
        sides = {
            self.side(seat) for seat, kind, cards in squares or self.declared if declaration_rank(kind, cards) == best
        }
        if len(sides) != 1:
            return None
        (side,) = sides
        return side if any(self.side(winner) == side for *_, winner in self.tricks) else None

    # telling

    def contract_told(self):
        contract, bidder, level = self.contract
        return {"contract": contract, "bidder": bidder, "level": level}

    def plays_told(self, plays):
        return [{"seat": seat, "card": card} for seat, card in plays]

    def tricks_told(self):
        return [
            {"leader": leader, "plays": self.plays_told(plays), "winner": winner}
            for leader, plays, winner in self.tricks
        ]

    def belots_told(self):
        return [{"seat": seat, "suit": suit} for seat, suit in self.belots]

    def declared_told(self, seat):
        """As this seat knows it in the first trick and after."""
        return [
            {
                "seat": other,
                "kind": kind,
                "points": declaration_points(kind, cards),
                "cards": cards if other == seat else None,
            }
            for other, kind, cards in self.declared
        ]

    def declared_shown(self):
        return [
            {
                "seat": seat,
                "kind": kind,
                "points": declaration_points(kind, cards),
                "cards": cards,
                "counted": self.side(seat) == self.counting(),
            }
            for seat, kind, cards in self.declared
        ]


class PlainMatch:
    def __init__(self, seats, moves=(), **options):
        self.seats = seats
        self.options = DEFAULTS | ({"deal": "3+3+3"} if seats == 2 else {}) | options
        self.ended = []  # deals, in order
        self.now = PlainDeal(seats, self.options, 1, seats - 1)
        for move in moves:
            self.make(move)

    def make(self, move):
        self.now = self.now.after(move)
        if self.now.phase in ("passed", "scored"):
            self.ended.append(self.now)
            self.now = PlainDeal(self.seats, self.options, self.now.number + 1, (self.now.dealer + 1) % self.seats)

    def after(self, move):
        match = PlainMatch(self.seats, **self.options)
        match.ended, match.now = list(self.ended), self.now
        match.make(move)
        return match

    def rows(self):
        rows, totals, hanging = [], [0] * self.now.sides, 0
        for deal in self.ended:
            if deal.phase == "scored":
                rows.append(deal.row(totals, hanging))
                totals, hanging = rows[-1]["totals"], rows[-1]["hanging"]
        return rows

    def totals(self):
        return [0] * self.now.sides if not self.rows() else self.rows()[-1]["totals"]

    def hanging(self):
        return 0 if not self.rows() else self.rows()[-1]["hanging"]

    def over(self):
        if not self.ended or self.ended[-1].phase == "passed" or self.now.moves:
            return False
        row = self.rows()[-1]
        first, second = sorted(row["totals"], reverse=True)[:2]
        return first >= self.options["target"] and first > second and row["valat"] is None

    def to_act(self):
        return None if self.over() else self.now.turn

    def legal_moves(self):
        return [] if self.over() else self.now.legal_moves()

    def sides(self):
        return {2: [[0], [1]], 3: [[0], [1], [2]], 4: [[0, 2], [1, 3]]}[self.seats]

    def standings(self):
        if not self.over():
            return []
        totals = self.totals()
        return [
            {
                "seat": seat,
                "team": side if self.seats == 4 else None,
                "score": total,
                "place": 1 + len([1 for other in totals if other > total]),
            }
            for total in sorted(set(totals), reverse=True)
            for side in range(len(totals))
            if totals[side] == total
            for seat in self.sides()[side]
        ]

    def score_sheet(self):
        return {
            "game": "belot",
            "seats": self.seats,
            "sides": self.sides(),
            "target": self.options["target"],
            "rows": self.rows(),
            "hanging": self.hanging(),
            "totals": self.totals(),
        }

    def view(self, seat):
        deal, over = self.now, self.over()
        shown = self.ended[-1] if over else deal
        started = deal.phase != "deal"
        tricks_won = [0] * deal.sides
        for *_, winner in deal.tricks:
            tricks_won[deal.side(winner)] += 1
        return {
            "game": "belot",
            "seat": seat,
            "seats": self.seats,
            "sides": self.sides(),
            "options": self.options,
            "phase": "over" if over else deal.phase,
            "to_act": self.to_act(),
            "deal_number": shown.number,
            "dealer": shown.dealer,
            "pack": len(deal.face_down),
            "hand": [] if seat is None else deal.held(seat),
            "hand_counts": [len(hand) for hand in deal.hands],
            "calls": deal.calls,
            "contract": deal.contract_told() if deal.contract else None,
            "trick": {"leader": deal.leader, "plays": deal.plays_told(deal.plays)},
            "tricks": deal.tricks_told(),
            "tricks_won": tricks_won,
            "declared": deal.declared_told(seat),
            "belots": deal.belots_told(),
            "hanging": self.hanging(),
            "totals": self.totals(),
            "last_hand": self.last_hand() if self.ended and not started else None,
        }

    def last_hand(self):
        deal = self.ended[-1]
        if deal.phase == "passed":
            return {"deal": deal.number, "dealer": deal.dealer, "outcome": "passed", "calls": deal.calls}
        return {
            **self.rows()[-1],
            "calls": deal.calls,
            "declared": deal.declared_shown(),
            "announced": deal.belots_told(),
            "played": deal.tricks_told(),
        }

    def events(self, move):
        """What is seen when this move is made."""
        after = self.after(move)
        deal = after.now if after.now.moves else after.ended[-1]
        events = list(deal.told)
        if deal.phase == "scored":
            events.append({"type": "hand_scored", **after.rows()[-1], "declared": deal.declared_shown()})
        if after.over():
            events.append({"type": "match_over", "standings": after.standings()})
        return events


def random_record(seats, seed, options):
    rng = random.Random(seed)
    match, moves = PlainMatch(seats, **options), []
    while not match.over():
        legal = match.legal_moves()
        if legal[0]["type"] == "deal":
            legal = [{"type": "deal", "deck": rng.sample(legal[0]["deck"], len(legal[0]["deck"]))}]
        if legal[0]["type"] == "pass" and rng.random() < 0.5:
            legal = legal[:1]  # or every bidding would end in all trumps
        moves.append(rng.choice(legal))
        match.make(moves[-1])
    return record_of("Belot", seats, options, moves, match)


if __name__ == "__main__":
    seats, seed, *chosen = sys.argv[1:]
    words = {"true": True, "false": False, "151": 151, "101": 101, "51": 51}
    options = {name: words.get(value, value) for name, value in (option.split("=") for option in chosen)}
    print(written(random_record(int(seats), int(seed), options)), end="")
