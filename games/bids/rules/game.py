"""Bids: play a card for the black card in the centre; the highest number wins it, a tie burns it."""

from functools import partial
from math import comb, factorial, perm
from operator import mul
from typing import NamedTuple

from games.bids.rules.scoring import (
    Match,
    Round,
    Trick,
    alliance,
    black_cards_of,
    current_row,
    finished_trick,
    flat,
    line_of,
    loaded_line,
    null_rounds,
    pair_of,
    row_of,
    scored_line,
    totals,
)
from games.bids.rules.tricks import (
    ALLY,
    COLOURS,
    DOUBLE,
    LOWEST,
    NUMBER,
    SURPRISE,
    black_in_hands,
    coloured_in_hands,
    in_order,
    is_black,
    make_pack,
)
from games.kit.cards import is_permutation
from games.kit.contract import (
    CHANCE,
    Choice,
    IllegalMove,
    Meaning,
    OptionField,
    Preset,
    Rules,
    as_lists,
    as_tuples,
    placed,
)

TRICKS = 10  # of a round; the cards of a hand too
KEYS = {"deal": "deck", "play": "card"}  # what a move of each type holds besides the type


class State(NamedTuple):
    """A position. In the phases "deal" and "over" nothing is held and nothing lies in the centre.

    hand_pack: the cards of all hands between the first and the second shuffle of a round, otherwise empty.
    """

    round: Round
    phase: str  # "deal", "play" or "over"; the type of the moves that fit it
    to_act: int | None
    hand_pack: tuple
    hands: tuple  # by seat, tuples of cards in canonical order
    stock: tuple  # the next centre card first
    lowest: bool  # whether the lowest number wins this trick
    leader: int | None  # of the trick in progress
    centre: str | None
    under: str | None  # face down
    trick: tuple  # its bids, in the order played
    tricks: tuple  # the finished tricks of this round; of the last round when the match is over
    last_trick: Trick | None  # finished last, also if in the round before


_state_of = partial(tuple.__new__, State)  # from a tuple; takes half the time of State(...)


