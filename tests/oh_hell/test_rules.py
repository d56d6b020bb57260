"""Oh Hell, in the order of its rules page. E1 to E20 are the examples of that page."""

import json
import random
from functools import partial, reduce

import pytest

from games.catalog import CHANCE, get_rules
from games.oh_hell.rules import PACK
from tests.kit import playing
from tests.kit.playing import played_on, random_move

rules = get_rules("oh-hell")
refusal = partial(playing.refusal, rules)
every_number_of_seats = pytest.mark.parametrize("seats", rules.seat_counts)


def play(state, *moves):
    """The state after moves written in short: a bid as a number, a card or the first cards of a deck as text."""
    return reduce(rules.apply, map(move, moves), state)


def move(short):
    if isinstance(short, int):
        return {"type": "bid", "tricks": short}
    if len(short) == 2:
        return {"type": "play", "card": short}
    top = short.split()
    return {"type": "deal", "deck": top + [card for card in PACK if card not in top]}


def start(seats=3, game_style="short-up", scoring_style="positive"):
    return rules.new_match(seats, {"game_style": game_style, "scoring_style": scoring_style})


def before_hand(number, seats=3, game_style="short-up"):
    """The state before the deal of this hand of a random match."""
    rng, state = random.Random(number), start(seats, game_style)
    while rules.view(state, None)["hand_number"] < number:
        state = rules.apply(state, random_move(rules, state, rng))
    return state


def hand_with(size, seats=3):
    """The number of a hand of this size in a `long` match."""
    sheet = rules.score_sheet(start(seats, "long"))
    return next(row["hand"] for row in sheet["hands"] if row["cards"] == size)


def dealt(state, turned, *hands):
    """The state after a deal of these hands, those of the dealer's left first, and this card turned."""
    hands = [hand.split() for hand in hands]
    singly = [hand[number] for number in range(len(hands[0])) for hand in hands]
    return play(state, " ".join([*singly, turned]))


def bids(state):
    return [move["tricks"] for move in rules.legal_moves(state)]


def cards(state):
    return [move["card"] for move in rules.legal_moves(state)]


E16 = ["QH 2S 9H 5S", 1, 1, 0, "QH", "2S", "9H"]
E17 = ["AD 5H KC 7H 3C QD 2C", 1, 1, 1, "AD", "3C", "QD", "5H", "KC", "7H"]


# Options


def test_options_have_the_values_of_the_page():
    values = {field.name: [choice.value for choice in field.choices] for field in rules.option_fields()}

    assert values == {
        "game_style": ["long", "long-inverted", "short-up-and-down", "short-up", "short-down"],
        "scoring_style": ["positive", "neutral", "negative"],
    }
    assert rules.clean_options(4, {}) == {"game_style": "long", "scoring_style": "positive"}


# Sequence of hands


@pytest.mark.parametrize(
    ("seats", "game_style", "sizes"),
    [
        *((7, "long", "7 6 5 4 3 2 1 2 3 4 5 6 7"), (6, "short-down", "8 7 6 5 4 3 2 1")),
        *((5, "short-up-and-down", "6 5 4 3 2 1 2 3 4 5 6"), (3, "long", "10 9 8 7 6 5 4 3 2 1 2 3 4 5 6 7 8 9 10")),
        (6, "long", "8 7 6 5 4 3 2 1 2 3 4 5 6 7 8"),
        (4, "long-inverted", "1 2 3 4 5 6 7 8 9 10 9 8 7 6 5 4 3 2 1"),
        *((6, "long-inverted", "1 2 3 4 5 6 7 8 7 6 5 4 3 2 1"), (7, "long-inverted", "1 2 3 4 5 6 7 6 5 4 3 2 1")),
        *((7, "short-up-and-down", "6 5 4 3 2 1 2 3 4 5 6"), (5, "short-up", "1 2 3 4 5 6 7 8 9 10")),
        *((6, "short-up", "1 2 3 4 5 6 7 8"), (7, "short-up", "1 2 3 4 5 6 7")),
        *((3, "short-down", "10 9 8 7 6 5 4 3 2 1"), (7, "short-down", "7 6 5 4 3 2 1")),
    ],
)
def test_sequence_of_hands(seats, game_style, sizes):  # E1 and the table
    sheet = rules.score_sheet(start(seats, game_style))

    assert [row["cards"] for row in sheet["hands"]] == [int(size) for size in sizes.split()]


