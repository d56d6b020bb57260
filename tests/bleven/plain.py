"""Bleven a second time, slow and plain, to check the first by. It shares no code with games.bleven.rules.

A round is one function that reads like the rules: where a seat has to decide it takes the next move of the list, and
where the list ends it stops. Every question is answered by playing the round again.

    python -m tests.bleven.plain 4 7 crowns=2 counter=double > tests/data/bleven/matches/NAME.json

prints a random match with these seats, this random seed and these options, the others as by default, as a record,
worked out by this program. With version=1 it is one by that version of the rules.
"""

import random
import sys

from tests.kit.recording import record_of, written

SUITS = "CDHS"
RANKS = "A234567JQK"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
POSITIONS = {
    0: [[]],
    1: [[], [1], [2], [3]],
    2: [[], [1], [2], [3], [1, 2], [1, 3], [2, 3]],
    3: [[], [1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3]],
}
FIRST = {"leave_cost": 1, "counter": "double", "side_changes": "closed", "five": "must", "rounds": 0}
NO_STAKES = {"accepted": 0, "offered": 0, "side_bets": 0}


def strength(card):
    return RANKS.index(card[0]), "HDCS".index(card[1])


def total(cards):
    return sum(RANKS.index(card[0]) + 1 for card in cards)


class Undecided(Exception):
    """The list of moves has ended: somebody has to decide."""


class PlainMatch:
    def __init__(self, seats, moves=(), version=1, **options):
        """options: all that the version of the rules has; version 1 is played with the values FIRST of the others."""
        self.seats = seats
        self.version = version
        self.options = options
        self.terms = FIRST | options
        self.finished = []  # the rounds that are over
        self.round = PlainRound(self, [])
        for move in moves:
            self.make(move)

    def after(self, move):
        match = PlainMatch(self.seats, version=self.version, **self.options)
        match.finished = self.finished[:]
        match.round = PlainRound(match, self.round.moves)
        match.make(move)
        return match

    def make(self, move):
        self.round = PlainRound(self, [*self.round.moves, move])
        if self.round.result:
            self.finished.append(self.round)
            if self.winner() is None:
                self.round = PlainRound(self, [])

    def totals(self):
        return self.finished[-1].totals if self.finished else [0, 0]

    def winner(self):
        return self.finished[-1].match_winner if self.finished else None

    def over(self):
        return self.winner() is not None

    def to_act(self):
        return None if self.over() else self.round.to_act

    def legal_moves(self):
        return [] if self.over() else self.round.legal_moves()

    def standings(self):
        if not self.over():
            return []
        return [
            {
                "seat": seat,
                "team": seat % 2 if self.seats == 4 else None,
                "score": self.totals()[seat % 2],
                "place": place,
            }
            for place, side in ((1, self.winner()), (2, 1 - self.winner()))
            for seat in range(side, self.seats, 2)
        ]

    def events(self, move):
        """What `move` will bring about."""
        return self.after(move).happened()

    def happened(self):
        """What the last move has brought about."""
        told = (self.round if self.round.moves else self.finished[-1]).happened
        return [*told, {"type": "match_over", "standings": self.standings()}] if self.over() else told

    def score_sheet(self):
        return {
            "target": 30 * self.options["crowns"],
            "sides": [
                {
                    "side": side,
                    "seats": list(range(side, self.seats, 2)),
                    "total": stones,
                    "crowns": stones // 30,
                    "stones": stones % 30,
                    "black": stones % 30 // 5,
                    "white": stones % 30 % 5,
                }
                for side, stones in enumerate(self.totals())
            ],
            "rounds": [finished.row() for finished in self.finished],
        }

    def view(self, seat):
        view = {
            "game": "bleven",
            "seat": seat,
            "seats": self.seats,
            "sides": [[0], [1]] if self.seats == 2 else [[0, 2], [1, 3]],
            "options": self.options,
            "to_act": self.to_act(),
            "round": self.round.number,
            "dealer": self.round.dealer,
            "totals": self.totals(),
            "winner": self.winner(),
            "last_round": None,
        }
        if not self.over() and self.round.moves:
            return view | self.round.view(seat)
        if self.finished:
            last = self.finished[-1]
            view["last_round"] = last.row() | {
                "said": last.said,
                "reserves": last.reserves,
                "shown": [sorted(last.fields[s], key=strength) if last.is_seen(s) else None for s in range(self.seats)],
            }
        nobody = [None] * self.seats
        return view | {
            "phase": "over" if self.over() else "deal",
            "pile": 0,
            "hand": [],
            "drawn": None,
            "hand_counts": [0] * self.seats,
            "reserves": [[] for _ in range(self.seats)],
            "status": nobody,
            "faced": nobody,
            "declarer": None,
            "prediction": None,
            "replier": None,
            "answer": None,
            "bet": NO_STAKES | {"room": self.options["max_bet"]},
            "side_offer": None,
            "window": [],
            "tricks": [],
            "won": [0, 0],
            "said": [],
        }


