"""Oh Hell: bid how many tricks you will take, then take just as many."""

from functools import cache
from typing import NamedTuple

from games.rules.base import CHANCE, Choice, IllegalMove, OptionField, Rules, as_lists, as_tuples, placed
from games.rules.cards import is_permutation, make_pack, suit
from games.rules.sampling import deal_unseen
from games.rules.tricks import legal_plays, shown_voids, winning_place

PACK = make_pack()
ORDER = {card: place for place, card in enumerate(PACK)}
FULL_HAND = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}  # cards each, by seats


class Match(NamedTuple):
    """What stays the same through a match. sizes: the cards of each hand."""

    seats: int
    game_style: str
    scoring_style: str
    sizes: tuple


class Line(NamedTuple):
    """A scored hand on the score sheet; all but the card turned is by seat. totals: after this hand."""

    turned: str
    bids: tuple
    taken: tuple
    points: tuple
    totals: tuple


class Trick(NamedTuple):
    """A finished trick. cards: in the order played, the first by the leader."""

    leader: int
    cards: tuple
    winner: int


class State(NamedTuple):
    """A position. Tuples are by seat unless noted.

    Between hands, in the phases "deal" and "over", nothing is turned, bid, held or taken.
    """

    match: Match
    lines: tuple  # a Line for each scored hand, or None for one that is not known in a sampled state
    totals: tuple
    phase: str  # "deal", "bid", "play" or "over"; a move that fits it has it for its type
    to_act: int | None
    turned: str | None
    bids: tuple  # None: not bid
    taken: tuple
    hands: tuple  # tuples of cards in canonical order
    leader: int | None  # of the trick in progress
    trick: tuple  # its cards, in the order played
    tricks: tuple  # finished tricks of this hand; between hands those of the hand just scored


