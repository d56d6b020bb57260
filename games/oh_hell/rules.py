"""Oh Hell: bid how many tricks you will take, then take just as many.

Source: "Options", "Sequence of hands", "Deal", "Bidding", "Play", "Scoring", "End of the match", "Score sheet",
"Moves", "View", "Sampling", "Events" and "Positions as stored" on the rules page.
"""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from games.kit.cards import Dealing, deal_singly, dealing, in_order, make_pack, suit
from games.kit.contract import (
    CHANCE,
    Card,
    Choice,
    Format,
    IllegalMove,
    Meaning,
    Move,
    OptionField,
    Options,
    Position,
    Rules,
    Seat,
    Standing,
    as_standings,
    choice,
    option,
)
from games.kit.language import lazy
from games.kit.moves import check_deck, move_checker
from games.kit.positions import as_lists, as_tuples, maker
from games.kit.tricks import (
    Trick,
    as_dicts,
    as_plays,
    card_events,
    cards_played,
    count_tricks,
    dealer_of_hands,
    from_dicts,
    legal_plays,
    play_card,
    visible_cards,
)
from games.oh_hell.types import (
    BiddingClosed,
    BidMade,
    Event,
    HandDealt,
    HandScored,
    LastHand,
    ScoreSheet,
    SheetRow,
    View,
)

PACK = make_pack()
FULL_HAND = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}  # cards each, by seats
MADE = 10  # points for a made bid, in addition to those for tricks
check_move = move_checker(
    "Oh Hell",
    {"bid": {"bid": [("tricks",)]}, "play": {"play": [("card",)]}},
    advice={
        "bid": lazy("Bid first: say how many tricks you will take."),
        "play": lazy("The bidding is over. Play a card."),
    },
)

type Numbers = tuple[int, ...]
type Cards = tuple[Card, ...]


class Match(NamedTuple):
    """The values that stay the same during a match. sizes: the number of cards in each hand."""

    seats: int
    game_style: str
    scoring_style: str
    sizes: Numbers


class Line(NamedTuple):
    """A scored hand on the score sheet. Tuples are by seat. totals: after this hand."""

    turned: Card
    bids: Numbers
    taken: Numbers
    points: Numbers
    totals: Numbers


class Deal(NamedTuple):
    """The values that stay the same during a hand: the current one, the next one, or the last of the match."""

    match: Match
    lines: tuple[Line | None, ...]  # by scored hand. Sampled states have None for all hands but the last.
    totals: Numbers  # by seat
    number: int  # of the hand, from 1
    cards: int  # for each seat; also the number of tricks
    dealer: Seat
    turned: Card | None  # None between hands


class State(NamedTuple):
    """A position. In the phases "deal" and "over" there are no bids and all hands are empty."""

    deal: Deal
    phase: str  # "deal", "bid", "play" or "over". Moves of that type are legal.
    to_act: Seat | None
    bids: tuple[int | None, ...]  # by seat, None before the seat has bid
    hands: tuple[Cards, ...]  # by seat, in canonical order
    leader: Seat | None  # of the trick in progress
    trick: Cards  # in the order played
    tricks: tuple[Trick, ...]  # the finished tricks of this hand; between hands, of the hand just scored


_state_of = maker(State)


FORMATS = (
    Format(
        "short",
        lazy("Short"),
        lazy("Up to 6 cards"),
        {"game_style": "short-up-and-down"},
        {3: 9, 4: 10, 5: 10, 6: 11, 7: 12},
        {3: 35, 4: 32, 5: 32, 6: 31, 7: 31},
    ),
    Format(
        "full",
        lazy("Full"),
        lazy("Up to 10 cards"),
        {"game_style": "long"},
        {3: 20, 4: 22, 5: 24, 6: 18, 7: 15},
        {3: 91, 4: 88, 5: 85, 6: 55, 7: 40},
    ),
)


