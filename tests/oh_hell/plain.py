"""Oh Hell a second time, slow and plain, to check the first by. It shares no code with games.oh_hell.rules.

Nothing is kept but the list of moves: every question is answered by looking through them again.

    python -m tests.oh_hell.plain 4 long positive 7 > tests/data/oh_hell/matches/NAME.json

prints a random match with these seats, options and random seed as a record, worked out by this program.
"""

import random
import sys

from tests.kit.recording import record_of, written

FULL = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}
SUITS = "CDHS"
RANKS = "23456789TJQKA"
PACK = [rank + suit for suit in SUITS for rank in RANKS]


def sequence(seats, game_style):
    full = FULL[seats]
    if game_style == "long":
        return [*range(full, 0, -1), *range(2, full + 1)]
    if game_style == "long-inverted":
        return [*range(1, full + 1), *range(full - 1, 0, -1)]
    if game_style == "short-up-and-down":
        return [6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6]
    return list(range(1, full + 1)) if game_style == "short-up" else list(range(full, 0, -1))


class PlainMatch:
    def __init__(self, seats, game_style, scoring_style, moves=()):
        self.seats = seats
        self.game_style = game_style
        self.scoring_style = scoring_style
        self.sizes = sequence(seats, game_style)
        self.moves = list(moves)

    def after(self, move):
        return PlainMatch(self.seats, self.game_style, self.scoring_style, [*self.moves, move])

    def hands(self):
        """A PlainHand for each hand that has been dealt."""
        hands, start = [], 0
        for number, size in enumerate(self.sizes, 1):
            length = 1 + self.seats + self.seats * size
            if start < len(self.moves):
                hands.append(PlainHand(self, number, self.moves[start : start + length]))
            start += length
        return hands

    def scored(self):
        return [hand for hand in self.hands() if hand.finished()]

    def in_progress(self):
        """The hand in progress, or None between hands."""
        hands = self.hands()
        return hands[-1] if hands and not hands[-1].finished() else None

    def over(self):
        return len(self.scored()) == len(self.sizes)

    def totals(self, hands=None):
        points = [hand.points() for hand in (self.scored() if hands is None else hands)]
        return [sum(hand[seat] for hand in points) for seat in range(self.seats)]

    def legal_moves(self):
        if self.over():
            return []
        hand = self.in_progress()
        return hand.legal_moves() if hand else [{"type": "deal", "deck": PACK}]

    def to_act(self):
        if self.over():
            return None
        return self.in_progress().to_act() if self.in_progress() else -1

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

    def events(self, move):
        """What is seen when this move is made."""
        before, after = self.in_progress(), self.after(move)
        hand = after.hands()[-1]
        if move["type"] == "deal":
            names = ("number", "size", "dealer", "turned", "trump")
            keys = ("hand", "cards", "dealer", "turned", "trump")
            return [{"type": "hand_dealt"} | {key: getattr(hand, name) for key, name in zip(keys, names, strict=True)}]
        if move["type"] == "bid":
            events = [{"type": "bid", "seat": before.to_act(), "tricks": move["tricks"]}]
            if hand.bidding_closed():
                bids = [hand.bids()[seat] for seat in range(self.seats)]
                events.append({"type": "bidding_closed", "bids": bids, "bid_total": sum(bids)})
                events[-1]["over_under"] = sum(bids) - hand.size
            return events
        events = [{"type": "card_played", "seat": before.to_act(), "card": move["card"]}]
        if len(hand.tricks()) > len(before.tricks()):
            trick = hand.tricks()[-1]
            events.append({"type": "trick_won", "seat": trick["winner"], "trick": len(hand.tricks())})
            events[-1]["plays"] = trick["plays"]
        if hand.finished():
            scored = {"type": "hand_scored", "hand": hand.number, "bids": [hand.bids()[s] for s in range(self.seats)]}
            events.append(scored | {"taken": hand.taken(), "points": hand.points(), "totals": after.totals()})
        if after.over():
            events.append({"type": "match_over", "standings": after.standings()})
        return events

    def score_sheet(self):
        hands = self.hands()
        rows = []
        for number, size in enumerate(self.sizes, 1):
            row = {"hand": number, "cards": size, "dealer": (self.seats - 1 + number - 1) % self.seats}
            row |= {"turned": None, "trump": None, "over_under": None}
            cells = [dict.fromkeys(("bid", "taken", "points", "total")) for _ in range(self.seats)]
            if number <= len(hands):
                hand = hands[number - 1]
                row |= {"turned": hand.turned, "trump": hand.trump}
                for seat, cell in enumerate(cells):
                    cell["bid"] = hand.bids().get(seat)
                    if hand.bidding_closed():
                        row["over_under"] = sum(hand.bids().values()) - size
                        cell["taken"] = hand.taken()[seat]
                    if hand.finished():
                        cell["points"] = hand.points()[seat]
                        cell["total"] = self.totals(hands[:number])[seat]
            rows.append(row | {"seats": cells})
        return {
            "game": "oh-hell",
            "seats": self.seats,
            "game_style": self.game_style,
            "scoring_style": self.scoring_style,
            "hands_played": len(self.scored()),
            "hands": rows,
            "totals": self.totals(),
        }

    def view(self, seat):
        hand = self.in_progress()
        number = hand.number if hand else min(len(self.scored()) + 1, len(self.sizes))
        size = self.sizes[number - 1]
        view = {
            "game": "oh-hell",
            "seat": seat,
            "seats": self.seats,
            "options": {"game_style": self.game_style, "scoring_style": self.scoring_style},
            "phase": "over" if self.over() else "deal",
            "to_act": self.to_act(),
            "hand_number": number,
            "hands_total": len(self.sizes),
            "cards": size,
            "dealer": (self.seats - 1 + number - 1) % self.seats,
            "turned": None,
            "trump": None,
            "stock": 0,
            "hand": [],
            "hand_counts": [0] * self.seats,
            "bids": [None] * self.seats,
            "hook": None,
            "taken": [0] * self.seats,
            "trick": {"leader": None, "plays": []},
            "tricks": [],
            "totals": self.totals(),
            "last_hand": None,
        }
        if hand:
            held = hand.held()
            view["phase"] = "play" if hand.bidding_closed() else "bid"
            view |= {"turned": hand.turned, "trump": hand.trump, "stock": 51 - self.seats * size}
            view["hand"] = [] if seat is None else held[seat]
            view["hand_counts"] = [len(cards) for cards in held]
            view["bids"] = [hand.bids().get(other) for other in range(self.seats)]
            view["hook"] = hand.hook()
            view["taken"] = hand.taken()
            if hand.bidding_closed():
                view["trick"] = {"leader": hand.leader_now(), "plays": hand.trick_now()}
            view["tricks"] = hand.tricks()
        elif self.scored():
            last = self.scored()[-1]
            view["last_hand"] = {
                "hand": last.number,
                "cards": last.size,
                "dealer": last.dealer,
                "turned": last.turned,
                "trump": last.trump,
                "bids": [last.bids()[other] for other in range(self.seats)],
                "taken": last.taken(),
                "points": last.points(),
                "tricks": last.tricks(),
            }
        return view