class Bids(Rules):
    """Source: the rules page of Bids, whose headings are those below."""

    slug = "bids"
    name = "Bids"
    summary = "Bid a card for the black card in the middle: the highest number wins it, and a tie burns it."
    version = 1
    seat_counts = tuple(COLOURS)
    meanings = {
        "played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "trick_burnt": Meaning.TRICK_FINISHED,
        "round_scored": Meaning.DEAL_SCORED,
    }
    presets = (
        Preset("plain", "Plain", "The highest number wins, and you see what you bid for.", {}),
        Preset(
            "turnabout",
            "Turnabout",
            "With the Lowest card, which turns the round over, and the Surprise card, which hides another.",
            {"lowest": True, "surprise": True},
        ),
        Preset(
            "colours",
            "Colour bids",
            "Only the colours bid most often can win, and the card in the middle bids too.",
            {"colour_bids": True},
        ),
    )

    # Options

    def option_fields(self, seats=None):
        return (
            OptionField(
                "rounds",
                "Rounds",
                "How many rounds of ten tricks are played.",
                tuple(Choice(count, f"{count} rounds") for count in range(2, 9)),
                5,
            ),
            _with_or_without(
                "ally",
                "Ally",
                "the Ally",
                "A white card that wins nothing: who plays it and who wins that trick share their points of the round. "
                "Three play without it.",
                values=(False,) if seats == 3 else (False, True),
                default=seats in (5, 6),
            ),
            _with_or_without(
                "minus5_2x",
                "Black −5 and black 2×",
                "black −5 and 2×",
                "Two more black cards: one takes 5 points off, the other doubles what its winner has in the round. "
                "Three and four always play with them.",
                values=(True,) if seats in (3, 4) else (False, True),
                default=seats != 5,
            ),
            _with_or_without(
                "lowest",
                "Lowest card",
                "the Lowest card",
                "A black card worth nothing: once it is turned up, the lowest number wins to the end of the round.",
            ),
            _with_or_without(
                "surprise",
                "Surprise card",
                "the Surprise card",
                "A black card with another one face down under it: you bid before you see what for.",
            ),
            _with_or_without(
                "colour_bids",
                "Colour bids",
                "colour bids",
                "Only cards of the colours bid most often can win. Black counts one more, for the centre card, "
                "which may beat all bids.",
            ),
        )

    def new_match(self, seats, options):
        return _before_round(Match(seats, **self.clean_options(seats, options)), (), (), None)

    # Deal

    def to_act(self, state):
        return state.to_act

    def deck(self, state):
        if state.phase != "deal":
            return []
        if state.hand_pack:
            return list(state.hand_pack)
        return [card for card in _pack(state.round.match) if card != ALLY]

    def _deal(self, state, deck):
        expected = self.deck(state)
        if not is_permutation(deck, expected):
            raise IllegalMove(f"A deal takes the {len(expected)} cards to be shuffled, each of them once.")
        return _deal_hands(state, deck) if state.hand_pack else _prepare(state, deck)

    # Play

    def _play(self, state, card):
        round_, phase, seat, hand_pack, hands, stock, lowest, leader, centre, under, trick, tricks, last_trick = state
        hand = hands[seat]
        if type(card) is not str or card not in hand:
            raise IllegalMove("You do not hold that card. Play any card from your hand.")

        hands = list(hands)
        hands[seat] = tuple([held for held in hand if held != card])
        hands = tuple(hands)
        trick += (card,)
        seats = len(hands)
        if len(trick) < seats:
            seat = (seat + 1) % seats
            held = (round_, phase, seat, hand_pack, hands, stock)
            return _state_of((*held, lowest, leader, centre, under, trick, tricks, last_trick))
        last_trick = finished_trick(round_.match, leader, centre, under, trick, tricks, lowest)
        tricks += (last_trick,)
        if len(tricks) < TRICKS:
            lowest = lowest or under == LOWEST
            return _next_trick(round_, hands, stock, lowest, last_trick.leads, tricks, last_trick)
        return _before_round(round_.match, (*round_.lines, scored_line(round_, tricks)), tricks, last_trick)

    # End of the match

    def standings(self, state):
        if state.phase != "over":
            return []
        return [
            {"seat": seat, "team": None, "score": score, "place": place}
            for seat, score, place in placed(totals(state.round))
        ]

    # Score sheet

    def score_sheet(self, state):
        round_ = state.round
        return {
            "rounds": [row_of(number, line) for number, line in enumerate(round_.lines, 1)],
            "current": current_row(_number(state), round_.match.seats, state.tricks) if state.phase == "play" else None,
            "null_rounds": null_rounds(round_),
            "totals": totals(round_),
        }

    # Moves

    def legal_moves(self, state):
        if state.phase == "play":
            return [{"type": "play", "card": card} for card in state.hands[state.to_act]]
        return [{"type": "deal", "deck": self.deck(state)}] if state.phase == "deal" else []

    def apply(self, state, move):
        phase = state.phase
        kind = move.get("type") if type(move) is dict else None
        if phase == "over" or type(kind) is not str or kind != phase:
            raise IllegalMove(_misfit(phase, kind))
        key = KEYS[kind]
        if len(move) != 2 or key not in move:
            raise IllegalMove(f"A {kind} names the {key} and nothing else.")
        return self._play(state, move[key]) if kind == "play" else self._deal(state, move[key])

    # View

    def view(self, state, seat):
        round_, playing = state.round, state.phase == "play"
        seats, *options = round_.match
        assert seat is None or 0 <= seat < seats
        return {
            "seat": seat,
            "seats": seats,
            "options": dict(zip(Match._fields[1:], options, strict=True)),
            "phase": state.phase,
            "round": _number(state),
            "trick": len(state.tricks) + 1 if playing else 0,
            "first_leader": _first_leader(state),
            "leader": state.leader,
            "to_act": state.to_act if playing else None,
            "lowest": state.lowest,
            "centre": state.centre,
            "plays": _plays(seats, state.leader, state.trick),
            "hand": [] if seat is None else list(state.hands[seat]),
            "hand_counts": [len(hand) for hand in state.hands],
            "stock_count": len(state.stock) if playing else 0,
            "tricks": [_shown(seats, trick, place) for place, trick in enumerate(state.tricks, 1)],
            "last_trick": state.last_trick and _shown(seats, state.last_trick, len(state.tricks) or TRICKS),
            "score_sheet": self.score_sheet(state),
            "standings": self.standings(state),
            "legal_moves": self.legal_moves(state) if playing and seat == state.to_act else [],
        }

    def hidden_from(self, state, seat):
        tricks = filter(None, [*state.tricks, state.last_trick])
        seen = {card for trick in tricks for card in (*trick.cards, trick.centre, trick.under)}
        own = () if seat is None else state.hands[seat]
        return set(_pack(state.round.match)) - seen.union(state.trick, [state.centre], own)

    def sample(self, view, rng):
        match = Match(view["seats"], **view["options"])
        lines = tuple(line_of(row) for row in view["score_sheet"]["rounds"])
        tricks = tuple(map(_trick_of, view["tricks"]))
        last_trick = view["last_trick"] and _trick_of(view["last_trick"])
        if view["phase"] != "play":
            return _before_round(match, lines, tricks, last_trick)
        trick = tuple(play["card"] for play in view["plays"])
        hands, stock = _sampled_cards(match, view, tricks, trick, rng)
        under = stock.pop(0) if view["centre"] == SURPRISE else None
        return State(
            round=Round(match, lines),
            phase="play",
            to_act=view["to_act"],
            hand_pack=(),
            hands=hands,
            stock=tuple(stock),
            lowest=view["lowest"],
            leader=view["leader"],
            centre=view["centre"],
            under=under,
            trick=trick,
            tricks=tricks,
            last_trick=last_trick,
        )

    # Events

    def events(self, before, move, after):
        if before.phase == "deal":
            if after.phase == "deal":
                return []
            dealt = {"type": "dealt", "round": _number(after), "leader": after.leader}
            return [dealt, *_turned_up(before, after)]
        happened = [{"type": "played", "seat": before.to_act, "card": move["card"]}]
        if after.phase == "play" and after.trick:
            return happened
        happened += _trick_finished(before, after.last_trick)
        if after.phase == "play":
            return happened + _turned_up(before, after)
        happened += _round_finished(after.round)
        if after.phase == "over":
            happened.append({"type": "match_over", "standings": self.standings(after)})
        return happened

    # Positions as stored

    def dump(self, state):
        match, lines = state.round
        stored = {"match": match, **dict(zip(State._fields[1:], state[1:], strict=True))}
        stored = {name: as_lists(value) for name, value in stored.items()}
        # One flat list a line: late in a match lines are most of a position, which is stored with every move.
        stored["lines"] = [flat(line) for line in lines]
        return stored

    def load(self, data):
        stored = {name: as_tuples(value) for name, value in data.items()}
        stored["tricks"] = tuple(Trick(*trick) for trick in stored["tricks"])
        stored["last_trick"] = stored["last_trick"] and Trick(*stored["last_trick"])
        match, lines = Match(*stored.pop("match")), tuple(map(loaded_line, stored.pop("lines")))
        return State(Round(match, lines), **stored)