# Deal


def test_canonical_order_of_the_pack():
    deck = rules.deck(start())

    assert " ".join(deck[:14]) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D"
    assert deck[26] == "2H"
    assert " ".join(deck[39:]) == "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"


def test_cards_are_dealt_singly_from_the_dealers_left():  # E3
    deck = random.Random(3).sample(PACK, 52)
    first = rules.apply(start(4, "long"), {"type": "deal", "deck": deck})
    second = rules.apply(before_hand(2, 4, "long"), {"type": "deal", "deck": deck})

    hands = [[rules.view(state, seat)["hand"] for seat in range(4)] for state in (first, second)]
    views = [rules.view(state, None) for state in (first, second)]
    assert deck[0] in hands[0][0]
    assert deck[3] in hands[0][3]
    assert deck[39] in hands[0][3]
    assert [views[0][key] for key in ("dealer", "turned", "stock", "to_act")] == [3, deck[40], 11, 0]
    assert deck[0] in hands[1][1]
    assert deck[3] in hands[1][0]
    assert [views[1][key] for key in ("dealer", "turned", "stock", "to_act")] == [0, deck[36], 15, 1]
    assert hands[0][0] == [card for card in PACK if card in deck[0:40:4]]
    assert hands[1][0] == [card for card in PACK if card in deck[3:36:4]]


# Bidding


@pytest.mark.parametrize(
    ("size", "seats", "others", "hook", "open_bids"),
    [
        (10, 4, [4, 2, 3], 1, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]),  # E4
        (5, 4, [2, 1, 2], 0, [1, 2, 3, 4, 5]),  # E5
        (5, 4, [3, 1, 2], None, [0, 1, 2, 3, 4, 5]),  # E6
        (4, 4, [0, 0, 0], 4, [0, 1, 2, 3]),  # E7
        (1, 3, [0, 0], 1, [0]),  # E8
        (1, 3, [1, 0], 0, [1]),  # E8
        (1, 3, [1, 1], None, [0, 1]),  # E8
    ],
)
def test_hook_closes_one_bid_to_the_dealer(size, seats, others, hook, open_bids):
    state = play(before_hand(hand_with(size, seats), seats, "long"), " ".join(PACK), *others)

    assert rules.view(state, None)["hook"] == hook
    assert bids(state) == open_bids


def test_bids_of_the_others_are_free():
    state = play(start(4, "long"), " ".join(PACK))

    for bid in (10, 10, 10):
        assert rules.view(state, None)["hook"] is None
        assert bids(state) == list(range(11))
        state = play(state, bid)


@pytest.mark.parametrize(("bid", "over_under"), [(2, 1), (0, -1)])
def test_over_and_under_bid(bid, over_under):  # E4
    state = play(start(4, "long"), " ".join(PACK), 4, 2, 3)
    before = rules.score_sheet(state)["hands"][0]["over_under"]
    state = play(state, bid)

    assert before is None
    assert rules.score_sheet(state)["hands"][0]["over_under"] == over_under


def test_dealers_left_bids_first_and_leads():
    state = play(before_hand(2), E17[0])
    assert rules.to_act(state) == 1

    state = play(state, 1, 1)
    assert rules.to_act(state) == 0

    state = play(state, 1)
    assert rules.to_act(state) == 1
    assert rules.view(state, None)["trick"] == {"leader": 1, "plays": []}


# Play


@pytest.mark.parametrize(
    ("turned", "trick", "winner"),
    [
        ("2S", "9H KH AD 3H", 1),  # E9
        ("4C", "AD 2C KD 3C", 3),  # E10
        ("3H", "5H AS QH 2H", 2),  # E11
        ("2C", "2D AH AS KH", 0),
    ],
)
def test_winner_of_a_trick(turned, trick, winner):
    state = play(start(4), f"{trick} {turned}", 0, 0, 0, 0, *trick.split())

    assert rules.view(state, None)["last_hand"]["tricks"][0]["winner"] == winner


def test_winner_of_a_trick_leads_to_the_next():
    state = play(start(), *E16, *E17[:7])

    assert rules.to_act(state) == 2
    assert rules.view(state, None)["trick"] == {"leader": 2, "plays": []}


# Scoring


