import random
import re
from functools import reduce
from itertools import islice

import pytest
from django.template.loader import render_to_string

from games.bids.rules.pack import NUMBER, black_in_hands, is_black
from games.bids.table.outlook import outlooks
from games.bids.table.words import lucky_loser_workings
from games.catalog import CHANCE, get_game, get_rules
from games.history.folding import Folding, deals
from games.kit.drawing import SheetReader, caption
from games.kit.language import using_language
from games.kit.words import Names
from games.management.commands.serve import MESSAGE_SIZE
from tests.kit.cast import (
    NAMES,
    Drawn,
    a_match,
    cards_on,
    cast,
    in_letters,
    read_by,
    result_rows,
)

RULES = get_rules("bids")
TABLE = get_game("bids").drawing
DRAWN = Drawn("bids")
felt, mine, felt_page, mine_page = DRAWN.felt, DRAWN.mine, DRAWN.felt_page, DRAWN.mine_page
EVERYTHING = {"lowest": True, "surprise": True, "colour_bids": True}


def dealt(stock, hands, **options):
    """The first position of a match of two rounds. stock: its first cards. hands: some cards of each seat's hand."""
    seats = len(hands)
    state = RULES.new_match(seats, {"rounds": 2} | options)
    deck = RULES.deck(state)
    named = [card for hand in hands for card in hand]
    black = [card for card in named if is_black(card)]
    black += [card for card in deck if card in NUMBER and is_black(card) and card not in stock + black]
    black = black[: black_in_hands(seats, options.get("ally", seats > 4))]
    first = [*black, *stock, *named]
    state = RULES.apply(state, deal_of(list(dict.fromkeys(card for card in first + deck if card in deck))))
    rest = [card for card in RULES.deck(state) if card not in named]
    full = [hand + [rest.pop() for _ in range(10 - len(hand))] for hand in hands]
    return RULES.apply(state, deal_of([hand[place] for place in range(10) for hand in full]))


def deal_of(deck):
    return {"type": "deal", "deck": deck}


def play(state, *cards):
    return reduce(RULES.apply, ({"type": "play", "card": card} for card in cards), state)


def after_round(state, seed=1):
    """The state after the round of `state`, played on at random."""
    rng = random.Random(seed)
    while RULES.to_act(state) not in (CHANCE, None):
        state = RULES.apply(state, rng.choice(RULES.legal_moves(state)))
    return state


def count_of(state):
    return RULES.view(state, None)["seats"]


def stands(state, seat=None):
    """What a seat reads of how the trick stands."""
    return read_by(seat, felt(state)["contract"]["standing"])


def sheet_page(state, within=""):
    sheet = TABLE.sheet(RULES.score_sheet(state), cast(count_of(state)))
    return render_to_string("bids/sheet.html", {"sheet": sheet, "within": within})


def told(before, card, viewer=None):
    """What is said when a card is played."""
    move = {"type": "play", "card": card}
    events = RULES.events(before, move, RULES.apply(before, move))
    return TABLE.sentences(events, cast(count_of(before)), viewer)


def labels(state):
    """By card of the hand of the seat to act, what it is said to do."""
    seat = RULES.to_act(state)
    return outlooks(RULES.view(state, seat), Names(NAMES[: count_of(state)], seat))


FOUR = [["R10", "R5", "R9"], ["G4", "G9", "G2"], ["Y10", "G7", "Y2"], ["B2", "K5", "B4"]]


# Every position


def played_between(before, after):
    (card,) = set(before.hands[before.to_act]) - set(after.hands[before.to_act] if after.hands else ())
    return {"type": "play", "card": card}


def test_the_largest_table_can_be_sent():
    names = cast(6, **{f"seat_{seat}": {"name": f"Nebuchadnezzar the {seat}th"} for seat in range(6)})
    sizes = [
        len((felt_page(state, names) + mine_page(state, seat, names)).encode())
        for state in islice(a_match(RULES, 6, random.Random(1), rounds=2, ally=True, **EVERYTHING), 0, None, 8)
        for seat in (0, 5)
    ]

    assert 16 * 1024 < max(sizes) < MESSAGE_SIZE / 8


def test_a_sheet_within_another_page_opens_its_own_workings():
    for state in a_match(RULES, 3, random.Random(2), rounds=2):
        page = sheet_page(state, within="dialog-")

        ids = re.findall(r' id="([^"]+)"', page)
        assert all(each.startswith("dialog-") for each in ids)
        assert set(re.findall(r' (?:popovertarget|aria-labelledby)="([^"]+)"', page)) <= set(ids)


