"""Oh Hell: bid how many tricks you will take, then take just as many.

Source: "Options", "Sequence of hands", "Deal", "Bidding", "Play", "Scoring", "End of the match", "Score sheet",
"Moves", "View", "Sampling", "Events" and "Positions as stored" on the rules page.
"""

from functools import cache
from typing import NamedTuple

from games.kit.cards import SUIT_NAMES, dealing, dealt_singly, in_order, make_pack, suit
from games.kit.contract import CHANCE, Choice, Format, IllegalMove, Meaning, OptionField, Rules, as_standings
from games.kit.moves import check_deck, hands_without, move_checker
from games.kit.positions import as_lists, as_tuples, maker
from games.kit.sampling import dealer
from games.kit.tricks import (
    Trick,
    as_dicts,
    as_plays,
    cards_played,
    from_dicts,
    legal_plays,
    shown_voids,
    trick_won,
    winning_place,
)

PACK = make_pack()
FULL_HAND = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}  # cards each, by seats
check_move = move_checker(
    "Oh Hell",
    {"deal": {"deal": [("deck",)]}, "bid": {"bid": [("tricks",)]}, "play": {"play": [("card",)]}},
    advice={
        "deal": "The cards are not dealt yet. Wait for the deal.",
        "bid": "Bid first: say how many tricks you will take.",
        "play": "The bidding is over. Play a card.",
    },
)


class Match(NamedTuple):
    """What stays the same through a match. sizes: the cards of each hand."""

    seats: int
    game_style: str
    scoring_style: str
    sizes: tuple


class Line(NamedTuple):
    """A scored hand on the score sheet. Tuples are by seat; totals: after this hand."""

    turned: str
    bids: tuple
    taken: tuple
    points: tuple
    totals: tuple


class Deal(NamedTuple):
    """What stays the same through a hand: the one in progress, about to be dealt, or the last of the match."""

    match: Match
    lines: tuple  # a Line for each scored hand, or None for one that is not known in a sampled state
    totals: tuple  # by seat
    number: int  # of the hand, from 1
    cards: int  # each; the number of tricks too
    dealer: int
    turned: str | None  # None between hands


class State(NamedTuple):
    """A position. Between hands, in the phases "deal" and "over", nothing is bid or held."""

    deal: Deal
    phase: str  # "deal", "bid", "play" or "over"; the type of the moves that fit it
    to_act: int | None
    bids: tuple  # by seat, None while not bid
    hands: tuple  # by seat, tuples of cards in canonical order
    leader: int | None  # of the trick in progress
    trick: tuple  # its cards, in the order played
    tricks: tuple  # the finished tricks of this hand; between hands, of the hand just scored


_state_of = maker(State)


FORMATS = (
    Format(
        "short",
        "Short",
        "Up to 6 cards",
        {"game_style": "short-up-and-down"},
        {3: 9, 4: 10, 5: 10, 6: 11, 7: 12},
        {3: 35, 4: 32, 5: 32, 6: 31, 7: 31},
    ),
    Format(
        "full",
        "Full",
        "Up to 10 cards",
        {"game_style": "long"},
        {3: 20, 4: 22, 5: 24, 6: 18, 7: 15},
        {3: 91, 4: 88, 5: 85, 6: 55, 7: 40},
    ),
)


