"""Belot, in the order of its rules page. E1 to E44 are the examples of that page, R1 to R42 its rulings."""

import json
import random
from collections import Counter
from functools import partial, reduce
from itertools import combinations

import pytest

from games.belot.rules.declarations import counting_side, open_declarations
from games.belot.rules.pack import duties, legal_cards, may_announce, winning_index
from games.belot.rules.scoring import settle
from games.belot.rules.state import Contract, Declaration, Match
from games.catalog import CHANCE, get_rules
from tests.belot import plain as plain_belot
from tests.kit import playing
from tests.kit.playing import played_on, random_move, random_options, random_positions
from tests.kit.test_sampling import assert_equally_often

rules = get_rules("belot")
refusal = partial(playing.refusal, rules)
every_number_of_seats = pytest.mark.parametrize("seats", rules.seat_counts)

BIDS = ["C", "D", "H", "S", "NT", "AT"]


def move(short):
    """A move written in short: "H", "pass", "QH", "QH!" (announcing belot), "tierce QH KH AH", or a whole deck."""
    words = short.split()
    if len(words) > 9:
        return {"type": "deal", "deck": words}
    if len(words) > 1:
        return {"type": "declare", "kind": words[0], "cards": words[1:]}
    if short in BIDS:
        return {"type": "bid", "contract": short}
    if short.endswith("!"):
        return {"type": "play", "card": short[:2], "belot": True}
    return {"type": "play", "card": short} if len(short) == 2 else {"type": short}


def play(state, *shorts):
    return reduce(rules.apply, map(move, shorts), state)


def start(seats=4, **options):
    return rules.new_match(seats, options)


def clean(seats=4, **options):
    return Match(seats, **rules.clean_options(seats, options))


def deck_of(seats, packets, *hands):
    """A deck that deals these hands, by turn; hands that are short are filled up, and the rest of the pack follows."""
    given = " ".join(hands).split()
    rest = [card for card in plain_belot.pack_of(seats) if card not in given]
    full = []
    for turn in range(seats):
        hand = hands[turn].split() if turn < len(hands) else []
        while len(hand) < sum(packets):
            hand.append(rest.pop())
        full.append(hand)
    deck, dealt = [], 0
    for packet in packets:
        for hand in full:
            deck += hand[dealt : dealt + packet]
        dealt += packet
    return " ".join(deck + rest)


def dealt(*hands, seats=4, **options):
    """The state after the first deal of a match, with these hands by seat."""
    packets = (3, 3, 3) if seats == 2 else (3, 2, 3)
    return play(start(seats, **options), deck_of(seats, packets, *hands))


def calls(state):
    """The open calls in short, as one text."""
    return " ".join(move.get("contract", move["type"]) for move in rules.legal_moves(state))


def plays(state):
    """The open plays in short."""
    return [m["card"] + "!" * ("belot" in m) for m in rules.legal_moves(state) if m["type"] == "play"]


def declares(state):
    """The open declarations in short."""
    return [" ".join([m["kind"], *m["cards"]]) for m in rules.legal_moves(state) if m["type"] == "declare"]


def with_totals(state, totals, hanging=0):
    """The same position in a match with these totals."""
    return rules.load(rules.dump(state) | {"totals": totals, "hanging": hanging})


def viewed(state, *keys, seat=None):
    view = rules.view(state, seat)
    return [view[key] for key in keys]


E42 = [
    "AD JC QC KS KH 9C TD QS KC QD JD 7D AC TC 8S 7S JH 8H 8C KD 9D JS 8D TS AH QH TH 9H AS 7C 9S 7H",
    *["D", "pass", "H", "double", "pass", "pass", "pass"],
    *["tierce TC JC QC", "9D", "tierce QH KH AH", "QH!", "quarte 8H 9H TH JH", "TD", "tierce JD QD KD", "QD"],
    *["7S", "QS", "9S", "JS"],
    *["KC", "7C", "JC", "9C"],
    *["AS", "7H", "QC", "KS"],
    *["7D", "8D", "KH", "8H"],
    *["8S", "9H", "8C", "AD"],
    *["TH", "KD", "AC", "AH"],
    *["TS", "JH", "JD", "TC"],
]
E42_ROW = {
    "deal": 1,
    "dealer": 3,
    "contract": "H",
    "bidder": 2,
    "level": 2,
    "outcome": "made",
    "valat": None,
    "tricks": [4, 4],
    "cards": [78, 74],
    "last_trick": 0,
    "declarations": [70, 0],
    "belots": [0, 20],
    "points": [158, 94],
    "pot": [0, 0],
    "kirtik": [0, 0],
    "marks": ["number", "dash"],
    "mp": [50, 0],
    "hanging": 0,
    "totals": [50, 0],
}


# Options


def test_options_have_the_values_of_the_page():
    values = {field.name: [choice.value for choice in field.choices] for field in rules.option_fields(4)}

    assert values == {
        "target": [151, 101, 51],
        "deal": ["3+2+3", "3+3+2"],
        "dealer_pass": ["free", "seven", "never"],
        "third_double": [False, True],
        "trumping": ["always", "club"],
        "shared_cards": [False, True],
        "belot_reply": ["partner", "any"],
        "last_trick_ten": [True, False],
        "hanging": [True, False],
        "kirtik": [False, True],
    }
    assert rules.clean_options(4, {}) == {name: offered[0] for name, offered in values.items()}


@pytest.mark.parametrize(
    ("seats", "packets"), [(2, ["3+3+3"]), (3, ["3+2+3", "3+3+2"]), (None, ["3+2+3", "3+3+2", "3+3+3"])]
)
def test_packets_depend_on_the_number_of_seats(seats, packets):
    (field,) = [field for field in rules.option_fields(seats) if field.name == "deal"]

    assert [choice.value for choice in field.choices] == packets
    assert field.default == packets[0]


# Deal


