import html
import json
import random
import re
from functools import reduce

import pytest
from django.template.loader import render_to_string

from games.bleven.rules.pack import PACK
from games.bleven.table.words import WINNER
from games.catalog import CHANCE, IllegalMove, get_game, get_rules
from games.kit.drawing import SheetReader
from tests.bleven.shorthand import FIRST, at_round, won_by_second
from tests.kit.cast import Drawn, cards_on, cast, in_letters, result_rows
from tests.kit.playing import played_on, random_options

RULES = get_rules("bleven")
TABLE = get_game("bleven").drawing
DRAWN = Drawn("bleven")
felt, mine, felt_page, mine_page = DRAWN.felt, DRAWN.mine, DRAWN.felt_page, DRAWN.mine_page
NAMES = ["Ana", "Boris", "Vera", "Goran"]


def deal(cards):
    cards = cards.split()
    return {"type": "deal", "deck": cards + [card for card in PACK if card not in cards]}


def played(*moves, seats=2, **options):
    """The state after these moves: words are the type of one, and of a discard the card."""
    return reduce(RULES.apply, map(as_move, moves), RULES.new_match(seats, FIRST | options))


def as_move(short):
    if isinstance(short, dict):
        return short
    kind, *card = short.split()
    return {"type": kind, "card": card[0]} if card else {"type": kind}


def predict(bet, tricks, *positions):
    return {"type": "predict", "bet": bet, "tricks": tricks, "positions": list(positions)}


# Boris deals; Ana holds 4S 5D 7H, 16 in all, Boris 3H 6C QD, 18. Ana wins the first trick only.
TWO = [deal("4S 3H 5D 6C 7H QD JC AH")]
DECLARED = [*TWO, "draw", "discard JC", "draw", "discard AH", "declare", "stay"]
PREDICTED = [*DECLARED, predict(4, 2, 1)]
PLAYED = [*PREDICTED, "suspect", "pass", "pass", "pass", "pass"]

# Goran deals; all but Boris, with 7, have 15 or more.
FOUR = [deal("4S AH 5D 6C 7H 2D JC 9H KS 4H 3C QC".replace("9H", "7S"))]


def count_of(state):
    return RULES.view(state, None)["seats"]


def sheet_of(state):
    return TABLE.sheet(RULES.score_sheet(state), cast(count_of(state)), SheetReader(standings=RULES.standings(state)))


def sheet_page(state):
    return render_to_string("bleven/sheet.html", {"sheet": sheet_of(state)})


def a_match(seats, seed):
    """Triples of before, move, after of a random match, with random options."""
    rng = random.Random(seed)
    return played_on(RULES, RULES.new_match(seats, random_options(RULES, seats, rng)), rng)


# Every position


def test_every_type_of_move_and_every_number_of_it_can_be_chosen_on_the_page():
    for seats in (2, 4):
        for _, _, state in a_match(seats, 30 + seats):
            actor = RULES.to_act(state)
            if actor in (None, CHANCE):
                continue
            page = mine_page(state, actor)
            open_types = set(re.findall(r"""value='\{"type":"(\w+)[^']*' [^>]*class="[^"]*">""", page))
            open_types |= {"discard"} if "discard" in page and RULES.view(state, None)["phase"] == "discard" else set()
            assert {move["type"] for move in RULES.legal_moves(state)} <= open_types
            for move in RULES.legal_moves(state):
                for key in {"bet", "plus"} & move.keys():
                    field = "stones" if "tricks" in move else key
                    if not move[key]:  # no room: there is nothing to choose
                        assert f'name="{field}"' not in page
                        continue
                    least, most = re.search(rf'name="{field}"[^>]* min="(\d+)" max="(\d+)"', page).groups()
                    assert int(least) <= move[key] <= int(most)
                if "tricks" in move:
                    assert f'id="tricks-{move["tricks"]}"' in page
                for place in move.get("positions", ()):
                    assert f'id="positions-{place}"' in page


