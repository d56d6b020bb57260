"""The legal moves of Belot, the state after a move, and the sentence that refuses any other move.

Source: "Deal", "Bidding", "Declarations", "Play" and "Moves" on the rules page.
"""

from collections.abc import Sequence
from typing import TypeGuard

from games.belot.rules.declarations import open_declarations
from games.belot.rules.pack import (
    ALL_TRUMPS,
    CONTRACTS,
    NO_TRUMPS,
    OTHER_ROYAL,
    WEAK_HAND,
    card_points,
    duties,
    legal_cards,
    may_announce,
    trump_suits,
    winning_index,
)
from games.belot.rules.scoring import after_row, score
from games.belot.rules.state import (
    CallPair,
    Contract,
    Declaration,
    Hands,
    State,
    between_deals,
    first_seat,
    next_deal,
    state_of,
)
from games.kit import cards
from games.kit.cards import in_order
from games.kit.contract import Card, IllegalMove, Move, Seat
from games.kit.language import Lazy, lazy, say
from games.kit.moves import check_deck, move_checker, must_follow, remove_card
from games.kit.tricks import Trick
from games.kit.words import SUIT_CARDS, join_words


def _wrong_keys(kind: str, ways: Sequence[tuple[str, ...]]) -> Lazy:
    return lazy("A move of the type {kind} names {keys} and nothing else.", kind=kind, keys=Lazy(_join_keys, ways[0]))


def _join_keys(keys: Sequence[str]) -> str:
    return join_words(keys) or say("its type")


check_move = move_checker(
    "Belot",
    {
        "bid": {"pass": [()], "bid": [("contract",)], "double": [()], "redouble": [()], "surcontre": [()]},
        "play": {"declare": [("kind", "cards")], "play": [("card",), ("card", "belot")]},
    },
    advice={
        "bid": lazy("Bid first: choose a contract, or pass."),
        "play": lazy("The bidding is over. Play a card."),
    },
    wrong_keys=_wrong_keys,
)
DOUBLES = {"double": 2, "redouble": 4, "surcontre": 8}  # the level after each call
TOO_EARLY = {
    "double": lazy("There is no bid to double yet. Bid, or pass."),
    "redouble": lazy("There is no bid to redouble yet. Bid, or pass."),
    "surcontre": lazy("There is no bid to double a third time yet. Bid, or pass."),
}


# Legal moves


def deck(state: State) -> list[Card]:
    return list(state.deal.match.pack) if state.phase == "deal" else []


def dealing(state: State) -> cards.Dealing:
    return cards.dealing(state.deal.match.pack, [state.deal.match.packets])


def legal_moves(state: State) -> list[Move]:
    phase = state.phase
    if phase == "play":
        match, contract, hand = state.deal.match, state.contract, state.hand
        moves: list[Move] = [
            {"type": "declare", "kind": declaration.kind, "cards": list(declaration.cards)}
            for declaration in _open_declarations(state)
        ]
        for card in legal_cards(hand, duties(match, contract, state.trick)):
            moves.append({"type": "play", "card": card})
            if may_announce(match, contract, state.trick, hand, card):
                moves.append({"type": "play", "card": card, "belot": True})
        return moves
    if phase == "bid":
        return [
            {"type": "bid", "contract": call} if call in CONTRACTS else {"type": call} for call in _open_calls(state)
        ]
    if phase == "deal":
        return [{"type": "deal", "deck": deck(state)}]
    return []


def apply(state: State, move: Move) -> State:
    kind = check_move(move, state.phase)
    if kind == "play":
        if move.get("belot", True) is not True:
            raise IllegalMove(lazy("A play announces belot by true, or leaves belot out."))
        return _play(state, move["card"], "belot" in move)
    if kind == "declare":
        return _declare(state, move["kind"], move["cards"])
    if kind == "deal":
        return _deal(state, move["deck"])
    if kind != "bid":
        return _call(state, kind)
    if type(move["contract"]) is not str or move["contract"] not in CONTRACTS:
        raise IllegalMove(lazy("Bid clubs, diamonds, hearts, spades, no trumps or all trumps."))
    return _call(state, move["contract"])


# Deal


def _deal(state: State, deck: list[Card]) -> State:
    deal, match = state.deal, state.deal.match
    check_deck(deck, match.pack)
    first_packet, second_packet, _ = match.packets
    pack = tuple(deck)
    hands, pack = _deal_packet(deal.dealer, first_packet, ((),) * match.seats, pack)
    hands, pack = _deal_packet(deal.dealer, second_packet, hands, pack)
    deal = deal._replace(pack=pack, calls=())
    return State(deal, "bid", first_seat(deal), hands, None, (), (), (), ())


