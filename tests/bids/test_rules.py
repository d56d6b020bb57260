"""Bids, in the order of its rules page. W1 to W28 are the worked examples of that page.

A trick is written "K?/K9 0: R5 G4 Y7 B6 -> 2: 9": the centre card with the card under it, the seat that leads, the bids
in the order played, then the seat that wins and its points, or "burnt, 2 leads" with the seat that leads next.
"""

import json
import random
from collections import Counter
from functools import partial, reduce
from itertools import takewhile

import pytest

from games.catalog import CHANCE, InvalidOptions, get_rules
from tests.bids.plain import DEALT, PlainMatch, number_of
from tests.kit import playing
from tests.kit.playing import played_on, random_move, random_options

rules = get_rules("bids")
refusal = partial(playing.refusal, rules)
every_number_of_seats = pytest.mark.parametrize("seats", rules.seat_counts)

WHOLE_ROUND = [  # W17
    *("K8 0: Y10 B9 R1 G9 -> 0: 8", "K3 0: Y9 K7 B10 B7 -> 2: 10", "K10 2: G10 Y7 G4 B6 -> 2: 10"),
    *("K4 2: Y4 B3 B4 R4 -> burnt, 1 leads", "K5 1: ALLY G8 R7 G5 -> 2: 5", "K1 2: Y5 R5 Y6 G6 -> burnt, 1 leads"),
    *("K2 1: Y1 R9 G3 R6 -> 2: 2", "Kx2 2: R8 Y2 G7 B5 -> 2: 0, doubling 27", "K-5 2: B2 G2 Y8 Y3 -> 0: -5"),
    "K9 0: B8 R2 R10 B1 -> 2: 9",
]


def start(seats=4, **options):
    return rules.new_match(seats, options)


def play(state, *cards):
    return reduce(rules.apply, ({"type": "play", "card": card} for card in cards), state)


def after(seats, options, moves):
    """The state after these moves from the start of a match."""
    return reduce(rules.apply, moves, start(seats, **options))