@cache  # Lists of matches need the fields for each line.
def _option_fields(seats: int | None) -> tuple[OptionField, ...]:
    """Return the options. Without a number of seats the texts fit any number."""
    if cards := FULL_HAND.get(seats or 0):
        long = lazy("From {cards} down to 1 card and back up to {cards}.", cards=cards)
        inverted = lazy("From 1 card up to {cards} and back down to 1.", cards=cards)
        up = lazy("From 1 card up to {cards}.", cards=cards)
        down = lazy("From {cards} down to 1 card.", cards=cards)
    else:
        long = lazy("From a full hand down to 1 card and back up to the full hand.")
        inverted = lazy("From 1 card up to a full hand and back down to 1.")
        up = lazy("From 1 card up to a full hand.")
        down = lazy("From a full hand down to 1 card.")
    return (
        option(
            "game_style",
            "Sequence of hands",
            "How the number of cards changes from hand to hand.",
            "long",
            Choice("long", lazy("Long"), long),
            Choice("long-inverted", lazy("Long, inverted"), inverted),
            choice("short-up-and-down", "Short, down and up", "From 6 cards down to 1 and back up to 6."),
            Choice("short-up", lazy("Short, up"), up),
            Choice("short-down", lazy("Short, down"), down),
        ),
        option(
            "scoring_style",
            "Scoring",
            "What a hand is worth.",
            "positive",
            choice(
                "positive",
                "Positive",
                "Bid made: {points} points and 1 for every trick. Bid missed: 1 point for every trick.",
                points=MADE,
            ),
            choice(
                "neutral",
                "Neutral",
                "Bid made: {points} points and 1 for every trick. Bid missed: nothing.",
                points=MADE,
            ),
            choice(
                "negative",
                "Negative",
                "Bid made: {points} points. Bid missed: {points} points off for every trick over or under.",
                points=MADE,
            ),
        ),
    )