def test_canonical_order_of_the_packs():
    assert rules.deck(start(4))[:9] == ["7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC", "7D"]
    assert rules.deck(start(4))[-9:] == ["AH", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS"]
    for seats in (2, 3):
        assert rules.deck(start(seats))[:7] == ["9C", "TC", "JC", "QC", "KC", "AC", "9D"]
        assert len(rules.deck(start(seats))) == 24


@pytest.mark.parametrize(
    ("seats", "packets", "seat", "bidding", "last"),
    [
        (4, "3+2+3", 0, [0, 1, 2, 12, 13], [20, 21, 22]),
        (4, "3+2+3", 3, [9, 10, 11, 18, 19], [29, 30, 31]),
        (4, "3+3+2", 0, [0, 1, 2, 12, 13, 14], [24, 25]),
        (3, "3+2+3", 1, [3, 4, 5, 11, 12], [18, 19, 20]),
        (2, "3+3+3", 0, [0, 1, 2, 6, 7, 8], [12, 13, 14]),
        (2, "3+3+3", 1, [3, 4, 5, 9, 10, 11], [15, 16, 17]),
    ],
)
def test_cards_are_dealt_in_packets(seats, packets, seat, bidding, last):  # E43, R1
    pack = plain_belot.pack_of(seats)
    deck = random.Random(seats).sample(pack, len(pack))
    state = play(start(seats, deal=packets), " ".join(deck))
    closed = play(state, "H", *["pass"] * (seats - 1))

    def hand(places):
        return [card for card in pack if card in [deck[place] for place in places]]

    assert viewed(state, "hand", "pack", seat=seat) == [hand(bidding), len(pack) - seats * len(bidding)]
    assert viewed(closed, "hand", "pack", seat=seat) == [hand(bidding + last), 6 if seats == 2 else 0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_dealers_go_round_and_the_next_seat_calls_first(seats):
    state, seen = start(seats), []
    for _ in range(seats + 1):
        state = play(state, deck_of(seats, (3, 3, 3) if seats == 2 else (3, 2, 3)))
        seen.append((*viewed(state, "deal_number", "dealer"), rules.to_act(state)))
        state = play(state, *["pass"] * seats)

    assert seen == [(1 + n, (n - 1) % seats, n % seats) for n in range(seats + 1)]


# Bidding


@pytest.mark.parametrize(
    ("made", "open_calls"),
    [
        *(("", "pass C D H S NT AT"), ("H", "pass S NT AT double"), ("H pass", "pass S NT AT")),
        *(("H double", "pass S NT AT redouble"), ("H double pass", "pass S NT AT")),
        *(("H double pass pass", "pass S NT AT redouble"), ("H double redouble", "pass S NT AT")),
        ("H double redouble S", "pass NT AT double"),
        *(("C pass pass double pass pass", "pass D H S NT AT redouble"), ("AT", "pass double"), ("AT pass", "pass")),
        *(("AT double", "pass redouble"), ("AT double pass", "pass")),
    ],
)
def test_open_calls(made, open_calls):  # E38, R3, R4, R5
    assert calls(play(dealt(), *made.split())) == open_calls


@pytest.mark.parametrize(("third_double", "open_calls"), [(False, "pass NT AT"), (True, "pass NT AT surcontre")])
def test_third_double(third_double, open_calls):
    state = play(dealt(third_double=third_double), "S", "double", "redouble")

    assert calls(state) == open_calls


def test_level_of_the_contract():
    state, levels = dealt(third_double=True), []
    for call in ("H", "double", "redouble", "surcontre", "pass", "S", "double"):
        state = play(state, call)
        levels.append(tuple(rules.view(state, 0)["contract"].values()))

    assert levels == [("H", 0, 1), ("H", 0, 2), ("H", 0, 4), ("H", 0, 8), ("H", 0, 8), ("S", 1, 1), ("S", 1, 2)]


@pytest.mark.parametrize(
    ("made", "open_to", "third_double"),
    [
        ("H pass pass pass", 0, False),
        ("pass pass pass H pass pass pass", 0, False),
        ("C pass pass double pass pass pass", 0, False),  # E38: three more passes, R6
        ("H double pass pass pass", 0, False),
        ("AT double redouble", 0, False),  # E38
        ("AT double redouble surcontre", 0, True),  # R7
        ("AT double redouble pass pass pass", 0, True),
        ("H double redouble surcontre pass pass pass", 0, True),
    ],
)
def test_bidding_ends(made, open_to, third_double):  # R23: the first seat leads whoever has bid
    *before, last = made.split()
    state = play(dealt(third_double=third_double), *before)
    assert rules.view(state, 0)["phase"] == "bid"

    state = play(state, last)
    assert viewed(state, "phase", "to_act", "hand_counts") == ["play", open_to, [8, 8, 8, 8]]
    assert rules.view(state, None)["trick"] == {"leader": open_to, "plays": []}


def test_bidding_goes_on():
    for made, third_double in [
        ("AT double redouble", True),
        ("S double redouble", False),
        ("C pass pass double", False),
    ]:
        assert rules.view(play(dealt(third_double=third_double), *made.split()), 0)["phase"] == "bid"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_passed_out_deal_leaves_no_trace_on_the_sheet(seats):
    state = play(dealt(seats=seats), *["pass"] * seats)

    assert rules.score_sheet(state)["rows"] == []
    assert viewed(state, "phase", "to_act", "deal_number", "dealer", "calls", "hand", seat=0) == [
        *("deal", CHANCE, 2, 0, [], [])
    ]
    assert rules.view(state, 0)["last_hand"] == {
        "deal": 1,
        "dealer": seats - 1,
        "outcome": "passed",
        "calls": [{"seat": seat, "call": "pass"} for seat in range(seats)],
    }


def test_hanging_points_survive_a_passed_out_deal():
    state = with_totals(start(), [0, 0], hanging=8)

    state = play(state, E42[0], "pass", "pass", "pass", "pass")

    assert viewed(state, "hanging") == [8]


@pytest.mark.parametrize(
    ("hand", "may_pass"),
    [
        ("7C 8C 9C 7D QS", {"free": True, "seven": True, "never": False}),
        ("QC KC 9C 7D 8S", {"free": True, "seven": True, "never": False}),
        ("JC QC QS 7D 7S", {"free": True, "seven": False, "never": False}),
    ],
)
def test_pass_of_the_dealer(hand, may_pass):  # E39, R8, R9
    for dealer_pass, may in may_pass.items():
        state = dealt("", "", "", hand, dealer_pass=dealer_pass)
        others = play(state, "pass", "pass")
        dealer = play(others, "pass")
        after_a_bid = play(others, "C")

        assert calls(others) == "pass C D H S NT AT"
        assert calls(dealer) == ("pass " if may else "") + "C D H S NT AT"
        assert calls(after_a_bid) == "pass D H S NT AT double"


# Declarations


@pytest.mark.parametrize(
    ("hand", "shared", "declared", "offers"),
    [
        ("9S TS JS QS KS AS", False, [], ["quint TS JS QS KS AS"]),  # E37, R13
        ("8S 9S TS JS QS KS AS", False, [], ["quint TS JS QS KS AS"]),
        ("7S 8S 9S JS QS KS AS", False, [], ["quarte JS QS KS AS", "tierce 7S 8S 9S"]),
        ("7S 8S KS AS", False, [], []),
        ("7S 8S 9S TS JS QS KS AS", False, [], ["quint TS JS QS KS AS"]),
        ("7S 8S 9S TS JS QS KS AS", False, [0], ["tierce 7S 8S 9S"]),
        ("8S 9S TS JS QS KS AS", False, [0], []),
        ("TC TD TH TS JS QS KS AS", True, [], ["square TC TD TH TS", "quint TS JS QS KS AS"]),
        ("TC TD TH TS JS QS KS AS", True, [0], ["quint TS JS QS KS AS"]),
        ("TC TD TH TS JS QS KS AS", True, [0, 0], []),
        ("TC TD TH TS JS QS KS AS", False, [0], ["quarte JS QS KS AS"]),
        ("TC TD TH TS JS QS KS AS", False, [1], []),
        ("QC QD QH JS QS KS 7C 7D", False, [], ["square QC QD QH QS", "tierce JS QS KS"]),
        ("QC QD QH JS QS KS 7C 7D", False, [0], []),
        ("QC QD QH JS QS KS 7C 7D", False, [1], []),
        ("7C 7D 7H 7S 8C 8D 8H 8S", False, [], []),
        ("TC TD TH TS JC JD JH JS", False, [], ["square JC JD JH JS", "square TC TD TH TS"]),
        ("9C 9D 9H 9S AC AD AH AS", False, [0], ["square AC AD AH AS"]),
        ("7C 8C 9C 7D 8D 9D QH QS", False, [], ["tierce 7C 8C 9C", "tierce 7D 8D 9D"]),
        ("8H 9H TH JH KH AH 7S 9S", False, [], ["quarte 8H 9H TH JH"]),  # R15: no part of it
    ],
)
def test_what_may_be_declared(hand, shared, declared, offers):
    hand, made = hand.split(), []
    for choice in declared:
        made.append(open_declarations(0, hand, made, shared)[choice])

    found = [" ".join([each.kind, *each.cards]) for each in open_declarations(0, hand, made, shared)]

    assert found == offers
    made = [(each.kind, list(each.cards)) for each in made]
    assert [" ".join([kind, *cards]) for kind, cards in plain_belot.declarations_of(hand, made, shared)] == offers


@pytest.mark.parametrize(("rank", "points"), [("J", 200), ("9", 150), ("A", 100), ("K", 100), ("Q", 100), ("T", 100)])
def test_points_of_squares(rank, points):
    (square,) = open_declarations(0, [rank + suit for suit in "CDHS"], [], False)

    assert (square.kind, square.points) == ("square", points)


def test_points_of_sequences():
    hand = "7C 8C 9C / 7D 8D 9D TD / 7H 8H 9H TH JH"

    assert [each.points for each in open_declarations(0, hand.split(), [], False)] == [20, 50, 100]


def declaration(seat, short):
    """What a seat has declared, in short: a tierce by its top "JS", longer ones "J4S" and "J5S", four jacks "J"."""
    order = "789TJQKA"
    if len(short) == 1:
        return Declaration(seat, "square", 0, tuple(short + suit for suit in "CDHS"))
    length, suit = (int(short[1]), short[2]) if len(short) == 3 else (3, short[1])
    top = order.index(short[0]) + 1
    kind = {3: "tierce", 4: "quarte", 5: "quint"}[length]
    return Declaration(seat, kind, 0, tuple(rank + suit for rank in order[top - length : top]))


@pytest.mark.parametrize(
    ("declared", "side"),
    [
        (["KC", "AD"], 1),  # E36
        (["T4C", "AD"], 0),
        (["A5C", "T"], 1),  # R10
        (["T", "Q"], 1),  # R11
        (["Q", "K"], 1),
        (["K", "A"], 1),
        (["A", "9"], 1),
        (["9", "J"], 1),
        (["AS", "AH"], None),
        (["AS", "AH", "9C"], None),  # R12
        (["AS", "KC", "AH"], 0),  # both with side 0
        (["J5C", "Q5D"], 1),  # R13
        (["A4C", "J5D"], 1),
        ([], None),
    ],
)
def test_side_that_counts_its_declarations(declared, side):
    made = [declaration(seat, short) for seat, short in enumerate(declared)]

    assert counting_side(made, [4, 4], 2) == side
    assert counting_side(made[::-1], [1, 7], 2) == side
    assert counting_side(made, [0, 8], 2) == (side or None)  # E44, R16: not without a trick, nor anybody else


@pytest.mark.parametrize(("declared", "side"), [(["AS", "AH", "KD"], None), (["AS", "KH", "KD"], 0)])
def test_side_that_counts_its_declarations_among_three(declared, side):  # E36
    assert counting_side([declaration(seat, short) for seat, short in enumerate(declared)], [3, 3, 2], 3) == side


def test_declaring_leaves_the_turn_and_playing_ends_it():
    state = play(start(), *E42[:8])
    assert declares(state) == ["tierce TC JC QC"]

    declared = play(state, E42[8])
    assert rules.to_act(declared) == 0
    assert declares(declared) == []
    assert plays(declared) == plays(state) == ["TC", "JC", "QC", "AC", "8D", "9D", "AD", "JS"]

    for silent in (play(state, "9D"), play(state, "TC"), play(declared, "TC")):
        assert declares(silent) == ["tierce QH KH AH"]


def test_several_declarations_in_any_order():
    state = play(dealt("JC JD JH JS QS KS AS 7C"), "S", "pass", "pass", "pass")

    assert declares(play(state, "square JC JD JH JS")) == ["tierce QS KS AS"]
    assert declares(play(state, "quarte JS QS KS AS")) == []


# Belot


@pytest.mark.parametrize(
    ("contract", "trick", "may"),
    [
        ("H", "", True),  # E41
        ("H", "TC", True),
        ("H", "TC 7D", True),
        ("H", "7H 8D", True),
        ("H", "7H", False),
        ("H", "7H 8H 8D", False),
        ("AT", "", True),
        ("AT", "7H 8C", True),
        ("AT", "7H", False),
        ("AT", "TC 7D", False),
        ("NT", "", False),
        ("C", "", False),
    ],
)
def test_belot_is_announced(contract, trick, may):  # R17
    trick, hand = tuple(trick.split()), ("QH", "KH", "AS")

    for card in ("QH", "KH"):
        assert may_announce(clean(), contract, trick, hand, card) == may
        follows = bool(trick) and trick[0][1] == "H" and contract in ("H", "AT")
        assert may_announce(clean(belot_reply="any"), contract, trick, hand, card) == (may or follows)
    assert not may_announce(clean(), contract, trick, hand, "AS")
    assert not may_announce(clean(), contract, trick, ("QH", "AS"), "QH")  # R18


@pytest.mark.parametrize("seats", [2, 3])
def test_belot_without_a_partner(seats):  # E41
    hand = ("QH", "KH", "9S")

    for count in range(1, seats):
        follow, ruff = ((clean(seats), "H", (led, "7D")[:count], hand, "QH") for led in ("9H", "9C"))
        assert not may_announce(*follow)
        assert may_announce(clean(seats, belot_reply="any"), *follow[1:])
        assert may_announce(*ruff)


def test_belot_of_every_suit_in_all_trumps():
    hand = "QC KC QD KD QH KH QS KS"
    state = play(dealt(hand), "AT", "pass", "pass", "pass")

    assert plays(state) == [card + mark for card in hand.split() for mark in ("", "!")]


# Play


@pytest.mark.parametrize(
    ("contract", "hand", "trick", "always", "club"),
    [
        ("H", "7C AC QD JH", "TC", "7C AC", "7C AC"),  # E40
        ("H", "7C AC QD JH", "TC 7H", "7C AC", "7C AC"),
        ("H", "QD 7H JH", "TC", "7H JH", "7H JH"),
        ("H", "QD 7H JH", "7C 9H", "7H JH", "JH"),  # R20
        ("H", "QD 7H 8H", "7C 9H", "7H 8H", "QD 7H 8H"),
        ("H", "QD 7H JH", "AC 7C", "7H JH", "QD 7H JH"),  # R19
        ("H", "7H AH JH QD", "TH", "AH JH", "AH JH"),
        ("H", "7H AH JH QD", "9H", "JH", "JH"),
        ("H", "7H KH AH", "TH 8H", "AH", "AH"),  # R21
        ("NT", "7C AC QD JH", "TC", "7C AC", "7C AC"),
        ("AT", "7C AC JC QD", "TC", "AC JC", "AC JC"),
        ("AT", "7C AC JC QD", "TC 9C", "JC", "JC"),
        ("AT", "7C AC QD", "TC JD", "AC", "AC"),
        ("AT", "QD JH", "TC", "QD JH", "QD JH"),  # R22
        ("H", "7H 8H QD", "TH", "7H 8H", "7H 8H"),
        ("H", "QD 9C", "TC 9H JC", "9C", "9C"),
        ("H", "QD 9S", "7C 9H", "QD 9S", "QD 9S"),
        ("H", "QD 9S", "TH", "QD 9S", "QD 9S"),
        ("H", "QD 7H JH", "7C 9H 8C", "7H JH", "QD 7H JH"),  # the partner has trumped
        ("NT", "QD 7H", "TC", "QD 7H", "QD 7H"),
        ("S", "7H AH", "", "7H AH", "7H AH"),
    ],
)
def test_legal_cards(contract, hand, trick, always, club):
    for trumping, legal in (("always", always), ("club", club)):
        wanted = duties(clean(trumping=trumping), contract, tuple(trick.split()))
        assert legal_cards(tuple(hand.split()), wanted) == legal.split()


@pytest.mark.parametrize("seats", [2, 3])
def test_nobody_is_spared_trumping_without_a_partner(seats):
    wanted = duties(clean(seats, trumping="club"), "H", ("AC", "9C")[: seats - 1])

    assert legal_cards(("QD", "9H"), wanted) == ["9H"]


@pytest.mark.parametrize(
    ("contract", "trick", "winner"),
    [
        ("H", "TC AC 7H KC", 2),
        ("H", "TC 7H JC 9H", 3),
        ("H", "9H AH JH TH", 2),
        ("S", "JC TC QC 9C", 1),
        ("NT", "JC TC QC AD", 1),
        ("AT", "TC AC AD JH", 1),
        ("AT", "TC 9C QD AD", 1),
    ],
)
def test_winner_of_a_trick(contract, trick, winner):
    assert winning_index(contract, trick.split()) == winner


# Scoring


def settled(seats, contract, bidder, level, points, before=0, valat=None, **options):
    """The settlement of a deal as (mp, marks, MP left hanging), the same from both implementations.

    before: MP that hang from earlier deals.
    """
    match = clean(seats, **options)
    settlement = settle(match, Contract(contract, bidder, level), tuple(points), valat, before)
    told = json.loads(json.dumps(settlement._asdict()))
    tricks = [1] * match.sides if valat is None else [8 * (side == valat) for side in range(match.sides)]
    plain = plain_belot.settle(match._asdict(), match.sides, [contract, bidder, level], points, tricks, before)
    assert told | {"valat": valat} == plain
    return told["mp"], told["marks"], told["hanging"]


def written(mp, marks):
    """The sheet's way to write it: "–" for a dash, "h" for what hangs, with match points lost."""
    return [
        str(number) if mark == "number" else {"dash": "–", "hanging": "h"}[mark] + (str(number) if number else "")
        for number, mark in zip(mp, marks, strict=True)
    ]


@pytest.mark.parametrize(
    ("contract", "points", "mp"),
    [
        ("S", [125, 37], [12, 4]),  # E1
        ("S", [89, 73], [9, 7]),
        ("S", [127, 35], [13, 3]),
        ("S", [126, 36], [12, 4]),
        ("S", [166, 126], [16, 13]),
        ("AT", [125, 119], [13, 12]),
        ("AT", [123, 119], [12, 12]),
        ("AT", [124, 119], [12, 12]),
        ("AT", [164, 124], [16, 13]),
        ("NT", [152, 108], [15, 11]),  # R25
    ],
)
def test_rounding(contract, points, mp):
    assert settled(4, contract, 0, 1, points) == (mp, ["number", "number"], 0)


TWO_SIDES = """
    E2   S 0 1    125 37   -     12 4      0
    E3   AT 1 1   125 133  -     13 13     0
    E4   NT 1 1   108 152  -     11 15     0
    E5   AT 0 1   154 144  -     15 15     0
    E6   C 1 1    76 86    -     8 8       0
    E7   D 0 1    89 73    -     9 7       0
    E8   H 0 1    71 91    -     – 16      0
    E9   H 0 1    90 112   -     – 20      0
    E10  S 0 1    81 81    -     h 8       8
    E11  H 1 1    62 100   8     6 18      0
    E12  AT 0 1   129 129  8     h 13      21
    E13  C 1 1    91 71    21    37 –      0
    E14  C 0 1    106 106  -     h 10      11
    E15  AT 1 1   154 154  -     15 h      16
    E16  H 0 2    95 67    -     32 –      0
    E17  AT 0 2   120 138  -     – 52      0
    E18  NT 0 4   140 120  -     104 –     0
    E19  AT 0 8   130 128  -     208 –     0
    E20  S 1 2    81 81    3     h h       35
    E21  H 0 1    162 0    v0    25 0      0
    E21  H 0 1    162 20   v0    25 2      0
    E22  AT 1 2   0 258    v1    – 61      0
    E23  NT 0 1   260 0    v0    35 0      0
    E24  H 0 1    20 162   v1    – 27      0
    E34  C 0 1    78 58    -     8 6       0
    E34  C 0 1    76 50    -     7 5       0
    E34  C 0 1    50 66    -     – 11      0
    R42  H 0 1    180 2    -     18 0      0
"""
KIRTIK = """
    E8   H 0 1    71 91    -     –-10 16   0
    E10  S 0 1    81 81    -     h-10 8    8
    E16  H 0 2    95 67    -     32 –-10   0
    E17  AT 0 2   120 138  -     –-10 52   0
    E20  S 1 2    81 81    -     h-10 h-10 32
    E21  H 0 1    162 20   v0    25 -8     0
    E24  H 0 1    20 162   v1    –-10 27   0
    R33  H 0 2    162 0    v0    41 –-10   0
"""
THREE_SIDES = """
    E27  H 0 1    90 40 32   -   9 4 3        0
    E28  H 0 1    70 52 40   -   – 9 7        0
    E29  H 0 1    71 41 50   -   – 8 8        0
    E30  H 0 1    81 45 36   -   h 4 3        8
    E31  H 0 2    90 40 32   -   32 – –       0
    E31  H 0 2    70 52 40   -   – 18 14      0
    E31  H 0 2    81 45 36   -   h h h        32
    E32  H 0 1    70 52 40   9   – 14 11      0
    E33  H 0 1    162 0 0    v0  25 0 0       0
    E33  H 0 1    0 162 0    v1  – 25 0       0
    E33  H 0 1    0 100 62   -   – 10 6       0
    R36  H 1 1    55 51 55   9   12 – 13      0
    R36  H 0 1    51 55 56   9   – 12 13      0
    R36  H 2 1    55 55 51   9   13 12 –      0
"""


def table(text, sides):
    """Cases for `settled` and what is written, from a table: one example a line."""
    cases = []
    for line in text.strip().splitlines():
        name, contract, bidder, level, *rest = line.split()
        points, (before, *mp), left = [int(number) for number in rest[:sides]], rest[sides:-1], int(rest[-1])
        valat = int(before[1]) if before[0] == "v" else None
        hanging = int(before) if before.isdigit() else 0
        deal = (contract, int(bidder), int(level), points, hanging, valat)
        cases.append(pytest.param(deal, mp, left, id=f"{name}-{contract}-{level}-{points}"))
    return cases


@pytest.mark.parametrize(("deal", "mp", "left"), table(TWO_SIDES, 2))
@pytest.mark.parametrize("seats", [2, 4])
def test_what_two_sides_write(seats, deal, mp, left):
    numbers, marks, hanging = settled(seats, *deal)

    assert (written(numbers, marks), hanging) == (mp, left)


@pytest.mark.parametrize(("deal", "mp", "left"), table(KIRTIK, 2))
def test_what_two_sides_write_with_kirtik(deal, mp, left):  # E25
    numbers, marks, hanging = settled(4, *deal, kirtik=True)

    assert (written(numbers, marks), hanging) == (mp, left)


@pytest.mark.parametrize(("deal", "mp", "left"), table(THREE_SIDES, 3))
def test_what_three_sides_write(deal, mp, left):
    numbers, marks, hanging = settled(3, *deal)

    assert (written(numbers, marks), hanging) == (mp, left)


@pytest.mark.parametrize(("level", "mp"), [(1, [0, 16]), (2, [0, 32])])
def test_level_points_without_hanging(level, mp):  # E26
    assert settled(4, "S", 0, level, [81, 81], hanging=False) == (mp, ["dash", "number"], 0)


def test_kirtik_among_three():
    assert settled(3, "H", 0, 2, [90, 40, 32], kirtik=True)[0] == [32, -10, -10]
    assert settled(3, "H", 0, 2, [70, 52, 40], kirtik=True)[0] == [-10, 18, 14]
    assert settled(3, "H", 0, 1, [0, 162, 0], valat=1, kirtik=True)[0] == [-10, 25, -10]


def test_scored_deal_of_the_page():  # E42
    for state in (play(start(), *E42), reduce(plain_belot.PlainMatch.after, map(move, E42), plain_belot.PlainMatch(4))):
        sheet = state.score_sheet() if isinstance(state, plain_belot.PlainMatch) else rules.score_sheet(state)
        assert sheet == {
            "game": "belot",
            "seats": 4,
            "sides": [[0, 2], [1, 3]],
            "target": 151,
            "rows": [E42_ROW],
            "hanging": 0,
            "totals": [50, 0],
        }


def test_hanging_points_of_earlier_deals_go_to_the_winner():  # R31
    state = with_totals(play(start(), *E42[:-1]), [0, 0], hanging=21)

    (row,) = rules.score_sheet(play(state, E42[-1]))["rows"]
    assert row == E42_ROW | {"pot": [21, 0], "mp": [71, 0], "totals": [71, 0]}


VALAT = [
    deck_of(4, (3, 2, 3), "JH AH KH QH 8H AC AD AS", "9C 9D 9H 9S 8C 8D 8S 7S", "TH TC TD TS JC JD JS 7H"),
    *["H", "pass", "pass", "pass"],
    *["JH", "square 9C 9D 9H 9S", "9H", "7H", "KC", "AH", "7S", "TH"],
]


def valat(**options):
    """A deal in which side 0 takes all tricks and only seat 1 declares, as far as the last trick."""
    state = play(start(**options), *VALAT)
    while len(rules.view(state, None)["tricks"]) < 7:
        state = play(state, plays(state)[-1] if rules.to_act(state) else highest(state))
    return state


def highest(state):
    """Of the cards that seat 0 may play the one that wins: hearts first, then the aces."""
    return max(plays(state), key=lambda card: (card[1] == "H", card[0] == "A"))


def finished(state):
    """The state after the last trick, in which there is no choice."""
    while len(rules.legal_moves(state)) == 1 and rules.view(state, None)["phase"] == "play":
        state = play(state, plays(state)[0])
    return state


def test_declarations_of_a_side_without_a_trick_do_not_count():  # E44, R16
    state = finished(valat())

    (row,) = rules.score_sheet(state)["rows"]
    shown = [row[key] for key in ("valat", "tricks", "declarations", "points", "mp")]
    assert shown == [0, [8, 0], [0, 0], [162, 0], [25, 0]]
    assert [each["counted"] for each in rules.view(state, None)["last_hand"]["declared"]] == [False]


def test_last_trick_may_be_worth_nothing():
    (row,) = rules.score_sheet(finished(valat(last_trick_ten=False)))["rows"]

    assert row["points"] == [152, 0]


# End of the match


@pytest.mark.parametrize(
    ("before", "outcome", "totals", "over"),
    [
        ([107, 154], "made", [157, 154], True),  # E35, R34
        ([105, 155], "made", [155, 155], False),
        ([100, 106], "made", [150, 106], False),
        ([81, 160], "inside", [106, 160], True),  # who wins need not have won the last deal
        ([101, 151], "made", [151, 151], False),
        ([0, 151], "made", [50, 151], True),
    ],
)
def test_match_ends_when_one_side_alone_has_most(before, outcome, totals, over):
    last = with_totals(play(start(), *E42[:-1]), before)
    if outcome == "inside":
        last = rules.load(rules.dump(last) | {"contract": ["H", 1, 1]})

    state = play(last, E42[-1])

    (row,) = rules.score_sheet(state)["rows"]
    assert (row["outcome"], row["totals"]) == (outcome, totals)
    assert (rules.to_act(state) is None) == over
    assert bool(rules.standings(state)) == over


def test_valat_does_not_end_the_match():  # E35, R35
    state = finished(with_totals(valat(), [135, 90]))

    assert rules.score_sheet(state)["totals"] == [160, 90]
    assert rules.to_act(state) == CHANCE


def test_match_may_end_while_points_hang():  # R32
    last = with_totals(play(start(), *E42[:-1]), [153, 100])
    tricks = [
        [*trick[:2], winner] for trick, winner in zip(rules.dump(last)["tricks"], [1, 0, 0, 0, 1, 1, 1], strict=True)
    ]
    level = {"tricks": tricks, "declared": [], "belots": [], "contract": ["H", 1, 1]}  # 81 points each

    state = play(rules.load(rules.dump(last) | level), E42[-1])

    (row,) = rules.score_sheet(state)["rows"]
    assert (row["outcome"], row["mp"], row["hanging"], row["totals"]) == ("hanging", [8, 0], 8, [161, 100])
    assert rules.to_act(state) is None


def over(seats, totals):
    """A match that is over, with these totals by side."""
    *_, (_, _, state) = played_on(rules, start(seats, target=51), random.Random(1))
    return with_totals(state, totals)


@pytest.mark.parametrize(
    ("seats", "totals", "standings"),
    [
        (4, [157, 154], [(0, 0, 157, 1), (2, 0, 157, 1), (1, 1, 154, 2), (3, 1, 154, 2)]),
        (4, [-8, 160], [(1, 1, 160, 1), (3, 1, 160, 1), (0, 0, -8, 2), (2, 0, -8, 2)]),
        (3, [90, 151, 100], [(1, None, 151, 1), (2, None, 100, 2), (0, None, 90, 3)]),
        (3, [90, 90, 151], [(2, None, 151, 1), (0, None, 90, 2), (1, None, 90, 2)]),
        (2, [3, 155], [(1, None, 155, 1), (0, None, 3, 2)]),
    ],
)
def test_standings(seats, totals, standings):
    keys = ("seat", "team", "score", "place")

    assert rules.standings(over(seats, totals)) == [dict(zip(keys, line, strict=True)) for line in standings]


# Score sheet


@pytest.mark.parametrize(("seats", "sides"), [(2, [[0], [1]]), (3, [[0], [1], [2]]), (4, [[0, 2], [1, 3]])])
def test_score_sheet_before_the_first_deal_is_scored(seats, sides):
    sheet = {"game": "belot", "seats": seats, "sides": sides, "target": 101, "rows": [], "hanging": 0}

    assert rules.score_sheet(dealt(seats=seats, target=101)) == sheet | {"totals": [0] * len(sides)}


# Moves


DEAL, BIDDING, PLAYING = (play(start(), *E42[:count]) for count in (0, 1, 9))
FIRST, NO_TRUMPS = (play(dealt("TC TD TH TS JS QS KS AS"), bid, "pass", "pass", "pass") for bid in ("H", "NT"))
NAMED_WRONGLY = ["tierce QS KS AS", "quarte TS JS QS KS AS", "quint AS KS QS JS TS", "square TD TC TH TS"]


def after_a_trick(state):
    while not rules.view(state, None)["tricks"]:
        state = play(state, plays(state)[-1])
    return state


@pytest.mark.parametrize(
    ("state", "moves", "text"),
    [
        (over(4, [157, 154]), ["pass", None], "The match is over"),
        (BIDDING, [None, {"type": "done"}, {"type": ["bid"]}], "no such move in Belot"),
        (DEAL, ["pass"], "not dealt yet"),
        (BIDDING, ["TC", E42[0]], "Bid first"),
        (PLAYING, ["pass"], "The bidding is over"),
        (DEAL, [{"type": "deal"}], "type deal names deck and nothing else"),
        (DEAL, [E42[0][3:]], "the 32 cards of the pack"),
        (BIDDING, [{"type": "pass", "seat": 0}], "type pass names its type and nothing else"),
        (BIDDING, [{"type": "bid"}], "type bid names contract and nothing else"),
        (BIDDING, [{"type": "bid", "contract": name} for name in ("X", "pass", ["H"])], "Bid clubs, diamonds, hearts"),
        (PLAYING, [{"type": "play", "belot": True}], "type play names card and nothing else"),
        (PLAYING, [{"type": "play", "card": "9D", "belot": flag} for flag in (False, 1)], "announces belot by true"),
        (PLAYING, [{"type": "declare", "kind": "tierce"}], "names kind and cards and nothing else"),
        (PLAYING, [{"type": "declare", "kind": "tierce", "cards": "TC JC QC"}], "a list of its cards"),
        (PLAYING, [{"type": "declare", "kind": ["tierce"], "cards": ["TC", "JC", "QC"]}], "a list of its cards"),
        (NO_TRUMPS, ["square TC TD TH TS"], "In no trumps nothing is declared"),
        (after_a_trick(FIRST), ["quarte JS QS KS AS"], "in the first trick"),
        (FIRST, ["tierce 7C 8C 9C"], "do not hold these cards"),
        (play(FIRST, "square TC TD TH TS"), ["quint TS JS QS KS AS"], "one of these cards already"),
        (FIRST, NAMED_WRONGLY, "can’t be declared like this"),
    ],
)
def test_refusals_say_why(state, moves, text):
    for made in moves:
        assert text in refusal(state, move(made) if isinstance(made, str) else made)


@pytest.mark.parametrize(
    ("options", "made", "call", "text"),
    [
        ({}, "", "double", "no bid to double yet"),
        ({}, "H", "H", "not higher than the last bid"),
        ({}, "H", "D", "not higher than the last bid"),
        ({}, "H", "redouble", "Only the side that has bid may redouble"),
        ({}, "H pass", "double", "not double your own side’s bid"),
        ({}, "H pass", "redouble", "only what has been doubled once"),
        ({}, "H double pass", "double", "has been doubled already"),
        ({}, "H double redouble", "surcontre", "no third double in this match"),
        ({}, "H pass", "surcontre", "not double your own side’s bid"),
        ({"third_double": True}, "H", "surcontre", "only what has been redoubled"),
        ({"dealer_pass": "never"}, "pass pass pass", "pass", "passed, so the dealer must bid"),
        ({"dealer_pass": "seven"}, "pass pass pass", "pass", "more than 7 points, so you must bid"),
    ],
)
def test_refusals_of_calls(options, made, call, text):
    state = dealt("", "", "", "JC QC QS 7D 7S", **options)

    assert text in refusal(play(state, *made.split()), move(call))


@pytest.mark.parametrize(
    ("options", "contract", "hands", "text"),
    [
        ({}, "C", ["9D", "7D AH"], "hold a diamond, so you must follow suit"),
        ({}, "C", ["9S", "7S AH"], "hold a spade, so you must follow suit"),
        ({}, "C", ["TC", "AC 7C"], "so you must play higher"),
        ({}, "H", ["TC", "7H AD"], "hold no club but a trump, so you must trump"),
        ({"trumping": "club"}, "H", ["TC", "7H AD"], "hold no club but a trump, so you must trump"),
        ({"trumping": "club"}, "H", ["TC", "9H", "JH 7H"], "so you must overtrump"),
    ],
)
def test_refusals_of_cards(options, contract, hands, text):
    state = play(dealt(**options), contract, "pass", "pass", "pass")
    full = [*hands, *["8S"] * (4 - len(hands))]
    state = rules.load(rules.dump(state) | {"hands": [hand.split() for hand in full]})
    for _ in hands[1:]:
        state = play(state, plays(state)[0])

    *_, wrong = hands[-1].split()
    assert text in refusal(state, move(wrong))


def test_refusals_of_belot():
    def belot_refused(seats, bids, hands, *lead, card="QH!"):
        state = play(dealt(seats=seats), *bids.split())
        state = rules.load(rules.dump(state) | {"hands": [hand.split() for hand in hands]})
        return refusal(play(state, *lead), move(card))

    hearts, all_trumps = "H pass pass pass", "AT pass pass pass"
    for card in ("7C!", "KD!"):
        assert "both still in your hand" in belot_refused(4, hearts, ["QH KH 7C KD", "7D", "7H", "AH"], card=card)
    assert "with a discard" in belot_refused(4, all_trumps, ["7C", "QH KH", "8S", "9S"], "7C")
    assert "only if your partner led" in belot_refused(4, hearts, ["7H", "QH KH", "8S", "9S"], "7H")
    assert "announce belot when following suit" in belot_refused(2, "H pass", ["9H", "QH KH"], "9H")


# View


def test_hidden_cards():
    pack = set(plain_belot.pack_of(4))
    state = play(start(), *E42[:10])
    assert rules.hidden_from(start(), 0) == set()
    assert len(rules.hidden_from(play(start(), E42[0]), 0)) == 27
    assert rules.hidden_from(play(start(), E42[0]), None) == pack
    assert rules.hidden_from(state, 1) == pack - {"9D", *rules.view(state, 1)["hand"]}

    belot = play(state, "tierce QH KH AH", "QH!")
    assert rules.hidden_from(belot, None) == pack - {"9D", "QH", "KH"}  # where the king is has been told
    assert rules.hidden_from(play(start(), *E42), None) == set()


@pytest.mark.parametrize(("rank", "told"), [("J", True), ("9", True), ("A", False), ("T", False)])
def test_some_squares_tell_their_cards(rank, told):
    square = f"{rank}C {rank}D {rank}H {rank}S"
    state = play(dealt(square), "H", "pass", "pass", "pass", f"square {square}")

    assert rules.hidden_from(state, 1).isdisjoint(square.split()) == told
    assert rules.view(state, 1)["declared"][0]["cards"] is None


def test_cards_that_were_never_played_stay_hidden():
    passed = play(dealt(), "pass", "pass", "pass", "pass")
    state = play(dealt(seats=2), "H", "pass")
    left_over = state.deal.pack
    while rules.view(state, None)["phase"] == "play":
        state = play(state, plays(state)[0])

    assert len(rules.hidden_from(passed, 0)) == 27
    assert rules.hidden_from(state, None) == rules.hidden_from(state, 0) == set(left_over)
    assert len(left_over) == 6


# Sampling


def told_moves(moves, declared):
    """The moves, with these declarations in the place of those that were made."""
    declarations = iter(declared)
    return [
        {"type": "declare", "kind": each.kind, "cards": list(each.cards)} if move["type"] == "declare" else move
        for move in moves
        for each in [next(declarations) if move["type"] == "declare" else None]
    ]


def deck_behind(state):
    """A deck from which the first deal of a match may have led to this state."""
    seats, deal = len(state.hands), state.deal
    hands = [list(hand) for hand in state.hands]
    for leader, cards in [*((trick.leader, trick.cards) for trick in state.tricks), (state.leader, state.trick)]:
        for place, card in enumerate(cards):
            hands[(leader + place) % seats].append(card)
    if state.phase == "bid":
        first = deal.match.packets[0]
        packets = [*(hand[:first] for hand in hands), *(hand[first:] for hand in hands), deal.pack]
        return [card for packet in packets for card in packet]
    return deck_of(seats, deal.match.packets, *map(" ".join, hands)).split()


@every_number_of_seats
def test_sampled_deal_fits_all_that_was_declared_and_played(seats, rng):
    options = random_options(rules, seats, rng)
    state, moves = rules.new_match(seats, options), []

    while True:
        legal = rules.legal_moves(state)
        wanted = [legal for legal in legal if legal["type"] == "declare" or "belot" in legal]
        moves.append(rng.choice(wanted) if wanted and rng.random() < 0.7 else random_move(rules, state, rng))
        state = rules.apply(state, moves[-1])
        if rules.view(state, None)["phase"] not in ("bid", "play"):
            return
        for seat in (None, *range(seats)):
            sampled = rules.sample(rules.view(state, seat), rng)
            deal = {"type": "deal", "deck": deck_behind(sampled)}
            replayed = reduce(
                rules.apply, [deal, *told_moves(moves[1:], sampled.declared)], rules.new_match(seats, options)
            )
            assert replayed == sampled


def fits(view, hands):
    """Whether these hands may be behind a view in play, as the plain implementation sees it."""
    plays = [(play["seat"], play["card"]) for trick in [*view["tricks"], view["trick"]] for play in trick["plays"]]
    deal = plain_belot.PlainDeal(view["seats"], view["options"], 1, view["dealer"])
    deal.contract, deal.phase = list(view["contract"].values()), "play"
    deal.leader = deal.turn = deal.in_turn()[0]
    deal.hands = [[*hand, *(card for other, card in plays if other == seat)] for seat, hand in enumerate(hands)]
    for seat, hand in enumerate(deal.hands):
        told = [(each["kind"], each["points"]) for each in view["declared"] if each["seat"] == seat]
        if not may_be_told(hand, told, view["options"]["shared_cards"]):
            return False
    announced = {(belot["seat"], belot["suit"]) for belot in view["belots"]}
    for seat, card in plays:
        first = card[0] in "KQ" and (seat, card[1]) in announced - set(deal.belots)
        made = {"type": "play", "card": card} | ({"belot": True} if first else {})
        if made not in deal.legal_plays():
            return False
        deal.do_play(made)
    return True


def may_be_told(hand, told, shared, made=()):
    if not told:
        return True
    return any(
        may_be_told(hand, told[1:], shared, (*made, (kind, cards)))
        for kind, cards in plain_belot.declarations_of(hand, made, shared)
        if (kind, plain_belot.declaration_points(kind, cards)) == told[0]
    )


def all_splits(cards, sizes):
    """Every way to fill hands of these sizes; what is left over is nobody's."""
    if not sizes:
        return [()]
    return [
        (hand, *others)
        for hand in combinations(sorted(cards), sizes[0])
        for others in all_splits(cards - set(hand), sizes[1:])
    ]


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(8))
def test_all_deals_that_fit_a_view_are_equally_likely(seed):
    rng = random.Random(seed)
    view, deals = view_of_few_deals(rng)
    others = [seat for seat in range(view["seats"]) if seat != view["seat"]]

    drawn = Counter()
    for _ in range(100 * len(deals)):
        hands = rules.sample(view, rng).hands
        drawn[tuple(tuple(sorted(hands[seat])) for seat in others)] += 1

    assert_equally_often(drawn, deals, 100)


def view_of_few_deals(rng):
    """A view in which another seat has declared, and the five to sixty deals that fit it: hands of the other seats."""
    while True:
        seats = rng.choice(rules.seat_counts)
        for state in random_positions(rules, seats, rng, 30):
            seat = rng.choice([None, *range(seats)])
            view = rules.view(state, seat)
            sizes = [count for other, count in enumerate(view["hand_counts"]) if other != seat]
            if max(sizes) > 3 or all(each["seat"] == seat for each in view["declared"]):
                continue
            played = {play["card"] for trick in [*view["tricks"], view["trick"]] for play in trick["plays"]}
            unseen = set(plain_belot.pack_of(seats)) - played - set(view["hand"])
            deals = []
            for split in all_splits(unseen, sizes):
                hands = list(split)
                if seat is not None:
                    hands.insert(seat, view["hand"])
                if fits(view, hands):
                    deals.append(split)
            if 5 <= len(deals) <= 60:
                return view, deals


def test_sampled_state_knows_the_last_deal_alone():
    state = play(start(), *E42, E42[0], "pass", "pass", "pass", "pass")
    passed = rules.sample(rules.view(state, 0), random.Random(1))
    scored = rules.sample(rules.view(play(start(), *E42), 0), random.Random(1))

    assert rules.score_sheet(passed)["rows"] == []
    assert rules.score_sheet(passed)["totals"] == [50, 0]
    assert rules.score_sheet(scored)["rows"] == [E42_ROW]


# Events


def test_event_of_a_deal_that_is_passed_out():
    before = play(dealt(seats=2), "pass")

    assert rules.events(before, move("pass"), play(before, "pass")) == [
        {"type": "called", "seat": 1, "call": "pass"},
        {"type": "passed_out", "deal": 1, "dealer": 1},
    ]


# Positions as stored


def test_position_grows_by_the_scored_lines_alone():
    sizes, state = [], start(target=151)
    for _ in range(9):
        state = play(with_totals(state, [0, 0]), *E42[:1], *["pass"] * 4)
        state = with_totals(play(state, E42[0], "H", "pass", "pass", "pass"), [0, 0])
        sizes.append(len(json.dumps(rules.dump(state) | {"lines": []})))
        while rules.view(state, None)["phase"] == "play":
            state = play(state, plays(state)[0])

    assert len(rules.dump(state)["lines"]) == 9
    assert max(sizes) - min(sizes) <= 4  # numbers of two digits