def deal_of(state, hands, stock):
    """Both deals of a round, so that the hands start with these cards and the stock does, as two moves.

    hands: lists by seat, filled up with what the pack has left.
    """
    view = rules.view(state, None)
    seats, ally = view["seats"], view["options"]["ally"]
    pack = rules.deck(state)
    hands = [list(hand) for hand in hands]
    named = {card for hand in hands for card in hand} | set(stock)
    free = [card for card in pack if card not in named]
    _, black = DEALT[seats, ally]
    dealt = [card for hand in hands for card in hand]
    fillers = ["ALLY"] if ally and "ALLY" not in dealt else []
    numbered = [card for card in free if card[0] == "K" and number_of(card) is not None]
    fillers += numbered[: black - sum(card[0] == "K" for card in dealt)]
    fillers += [card for card in free if card[0] != "K"][: 10 * seats - len(dealt) - len(fillers)]
    for hand in hands:
        fillers, hand[len(hand) :] = fillers[10 - len(hand) :], fillers[: 10 - len(hand)]
    dealt = [card for hand in hands for card in hand if card != "ALLY"]
    first = dealt + [card for card in stock if card not in dealt]
    second = [hands[(view["first_leader"] + i) % seats][i // seats] for i in range(10 * seats)]
    assert sum(card[0] == "K" for card in dealt) == black
    return [
        {"type": "deal", "deck": first + [card for card in pack if card not in first]},
        {"type": "deal", "deck": second},
    ]


def moves_of(state, tricks):
    """The moves of a round with these tricks, from its first deal on."""
    seats, hands, stock, plays = rules.view(state, None)["seats"], {}, [], []
    for trick in tricks:
        head, bids = trick.split(" -> ")[0].split(": ")
        centre, leader = head.split()
        stock += centre.split("/")
        for place, card in enumerate(bids.split()):
            hands.setdefault((int(leader) + place) % seats, []).append(card)
            plays.append({"type": "play", "card": card})
    return [*deal_of(state, [hands[seat] for seat in range(seats)], stock), *plays]


def text_of(trick):
    centre = f"{trick['centre']}/{trick['under']}" if trick["under"] else trick["centre"]
    bids = " ".join(play["card"] for play in trick["plays"])
    if trick["winner"] is None:
        return f"{centre} {trick['leader']}: {bids} -> burnt, {trick['leads']} leads"
    doubling = f", doubling {trick['doubling']}" if trick["prize"] == "Kx2" else ""
    return f"{centre} {trick['leader']}: {bids} -> {trick['winner']}: {trick['points']}{doubling}"


def played(seats, *tricks, **options):
    """The state after these tricks of the first round, which both implementations agree on."""
    moves = moves_of(start(seats, **options), tricks)
    all_options = rules.clean_options(seats, options)
    for number, trick in enumerate(tricks, 1):
        so_far = moves[: 2 + number * seats]
        state, plain = after(seats, options, so_far), PlainMatch(seats, **all_options, moves=so_far)
        assert text_of(plain.view(None)["last_trick"]) == trick
        assert text_of(rules.view(state, None)["last_trick"]) == trick
    return state


def current(state):
    return rules.score_sheet(state)["current"]


def told(state, *moves):
    """The events of each move."""
    events = []
    for move in moves:
        before, state = state, rules.apply(state, move)
        events.append(rules.events(before, move, state))
    return events


def rest_of_round(state, rng):
    """The state after random plays up to the next deal or the end."""
    while rules.view(state, None)["phase"] == "play":
        state = rules.apply(state, random_move(rules, state, rng))
    return state


# Seats and pack


@pytest.mark.parametrize(
    ("seats", "base_cards", "last_coloured", "last_black"),
    [(3, 40, "Y10", "K10"), (4, 50, "B10", "K10"), (5, 60, "B12", "K12"), (6, 70, "B14", "K14")],
)
def test_pack_in_canonical_order(seats, base_cards, last_coloured, last_black):
    every_card = {field.name: field.choices[-1].value for field in rules.option_fields(seats)}

    deck = rules.deck(start(seats, **every_card))

    assert deck[:2] == ["R1", "R2"]
    assert deck.index(last_coloured) + 1 == deck.index("K1")
    assert deck[base_cards - 1 :] == [last_black, "K-5", "Kx2", "KLOW", "K?"]


@pytest.mark.parametrize(
    ("seats", "ally", "pair", "coloured_out", "stock", "unseen_rest"),
    [
        *((3, False, True, 1, 11, 1), (4, False, True, 1, 11, 1), (4, True, True, 2, 11, 1)),
        *((5, False, False, 0, 10, 0), (5, False, True, 0, 12, 2), (5, True, False, 1, 10, 0)),
        *((5, True, True, 1, 12, 2), (6, True, False, 0, 11, 1), (6, True, True, 0, 13, 3)),
        *((6, False, False, 0, 10, 0), (6, False, True, 0, 12, 2)),
    ],
)
@pytest.mark.parametrize("lowest", [False, True])
@pytest.mark.parametrize("surprise", [False, True])
def test_where_the_cards_go(seats, ally, pair, coloured_out, stock, unseen_rest, lowest, surprise):
    rng = random.Random(f"{seats}{ally}{pair}{lowest}{surprise}")
    options = {"ally": ally, "minus5_2x": pair, "lowest": lowest, "surprise": surprise}
    state = start(seats, **options)
    pack = set(rules.deck(state)) | ({"ALLY"} if ally else set())

    for _ in range(2):
        state = rules.apply(state, random_move(rules, state, rng))
    in_hands = {card for hand in state.hands for card in hand}
    while len(rules.view(state, None)["tricks"]) < 9 or len(rules.view(state, None)["plays"]) < seats - 1:
        state = rules.apply(state, random_move(rules, state, rng))

    dealt_stock = [card for card in pack if card[0] == "K" and card not in in_hands]
    turned_up = {trick.centre for trick in state.tricks} | {state.centre}
    assert [len(in_hands), len(dealt_stock)] == [10 * seats, stock + lowest + surprise]
    assert len([card for card in pack - in_hands if card[0] != "K"]) == coloured_out
    assert {"Kx2", "KLOW", "K?"} & pack <= set(dealt_stock)
    assert ("ALLY" in in_hands) == ally
    assert rules.view(state, None)["stock_count"] == unseen_rest + lowest + surprise - ("K?" in turned_up)


# Options


def test_options_have_the_values_of_the_page():
    both = [False, True]

    for seats in rules.seat_counts:
        values = {field.name: [choice.value for choice in field.choices] for field in rules.option_fields(seats)}
        assert values == {
            "rounds": [2, 3, 4, 5, 6, 7, 8],
            "ally": [False] if seats == 3 else both,
            "minus5_2x": [True] if seats < 5 else both,
            "lowest": both,
            "surprise": both,
            "colour_bids": both,
        }


@pytest.mark.parametrize(
    ("seats", "ally", "pair"), [(3, False, True), (4, False, True), (5, True, False), (6, True, True)]
)
def test_defaults_by_seats(seats, ally, pair):
    assert rules.clean_options(seats, {}) == {
        "rounds": 5,
        "ally": ally,
        "minus5_2x": pair,
        "lowest": False,
        "surprise": False,
        "colour_bids": False,
    }


@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        *((2, {}, "seats"), (7, {}, "seats"), (4, {"rounds": 1}, "rounds"), (4, {"rounds": 9}, "rounds")),
        *((4, {"rounds": True}, "rounds"), (4, {"rounds": 5.0}, "rounds"), (3, {"ally": True}, "ally")),
        *((3, {"minus5_2x": False}, "minus5_2x"), (4, {"minus5_2x": False}, "minus5_2x")),
        *((5, {"lowest": 1}, "lowest"), (5, {"surprise": None}, "surprise")),
        *((6, {"colour_bids": "true"}, "colour_bids"), (6, {"target": 100}, "target")),
    ],
)
def test_other_options_are_refused(seats, options, field):
    with pytest.raises(InvalidOptions) as caught:
        rules.clean_options(seats, options)

    assert caught.value.field == field