def _deal_packet(dealer: Seat, size: int, hands: Hands, pack: tuple[Card, ...]) -> tuple[Hands, tuple[Card, ...]]:
    """Deal every seat a packet of `size` cards from the top of the pack. Return the hands by seat, and the rest of it.

    The seat after the dealer gets the first packet, and the dealer the last. hands: the cards dealt before, by seat.
    """
    seats = len(hands)
    packets = [pack[start : start + size] for start in range(0, seats * size, size)]
    hands = tuple(in_order([*hands[seat], *packets[(seat - dealer - 1) % seats]]) for seat in range(seats))
    return hands, pack[seats * size :]


# Bidding


def _call(state: State, call: str) -> State:
    """Return the state after a call of the seat to act.

    call: "pass", a double ("double", "redouble" or "surcontre"), or the contract that is bid. The bidding ends when all
    others have passed after the last bid or double, or when nothing higher can be called. A contract has a level: 1,
    or 2, 4 or 8 after doubles.
    """
    deal, seat, seats = state.deal, state.to_act, state.deal.match.seats
    assert seat is not None
    if call not in _open_calls(state):
        raise IllegalMove(_call_refusal(state, call))

    contract = deal.contract
    if contract and call in DOUBLES:
        contract = contract._replace(level=DOUBLES[call])
    elif call != "pass":
        contract = Contract(call, seat, 1)  # A new bid cancels earlier doubles: it is at level 1.
    deal = deal._replace(calls=(*deal.calls, (seat, call)), contract=contract)
    passes = _count_last_passes(deal.calls)
    if passes == seats:  # Everybody has passed.
        return between_deals(next_deal(deal), hands=state.hands)
    highest_level = 8 if deal.match.third_double else 4
    is_highest_call = contract and (contract.contract, contract.level) == (ALL_TRUMPS, highest_level)
    if contract and (passes == seats - 1 or is_highest_call):  # Deal the rest of each hand, and begin to play.
        *_, last_packet = deal.match.packets  # the number of cards in it
        hands, pack = _deal_packet(deal.dealer, last_packet, state.hands, deal.pack)
        first = first_seat(deal)
        return State(deal._replace(pack=in_order(pack)), "play", first, hands, first, (), (), (), ())
    return state._replace(deal=deal, to_act=(seat + 1) % seats)


def _open_calls(state: State) -> list[str]:
    """Return what the seat to act may call: contracts that it may bid, and "pass" or a kind of double.

    A bid must be higher than the last one, so its contract comes later in CONTRACTS.
    """
    deal = state.deal
    calls = ["pass"] if _may_pass(state) else []
    if not deal.contract:
        return [*calls, *CONTRACTS]
    contract, _, level = deal.contract
    calls += CONTRACTS[CONTRACTS.index(contract) + 1 :]
    is_own = _is_own_bid(state)
    # Level 1 is a plain bid, and each double makes it twice as high. The two sides take turns to double.
    if level == 2 and is_own:
        calls.append("redouble")
    if level == 1 and not is_own:
        calls.append("double")
    if level == 4 and not is_own and deal.match.third_double:
        calls.append("surcontre")
    return calls


def _is_own_bid(state: State) -> bool:
    """Return whether the seat to act or its partner made the highest bid."""
    contract, seat, sides = state.deal.contract, state.to_act, state.deal.match.sides
    assert contract
    assert seat is not None
    return seat % sides == contract.bidder % sides


def _may_pass(state: State) -> bool:
    deal, dealer_pass = state.deal, state.deal.match.dealer_pass
    if deal.contract or state.to_act != deal.dealer or dealer_pass == "free":
        return True
    points = card_points(None)
    return dealer_pass == "seven" and sum(points[card] for card in state.hand) <= WEAK_HAND


def _count_last_passes(calls: Sequence[CallPair]) -> int:
    passes = 0
    for _, call in reversed(calls):
        if call != "pass":
            break
        passes += 1
    return passes


def _call_refusal(state: State, call: str) -> Lazy:
    match, contract = state.deal.match, state.deal.contract
    if call == "pass":
        if match.dealer_pass == "never":
            return lazy("All others have passed, so the dealer must bid. Choose a contract.")
        return lazy(
            "All others have passed and you hold more than {points} points, so you must bid. Choose a contract.",
            points=WEAK_HAND,
        )
    if call in CONTRACTS:
        return lazy("That is not higher than the last bid. Bid higher, or pass.")
    if not contract:
        return TOO_EARLY[call]
    is_own = _is_own_bid(state)
    if call == "redouble":
        if not is_own:
            return lazy("Only the side that has bid may redouble. Pass, or bid higher.")
        return lazy("You may redouble only what has been doubled once. Pass, or bid higher.")
    if is_own:
        return lazy("You may not double your own side’s bid. Pass, or bid higher.")
    if call == "double":
        return lazy("This bid has been doubled already. Pass, or bid higher.")
    if not match.third_double:
        return lazy("There is no third double in this match. Pass, or bid higher.")
    return lazy("You may double a third time only what has been redoubled. Pass, or bid higher.")