def take(tricks, bid, scoring_style):
    """A hand of ten tricks in which seat 0 bids and takes so many. Returns the row of the score sheet.

    Seat 0 cashes its trumps and gives the lead to seat 1, who has nothing but higher clubs.
    """
    trumps = "AS KS QS JS TS 9S 8S 7S 6S 5S"
    others = "2C AD KD QD JD TD 9D 8D 7D 6D"
    own = trumps.split()[:tricks] + others.split()[: 10 - tricks]
    clubs = "5C 6C 7C 8C 9C TC JC QC KC AC"
    hearts = "5H 6H 7H 8H 9H TH JH QH KH AH"
    state = dealt(start(3, "long", scoring_style), "2S", " ".join(own), clubs, hearts)
    state = play(state, bid, 0, next(legal for legal in (0, 1) if legal != 10 - bid))
    hands = [own, clubs.split(), hearts.split()]
    while rules.to_act(state) != CHANCE:
        state = play(state, hands[rules.to_act(state)].pop(0))
    return rules.score_sheet(state)["hands"][0]["seats"][0]


@pytest.mark.parametrize(
    ("scoring_style", "bid", "tricks", "points"),
    [
        ("positive", 2, 2, 12),  # E13
        ("positive", 2, 1, 1),
        ("positive", 2, 3, 3),
        ("positive", 0, 0, 10),
        ("positive", 0, 4, 4),
        ("neutral", 2, 2, 12),  # E14
        ("neutral", 2, 1, 0),
        ("neutral", 2, 3, 0),
        ("neutral", 0, 0, 10),
        ("negative", 2, 2, 10),  # E15
        ("negative", 2, 1, -10),
        ("negative", 2, 5, -30),
        ("negative", 0, 0, 10),
        ("negative", 4, 0, -40),
        ("negative", 7, 7, 10),
        ("positive", 0, 10, 10),  # E20
        ("neutral", 0, 10, 0),
        ("negative", 0, 10, -100),
        ("positive", 10, 10, 20),
        ("neutral", 10, 10, 20),
        ("negative", 10, 10, 10),
    ],
)
def test_points_of_a_hand(scoring_style, bid, tricks, points):
    seat = take(tricks, bid, scoring_style)

    assert seat == {"bid": bid, "taken": tricks, "points": points, "total": points}


@pytest.mark.parametrize(
    ("scoring_style", "first", "second", "totals"),
    [
        ("positive", [0, 11, 10], [11, 0, 11], [11, 11, 21]),
        ("neutral", [0, 11, 10], [11, 0, 11], [11, 11, 21]),
        ("negative", [-10, 10, 10], [10, -10, 10], [0, 0, 20]),
    ],
)
def test_two_whole_hands(scoring_style, first, second, totals):  # E16, E17
    after_first = play(start(3, "short-up", scoring_style), *E16)
    after_second = play(after_first, *E17)

    results = [rules.view(state, None)["last_hand"] for state in (after_first, after_second)]
    assert [result["taken"] for result in results] == [[0, 1, 0], [1, 0, 1]]
    assert [result["points"] for result in results] == [first, second]
    assert rules.score_sheet(after_second)["totals"] == totals


# End of match and places


def test_equal_totals_share_the_better_place():  # E18
    *_, (_, _, over) = played_on(rules, start(4, "short-up"), random.Random(1))
    over = rules.load(rules.dump(over) | {"totals": [87, 102, 102, 64]})

    assert rules.standings(over) == [
        {"seat": 1, "team": None, "score": 102, "place": 1},
        {"seat": 2, "team": None, "score": 102, "place": 1},
        {"seat": 0, "team": None, "score": 87, "place": 3},
        {"seat": 3, "team": None, "score": 64, "place": 4},
    ]


# Score sheet


# Moves