# Options


def _with_or_without(name, label, card, explanation, values=(False, True), default=False):
    # A choice says what it is about, for it also stands alone beside the name of a match.
    choices = tuple(Choice(value, f"{'With' if value else 'Without'} {card}") for value in values)
    return OptionField(name, label, explanation, choices, default)


def _pack(match):
    """All cards of the match, a tuple in canonical order."""
    _, _, ally, minus5_2x, lowest, surprise, _ = match
    return make_pack(match.seats, ally=ally, minus5_2x=minus5_2x, lowest=lowest, surprise=surprise)


# Deal


def _number(state):
    """The round, from 1: the one in progress or about to be dealt, or the last."""
    return len(state.round.lines) + (state.phase != "over")


def _first_leader(state):
    return (_number(state) - 1) % state.round.match.seats


def _before_round(match, lines, tricks, last_trick):
    """The state before a round is dealt, or at the end of the match. tricks: of the round just scored."""
    over = len(lines) == match.rounds
    return State(
        round=Round(match, lines),
        phase="over" if over else "deal",
        to_act=None if over else CHANCE,
        hand_pack=(),
        hands=((),) * match.seats,
        stock=(),
        lowest=False,
        leader=None,
        centre=None,
        under=None,
        trick=(),
        tricks=tricks if over else (),
        last_trick=last_trick,
    )


