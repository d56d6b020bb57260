"""Tricks: following suit, who takes them, the play of a deal in them. A trick is its cards in order, the lead first."""

from functools import cache
from typing import NamedTuple

from games.kit.cards import RANKS, in_order, make_pack, suit
from games.kit.contract import IllegalMove
from games.kit.moves import hands_without, must_follow
from games.kit.positions import maker
from games.kit.sampling import dealer


class Trick(NamedTuple):
    """A finished trick. cards: in the order played, the first by the leader."""

    leader: int
    cards: tuple
    winner: int


def legal_plays(hand, trick):
    """The cards of `hand` that may be played to `trick`, in the order of `hand`.

    Follow suit if you can; if void, play anything.
    """
    if not trick:
        return hand
    led = trick[0][1]
    return [card for card in hand if card[1] == led] or hand


def winning_place(trick, trump, ranks=RANKS, trump_ranks=RANKS):
    """Which card of `trick` takes it, counted from 0: the highest trump, else the highest of the suit led.

    trump: a suit, or None. ranks, trump_ranks: the ranks of another suit and of the trump suit, low to high.
    """
    power = powers(trick[0][1], trump, ranks, trump_ranks)
    return trick.index(max(trick, key=power.__getitem__))


@cache
def powers(led, trump, ranks=RANKS, trump_ranks=RANKS):
    """How much each card counts in a trick with this lead: nothing off suit, every trump more than any other.

    Everything else is as for `winning_place`. The dict is shared by all callers.
    """
    power = dict.fromkeys(make_pack(), 0)
    power |= {rank + led: number for number, rank in enumerate(ranks, 1)}
    if trump:
        power |= {rank + trump: number for number, rank in enumerate(trump_ranks, 1 + len(ranks))}
    return power


def as_plays(seats, leader, cards):
    """The cards of a trick with who played them, as views and events tell it: [{"seat", "card"}]."""
    return [{"seat": (leader + place) % seats, "card": card} for place, card in enumerate(cards)]


def as_dicts(seats, tricks):
    """Finished tricks as views tell them: [{"leader", "plays", "winner"}]."""
    return [
        {"leader": leader, "plays": as_plays(seats, leader, cards), "winner": winner}
        for leader, cards, winner in tricks
    ]


def cards_played(trick):
    """The cards of a trick that a view tells as a dict with "plays", a tuple."""
    return tuple([play["card"] for play in trick["plays"]])


def played_by(seat, tricks):
    """The cards that a seat has played, in order. tricks: of a view, the one in progress too; dicts with "plays"."""
    return [play["card"] for trick in tricks for play in trick["plays"] if play["seat"] == seat]


def from_dicts(tricks):
    """The `Trick`s that `as_dicts` made plain, a tuple."""
    return tuple(Trick(trick["leader"], cards_played(trick), trick["winner"]) for trick in tricks)


def trick_won(seats, tricks):
    """The event of the last of `tricks` being finished."""
    leader, cards, winner = tricks[-1]
    return {"type": "trick_won", "seat": winner, "trick": len(tricks), "plays": as_plays(seats, leader, cards)}


def tricks_taken(tricks, sides):
    """How many of the tricks each side has taken, a list. sides: their number; each seat is on `seat % sides`."""
    winners = [winner % sides for _, _, winner in tricks]
    return [winners.count(side) for side in range(sides)]


def known_voids(seats, tricks):
    """For each seat the set of suits in which it did not follow, and so holds no card any more.

    tricks: pairs of the seat that led and the cards played, of one deal.
    """
    voids = [set() for _ in range(seats)]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            if suit(card) != suit(cards[0]):
                voids[(leader + place) % seats].add(suit(cards[0]))
    return voids


_trick_of = maker(Trick)


def play_card(state, card, trump):
    """(to_act, hands, leader, trick, tricks) after a card is played where all follow suit and trumps beat the rest.

    state: has these five. Raises `IllegalMove` if the seat to act may not play `card`, whatever that is.
    """
    seat, hands, leader, trick = state.to_act, state.hands, state.leader, state.trick
    left = hands_without(hands, seat, card)
    if trick and card[1] != trick[0][1] and card not in legal_plays(hands[seat], trick):
        raise IllegalMove(must_follow(suit(trick[0])))
    trick += (card,)
    seats = len(hands)
    if len(trick) < seats:
        return (seat + 1) % seats, left, leader, trick, state.tricks
    winner = (leader + winning_place(trick, trump)) % seats
    return winner, left, winner, (), (*state.tricks, _trick_of((leader, trick, winner)))


def card_events(before, card, after, scored, standings):
    """What everybody saw happen when `card` was played, the end of the trick, the deal and the match included.

    scored, standings: functions of the state after: the event of the deal being scored, and `Rules.standings`.
    """
    happened = [{"type": "card_played", "seat": before.to_act, "card": card}]
    if len(after.tricks) > len(before.tricks):
        happened.append(trick_won(len(after.hands), after.tricks))
    if after.phase != "play":
        happened.append(scored(after))
    if after.phase == "over":
        happened.append({"type": "match_over", "standings": standings(after)})
    return happened


def seen_cards(state, seat):
    """The set of cards that `seat`, or a spectator if it is None, holds or has seen played."""
    own = () if seat is None else state.hands[seat]
    return set(state.trick).union(own, *(trick.cards for trick in state.tricks))


def dealer_of_hands(pack, view, tricks):
    """A function deal(rng): the hands of all seats where all follow suit, tuples in canonical order.

    They are the view's own, and for the others what fits all they have played, every deal as likely as any other.
    pack: all cards of the game; the one that is "turned" stays out of the hands. tricks: those of the view as `Trick`s.
    """
    seats, own = view["seats"], view["seat"]
    played = [(leader, cards) for leader, cards, _ in tricks]
    played.append((view["trick"]["leader"], cards_played(view["trick"])))
    seen = {view["turned"], *view["hand"]}.union(*(cards for _, cards in played))
    unseen = [card for card in pack if card not in seen]
    voids = known_voids(seats, played)
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
