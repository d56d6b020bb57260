"""Bids a second time, slow and plain, to check the first by. It shares no code with games.bids.rules.

Finished rounds are kept as rows of the score sheet, the round in progress as nothing but its moves: whatever is asked
about it is answered by going through them again.

    python -m tests.bids.plain 4 7 '{"rounds": 2, "ally": true}' > tests/data/bids/matches/NAME.json

prints a random match with these seats, random seed and options as a record, worked out by this program; options left
out are as by default.
"""

import json
import random
import sys
from fractions import Fraction

from tests.kit.recording import record_of, written

TABLE = {  # seats: colours, highest number, points of a first null round
    3: ("RGY", 10, 12),
    4: ("RGYB", 10, 8),
    5: ("RGYB", 12, 8),
    6: ("RGYB", 14, 7),
}
DEALT = {  # seats and whether with the Ally: coloured and black cards in all hands together
    (3, False): (29, 1),
    (4, False): (39, 1),
    (4, True): (38, 1),
    (5, False): (48, 2),
    (5, True): (47, 2),
    (6, True): (56, 3),
    (6, False): (56, 4),
}


def number_of(card):
    """The number of a card, or None."""
    return None if card in ("Kx2", "KLOW", "K?", "ALLY") else int(card[1:])


def plain_number(points):
    """A Fraction as JSON writes it."""
    return int(points) if points.denominator == 1 else float(points)


class PlainMatch:
    def __init__(self, seats, rounds, ally, minus5_2x, lowest, surprise, colour_bids, moves=()):
        self.seats = seats
        self.options = {
            "rounds": rounds,
            "ally": ally,
            "minus5_2x": minus5_2x,
            "lowest": lowest,
            "surprise": surprise,
            "colour_bids": colour_bids,
        }
        colours, highest, self.base = TABLE[seats]
        self.pack = [colour + str(number) for colour in colours + "K" for number in range(1, highest + 1)]
        if minus5_2x:
            self.pack += ["K-5", "Kx2"]
        if lowest:
            self.pack += ["KLOW"]
        if surprise:
            self.pack += ["K?"]
        if ally:
            self.pack += ["ALLY"]
        self.rows = []  # of the score sheet, one a finished round
        self.moves = []  # of the round in progress
        self.finished = None  # the PlainRound that was finished last
        for move in moves:
            self.make(move)

    def make(self, move):
        self.moves = [*self.moves, move]
        if len(self.moves) == 2 + 10 * self.seats:
            self.finished = self.current()
            self.rows = [*self.rows, self.finished.row()]
            self.moves = []

    def after(self, move):
        other = PlainMatch(self.seats, **self.options)
        other.rows, other.moves, other.finished = self.rows, self.moves, self.finished
        other.make(move)
        return other

    def current(self):
        return PlainRound(self, len(self.rows) + 1, self.moves)

    def over(self):
        return len(self.rows) == self.options["rounds"]

    def playing(self):
        return len(self.moves) >= 2

    def to_act(self):
        if self.over():
            return None
        return self.current().to_act() if self.playing() else -1

    def legal_moves(self):
        if self.over():
            return []
        if self.playing():
            return [{"type": "play", "card": card} for card in self.current().hands()[self.to_act()]]
        if self.moves:
            return [{"type": "deal", "deck": self.current().prepared()[0]}]
        return [{"type": "deal", "deck": [card for card in self.pack if card != "ALLY"]}]

    def null_rounds(self):
        return [len([row for row in self.rows if row["null"][seat]]) for seat in range(self.seats)]

    def totals(self):
        return [
            plain_number(sum((Fraction(row["total"][seat]) for row in self.rows), Fraction(0)))
            for seat in range(self.seats)
        ]

    def score_sheet(self):
        return {
            "rounds": self.rows,
            "current": self.current().row_so_far() if self.playing() else None,
            "null_rounds": self.null_rounds(),
            "totals": self.totals(),
        }

    def standings(self):
        if not self.over():
            return []
        totals = self.totals()
        return [
            {"seat": seat, "team": None, "score": score, "place": 1 + len([t for t in totals if t > score])}
            for score in sorted(set(totals), reverse=True)
            for seat in range(self.seats)
            if totals[seat] == score
        ]

    def view(self, seat):
        number = min(len(self.rows) + 1, self.options["rounds"])
        view = {
            "seat": seat,
            "seats": self.seats,
            "options": self.options,
            "phase": "over" if self.over() else "deal",
            "round": number,
            "trick": 0,
            "first_leader": (number - 1) % self.seats,
            "leader": None,
            "to_act": None,
            "lowest": False,
            "centre": None,
            "plays": [],
            "hand": [],
            "hand_counts": [0] * self.seats,
            "stock_count": 0,
            "tricks": self.finished.tricks() if self.over() else [],
            "last_trick": self.finished.tricks()[-1] if self.finished else None,
            "score_sheet": self.score_sheet(),
            "standings": self.standings(),
            "legal_moves": [],
        }
        if self.playing():
            current = self.current()
            hands, tricks, trick = current.hands(), current.tricks(), current.trick_now()
            view |= {
                "phase": "play",
                "trick": len(tricks) + 1,
                "leader": trick["leader"],
                "to_act": current.to_act(),
                "lowest": trick["lowest"],
                "centre": trick["centre"],
                "plays": trick["plays"],
                "hand": [] if seat is None else hands[seat],
                "hand_counts": [len(hand) for hand in hands],
                "stock_count": len(trick["stock"]),
                "tricks": tricks,
                "last_trick": tricks[-1] if tricks else view["last_trick"],
                "legal_moves": self.legal_moves() if seat == current.to_act() else [],
            }
        return view

    def events(self, move):
        """What everybody sees when `move` is made here."""
        after = self.after(move)
        if not self.moves:
            return []
        if len(self.moves) == 1:
            current = after.current()
            events = [{"type": "dealt", "round": current.number, "leader": current.first_leader}]
            return events + turned_up(self, after)
        events = [{"type": "played", "seat": self.to_act(), "card": move["card"]}]
        if len(self.current().trick_now()["plays"]) < self.seats - 1:
            return events
        current = after.current() if after.moves else after.finished
        trick = current.tricks()[-1]
        if trick["under"]:
            events.append({"type": "revealed", "card": trick["under"]})
        if trick["winner"] is None:
            burnt = {key: trick[key] for key in ("trick", "points", "by_centre", "leads")}
            events.append({"type": "trick_burnt"} | burnt)
        else:
            black = [card for card in [trick["centre"], trick["under"]] if card]
            black += [play["card"] for play in trick["plays"] if play["card"][0] == "K"]
            won = {"trick": trick["trick"], "seat": trick["winner"], "points": trick["points"], "black": black}
            events.append({"type": "trick_won"} | won)
            if trick["prize"] == "Kx2":
                before = current.points_in(current.tricks()[: trick["trick"]])[trick["winner"]]
                events.append({"type": "doubled", "seat": trick["winner"], "before": before, "after": before * 2})
            for play in trick["plays"]:
                if play["card"] == "ALLY":
                    events.append({"type": "allied", "seat": play["seat"], "partner": trick["winner"]})
        if after.moves:
            return events + turned_up(self, after)
        row = after.rows[-1]
        for seat in range(self.seats):
            if row["null"][seat]:
                line = {"round": row["round"], "seat": seat, "null_rounds": after.null_rounds()[seat]}
                events.append({"type": "lucky_loser"} | line | {"points": row["lucky_loser"][seat]})
        if row["ally"]:
            each = row["total"][row["ally"]["partner"]]
            events.append({"type": "shared", "round": row["round"]} | row["ally"] | {"each": each})
        events.append({"type": "round_scored", "round": row["round"], "total": row["total"]})
        if after.over():
            events.append({"type": "match_over", "standings": after.standings()})
        return events


