"""The scripts of the replay and of the shuffles, in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from games.catalog import get_game, get_rules
from games.history.folding import Folding, deals
from games.kit import shuffle
from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser

SWAP_CARDS = """
from games.models import Move
deal = Move.objects.filter(match__code="{code}", seat=None).last()
deck = deal.move["deck"]
Move.objects.filter(pk=deal.pk).update(move={{"type": "deal", "deck": deck[::-1]}})
"""


BULGARIAN = {"[": ["ш", "BracketLeft"], "]": ["щ", "BracketRight"], "?": ["?", "Digit8"]}
BULGARIAN_LAYOUT = """navigator.keyboard.getLayoutMap = async () => new Map([["KeyS", "с"], ["KeyC", "ц"]])"""
PRESS = """([key, code]) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", {key, code, bubbles: true, cancelable: true}))"""


class Expected:
    """What a replay should show, made of the record of its match."""

    def __init__(self, record):
        rules = get_rules(record["game"])
        folding = Folding(rules, rules.new_match(record["seats"], record["options"]))
        folding.add((entry["seat"], entry["move"]) for entry in record["moves"])
        self.steps = folding.steps
        self.deals = list(deals(self.steps))
        self.last = self.steps[-1].index
        self._table = get_game(record["game"]).drawing
        self._players = record["players"]

    def sentence(self, move):
        step = self.steps[move]
        where = f"Hand {step.deal}, trick {step.trick}" if step.trick else f"Hand {step.deal}"
        return f"{where}: {self.words(move)}"

    def words(self, move):
        return self._table.move_words(self.steps[move].move, self._players, self.steps[move].seat)

    def say(self, move):
        return " ".join(self._table.sentences(self.steps[move].events, self._players))


@pytest.fixture(scope="module")
def replay(record):
    return Expected(record)


@pytest.fixture
def page(player):
    return player.page


@pytest.fixture
def open_replay(player, record):
    """Opens the page of the match at a query: open_replay("?move=3")."""
    return lambda query="": player.open_replay(record["code"], query)


def expect_move(page, replay, move, query=""):
    expect(page.locator("#sentence")).to_have_text(replay.sentence(move), use_inner_text=True)
    expect(page.locator("#moves [aria-current]")).to_have_attribute("data-move", str(move))
    expect(page).to_have_url(re.compile(rf"\?move={move}&seat={query or 0}$"))


def test_keys_step_by_move_trick_and_deal(page, open_replay, replay):
    fifth, sixth = replay.deals[4:6]
    open_replay(f"?move={fifth.start}")
    tricks = fifth.tricks

    for key, move in [
        *(("ArrowRight", fifth.start + 1), ("ArrowLeft", fifth.start), ("]", tricks[0][2])),
        *(("Shift+ArrowRight", tricks[1][2]), ("[", tricks[0][2]), ("ArrowDown", sixth.start)),
        *(("ArrowUp", fifth.start), ("End", replay.last), ("ArrowRight", replay.last), ("Home", 0), ("ArrowLeft", 0)),
    ]:
        page.keyboard.press(key)
        expect_move(page, replay, move)


def test_steps_within_a_deal_need_no_server(page, open_replay, replay):
    start = replay.deals[-1].start
    open_replay(f"?move={start}")
    page.wait_for_load_state("networkidle")
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    for _ in range(20):
        page.keyboard.press("ArrowRight")

    expect_move(page, replay, start + 20)
    assert not [url for url in asked if "/replay/" in url]


@pytest.mark.thorough
def test_steps_leave_one_entry_in_the_history_and_jumps_one_each(page, open_replay, replay):
    open_replay("?move=2")

    for key in ("ArrowRight", "ArrowRight", "End", "Home"):
        page.keyboard.press(key)

    expect_move(page, replay, 0)
    page.go_back()
    expect_move(page, replay, replay.last)
    page.go_back()
    expect_move(page, replay, 4)
    page.go_forward()
    expect_move(page, replay, replay.last)
    page.reload()
    expect_move(page, replay, replay.last)


