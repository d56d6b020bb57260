"""The table under a thumb: what a first tap says, what keeps still, what Back closes, what a player may prefer."""

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE

pytestmark = pytest.mark.browser

PLACES = """() => Object.fromEntries([...document.querySelectorAll("#hand .card")].map((card) => {
    const {x, y} = card.getBoundingClientRect();
    return [card.id, [x, y + new DOMMatrix(getComputedStyle(card).transform).f * -1]];
}))"""

CUT = """([width, height]) => [...document.querySelectorAll("#mine *, .plaque, .slot.filled, .match-bar *, #contract")]
    .filter((each) => each.checkVisibility({visibilityProperty: true, opacityProperty: true})
        && !each.closest(".hidden-text, .hole, .menu > :not(summary)"))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, {width, height}]) => width > 1 && height > 1)
    .filter(([, {left, right, top, bottom}]) => left < -1 || right > width + 1 || top < -1 || bottom > height + 1)
    .map(([each]) => `${each.closest("[id]")?.id}: ${each.className || each.tagName}`)"""
CRAMPED = """() => [...document.querySelectorAll("#contract > *")].filter((each) => {
    const words = document.createRange();
    words.selectNodeContents(each);
    const [inner, outer] = [words.getBoundingClientRect(), each.getBoundingClientRect()];
    return inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1);
}).map((each) => each.textContent.trim())"""
MIDDLE = """(button) => {
    const {x, y, width, height} = button.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""
PUT = """(id) => {
    window.pressed ??= [];
    const button = Object.assign(document.createElement("button"), {id, textContent: id});
    button.style.cssText = "position: fixed; z-index: 99; left: 0; top: 0; width: 60px; height: 60px";
    button.addEventListener("click", () => window.pressed.push(id));
    document.querySelector("button[style]")?.remove();
    document.body.append(button);
}"""
SMALL = ((360, 640), (320, 568), (740, 360), (640, 400))


def test_a_first_tap_says_that_a_second_one_plays(phone):
    intent, sentence = phone.page.locator("#intent"), phone.page.locator("#sentence")
    phone.wait_for_turn()
    phone.wait_for_next_tap()
    below = phone.page.locator("#bid-box").bounding_box()
    expect(intent).to_be_hidden()

    phone.page.locator("#bid-2").tap()
    expect(intent).to_have_text("Tap again: Bid 2")
    expect(sentence).to_have_css("opacity", "0")
    assert phone.page.locator("#bid-box").bounding_box() == below
    phone.is_accessible()
    phone.page.locator(".ring").tap(position={"x": 5, "y": 5})
    expect(intent).to_be_hidden()
    phone.play()
    phone.wait_for_turn()
    card = phone.legal.first
    phone.wait_for_next_tap()
    card.tap()

    expect(intent).to_have_text("Tap again to play the ")
    assert intent.locator("[data-card]").get_attribute("data-card") in card.get_attribute("id")
    moves = phone.moves
    phone.wait_for_next_tap()
    card.tap()
    phone.wait_for_moves_after(moves)
    expect(intent).to_be_hidden()


def test_taps_a_quarter_of_a_second_apart_count_as_two(phone):
    phone.wait_for_turn()
    phone.wait_for_next_tap()
    moves, (x, y) = phone.moves, phone.legal.first.evaluate(MIDDLE)

    phone.page.touchscreen.tap(x, y)
    phone.wait_for_clock(250)
    phone.page.touchscreen.tap(x, y)

    phone.wait_for_moves_after(moves)


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["pointer", "finger"])
def test_a_control_that_appears_under_a_finger_ignores_it_for_a_moment(at_browser, device):
    player = at_browser(device)
    player.open("/credits/")
    page = player.page
    press = page.touchscreen.tap if player.fingers else page.mouse.click

    page.evaluate(PUT, "first")
    player.wait_for_clock(600)
    press(30, 30)
    page.evaluate(PUT, "second")  # in its place
    press(30, 30)
    player.wait_for_clock(600)
    press(30, 30)
    page.evaluate(PUT, "second")  # the same drawn anew
    press(30, 30)
    page.evaluate(PUT, "third")
    page.locator("#third").press("Enter")

    assert page.evaluate("window.pressed") == ["first", "second", "second", "third"]


def test_a_finger_meets_no_control_that_has_just_come(at_browser):
    """Where it was going to touch, and has not been before."""
    player = at_browser(PHONE)
    player.open("/credits/")

    player.page.evaluate(PUT, "early")
    player.page.touchscreen.tap(30, 30)

    assert player.page.evaluate("window.pressed") == []


def test_a_button_of_a_form_elsewhere_is_the_same_when_it_is_drawn_anew(at_browser):
    """As those of a table that waits for players: they have names, and no ids."""
    player = at_browser(PHONE)
    player.open("/credits/")
    put = PUT.replace("{id, textContent: id}", "{name: 'seat', value: id}")
    put = (
        put.replace("window.pressed ??= [];", "")[:-1]
        + "; button.setAttribute('form', 'arrange'); button.type = 'button'; }"
    )
    player.page.evaluate("document.body.append(Object.assign(document.createElement('form'), {id: 'arrange'}))")
    player.page.evaluate("window.pressed = []")

    player.page.evaluate(put, "early")
    player.wait_for_clock(600)
    player.page.evaluate(put, "early")
    player.page.touchscreen.tap(30, 30)

    assert player.page.evaluate("window.pressed") == ["early"]


@pytest.mark.thorough
def test_a_card_of_bleven_is_discarded_and_stays_below_the_words(at_browser):
    player = at_browser(PHONE)
    player.open()
    player.page.locator("#game-bleven").get_by_role("button", name="Learn in one round").tap()  # always the same cards
    player.wait_for_scripts()
    player.wait_for_turn()
    player.page.locator("#guide").evaluate("(note) => note.remove()")
    player.page.locator("#call-draw").tap()
    player.wait_for_next_tap()
    player.page.locator("#call-draw").tap()
    intent = player.page.locator("#intent")
    card = player.page.locator('#hand .card:not([aria-disabled="true"])').first
    card.wait_for()
    player.wait_for_next_tap()

    card.tap()

    expect(intent).to_have_text("Tap again to discard the ")
    player.wait_until_at_rest()
    words = intent.bounding_box()
    assert card.locator(".face").bounding_box()["y"] >= words["y"] + words["height"] - 1


@pytest.mark.thorough
def test_no_card_moves_while_others_are_played(phone):
    phone.prefer(taps="one", hold="fast")
    phone.wait_for_turn()
    before = phone.page.evaluate(PLACES)
    for left in range(9, -1, -1):
        while phone.page.locator("#hand .card").count() > left and not phone.state()["ready"]:
            phone.go_on()
            phone.wait_until_drawn()
        phone.wait_until_at_rest()
        after = phone.page.evaluate(PLACES)
        moved = {card: (x - before[card][0], y - before[card][1]) for card, (x, y) in after.items()}
        assert all(abs(x) < 1 and abs(y) < 3 for x, y in moved.values()), moved


@pytest.mark.thorough
def test_nothing_is_cut_off_on_small_screens(at_browser):
    player = at_browser(PHONE)
    for style, phases in {"short-down": ("bid", "play"), "short-up": ("deal",)}.items():  # hands of seven cards, of one
        player.at_table(seats=7, bots=6, game_style=style)
        player.prefer(taps="one", hold="slow")
        for phase in phases:
            wanted = f"#felt[data-phase='{phase}'] + #mine:is([data-turn='1'], :has(#ready-button))"
            while not player.page.locator(wanted).count():
                player.go_on()
                player.wait_until_drawn()
            for width, height in SMALL:
                player.page.set_viewport_size({"width": width, "height": height})
                player.wait_until_drawn()
                assert player.page.evaluate(CUT, [width, height]) == [], f"{phase} at {width} x {height}"
                assert player.page.evaluate(CRAMPED) == [], f"{phase} at {width} x {height}"


def test_the_bar_has_room_for_all_its_buttons(at_browser):
    """As at a table with people who talk, for somebody who plays at another one as well."""
    player = at_browser(PHONE).at_table()  # where cards are dealt before it goes on
    player.open_table(seats=3, bots=2)
    player.wait_for_scripts()
    hidden = player.page.locator(".match-bar-end > [hidden]")
    assert hidden.evaluate_all("buttons => buttons.map(({id}) => id)") == ["bar-last", "bar-talk"]
    player.page.locator(".match-bar-end").evaluate("bar => [...bar.children].forEach(each => { each.hidden = false; })")
    expect(player.page.locator("#bar-next")).to_be_visible()

    for width, height in SMALL:
        player.page.set_viewport_size({"width": width, "height": height})
        player.wait_until_drawn()
        assert player.page.evaluate(CUT, [width, height]) == []
        assert player.page.evaluate("document.documentElement.scrollWidth") == width
    assert player.problems == []


def test_back_closes_what_is_open_and_then_leaves(phone):
    page, address = phone.page, phone.page.url
    opened = {"#bar-sheet": "dialog#sheet[open]", "#match-menu > summary": "#match-menu[open]"}
    for button, panel in opened.items():
        phone.press(page.locator(button))
        page.locator(panel).wait_for()
        page.wait_for_function("() => history.state.panel")  # faster than any finger
        page.go_back()
        page.locator(panel).wait_for(state="detached")
        assert page.url == address
    phone.press(page.locator("#bar-sheet"))
    phone.press(page.locator("dialog#sheet[open]").get_by_role("button", name="Close"))
    expect(page.locator("#bar-tricks")).to_be_hidden()  # there is none yet

    page.go_back()

    expect(page).not_to_have_url(address)


def test_a_move_may_be_taken_back_for_a_second_and_the_last_card_plays_itself(at_browser):
    player = at_browser().at_table(game_style="short-up")  # a hand of one card
    player.prefer(grace="1", forced="on")
    player.wait_for_turn()
    moves, bid = player.moves, player.legal.first

    bid.click()
    player.page.get_by_role("button", name="Undo").click()
    expect(player.page.locator("#intent")).to_be_hidden()
    player.wait_for_clock(1200)  # for a second it may be taken back
    assert player.moves == moves
    bid.click()
    player.wait_for_moves_after(moves)

    player.page.locator("#hand").wait_for(state="detached")
    assert player.problems == []


def test_a_card_chosen_early_is_played_when_its_turn_comes(at_browser):
    """The others' cards come when the test lets them."""
    player, frames, held = at_browser(), [], []

    def between(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: frames.append((socket, message)) if held else socket.send(message))

    player.page.route_web_socket(lambda url: "/ws/matches/" in url, between)
    player.at_table()
    player.prefer(preselect="on", hold="fast")
    player.wait_for_turn()
    player.play()
    for _ in range(9):  # cards, until one leaves the turn to somebody else
        player.wait_for_turn()
        player.wait_for_next_tap()
        held.append(True)
        moves = player.moves
        player.legal.first.click()
        for _ in range(1000):
            player.wait_until_drawn()
            if frames:
                socket, message = frames.pop(0)
                socket.send(message)
            if player.moves > moves:  # the frame of the own card, and none after it
                break
        if not player.page.locator('#mine[data-turn="1"]').count():
            break
        held.clear()  # the trick was the player's, and so is the next lead
        while frames:
            socket, message = frames.pop(0)
            socket.send(message)
    player.wait_for_next_tap()
    card = player.page.locator("#hand .card").first
    name = card.get_attribute("id")
    card.click()
    expect(player.page.locator("#intent")).to_have_text(" as soon as it is your turn")
    held.clear()
    for socket, message in frames:
        socket.send(message)

    expect(player.page.locator(f"#{name}.chosen")).to_have_count(0, timeout=15_000)
    refused = player.page.locator("#refusal", has_text="not now")
    expect(player.page.locator(f"#hand:not(:has(#{name}))").or_(refused)).to_be_visible()
    assert player.moves > moves