class OhHell(Rules):
    """Source: the rules page of Oh Hell, whose headings are those below."""

    slug = "oh-hell"
    name = "Oh Hell"
    version = 1
    seat_counts = tuple(FULL_HAND)

    # Options

    def option_fields(self, seats=None):
        full = FULL_HAND.get(seats, "a full hand")
        to_full = full if seats in FULL_HAND else "the full hand"
        return (
            OptionField(
                "game_style",
                "Sequence of hands",
                "How many cards are dealt from hand to hand.",
                (
                    Choice("long", "Long", f"From {full} down to 1 card and back up to {to_full}"),
                    Choice("long-inverted", "Long, inverted", f"From 1 card up to {full} and back down to 1"),
                    Choice("short-up-and-down", "Short, down and up", "From 6 cards down to 1 and back up to 6"),
                    Choice("short-up", "Short, up", f"From 1 card up to {full}"),
                    Choice("short-down", "Short, down", f"From {full} down to 1 card"),
                ),
                "long",
            ),
            OptionField(
                "scoring_style",
                "Scoring",
                "What a hand is worth.",
                (
                    Choice("positive", "Positive", "Bid made: 10 and a point for every trick. Bid missed: a point for every trick"),
                    Choice("neutral", "Neutral", "Bid made: 10 and a point for every trick. Bid missed: nothing"),
                    Choice("negative", "Negative", "Bid made: 10. Bid missed: 10 off for every trick too many or too few"),
                ),
                "positive",
            ),
        )

    def new_match(self, seats, options):
        options = self.clean_options(seats, options)
        match = _match(seats, options["game_style"], options["scoring_style"])
        return _between_hands(match, (), (0,) * seats, ())

    # Deal

    def to_act(self, state):
        return state.to_act

    def deck(self, state):
        return list(PACK) if state.phase == "deal" else []

    def _deal(self, state, move):
        _check_keys(move, "deck")
        deck = move["deck"]
        if not is_permutation(deck, PACK):
            raise IllegalMove("A deal takes the 52 cards of the pack, each of them once.")
        seats = state.match.seats
        dealt = seats * _cards(state)
        first = (_dealer(state) + 1) % seats
        hands = [sorted(deck[(seat - first) % seats : dealt : seats], key=ORDER.__getitem__) for seat in range(seats)]
        return state._replace(
            phase="bid", to_act=first, turned=deck[dealt], hands=tuple(map(tuple, hands)), tricks=()
        )

    # Bidding

    def _bid(self, state, move):
        _check_keys(move, "tricks")
        tricks = move["tricks"]
        cards = _cards(state)
        if type(tricks) is not int or not 0 <= tricks <= cards:
            raise IllegalMove(f"Bid a whole number of tricks from 0 to {cards}.")
        if tricks == _hook(state):
            raise IllegalMove(
                f"You are the dealer and may not bid {tricks}: the bids would add up to {cards}, "
                "the number of tricks. Bid another number."
            )
        seat = state.to_act
        bids = state.bids[:seat] + (tricks,) + state.bids[seat + 1 :]
        following = (seat + 1) % len(bids)
        if None in bids:
            return state._replace(to_act=following, bids=bids)
        return state._replace(phase="play", to_act=following, bids=bids, leader=following)

    # Play

    def _play(self, state, move):
        _check_keys(move, "card")
        card = move["card"]
        match, lines, totals, phase, seat, turned, bids, taken, hands, leader, trick, tricks = state
        hand = hands[seat]
        if type(card) is not str or card not in hand:
            raise IllegalMove("You do not hold that card. Play one from your hand.")
        if trick and card[1] != trick[0][1]:
            led = suit(trick[0])
            if any(suit(held) == led for held in hand):
                raise IllegalMove(_follow_suit(led))

        place = hand.index(card)
        hands = hands[:seat] + (hand[:place] + hand[place + 1 :],) + hands[seat + 1 :]
        trick += (card,)
        if len(trick) < match.seats:
            seat = (seat + 1) % match.seats
        else:
            seat = (leader + winning_place(trick, suit(turned))) % match.seats
            taken = taken[:seat] + (taken[seat] + 1,) + taken[seat + 1 :]
            tricks += (Trick(leader, trick, seat),)
            if not hands[seat]:
                return _score(match, lines, totals, turned, bids, taken, tricks)
            leader = seat
            trick = ()
        return State(match, lines, totals, phase, seat, turned, bids, taken, hands, leader, trick, tricks)

    # End of match and places

    def standings(self, state):
        if state.phase != "over":
            return []
        return [
            {"seat": seat, "team": None, "score": score, "place": place}
            for seat, score, place in placed(state.totals)
        ]

    # Score sheet

    def score_sheet(self, state):
        match = state.match
        return {
            "game": self.slug,
            "seats": match.seats,
            "game_style": match.game_style,
            "scoring_style": match.scoring_style,
            "hands_played": len(state.lines),
            "hands": [_row(state, place) for place in range(len(match.sizes))],
            "totals": list(state.totals),
        }

    # Moves

    def legal_moves(self, state):
        phase = state.phase
        if phase == "play":
            cards = legal_plays(state.hands[state.to_act], state.trick)
            return [{"type": "play", "card": card} for card in cards]
        if phase == "bid":
            hook = _hook(state)
            return [{"type": "bid", "tricks": tricks} for tricks in range(_cards(state) + 1) if tricks != hook]
        if phase == "deal":
            return [{"type": "deal", "deck": list(PACK)}]
        return []

    def apply(self, state, move):
        phase = state.phase
        kind = move.get("type") if type(move) is dict else None
        if type(kind) is not str or kind != phase or phase == "over":
            raise IllegalMove(_misfit(phase, kind))
        if phase == "play":
            return self._play(state, move)
        if phase == "bid":
            return self._bid(state, move)
        return self._deal(state, move)

    # View

    def view(self, state, seat):
        match = state.match
        between = state.phase in ("deal", "over")
        return {
            "game": self.slug,
            "seat": seat,
            "seats": match.seats,
            "options": {"game_style": match.game_style, "scoring_style": match.scoring_style},
            "phase": state.phase,
            "to_act": state.to_act,
            "hand_number": _place(state) + 1,
            "hands_total": len(match.sizes),
            "cards": _cards(state),
            "dealer": _dealer(state),
            "turned": state.turned,
            "trump": state.turned and suit(state.turned),
            "stock": 0 if between else len(PACK) - match.seats * _cards(state) - 1,
            "hand": [] if seat is None else list(state.hands[seat]),
            "hand_counts": [len(hand) for hand in state.hands],
            "bids": list(state.bids),
            "hook": _hook(state),
            "taken": list(state.taken),
            "trick": {"leader": state.leader, "plays": _plays(match.seats, state.leader, state.trick)},
            "tricks": [] if between else _finished(state),
            "totals": list(state.totals),
            "last_hand": _last_hand(state) if between and state.lines else None,
        }

    def hidden_from(self, state, seat):
        seen = {card for trick in state.tricks for card in trick.cards}
        if state.phase in ("deal", "over"):
            return set(PACK) - seen - {state.lines[-1].turned} if state.lines else set()
        seen.update(state.trick, [state.turned], [] if seat is None else state.hands[seat])
        return set(PACK) - seen

    def sample(self, view, rng):
        match = _match(view["seats"], **view["options"])
        phase = view["phase"]
        last = view["last_hand"]
        known = last or view
        tricks = tuple(
            Trick(trick["leader"], tuple(play["card"] for play in trick["plays"]), trick["winner"])
            for trick in known["tricks"]
        )
        totals = tuple(view["totals"])
        played = view["hand_number"] - (phase != "over")
        lines = (None,) * played
        if last:
            line = Line(last["turned"], *(tuple(last[key]) for key in ("bids", "taken", "points")), totals)
            lines = lines[:-1] + (line,)
        if phase in ("deal", "over"):
            return _between_hands(match, lines, totals, tricks)
        leader = view["trick"]["leader"]
        trick = tuple(play["card"] for play in view["trick"]["plays"])
        return State(
            match=match,
            lines=lines,
            totals=totals,
            phase=phase,
            to_act=view["to_act"],
            turned=view["turned"],
            bids=tuple(view["bids"]),
            taken=tuple(view["taken"]),
            hands=_sampled_hands(view, tricks, leader, trick, rng),
            leader=leader,
            trick=trick,
            tricks=tricks,
        )

    # Events

    def events(self, before, move, after):
        seat = before.to_act
        if before.phase == "deal":
            trump = suit(after.turned)
            happened = {"type": "hand_dealt", "hand": _place(after) + 1, "cards": _cards(after)}
            return [happened | {"dealer": _dealer(after), "turned": after.turned, "trump": trump}]
        if before.phase == "bid":
            happened = [{"type": "bid", "seat": seat, "tricks": move["tricks"]}]
            if after.phase == "play":
                total = sum(after.bids)
                closed = {"bids": list(after.bids), "bid_total": total, "over_under": total - _cards(after)}
                happened.append({"type": "bidding_closed"} | closed)
            return happened
        happened = [{"type": "card_played", "seat": seat, "card": move["card"]}]
        if len(after.tricks) > len(before.tricks):
            trick = after.tricks[-1]
            plays = _plays(after.match.seats, trick.leader, trick.cards)
            happened.append({"type": "trick_won", "seat": trick.winner, "trick": len(after.tricks), "plays": plays})
        if len(after.lines) > len(before.lines):
            line = after.lines[-1]._asdict()
            scored = {key: list(line[key]) for key in ("bids", "taken", "points", "totals")}
            happened.append({"type": "hand_scored", "hand": len(after.lines)} | scored)
        if after.phase == "over":
            happened.append({"type": "match_over", "standings": self.standings(after)})
        return happened

    # Positions as stored

    def dump(self, state):
        match, *rest = state
        return {"match": as_lists(match[:3])} | dict(zip(State._fields[1:], map(as_lists, rest)))

    def load(self, data):
        parts = {name: as_tuples(value) for name, value in data.items()}
        parts["match"] = _match(*parts["match"])
        parts["lines"] = tuple(line and Line(*line) for line in parts["lines"])
        parts["tricks"] = tuple(Trick(*trick) for trick in parts["tricks"])
        return State(**parts)