# The pack


def test_a_hand_lies_by_colour_and_number_with_black_and_the_ally_at_the_right():
    hand = ["R10", "R2", "G4", "Y7", "B1", "K-5", "K3", "ALLY"]
    assert TABLE.suits_of({"hand": hand}) == [["R2", "R10"], ["Y7"], ["G4"], ["B1"], ["K-5", "K3"], ["ALLY"]]


# What is being played for


def test_the_black_double_says_what_it_would_make_of_the_points_of_who_is_ahead():
    hands = [["R10", "R9"], ["G4", "G2"], ["K7", "Y1"]]
    start = play(dealt(["K6", "Kx2"], hands, minus5_2x=True), "R10", "G4", "Y1")  # Ana has 6

    ahead, more = play(start, "R9"), play(start, "R9", "G2", "K7")

    assert (in_letters(felt(start)["contract"]["total"]), felt(start)["contract"]["gives"]) == ("×2", None)
    gives = felt(ahead)["contract"]["gives"]
    assert [read_by(seat, gives["words"]) for seat in (None, 0)] == ["doubles Ana: 6 to 12", "doubles your 6 to 12"]
    assert gives["short"] == "doubles 6 to 12"
    assert in_letters(felt(ahead)["centre"]["worth"]) == "×2"
    assert felt(ahead)["centre"]["words"] == "doubles its winner’s points"
    assert in_letters(felt(more)["gone"]["worth"]) == "2× + 7"
    assert stands(more) == "Ana won the black 2×: 13 doubled to 26."


def test_who_is_ahead_is_marked_and_said():
    state = play(dealt(["K8"], FOUR), "R5", "G9")

    assert stands(state) == "Boris is ahead with the green 9."
    assert [seat["slot"] for seat in felt(state)["seats"]] == ["slot filled lead", "slot filled ahead", "slot", "slot"]
    assert [stands(state, seat) for seat in (0, 1)] == [stands(state), "You are ahead with the green 9."]
    shown = felt(state)["caption"]
    assert shown | {"words": read_by(0, shown["words"])} == caption("Boris is ahead", classes="ahead")
    assert mine(state, 2)["sentence"] == "Your bid. Boris is ahead with the green 9."


def test_the_card_under_the_surprise_is_face_down_until_all_have_bid():
    start = dealt(["K?", "K9", "K3"], FOUR, surprise=True)
    before, after = play(start, "R5", "G4", "Y10"), play(start, "R5", "G4", "Y10", "B4")

    assert cards_on(felt_page(before)) == {"K?", "R5", "G4", "Y10"}
    assert 'class="face back"' in felt_page(before)
    assert felt(before)["centre"]["worth"] == "?"
    assert {"K?", "K9"} < cards_on(felt_page(after))
    assert felt(after)["gone"]["worth"] == "9"


# Seats


def test_finished_trick_stays_with_its_prize_while_the_next_card_is_up():
    state = play(dealt(["K8", "K1"], FOUR), "R5", "G4", "Y10", "B2")
    drawn = felt(state)

    assert [seat["slot"] for seat in drawn["seats"]] == [
        "slot filled lead finished",
        "slot filled finished",
        "slot filled finished winner",
        "slot filled finished",
    ]
    assert 'data-card="K8"' in drawn["gone"]["face"]
    assert 'data-card="K1"' in drawn["centre"]["face"]
    assert [stands(state, seat) for seat in (0, 2)] == ["Vera won 8 points.", "You won 8 points."]
    assert mine(state, 2)["sentence"] == "You won. Bid any card for the black 1."
    assert felt(play(state, "Y2"))["gone"] is None


# One seat's own part


def test_result_is_by_place_and_says_why():
    state = after_round(dealt(["K6"], [["ALLY"], ["R10"], ["G1"], ["Y1"]], ally=True))
    result = mine(state, 1)["result"]
    totals = [float(row[-2].replace("−", "-").replace("½", ".5")) for row in result_rows(result)[1:]]

    assert totals == sorted(totals, reverse=True)
    assert result_rows(result)[1][-1] == "–"
    assert {line["place"] for line in result["lines"]} <= {"1", "2", "3", "4"}
    for sentence in result["reasons"]:
        assert f"<span>{sentence}</span>" in mine_page(state, 1)


