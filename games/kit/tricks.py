"""Tricks: following suit, who takes them, the play of a deal in them. A trick is its cards in order, the lead first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Literal, NamedTuple, Protocol, TypedDict

from games.kit.cards import RANKS, in_order, make_pack, suit
from games.kit.contract import Card, IllegalMove, Seat, Standing, Table
from games.kit.moves import must_follow, remove_card
from games.kit.positions import maker
from games.kit.sampling import dealer


class Trick(NamedTuple):
    """A finished trick. cards: in the order played, the first by the leader."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat


class Play(TypedDict):
    """A card of a trick in a view or an event, and the seat that played it."""

    seat: Seat
    card: Card


class HasPlays(TypedDict):
    """A trick in a view. plays: in order."""

    plays: list[Play]


class CurrentTrick(HasPlays):
    """The trick in progress in a view."""

    leader: Seat | None  # None before the play


class FinishedTrick(HasPlays):
    """A finished trick in a view."""

    leader: Seat
    winner: Seat


class CardPlayed(TypedDict):
    """The event of a card being played to a trick."""

    type: Literal["card_played"]
    seat: Seat
    card: Card


class TrickWon(TypedDict):
    """The event of a trick being finished."""

    type: Literal["trick_won"]
    seat: Seat
    trick: int  # its number in the deal, from 1
    plays: list[Play]


class MatchOver(TypedDict):
    """The event of the match being over."""

    type: Literal["match_over"]
    standings: list[Standing]


class PlayState(Protocol):
    """What `play_card` needs of a state."""

    @property
    def phase(self) -> str: ...
    @property
    def to_act(self) -> Seat | None: ...
    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]: ...
    @property
    def leader(self) -> Seat | None: ...
    @property
    def trick(self) -> tuple[Card, ...]: ...
    @property
    def tricks(self) -> tuple[Trick, ...]: ...


def legal_plays(hand: Sequence[Card], trick: Sequence[Card]) -> Sequence[Card]:
    """Return the cards of `hand` that follow suit, or all of them if none does.

    trick: the cards played so far, the lead first. A card is its rank and its suit: "TH".
    """
    if not trick:
        return hand
    suit_led = trick[0][1]
    return [card for card in hand if card[1] == suit_led] or hand


def winning_place(
    trick: Sequence[Card], trump: str | None, ranks: Sequence[str] = RANKS, trump_ranks: Sequence[str] = RANKS
) -> int:
    """Return the index of the card that takes `trick`: the highest trump, else the highest card of the suit led.

    trump: a suit, or None. ranks, trump_ranks: the ranks of plain suits and of trumps, low to high.
    """
    suit_led = trick[0][1]
    power = powers(suit_led, trump, ranks, trump_ranks)
    return trick.index(max(trick, key=power.__getitem__))


@cache
def powers(
    led: str, trump: str | None, ranks: Sequence[str] = RANKS, trump_ranks: Sequence[str] = RANKS
) -> dict[Card, int]:
    """Return the power of each card: in a trick that begins with the suit `led`, the card with the highest number wins.

    Cards of other plain suits have 0. Every trump has more than any other card. All callers share the dict.

    led, trump: suits; trump may be None. ranks, trump_ranks: the ranks of plain suits and of trumps, low to high.
    """
    power = dict.fromkeys(make_pack(), 0)
    power |= {rank + led: number for number, rank in enumerate(ranks, 1)}
    if trump:
        power |= {rank + trump: number for number, rank in enumerate(trump_ranks, 1 + len(ranks))}
    return power


def as_plays(seats: int, leader: Seat | None, cards: Sequence[Card]) -> list[Play]:
    """Return the cards of a trick as dicts of "seat" and "card", in the order played.

    seats: their number. leader: the seat that played first. It may be None if there are no cards.
    """
    if not cards:
        return []
    assert leader is not None
    return [{"seat": (leader + index) % seats, "card": card} for index, card in enumerate(cards)]


def as_dicts(seats: int, tricks: Iterable[Trick]) -> list[FinishedTrick]:
    """Return finished tricks as dicts for a view. seats: the number of seats."""
    return [
        {"leader": leader, "plays": as_plays(seats, leader, cards), "winner": winner}
        for leader, cards, winner in tricks
    ]


def cards_played(trick: HasPlays) -> tuple[Card, ...]:
    return tuple([play["card"] for play in trick["plays"]])


def played_by(seat: Seat | None, tricks: Iterable[HasPlays]) -> list[Card]:
    """Return the cards that a seat played to these tricks, in order."""
    return [play["card"] for trick in tricks for play in trick["plays"] if play["seat"] == seat]


def from_dicts(tricks: Iterable[FinishedTrick]) -> tuple[Trick, ...]:
    """Return the tricks that `as_dicts` converted."""
    return tuple(Trick(trick["leader"], cards_played(trick), trick["winner"]) for trick in tricks)


def trick_won(seats: int, tricks: Sequence[Trick]) -> TrickWon:
    """Return the event that announces the last of the finished `tricks` of a deal. seats: the number of seats."""
    leader, cards, winner = tricks[-1]
    return {"type": "trick_won", "seat": winner, "trick": len(tricks), "plays": as_plays(seats, leader, cards)}