# Deal


def test_special_cards_before_the_black_ones_of_the_hands_start_the_stock():
    state = start(6, lowest=True, surprise=True)
    top = ["Kx2", "K5", "R1", "KLOW", "K-5", "K?", "K14", "K2"]
    deck = top + [card for card in rules.deck(state) if card not in top]

    state = rules.apply(state, {"type": "deal", "deck": deck})

    assert [card for card in rules.deck(state) if card[0] == "K"] == ["K5", "K14", "K-5"]
    assert rules.deck(state)[-1] == "ALLY"
    assert state.stock[:5] == ("Kx2", "KLOW", "K?", "K2", "K1")


# Who wins a trick


@pytest.mark.parametrize(
    ("seats", "trick"),
    [
        (3, "K5 0: R5 G4 K7 -> 2: 12"),  # W1
        (4, "K8 0: R10 G3 Y10 B2 -> burnt, 2 leads"),  # W2
        (3, "K2 0: R7 K7 G4 -> burnt, 1 leads"),  # W3
        (4, "K9 0: R6 G6 Y8 B1 -> 2: 9"),  # W4
        (3, "K4 0: R9 K-5 G2 -> 0: -1"),  # W5
        (6, "K4 0: R9 K9 K-5 K8 G1 Y1 -> burnt, 1 leads"),
    ],
)
def test_winner_of_a_trick(seats, trick):
    played(seats, trick)