# What a card would do


def test_while_others_are_to_bid_a_card_is_only_ahead_so_far():
    first = labels(dealt(["K8"], [["R9", "K7"], ["G4"], ["Y1"]]))
    second = labels(play(dealt(["K8"], [["R9"], ["G10", "G9", "G4"], ["Y1"]]), "R9"))

    assert first["R9"] == "Ahead so far: 8 points · no Lucky Loser (+12)"
    assert first["K7"] == "Ahead so far: 15 points · no Lucky Loser (+12)"
    assert second["G10"] == "Ahead so far: 8 points · no Lucky Loser (+12)"
    assert second["G9"] == "Ties with Ana: burns so far"
    assert second["G4"] == "Behind Ana so far: 8 points"


def test_a_hidden_card_that_may_win_leaves_all_open():
    hands = [["R5"], ["G4"], ["Y7"], ["B9", "Y2", "K6"]]
    state = play(dealt(["K?", "K10"], hands, surprise=True, colour_bids=True), "R5", "G4", "Y7")
    plain = play(dealt(["K?", "K10"], hands, surprise=True), "R5", "G4", "Y7")

    assert labels(state)["B9"] == "Ahead so far: the hidden card · no Lucky Loser (+8)"
    assert labels(state)["Y2"] == "Loses: Vera wins the hidden card"
    assert labels(plain)["B9"] == "Wins the hidden card · no Lucky Loser (+8)"
    assert labels(plain)["K6"] == "Loses: Vera wins the hidden card and 6 points"


@pytest.mark.parametrize("options", [{}, EVERYTHING], ids=["plain", "everything"])
def test_what_a_last_bid_is_said_to_do_comes_true(options):
    seen = set()
    for state in a_match(RULES, 4, random.Random(4), rounds=4, ally=True, **options):
        table = RULES.view(state, None)
        if table["phase"] != "play" or len(table["plays"]) != 3:
            continue
        for card, label in labels(state).items():
            trick = RULES.view(RULES.apply(state, {"type": "play", "card": card}), None)["last_trick"]
            word = label.split()[0].strip(":")
            seen.add(word)
            if word == "Wins":
                assert trick["winner"] == table["to_act"]
            elif word == "Loses":
                assert trick["winner"] not in (None, table["to_act"])
                assert NAMES[trick["winner"]] in label
            elif word == "Burns":
                assert trick["winner"] is None
                assert ("centre is best" in label) == trick["by_centre"]
    assert {"Wins", "Loses", "Burns"} <= seen


def test_only_who_is_to_bid_is_told_what_cards_would_do():
    state = play(dealt(["K8"], FOUR), "R5")

    assert mine_page(state, 1).count('class="note"') == 10
    assert 'class="note"' not in mine_page(state, 2)


# The sheet


def stepped(seats, seed, **options):
    """(the steps, the finished tricks as a replay tells them) of a match played at random."""
    rng = random.Random(seed)
    states = a_match(RULES, seats, rng, **options)
    before = next(states)
    moves = []
    start = before
    for state in states:
        if RULES.to_act(before) == CHANCE:
            moves.append((None, before_deal(before, state)))
        else:
            moves.append((RULES.to_act(before), played_between(before, state)))
        before = state
    folding = Folding(RULES, start)
    folding.add(moves)
    tricks = [
        {"deal": deal.number, "trick": trick, "events": folding.steps[last].events}
        for deal in deals(folding.steps)
        for trick, _, last in deal.tricks
    ]
    return folding.steps, tricks


def before_deal(before, after):
    """A deal that leads from one state to the other, as far as the next view goes."""
    deck = RULES.deck(before)
    if not before.hand_pack:
        black = [card for card in after.hand_pack if is_black(card)]
        rest = [card for card in deck if card not in [*after.hand_pack, *after.stock]]
        coloured = [card for card in after.hand_pack if not is_black(card) and card != "ALLY"]
        return deal_of([*black, *after.stock, *coloured, *rest])
    first = RULES.view(before, None)["first_leader"]
    seats = len(after.hands)
    return deal_of([after.hands[(first + place) % seats][row] for row in range(10) for place in range(seats)])


