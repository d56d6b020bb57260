"""What may be done in Belot, why all else is refused, and what a move leads to.

Source: "Deal", "Bidding", "Declarations", "Play" and "Moves" on the rules page.
"""

from games.belot.rules.declarations import open_declarations
from games.belot.rules.pack import (
    CONTRACTS,
    OTHER_OF_BELOT,
    WEAK_HAND,
    duties,
    legal_cards,
    may_announce,
    points_of_cards,
    trump_suits,
    winner_of,
)
from games.belot.rules.scoring import is_last, score
from games.belot.rules.state import Contract, State, between_deals, first_seat, next_deal, state_of
from games.kit import cards
from games.kit.cards import in_order
from games.kit.contract import IllegalMove
from games.kit.language import Lazy, lazy, say
from games.kit.moves import check_deck, hands_without, move_checker, must_follow
from games.kit.tricks import Trick
from games.kit.words import SUIT_CARDS, join_words


def _wrong_keys(kind, ways):
    return lazy("A move of the type {kind} names {keys} and nothing else.", kind=kind, keys=Lazy(_keys, ways[0]))


def _keys(keys):
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
DOUBLES = {"double": 2, "redouble": 4, "surcontre": 8}  # the level that each leads to
TOO_EARLY = {
    "double": lazy("There is no bid to double yet. Bid, or pass."),
    "redouble": lazy("There is no bid to redouble yet. Bid, or pass."),
    "surcontre": lazy("There is no bid to double a third time yet. Bid, or pass."),
}


# What is open


def deck(state):
    return list(state.deal.match.pack) if state.phase == "deal" else []


def dealing(state):
    return cards.dealing(state.deal.match.pack, [state.deal.match.packets])


def legal_moves(state):
    phase = state.phase
    if phase == "play":
        match, contract, hand = state.deal.match, state.deal.contract.contract, state.hands[state.to_act]
        moves = [
            {"type": "declare", "kind": declaration.kind, "cards": list(declaration.cards)}
            for declaration in _open_declarations(state)
        ]
        for card in legal_cards(hand, duties(match, contract, state.trick)):
            moves.append({"type": "play", "card": card})
            if may_announce(match, contract, state.trick, hand, card):
                moves.append({"type": "play", "card": card, "belot": True})
        return moves
    if phase == "bid":
        return [_as_move(call) for call in _open_calls(state)]
    if phase == "deal":
        return [{"type": "deal", "deck": deck(state)}]
    return []


def apply(state, move):
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


def _deal(state, deck):
    deal, match = state.deal, state.deal.match
    check_deck(deck, match.pack)
    first_packet, second_packet, _ = match.packets
    hands, deck = _packets(match.seats, deal.dealer, first_packet, [()] * match.seats, deck)
    hands, deck = _packets(match.seats, deal.dealer, second_packet, hands, deck)
    deal = deal._replace(pack=tuple(deck), calls=())
    return State(deal, "bid", first_seat(deal), hands, None, (), (), (), ())


def _packets(seats, dealer, size, hands, deck):
    """The hands after every seat in turn has got a packet of this size more, and the rest of the deck."""
    packets = [deck[start : start + size] for start in range(0, seats * size, size)]
    hands = tuple(in_order([*hands[seat], *packets[(seat - dealer - 1) % seats]]) for seat in range(seats))
    return hands, deck[seats * size :]


# Bidding


def _call(state, call):
    deal, seats = state.deal, state.deal.match.seats
    if call not in _open_calls(state):
        raise IllegalMove(_refusal_of_call(state, call))
    seat, contract = state.to_act, deal.contract
    if call in DOUBLES:
        contract = contract._replace(level=DOUBLES[call])
    elif call != "pass":
        contract = Contract(call, seat, 1)
    deal = deal._replace(calls=(*deal.calls, (seat, call)), contract=contract)
    passes = _passes_in_a_row(deal.calls)
    if passes == seats:
        return between_deals(next_deal(deal), hands=state.hands)
    highest = 8 if deal.match.third_double else 4
    if contract and (passes == seats - 1 or (contract.contract, contract.level) == ("AT", highest)):
        *_, last_packet = deal.match.packets
        hands, pack = _packets(seats, deal.dealer, last_packet, state.hands, deal.pack)
        first = first_seat(deal)
        return State(deal._replace(pack=in_order(pack)), "play", first, hands, first, (), (), (), ())
    return state._replace(deal=deal, to_act=(seat + 1) % seats)


def _open_calls(state):
    """What the seat to act may call: a contract, or the type of another call."""
    deal, seat = state.deal, state.to_act
    calls = ["pass"] if _may_pass(state) else []
    if not deal.contract:
        return [*calls, *CONTRACTS]
    contract, bidder, level = deal.contract
    calls += CONTRACTS[CONTRACTS.index(contract) + 1 :]
    sides = deal.match.sides
    if level == 2 and seat % sides == bidder % sides:
        calls.append("redouble")
    if level == 1 and seat % sides != bidder % sides:
        calls.append("double")
    if level == 4 and seat % sides != bidder % sides and deal.match.third_double:
        calls.append("surcontre")
    return calls


def _may_pass(state):
    deal = state.deal
    if deal.contract or state.to_act != deal.dealer or deal.match.dealer_pass == "free":
        return True
    return deal.match.dealer_pass == "seven" and _plain_points(state.hands[deal.dealer]) <= WEAK_HAND


def _plain_points(hand):
    worth = points_of_cards(None)
    return sum(worth[card] for card in hand)


def _passes_in_a_row(calls):
    passes = 0
    for _, call in reversed(calls):
        if call != "pass":
            break
        passes += 1
    return passes