@pytest.mark.parametrize(
    ("seats", "trick"),
    [
        (4, "K3 0: R5 G4 Y7 G5 -> 3: 3"),  # W18
        (4, "K8 0: R5 G4 G7 K5 -> burnt, 2 leads"),  # W19
        (3, "K6 0: R5 G9 Y2 -> 1: 6"),  # W20
        (3, "K10 0: R5 G9 Y2 -> burnt, 1 leads"),  # W20
        (6, "K9 0: R7 R2 G7 G1 B3 Y12 -> burnt, 2 leads"),  # W21
        (4, "K3 0: R10 G2 G4 Y9 -> 2: 3"),  # W22
        (4, "Kx2 0: R5 G9 Y2 K3 -> 3: 3, doubling 3"),  # W23
        (5, "K4 0: ALLY R3 G9 R5 Y1 -> 3: 4"),  # W25
        (3, "K9 0: R9 G9 Y2 -> burnt, 1 leads"),
        (3, "K9 0: R5 G5 Y2 -> burnt, 1 leads"),
        (3, "K-5 0: R5 G4 Y2 -> 0: -5"),
    ],
)
def test_winner_of_a_trick_by_colour_bids(seats, trick):
    played(seats, trick, colour_bids=True)


@pytest.mark.parametrize(
    ("trick", "by_centre"),
    [
        ("K10 0: R5 G9 Y2 -> burnt, 1 leads", True),
        ("K9 0: R9 G4 Y2 -> burnt, 0 leads", False),
        ("K3 0: R9 G9 Y2 -> burnt, 1 leads", False),
        ("K6 0: R5 G9 Y2 -> 1: 6", False),
    ],
)
def test_centre_card_that_is_best_alone(trick, by_centre):
    state = played(3, trick, colour_bids=True)

    assert rules.view(state, None)["last_trick"]["by_centre"] == by_centre


# Special cards


def test_2x_doubles_the_points_so_far():  # W6
    state = played(3, "K5 0: R5 G4 K7 -> 2: 12", "Kx2 2: R10 G3 Y1 -> 2: 0, doubling 12", "K3 2: R9 G2 Y2 -> 2: 3")

    assert current(state) | {"round": 1} == {
        "round": 1,
        "trick_points": [0, 0, 15],
        "doubling": [0, 0, 12],
        "black_cards": [0, 0, 4],
        "ally": None,
    }


def test_2x_doubles_the_points_of_its_own_trick():  # W7
    state = played(4, "K6 0: R2 R9 G3 Y1 -> 1: 6", "Kx2 1: B9 G2 K7 R3 -> 1: 7, doubling 13")

    assert (current(state)["trick_points"][1], current(state)["doubling"][1]) == (13, 13)


def test_2x_doubles_points_below_zero():  # W8
    played(3, "K-5 0: R9 G1 Y2 -> 0: -5", "Kx2 0: R10 G2 Y3 -> 0: 0, doubling -5")


def test_2x_of_nothing_is_a_black_card_all_the_same():  # W9
    state = played(3, "Kx2 0: R10 G2 Y3 -> 0: 0, doubling 0")

    assert (current(state)["doubling"], current(state)["black_cards"]) == ([0, 0, 0], [1, 0, 0])


def test_2x_that_burns_doubles_nothing():
    state = played(3, "K6 0: R9 G1 Y2 -> 0: 6", "Kx2 0: R10 G10 Y3 -> burnt, 1 leads")

    assert current(state)["doubling"] == [0, 0, 0]