def test_seat_and_open_cards_change_what_is_seen(page, open_replay, replay):
    deal = replay.deals[7]
    open_replay(f"?move={deal.start}")

    def expect_hand(seat):
        hand = replay.steps[deal.start].state.hands[seat]
        for card in hand:
            expect(page.locator(f"#hand [data-card='{card}']")).to_be_visible()
        expect(page.locator("#hand [data-card]")).to_have_count(len(hand))

    expect_hand(0)
    page.keyboard.press("f")
    expect_move(page, replay, deal.start, 1)
    expect_hand(1)
    page.keyboard.press("3")
    expect_hand(2)
    page.keyboard.press("o")
    expect(page.locator(".open-hand [data-card]")).to_have_count(24)
    expect(page.get_by_label("Open cards")).to_be_checked()
    page.get_by_label("Open cards").uncheck()
    page.get_by_label("View as").select_option("1")
    expect_hand(1)
    expect(page.locator("#table")).to_have_class(re.compile("viewer-1"))


@pytest.mark.thorough
def test_sheet_and_moves_jump(page, open_replay, replay):
    open_replay()

    page.locator("#sheet-6").click()
    expect_move(page, replay, replay.deals[5].start)
    page.locator("#moves a").nth(7).click()
    expect_move(page, replay, replay.deals[5].first + 7)
    expect(page.locator("#sheet .scored")).to_have_count(5)


@pytest.mark.thorough
def test_moves_are_said_outside_of_what_is_swapped(page, open_replay, replay):
    move = replay.deals[3].tricks[1][2]
    open_replay(f"?move={move - 1}")
    expect(page.locator("#say")).to_be_empty()

    page.keyboard.press("ArrowRight")

    expect(page.locator("#say")).to_have_text(replay.say(move))
    assert page.locator("#table #say").count() == 0
    slider = page.get_by_label("Move", exact=True)
    expect(slider).to_have_attribute("aria-valuetext", f"hand 4, trick 2, {replay.words(move)}")


@pytest.mark.thorough
def test_it_plays_by_itself_until_it_is_stopped(page, open_replay, replay):
    open_replay("?move=3")
    page.locator(".options summary").click()
    page.get_by_label("Speed").select_option("4")
    page.locator("#table").click(position={"x": 5, "y": 5})

    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#moves [aria-current=step]")).to_have_attribute("data-move", re.compile(r"[6-9]|\d\d"))
    page.keyboard.press("Space")

    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_keys_are_those_of_the_readers_keyboard_and_can_be_turned_off(page, open_replay, replay):
    fifth = replay.deals[4]
    page.add_init_script(BULGARIAN_LAYOUT)
    open_replay(f"?move={fifth.start}")

    for key, move in [("]", fifth.tricks[0][2]), ("]", fifth.tricks[1][2]), ("[", fifth.tricks[0][2])]:
        page.evaluate(PRESS, BULGARIAN[key])
        expect_move(page, replay, move)
    page.evaluate(PRESS, BULGARIAN["?"])
    expect(page.locator("#keys kbd").get_by_text("с", exact=True)).to_be_visible()  # KeyS
    page.keyboard.press("Escape")

    page.evaluate("localStorage.setItem('valat.keys', 'off')")
    page.evaluate(PRESS, BULGARIAN["]"])
    page.keyboard.press("ArrowRight")
    expect_move(page, replay, fifth.tricks[0][2] + 1)


@pytest.mark.thorough
def test_keys_are_left_to_fields_modifiers_and_the_help(page, open_replay, replay):
    open_replay("?move=3")

    page.keyboard.press("Control+ArrowRight")
    page.get_by_label("View as").focus()
    page.keyboard.press("Home")
    page.keyboard.press("o")
    page.locator("#help").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")

    expect(page.locator("#keys")).not_to_be_visible()
    expect_move(page, replay, 3)


@pytest.mark.thorough
def test_slider_steps_by_its_keys(page, open_replay, replay):
    open_replay("?move=3")
    page.get_by_label("Move", exact=True).focus()

    page.keyboard.press("ArrowRight")
    expect_move(page, replay, 4)
    page.keyboard.press("End")
    expect_move(page, replay, replay.last)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(1280, 800), (740, 360), (640, 400), (360, 640)], ids=str)
def test_every_control_is_in_reach_and_ten_cards_are_seen(page, open_replay, replay, size):
    ten_cards = next(step.index for step in replay.steps if step.deal == 10 and step.trick)
    # First: after another size cards still slide to their new places, on a slow machine while the test looks.
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_replay(f"?move={ten_cards}")

    covered = page.locator("#controls :is(a, button, input, select):visible").evaluate_all("""controls => controls
        .map((control) => [control, control.getBoundingClientRect()])
        .map(([control, box]) => [control, document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)])
        .filter(([control, top]) => !control.contains(top))
        .map(([control]) => control.id || control.name)""")
    assert covered == []
    if size == (1280, 800):
        return  # there they are fanned: a corner of a card that is all in sight is not where its box has one
    hidden = page.locator("#hand .card").evaluate_all("""cards => cards
        .filter((card) => {
            const {left, bottom} = card.getBoundingClientRect();
            return document.elementFromPoint(left + 6, bottom - 6)?.closest(".card") !== card;
        }).map((card) => card.textContent)""")
    assert hidden == []


