import random
import re
from functools import reduce

from games.catalog import get_game, get_rules
from games.kit.drawing import SheetReader
from tests.kit.cast import Drawn, a_match, cast, read_by

RULES = get_rules("oh-hell")
TABLE = get_game("oh-hell").drawing
DRAWN = Drawn("oh-hell")
felt, mine, mine_page = DRAWN.felt, DRAWN.mine, DRAWN.mine_page


def played(moves, seats=3, **options):
    """The state after these moves. A list of cards is a deal that begins with them, a number a bid, a string a card."""
    state = RULES.new_match(seats, {"game_style": "short-up"} | options)
    return reduce(RULES.apply, map(as_move, moves), state)


def as_move(short):
    if isinstance(short, int):
        return {"type": "bid", "tricks": short}
    if isinstance(short, str):
        return {"type": "play", "card": short}
    start = RULES.new_match(3, {})
    return {"type": "deal", "deck": short + [card for card in RULES.deck(start) if card not in short]}


FIRST = [["QH", "2S", "9H", "5S"], 1, 1, 0]  # one card each, spades are trumps; Vera deals
SECOND = [*FIRST, "QH", "2S", "9H", ["AD", "5H", "KC", "7H", "3C", "QD", "2C"]]  # two cards each, clubs; Ana deals


# The felt


def test_a_bid_is_not_marked_as_made_while_it_may_still_be_missed():
    state = played([*SECOND, 0, 2, 1, "AD", "3C", "QD"])  # Boris bids 0 and has 0, Vera bids 2 and has 1

    assert [seat["classes"].split()[-1] for seat in felt(state)["seats"]] == ["seat-0", "seat-1", "acting"]


def test_a_bid_out_of_reach_is_marked_as_missed():
    state = played([*SECOND, 2, 0, 1, "AD", "3C", "QD"])

    assert [seat["classes"].split()[-1] for seat in felt(state)["seats"]] == ["seat-0", "missed", "missed"]


def test_marks_of_dealer_bot_and_absence():
    players = cast(
        4,
        seat_0={"kind": "bot", "profile": ""},
        seat_1={"connected": False},
        seat_2={"stand_in": True},
        seat_3={"left": True},
    )
    bot, away, stand_in, left = felt(played([], seats=4), players)["seats"]

    assert "mark bot" in bot["who"]
    assert "href" not in bot["who"]
    assert "away" in away["classes"]
    assert "not connected" in away["who"]
    assert "bot plays" in stand_in["who"]
    assert "mark left" in left["who"]
    assert [("mark dealer" in seat["who"]) for seat in (bot, away, stand_in, left)] == [False, False, False, True]


def test_clocks_are_there_for_timed_seats_only():
    running = {"move": 20, "reserve": 120, "running": True, "remaining": 137.42}
    waiting = {"move": 20, "reserve": 65, "running": False, "remaining": 85}
    players = cast(3, seat_0={"clock": running}, seat_1={"clock": waiting})

    clocks = [seat["clock"] for seat in felt(played([]), players)["seats"]]

    assert clocks == [
        '<span class="clock running" data-remaining="137.4" data-reserve="120">0:17 + 2:00</span>',
        '<span class="clock" data-reserve="65">1:05</span>',
        "",
    ]


def test_a_running_clock_takes_from_the_reserve_last():
    running = {"move": 20, "reserve": 120, "running": True, "remaining": 64.9}

    clock = felt(played([]), cast(3, seat_0={"clock": running}))["seats"][0]["clock"]

    assert ">0:00 + 1:04<" in clock


def test_each_seat_reads_you_for_its_own_name():
    shown = felt(played([*SECOND, 1, 1, 1, "AD", "3C", "QD"]))

    assert [read_by(seat, shown["tricks"]["last"]) for seat in (None, 0, 1, 2)] == [
        "BorisVeraAnaBoris led, Vera took it.",
        "BorisVeraYouBoris led, Vera took it.",
        "YouVeraAnaYou led, Vera took it.",
        "BorisYouAnaBoris led, you took it.",
    ]
    assert [read_by(seat, shown["caption"]["words"]) for seat in (None, 1, 2)] == [
        "Vera takes it",
        "Vera takes it",
        "You take it",
    ]
    plaque = f'<li class="seat-1">{shown["seats"][1]["who"]}</li>'
    assert [read_by(seat, plaque) for seat in (None, 0, 1)] == ["Boris", "Boris", "You"]


# One seat's own part


def test_only_illegal_cards_are_marked():
    state = played([*SECOND, 1, 1, 1, "AD", "3C"])  # Ana holds KC QD and must follow

    page = mine_page(state, 0)

    assert re.findall(r'id="card-(..)"[^>]* aria-disabled="true"', page) == ["KC"]
    assert "hand marked" in page
    assert "aria-disabled" not in mine_page(state, 1)


def test_cards_are_buttons_of_the_form_of_moves():
    page = mine_page(played([*SECOND, 1, 1, 1]), 1)

    assert """<button form="play" name="move" value='{"type":"play","card":"AD"}' id="card-AD\"""" in page
    assert '<input type="hidden" form="play" name="seen" value="5">' in page