@pytest.mark.parametrize(
    ("seats", "tricks", "options"),
    [
        (4, ["KLOW 0: R7 G2 Y9 B4 -> 1: 0", "K8 1: G5 Y1 R1 B3 -> burnt, 3 leads"], {}),  # W10
        (3, ["KLOW 0: R7 Y3 G8 -> 1: 0", "K9 1: G1 K-5 R2 -> 2: 4"], {}),  # W11
        (3, ["KLOW 0: R7 Y3 G3 -> burnt, 2 leads", "K9 2: G1 R2 Y2 -> 2: 9"], {}),
        (4, ["KLOW 0: R10 R9 Y1 Y2 -> 2: 0", "K8 2: R5 G4 G7 K5 -> 3: 13"], {"colour_bids": True}),  # W24
        (3, ["KLOW 0: R7 Y3 G8 -> 1: 0", "K-5 1: G1 R2 Y2 -> burnt, 1 leads"], {"colour_bids": True}),
    ],
)
def test_lowest_number_wins_from_the_lowest_card_on(seats, tricks, options):
    state = played(seats, *tricks, lowest=True, **options)

    assert rules.view(state, None)["lowest"] is True


def test_lowest_number_wins_no_more_in_the_next_round():
    state = rest_of_round(played(3, "KLOW 0: R7 Y3 G8 -> 1: 0", lowest=True), random.Random(1))
    tricks = ["K6 1: R9 G1 Y2 -> 1: 6"]

    state = reduce(rules.apply, moves_of(state, tricks), state)

    assert [text_of(trick) for trick in rules.view(state, None)["tricks"]] == tricks
    assert rules.view(state, None)["lowest"] is False


def test_surprise_card_is_won_with_the_card_under_it():  # W12
    state = played(4, "K?/K9 0: R5 G4 Y7 B6 -> 2: 9", surprise=True)

    assert current(state)["black_cards"] == [0, 0, 2, 0]


def test_lowest_card_under_the_surprise_card_works_from_the_next_trick_on():  # W13
    tricks = "K?/KLOW 0: R5 G4 Y7 B6 -> 2: 0", "K6 2: Y8 B3 R9 G10 -> 3: 6"

    played(4, *tricks, surprise=True, lowest=True)


@pytest.mark.parametrize("trick", ["K?/K10 0: R5 G9 Y2 B4 -> burnt, 1 leads", "K?/K7 0: R5 G9 Y2 B4 -> 1: 7"])
def test_card_under_the_surprise_card_competes_by_colour_bids(trick):  # W26
    played(4, trick, surprise=True, colour_bids=True)


def test_2x_under_the_surprise_card_doubles():
    tricks = "K6 0: R9 G1 Y2 -> 0: 6", "K?/Kx2 0: R10 G2 Y3 -> 0: 0, doubling 6"

    played(3, *tricks, surprise=True)


@pytest.mark.parametrize(
    ("trick", "options", "ally"),
    [
        ("K6 0: R3 ALLY Y11 B4 G8 -> 2: 6", {}, {"seat": 1, "partner": 2}),  # W14
        ("K6 0: R8 ALLY Y11 B11 G8 -> burnt, 3 leads", {}, None),  # W15
        ("K4 0: ALLY R3 G9 R5 Y1 -> 3: 4", {"colour_bids": True}, {"seat": 0, "partner": 3}),  # W25
    ],
)
def test_ally_and_the_winner_of_its_trick(trick, options, ally):
    assert current(played(5, trick, **options))["ally"] == ally


# Scoring a round


def test_whole_round():  # W17
    state = played(4, *WHOLE_ROUND, ally=True)

    assert rules.score_sheet(state) == {
        "rounds": [
            {
                "round": 1,
                "trick_points": [3, 0, 36, 0],
                "doubling": [0, 0, 27, 0],
                "black_cards": [2, 0, 7, 0],
                "null": [False, True, False, True],
                "lucky_loser": [0, 8, 0, 8],
                "ally": {"seat": 1, "partner": 2},
                "ally_change": [0, 27.5, -27.5, 0],
                "total": [3, 35.5, 35.5, 8],
            }
        ],
        "current": None,
        "null_rounds": [0, 1, 0, 1],
        "totals": [3, 35.5, 35.5, 8],
    }


LOW = ["R1", "G1", "Y1", "B1", "R2", "G2", "Y2", "B2", "R3"]  # never higher than all that the others hold