def _as_move(call):
    return {"type": "bid", "contract": call} if call in CONTRACTS else {"type": call}


def _refusal_of_call(state, call):
    deal = state.deal
    if call == "pass":
        if deal.match.dealer_pass == "never":
            return lazy("All others have passed, so the dealer must bid. Choose a contract.")
        return lazy(
            "All others have passed and you hold more than {points} points, so you must bid. Choose a contract.",
            points=WEAK_HAND,
        )
    if call in CONTRACTS:
        return lazy("That is not higher than the last bid. Bid higher, or pass.")
    if not deal.contract:
        return TOO_EARLY[call]
    sides = deal.match.sides
    own = state.to_act % sides == deal.contract.bidder % sides
    if call == "redouble":
        if not own:
            return lazy("Only the side that has bid may redouble. Pass, or bid higher.")
        return lazy("You may redouble only what has been doubled once. Pass, or bid higher.")
    if own:
        return lazy("You may not double your own side’s bid. Pass, or bid higher.")
    if call == "double":
        return lazy("This bid has been doubled already. Pass, or bid higher.")
    if not deal.match.third_double:
        return lazy("There is no third double in this match. Pass, or bid higher.")
    return lazy("You may double a third time only what has been redoubled. Pass, or bid higher.")


# Declarations


def _declare(state, kind, cards):
    if type(kind) is not str or not _are_cards(cards):
        raise IllegalMove(lazy("A declaration names its kind and a list of its cards."))
    for declaration in _open_declarations(state):
        if (declaration.kind, declaration.cards) == (kind, tuple(cards)):
            return state._replace(declared=(*state.declared, declaration))
    raise IllegalMove(_refusal_of_declaration(state, cards))


def _open_declarations(state):
    """What the seat to act may declare now."""
    deal, seat = state.deal, state.to_act
    if state.tricks or deal.contract.contract == "NT":
        return []
    made = [declaration for declaration in state.declared if declaration.seat == seat]
    return open_declarations(seat, state.hands[seat], made, deal.match.shared_cards)


def _are_cards(cards):
    """Whether this may be the cards of a declaration, as far as that can be told without looking at a hand."""
    return type(cards) is list and len(cards) <= 5 and all(type(card) is str for card in cards)


def _refusal_of_declaration(state, cards):
    if state.deal.contract.contract == "NT":
        return lazy("In no trumps nothing is declared. Play a card.")
    if state.tricks:
        return lazy("Declarations are made in the first trick. Play a card.")
    if not set(cards).issubset(state.hands[state.to_act]):
        return lazy("You do not hold these cards. Declare what you hold, or play a card.")
    used = {card for declaration in state.declared if declaration.seat == state.to_act for card in declaration.cards}
    if not used.isdisjoint(cards):
        return lazy("You have declared one of these cards already. Declare others, or play a card.")
    return lazy(
        "These cards can’t be declared like this: name a whole sequence, its five highest cards at most, or a square."
    )


# Play


def _play(state, card, announces):
    deal, phase, seat, hands, leader, trick, tricks, declared, belots = state
    match, contract = deal.match, deal.contract.contract
    hand, left = hands[seat], hands_without(hands, seat, card)
    if card not in legal_cards(hand, duties(match, contract, trick)):
        raise IllegalMove(_refusal_of_play(state, card))
    if announces:
        if not may_announce(match, contract, trick, hand, card):
            raise IllegalMove(_refusal_of_belot(state, card))
        belots += ((seat, card[1]),)

    hands = left
    trick += (card,)
    seats = match.seats
    if len(trick) < seats:
        return state_of((deal, phase, (seat + 1) % seats, hands, leader, trick, tricks, declared, belots))
    winner = (leader + winner_of(contract, trick)) % seats
    tricks += (Trick(leader, trick, winner),)
    if hands[winner]:
        return state_of((deal, phase, winner, hands, winner, (), tricks, declared, belots))
    line = score(deal, tricks, declared, belots)
    deal = deal._replace(lines=(*deal.lines, line), totals=line.totals, hanging=line.hanging)
    if is_last(line, match.target):
        return between_deals(deal, "over", played=(tricks, declared, belots))
    return between_deals(next_deal(deal), played=(tricks, declared, belots))


def _refusal_of_play(state, card):
    contract, hand, led = state.deal.contract.contract, state.hands[state.to_act], state.trick[0][1]
    holds_suit = any(held[1] == led for held in hand)
    if holds_suit and card[1] != led:
        return must_follow(led)
    winning = state.trick[winner_of(contract, state.trick)]
    if holds_suit:
        sentence = "You hold a {suit} that beats the highest one in the trick, so you must play higher."
        return lazy(sentence, suit=SUIT_CARDS[led])
    if winning[1] == contract and state.deal.match.trumping == "club":
        sentence = "You hold no {suit} but a trump that beats those in the trick, so you must overtrump."
        return lazy(sentence, suit=SUIT_CARDS[led])
    return lazy("You hold no {suit} but a trump, so you must trump.", suit=SUIT_CARDS[led])


def _refusal_of_belot(state, card):
    contract, hand = state.deal.contract.contract, state.hands[state.to_act]
    if card[1] not in trump_suits(contract) or OTHER_OF_BELOT.get(card) not in hand:
        return lazy(
            "Belot is the king and queen of trumps, both still in your hand. Play the card without announcing it."
        )
    if contract == "AT" and card[1] != state.trick[0][1]:
        return lazy("You can’t announce belot with a discard. Play the card without announcing it.")
    if state.deal.match.seats != 4:
        return lazy("You can’t announce belot when following suit. Play the card without announcing it.")
    return lazy(
        "When following suit you may announce belot only if your partner led. Play the card without announcing it."
    )
