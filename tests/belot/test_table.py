import json
import random
import re

import pytest

from games.catalog import get_game, get_rules
from games.kit.drawing import SheetReader
from tests.belot.test_rules import E42, play, start
from tests.kit.cast import Drawn, cast, in_letters, result_rows
from tests.kit.playing import played_on, random_options

RULES = get_rules("belot")
TABLE = get_game("belot").drawing
DRAWN = Drawn("belot")
mine, mine_page = DRAWN.mine, DRAWN.mine_page

# Goran deals. Ana holds TC JC QC AC 8D 9D AD JS, Boris 9C QH KH AH 7S 8S TS KS, Vera KC TD 8H 9H TH JH QS AS, Goran
# 7C 8C 7D JD QD KD 7H 9S. Vera plays hearts, doubled, and makes it with 158 points of 252.
DEALT, BID = E42[:1], E42[:8]


def played(moves, seats=4, **options):
    return play(start(seats, **options), *moves)


def until(card, moves=E42):
    """The moves before this card is played."""
    return moves[: next(at for at, move in enumerate(moves) if move == card)]


def seats_of(state):
    return RULES.view(state, None)["seats"]


def sheet(state, viewer=None, players=None):
    return TABLE.sheet(RULES.score_sheet(state), players or cast(seats_of(state)), SheetReader(viewer))


def random_match(seats, seed):
    """Triples of a match with random options, played at random."""
    rng = random.Random(seed)
    return played_on(RULES, RULES.new_match(seats, random_options(RULES, seats, rng) | {"target": 51}), rng)


# The auction


def test_every_call_has_its_place_and_only_open_ones_can_be_made():
    page = mine_page(played(BID[:5]), 0)  # Vera has bid hearts, Goran has doubled, Ana is to call

    assert re.findall(r'id="call-(\w+)"', page) == ["C", "D", "H", "S", "NT", "AT", "pass", "double"]
    assert re.findall(r'id="call-(\w+)" class="[\w ]+" aria-disabled', page) == ["C", "D", "H"]
    assert '{"type":"redouble"}' in page
    assert "Redouble" in page


def test_double_and_what_answers_it_share_a_place():
    def double(moves, seat, **options):
        """The type of the call, whether it is closed, and what is read on its button."""
        button = r"""value='{"type":"(\w+)"}' [^>]*class="call double"(.*?)><b>(.*?)</b> <small>(.*?)</small>"""
        call, closed, name, times = re.search(
            button, in_letters(mine(played(moves, **options), seat)["box"]["calls"])
        ).groups()
        return call, bool(closed), name, times

    assert double(DEALT, 0) == ("double", True, "Double", "×2")
    assert double(BID[:2], 1) == ("double", False, "Double", "×2")
    assert double([*BID[:2], "double"], 2)[0] == "redouble"
    assert double([*BID[:2], "double", "redouble"], 3, third_double=True)[::3] == ("surcontre", "×8")
    assert double([*BID[:2], "double", "redouble"], 3)[1]


def test_a_dealer_who_must_bid_is_told_so():
    state = played([*DEALT, "pass", "pass", "pass"], dealer_pass="never")

    assert mine(state, 3)["sentence"] == "Your call. All the others have passed, so you must bid."
    assert 'id="call-pass" class="call" aria-disabled="true"' in mine_page(state, 3)


# The contract


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


# Announcements


def boxes(page):
    """The declarations that go with the card: pairs of an id and whether it is ticked."""
    found = re.findall(r'<input type="checkbox" form="play" name="first" [^>]*id="declare-([^"]+)"( checked)?>', page)
    return [(name, bool(ticked)) for name, ticked in found]


def test_declarations_go_with_the_first_card_unless_they_are_taken_off():
    page = mine_page(played(BID), 0)

    assert (
        """value='{"type":"declare","kind":"tierce","cards":["TC","JC","QC"]}' id="declare-tierce-QC" checked""" in page
    )
    assert "Declare tierce, ten to queen of clubs:" in page
    assert boxes(page) == [("tierce-QC", True)]
    assert boxes(mine_page(played(BID), 1)) == [("tierce-AH", True)]  # who waits may think about it
    assert "Declared: tierce, ten to queen of clubs" in mine_page(played(E42[:9]), 0)
    assert boxes(mine_page(played(E42[:9]), 0)) == []
    assert boxes(mine_page(played(until("7S")), 1)) == []
    assert boxes(mine_page(played(E42[:10]), 0)) == []


HANDS = {  # of Ana: in order, what may be declared of it, and whether it is ticked
    "7S 8S 9S TS JS QS KS AS": [("quint-AS", True), ("tierce-9S", True)],
    "TC TD TH TS JS QS KS AS": [("square-TS", True), ("quarte-AS", True), ("quint-AS", False)],
    "QC QD QH JS QS KS 7C 7D": [("square-QS", True), ("tierce-KS", False)],
    "7C 9C JC QC AC 7D 9D 8H": [],
}