def test_every_null_round_pays_more():  # W16
    state, rng = start(4, rounds=4), random.Random(1)
    for number in range(1, 5):
        hands = [[*LOW, "R10" if number == 2 else "G3"], [], [], ["K10"]]
        for move in deal_of(state, hands, ["K9"]):
            state = rules.apply(state, move)
        while rules.view(state, None)["phase"] == "play":
            high = [card for card in state.hands[0] if card == "R10"]
            if rules.to_act(state) == 0 and high:
                state = play(state, *high)
            elif rules.view(state, None)["trick"] == 1:  # no ten but that of seat 0 in the first trick
                state = rules.apply(state, rules.legal_moves(state)[0])
            else:
                state = rules.apply(state, random_move(rules, state, rng))

    sheet = rules.score_sheet(state)
    assert [row["null"][0] for row in sheet["rounds"]] == [True, False, True, True]
    assert [row["total"][0] for row in sheet["rounds"]] == [8, 9, 16, 24]
    assert (sheet["totals"][0], sheet["null_rounds"][0]) == (57, 3)


@pytest.mark.parametrize(("seats", "base"), [(3, 12), (4, 8), (5, 8), (6, 7)])
def test_points_of_the_first_null_round(seats, base):
    rng = random.Random(seats)
    for _ in range(20):
        state = start(seats)
        for _ in range(2):
            state = rules.apply(state, random_move(rules, state, rng))
        row = rules.score_sheet(rest_of_round(state, rng))["rounds"][0]
        assert row["lucky_loser"] == [base * null for null in row["null"]]
        assert row["null"] == [cards == 0 for cards in row["black_cards"]]


def test_halves_are_kept_and_whole_numbers_are_integers():
    rng, halves = random.Random(1), 0
    for _ in range(6):
        for _, _, state in played_on(rules, start(6, rounds=8), rng):
            sheet = rules.score_sheet(state)
            shown = [*sheet["totals"], *(points for row in sheet["rounds"] for points in row["total"])]
            shown += [points for row in sheet["rounds"] for points in row["ally_change"]]
            assert all(type(points) is int or points % 1 == 0.5 for points in shown)
        halves += sum(type(points) is float for points in shown)

    assert halves > 20


# End of the match


def test_equal_totals_share_the_better_place():  # W28
    *_, (_, _, over) = played_on(rules, start(4, rounds=2), random.Random(1))
    data = rules.dump(over)
    data["lines"] = [line[:20] + total + line[24:] for line, total in zip(data["lines"], SHARES, strict=True)]
    over = rules.load(data)

    assert rules.standings(over) == [
        {"seat": 0, "team": None, "score": 30, "place": 1},
        {"seat": 1, "team": None, "score": 30, "place": 1},
        {"seat": 3, "team": None, "score": 30, "place": 1},
        {"seat": 2, "team": None, "score": 20, "place": 4},
    ]
    assert [type(line["score"]) for line in rules.standings(over)] == [int] * 4


SHARES = [[10, 20.5, 2.5, 30], [20, 9.5, 17.5, 0]]  # totals of two rounds


# Moves


def test_refusals_say_what_to_do():
    deal = start(3, rounds=2)
    moves = moves_of(deal, ["K5 0: R5 G4 K7 -> 2: 12"])
    between = rules.apply(deal, moves[0])
    playing = rules.apply(between, moves[1])
    *_, (_, _, over) = played_on(rules, deal, random.Random(1))
    not_yet = "The cards are not dealt yet. Wait for the deal."
    play_now = "The cards are dealt. Play any card from your hand."
    unknown = "There is no such move in Bids."
    card, deck = {"type": "play", "card": "R5"}, {"type": "deal", "deck": rules.deck(deal)}

    assert refusal(over, card) == refusal(over, deck) == "The match is over."
    assert refusal(deal, card) == refusal(between, card) == not_yet
    assert refusal(playing, deck) == refusal(playing, {"type": "deal"}) == play_now
    assert refusal(playing, {"type": "bid", "card": "R5"}) == refusal(playing, "R5") == unknown
    assert refusal(playing, card | {"seat": 0}) == "A play names the card and nothing else."
    assert refusal(between, {"type": "deal"}) == "A deal names the deck and nothing else."
    assert refusal(deal, {"type": "deal", "deck": deck["deck"][1:]}) == (
        "A deal takes the 42 cards to be shuffled, each of them once."
    )
    assert refusal(between, deck) == "A deal takes the 30 cards to be shuffled, each of them once."
    assert refusal(playing, {"type": "play", "card": "G4"}) == (
        "You do not hold that card. Play any card from your hand."
    )


