"""The play of a deal in tricks, as several games have it.

Their states tell it by "phase", "to_act", "hands", "leader", "trick" and "tricks"; their views by "hand",
"hand_counts", "trick" and "tricks".
"""

from games.kit.cards import in_order, suit
from games.kit.contract import IllegalMove
from games.kit.moves import hands_without, must_follow
from games.kit.positions import maker
from games.kit.sampling import dealer
from games.kit.tricks import Trick, cards_played, legal_plays, shown_voids, trick_won, winning_place

_trick_of = maker(Trick)


def play_card(card, seat, hands, leader, trick, tricks, trump):
    """(to_act, hands, leader, trick, tricks) after `seat` plays a card where all follow suit and trumps beat the rest.

    Raises `IllegalMove` if it may not play `card`, whatever that is.
    """
    left = hands_without(hands, seat, card)
    if trick and card[1] != trick[0][1] and card not in legal_plays(hands[seat], trick):
        raise IllegalMove(must_follow(suit(trick[0])))
    trick += (card,)
    seats = len(hands)
    if len(trick) < seats:
        return (seat + 1) % seats, left, leader, trick, tricks
    winner = (leader + winning_place(trick, trump)) % seats
    return winner, left, winner, (), (*tricks, _trick_of((leader, trick, winner)))


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