def test_refusals_come_in_the_order_of_the_page():
    deal, bidding, dealer, playing = (play(start(), *E16, *E17[:count]) for count in (0, 1, 3, 5))
    *_, (_, _, over) = played_on(rules, deal, random.Random(1))
    unknown = "There is no such move in Oh Hell."
    not_yet = "The cards are not dealt yet. Wait for the deal."
    pack = list(PACK)

    assert refusal(over, {"type": "over"}) == "The match is over."
    assert refusal(over, "junk") == "The match is over."
    assert refusal(bidding, "junk") == unknown
    assert refusal(bidding, {"type": "pass"}) == unknown
    assert refusal(bidding, {"type": ["bid"], "tricks": 1}) == unknown
    assert refusal(deal, {"type": "bid", "tricks": 99, "more": 1}) == not_yet
    assert refusal(bidding, move("AD")) == "Bid first: say how many tricks you will take."
    assert refusal(bidding, {"type": "deal", "deck": pack}) == "Bid first: say how many tricks you will take."
    assert refusal(playing, move(1)) == "The bidding is over. Play a card."
    assert refusal(deal, {"type": "deal"}) == "A deal names the deck and nothing else."
    assert refusal(bidding, {"type": "bid", "bid": 1}) == "A bid names the tricks and nothing else."
    assert refusal(playing, {"type": "play", "card": "AS", "seat": 2}) == "A play names the card and nothing else."
    assert refusal(deal, {"type": "deal", "deck": pack[:51]}) == (
        "A deal takes the 52 cards of the pack, each of them once."
    )
    assert refusal(dealer, move(3)) == "Bid a whole number of tricks from 0 to 2."
    assert refusal(dealer, move(0)) == (
        "The dealer may not bid 0 now: the bids would add up to 2, the number of tricks. Bid another number."
    )
    assert refusal(playing, move("KC")) == "You do not hold that card. Play one from your hand."


# View


def test_number_of_hidden_cards():  # E19
    state = play(start(4, "long"), " ".join(PACK))
    counts = [len(rules.hidden_from(state, seat)) for seat in (0, 1, 2, 3, None)]
    assert counts == [41, 41, 41, 41, 51]

    state = play(state, 0, 0, 0, 0)
    for _ in range(4):
        state = rules.apply(state, rules.legal_moves(state)[0])
    counts = [len(rules.hidden_from(state, seat)) for seat in (0, 1, 2, 3, None)]
    assert counts == [38, 38, 38, 38, 47]


def test_stock_stays_hidden_after_the_hand():
    state = play(start(), *E16)

    assert rules.hidden_from(start(), 0) == set()
    assert rules.hidden_from(state, None) == set(PACK) - {"QH", "2S", "9H", "5S"}


# Sampling


@every_number_of_seats
def test_sampled_deal_fits_all_that_was_played(seats, rng):
    moves, state = [], start(seats, "short-down")

    for _ in range(seats + seats * state.deal.cards):  # the deal, the bids and all cards but the last
        moves.append(random_move(rules, state, rng))
        state = rules.apply(state, moves[-1])
        for seat in (None, *range(seats)):
            sampled = rules.sample(rules.view(state, seat), rng)
            replayed = reduce(rules.apply, [deal_of(sampled), *moves[1:]], start(seats, "short-down"))
            assert replayed == sampled


def deal_of(state):
    """The deal of the first hand, of which this is a position."""
    seats, size = len(state.hands), state.deal.cards
    hands = [list(hand) for hand in state.hands]
    for leader, cards in [*((trick.leader, trick.cards) for trick in state.tricks), (state.leader, state.trick)]:
        for place, card in enumerate(cards):
            hands[(leader + place) % seats].append(card)
    deck = [hands[seat][number] for number in range(size) for seat in range(seats)] + [state.deal.turned]
    return {"type": "deal", "deck": deck + [card for card in PACK if card not in deck]}


def test_sampled_state_leaves_the_hands_it_cannot_know_blank():
    state = play(start(), *E16, *E17, " ".join(PACK))

    sampled = rules.sample(rules.view(state, 0), random.Random(1))

    sheet = rules.score_sheet(sampled)
    assert sheet["hands_played"] == 2
    assert sheet["totals"] == [11, 11, 21]
    assert [row["turned"] for row in sheet["hands"][:4]] == [None, None, rules.view(state, 0)["turned"], None]


# Events


# Positions as stored


def test_position_grows_by_the_scored_lines_alone():
    sizes = []
    for before, _, state in played_on(rules, start(5, "long"), random.Random(1)):
        if rules.to_act(before) == CHANCE and len(state.deal.lines) in (0, 18):  # the two hands of ten cards
            sizes.append(len(json.dumps(rules.dump(state) | {"lines": [], "totals": []})))

    assert sizes[1] == pytest.approx(sizes[0], abs=2)
