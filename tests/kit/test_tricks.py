"""Following suit, taking tricks, the play of a deal in them: what a seat has seen, hands that fit what was played."""

import random
from types import SimpleNamespace

import pytest

from games.kit.cards import make_pack
from games.kit.contract import IllegalMove
from games.kit.tricks import (
    Trick,
    card_events,
    dealer_of_hands,
    legal_plays,
    play_card,
    seen_cards,
    shown_voids,
    tricks_taken,
    winning_place,
)


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        ("5C 2D KS", "", "5C 2D KS"),
        ("5C 2D KS", "9D", "2D"),
        ("5C 2D KS", "9D AC", "2D"),
        ("5C 2D KS", "9H KS", "5C 2D KS"),
        ("5C 7C KS", "9C", "5C 7C"),
    ],
)
def test_legal_plays(hand, trick, legal):
    assert list(legal_plays(hand.split(), trick.split())) == legal.split()


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [("9H KH AD 3H", "S", 1), ("AD 2C KD 3C", "C", 3), ("5H AS QH 2H", "H", 2), ("TC JC 9C", "D", 1), ("2S", "S", 0)],
)
def test_winning_place(trick, trump, place):
    assert winning_place(trick.split(), trump) == place


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [("JC TC 9C KC", None, 1), ("JC TC 9D AC", "D", 2), ("9D JD AD TD", "D", 1), ("JC 9D", None, 0)],
)
def test_winning_place_by_other_ranks(trick, trump, place):
    assert winning_place(trick.split(), trump, "789JQKTA", "78QKTA9J") == place


def test_tricks_are_counted_by_seat_or_by_side():
    tricks = [Trick(0, (), winner) for winner in (0, 2, 3, 0)]

    assert tricks_taken(tricks, 4) == [2, 0, 1, 1]
    assert tricks_taken(tricks, 2) == [3, 1]


def test_shown_voids():
    tricks = [(2, ("9H", "KH", "AD")), (0, ("2S", "3C", "4S")), (1, ("7D", "8D"))]

    assert shown_voids(3, tricks) == [set(), {"H", "S"}, set()]


HANDS = (("5C", "2D"), ("7C", "KS"), ("9C", "AH"))


def state(to_act=0, trick=(), tricks=(), phase="play"):
    return SimpleNamespace(phase=phase, to_act=to_act, hands=HANDS, leader=0, trick=trick, tricks=tricks)


def test_card_in_the_middle_of_a_trick():
    to_act, hands, leader, trick, tricks = play_card(state(1, ("3C",)), "7C", "S")

    assert (to_act, leader, trick, tricks) == (2, 0, ("3C", "7C"), ())
    assert hands == (("5C", "2D"), ("KS",), ("9C", "AH"))


def test_last_card_ends_the_trick_and_its_winner_leads():
    to_act, hands, leader, trick, tricks = play_card(state(2, ("3C", "4S")), "9C", "S")

    assert (to_act, leader, trick) == (1, 1, ())
    assert tricks == (Trick(0, ("3C", "4S", "9C"), 1),)
    assert hands[2] == ("AH",)


@pytest.mark.parametrize(
    ("card", "refusal"),
    [
        ("KS", "You hold a club, so you must follow suit."),
        ("9C", "You do not hold that card. Play one from your hand."),
        (["7C"], "You do not hold that card. Play one from your hand."),
    ],
)
def test_card_that_may_not_be_played_is_refused(card, refusal):
    with pytest.raises(IllegalMove) as caught:
        play_card(state(1, ("3C",)), card, None)

    assert str(caught.value) == refusal


def test_events_of_a_card_go_as_far_as_it_leads():
    trick = Trick(1, ("7C", "9C", "5C"), 2)
    plays = [{"seat": 1, "card": "7C"}, {"seat": 2, "card": "9C"}, {"seat": 0, "card": "5C"}]
    played = {"type": "card_played", "seat": 0, "card": "5C"}
    won = {"type": "trick_won", "seat": 2, "trick": 1, "plays": plays}
    scored, over = {"type": "scored"}, {"type": "match_over", "standings": ["all"]}

    def events(after):
        return card_events(state(), "5C", after, lambda _: scored, lambda _: ["all"])

    assert events(state(trick=("5C",))) == [played]
    assert events(state(tricks=(trick,))) == [played, won]
    assert events(state(phase="deal", tricks=(trick,))) == [played, won, scored]
    assert events(state(phase="over", tricks=(trick,))) == [played, won, scored, over]


def test_cards_that_a_seat_and_a_spectator_have_seen():
    now = state(trick=("3C",), tricks=(Trick(0, ("4H", "5H", "6H"), 2),))

    assert seen_cards(now, 1) == {"3C", "4H", "5H", "6H", "7C", "KS"}
    assert seen_cards(now, None) == {"3C", "4H", "5H", "6H"}


def test_hands_that_are_dealt_fit_what_was_played():
    view = {
        "seat": 0,
        "seats": 3,
        "turned": "2H",
        "hand": ["5C", "2D"],
        "hand_counts": [2, 1, 2],
        "trick": {"leader": 0, "plays": [{"seat": 0, "card": "KC"}, {"seat": 1, "card": "3D"}]},
    }
    tricks = (Trick(0, ("4H", "5S", "6H"), 2),)
    deal, rng = dealer_of_hands(make_pack(), view, tricks), random.Random(1)

    dealt = [deal(rng) for _ in range(300)]

    assert {hands[0] for hands in dealt} == {("5C", "2D")}
    assert {len(hands[2]) for hands in dealt} == {2}
    own, others = {card for (card,) in (hands[1] for hands in dealt)}, {card for hands in dealt for card in hands[2]}
    assert {card[1] for card in own} == {"D", "S"}  # it has followed neither hearts nor clubs
    assert {card[1] for card in others} == set("CDHS")
    assert not (own | others) & {"2H", "5C", "2D", "KC", "3D", "4H", "5S", "6H"}
