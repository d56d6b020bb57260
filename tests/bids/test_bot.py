"""The sensible Bids player: positions with one right move, and the estimates that its moves come from."""

import random

import pytest

from games.bids import bot as bids
from games.catalog import get_bot, get_rules
from tests.bids.test_rules import deal_of, play, start
from tests.kit.test_bots import decisions

rules = get_rules("bids")


def table(tricks, hand, seats=4, **options):
    """The view of the seat to act in the first round of a match.

    tricks: "K9 0: R5 G7 Y9 B3, Kx2 2: R6 G8": centre card, leader, bids in order; the last in progress. hand: the cards
    that the seat still holds. The other cards fall as they may.
    """
    hands, stock, plays = [[] for _ in range(seats)], [], []
    for trick in tricks.split(", "):
        head, played = trick.split(":")
        centre, leader = head.split()
        stock += centre.split("/")
        for place, card in enumerate(played.split()):
            hands[(int(leader) + place) % seats].append(card)
            plays.append(card)
    seat = (int(leader) + len(played.split())) % seats
    hands[seat] += hand.split()
    state = start(seats, **options)
    for move in deal_of(state, hands, stock):
        state = rules.apply(state, move)
    view = rules.view(play(state, *plays), seat)
    assert (view["leader"], view["to_act"], set(view["hand"])) == (int(leader), seat, set(hand.split()))
    return view


def chosen(seen):
    return get_bot("bids").choose(seen, seen["legal_moves"], random.Random(1))["card"]


WON = "K9 0: R2 G2 Y2 B10, K1 3: R1 Y9 G4 B3"  # seat 3 the nine, seat 0 the one
WEAK = "R1 G1 Y1 B1 R2 Y2 B2 Y4 B4 B9"
FLIPPED = "KLOW 0: R9 R2 G9 B9, K10 1: R5 G4 Y4"
BEST = "G6 B8 G8 B9 G9 Y9 B10 Y10 G10 R10"
ALLIED = "K11 0: R1 Y12 G2 B3 G3, K12 1: R12 R2 G4 B4 Y1, K10 1: R11 Y3 B5 G5"  # seat 1 has 23 points and wins again

PLAYS = [
    ("wins a high prize as cheaply as it can", "B8", table("K10 0: R5 G7 Y3", "R1 G2 Y5 B4 B5 R6 B8 G9 B9 B10")),
    ("throws its lowest card where it cannot win", "Y1", table(f"{WON}, K8 0: R10 G7 Y5", "Y1 B1 R6 B7 Y8 B9 G9 G10")),
    ("throws its highest card under a higher one for null", "B9", table("K10 0: R10 G7 Y6", WEAK)),
    ("gets rid of a ten in a tie for null", "B10", table("K3 0: R10 G7 Y6", WEAK.replace("B9", "B10"))),
    ("leaves minus five to another", "B5", table("K-5 0: R5 G7 Y3", BEST.replace("G6", "B5"))),
    ("does not double nothing", "G6", table("Kx2 0: R5 G7 Y3", BEST)),
    ("doubles what it has", "Y8", table(f"{WON}, Kx2 0: R5 G7 Y3", "R6 B8 Y8 B9 G9 Y4 Y10 G10")),
    ("wins by a low number under Lowest", "R3", table(FLIPPED, "R1 B1 G1 Y1 B2 R3 G3 B3 Y8", lowest=True)),
    ("joins the leader", "ALLY", table(ALLIED, "ALLY R4 G6 Y4 B6 R7 G7 B7", seats=5)),
    ("bids the colour that wins", "G9", table("K8 0: R5 G4 G7", "R1 Y1 B1 Y2 B2 Y3 G9 B9 R10 Y10", colour_bids=True)),
]


@pytest.mark.parametrize("card, seen", [play[1:] for play in PLAYS], ids=[play[0] for play in PLAYS])
def test_plays(card, seen):
    assert chosen(seen) == card


@pytest.mark.parametrize("name", ["easy", "normal", "hard"])
@pytest.mark.parametrize("place", [0, 4, 7, 8], ids=lambda place: PLAYS[place][0])
def test_levels_make_the_moves_that_leave_no_doubt(name, place):
    _, card, seen = PLAYS[place]

    assert get_bot("bids", name).choose(seen, seen["legal_moves"], random.Random(1))["card"] == card


def test_minus_five_in_a_trick_makes_it_not_worth_winning():
    hand = "R1 G2 Y5 B4 B5 R6 B8 G9 B9 B10"

    assert chosen(table("K7 0: R5 G7 Y3", hand)) == "B8"
    assert chosen(table("K7 0: R5 G7 K-5", hand)) in "R1 G2 Y5 B4 B5 R6"


def test_seat_knows_which_cards_are_left():
    for state in decisions(rules, 200):
        seen = rules.view(state, rules.to_act(state))
        if not seen["tricks"]:
            continue  # the last trick of the round before is still shown, but those cards are in play again
        hidden = rules.hidden_from(state, seen["seat"])

        held = bids.read_table(seen).rival_cards

        assert set(held) <= hidden
        assert {card for card in hidden if card[0] != "K"} <= set(held)
        coloured_out = sum(held.values()) - sum(seen["hand_counts"]) + len(seen["hand"])
        assert round(coloured_out, 6) in (0, 1, 2)


def test_last_seat_knows_how_the_trick_ends():
    seen = 0
    for state in decisions(rules, 400):
        position = bids.read_table(rules.view(state, rules.to_act(state)))
        if position.followers or len(position.prizes) > 1:
            continue
        for move in rules.legal_moves(state):
            trick = rules.view(rules.apply(state, move), None)["last_trick"]

            chances = bids.winner_chances(position, random.Random(1))(move["card"])

            assert {winner for winner, chance in chances.items() if chance} == {trick["winner"]}
            if trick["winner"] is not None:
                stake = bids.stake(position, trick["winner"], move["card"])
                assert stake == trick["points"] + trick["doubling"]
            seen += 1
    assert seen > 100


def test_chances_to_win_add_up():
    for state in decisions(rules, 200):
        position = bids.read_table(rules.view(state, rules.to_act(state)))
        winners = bids.winner_chances(position, random.Random(1))
        for card in position.hand:
            chances = winners(card)

            assert sum(chances.values()) == pytest.approx(1)
            assert min(chances.values()) > -1e-9


def test_lowest_card_to_come_makes_low_cards_better_and_high_ones_worse():
    low, high = "R1 G1 Y1 B1 R2 G2 Y2 B2 R3 G3", "R8 G8 Y8 B8 R9 G9 Y9 B9 R10 G10"

    def points(hand, **options):
        position = bids.read_table(table("K5 0:", hand, **options))
        return bids.later_points(position, position.hand)

    assert points(low) < points(low, lowest=True)
    assert points(high) > points(high, lowest=True)