# Declarations


def _declare(state: State, kind: object, cards: object) -> State:
    if type(kind) is not str or not _are_cards(cards):
        raise IllegalMove(lazy("A declaration names its kind and a list of its cards."))
    for declaration in _open_declarations(state):
        if (declaration.kind, declaration.cards) == (kind, tuple(cards)):
            return state._replace(declared=(*state.declared, declaration))
    raise IllegalMove(_declaration_refusal(state, cards))


def _open_declarations(state: State) -> list[Declaration]:
    """Return the sequences and squares (four of a rank) that the seat to act may still declare.

    Declarations are made in the first trick. In no trumps there are none.
    """
    seat = state.to_act
    if state.tricks or state.contract == NO_TRUMPS or seat is None:
        return []
    earlier = [declaration for declaration in state.declared if declaration.seat == seat]
    return open_declarations(seat, state.hand, earlier, state.deal.match.shared_cards)


def _are_cards(cards: object) -> TypeGuard[list[Card]]:
    """Return whether this is a list of strings that is no longer than a declaration."""
    return type(cards) is list and len(cards) <= 5 and all(type(card) is str for card in cards)


def _declaration_refusal(state: State, cards: list[Card]) -> Lazy:
    if state.contract == NO_TRUMPS:
        return lazy("In no trumps nothing is declared. Play a card.")
    if state.tricks:
        return lazy("Declarations are made in the first trick. Play a card.")
    if not set(cards).issubset(state.hand):
        return lazy("You do not hold these cards. Declare what you hold, or play a card.")
    used = {card for declaration in state.declared if declaration.seat == state.to_act for card in declaration.cards}
    if not used.isdisjoint(cards):
        return lazy("You have declared one of these cards already. Declare others, or play a card.")
    return lazy(
        "These cards can’t be declared like this: name a whole sequence, its five highest cards at most, or a square."
    )


# Play


def _play(state: State, card: Card, is_announced: bool) -> State:
    """Return the state after the seat to act has played a card. The last card of a deal also scores it.

    is_announced: whether the seat announces belot (king and queen of trumps in its hand) with this card, one of the
    two.
    """
    deal, phase, seat, hands, leader, trick, tricks, declared, belots = state
    match, contract, hand = deal.match, state.contract, state.hand
    assert seat is not None
    assert leader is not None
    hands = remove_card(hands, seat, card)
    if card not in legal_cards(hand, duties(match, contract, trick)):
        raise IllegalMove(_play_refusal(state, card))
    if is_announced:
        if not may_announce(match, contract, trick, hand, card):
            raise IllegalMove(_belot_refusal(state, card))
        belots += ((seat, card[1]),)

    trick += (card,)
    seats = match.seats
    if len(trick) < seats:  # The next seat plays to the trick.
        return state_of((deal, phase, (seat + 1) % seats, hands, leader, trick, tricks, declared, belots))
    winner = (leader + winning_index(contract, trick)) % seats
    tricks += (Trick(leader, trick, winner),)
    if hands[winner]:  # The deal goes on, and the winner leads.
        return state_of((deal, phase, winner, hands, winner, (), tricks, declared, belots))
    row = score(deal, tricks, declared, belots)
    return between_deals(*after_row(deal, row), played=(tricks, declared, belots))


def _play_refusal(state: State, card: Card) -> Lazy:
    contract, led = state.contract, state.trick[0][1]
    holds_suit = any(own[1] == led for own in state.hand)
    if holds_suit and card[1] != led:
        return must_follow(led)
    best = state.trick[winning_index(contract, state.trick)]
    if holds_suit:
        sentence = "You hold a {suit} that beats the highest one in the trick, so you must play higher."
        return lazy(sentence, suit=SUIT_CARDS[led])
    if best[1] == contract and state.deal.match.club_rules:
        sentence = "You hold no {suit} but a trump that beats those in the trick, so you must overtrump."
        return lazy(sentence, suit=SUIT_CARDS[led])
    return lazy("You hold no {suit} but a trump, so you must trump.", suit=SUIT_CARDS[led])


def _belot_refusal(state: State, card: Card) -> Lazy:
    if card[1] not in trump_suits(state.contract) or OTHER_ROYAL.get(card) not in state.hand:
        return lazy(
            "Belot is the king and queen of trumps, both still in your hand. Play the card without announcing it."
        )
    if state.contract == ALL_TRUMPS and card[1] != state.trick[0][1]:
        return lazy("You can’t announce belot with a discard. Play the card without announcing it.")
    if state.deal.match.seats != 4:
        return lazy("You can’t announce belot when following suit. Play the card without announcing it.")
    return lazy(
        "When following suit you may announce belot only if your partner led. Play the card without announcing it."
    )
