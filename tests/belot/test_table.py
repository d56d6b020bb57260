import random
import re
from functools import reduce
from itertools import chain

import pytest
from django.template.loader import render_to_string

from games.catalog import get_drawing, get_rules
from games.kit.drawing import caption
from tests.kit.cast import cards_on, cast, html_of_felt, html_of_mine
from tests.kit.playing import played_on, random_options

RULES = get_rules("belot")
TABLE = get_drawing("belot")

# Goran deals. Ana holds TC JC QC AC 8D 9D AD JS, Boris 9C QH KH AH 7S 8S TS KS, Vera KC TD 8H 9H TH JH QS AS, Goran
# 7C 8C 7D JD QD KD 7H 9S. Vera plays hearts, doubled, and makes it with 158 points of 252.
CARDS = "AD JC QC KS KH 9C TD QS KC QD JD 7D AC TC 8S 7S JH 8H 8C KD 9D JS 8D TS AH QH TH 9H AS 7C 9S 7H"
DECK = CARDS.split()
CALLS = ["D", "pass", "H", "double", "pass", "pass", "pass"]
PLAYS = [
    ["declare tierce TC JC QC", "9D"],
    ["declare tierce QH KH AH", "QH belot"],
    ["declare quarte 8H 9H TH JH", "TD"],
    ["declare tierce JD QD KD", "QD"],
    ["7S", "QS", "9S", "JS"],
    ["KC", "7C", "JC", "9C"],
    ["AS", "7H", "QC", "KS"],
    ["7D", "8D", "KH", "8H"],
    ["8S", "9H", "8C", "AD"],
    ["TH", "KD", "AC", "AH"],
    ["TS", "JH", "JD", "TC"],
]
DEALT = [DECK]
BID = [*DEALT, *CALLS]
WHOLE = [*BID, *chain(*PLAYS)]


def as_move(short):
    """A list is a deck; "H" a bid, "pass" a pass, "9D" a card, "QH belot" one with belot, "declare kind cards"."""
    if isinstance(short, list):
        return {"type": "deal", "deck": short}
    first, *rest = short.split()
    if first == "declare":
        return {"type": "declare", "kind": rest[0], "cards": rest[1:]}
    if rest:
        return {"type": "play", "card": first, "belot": True}
    if first in ("pass", "double", "redouble", "surcontre"):
        return {"type": first}
    return {"type": "bid", "contract": first} if first in ("C", "D", "H", "S", "NT", "AT") else as_card(first)


def as_card(card):
    return {"type": "play", "card": card}


def played(moves, seats=4, **options):
    return reduce(RULES.apply, map(as_move, moves), RULES.new_match(seats, options))


def until(card, moves=WHOLE):
    """The moves before this card is played."""
    return moves[: next(at for at, move in enumerate(moves) if move == card)]


def seats_of(state):
    return RULES.view(state, None)["seats"]


def felt(state, players=None):
    return TABLE.felt(RULES.view(state, None), players or cast(seats_of(state)))


def mine(state, seat, players=None):
    moves = RULES.legal_moves(state) if RULES.to_act(state) == seat else []
    return TABLE.mine(RULES.view(state, seat), moves, players or cast(seats_of(state)))


def sheet(state, viewer=None, players=None):
    return TABLE.sheet(RULES.score_sheet(state), players or cast(seats_of(state)), viewer)


def felt_page(state, players=None, news=""):
    return html_of_felt("belot", felt(state, players) | {"news": news})


def mine_page(state, seat, players=None):
    return html_of_mine("belot", mine(state, seat, players), seat)


def sheet_page(state, viewer=None, players=None):
    return render_to_string("belot/sheet.html", {"sheet": sheet(state, viewer, players)})


def heard(moves, **options):
    state, sentences = played([], **options), []
    for move in map(as_move, moves):
        after = RULES.apply(state, move)
        sentences += TABLE.sentences(RULES.events(state, move, after), cast(4))
        state = after
    return sentences


