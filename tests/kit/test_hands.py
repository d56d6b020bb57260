import re
from itertools import combinations, pairwise

import pytest

from games.kit.cards import SUITS
from games.kit.hands import BLACK, Order, draw_hand, lower_row, sort_hand, suit_order
from games.kit.markup import FACES


def changes_of_colour(order):
    return sum((left in BLACK) != (right in BLACK) for left, right in pairwise(order))


@pytest.mark.parametrize(
    ("suits", "trump", "order"),
    [
        *(("CDHS", None, "SHCD"), ("CDHS", "S", "HCDS"), ("CDHS", "H", "SDCH"), ("CDH", None, "HCD")),
        *(("CDS", None, "SDC"), ("CHS", "S", "CHS"), ("DHS", "S", "HDS"), ("DH", "D", "HD"), ("C", "H", "C")),
    ],
)
def test_suits_alternate_and_trumps_are_at_the_right(suits, trump, order):
    assert "".join(suit_order(frozenset(suits), trump)) == order


@pytest.mark.parametrize("trump", [None, *SUITS])
def test_colours_alternate_as_far_as_they_can(trump):
    for count in range(1, 5):
        for suits in combinations(SUITS, count):
            order = suit_order(frozenset(suits), trump)

            black = sum(suit in BLACK for suit in suits)
            most = count - 1 if abs(2 * black - count) <= 1 else 2 * min(black, count - black)
            if trump in suits:
                assert order[-1] == trump
            else:
                assert changes_of_colour(order) == most


def test_ranks_run_from_high_to_low_in_every_suit():
    hand = ["2C", "TC", "KC", "9D", "AH", "3S", "JS"]

    assert sort_hand(hand, "D") == [["JS", "3S"], ["AH"], ["KC", "TC", "2C"], ["9D"]]


def test_ranks_follow_the_order_of_the_contract():
    assert sort_hand(["7S", "9S", "JS", "AS"], "S", ranks="78QKTA9J") == [["JS", "9S", "AS", "7S"]]


@pytest.mark.parametrize(
    ("sizes", "trumps_last", "lower"),
    [
        *(((4, 2, 1, 3), True, {1, 3}), ((3, 3, 2, 2), True, {0, 3}), ((5, 5), False, {0})),
        *(((2, 7, 1), True, {0, 2}), ((3, 5, 2), False, {1}), ((4, 5), False, {1}), ((1, 9), False, None)),
        *(((10,), True, None), ((8,), False, None)),
    ],
)
def test_two_rows_hold_whole_suits_where_they_fit(sizes, trumps_last, lower):
    assert lower_row(sizes, trumps_last) == lower


@pytest.mark.parametrize(
    ("cards", "upper", "lower"),
    [("2C 3C 4C 5D 6H 7S 8S", "0", "7"), ("2H 3H 4H 5H 6H 7H 8H 9H TH JH", "5", "5")],
)
def test_up_to_seven_cards_are_one_row_and_many_of_one_suit_are_cut_in_half(cards, upper, lower):
    hand = draw_hand(cards.split())

    assert (hand["upper"], hand["lower"]) == (upper, lower)


def test_eight_cards_are_two_rows_with_trumps_below():
    hand = draw_hand(["2C", "3C", "4C", "5D", "6H", "6D", "7S", "8S"], Order("S"))

    rows = {card["face"]: card["classes"] for card in hand["cards"]}
    assert (hand["upper"], hand["lower"]) == ("4", "4")
    assert "lower" in rows[FACES["7S"]]
    assert sum("row-start" in classes for classes in rows.values()) == 2


def test_suits_stand_apart():
    hand = draw_hand(["2C", "3C", "5D", "6H"], Order("H"))

    assert [("gap" in card["classes"]) for card in hand["cards"]] == [False, True, False, True]


def places(hand):
    """What lies where: (card or None, row) of each place, from left to right."""
    return re.findall(r'(?:id="card-(..)" )?class="(?:card|hole) (upper|lower)', hand["buttons"])


@pytest.mark.parametrize("trump", [None, "D"])
def test_cards_keep_their_places_while_others_leave(trump):
    dealt = ["2C", "3C", "4C", "5D", "6H", "6D", "7S", "8S", "9S", "TH"]
    before = places(draw_hand(dealt, Order(trump)))
    hand = list(dealt)
    for card in ["7S", "8S", "9S", "6H", "2C", "5D", "TH", "3C", "6D"]:
        hand.remove(card)

        drawn = draw_hand(hand, Order(trump), dealt=dealt)

        assert places(drawn) == [(held if held in hand else "", row) for held, row in before]
        assert (drawn["count"], drawn["upper"], drawn["lower"]) == (str(len(hand)), "5", "5")
        assert len(drawn["cards"]) == len(hand)


def test_suits_of_one_colour_stand_apart_in_a_row():
    hand = draw_hand(["AS", "KS", "AC", "KC", "AH"], Order("H"))

    assert re.findall(r'id="card-(..)" class="card [^"]*twin', hand["buttons"]) == ["AC"]


def test_illegal_cards_are_marked_and_stay_clickable():
    hand = draw_hand(["2C", "3C", "5D"], legal={"5D"})

    assert hand["classes"] == "hand marked"
    assert re.findall(r'id="card-(..)"[^>]* aria-disabled="true"', hand["buttons"]) == ["3C", "2C"]
    assert hand["buttons"].count("<button") == 3


@pytest.mark.parametrize("legal", [None, {"2C", "5D"}])
def test_nothing_is_marked_when_all_may_be_played_or_it_is_not_my_turn(legal):
    hand = draw_hand(["2C", "5D"], legal=legal)

    assert hand["classes"] == "hand"
    assert hand["buttons"].count("<button") == 2
    assert "aria-disabled" not in hand["buttons"]


def test_a_hand_lies_as_it_was_dealt_in_whatever_order_its_cards_have_gone():
    dealt = ["AS", "KS", "9H", "2H", "7D"]
    left = draw_hand(["KS", "7D"], dealt=["KS", "7D", "AS", "2H", "9H"])

    assert left == draw_hand(["KS", "7D"], dealt=dealt)
    assert [card["face"] for card in left["cards"]] == [FACES["KS"], FACES["7D"]]