class OhHell(Rules[State, View]):
    """The rules, under the headings of the rules page. The helpers below have the same headings."""

    slug = "oh-hell"
    name = "Oh Hell"
    summary = lazy("Say how many tricks you will take, then take exactly that many: no more, no fewer.")
    version = 1
    seat_counts = tuple(FULL_HAND)
    formats = FORMATS
    difficulty = lazy("Easy to learn")
    meanings = {
        "card_played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "hand_scored": Meaning.DEAL_SCORED,
    }

    # Options

    def option_fields(self, seats: int | None = None) -> tuple[OptionField, ...]:
        return _option_fields(seats)

    def new_match(self, seats: int, options: Options) -> State:
        options = self.clean_options(seats, options)
        match = _match(seats, options["game_style"], options["scoring_style"])
        return _between_hands(match, (), (0,) * seats, ())

    # Deal

    def deck(self, state: State) -> list[Card]:
        return list(PACK) if state.phase == "deal" else []

    def dealing(self, state: State) -> Dealing:
        return dealing(PACK, [[1] * cards for cards in state.deal.match.sizes])

    def _deal(self, state: State, deck: list[Card]) -> State:
        check_deck(deck, PACK)
        deal = state.deal
        seats = deal.match.seats
        first = (deal.dealer + 1) % seats
        dealt = seats * deal.cards
        hands = tuple(map(in_order, deal_singly(deck[:dealt], seats, first)))
        return State(deal._replace(turned=deck[dealt]), "bid", first, state.bids, hands, None, (), ())

    # Bidding

    def _bid(self, state: State, tricks: int) -> State:
        cards = state.deal.cards
        if type(tricks) is not int or not 0 <= tricks <= cards:
            raise IllegalMove(lazy("Bid a whole number of tricks from 0 to {cards}.", cards=cards))
        if tricks == _hook(state):
            sentence = (
                "The dealer may not bid {tricks} now: the bids would add up to {cards}, the number of tricks. "
                "Bid another number."
            )
            raise IllegalMove(lazy(sentence, tricks=tricks, cards=cards))
        seat = state.to_act
        assert seat is not None
        bids = (*state.bids[:seat], tricks, *state.bids[seat + 1 :])
        following = (seat + 1) % len(bids)
        if None in bids:
            return _state_of((state.deal, "bid", following, bids, state.hands, None, (), ()))
        return _state_of((state.deal, "play", following, bids, state.hands, following, (), ()))

    # Play

    def _play(self, state: State, card: Card) -> State:
        deal, bids = state.deal, state.bids
        to_act, hands, leader, trick, tricks = play_card(state, card, _trump(deal.turned))
        if len(tricks) < deal.cards:
            return _state_of((deal, state.phase, to_act, bids, hands, leader, trick, tricks))
        return _score(state, tricks)

    # End of the match

    def standings(self, state: State) -> list[Standing]:
        return as_standings(state.deal.totals, state.deal.match.seats) if state.phase == "over" else []

    # Score sheet

    def score_sheet(self, state: State) -> ScoreSheet:
        deal, match = state.deal, state.deal.match
        blank = (None,) * match.seats
        blank_line = (None, blank, blank, blank, blank)
        lines: list[SheetLine] = [line or blank_line for line in deal.lines]
        if state.phase == "bid":
            lines.append((deal.turned, state.bids, blank, blank, blank))
        if state.phase == "play":
            lines.append((deal.turned, state.bids, count_tricks(state.tricks, match.seats), blank, blank))
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

    def legal_moves(self, state: State) -> list[Move]:
        phase = state.phase
        if phase == "play":
            assert state.to_act is not None
            cards = legal_plays(state.hands[state.to_act], state.trick)
            return [{"type": "play", "card": card} for card in cards]
        if phase == "bid":
            hook = _hook(state)
            return [{"type": "bid", "tricks": tricks} for tricks in range(state.deal.cards + 1) if tricks != hook]
        if phase == "deal":
            return [{"type": "deal", "deck": list(PACK)}]
        return []

    def apply(self, state: State, move: Move) -> State:
        kind = check_move(move, state.phase)
        if kind == "play":
            return self._play(state, move["card"])
        if kind == "bid":
            return self._bid(state, move["tricks"])
        return self._deal(state, move["deck"])

    # View

    def private_view(self, state: State, seat: Seat) -> dict[str, object]:
        assert 0 <= seat < state.deal.match.seats
        return {"seat": seat, "hand": list(state.hands[seat])}

    def public_view(self, state: State) -> View:
        deal, match = state.deal, state.deal.match
        between = state.phase in ("deal", "over")
        return {
            "game": self.slug,
            "seat": None,
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
            "hand": [],
            "hand_counts": [len(hand) for hand in state.hands],
            "bids": list(state.bids),
            "hook": _hook(state),
            "taken": [0] * match.seats if between else count_tricks(state.tricks, match.seats),
            "trick": {"leader": state.leader, "plays": as_plays(match.seats, state.leader, state.trick)},
            "tricks": [] if between else as_dicts(match.seats, state.tricks),
            "totals": list(deal.totals),
            "last_hand": _last_hand(state) if between else None,
        }

    def hidden_from(self, state: State, seat: Seat | None) -> set[Card]:
        last = state.deal.lines[-1] if state.deal.lines else None
        turned = state.deal.turned or (last and last.turned)
        return set(PACK) - visible_cards(state, seat) - {turned} if turned else set()

    # Sampling

    def sample(self, view: View, rng: Random) -> State:
        return self.sample_many(view, rng, 1)[0]

    def sample_many(self, view: View, rng: Random, count: int) -> list[State]:
        match = _match(view["seats"], **view["options"])
        totals = tuple(view["totals"])
        last = view["last_hand"]
        tricks = from_dicts((last or view)["tricks"])
        lines: tuple[Line | None, ...] = (None,) * (view["hand_number"] - (view["phase"] != "over"))
        if last:
            line = Line(last["turned"], tuple(last["bids"]), tuple(last["taken"]), tuple(last["points"]), totals)
            lines = (*lines[:-1], line)
        state = _between_hands(match, lines, totals, tricks)
        if view["phase"] in ("deal", "over"):
            return [state] * count
        leader, trick = view["trick"]["leader"], cards_played(view["trick"])
        deal_hands = dealer_of_hands(PACK, view, tricks)
        deal = state.deal._replace(turned=view["turned"])
        before = (deal, view["phase"], view["to_act"], tuple(view["bids"]))
        return [_state_of((*before, deal_hands(rng), leader, trick, tricks)) for _ in range(count)]

    # Events

    def events(self, before: State, move: Move, after: State) -> Sequence[Event]:
        if before.phase == "deal":
            return [_hand_dealt(after.deal)]
        if before.phase == "bid":
            assert before.to_act is not None
            bid: BidMade = {"type": "bid", "seat": before.to_act, "tricks": move["tricks"]}
            return [bid, _bidding_closed(after)] if after.phase == "play" else [bid]
        return card_events(before, move["card"], after, _hand_scored, self.standings)

    # Positions as stored

    def dump(self, state: State) -> Position:
        """Return a state as plain JSON, for storage. `load` works out the values that it leaves out."""
        match, lines, totals, *_, turned = state.deal
        # The seats and the options of a match are enough: `sizes` follows from them.
        stored: dict[str, object] = {"match": match[:3], "totals": totals, "turned": turned}
        stored |= zip(State._fields[1:], state[1:], strict=True)  # all fields but `deal`
        stored = {name: as_lists(value) for name, value in stored.items()}
        # Late in a match the lines, one for each scored hand, are most of what is stored. Flat lists keep them short.
        stored["lines"] = [line and _flatten_line(line) for line in lines]
        return stored

    def load(self, data: Position) -> State:
        stored = {name: as_tuples(value) for name, value in data.items()}
        lines = tuple(line and _load_line(line) for line in stored.pop("lines"))
        tricks = tuple(Trick(*trick) for trick in stored.pop("tricks"))
        state = _between_hands(_match(*stored.pop("match")), lines, stored.pop("totals"), tricks)
        return state._replace(deal=state.deal._replace(turned=stored.pop("turned")), **stored)