# View


def test_views_before_and_between_the_deals_are_the_same():
    rng = random.Random(5)
    for before, move, after in played_on(rules, start(5, rounds=2), rng):
        if move["type"] == "deal" and rules.to_act(after) == CHANCE:
            assert [rules.view(before, seat) for seat in (None, 0)] == [rules.view(after, seat) for seat in (None, 0)]


def test_card_under_the_surprise_card_is_hidden_until_all_have_bid():
    moves = moves_of(start(4, surprise=True), ["K?/K9 0: R5 G4 Y7 B6"])

    for count in (2, 3, 5):
        state = after(4, {"surprise": True}, moves[:count])
        for seat in (None, 0, 1, 2, 3):
            assert rules.view(state, seat)["centre"] == "K?"
            assert '"K9"' not in json.dumps(rules.view(state, seat))
            assert "K9" in rules.hidden_from(state, seat)
    state = rules.apply(state, moves[5])
    assert rules.view(state, None)["last_trick"]["under"] == "K9"
    assert "K9" not in rules.hidden_from(state, None)


def test_number_of_hidden_cards():
    state = after(4, {}, moves_of(start(4), ["K6 0: R2 R9 G3 Y1"])[:2])
    counts = [len(rules.hidden_from(state, seat)) for seat in (0, 1, 2, 3, None)]
    assert counts == [52 - 11] * 4 + [52 - 1]

    state = play(state, "R2", "R9", "G3", "Y1")
    counts = [len(rules.hidden_from(state, seat)) for seat in (0, 1, 2, 3, None)]
    assert counts == [52 - 15] * 4 + [52 - 6]


def test_unseen_cards_stay_hidden_after_the_match():
    *_, (_, _, over) = played_on(rules, start(6, rounds=2, lowest=True), random.Random(7))

    assert len(rules.hidden_from(over, 0)) == 4  # what was left of the stock


# Sampling


@every_number_of_seats
def test_sampled_state_could_have_been_dealt(seats, rng):
    options = random_options(rules, seats, rng)
    moves, state = [], start(seats, **options)

    while len(moves) < 1 + 10 * seats:
        moves.append(random_move(rules, state, rng))
        state = rules.apply(state, moves[-1])
        if len(moves) > 2:
            sampled = rules.sample(rules.view(state, rng.choice([None, *range(seats)])), rng)
            replayed = reduce(rules.apply, [*dealt_from(sampled, options), *moves[2:]], start(seats, **options))
            assert replayed == sampled


def dealt_from(state, options):
    """Deals of the first round that lead to this position of it."""
    hands, stock = [list(hand) for hand in state.hands], []
    for trick in state.tricks:
        stock += [trick.centre, trick.under] if trick.under else [trick.centre]
    stock += [state.centre, state.under] if state.under else [state.centre]
    for leader, cards in [*((trick.leader, trick.cards) for trick in state.tricks), (state.leader, state.trick)]:
        for place, card in enumerate(cards):
            hands[(leader + place) % len(hands)].append(card)
    return deal_of(start(len(hands), **options), hands, [*stock, *state.stock])