class PlainHand:
    """One hand of a match. moves: its own, the deal first."""

    def __init__(self, match, number, moves):
        self.seats = match.seats
        self.scoring_style = match.scoring_style
        self.number = number
        self.size = match.sizes[number - 1]
        self.dealer = (match.seats - 1 + number - 1) % match.seats
        self.deck = moves[0]["deck"]
        self.turned = self.deck[self.seats * self.size]
        self.trump = self.turned[1]
        self.bid_moves = moves[1 : 1 + self.seats]
        self.cards_played = [move["card"] for move in moves[1 + self.seats :]]

    def finished(self):
        return len(self.cards_played) == self.seats * self.size

    def bidding_closed(self):
        return len(self.bid_moves) == self.seats

    def bids(self):
        """{seat: bid} of the seats that have bid."""
        return {(self.dealer + 1 + i) % self.seats: move["tricks"] for i, move in enumerate(self.bid_moves)}

    def hook(self):
        if len(self.bid_moves) != self.seats - 1:
            return None
        closed = self.size - sum(self.bids().values())
        return closed if closed >= 0 else None

    def held(self):
        hands = [[] for _ in range(self.seats)]
        for i in range(self.seats * self.size):
            hands[(self.dealer + 1 + i) % self.seats].append(self.deck[i])
        return [[card for card in PACK if card in hand and card not in self.cards_played] for hand in hands]

    def tricks(self):
        tricks, leader = [], (self.dealer + 1) % self.seats
        for start in range(0, len(self.cards_played) - self.seats + 1, self.seats):
            cards = self.cards_played[start : start + self.seats]
            trumps = [card for card in cards if card[1] == self.trump]
            candidates = trumps or [card for card in cards if card[1] == cards[0][1]]
            best = max(candidates, key=lambda card: RANKS.index(card[0]))
            winner = (leader + cards.index(best)) % self.seats
            plays = [{"seat": (leader + i) % self.seats, "card": card} for i, card in enumerate(cards)]
            tricks.append({"leader": leader, "plays": plays, "winner": winner})
            leader = winner
        return tricks

    def leader_now(self):
        return self.tricks()[-1]["winner"] if self.tricks() else (self.dealer + 1) % self.seats

    def trick_now(self):
        cards = self.cards_played[len(self.tricks()) * self.seats :]
        return [{"seat": (self.leader_now() + i) % self.seats, "card": card} for i, card in enumerate(cards)]

    def to_act(self):
        if not self.bidding_closed():
            return (self.dealer + 1 + len(self.bid_moves)) % self.seats
        return (self.leader_now() + len(self.trick_now())) % self.seats

    def legal_moves(self):
        if not self.bidding_closed():
            return [{"type": "bid", "tricks": bid} for bid in range(self.size + 1) if bid != self.hook()]
        hand, trick = self.held()[self.to_act()], self.trick_now()
        if trick and any(card[1] == trick[0]["card"][1] for card in hand):
            hand = [card for card in hand if card[1] == trick[0]["card"][1]]
        return [{"type": "play", "card": card} for card in hand]

    def taken(self):
        return [len([trick for trick in self.tricks() if trick["winner"] == seat]) for seat in range(self.seats)]

    def points(self):
        points = []
        for seat, took in enumerate(self.taken()):
            missed_by = abs(took - self.bids()[seat])
            if self.scoring_style == "positive":
                points.append(took if missed_by else 10 + took)
            elif self.scoring_style == "neutral":
                points.append(0 if missed_by else 10 + took)
            else:
                points.append(-10 * missed_by if missed_by else 10)
        return points


def random_record(seats, game_style, scoring_style, seed):
    rng = random.Random(seed)
    match = PlainMatch(seats, game_style, scoring_style)
    while not match.over():
        legal = match.legal_moves()
        if legal[0]["type"] == "deal":
            legal = [{"type": "deal", "deck": rng.sample(PACK, 52)}]
        if legal[0]["type"] == "bid":
            legal = legal[: match.in_progress().size // seats + 2]  # bids that may be made, not up to ten
        match.moves.append(rng.choice(legal))
    return record_of("Oh Hell", seats, {"game_style": game_style, "scoring_style": scoring_style}, match.moves, match)


if __name__ == "__main__":
    seats, game_style, scoring_style, seed = sys.argv[1:]
    print(written(random_record(int(seats), game_style, scoring_style, int(seed))), end="")