def _flatten_line(line: Line) -> list[object]:
    return [line.turned, *line.bids, *line.taken, *line.points, *line.totals]


def _load_line(flat: Sequence[object]) -> Line:
    """Return the line of the score sheet that was stored as this flat list: a card, then four lists by seat."""
    seats = len(flat) // 4
    return Line._make([flat[0], *(flat[start : start + seats] for start in range(1, len(flat), seats))])


# Sequence of hands


@cache
def _match(seats: int, game_style: str, scoring_style: str) -> Match:
    """Return the values that stay the same during a match, among them the number of cards in each of its hands.

    This number changes by one card from hand to hand. game_style: the name of the sequence of these numbers.
    """
    full = FULL_HAND[seats]
    up, six = tuple(range(1, full + 1)), tuple(range(1, 7))
    # Where a sequence turns, the shortest or longest hand is played only once.
    sizes = {
        "long": up[::-1] + up[1:],
        "long-inverted": up + up[-2::-1],
        "short-up-and-down": six[::-1] + six[1:],
        "short-up": up,
        "short-down": up[::-1],
    }
    return Match(seats, game_style, scoring_style, sizes[game_style])


def _between_hands(match: Match, lines: tuple[Line | None, ...], totals: Numbers, tricks: tuple[Trick, ...]) -> State:
    """Return the state between hands: before the next deal, or after the last hand of the match.

    match.sizes: the number of cards in each hand of the match. lines: the scores of the finished hands. totals: by
    seat. tricks: all tricks of the hand just scored.
    """
    over = len(lines) == len(match.sizes)
    number = len(lines) if over else len(lines) + 1  # of the next hand, or of the last one
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


def _dealer(match: Match, number: int) -> Seat:
    return (number - 2) % match.seats


def _trump(turned: Card | None) -> str | None:
    return turned and suit(turned)


# Bidding


def _hook(state: State) -> int | None:
    """Return the hook: the bid that is forbidden to the dealer, who bids last. None if it is not the dealer's turn.

    With this bid all bids would add up to the number of tricks, and every seat could take as many as it bid. None also
    if the other bids are too high for that.
    """
    if state.phase != "bid" or state.to_act != state.deal.dealer:
        return None
    return hook_after(state.deal.cards, bids_made(state.bids))


def hook_after(cards: int, bids: Numbers) -> int | None:
    """Return the bid that is forbidden to the dealer, or None. bids: of all other seats."""
    even_bid = cards - sum(bids)  # There are as many tricks as cards in a hand.
    return even_bid if even_bid >= 0 else None