@pytest.mark.whole
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, {"surprise": True, "lowest": True}),
        (5, {"surprise": True, "minus5_2x": True}),
        (6, {"ally": False, "surprise": True, "lowest": True}),
    ],
)
def test_samples_are_as_likely_as_deals(seats, options):
    """What lies where, in real deals and in what is drawn from views of them, comes out equally often."""
    rng, dealt, sampled, draws = random.Random(seats), Counter(), Counter(), 1500

    for _ in range(draws):
        state = start(seats, **options)
        for _ in range(2 + rng.choice([0, 3, seats, 2 * seats + 1])):
            state = rules.apply(state, random_move(rules, state, rng))
        dealt.update(marks(state))
        sampled.update(marks(rules.sample(rules.view(state, 0), rng)))

    for mark, count in dealt.items():
        if count > 40:
            spread = (2 * count * (1 - count / draws)) ** 0.5 + 1
            assert abs(sampled[mark] - count) < 4 * spread, mark


@pytest.mark.whole
def test_special_cards_lie_on_top_of_the_stock_as_often_as_in_deals():
    """They do more often than elsewhere: the cards with a number before them have gone to the hands."""
    rng, dealt, sampled = random.Random(1), Counter(), Counter()

    for _ in range(4000):
        state = start(6, ally=False, lowest=True, surprise=True)
        state = rules.apply(state, random_move(rules, state, rng))
        state = rules.apply(state, rules.legal_moves(state)[0])
        if number_of(state.centre) is None:
            dealt[special_on_top(state)] += 1
            sampled[special_on_top(rules.sample(rules.view(state, 0), rng))] += 1

    draws = dealt.total()
    for count in (0, 1, 2):
        assert abs(sampled[count] - dealt[count]) < 4 * (2 * dealt[count] * (1 - dealt[count] / draws)) ** 0.5
    assert dealt[0] < 0.7 * draws  # it would be 0.85 if all orders of the stock were as likely


def face_down(state):
    """The card under the centre card, if any, and the stock."""
    return [*filter(None, [state.under]), *state.stock]


def special_on_top(state):
    return len(list(takewhile(lambda card: number_of(card) is None, face_down(state))))


def marks(state):
    """Where some of the cards that a seat cannot see are."""
    stock, others = face_down(state), state.hands[1:]
    yield from ((card, "in the stock", stock.index(card) // 3) for card in ("K-5", "Kx2", "K1") if card in stock)
    yield from (("black", seat, sum(card[0] == "K" for card in hand)) for seat, hand in enumerate(others))
    yield from ((card, seat) for seat, hand in enumerate(others) for card in ("ALLY", "R1", "Y10") if card in hand)
    seen = {card for trick in state.tricks for card in trick.cards}.union(state.trick, *state.hands)
    yield from ((card, "out") for card in rules.deck(start(len(state.hands))) if card[0] != "K" and card not in seen)


# Events


def test_lowest_card_revealed_in_the_last_trick_starts_nothing():
    options = {"surprise": True, "lowest": True, "rounds": 2}
    state = start(3, **options)
    stock = ["K2", "K3", "K4", "K5", "K6", "K7", "K8", "K9", "K10", "K?", "KLOW"]
    for move in deal_of(state, [[], [], ["K1"]], stock):
        state = rules.apply(state, move)
    while len(state.tricks) < 9 or len(state.trick) < 2:
        state = rules.apply(state, rules.legal_moves(state)[0])

    (events,) = told(state, rules.legal_moves(state)[0])

    types = [event["type"] for event in events]
    assert types[:2] == ["played", "revealed"]
    assert types[-1] == "round_scored"
    assert "lowest" not in types


# Positions as stored


def test_position_grows_by_the_scored_lines_alone():
    sizes = []
    for before, _, state in played_on(rules, start(6, rounds=8), random.Random(1)):
        if before.hand_pack and len(state.round.lines) in (1, 7):
            sizes.append(len(json.dumps(rules.dump(state) | {"lines": [], "last_trick": None})))

    assert sizes[1] == pytest.approx(sizes[0], abs=2)