def test_workings_add_up_to_the_figures_and_lead_to_their_tricks():
    done, tricks = stepped(4, 5, rounds=2, ally=True, lowest=True)
    score = RULES.score_sheet(done[-1].state)
    sheet = TABLE.sheet(
        score, cast(4), SheetReader(tricks=lambda: tricks, link=lambda deal, at="start": f"{deal}, {at}")
    )

    assert [row["url"] for row in sheet["rows"]] == ["1, start", "2, start"]
    for row, scored in zip(sheet["rows"], score["rounds"], strict=True):
        for seat, slip in enumerate(row["workings"]):
            won = won_by(seat, tricks, scored["round"])
            assert [step["url"] for step in slip["tricks"]] == [f"{scored['round']}, trick-{trick}" for trick in won]
            assert sum(won.values()) == scored["trick_points"][seat]


def won_by(seat, tricks, deal):
    """The points of the tricks that a seat has won in a deal, by their numbers."""
    return {
        trick["trick"]: event["points"]
        for trick in tricks
        if trick["deal"] == deal
        for event in trick["events"]
        if event["type"] == "trick_won" and event["seat"] == seat
    }


def test_a_round_of_the_replay_is_one_deal_of_two_shuffles_and_ten_tricks():
    done, _ = stepped(3, 1, rounds=2)

    for number, deal in enumerate(deals(done)):
        assert (deal.first, deal.start, deal.last) == (32 * number, 32 * number + 1, 32 * number + 31)
        assert [trick for trick, _, _ in deal.tricks] == list(range(1, 11))


WORKED = {  # a round of the rules page: a doubling and an alliance on a half
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
    "current": {
        "round": 2,
        "trick_points": [0, 4, 0, 0],
        "doubling": [0, 0, 0, 0],
        "black_cards": [0, 1, 0, 0],
        "ally": None,
    },
    "null_rounds": [0, 1, 0, 1],
    "totals": [3, 35.5, 35.5, 8],
}


def test_sheet_has_a_line_for_each_part_of_a_round():
    first, second = TABLE.sheet(WORKED, cast(4))["rows"]

    assert {part["heading"]: [figure["text"] for figure in part["figures"]] for part in first["parts"]} == {
        "Trick points": ["3", "–", "36", "–"],
        "2×": ["–", "–", "27", "–"],
        "Lucky Loser": ["–", "8", "–", "8"],
        "Ally": ["–", "27½", "−27½", "–"],
    }
    assert [figure["text"] for figure in first["points"]] == ["3", "35½", "35½", "8"]
    assert [figure["text"] for figure in second["parts"][1]["figures"]] == ["(8)", "–", "(8)", "(16)"]
    assert (first["classes"], second["classes"]) == ("scored", "current")


def test_who_reads_the_sheet_comes_first_and_is_you():
    sheet = TABLE.sheet(WORKED, cast(4), SheetReader(2))
    row = sheet["rows"][0]

    assert [player["name"] for player in sheet["players"]] == ["You", "Goran", "Ana", "Boris"]
    assert [figure["text"] for figure in row["points"]] == ["35½", "8", "3", "35½"]
    assert [figure["id"] for figure in row["points"]] == [f"figure-1-{seat}-round" for seat in (2, 3, 0, 1)]
    assert row["workings"][0]["heading"] == "Your points in round 1"
    assert [total["total"] for total in sheet["totals"]] == ["35½", "8", "3", "35½"]
    assert [bool(total["crown"]) for total in sheet["totals"]] == [True, False, False, True]


# Words


def test_who_listens_is_you():
    start = dealt(["K9"], [["ALLY"], ["R10", "R1"], ["G1"], ["Y1"]], ally=True)
    last = play(start, "ALLY", "R10", "G1")

    assert told(start, "ALLY", 0) == ["You play the Ally."]
    assert told(last, "Y1", 3)[0] == "You bid the yellow 1."
    assert told(last, "Y1", 1)[1:3] == [
        "You win 1 black card: 9 points.",
        "You and Ana are allied: you will share this round’s points.",
    ]
    assert told(last, "Y1", 0)[2] == "You and Boris are allied: you will share this round’s points."


@pytest.mark.parametrize(
    ("code", "words"),
    [("hr", "drugi put"), ("bg", "за втори път"), ("de", "zum zweiten Mal"), ("fr", "pour la deuxième fois")],
)
def test_times_and_places_have_ordinals_of_their_own(code, words):
    with using_language(code):
        assert words in lucky_loser_workings(4, 2)