def bids_made(bids: Sequence[int | None]) -> Numbers:
    """Return the bids without the None of seats that have not bid."""
    return tuple([bid for bid in bids if bid is not None])


# Scoring


def _score(state: State, tricks: tuple[Trick, ...]) -> State:
    """Return the state after the last card of a hand, with the points of the hand added to the score sheet.

    state: before that card. tricks: all tricks of the hand.
    """
    deal = state.deal
    assert deal.turned
    counts = tuple(count_tricks(tricks, deal.match.seats))
    return score_hand(deal, deal.turned, bids_made(state.bids), counts, tricks)


def score_hand(deal: Deal, turned: Card, bids: Numbers, taken: Numbers, tricks: tuple[Trick, ...] = ()) -> State:
    """Return the state after a hand. bids, taken: the numbers of tricks, by seat.

    turned: "" if it is unknown, as at a real table.
    """
    match = deal.match
    points = tuple(points_of(match.scoring_style, bid, took) for bid, took in zip(bids, taken, strict=True))
    totals = tuple(map(sum, zip(deal.totals, points, strict=True)))
    line = Line(turned, bids, taken, points, totals)
    return _between_hands(match, (*deal.lines, line), totals, tricks)


def points_of(scoring_style: str, bid: int, took: int) -> int:
    """Return the points of a seat for a hand. bid, took: the number of tricks that it promised, and that it took.

    A bid is made only with exactly that number. A missed bid earns the tricks with the style "positive", nothing with
    "neutral", and a loss for each trick of difference with "negative".
    """
    is_made = took == bid
    if scoring_style == "negative":
        return MADE if is_made else -MADE * abs(took - bid)
    if is_made:
        return MADE + took
    return took if scoring_style == "positive" else 0


# Score sheet

type Column = Sequence[int | None]  # by seat
type SheetLine = tuple[Card | None, Column, Column, Column, Column]  # like a Line, with None for missing values


def _row(match: Match, number: int, line: SheetLine) -> SheetRow:
    turned, bids, taken, points, totals = line
    made = bids_made(bids)
    return {
        "hand": number,
        "cards": match.sizes[number - 1],
        "dealer": _dealer(match, number),
        "turned": turned,
        "trump": _trump(turned),
        "over_under": sum(made) - match.sizes[number - 1] if len(made) == match.seats else None,
        "seats": [
            {"bid": bid, "taken": took, "points": point, "total": total}
            for bid, took, point, total in zip(bids, taken, points, totals, strict=True)
        ],
    }


# View


def _last_hand(state: State) -> LastHand | None:
    """Return the results of the hand just scored, or None before the first. Tables show them until the next deal."""
    match, lines = state.deal.match, state.deal.lines
    line = lines[-1] if lines else None  # The score sheet has a line for each hand that is over.
    return line and {
        "hand": len(lines),
        "cards": match.sizes[len(lines) - 1],
        "dealer": _dealer(match, len(lines)),
        "turned": line.turned,
        "trump": suit(line.turned),
        "bids": list(line.bids),
        "taken": list(line.taken),
        "points": list(line.points),
        "tricks": as_dicts(match.seats, state.tricks),
    }


# Events


def _hand_dealt(deal: Deal) -> HandDealt:
    assert deal.turned
    return {
        "type": "hand_dealt",
        "hand": deal.number,
        "cards": deal.cards,
        "dealer": deal.dealer,
        "turned": deal.turned,
        "trump": suit(deal.turned),
    }


def _bidding_closed(state: State) -> BiddingClosed:
    bids = bids_made(state.bids)
    total = sum(bids)
    return {
        "type": "bidding_closed",
        "bids": list(bids),
        "bid_total": total,
        "over_under": total - state.deal.cards,
    }


def _hand_scored(state: State) -> HandScored:
    lines = state.deal.lines
    line = lines[-1]
    assert line
    return {
        "type": "hand_scored",
        "hand": len(lines),
        "bids": list(line.bids),
        "taken": list(line.taken),
        "points": list(line.points),
        "totals": list(line.totals),
    }