def turned_up(before, after):
    trick = after.current().trick_now()
    number = len(after.current().tricks()) + 1
    events = [{"type": "centre", "trick": number, "card": trick["centre"]}]
    already = before.playing() and before.current().trick_now()["lowest"]
    if trick["lowest"] and not already:
        events.append({"type": "lowest", "trick": number})
    return events


class PlainRound:
    """One round of a match. moves: its own, both deals first."""

    def __init__(self, match, number, moves):
        self.match = match
        self.seats = match.seats
        self.number = number
        self.first_leader = (number - 1) % match.seats
        self.moves = moves
        self.bids = [move["card"] for move in moves[2:]]

    def prepared(self):
        """The hand pack in canonical order, and the stock."""
        coloured, black = DEALT[self.seats, self.match.options["ally"]]
        deck = self.moves[0]["deck"]
        hand_pack = [card for card in deck if card[0] == "K" and number_of(card) is not None][:black]
        stock = [card for card in deck if card[0] == "K" and card not in hand_pack]
        hand_pack += [card for card in deck if card[0] != "K"][:coloured]
        if self.match.options["ally"]:
            hand_pack.append("ALLY")
        return [card for card in self.match.pack if card in hand_pack], stock

    def hands(self):
        """What each seat still holds."""
        hands = [[] for _ in range(self.seats)]
        for i, card in enumerate(self.moves[1]["deck"]):
            if card not in self.bids:
                hands[(self.first_leader + i) % self.seats].append(card)
        return [[card for card in self.match.pack if card in hand] for hand in hands]

    def to_act(self):
        trick = self.trick_now()
        return (trick["leader"] + len(trick["plays"])) % self.seats

    def tricks(self):
        return self.played()[0]

    def trick_now(self):
        return self.played()[1]

    def played(self):
        """The finished tricks, and the one in progress: {"leader", "centre", "plays", "lowest", "stock"}."""
        stock = list(self.prepared()[1])
        finished, leader, lowest, bids = [], self.first_leader, False, list(self.bids)
        while len(finished) < 10:
            centre = stock.pop(0)
            under = stock.pop(0) if centre == "K?" else None
            if centre == "KLOW":
                lowest = True
            cards, bids = bids[: self.seats], bids[self.seats :]
            plays = [{"seat": (leader + i) % self.seats, "card": card} for i, card in enumerate(cards)]
            if len(plays) < self.seats:
                return finished, {"leader": leader, "centre": centre, "plays": plays, "lowest": lowest, "stock": stock}
            trick = {"trick": len(finished) + 1, "leader": leader, "centre": centre, "under": under, "plays": plays}
            trick |= self.resolved(plays, centre, under, lowest, finished)
            finished.append(trick)
            leader = trick["leads"]
            if under == "KLOW":
                lowest = True
        return finished, None

    def resolved(self, plays, centre, under, lowest, before):
        prize = under or centre
        black = [card for card in [centre, under] if card] + [p["card"] for p in plays if p["card"][0] == "K"]
        points = sum(number_of(card) or 0 for card in black)

        contenders = [(number_of(play["card"]), play) for play in plays if number_of(play["card"]) is not None]
        if self.match.options["colour_bids"]:
            colours = [play["card"][0] for play in plays if play["card"] != "ALLY"] + ["K"]
            most = max(colours.count(colour) for colour in colours)
            top = [colour for colour in colours if colours.count(colour) == most]
            contenders = [(number, play) for number, play in contenders if play["card"][0] in top]
            if "K" in top and number_of(prize) is not None:
                contenders.append((number_of(prize), None))

        best_of = min if lowest else max
        best = best_of(number for number, _ in contenders)
        winners = [play for number, play in contenders if number == best]
        best_bid = best_of(number for number, play in contenders if play)
        turner = [play["seat"] for number, play in contenders if play and number == best_bid][-1]
        winner = winners[0]["seat"] if len(winners) == 1 and winners[0] else None
        doubling = 0
        if prize == "Kx2" and winner is not None:
            doubling = points + self.points_in(before)[winner]
        return {
            "prize": prize,
            "winner": winner,
            "leads": turner,
            "points": points,
            "doubling": doubling,
            "by_centre": winners == [None],
        }

    def points_in(self, tricks):
        return [sum(trick["points"] for trick in tricks if trick["winner"] == seat) for seat in range(self.seats)]

    def row_so_far(self):
        doubling, black_cards, ally = [0] * self.seats, [0] * self.seats, None
        for trick in self.tricks():
            if trick["winner"] is not None:
                doubling[trick["winner"]] += trick["doubling"]
                cards = [trick["centre"], trick["under"], *(play["card"] for play in trick["plays"])]
                black_cards[trick["winner"]] += len([card for card in cards if card and card[0] == "K"])
                for play in trick["plays"]:
                    if play["card"] == "ALLY":
                        ally = {"seat": play["seat"], "partner": trick["winner"]}
        return {
            "round": self.number,
            "trick_points": self.points_in(self.tricks()),
            "doubling": doubling,
            "black_cards": black_cards,
            "ally": ally,
        }

    def row(self):
        row = self.row_so_far()
        row["null"] = [cards == 0 for cards in row["black_cards"]]
        row["lucky_loser"] = [
            self.match.base * (1 + self.match.null_rounds()[seat]) if row["null"][seat] else 0
            for seat in range(self.seats)
        ]
        own = [
            Fraction(row["trick_points"][seat] + row["doubling"][seat] + row["lucky_loser"][seat])
            for seat in range(self.seats)
        ]
        change = [Fraction(0)] * self.seats
        if row["ally"]:
            a, b = row["ally"]["seat"], row["ally"]["partner"]
            change[a] = (own[a] + own[b]) / 2 - own[a]
            change[b] = (own[a] + own[b]) / 2 - own[b]
        row["ally_change"] = [plain_number(points) for points in change]
        row["total"] = [plain_number(own[seat] + change[seat]) for seat in range(self.seats)]
        return row


def default_options(seats):
    return {
        "rounds": 5,
        "ally": seats >= 5,
        "minus5_2x": seats != 5,
        "lowest": False,
        "surprise": False,
        "colour_bids": False,
    }


def random_record(seats, seed, options):
    options = default_options(seats) | options
    rng, match, moves = random.Random(seed), PlainMatch(seats, **options), []
    while not match.over():
        legal = match.legal_moves()
        if legal[0]["type"] == "deal":
            deck = legal[0]["deck"]
            legal = [{"type": "deal", "deck": rng.sample(deck, len(deck))}]
        moves.append(rng.choice(legal))
        match = match.after(moves[-1])
    return record_of("Bids", seats, options, moves, match)


if __name__ == "__main__":
    seats, seed, options = sys.argv[1:]
    print(written(random_record(int(seats), int(seed), json.loads(options))), end="")