def test_closed_bid_is_there_and_says_why():
    page = mine_page(played([*SECOND, 1, 1]), 0)

    assert re.findall(r'id="bid-(\d)"', page) == ["0", "1", "2"]
    assert re.findall(r'id="bid-(\d)" class="call" aria-disabled="true" aria-describedby="box-note"', page) == ["0"]
    assert re.findall("<small>(.*?)</small>", page) == ["even", "over 1", "over 2"]
    assert "0 is closed: the bids would be even." in page


def test_who_is_stood_in_for_may_take_over():
    players = cast(3, seat_1={"stand_in": True})

    assert 'form="resume"' in mine_page(played([*SECOND]), 1, players)
    assert 'form="resume"' not in mine_page(played([*SECOND]), 0, players)


def test_who_is_ready_sees_who_is_waited_for():
    state = played([*FIRST, "QH", "2S", "9H"])
    players = cast(3, seat_0={"ready": True}, seat_1={"kind": "bot"})

    pages = [mine_page(state, seat, players) for seat in (0, 2)]

    assert 'Waiting for <span translate="no">Vera</span>' in pages[0]
    assert "Next hand" not in pages[0]
    assert "Next hand" in pages[1]


def test_final_result_is_by_place_with_shared_places():
    *_, over = a_match(RULES, 5, random.Random(9), game_style="short-up")
    standings = RULES.standings(over)

    result = mine(over, 2)["result"]

    assert [(line["who"], line["place"]) for line in result["lines"]] == [
        (line["seat"], str(line["place"])) for line in standings
    ]
    assert [bool(line["crown"]) for line in result["lines"]] == [line["place"] == 1 for line in standings]
    assert 'form="rematch"' in mine_page(over, 2)
    assert 'form="rematch"' not in mine_page(over, None)


# The sheet


def test_sheet_has_a_row_for_every_hand_and_blots_missed_bids():
    sheet = TABLE.sheet(RULES.score_sheet(played([*SECOND, 1])), cast(3))
    first, second, third = sheet["rows"][:3]

    assert len(sheet["rows"]) == 10
    assert (first["classes"], second["classes"], third["classes"]) == ("scored", "current", "blank")
    assert [(cell["bid"], cell["classes"], cell["words"], cell["total"]) for cell in first["cells"]] == [
        ("1", "missed", "missed, took 0", "0"),
        ("1", "made", "made", "11"),
        ("0", "made", "made", "10"),
    ]
    assert (first["off"], first["off_words"], first["trump"]) == ("+1", "over by 1", "spades")
    assert [[cell["dealer"] for cell in row["cells"]] for row in (first, second, third)] == [
        [False, False, True],
        [True, False, False],
        [False, False, False],  # nobody needs to know yet
    ]
    assert [cell["bid"] for cell in second["cells"]] == ["", "1", ""]
    assert [row["number"] for row in sheet["rows"]] == [str(number) for number in range(1, 11)]


def test_who_reads_the_sheet_comes_first_and_is_you():
    state = played([*SECOND, 1])
    sheet = TABLE.sheet(RULES.score_sheet(state), cast(3), SheetReader(2))

    assert [player["name"] for player in sheet["players"]] == ["You", "Ana", "Boris"]
    assert [cell["total"] for cell in sheet["rows"][0]["cells"]] == ["10", "0", "11"]
    assert [total["total"] for total in sheet["totals"]] == ["10", "0", "11"]
    assert [bool(total["crown"]) for total in sheet["totals"]] == [False, False, True]


def test_leader_wears_the_crown_once_a_hand_is_scored():
    before = TABLE.sheet(RULES.score_sheet(played(FIRST)), cast(3))
    after = TABLE.sheet(RULES.score_sheet(played(SECOND)), cast(3))

    assert [bool(total["crown"]) for total in before["totals"]] == [False, False, False]
    assert [bool(total["crown"]) for total in after["totals"]] == [False, True, False]


# Words


def heard_by(viewer):
    """What is told of the first hand."""
    before, heard = played([]), []
    for move in map(as_move, [*FIRST, "QH", "2S", "9H"]):
        after = RULES.apply(before, move)
        heard += TABLE.sentences(RULES.events(before, move, after), cast(3), viewer)
        before = after
    return heard


def test_events_become_sentences():
    assert heard_by(None) == [
        *("Hand 1, 1 card.", "Vera deals.", "The five of spades is turned up: spades are trumps.", "Ana bids 1."),
        *("Boris bids 1.", "Vera bids 0.", "Bids: Ana 1, Boris 1, Vera 0.", "Over by 1."),
        *("Ana plays the queen of hearts.", "Boris plays the two of spades.", "Vera plays the nine of hearts."),
        *("Boris takes the trick with the two of spades.", "Made: Boris 11 points, Vera 10 points."),
        *("Missed: Ana 0 points.", "Totals: Ana 0, Boris 11, Vera 10."),
    ]