def count_tricks(tricks: Iterable[Trick], sides: int) -> list[int]:
    """Return the number of tricks that each side took. The side of a seat is `seat % sides`."""
    winners = [winner % sides for _, _, winner in tricks]
    return [winners.count(side) for side in range(sides)]


def find_voids(seats: int, tricks: Iterable[tuple[Seat | None, Sequence[Card]]]) -> list[set[str]]:
    """Return, by seat, the suits that the seat certainly does not hold, because it did not follow them.

    seats: their number. tricks: the leader and the cards of each trick of one deal. The leader is None without cards.
    """
    voids: list[set[str]] = [set() for _ in range(seats)]
    for leader, cards in tricks:
        for index, card in enumerate(cards):
            if suit(card) != suit(cards[0]):
                assert leader is not None
                voids[(leader + index) % seats].add(suit(cards[0]))
    return voids


_trick_of = maker(Trick)


def play_card(
    state: PlayState, card: Card, trump: str | None
) -> tuple[Seat, tuple[tuple[Card, ...], ...], Seat, tuple[Card, ...], tuple[Trick, ...]]:
    """Return new values for a state after the seat to act plays `card`: (seat to act, hands, leader, trick, tricks).

    Players must follow suit, and the highest trump, or else the highest card of the suit led, wins the trick.
    Raise `IllegalMove` if the card may not be played. state: of any game with these fields. trump: a suit, or None.
    """
    seat, hands, leader, trick = state.to_act, state.hands, state.leader, state.trick
    assert seat is not None
    assert leader is not None
    new_hands = remove_card(hands, seat, card)
    follows_suit = not trick or card[1] == trick[0][1]
    if not follows_suit and card not in legal_plays(hands[seat], trick):
        raise IllegalMove(must_follow(suit(trick[0])))
    trick += (card,)
    seats = len(hands)
    if len(trick) < seats:
        return (seat + 1) % seats, new_hands, leader, trick, state.tricks
    # The winner of a complete trick leads to the next, which is empty.
    winner = (leader + winning_place(trick, trump)) % seats
    return winner, new_hands, winner, (), (*state.tricks, _trick_of((leader, trick, winner)))


def card_events[S: PlayState, E: Mapping[str, Any]](
    before: S, card: Card, after: S, deal_scored: Callable[[S], E], standings: Callable[[S], list[Standing]]
) -> list[CardPlayed | TrickWon | E | MatchOver]:
    """Return the events of playing a card, including the end of the trick, of the deal and of the match.

    before, after: the states of the match. deal_scored: a function that returns the event with the scores of the deal.
    standings: a function that returns the result of the match.
    """
    assert before.to_act is not None
    events: list[CardPlayed | TrickWon | E | MatchOver] = [{"type": "card_played", "seat": before.to_act, "card": card}]
    if len(after.tricks) > len(before.tricks):
        events.append(trick_won(len(after.hands), after.tricks))
    if after.phase != "play":
        events.append(deal_scored(after))
    if after.phase == "over":
        events.append({"type": "match_over", "standings": standings(after)})
    return events


def visible_cards(state: PlayState, seat: Seat | None) -> set[Card]:
    """Return the cards that `seat` holds or that were played. A spectator (None) holds none."""
    hand = () if seat is None else state.hands[seat]
    return set(state.trick).union(hand, *(trick.cards for trick in state.tricks))


def dealer_of_hands(
    pack: Iterable[Card], view: Table, tricks: Iterable[Trick]
) -> Callable[[Random], tuple[tuple[Card, ...], ...]]:
    """Return a function deal(rng) that returns random hands of all seats that fit what one seat has seen.

    That seat has its own hand. The others have any of the cards that it has not seen, but none of a suit that they did
    not follow. All such deals are equally likely.

    view: what the seat can see. The game must oblige players to follow suit. The card "turned" belongs to nobody.
    tricks: the finished tricks of the deal.
    """
    seats, own_seat = view["seats"], view["seat"]
    played = [(leader, cards) for leader, cards, _ in tricks]
    played.append((view["trick"]["leader"], cards_played(view["trick"])))  # the trick in progress
    visible = {view["turned"], *view["hand"]}.union(*(cards for _, cards in played))
    unseen = [card for card in pack if card not in visible]
    voids = find_voids(seats, played)
    others = [seat for seat in range(seats) if seat != own_seat]
    deal_others = dealer(
        unseen,
        sizes=[view["hand_counts"][seat] for seat in others],
        barred=[voids[seat] and {card for card in unseen if suit(card) in voids[seat]} for seat in others],
    )
    hands: list[tuple[Card, ...]] = [in_order(view["hand"]) if seat == own_seat else () for seat in range(seats)]

    def deal_hands(rng: Random) -> tuple[tuple[Card, ...], ...]:
        for seat, hand in zip(others, deal_others(rng), strict=True):
            hands[seat] = in_order(hand)
        return tuple(hands)

    return deal_hands