def _prepare(state, deck):
    """The state after the first shuffle of a round, which parts the cards of the hands from the stock."""
    match = state.round.match
    black_left = black_in_hands(match.seats, match.ally)
    coloured_left = coloured_in_hands(match.seats, match.ally)
    hand_pack, stock = [ALLY] if match.ally else [], []
    for card in deck:
        if not is_black(card):
            if coloured_left:
                hand_pack.append(card)
                coloured_left -= 1
        elif card in NUMBER and black_left:
            hand_pack.append(card)
            black_left -= 1
        else:
            stock.append(card)
    return state._replace(hand_pack=in_order(hand_pack), stock=tuple(stock))


def _deal_hands(state, deck):
    """The state after the second shuffle of a round, in which the first leader is to act."""
    seats, first = state.round.match.seats, _first_leader(state)
    hands = tuple(in_order(deck[(seat - first) % seats :: seats]) for seat in range(seats))
    return _next_trick(state.round, hands, state.stock, False, first, (), state.last_trick)


# Play


def _next_trick(round_, hands, stock, lowest, leader, tricks, last_trick):
    """The state after the top card of the stock is turned up. lowest: whether the lowest number wins already."""
    centre, *stock = stock
    under = stock.pop(0) if centre == SURPRISE else None
    held = (round_, "play", leader, (), hands, tuple(stock))
    return _state_of((*held, lowest or centre == LOWEST, leader, centre, under, (), tricks, last_trick))


# Moves


def _misfit(phase, kind):
    """Why a move of this type cannot be made in this phase. kind: whatever was sent as the type."""
    if phase == "over":
        return "The match is over."
    if type(kind) is not str or kind not in KEYS:
        return "There is no such move in Bids."
    if phase == "deal":
        return "The cards are not dealt yet. Wait for the deal."
    return "The cards are dealt. Play any card from your hand."


# View


def _plays(seats, leader, cards):
    return [{"seat": (leader + place) % seats, "card": card} for place, card in enumerate(cards)]


def _shown(seats, trick, number):
    leader, centre, under, cards, winner, leads, points, doubling, by_centre = trick
    return {
        "trick": number,
        "leader": leader,
        "centre": centre,
        "under": under,
        "prize": under or centre,
        "plays": _plays(seats, leader, cards),
        "winner": winner,
        "leads": leads,
        "points": points,
        "doubling": doubling,
        "by_centre": by_centre,
    }


def _trick_of(shown):
    """The Trick that `_shown` made plain."""
    cards = tuple(play["card"] for play in shown["plays"])
    return Trick(cards=cards, **{name: shown[name] for name in Trick._fields if name != "cards"})


# Sampling