# The felt


def test_cards_of_the_tricks_lie_in_their_places_and_the_winner_is_marked():
    first = [place for seat in felt(played(*PREDICTED, "suspect"))["seats"] for place in seat["field"]]
    ended = felt(played(*PLAYED))["seats"]

    assert [re.findall('data-card="(..)"', place["face"]) for place in first] == [["4S"], [], [], ["3H"], [], []]
    assert [place["order"] for place in first] == ["0", "", "", "1", "", ""]
    assert first[0]["classes"] == "slot filled lead won winner finished"
    assert cards_on("".join(place["face"] for place in ended[0]["field"])) == {"4S", "5D", "7H"}
    assert ["won" in place["classes"] for place in ended[1]["field"]] == [False, True, True]


def test_what_tells_the_outcome_is_marked_to_wait_for_the_cards():
    def marked(state):
        return re.findall(r"<\w+ (?:class|id)=\"([\w -]+)\"[^>]* data-outcome>", felt_page(state) + mine_page(state, 0))

    assert marked(played(*PREDICTED, "suspect")) == ["caption "]
    assert marked(played(*PLAYED)) == ["tally", "total"] * 2 + ["caption winner", "sentence", "result"]


# One seat's own part


def test_discards_say_what_sum_they_leave_and_which_card_is_new():
    page = mine_page(played(*TWO, "draw"), 0)

    assert re.findall('<small class="note">(.*?)</small>', page) == ["20 left", "19 left", "17 left", "16 left"]
    assert re.findall(r'id="card-(..)" class="[^"]*drawn', page) == ["JC"]
    assert """value='{"type":"discard","card":"JC"}'""" in page


@pytest.mark.parametrize("moves", [TWO, DECLARED[:-1], DECLARED, [*PREDICTED, "suspect"]])
def test_who_taps_a_card_that_can_not_be_discarded_is_told_what_is_to_be_done(moves):
    state = played(*moves)
    card = re.search(
        """value='([^']*"card"[^']*)' id="card-.." class="[^"]*" aria-disabled""", mine_page(state, state.to_act)
    )

    with pytest.raises(IllegalMove) as refusal:
        RULES.apply(state, json.loads(card[1]))

    assert "no such move" not in str(refusal.value)


def buttons_of(calls):
    """The buttons in a piece of HTML, by the type of their move."""
    return {re.search(r'"type":"(\w+)"', button)[1]: button for button in re.findall("<button.*?</button>", calls)}


def test_calls_of_the_discard_phase_keep_their_places():
    def calls(state, seat):
        return [
            (re.search("<b>(.*?)</b>", button)[1], "aria-disabled" not in button)
            for button in buttons_of(mine(state, seat)["box"]["calls"]).values()
        ]

    assert calls(played(*TWO), 0) == [("Draw", True), ("Stay", False), ("Declare", True), ("Leave", False)]
    assert [open_ for _, open_ in calls(played(*TWO), 1)] == [False] * 4
    assert [open_ for _, open_ in calls(played(*TWO, "declare"), 1)] == [False, True, False, True]


def lines_of(button):
    """What a button says that the round comes to, as texts."""
    lines = re.findall('<small class="if">(.*?)</small>', button)
    return [in_letters(re.sub("<.*?>", "", line)) for line in lines]


def calls_of(state, seat=None):
    """The lines on each button of the seat that is to act, by the type of its move."""
    panel = mine(state, RULES.to_act(state) if seat is None else seat)["box"]
    return {kind: lines_of(button) for kind, button in buttons_of(panel["calls"]).items()}


def test_staying_and_leaving_say_what_they_cost():
    declared = played(*TWO, "declare")
    of_four = played(*FOUR, "draw", "discard 4S", "draw", "discard AH", "declare", seats=4)
    alone = reduce(RULES.apply, [{"type": "leave"}, {"type": "stay"}], of_four)

    assert (calls_of(declared)["stay"], calls_of(declared)["leave"]) == (["out later: −2"], ["−1"])
    assert (calls_of(of_four)["stay"], calls_of(of_four)["leave"]) == (
        ["both out later: −4"],
        ["if Boris leaves too: −2"],
    )
    assert (calls_of(alone)["stay"], calls_of(alone)["leave"]) == (["out later: −4"], ["−2"])


