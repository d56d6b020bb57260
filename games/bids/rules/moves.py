"""The legal moves of Bids, the refusals of all others, and the state after a move.

Source: "Deal", "Play" and "Moves" on the rules page.
"""

from games.bids.rules.pack import (
    ALLY,
    LOWEST,
    NUMBER,
    SURPRISE,
    black_in_hands,
    coloured_in_hands,
    in_order,
    is_black,
    pack_of,
)
from games.bids.rules.scoring import finished_trick, scored_line
from games.bids.rules.state import TRICKS, Match, State, Trick, between_rounds, first_leader, state_of
from games.kit import cards
from games.kit.cards import Dealing, deal_singly
from games.kit.contract import Card, Move, Seat
from games.kit.language import lazy, lazy_count
from games.kit.moves import check_deck, move_checker, remove_card

PLAY_ANY = lazy("Play any card from your hand.")

check_move = move_checker(
    "Bids",
    {"play": {"play": [("card",)]}},
    advice={"play": lazy("The cards are dealt. Play any card from your hand.")},
)


# Legal moves


def deck(state: State) -> list[Card]:
    if state.phase != "deal":
        return []
    if state.hand_pack:
        return list(state.hand_pack)
    return _first_deck(state.round.match)


def _first_deck(match: Match) -> list[Card]:
    return [card for card in pack_of(match) if card != ALLY]


def dealing(state: State) -> Dealing:
    match = state.round.match
    pack = _first_deck(match)
    parts = [
        (black_in_hands(match.seats, match.ally), [card for card in pack if is_black(card) and card in NUMBER]),
        (coloured_in_hands(match.seats, match.ally), [card for card in pack if not is_black(card)]),
    ]
    return cards.dealing(pack, [[1] * TRICKS], parts=parts, added=[ALLY] if match.ally else [])


def legal_moves(state: State) -> list[Move]:
    if state.phase == "play":
        assert state.to_act is not None
        return [{"type": "play", "card": card} for card in state.hands[state.to_act]]
    return [{"type": "deal", "deck": deck(state)}] if state.phase == "deal" else []


def apply(state: State, move: Move) -> State:
    if check_move(move, state.phase) == "play":
        return _play(state, move["card"])
    return _deal(state, move["deck"])


# Deal


def _deal(state: State, shuffled: list[Card]) -> State:
    pack = deck(state)
    one, many = (
        "A deal takes the {number} card to be shuffled, each of them once.",
        "A deal takes the {number} cards to be shuffled, each of them once.",
    )
    check_deck(shuffled, pack, lazy_count(len(pack), one, many))
    return _deal_hands(state, shuffled) if state.hand_pack else _split_pack(state, shuffled)


def _split_pack(state: State, shuffled: list[Card]) -> State:
    """Return the state after the first of the two shuffles of a round, which chooses the cards for the hands.

    These are the first coloured cards and the first black cards with a number, as many of each as the hands need. All
    other black cards are the stock: one after another they are played for. A second shuffle mixes the chosen cards.
    Without it their black cards would come early, and the seats that are dealt first would get more of them.
    """
    match = state.round.match
    black_left = black_in_hands(match.seats, match.ally)
    coloured_left = coloured_in_hands(match.seats, match.ally)
    hand_pack, stock = [ALLY] if match.ally else [], []
    for card in shuffled:
        if not is_black(card):
            if coloured_left:  # The other coloured cards are out of this round.
                hand_pack.append(card)
                coloured_left -= 1
        elif card in NUMBER and black_left:
            hand_pack.append(card)
            black_left -= 1
        else:
            stock.append(card)
    return state._replace(hand_pack=in_order(hand_pack), stock=tuple(stock))


def _deal_hands(state: State, shuffled: list[Card]) -> State:
    """Return the state after the second shuffle of a round: every seat has its hand, and the first trick begins.

    shuffled: the cards that the first shuffle chose for the hands. They are dealt one by one.
    """
    seats, first = state.round.match.seats, first_leader(state)
    hands = tuple(map(in_order, deal_singly(shuffled, seats, first)))
    return _begin_trick(state, hands, first, (), state.last_trick)


# Play


def _play(state: State, card: Card) -> State:
    round_, phase, seat, hand_pack, hands, stock, lowest, leader, centre, under, trick, tricks, last_trick = state
    assert seat is not None
    hands = remove_card(hands, seat, card, PLAY_ANY)
    trick += (card,)
    seats = len(hands)
    if len(trick) < seats:
        seat = (seat + 1) % seats
        values = (round_, phase, seat, hand_pack, hands, stock)
        return state_of((*values, lowest, leader, centre, under, trick, tricks, last_trick))
    last_trick = finished_trick(state, trick)
    tricks += (last_trick,)
    if len(tricks) < TRICKS:
        return _begin_trick(state, hands, last_trick.leads, tricks, last_trick)
    return between_rounds(round_.match, (*round_.lines, scored_line(round_, tricks)), tricks, last_trick)


def _begin_trick(
    state: State, hands: tuple[tuple[Card, ...], ...], leader: Seat, tricks: tuple[Trick, ...], last_trick: Trick | None
) -> State:
    """Return the state at the start of a trick. The top card of the stock is turned up: the prize of the trick.

    state: the one before. hands, leader, tricks, last_trick: values of the new state.
    """
    centre, *stock = state.stock  # the card in the centre of the table, and those for later tricks
    under = stock.pop(0) if centre == SURPRISE else None  # The Surprise card hides the next card.
    # Once the Lowest card is turned up, the lowest number wins to the end of the round. It may also have been under the
    # Surprise card of the last trick.
    lowest = state.lowest or LOWEST in (state.under, centre)
    values = (state.round, "play", leader, (), hands, tuple(stock))  # in the order of the fields of State
    return state_of((*values, lowest, leader, centre, under, (), tricks, last_trick))
