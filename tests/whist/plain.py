"""Whist a second time, slow and plain, to check the first by. It shares no code with tests.whist.rules.

Writes the record of a random match, by version and seed:

    python -m tests.whist.plain 2 7 > tests/data/whist/matches/NAME.json
"""

import random
import sys

from tests.kit.recording import record_of, written

PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


class PlainMatch:
    """A match as the list of its moves, worked out anew for every question."""

    def __init__(self, seats=4, *, deals, moves=(), version=1):
        self.deals, self.moves, self.version = deals, list(moves), version
        self.rows = []  # of the score sheet
        self.phase, self.turned, self.hands, self.tricks, self.leader, self.trick = "deal", None, [[]] * 4, [], None, []
        for move in moves:
            self._make(move)

    def _make(self, move):
        if move["type"] == "deal":
            self.phase, self.leader, self.trick, self.tricks = "play", len(self.rows) % 4, [], []
            self.turned, self.hands = move["deck"][24], [[], [], [], []]
            for place in range(24):
                self.hands[(self.leader + place) % 4].append(move["deck"][place])
            return
        seat = self.to_act()
        self.hands[seat].remove(move["card"])
        self.trick.append({"seat": seat, "card": move["card"]})
        if len(self.trick) == 4:
            self._end_trick()

    def _end_trick(self):
        cards = [play["card"] for play in self.trick]
        trumps = [card for card in cards if card[1] == self.turned[1]]
        best = max(trumps or [card for card in cards if card[1] == cards[0][1]], key=PACK.index)
        winner = self.trick[cards.index(best)]["seat"]
        self.tricks.append({"leader": self.leader, "plays": self.trick, "winner": winner})
        self.leader, self.trick = winner, []
        if len(self.tricks) < 6:
            return
        taken = [len([trick for trick in self.tricks if trick["winner"] % 2 == side]) for side in (0, 1)]
        points = taken if self.version == 2 else [count - 3 if count > 3 else 0 for count in taken]
        self.rows.append({"deal": len(self.rows) + 1, "trump": self.turned[1], "tricks": taken, "points": points})
        self.phase, self.turned, self.leader = "deal" if len(self.rows) < self.deals else "over", None, None

    def after(self, move):
        return PlainMatch(deals=self.deals, moves=[*self.moves, move], version=self.version)

    def to_act(self):
        return {"deal": -1, "over": None}.get(self.phase, ((self.leader or 0) + len(self.trick)) % 4)

    def legal_moves(self):
        if self.phase == "deal":
            return [{"type": "deal", "deck": PACK}]
        if self.phase == "over":
            return []
        hand = sorted(self.hands[self.to_act()], key=PACK.index)
        following = [card for card in hand if self.trick and card[1] == self.trick[0]["card"][1]]
        return [{"type": "play", "card": card} for card in following or hand]

    def score_sheet(self):
        totals = [sum(row["points"][side] for row in self.rows) for side in (0, 1)]
        return {"deals": self.rows, "total": self.deals, "totals": totals}

    def standings(self):
        if self.phase != "over":
            return []
        totals = self.score_sheet()["totals"]
        order = [0, 1] if totals[0] >= totals[1] else [1, 0]
        return [
            {"seat": seat, "team": side, "score": totals[side], "place": 1 if totals[side] == max(totals) else 2}
            for side in order
            for seat in (side, side + 2)
        ]

    def view(self, seat):
        number = len(self.rows) + (self.phase != "over")
        return {
            "seat": seat,
            "seats": 4,
            "phase": self.phase,
            "to_act": self.to_act(),
            "deal": number,
            "dealer": (number + 2) % 4,
            "turned": self.turned,
            "hand": [] if seat is None else sorted(self.hands[seat], key=PACK.index),
            "hand_counts": [len(hand) for hand in self.hands],
            "trick": {"leader": self.leader, "plays": self.trick},
            "tricks": self.tricks,
            "score_sheet": self.score_sheet(),
        }

    def events(self, move):
        after = self.after(move)
        if move["type"] == "deal":
            return [{"type": "dealt", "deal": len(self.rows) + 1, "turned": after.turned}]
        happened = [{"type": "card_played", "seat": self.to_act(), "card": move["card"]}]
        if len(after.tricks) > len(self.tricks):
            trick = after.tricks[-1]
            won = {"seat": trick["winner"], "trick": len(after.tricks), "plays": trick["plays"]}
            happened.append({"type": "trick_won", **won})
        if len(after.rows) > len(self.rows):
            row = after.rows[-1]
            scored = {"deal": row["deal"], "tricks": row["tricks"], "points": row["points"]}
            happened.append({"type": "deal_scored", **scored})
        return (
            [*happened, {"type": "match_over", "standings": after.standings()}] if after.phase == "over" else happened
        )


def random_record(version, seed):
    rng, match = random.Random(seed), PlainMatch(deals=2, version=version)
    while moves := match.legal_moves():
        move = rng.choice(moves)
        match = match.after({"type": "deal", "deck": rng.sample(PACK, 52)} if move["type"] == "deal" else move)
    return record_of("Whist", 4, {"deals": 2}, match.moves, match) | {"rules_version": version}


if __name__ == "__main__":
    print(written(random_record(*map(int, sys.argv[1:]))), end="")