def test_declaring_says_what_it_brings_if_the_others_leave():
    gone = reduce(RULES.apply, [{"type": "draw"}, {"type": "discard", "card": "4S"}], played(*FOUR, seats=4))

    assert calls_of(played(*TWO, leave_cost=4))["declare"] == ["if Boris leaves: +4"]
    assert calls_of(gone, 0)["declare"] == ["if both leave: +2"]


def test_staying_under_15_is_warned_of():
    two = played(deal("4S 3H 5D 4C 7H 7D"), "declare")

    assert mine(two, 1)["box"]["note"] == "Under 15: you win only if Ana goes out."
    assert mine(played(*TWO, "declare"), 1)["box"]["note"] == ""
    assert mine(played(deal("4S 3H 5D 4C 7H 7D")), 0)["box"]["note"] == ""


def test_prediction_is_put_together_from_fields():
    page = mine_page(played(*DECLARED, max_bet=7), 0)

    assert '"bet":{"field":"stones"},"tricks":{"field":"tricks"},"positions":[{"field":"positions"}]' in page
    assert re.search(r'name="stones"[^>]* min="1" max="7" value="1"', page)
    assert re.findall(r'id="tricks-(\d)"', page) == ["0", "1", "2", "3"]
    assert '<tr><th scope="row">Points</th><td>1</td><td>3</td><td>6</td><td>10</td><td>15</td><td>21</td></tr>' in page
    assert re.findall(r'data-add="(-?\d+)" data-signed>(.*?)</b>', page) == [
        ("0", "+3"),
        ("0", "+4"),
        ("0", "0"),
        ("0", "−1"),
    ]


def test_answers_say_what_the_round_comes_to():
    calls = calls_of(played(*PREDICTED))

    assert calls == {
        "deduce": ["if right: −6 or −3", "if wrong: −1 or 0"],
        "suspect": ["if right: −10 or −7", "if wrong: +3 or +4"],
        "out": ["−2"],
    }


def test_a_field_under_15_of_four_plays_no_more():
    # 1 and 3 hold less than 15; who is alone with that loses
    dealt = deal("4S AH 5D 6C 7H 2D JC 2H KS 4H 3C 3D")
    stayed = [dealt, "draw", "discard 4S", "draw", "discard AH", "declare"]
    both = RULES.apply(played(*stayed, "stay", "stay", "stay", seats=4), predict(4, 2))
    alone = RULES.apply(played(*stayed, "stay", "stay", "leave", seats=4), predict(4, 2))
    replier = RULES.to_act(alone)

    assert mine(both, RULES.to_act(both))["box"]["note"] == "Under 15: your field is laid open, and Boris plays alone."
    assert mine(alone, replier)["box"]["note"] == "Under 15 and alone: you win only if they go out."
    assert calls_of(both)["deduce"] == ["if right: −3", "if wrong: 0", "if Boris under 15 too: −6"]
    assert calls_of(alone)["deduce"] == ["in any case: −6"]
    assert RULES.score_sheet(RULES.apply(alone, {"type": "suspect"}))["rounds"][0]["stones"] == [6, 0]


def test_raises_say_what_the_round_comes_to():
    page = mine_page(played(*PREDICTED), 1)
    doubted = page.split('id="raise-suspect"')[1].split("</button>")[0]

    figures = re.findall(r'data-echo="plus" data-times="(-?1)" data-add="(-?\d+)" data-signed>(.*?)<', doubted)
    assert figures == [("-1", "-10", "−11"), ("-1", "-7", "−8"), ("1", "3", "+4"), ("1", "4", "+5")]
    believed = page.split('id="raise-deduce"')[1].split("</button>")[0]
    assert "data-echo" not in believed  # belief wins no bet and loses none: not to this side
    bets = json.loads(html.unescape(re.search(r'data-echo="plus" data-words="(.*?)"', page)[1]))
    assert bets == [f"{bet} stones" for bet in range(4, 11)]