class PlainRound:
    """One round, as far as its moves go, the deal first."""

    def __init__(self, match, moves):
        self.n = match.seats
        self.terms = match.terms
        self.max_bet = match.options["max_bet"]
        self.deduced_miss = match.options["deduced_miss"]
        self.target = 30 * match.options["crowns"]
        self.number = len(match.finished) + 1
        self.dealer = (self.number + self.n - 2) % self.n
        self.cutter = (self.dealer + 1) % self.n
        self.totals = match.totals()
        self.moves = moves
        self.upcoming = iter(moves)

        self.phase, self.to_act = "deal", -1
        self.said, self.happened = [], []
        self.fields = [[] for _ in range(self.n)]
        self.reserves = [[] for _ in range(self.n)]
        self.pile = []
        self.drawn = None
        self.status = ["undecided"] * self.n
        self.declarer = self.prediction = self.replier = self.answer = None
        self.offered = self.accepted = self.side_bets = 0
        self.side_offer = None
        self.window = []
        self.tricks = []
        self.result = self.winner = self.match_winner = None
        self.paid = []
        try:
            self.play()
        except Undecided:
            return
        self.close()

    # The course of a round

    def ask(self, phase, seat):
        """The next move; stops here if there is none."""
        self.phase, self.to_act = phase, seat
        for move in self.upcoming:
            if phase != "deal" and move["type"] not in ("draw", "discard"):
                self.said.append({"seat": seat, **move})
            self.happened = []
            return move
        raise Undecided

    def play(self):
        self.deal()
        self.discard_phase()
        if self.result is None:
            self.prediction_phase()
        if self.result is None:
            self.trick_phase()

    def deal(self):
        deck = self.ask("deal", -1)["deck"]
        self.happened.append(
            {"type": "round_dealt", "round": self.number, "dealer": self.dealer, "cutter": self.cutter}
        )
        for i in range(3 * self.n):
            self.fields[(self.cutter + i) % self.n].append(deck[i])
        self.pile = deck[3 * self.n :]

    def discard_phase(self):
        seat = self.cutter
        while "undecided" in self.status:
            if self.status[seat] == "undecided":
                move = self.ask("turn", seat)
                if move["type"] == "draw":
                    self.drawn = self.pile.pop(0)
                    self.fields[seat].append(self.drawn)
                    self.happened.append({"type": "drew", "seat": seat})
                    card = self.ask("discard", seat)["card"]
                    self.fields[seat].remove(card)
                    self.reserves[seat].append(card)
                    self.drawn = None
                    self.happened.append({"type": "discarded", "seat": seat, "card": card})
                else:
                    self.tell_said()
                    if move["type"] == "declare":
                        self.declarer = seat
                        self.status[seat] = "stayed"
                        self.poll()
                        return
                    self.stay_or_leave(seat, move)
                    if self.result:
                        return
            seat = (seat + 1) % self.n
        able = [s for s in self.around(self.cutter) if self.status[s] == "stayed" and total(self.fields[s]) >= 15]
        if able:
            self.declarer = able[0]
            self.happened.append({"type": "must_declare", "seat": able[0]})
        else:
            self.end("void", None)

    def poll(self):
        for seat in self.around(self.declarer + 1):
            if self.status[seat] == "undecided":
                move = self.ask("poll", seat)
                self.tell_said()
                self.stay_or_leave(seat, move)
                if self.result:
                    return

    def stay_or_leave(self, seat, move):
        self.status[seat] = {"stay": "stayed", "leave": "left"}[move["type"]]
        if {self.status[s] for s in range(seat % 2, self.n, 2)} == {"left"}:
            self.lose("left", seat % 2)

    def prediction_phase(self):
        move = self.ask("predict", self.declarer)
        self.tell_said()
        self.prediction = {"tricks": move["tricks"], "positions": move["positions"]}
        self.offered = move["bet"]
        self.auction()

    def auction(self):
        """From a new prediction to an agreement, or to the end of the round."""
        self.answer = None
        self.replier = self.opponents(self.declarer)[0]
        while True:
            move = self.ask("reply", self.replier)
            self.tell_said()
            if move["type"] == "out":
                if not self.goes_out(self.replier):
                    return
                self.replier = (self.replier + 2) % 4
                continue
            self.offered += move.get("plus", 0)
            if "tricks" in move:
                self.declarer = self.replier
                self.prediction = {"tricks": move["tricks"], "positions": move.get("positions", [])}
                return self.auction()
            self.answer = move["type"]
            if "plus" in move:
                while self.ask("raise", self.declarer)["type"] == "out":
                    self.tell_said()
                    if not self.goes_out(self.declarer):
                        return
                self.tell_said()
            self.accepted = self.offered
            return

    def goes_out(self, seat):
        """Whether the partner can go on; if not the side has lost."""
        self.status[seat] = "out"
        self.window = [s for s in self.window if s != seat]
        if self.n == 4 and self.status[(seat + 2) % 4] == "stayed":
            if self.declarer == seat:
                self.declarer = (seat + 2) % 4
            return True
        self.lose("out", seat % 2)
        return False

    def trick_phase(self):
        if self.n == 4:
            self.lay_open()
        if self.result:
            return
        leader = self.declarer
        for number in (1, 2, 3):
            while self.status[leader] != "stayed":
                leader = (leader + 1) % self.n
            plays = [
                {"seat": s, "card": sorted(self.fields[s], key=strength)[number - 1]}
                for s in self.around(leader)
                if self.status[s] == "stayed"
            ]
            best = max((play["card"] for play in plays), key=strength)
            (winner,) = [play["seat"] for play in plays if play["card"] == best]
            trick = {"leader": leader, "plays": plays, "winner": winner, "side": winner % 2}
            self.tricks.append(trick)
            self.happened.append({"type": "trick_won", "trick": number} | trick)
            leader = winner
            if number < 3:
                self.side_bet_round(winner)
                if self.result:
                    return
        self.score()

    def lay_open(self):
        for seat in range(4):
            if self.status[seat] == "stayed" and total(self.fields[seat]) < 15:
                self.status[seat] = "faced"
                cards = sorted(self.fields[seat], key=strength)
                self.happened.append({"type": "faced", "seat": seat, "cards": cards})
        sides = {seat % 2 for seat in range(4) if self.status[seat] == "stayed"}
        if sides == set():
            self.end("void", None)
        elif sides != {0, 1}:
            self.lose("under15", 1 if sides == {0} else 0)
        elif self.status[self.declarer] == "faced":
            self.declarer = (self.declarer + 2) % 4

    def side_bet_round(self, winner):
        self.window = [s for s in self.around(winner) if self.status[s] == "stayed"]
        while self.window:
            seat = self.window.pop(0)
            if self.side_bets_open(seat) == []:
                continue
            move = self.ask("side_bet", seat)
            self.tell_said()
            if move["type"] == "pass":
                continue
            if "tricks" in move:
                self.declarer = seat
                self.prediction = {"tricks": move["tricks"], "positions": []}
                self.offered += move["bet"]
                self.auction()
            else:
                self.side_offer = {"seat": seat, "bet": move["bet"]}
                while self.ask("side_reply", self.opponents(seat)[0])["type"] == "out":
                    self.tell_said()
                    if not self.goes_out(self.said[-1]["seat"]):
                        return
                self.tell_said()
                self.side_bets += move["bet"]
                self.side_offer = None
            if self.result:
                return

    # Scoring

    def score(self):
        declaring, other = self.declarer % 2, 1 - self.declarer % 2
        points = ("points", declaring, sum(range(self.counted()["tricks"] + self.counted()["positions"] + 1)))
        low = [seat for seat in range(self.n) if total(self.fields[seat]) < 15] if self.n == 2 else []
        if low:
            if low == [other]:
                self.pay(*points)
            self.lose("under15", low[0])
        elif self.right():
            self.pay(*points)
            self.pay("bet", declaring, self.accepted if self.answer == "suspect" else 0)
            self.pay("side_bets", declaring, self.side_bets)
            self.end("played", declaring)
        else:
            if self.answer == "suspect" or self.deduced_miss == "bet":
                self.pay("bet", other, self.accepted)
            self.pay("side_bets", other, self.side_bets)
            self.pay(*points)
            self.end("played", other)

    def lose(self, result, side):
        self.pay("round", 1 - side, self.n // 2 * self.terms["leave_cost"])
        self.pay("bet", 1 - side, self.accepted)
        self.pay("side_bets", 1 - side, self.side_bets)
        if result == "out":
            self.pay("out", 1 - side, self.n // 2)
        self.end(result, 1 - side)

    def pay(self, reason, side, stones):
        if stones:
            self.paid.append({"side": side, "stones": stones, "for": reason})

    def end(self, result, winner):
        self.result, self.winner = result, winner

    def won_by(self, side):
        return [number for number, trick in enumerate(self.tricks, 1) if trick["side"] == side]

    def right(self):
        if len(self.tricks) < 3:
            return None
        return len(self.won_by(self.declarer % 2)) == self.prediction["tricks"]

    def counted(self):
        if len(self.tricks) < 3:
            return None
        correct = [place for place in self.prediction["positions"] if place in self.won_by(self.declarer % 2)]
        return {"tricks": self.prediction["tricks"] if self.right() else 0, "positions": len(correct)}

    def close(self):
        """Book the payments and tell of the end."""
        before, self.totals = self.totals, self.totals[:]
        for payment in self.paid:
            self.totals[payment["side"]] += payment["stones"]
            if self.match_winner is None and self.totals[payment["side"]] >= self.target:
                self.match_winner = payment["side"]
        if self.match_winner is None:
            self.decide_by_rounds()
        row = self.row()
        scored = {key: row[key] for key in ("round", "result", "winner", "right", "paid", "totals")}
        self.happened.append({"type": "round_scored"} | scored)
        for side in (0, 1):
            if self.totals[side] // 30 > before[side] // 30:
                self.happened.append({"type": "crowned", "side": side, "crowns": self.totals[side] // 30})

    def decide_by_rounds(self):
        last = self.terms["rounds"]
        if last == 0 or self.number < last:
            return
        if self.totals[0] > self.totals[1]:
            self.match_winner = 0
        elif self.totals[0] < self.totals[1]:
            self.match_winner = 1
        elif self.number > last:  # level after the round that was added
            self.match_winner = self.dealer % 2 if self.result == "void" else self.winner

    def row(self):
        def received(side, reasons):
            return sum(p["stones"] for p in self.paid if p["side"] == side and p["for"] in reasons)

        every = ("points", "bet", "side_bets", "round", "out")
        return {
            "round": self.number,
            "dealer": self.dealer,
            "result": self.result,
            "winner": self.winner,
            "declarer": self.declarer,
            "prediction": self.prediction,
            "replier": self.replier,
            "answer": self.answer,
            "offered": self.offered,
            "bet": self.accepted,
            "side_bets": self.side_bets,
            "tricks": self.tricks,
            "right": self.right(),
            "counted": self.counted(),
            "points": received(0, ["points"]) + received(1, ["points"]),
            "paid": self.paid,
            "stones": [received(0, every), received(1, every)],
            "totals": self.totals,
            "crowns": [stones // 30 for stones in self.totals],
            "out": [words["seat"] for words in self.said if words["type"] == "out"],
            "left": [words["seat"] for words in self.said if words["type"] == "leave"],
            "faced": [seat for seat in range(self.n) if self.status[seat] == "faced"],
        }

    # Who sits where, what is at stake

    def around(self, first):
        return [(first + i) % self.n for i in range(self.n)]

    def opponents(self, seat):
        return [s for s in self.around(seat) if s % 2 != seat % 2 and self.status[s] == "stayed"]

    def at_stake(self):
        return self.offered + self.side_bets

    def room(self):
        return self.max_bet - self.at_stake()

    def possible(self, side):
        """The numbers of tricks that a side may still end with."""
        won = len(self.won_by(side))
        return list(range(won, won + 3 - len(self.tricks) + 1))

    # Moves

    def side_bets_open(self, seat):
        if self.terms["side_changes"] == "open":
            own = seat % 2 == self.declarer % 2
            numbers = [
                tricks for tricks in self.possible(seat % 2) if not (own and tricks == self.prediction["tricks"])
            ]
            stones = range(1, self.room() + 1)
            return [{"type": "side_bet", "bet": bet} for bet in stones] + [
                {"type": "side_bet", "bet": bet, "tricks": tricks} for bet in stones for tricks in numbers
            ]
        alive = self.prediction["tricks"] in self.possible(self.declarer % 2)
        bets = [{"type": "side_bet", "bet": bet} for bet in range(1, self.room() + 1) if alive]
        for bet in range(self.at_stake(), self.room() + 1):
            for tricks in self.possible(seat % 2):
                raises = seat % 2 == self.declarer % 2 and alive and tricks > self.prediction["tricks"]
                takes_over = seat % 2 != self.declarer % 2 and not alive
                if raises or takes_over:
                    bets.append({"type": "side_bet", "bet": bet, "tricks": tricks})
        return bets

    def legal_moves(self):
        if self.phase == "deal":
            return [{"type": "deal", "deck": PACK}]
        seat = self.to_act
        if self.phase == "turn":
            kinds = ["draw"] if len(self.reserves[seat]) < 5 else ["stay", "leave"]
            if len(self.reserves[seat]) >= 5 and self.terms["five"] == "may" and self.pile:
                kinds.insert(0, "draw")
            kinds += ["declare"] if total(self.fields[seat]) >= 15 else []
            return [{"type": kind} for kind in kinds]
        if self.phase == "discard":
            return [{"type": "discard", "card": card} for card in sorted(self.fields[seat], key=strength)]
        if self.phase == "predict":
            return [
                {"type": "predict", "bet": bet, "tricks": tricks, "positions": positions}
                for bet in range(1, self.max_bet + 1)
                for tricks in (0, 1, 2, 3)
                for positions in POSITIONS[tricks]
            ]
        if self.phase == "reply":
            return self.replies(seat % 2)
        if self.phase == "side_bet":
            return [*self.side_bets_open(seat), {"type": "pass"}]
        kinds = {
            "poll": ("stay", "leave"),
            "raise": ("in", "out") if self.tricks else ("accept", "out"),
            "side_reply": ("in", "out"),
        }[self.phase]
        return [{"type": kind} for kind in kinds]

    def replies(self, side):
        both = ("deduce", "suspect")
        moves = [{"type": kind} for kind in both]
        for kind in both:
            moves += [{"type": kind, "plus": plus} for plus in range(1, self.room() + 1)]
        for kind in both:
            for plus in self.counter_stones():
                for tricks in self.possible(side):
                    for positions in [[]] if self.tricks else POSITIONS[tricks]:
                        move = {"type": kind, "plus": plus, "tricks": tricks}
                        if self.tops(tricks, positions, free=plus == 0):
                            moves.append(move if self.tricks else move | {"positions": positions})
        return [*moves, {"type": "out"}]

    def counter_stones(self):
        if self.terms["counter"] == "double":
            return range(self.at_stake(), self.room() + 1)
        return range(1, self.room() + 1) if self.room() else [0]

    def tops(self, tricks, positions, free):
        """Whether a counter-prediction says enough, for stones or for free."""
        more = tricks - self.prediction["tricks"]
        if free:
            return more > 0 or (more == 0 and len(positions) > len(self.prediction["positions"]))
        return more >= 0

    # View

    def tell_said(self):
        move = {key: value for key, value in self.said[-1].items() if key != "seat"}
        self.happened.append({"type": "said", "seat": self.said[-1]["seat"], "move": move})

    def is_seen(self, seat):
        played = [play for trick in self.tricks for play in trick["plays"] if play["seat"] == seat]
        return self.status[seat] == "faced" or len(played) == 3

    def view(self, seat):
        played = [play["card"] for trick in self.tricks for play in trick["plays"]]
        hands = [
            [card for card in sorted(field, key=strength) if card not in played and self.status[s] != "faced"]
            for s, field in enumerate(self.fields)
        ]
        return {
            "phase": self.phase,
            "pile": len(self.pile),
            "hand": [] if seat is None else hands[seat],
            "drawn": self.drawn if seat == self.to_act else None,
            "hand_counts": [len(hand) for hand in hands],
            "reserves": self.reserves,
            "status": self.status,
            "faced": [
                sorted(field, key=strength) if self.status[s] == "faced" else None
                for s, field in enumerate(self.fields)
            ],
            "declarer": self.declarer,
            "prediction": self.prediction,
            "replier": self.replier,
            "answer": self.answer,
            "bet": {
                "accepted": self.accepted,
                "offered": self.offered,
                "side_bets": self.side_bets,
                "room": self.room(),
            },
            "side_offer": self.side_offer,
            "window": self.window,
            "tricks": self.tricks,
            "won": [len(self.won_by(0)), len(self.won_by(1))],
            "said": self.said,
        }


DEFAULTS = {"crowns": 1, "max_bet": 10, "deduced_miss": "nothing"}
SECOND = {"counter": "any", "side_changes": "closed", "five": "must", "rounds": 60}


def random_record(seats, seed, version, **chosen):
    rng = random.Random(seed)
    defaults = DEFAULTS if version == 1 else DEFAULTS | {"leave_cost": 4 if seats == 2 else 2} | SECOND
    options = defaults | chosen
    match, moves = PlainMatch(seats, version=version, **options), []
    while not match.over():
        legal = match.legal_moves()
        if legal[0]["type"] == "deal":
            moves.append({"type": "deal", "deck": rng.sample(PACK, 40)})
        else:
            kinds = list(dict.fromkeys(move["type"] for move in legal))  # not many of a kind for its many numbers
            if rng.random() < 0.7:  # rounds that are not given up
                kinds = [kind for kind in kinds if kind not in ("leave", "out")]
            kind = rng.choice(kinds)
            legal = [move for move in legal if move["type"] == kind]
            moves.append(legal[int(len(legal) * rng.random() ** 3)])  # mostly low bets, which leave room for more
        match.make(moves[-1])
    return record_of("Bleven", seats, options, moves, match) | {"rules_version": version}


def read(option):
    name, value = option.split("=")
    return name, int(value) if value.isdigit() else value


if __name__ == "__main__":
    seats, seed, *options = sys.argv[1:]
    print(written(random_record(int(seats), int(seed), **{"version": 2} | dict(map(read, options)))), end="")