class OhHell(Rules):
    """The rules, under the headings of the rules page; what they need is below, under the same headings."""

    slug = "oh-hell"
    name = "Oh Hell"
    summary = "Say how many tricks you will take, then take exactly that many: no more, no fewer."
    version = 1
    seat_counts = tuple(FULL_HAND)
    formats = FORMATS
    difficulty = "Easy to learn"
    meanings = {
        "card_played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "hand_scored": Meaning.DEAL_SCORED,
    }

    # Options

    def option_fields(self, seats=None):
        full, to_full = FULL_HAND.get(seats, "a full hand"), FULL_HAND.get(seats, "the full hand")
        return (
            OptionField(
                "game_style",
                "Sequence of hands",
                "How the number of cards changes from hand to hand.",
                (
                    Choice("long", "Long", f"From {full} down to 1 card and back up to {to_full}."),
                    Choice("long-inverted", "Long, inverted", f"From 1 card up to {full} and back down to 1."),
                    Choice("short-up-and-down", "Short, down and up", "From 6 cards down to 1 and back up to 6."),
                    Choice("short-up", "Short, up", f"From 1 card up to {full}."),
                    Choice("short-down", "Short, down", f"From {full} down to 1 card."),
                ),
                "long",
            ),
            OptionField(
                "scoring_style",
                "Scoring",
                "What a hand is worth.",
                (
                    Choice(
                        "positive",
                        "Positive",
                        "Bid made: 10 points and 1 for every trick. Bid missed: 1 point for every trick.",
                    ),
                    Choice("neutral", "Neutral", "Bid made: 10 points and 1 for every trick. Bid missed: nothing."),
                    Choice(
                        "negative",
                        "Negative",
                        "Bid made: 10 points. Bid missed: 10 points off for every trick over or under.",
                    ),
                ),
                "positive",
            ),
        )

    def new_match(self, seats, options):
        options = self.clean_options(seats, options)
        match = _match(seats, options["game_style"], options["scoring_style"])
        return _between_hands(match, (), (0,) * seats, ())

    # Deal

    def deck(self, state):
        return list(PACK) if state.phase == "deal" else []

    def dealing(self, state):
        return dealing(PACK, [[1] * cards for cards in state.deal.match.sizes])

    def _deal(self, state, deck):
        check_deck(deck, PACK)
        deal = state.deal
        seats = deal.match.seats
        first = (deal.dealer + 1) % seats
        dealt = seats * deal.cards
        hands = tuple(map(in_order, dealt_singly(deck[:dealt], seats, first)))
        return State(deal._replace(turned=deck[dealt]), "bid", first, state.bids, hands, None, (), ())

    # Bidding

    def _bid(self, state, tricks):
        cards = state.deal.cards
        if type(tricks) is not int or not 0 <= tricks <= cards:
            raise IllegalMove(f"Bid a whole number of tricks from 0 to {cards}.")
        if tricks == _hook(state):
            raise IllegalMove(
                f"The dealer may not bid {tricks} now: the bids would add up to {cards}, the number of tricks. "
                "Bid another number."
            )
        seat = state.to_act
        bids = (*state.bids[:seat], tricks, *state.bids[seat + 1 :])
        following = (seat + 1) % len(bids)
        if None in bids:
            return _state_of((state.deal, "bid", following, bids, state.hands, None, (), ()))
        return _state_of((state.deal, "play", following, bids, state.hands, following, (), ()))

    # Play

    def _play(self, state, card):
        deal, phase, seat, bids, hands, leader, trick, tricks = state
        left = hands_without(hands, seat, card)
        if trick and card[1] != trick[0][1] and card not in legal_plays(hands[seat], trick):
            raise IllegalMove(f"You hold a {SUIT_NAMES[suit(trick[0])]}, so you must follow suit.")

        hands = left
        trick += (card,)
        seats = len(hands)
        if len(trick) < seats:
            return _state_of((deal, phase, (seat + 1) % seats, bids, hands, leader, trick, tricks))
        winner = (leader + winning_place(trick, suit(deal.turned))) % seats
        tricks += (Trick(leader, trick, winner),)
        if len(tricks) < deal.cards:
            return _state_of((deal, phase, winner, bids, hands, winner, (), tricks))
        return _score(deal, bids, tricks)

    # End of the match

    def standings(self, state):
        return as_standings(state.deal.totals, state.deal.match.seats) if state.phase == "over" else []

    # Score sheet

    def score_sheet(self, state):
        deal, match = state.deal, state.deal.match
        blank = (None,) * match.seats
        blank_line = Line(None, blank, blank, blank, blank)
        lines = [line or blank_line for line in deal.lines]
        if state.phase == "bid":
            lines.append(blank_line._replace(turned=deal.turned, bids=state.bids))
        if state.phase == "play":
            lines.append(Line(deal.turned, state.bids, _taken(match.seats, state.tricks), blank, blank))
        lines += [blank_line] * (len(match.sizes) - len(lines))
        return {
            "game": self.slug,
            "seats": match.seats,
            "game_style": match.game_style,
            "scoring_style": match.scoring_style,
            "hands_played": len(deal.lines),
            "hands": [_row(match, number, line) for number, line in enumerate(lines, 1)],
            "totals": list(deal.totals),
        }

    # Moves

    def legal_moves(self, state):
        phase = state.phase
        if phase == "play":
            cards = legal_plays(state.hands[state.to_act], state.trick)
            return [{"type": "play", "card": card} for card in cards]
        if phase == "bid":
            hook = _hook(state)
            return [{"type": "bid", "tricks": tricks} for tricks in range(state.deal.cards + 1) if tricks != hook]
        if phase == "deal":
            return [{"type": "deal", "deck": list(PACK)}]
        return []

    def apply(self, state, move):
        kind = check_move(move, state.phase)
        if kind == "play":
            return self._play(state, move["card"])
        if kind == "bid":
            return self._bid(state, move["tricks"])
        return self._deal(state, move["deck"])

    # View

    def view(self, state, seat):
        deal, match = state.deal, state.deal.match
        assert seat is None or 0 <= seat < match.seats
        between = state.phase in ("deal", "over")
        return {
            "game": self.slug,
            "seat": seat,
            "seats": match.seats,
            "options": {"game_style": match.game_style, "scoring_style": match.scoring_style},
            "phase": state.phase,
            "to_act": state.to_act,
            "hand_number": deal.number,
            "hands_total": len(match.sizes),
            "cards": deal.cards,
            "dealer": deal.dealer,
            "turned": deal.turned,
            "trump": _trump(deal.turned),
            "stock": 0 if between else len(PACK) - match.seats * deal.cards - 1,
            "hand": [] if seat is None else list(state.hands[seat]),
            "hand_counts": [len(hand) for hand in state.hands],
            "bids": list(state.bids),
            "hook": _hook(state),
            "taken": [0] * match.seats if between else list(_taken(match.seats, state.tricks)),
            "trick": {"leader": state.leader, "plays": as_plays(match.seats, state.leader, state.trick)},
            "tricks": [] if between else as_dicts(match.seats, state.tricks),
            "totals": list(deal.totals),
            "last_hand": _last_hand(state) if between and deal.lines else None,
        }

    def hidden_from(self, state, seat):
        seen = {card for trick in state.tricks for card in trick.cards}
        if state.phase in ("bid", "play"):
            own = () if seat is None else state.hands[seat]
            return set(PACK) - seen.union(own, state.trick, [state.deal.turned])
        lines = state.deal.lines
        return set(PACK) - seen - {lines[-1].turned} if lines else set()

    # Sampling

    def sample(self, view, rng):
        return self.sample_many(view, rng, 1)[0]

    def sample_many(self, view, rng, count):
        match = _match(view["seats"], **view["options"])
        totals = tuple(view["totals"])
        last = view["last_hand"]
        tricks = from_dicts((last or view)["tricks"])
        lines = (None,) * (view["hand_number"] - (view["phase"] != "over"))
        if last:
            line = Line(last["turned"], *(tuple(last[key]) for key in ("bids", "taken", "points")), totals)
            lines = (*lines[:-1], line)
        state = _between_hands(match, lines, totals, tricks)
        if view["phase"] in ("deal", "over"):
            return [state] * count
        leader, trick = view["trick"]["leader"], cards_played(view["trick"])
        deal = state.deal._replace(turned=view["turned"])
        before = (deal, view["phase"], view["to_act"], tuple(view["bids"]))
        deal_hands = _dealer_of_hands(view, tricks, leader, trick)
        return [_state_of((*before, deal_hands(rng), leader, trick, tricks)) for _ in range(count)]

    # Events

    def events(self, before, move, after):
        if before.phase == "deal":
            return [_hand_dealt(after.deal)]
        if before.phase == "bid":
            happened = [{"type": "bid", "seat": before.to_act, "tricks": move["tricks"]}]
            return [*happened, _bidding_closed(after)] if after.phase == "play" else happened
        happened = [{"type": "card_played", "seat": before.to_act, "card": move["card"]}]
        if len(after.tricks) > len(before.tricks):
            happened.append(trick_won(len(after.bids), after.tricks))
        if after.phase != "play":
            happened.append(_hand_scored(after.deal))
        if after.phase == "over":
            happened.append({"type": "match_over", "standings": self.standings(after)})
        return happened

    # Positions as stored

    def dump(self, state):
        deal, *rest = state
        match, lines, totals, *_, turned = deal
        stored = {"match": match[:3], "totals": totals, "turned": turned}
        stored |= zip(State._fields[1:], rest, strict=True)
        stored = {name: as_lists(value) for name, value in stored.items()}
        # One flat list a line: late in a match lines are most of a position, which is stored with every move.
        stored["lines"] = [line and _flat(line) for line in lines]
        return stored

    def load(self, data):
        stored = {name: as_tuples(value) for name, value in data.items()}
        lines = tuple(line and _loaded_line(line) for line in stored.pop("lines"))
        tricks = tuple(Trick(*trick) for trick in stored.pop("tricks"))
        state = _between_hands(_match(*stored.pop("match")), lines, stored.pop("totals"), tricks)
        return state._replace(deal=state.deal._replace(turned=stored.pop("turned")), **stored)