def test_names_on_buttons_are_text():
    state = played(*FOUR, "draw", "discard 4S", "draw", "discard AH", "declare", "stay", "stay", "stay", seats=4)
    calls = mine(RULES.apply(state, predict(4, 2)), 3, cast(4, seat_1={"name": "<i>Bo & Co"}))["box"]["calls"]

    assert "<small>&lt;i&gt;Bo &amp; Co answers instead</small>" in calls


def test_result_tells_what_each_side_was_paid():
    state = played(*PLAYED)
    result = mine(state, 1)["result"]

    assert result_rows(result) == [
        ["Side", "Bet", "Points", "Stones", "Total"],
        ["You", "4", "–", "+4", "4"],
        ["Ana", "–", "1", "+1", "1"],
    ]
    assert " ".join(result["reasons"]) == (
        "Ana predicted 2 tricks, including the 1st. Ana won the 1st. 2 tricks: wrong. The position is right: 1 point. "
        "You doubted it: the bet of 4 goes to you."
    )
    assert mine(state, 1)["sentence"] == "The prediction failed. You get 4 stones."
    assert 'form="ready"' in mine_page(state, 0)


def test_final_result_names_the_winners():
    *_, (_, _, over) = a_match(4, 8)
    winner = RULES.view(over, None)["winner"]

    result = mine(over, winner)["result"]

    assert result["heading"] == "Final result"
    assert ["won" in line["classes"] for line in result["lines"]] == [True, False]
    assert mine(over, winner)["sentence"].startswith(f"You and {NAMES[winner + 2]} win with ")
    assert 'form="rematch"' in mine_page(over, 2)


# The sheet


def test_sheet_has_a_row_a_round_with_its_workings():
    (row,) = sheet_of(played(*PLAYED))["rows"]

    assert (row["declarer"], row["prediction"], row["bet"], row["answer"]) == (
        "Ana",
        "2 tricks, including the 1st",
        "bet 4",
        "doubted",
    )
    assert [mark["words"] for mark in row["tricks"]] == ["1st won, as named", "2nd lost", "3rd lost"]
    assert row["equation"] == "bet 4, points 1"
    assert [step["words"] for step in row["steps"]] == [
        "Ana bets 4 stones on 2 tricks, including the 1st.",
        "Boris doubts it (suspect); the bet agreed: 4 stones.",
        "Ana won the 1st.",
        "2 tricks: wrong.",
        "The position is right: 1 point.",
        "Boris doubted it: the bet of 4 goes to Boris.",
        "Boris wins the bet of 4 stones. New total: 0 + 4 = 4.",
        "Ana gets 1 stone for points. New total: 0 + 1 = 1.",
    ]


def test_workings_tell_of_no_points_that_are_not_paid():
    # Ana, with 14, makes the prediction her own and wins the third trick; Boris has 16
    moves = [deal("2S 3H 5D 6C 7S 7H JC AH"), "draw", "discard JC", "declare", "stay"]
    topped = {"type": "suspect", "plus": 3, "tricks": 2, "positions": [3]}
    state = played(*moves, predict(3, 2), topped, "suspect")
    while RULES.view(state, None)["phase"] == "side_bet":
        state = RULES.apply(state, {"type": "pass"})

    (row,) = sheet_of(state)["rows"]

    assert (row["declarer"], row["equation"]) == ("Ana", "round 1, bet 6")
    assert not any("right" in step["words"] or "wrong" in step["words"] for step in row["steps"])