@pytest.mark.parametrize(("hand", "expected"), HANDS.items())
def test_what_is_worth_the_most_is_ticked(hand, expected):
    hand = hand.split()
    others = [card for card in E42[0].split() if card not in hand]
    deck = " ".join([*hand[:3], *others[:9], *hand[3:5], *others[9:15], *hand[5:], *others[15:]])
    state = played([deck, "AT", "pass", "pass", "pass"])

    assert boxes(mine_page(state, 0)) == expected
    for name, ticked in expected:
        if ticked:  # and all that are ticked can be declared, in their order
            cards = next(
                each["value"] for each in mine(state, 0)["offers"]["declarations"] if each["id"].endswith(name)
            )
            state = RULES.apply(state, json.loads(cards))
    assert boxes(mine_page(played([deck, "NT", "pass", "pass", "pass"]), 0)) == []


def test_a_king_or_queen_is_played_with_belot_or_without():
    page = mine_page(played(until("QH!")), 1)

    assert """value='{"type":"play","card":"QH","belot":true}' id="card-QH\"""" in page
    assert """value='{"type":"play","card":"QH"}' id="plain-QH\"""" in page
    assert re.findall(r'id="plain-(..)"', page) == ["QH", "KH"]
    assert page.count('class="tag"') == 2
    assert 'class="tag"' not in mine_page(played(BID), 1)


# The result


def test_result_says_how_the_points_came_about():
    result = mine(played(E42), 1)["result"]

    assert (result["heading"], result["outcome"]) == ("Hearts, doubled, by Vera", "made")
    assert result_rows(result) == [
        ["Side", "Tricks", "Cards", "Announced", "Points", "Score", "Total"],
        ["We", "4", "74", "20", "94", "–", "0"],
        ["They", "4", "88", "70", "158", "50", "50"],
    ]
    assert [line["mates"] for line in result["lines"]] == ["Boris and Goran", "Ana and Vera"]
    assert result["reasons"] == [
        "Ana and Vera needed more than half of 252 points and have 158: made.",
        "Doubled, the winner scores it all: 252 → 25, and 25 × 2 = 50.",
    ]
    assert [(each["who"], each["words"], each["verdict"]) for each in result["announced"]] == [
        ("Ana", "tierce, ten to queen of clubs", "counts"),
        ("You", "tierce, queen to ace of hearts", "does not count: lower"),
        ("Vera", "quarte, eight to jack of hearts", "counts"),
        ("Goran", "tierce, jack to king of diamonds", "does not count: lower"),
        ("You", "belot in hearts", "counts"),
    ]
    watched = mine(played(E42), None)["result"]
    assert [(line["name"], line["mates"]) for line in watched["lines"]] == [
        ("Ana and Vera", ""),
        ("Boris and Goran", ""),
    ]
    assert mine(played(E42), 2)["result"]["heading"] == "Hearts, doubled, by you"


# The sheet


def test_sheet_has_the_viewers_side_first():
    state = played(E42)

    assert [(side["name"], side["mates"]) for side in sheet(state, 3)["sides"]] == [
        ("We", "Boris and Goran"),
        ("They", "Ana and Vera"),
    ]
    assert [cell["sign"] for cell in sheet(state, 0)["rows"][0]["cells"]] == ["50", "–"]
    assert [cell["sign"] for cell in sheet(state, 3)["rows"][0]["cells"]] == ["–", "50"]
    assert [side["name"] for side in sheet(state)["sides"]] == ["Ana and Vera", "Boris and Goran"]
    assert [side["name"] for side in sheet(played([], seats=3), 1)["sides"]] == ["You", "Ana", "Vera"]
    assert sheet(played([], seats=3), 1)["sides"][0]["mates"] == "Boris"


def workings(row, side=0):
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
    figures = {"sides": sides, "target": 151, "rows": [usual | row], "hanging": 0, "totals": [0] * count}
    drawn = TABLE.sheet(figures, cast(seats))
    return [(step["words"], step["figure"]) for step in drawn["rows"][0]["cells"][side]["steps"]]


def test_workings_of_three_players_share_what_the_bidder_lost():
    row = {"outcome": "inside", "points": [71, 41, 50], "mp": [0, 8, 8], "marks": ["dash", "number", "number"]}

    assert workings(row, 1)[-4:] == [
        ("Ana needed more than half of 162 points and has 71: inside.", ""),
        ("Half of the bidder’s 71", "+35"),
        ("76 divided by ten: 6 goes up, for this is not the one highest amount", "8"),
        ("Score", "8"),
    ]
    assert ("Half of the bidder’s 71", "+36") in workings(row, 2)


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
                    if rounded := re.match(r"(\d+) divided by ten", sentence):
                        amount = int(rounded[1])
                        whole = int(re.match(r"\d+", figures[sentence])[0])
                        assert whole - amount // 10 in (0, 1)
                        assert (amount % 10 == 0) == (sentence == f"{amount} divided by ten")