@cache
def _match(seats, game_style, scoring_style):
    """Source: "Sequence of hands". The hand at the turning point is played once."""
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
    """The state before a deal, or at the end of the match. tricks: of the hand just scored."""
    over = len(lines) == len(match.sizes)
    return State(
        match=match,
        lines=lines,
        totals=totals,
        phase="over" if over else "deal",
        to_act=None if over else CHANCE,
        turned=None,
        bids=(None,) * match.seats,
        taken=(0,) * match.seats,
        hands=((),) * match.seats,
        leader=None,
        trick=(),
        tricks=tricks,
    )


def _place(state):
    """The place in the sequence, from 0, of the hand in progress, about to be dealt, or the last of the match."""
    return min(len(state.lines), len(state.match.sizes) - 1)


def _cards(state):
    """How many cards each seat is dealt in this hand; it has as many tricks."""
    return state.match.sizes[_place(state)]


def _dealer(state):
    return (_place(state) - 1) % state.match.seats


def _hook(state):
    """The bid that is closed to the seat to act, or None. Source: "Bidding", the hook."""
    if state.phase != "bid" or state.to_act != _dealer(state):
        return None
    left = _cards(state) - sum(bid for bid in state.bids if bid is not None)
    return left if left >= 0 else None


def _score(match, lines, totals, turned, bids, taken, tricks):
    """The state after the last card of a hand. Source: "Scoring"."""
    points = tuple(_points(match.scoring_style, bid, took) for bid, took in zip(bids, taken))
    totals = tuple(map(sum, zip(totals, points)))
    return _between_hands(match, lines + (Line(turned, bids, taken, points, totals),), totals, tricks)