def _flat(line):
    return [line.turned, *line.bids, *line.taken, *line.points, *line.totals]


def _loaded_line(flat):
    seats = len(flat) // 4
    return Line(flat[0], *(flat[start : start + seats] for start in range(1, len(flat), seats)))


# Sequence of hands


@cache
def _match(seats, game_style, scoring_style):
    full = FULL_HAND[seats]
    up, six = tuple(range(1, full + 1)), tuple(range(1, 7))
    sizes = {
        "long": up[::-1] + up[1:],
        "long-inverted": up + up[-2::-1],
        "short-up-and-down": six[::-1] + six[1:],
        "short-up": up,
        "short-down": up[::-1],
    }
    return Match(seats, game_style, scoring_style, sizes[game_style])


def _between_hands(match, lines, totals, tricks):
    """The state before the next deal, or at the end of the match. tricks: of the hand just scored."""
    over = len(lines) == len(match.sizes)
    number = len(lines) if over else len(lines) + 1
    return State(
        deal=Deal(match, lines, totals, number, match.sizes[number - 1], _dealer(match, number), None),
        phase="over" if over else "deal",
        to_act=None if over else CHANCE,
        bids=(None,) * match.seats,
        hands=((),) * match.seats,
        leader=None,
        trick=(),
        tricks=tricks,
    )