def _sampled_cards(match, view, tricks, trick, rng):
    """Hands for all seats and the face-down cards of the centre, a list, the next first.

    tricks, trick: as in a State. Every pair of shuffles that fits the view is as likely as any other.
    """
    own, turned_up, played = view["hand"], [view["centre"]], list(trick)
    for done in tricks:
        turned_up += [done.centre, done.under] if done.under else [done.centre]
        played += done.cards
    seen = {*own, *turned_up, *played}
    unseen = [card for card in _pack(match) if card not in seen]
    rng.shuffle(unseen)
    numbered = [card for card in unseen if is_black(card) and card in NUMBER]
    special = [card for card in unseen if is_black(card) and card not in NUMBER]
    coloured = [card for card in unseen if not is_black(card) and card != ALLY]

    counts = [0 if seat == view["seat"] else count for seat, count in enumerate(view["hand_counts"])]
    black = black_in_hands(match.seats, match.ally)
    black_left = black - sum(map(is_black, [*own, *played]))
    held = numbered[:black_left] + ([ALLY] if ALLY in unseen else [])
    held += coloured[: sum(counts) - len(held)]
    rng.shuffle(held)
    hands = []
    for seat, count in enumerate(counts):
        hands.append(tuple(own) if seat == view["seat"] else in_order(held[:count]))
        held = held[count:]

    del numbered[:black_left]
    if all(card not in NUMBER for card in turned_up):
        return tuple(hands), _sampled_stock(numbered, special, len(turned_up), black, rng)
    stock = numbered + special
    rng.shuffle(stock)
    return tuple(hands), stock


def _sampled_stock(numbered, special, turned_up, black, rng):
    """The stock in a random order, the next card first, before any card with a number has been turned up.

    numbered, special: its cards with and without a number, shuffled. turned_up: how many cards were on top of it.
    black: how many black cards were dealt to the hands. In the first shuffle these came before the first card with a
    number of the stock, mixed in any way with the special cards on top of it. The more of those, the more shuffles lead
    to the same stock, so that special cards are likelier to lie on top than elsewhere.
    """
    size, on_top = len(numbered) + len(special), range(len(special) + 1)
    orders = [perm(len(special), count) * len(numbered) * factorial(size - count - 1) for count in on_top]
    mixtures = [comb(black + turned_up + count, black) for count in on_top]
    (count,) = rng.choices(on_top, map(mul, orders, mixtures))
    rest = numbered[1:] + special[count:]
    rng.shuffle(rest)
    return [*special[:count], numbered[0], *rest]


# Events


def _turned_up(before, after):
    """The events of a centre card turned up, and of the lowest number winning from now on."""
    number = len(after.tricks) + 1
    happened = [{"type": "centre", "trick": number, "card": after.centre}]
    return [*happened, {"type": "lowest", "trick": number}] if after.lowest and not before.lowest else happened


def _trick_finished(before, trick):
    """The events of a trick, from the card under the Surprise card on. before: the state before its last bid."""
    number = len(before.tricks) + 1
    happened = [{"type": "revealed", "card": trick.under}] if trick.under else []
    if trick.winner is None:
        burnt = {"points": trick.points, "by_centre": trick.by_centre, "leads": trick.leads}
        return [*happened, {"type": "trick_burnt", "trick": number, **burnt}]
    won = {"seat": trick.winner, "points": trick.points, "black": black_cards_of(trick)}
    happened.append({"type": "trick_won", "trick": number, **won})
    if trick.prize == DOUBLE:
        so_far = {"before": trick.doubling, "after": 2 * trick.doubling}
        happened.append({"type": "doubled", "seat": trick.winner, **so_far})
    ally = alliance(before.round.match.seats, [trick])
    return [*happened, {"type": "allied", **pair_of(ally)}] if ally else happened


def _round_finished(round_):
    line, number = round_.lines[-1], len(round_.lines)
    happened = [
        {
            "type": "lucky_loser",
            "round": number,
            "seat": seat,
            "null_rounds": nulls,
            "points": line.lucky_loser[seat],
        }
        for seat, nulls in enumerate(null_rounds(round_))
        if line.black_cards[seat] == 0
    ]
    if line.ally:
        shared = {"round": number, **pair_of(line.ally), "each": line.total[line.ally[0]]}
        happened.append({"type": "shared", **shared})
    return [*happened, {"type": "round_scored", "round": number, "total": list(line.total)}]