def _points(scoring_style, bid, took):
    if scoring_style == "negative":
        return 10 if took == bid else -10 * abs(took - bid)
    if took == bid:
        return 10 + took
    return took if scoring_style == "positive" else 0


def _row(state, place):
    """A row of the score sheet: a scored hand, the hand in progress or a blank. Source: "Score sheet"."""
    match = state.match
    blank = (None,) * match.seats
    turned, bids, taken, points, totals = None, blank, blank, blank, blank
    if place < len(state.lines):
        if state.lines[place]:
            turned, bids, taken, points, totals = state.lines[place]
    elif place == len(state.lines):
        turned, bids = state.turned, state.bids
        if state.phase == "play":
            taken = state.taken
    cards = match.sizes[place]
    return {
        "hand": place + 1,
        "cards": cards,
        "dealer": (place - 1) % match.seats,
        "turned": turned,
        "trump": turned and suit(turned),
        "over_under": None if None in bids else sum(bids) - cards,
        "seats": [
            {"bid": bid, "taken": took, "points": point, "total": total}
            for bid, took, point, total in zip(bids, taken, points, totals)
        ],
    }


def _check_keys(move, key):
    if len(move) != 2 or key not in move:
        raise IllegalMove("That move is not complete, or says too much.")


def _misfit(phase, kind):
    """Why a move of this type cannot be made in this phase. kind: whatever was sent as the type."""
    if phase == "over":
        return "The match is over."
    if type(kind) is not str or kind not in ("deal", "bid", "play"):
        return "There is no such move in Oh Hell."
    return {
        "deal": "The cards are not dealt yet. Wait for the deal.",
        "bid": "The bidding is not over. Bid a number of tricks.",
        "play": "The bidding is over. Play a card.",
    }[phase]


def _follow_suit(led):
    a_card = {"C": "a club", "D": "a diamond", "H": "a heart", "S": "a spade"}[led]
    return f"You hold {a_card}, so you must follow suit."


def _plays(seats, leader, cards):
    return [{"seat": (leader + place) % seats, "card": card} for place, card in enumerate(cards)]


def _finished(state):
    return [
        {"leader": leader, "plays": _plays(state.match.seats, leader, cards), "winner": winner}
        for leader, cards, winner in state.tricks
    ]


def _last_hand(state):
    place, line = len(state.lines) - 1, state.lines[-1]
    return {
        "hand": place + 1,
        "cards": state.match.sizes[place],
        "dealer": (place - 1) % state.match.seats,
        "turned": line.turned,
        "trump": suit(line.turned),
        "bids": list(line.bids),
        "taken": list(line.taken),
        "points": list(line.points),
        "tricks": _finished(state),
    }


def _sampled_hands(view, tricks, leader, trick, rng):
    """Hands for all seats: that of the view's seat, and for the others any that fit what they have played."""
    seats, own = view["seats"], view["seat"]
    played = [(leader, cards) for leader, cards, _ in tricks] + [(leader, trick)]
    seen = {view["turned"], *view["hand"]}.union(*(cards for _, cards in played))
    unseen = [card for card in PACK if card not in seen]
    voids = shown_voids(seats, played)
    others = [seat for seat in range(seats) if seat != own]
    dealt = deal_unseen(
        unseen,
        [view["hand_counts"][seat] for seat in others],
        [{card for card in unseen if suit(card) in voids[seat]} for seat in others],
        rng,
    )
    hands = dict(zip(others, dealt)) | {own: view["hand"]}
    return tuple(tuple(sorted(hands[seat], key=ORDER.__getitem__)) for seat in range(seats))