def _dealer(match, number):
    return (number - 2) % match.seats


def _trump(turned):
    return turned and suit(turned)


# Bidding


def _hook(state):
    """The bid that is closed to the seat to act, or None."""
    if state.phase != "bid" or state.to_act != state.deal.dealer:
        return None
    left = state.deal.cards - sum(bid for bid in state.bids if bid is not None)
    return left if left >= 0 else None


# Scoring


def _taken(seats, tricks):
    """How many of the tricks each seat has taken."""
    winners = [trick.winner for trick in tricks]
    return tuple(winners.count(seat) for seat in range(seats))


def _score(deal, bids, tricks):
    """The state after the last card of a hand."""
    match = deal.match
    taken = _taken(match.seats, tricks)
    points = tuple(_points(match.scoring_style, bid, took) for bid, took in zip(bids, taken, strict=True))
    totals = tuple(map(sum, zip(deal.totals, points, strict=True)))
    return _between_hands(match, (*deal.lines, Line(deal.turned, bids, taken, points, totals)), totals, tricks)


def _points(scoring_style, bid, took):
    if scoring_style == "negative":
        return 10 if took == bid else -10 * abs(took - bid)
    if took == bid:
        return 10 + took
    return took if scoring_style == "positive" else 0


# Score sheet


def _row(match, number, line):
    turned, bids, taken, points, totals = line
    return {
        "hand": number,
        "cards": match.sizes[number - 1],
        "dealer": _dealer(match, number),
        "turned": turned,
        "trump": _trump(turned),
        "over_under": None if None in bids else sum(bids) - match.sizes[number - 1],
        "seats": [
            {"bid": bid, "taken": took, "points": point, "total": total}
            for bid, took, point, total in zip(bids, taken, points, totals, strict=True)
        ],
    }


# View


def _last_hand(state):
    match, lines = state.deal.match, state.deal.lines
    row = _row(match, len(lines), lines[-1])
    return {
        **{key: row[key] for key in ("hand", "cards", "dealer", "turned", "trump")},
        "bids": list(lines[-1].bids),
        "taken": list(lines[-1].taken),
        "points": list(lines[-1].points),
        "tricks": as_dicts(match.seats, state.tricks),
    }


def _dealer_of_hands(view, tricks, leader, trick):
    """A function deal(rng): hands for all seats, the view's own and for the others what fits all they have played."""
    seats, own = view["seats"], view["seat"]
    played = [(leader, cards) for leader, cards, _ in tricks] + [(leader, trick)]
    seen = {view["turned"], *view["hand"]}.union(*(cards for _, cards in played))
    unseen = [card for card in PACK if card not in seen]
    voids = shown_voids(seats, played)
    others = [seat for seat in range(seats) if seat != own]
    deal_others = dealer(
        unseen,
        [view["hand_counts"][seat] for seat in others],
        [voids[seat] and {card for card in unseen if suit(card) in voids[seat]} for seat in others],
    )
    hands = [in_order(view["hand"]) if seat == own else () for seat in range(seats)]

    def deal_hands(rng):
        for seat, hand in zip(others, deal_others(rng), strict=True):
            hands[seat] = in_order(hand)
        return tuple(hands)

    return deal_hands


# Events


def _hand_dealt(deal):
    return {
        "type": "hand_dealt",
        "hand": deal.number,
        "cards": deal.cards,
        "dealer": deal.dealer,
        "turned": deal.turned,
        "trump": _trump(deal.turned),
    }


def _bidding_closed(state):
    total = sum(state.bids)
    return {
        "type": "bidding_closed",
        "bids": list(state.bids),
        "bid_total": total,
        "over_under": total - state.deal.cards,
    }


def _hand_scored(deal):
    line = deal.lines[-1]
    return {
        "type": "hand_scored",
        "hand": len(deal.lines),
        "bids": list(line.bids),
        "taken": list(line.taken),
        "points": list(line.points),
        "totals": list(line.totals),
    }