def test_replay_works_without_a_script(at_browser, site, record, replay):
    page = at_browser(java_script_enabled=False).page
    page.goto(f"{site.url}/matches/{record['code']}/replay/?move=3")

    page.get_by_role("link", name="Next move").click()
    expect_move(page, replay, 4)
    page.get_by_label("View as").select_option("2")
    page.get_by_label("Open cards").check()
    page.get_by_role("button", name="Show").click()

    expect(page.locator(".open-hand")).to_have_count(3)
    expect(page).to_have_url(re.compile(r"\?move=4&seat=2&open=1&beside=$"))


# Shuffles


def test_script_shuffles_as_the_server_does(page, site, record):
    shares = ["c0ffee", "", "ab"]
    page.goto(f"{site.url}/matches/{record['code']}/shuffle/")
    script = page.locator("script[src*='replay/shuffle']").get_attribute("src")
    imported = re.search(r"shuffle_check[.\w]*js", page.request.get(site.url + script).text())[0]
    script = f"{script.rsplit('/', 1)[0]}/{imported}"
    few, many = [f"{number:02}" for number in reversed(range(52))], [f"{number:03}" for number in range(1000)]

    for items, seed in [(few, "ab" * 32), (many, "9f" * 32)]:
        made = page.evaluate(
            """async ({script, items, match, seed}) => {
                 const {keyOf, shuffled} = await import(script);
                 return shuffled(items, match, await keyOf(seed), 19);
               }""",
            {"script": script, "items": items, "match": {"entropies": shares}, "seed": seed},
        )
        assert made == shuffle.Shuffles(seed, tuple(shares)).deck(items, 19)


def test_page_verifies_every_deal(page, site, record):
    page.goto(f"{site.url}/matches/{record['code']}/shuffle/")

    expect(page.get_by_text("It fits together: the seats and all 10 decks follow from the seed")).to_be_visible()
    expect(page.locator(".checks .right")).to_have_count(13)
    expect(page.locator(".checks .unknown")).to_have_count(2)
    expect(page.get_by_text("This browser didn’t play at this table")).to_be_visible()


@pytest.mark.thorough
def test_page_finds_a_changed_deck(page, site):
    code = site.played("oh-hell", seats=3, game_style="short-up")
    site.shell(SWAP_CARDS.format(code=code))

    page.goto(f"{site.url}/matches/{code}/shuffle/")

    expect(page.get_by_text("Not as promised: 1 of 13 checks failed.")).to_be_visible()
    expect(page.locator(".checks .wrong")).to_have_text("Deck 10: wrong")


@pytest.mark.thorough
def test_page_without_webcrypto_says_why(page, site, record):
    page.add_init_script("Object.defineProperty(crypto, 'subtle', {value: undefined})")

    page.goto(f"{site.url}/matches/{record['code']}/shuffle/")

    expect(page.get_by_text("only on pages that came over https")).to_be_visible()


@pytest.mark.thorough
def test_a_bots_move_is_called_odd_by_a_link_that_nothing_covers(at_browser, record):
    phone = at_browser(PHONE)
    phone.sign_in("Vera")
    bid = next(entry["index"] for entry in record["moves"] if entry["move"]["type"] == "bid")
    phone.open(f"/matches/{record['code']}/replay/?move={bid}")
    link = phone.page.get_by_role("link", name="Was this odd?")

    corners = link.evaluate("""link => [...link.getClientRects()].flatMap(({left, right, top, bottom}) =>
        [[left + 4, (top + bottom) / 2], [right - 4, (top + bottom) / 2]]).map(
            ([x, y]) => document.elementFromPoint(x, y) === link)""")
    link.tap()

    assert corners == [True, True]
    expect(phone.page.get_by_role("heading", name="An odd move by a bot")).to_be_visible()


@pytest.mark.thorough
def test_the_figures_of_a_sheet_stand_below_their_names(page, open_replay, replay):
    open_replay(f"?move={replay.last}")

    name = page.locator("#sheet thead .player").last.bounding_box()
    total = page.locator("#sheet tbody tr.scored td.sum").last.bounding_box()

    assert name["x"] <= total["x"] + total["width"] <= name["x"] + name["width"] + 1