def random_match(seats, seed):
    """Triples of a match with random options, played at random."""
    rng = random.Random(seed)
    return played_on(RULES, RULES.new_match(seats, random_options(RULES, seats, rng) | {"target": 51}), rng)


# Every position


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_position_is_drawn_for_everybody_and_shows_no_hidden_card(seats, seed):
    players, hidden_ones = cast(seats), 0
    for before, move, after in random_match(seats, seed):
        hidden = RULES.hidden_from(after, None)
        hidden_ones += len(hidden)
        actor = RULES.to_act(before)

        assert not cards_on(felt_page(after)) & hidden
        for seat in range(seats):
            assert not cards_on(mine_page(after, seat)) & RULES.hidden_from(after, seat)
        assert not cards_on(mine_page(after, None)) & hidden
        assert all(sentence.endswith(".") for sentence in TABLE.sentences(RULES.events(before, move, after), players))
        assert TABLE.move_words(move, players, actor if actor >= 0 else None)
    assert hidden_ones
    for viewer in (None, *range(seats)):
        assert sheet_page(after, viewer).count("</tr>") == len(RULES.score_sheet(after)["rows"]) + 2


def test_everything_that_takes_the_focus_has_an_id_of_its_own():
    for _, _, after in random_match(4, 3):
        actor = RULES.to_act(after)
        page = felt_page(after) + mine_page(after, actor if actor in range(4) else 0) + sheet_page(after, 1)

        ids = re.findall(r'id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        for element in re.findall(r"<(?:a|button|summary)\b[^>]*>", page):
            assert " id=" in element
        assert not re.search(r" style=| on[a-z]+=|<script|<style| disabled", page)


def test_names_are_escaped():
    players = cast(4, seat_1={"name": "<b>'\"&", "profile": ""}, seat_2={"name": "<i>", "profile": ""})
    for moves in (BID[:5], until("7S"), WHOLE):
        state = played(moves)
        page = felt_page(state, players) + mine_page(state, 0, players) + sheet_page(state, None, players)

        assert "<b>'" not in page
        assert "<i>" not in page
        assert "&lt;i&gt;" in page


# The auction


def test_every_call_has_its_place_and_only_open_ones_can_be_made():
    page = mine_page(played(BID[:5]), 0)  # Vera has bid hearts, Goran has doubled, Ana is to call

    assert re.findall(r'id="call-(\w+)"', page) == ["C", "D", "H", "S", "NT", "AT", "pass", "double"]
    assert re.findall(r'id="call-(\w+)" class="[\w ]+" aria-disabled', page) == ["C", "D", "H"]
    assert '{"type":"redouble"}' in page
    assert "Redouble" in page


def test_double_and_what_answers_it_share_a_place():
    def double(moves, seat, **options):
        return mine(played(moves, **options), seat)["bids"]["double"]

    assert [double(DEALT, 0)[key] for key in ("call", "name", "closed")] == ["double", "Double", True]
    assert [double(BID[:2], 1)[key] for key in ("call", "times", "closed")] == ["double", "×2", False]
    assert double([*BID[:2], "double"], 2)["call"] == "redouble"
    third = double([*BID[:2], "double", "redouble"], 3, third_double=True)
    assert (third["call"], third["times"], third["closed"]) == ("surcontre", "×8", False)
    assert double([*BID[:2], "double", "redouble"], 3)["closed"]


def test_who_waits_sees_the_box_closed_and_how_long_it_takes():
    page = mine_page(played(BID[:2]), 0)

    assert "Diamonds, by Ana; three call before you" in page
    assert page.count('aria-disabled="true"') == 8
    assert "you call next" in mine_page(played(BID[:2]), 2)
    assert mine(played(BID[:2]), None)["bids"] is None


def test_calls_lie_before_their_seats():
    state = played(BID[:5])

    assert [seat["tally"] for seat in felt(state)["seats"]] == ["diamonds", "pass", "hearts", "double"]
    assert re.findall(r'class="slip (\w+)', felt_page(state)) == ["bid", "pass", "bid", "double"]
    assert "slip" not in felt_page(played(BID))
    assert felt(state)["auction"] == ["Ana: diamonds", "Boris: pass", "Vera: hearts", "Goran: double"]


@pytest.mark.parametrize(
    ("calls", "seat", "sentence"),
    [
        ([], 0, "Your call. Nobody has bid yet."),
        ([], 1, "Ana is to call."),
        (["D"], 1, "Your call: bid higher, double or pass."),
        (["D", "pass"], 2, "Your call: bid higher or pass."),
        (["AT", "pass"], 2, "Your call: pass."),
        (["AT", "double"], 2, "Your call: redouble or pass."),
        (["D"], None, "You are watching. Boris is to call."),
    ],
)
def test_what_may_be_called_is_said(calls, seat, sentence):
    assert mine(played([*DEALT, *calls]), seat)["sentence"] == sentence


def test_a_dealer_who_must_bid_is_told_so():
    state = played([*DEALT, "pass", "pass", "pass"], dealer_pass="never")

    assert mine(state, 3)["sentence"] == "Your call. All have passed: you must bid."
    assert 'id="call-pass" class="call" aria-disabled="true"' in mine_page(state, 3)


def test_passed_out_deals_are_told():
    moves = [*DEALT, "pass", "pass", "pass", "pass"]
    state = played(moves)

    assert heard(moves)[-1] == "Everybody passed: the cards are dealt anew."
    assert felt(state)["caption"] == caption("Ana deals", "Everybody passed")
    assert [seat["tally"] for seat in felt(state)["seats"]] == ["pass"] * 4
    assert mine(state, 0)["result"] is None
    assert mine(state, 0)["sentence"] == "Everybody passed. Ana is about to deal."
    assert not cards_on(felt_page(state))
    assert TABLE.news([{"type": "passed_out", "deal": 1, "dealer": 3}], cast(4)) == "Everybody passed"
    assert "Everybody passed" in felt_page(played([*moves, DECK]), news="Everybody passed")


# The contract


def test_contract_says_who_plays_what_for_how_much():
    contract = felt(played(BID))["contract"]

    assert (contract["name"], contract["times"], contract["by"]) == ("Hearts", "×2", "by Vera")
    assert (contract["stake"], contract["takes"]) == ("for 32", ", winner takes all")
    assert [side["names"] for side in contract["score"]] == ["Ana and Vera", "Boris and Goran"]
    assert [bool(seat["bidder"]) for seat in felt(played(BID))["seats"]] == [False, False, True, False]
    assert felt(played(DEALT))["contract"]["name"] == "No bid yet"


@pytest.mark.parametrize(
    ("bid", "seats", "options", "stake"),
    [
        ("C", 4, {}, "for 16"),
        ("NT", 4, {}, "for 26"),
        ("AT", 3, {}, "for 26"),
        ("S", 2, {}, "for up to 16"),
        ("S", 4, {"last_trick_ten": False}, "for 15"),
        ("NT", 4, {"last_trick_ten": False}, "for 24"),
    ],
)
def test_what_is_at_stake(bid, seats, options, stake):
    start = RULES.new_match(seats, options)
    state = reduce(RULES.apply, [as_move(RULES.deck(start)), as_move(bid)], start)

    assert felt(state)["contract"]["stake"] == stake


def test_what_counts_follows_the_contract():
    def values(bid):
        lines = felt(played([*DEALT, bid]))["values"]
        return [(line["name"], " ".join(rank + points for rank, points in line["cards"])) for line in lines]

    trumps, plain = "J20 914 A11 1010 K4 Q3 80 70", "A11 1010 K4 Q3 J2 90 80 70"
    assert values("H") == [("Hearts, trumps", trumps), ("Other suits", plain)]
    assert values("NT") == [("All suits", plain)]
    assert values("AT") == [("All suits", trumps)]
    assert felt(played(DEALT))["values"] == []


def test_first_lead_is_announced_with_the_contract():
    assert felt(played(BID))["caption"] == caption("Ana leads", "Hearts ×2")
    assert felt(played([*BID, "9D"]))["caption"] is None


# The hand


def test_hand_is_in_the_order_of_the_contract():
    def order(moves, seat):
        return re.findall('data-card="(..)"', mine(played(moves), seat)["hand"]["buttons"])

    assert order(DEALT, 2) == ["QS", "JH", "8H", "KC", "TD"]
    assert order(BID, 2) == ["AS", "QS", "TD", "KC", "JH", "9H", "TH", "8H"]
    assert order([*DEALT, "AT", "pass", "pass", "pass"], 2) == ["AS", "QS", "JH", "9H", "TH", "8H", "KC", "TD"]


def test_only_illegal_cards_are_marked():
    page = mine_page(played(until("QD")), 3)  # diamonds were led

    assert re.findall(r'id="card-(..)"[^>]* aria-disabled', page) == ["9S", "8C", "7C", "7H"]


@pytest.mark.parametrize(
    ("moves", "seat", "sentence"),
    [
        (BID, 0, "Your turn. Declare now, or play a card."),
        ([*BID, PLAYS[0][0]], 0, "Your turn. Lead any card."),
        (until("QD"), 3, "Your turn. Diamonds were led: follow suit."),
        (until("7S"), 1, "Your turn. You took the trick: lead any card."),
        (until("7H"), 3, "Your turn. You have no spades: play a trump."),
        (until("KH"), 1, "Your turn. You have no diamonds: play a trump."),
        (until("AH"), 1, "Your turn. Hearts, higher than the ten."),
        (until("KD"), 3, "Your turn. You have no hearts: play any card."),
    ],
)
def test_what_must_be_played_is_said(moves, seat, sentence):
    assert mine(played(moves), seat)["sentence"] == sentence


def test_who_cannot_beat_a_trump_is_told():
    bid = [*DEALT, "AT", "pass", "pass", "pass"]  # Boris holds the nine as his only club, and a tierce

    assert mine(played([*bid, "AC", PLAYS[1][0]]), 1)["sentence"] == "Your turn. Clubs, higher than the ace."
    assert mine(played([*bid, "JC", PLAYS[1][0]]), 1)["sentence"] == "Your turn. Clubs: you can't beat the jack."


# Announcements


def test_declarations_are_offered_before_the_first_card():
    page = mine_page(played(BID), 0)

    assert """value='{"type":"declare","kind":"tierce","cards":["TC","JC","QC"]}' id="declare-tierce-QC\"""" in page
    assert "declare tierce, ten to queen of clubs" in page
    assert "declare" not in mine_page(played(BID), 1)
    assert "Tierce declared" in mine_page(played([*BID, PLAYS[0][0]]), 0)
    assert 'id="declare-' not in mine_page(played(until("7S")), 1)


def test_what_is_declared_is_printed_at_the_seat_until_the_trick_ends():
    def tallies(moves):
        return [seat["tally"] for seat in felt(played(moves))["seats"]]

    assert tallies(until("TD"))[:3] == ["tierce 20", "tierce 20, belot", "quarte 50"]
    assert tallies(until("7S")) == ["tierce 20", "tierce 20, belot", "quarte 50", "tierce 20"]
    assert tallies(until("QS")) == ["0 tricks", "1 trick", "0 tricks", "0 tricks"]
    assert felt(played(until("QS")))["announced"] == [
        "Ana: tierce 20",
        "Boris: tierce 20",
        "Vera: quarte 50",
        "Goran: tierce 20",
        "Boris: belot in hearts",
    ]


def test_a_king_or_queen_is_played_with_belot_or_without():
    page = mine_page(played(until("QH belot")), 1)

    assert """value='{"type":"play","card":"QH","belot":true}' id="card-QH\"""" in page
    assert """value='{"type":"play","card":"QH"}' id="plain-QH\"""" in page
    assert re.findall(r'id="plain-(..)"', page) == ["QH", "KH"]
    assert page.count('class="tag"') == 2
    assert 'class="tag"' not in mine_page(played(BID), 1)


def test_belot_is_shown_again_with_its_second_card():
    state = played(until("8H"))

    assert felt(state)["seats"][1]["tally"] == "belot"
    assert '<p class="tally"><span class="fresh">belot</span></p>' in felt_page(state)


# The result


def test_result_says_how_the_points_came_about():
    result = mine(played(WHOLE), 1)["result"]
    keys = ("name", "mates", "tricks", "cards", "extras", "points", "written", "total")

    assert (result["heading"], result["outcome"]) == ("Hearts ×2 by Vera:", "made")
    assert [tuple(line[key] for key in keys) for line in result["lines"]] == [
        ("We", "Boris and Goran", "4", "74", "20", "94", "–", "0"),
        ("You", "Ana and Vera", "4", "88", "70", "158", "50", "50"),
    ]
    assert [(each["who"], each["words"], each["verdict"]) for each in result["announced"]] == [
        ("Ana", "tierce, ten to queen of clubs", "counts"),
        ("Boris", "tierce, queen to ace of hearts", "does not count"),
        ("Vera", "quarte, eight to jack of hearts", "counts"),
        ("Goran", "tierce, jack to king of diamonds", "does not count"),
        ("Boris", "belot in hearts", "counts"),
    ]
    assert [line["name"] for line in mine(played(WHOLE), None)["result"]["lines"]] == [
        "Ana and Vera",
        "Boris and Goran",
    ]


def test_result_of_no_trumps_says_that_it_counts_double():
    state = played([*BID[:1], "NT", "pass", "pass", "pass"])
    while RULES.view(state, None)["phase"] in ("bid", "play"):
        state = RULES.apply(state, RULES.legal_moves(state)[0])

    assert 'Points <small>×2<span class="wide">, no trumps</span></small></th>' in mine_page(state, 0)
    assert "×2<span" not in mine_page(played(WHOLE), 0)


def test_result_in_one_sentence():
    state = played(WHOLE)

    assert mine(state, 0)["sentence"] == "Hearts ×2 made. We write 50, you write nothing."
    assert mine(state, 1)["sentence"] == "Hearts ×2 made. We write nothing, you write 50."
    assert mine(state, None)["sentence"] == ("Hearts ×2 made. Ana and Vera write 50, Boris and Goran write nothing.")
    assert 'form="ready"' in mine_page(state, 0)
    assert 'form="ready"' not in mine_page(state, None)


def test_end_in_one_sentence():
    *_, (_, _, over) = random_match(4, 5)
    winners = {line["seat"] for line in RULES.standings(over) if line["place"] == 1}
    most, least = (line["score"] for line in RULES.standings(over)[::2])

    for seat in range(4):
        sentence = mine(over, seat)["sentence"]
        assert sentence.startswith("We win" if seat in winners else TABLE_WINNERS[0 in winners])
        assert f"{most} to {least}" in sentence
    assert 'form="rematch"' in mine_page(over, 0)
    assert 'form="rematch"' not in mine_page(over, None)


TABLE_WINNERS = {True: "Ana and Vera win", False: "Boris and Goran win"}


# The sheet


def test_sheet_has_the_viewers_side_first():
    state = played(WHOLE)

    assert [side["name"] for side in sheet(state, 0)["sides"]] == ["We", "You"]
    assert [cell["sign"] for cell in sheet(state, 0)["rows"][0]["cells"]] == ["50", "–"]
    assert [cell["sign"] for cell in sheet(state, 3)["rows"][0]["cells"]] == ["–", "50"]
    assert [side["name"] for side in sheet(state)["sides"]] == ["Ana and Vera", "Boris and Goran"]
    assert [side["name"] for side in sheet(played([], seats=3), 1)["sides"]] == ["Boris", "Ana", "Vera"]
    assert "No deal has been scored yet." in sheet_page(played([]))


def workings(row, side=0, before=0):
    """The steps to a figure of a row given by what differs from a deal of hearts made by Ana with 125 to 37."""
    seats = len(row["points"]) if len(row["points"]) == 3 else 4
    count = 3 if seats == 3 else 2
    usual = {
        "deal": 3, "dealer": 1, "contract": "H", "bidder": 0, "level": 1, "outcome": "made", "valat": None,
        "tricks": [4] * count, "cards": row["points"], "last_trick": 0, "declarations": [0] * count,
        "belots": [0] * count, "pot": [0] * count, "kirtik": [0] * count, "marks": ["number"] * count, "hanging": 0,
        "totals": [0] * count,
    }  # fmt: skip
    sides = [[seat for seat in range(seats) if seat % count == side] for side in range(count)]
    first = usual | {"deal": 2, "points": [0] * count, "mp": [0] * count, "hanging": before}
    drawn = TABLE.sheet(
        {
            "sides": sides,
            "target": 151,
            "rows": [first, usual | row],
            "hanging": 0,
            "totals": [0] * count,
        },
        cast(seats),
    )
    return [(step["words"], step["figure"]) for step in drawn["rows"][1]["cells"][side]["steps"]]


def test_workings_of_a_deal_that_was_doubled():
    (row,) = sheet(played(WHOLE), 0)["rows"]
    we, you = ([(step["words"], step["figure"]) for step in cell["steps"]] for cell in row["cells"])

    assert we == [
        ("Cards in 4 tricks", "78"),
        ("Last trick", "+10"),
        ("Declarations", "+70"),
        ("Points", "158"),
        ("Hearts by Ana and Vera, made with 158 against 94: the winner writes all", ""),
        ("All points of the deal", "252"),
        ("252 by ten: 2 is under 6, so down (with a trump suit)", "25"),
        ("Doubled", "×2 = 50"),
        ("Written", "50"),
    ]
    assert you[:3] == [("Cards in 4 tricks", "74"), ("Belot", "+20"), ("Points", "94")]
    assert you[-1] == ("Written", "–")


def test_workings_tell_which_way_the_limit_went():
    row = {"points": [76, 86], "bidder": 1, "mp": [8, 8]}

    assert workings(row, 0)[-2:] == [("76 by ten: a 6 goes either way with a trump suit, up for not the highest amount", "8"), ("Written", "8")]  # fmt: skip  # noqa: E501
    assert workings(row, 1)[-2][0].endswith("down for the highest amount")


def test_workings_of_no_trumps_hanging_points_valat_and_kirtik():
    no_trumps = {"contract": "NT", "points": [152, 108], "cards": [76, 54], "mp": [15, 11]}
    assert ("No trumps count double", "×2") in workings(no_trumps)
    hanging = {"outcome": "hanging", "points": [81, 81], "mp": [0, 8], "marks": ["hanging", "number"], "hanging": 11}
    assert workings(hanging, 0, before=3)[-2:] == [
        ("81 by ten: 1 is under 6, so down (with a trump suit)", "8 hang"),
        ("Written", "hang"),
    ]
    valat = {"points": [162, 0], "valat": 0, "mp": [33, -10], "pot": [8, 0], "kirtik": [0, -10]}
    assert workings(valat)[-4:] == [
        ("162 by ten: 2 is under 6, so down (with a trump suit)", "16"),
        ("Hanging from earlier deals", "+8"),
        ("Valat, all tricks", "+9"),
        ("Written", "33"),
    ]
    assert workings(valat, 1)[-2:] == [("Kirtik", "−10"), ("Written", "−10")]


def test_workings_of_three_players_share_what_the_bidder_lost():
    row = {"outcome": "inside", "points": [71, 41, 50], "mp": [0, 8, 8], "marks": ["dash", "number", "number"]}

    assert workings(row, 1)[-4:] == [
        ("Hearts by Ana, inside with 71 against 91: the others share all", ""),
        ("A half of the 71 points of Ana", "+35"),
        ("76 by ten: a 6 goes either way with a trump suit, up for not the higher amount", "8"),
        ("Written", "8"),
    ]
    assert ("A half of the 71 points of Ana", "+36") in workings(row, 2)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_workings_end_on_what_is_written(seats):
    for seed in range(3):
        *_, (_, _, over) = random_match(seats, seed)
        for row, drawn in zip(RULES.score_sheet(over)["rows"], sheet(over)["rows"], strict=True):
            for side, cell in enumerate(drawn["cells"]):
                words = [step["words"] for step in cell["steps"]]
                figures = dict(zip(words, (step["figure"] for step in cell["steps"]), strict=True))
                assert figures["Points"] == str(row["points"][side])
                for sentence in words:
                    if rounded := re.match(r"(\d+) by ten", sentence):
                        amount = int(rounded[1])
                        whole = int(re.match(r"\d+", figures[sentence])[0])
                        assert whole - amount // 10 in (0, 1)
                        assert (amount % 10 == 0) == (sentence == f"{amount} by ten")


def test_sheet_is_a_table_whose_figures_open():
    page = sheet_page(played(WHOLE), 0)

    assert re.findall(r'popovertarget="([\w-]+)"', page) == ["workings-1-0", "workings-1-1"]
    assert re.findall(r'class="workings" id="([\w-]+)" popover', page) == ["workings-1-0", "workings-1-1"]
    assert "<span>–</span>" in page
    assert "lost, nothing written" in page
    assert "<caption" in page


# Words


def test_events_become_sentences():
    sentences = heard(WHOLE)

    assert sentences[:9] == [
        "Deal 1. Goran deals.",
        "Ana bids diamonds.",
        "Boris passes.",
        "Vera bids hearts.",
        "Goran doubles.",
        "Ana passes.",
        "Boris passes.",
        "Vera passes.",
        "The contract is hearts, doubled, by Vera.",
    ]
    assert sentences[9:14] == [
        "Ana declares a tierce for 20.",
        "Ana plays the nine of diamonds.",
        "Boris declares a tierce for 20.",
        "Boris announces belot in hearts.",
        "Boris plays the queen of hearts.",
    ]
    assert "Boris completes the belot in hearts." in sentences
    assert sentences[-9:] == [
        "Vera takes the trick with the jack of hearts.",
        "Hearts, doubled, by Vera: made.",
        "Ana: tierce, ten to queen of clubs counts, 20.",
        "Vera: quarte, eight to jack of hearts counts, 50.",
        "Boris: tierce, queen to ace of hearts does not count, 20.",
        "Goran: tierce, jack to king of diamonds does not count, 20.",
        "Points: Ana and Vera 158, Boris and Goran 94.",
        "Written: Ana and Vera 50, Boris and Goran nothing.",
        "Totals: Ana and Vera 50, Boris and Goran 0.",
    ]


def test_moves_in_words_tell_no_hidden_card():
    words = [TABLE.move_words(as_move(move), cast(4), 1) for move in ("H", "pass", "double", *PLAYS[1])]

    assert words == [
        "Boris bids hearts",
        "Boris passes",
        "Boris doubles",
        "Boris declares a tierce",
        "Boris plays the queen of hearts and announces belot",
    ]
    assert TABLE.move_words(as_move(DECK), cast(4)) == "The cards are dealt"


def test_open_hands_are_sorted_like_a_hand():
    state = played(BID)

    hands = TABLE.open_hands([RULES.view(state, seat) for seat in range(4)], cast(4))

    assert re.findall('data-card="(..)"', "".join(map("".join, hands[2]["suits"])))[-4:] == ["JH", "9H", "TH", "8H"]