def test_sheet_leads_to_moments_of_the_replay():
    moments = {"start": "?move=0", "predict": "?move=7", "trick-2": "?move=10", "end": "?move=12"}
    score_sheet = RULES.score_sheet(played(*PLAYED))
    sheet = TABLE.sheet(score_sheet, cast(2), SheetReader(link=lambda deal, at="start": moments.get(at, "")))

    page = render_to_string("bleven/sheet.html", {"sheet": sheet})

    assert 'href="?move=0" id="sheet-1">1</a>' in page
    assert 'href="?move=7">2 tricks, including the 1st</a>' in page
    assert page.count('href="?move=10"') == 1
    assert '<a href="?move=10"><span class="trick-mark">' in page
    assert page.count('href="?move=12"') > 2


def test_ids_of_the_sheet_begin_as_its_page_wants():
    sheet = sheet_of(played(*PLAYED))
    sheet["rows"][0]["url"] = "?move=0"

    page = render_to_string("bleven/sheet.html", {"sheet": sheet, "within": "notes-"})

    ids = re.findall(r' (?:id|aria-labelledby|aria-controls|popovertarget)="([^"]+)"', page)
    assert ids == ["notes-sheet-caption", "notes-sheet-caption", "notes-sheet-1"]


# The second edition


def test_without_room_a_counter_prediction_has_no_stones_to_choose():
    page = mine_page(played(*DECLARED, predict(10, 2, 1), counter="any"), 1)

    assert 'name="stones"' not in page
    assert "No room for stones: name more tricks or positions." in page
    assert re.findall(r'data-add="(-?\d+)" data-signed>(.*?)</b>', page)[1] == ("10", "+13")
    assert page.count('"plus":0,"tricks":{"field":"tricks"}') == 2  # believing and doubting


def test_a_counter_prediction_of_no_tricks_shows_a_line_for_right_and_for_wrong():
    page = mine_page(played(*DECLARED, predict(4, 0), counter="any"), 1)

    totals = page.split('<div class="worth">')[1].split('<div class="calls predicting">')[0]
    assert re.findall(r"<span>([^<]*):</span>", totals) == ["If it is right", "If it is wrong"]
    figures = re.findall(r'data-add="(-?\d+)" data-signed>(.*?)</b>', totals)
    # Right with no tricks brings no points; a script adds 1 for a trick. Believed, no bet is paid.
    assert figures == [("0", "0"), ("4", "+5"), ("0", "0"), ("-4", "−5")]


def test_a_match_decided_by_rounds_has_its_winner_on_the_sheet():
    score_sheet = RULES.score_sheet(played(*PLAYED))
    standings = [{"seat": 1, "team": None, "score": 5, "place": 1}, {"seat": 0, "team": None, "score": 5, "place": 2}]

    signs = [side["sign"] for side in TABLE.sheet(score_sheet, cast(2), SheetReader(standings=standings))["totals"]]

    assert signs == ["", WINNER]


def test_a_crown_stands_for_30_stones_and_for_nothing_else():
    ahead = sheet_page(played(*PLAYED))
    over = won_by_second(at_round(20, 29, 0, rounds=60))

    assert "crown" not in re.sub("to 1 crown", "", ahead)
    assert '<span class="ahead">leads</span>' in ahead
    assert sheet_page(over).count("crown-stone") == 1
    assert mine_page(over, 0).count("crown-stone") == 1
    assert '<span class="ahead">winner</span>' in mine_page(over, 0)


def test_own_name_is_you_in_what_is_told():
    before, heard = RULES.new_match(2, {}), []
    for move in map(as_move, PLAYED):
        after = RULES.apply(before, move)
        heard += TABLE.sentences(RULES.events(before, move, after), cast(2), viewer=1)
        before = after

    assert heard[:3] == ["Round 1.", "You deal.", "Ana begins."]
    assert "You doubt it (suspect)." in heard
    assert heard[-3:] == ["You win the bet of 4 stones.", "Ana gets 1 stone for points.", "Stones: Ana 1, you 4."]
    assert not any("Boris" in sentence for sentence in heard)
