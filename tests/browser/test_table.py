"""The table in a browser: what is refused, what fingers, keys and ears get."""

import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tests.browser.site import Late

pytestmark = pytest.mark.browser

TWO_TAPS = """button => {
    const init = {bubbles: true, cancelable: true, detail: 1, pointerType: "touch"};
    for (let i = 0; i < 2; i++) {
        button.dispatchEvent(new PointerEvent("pointerdown", init));
        button.dispatchEvent(new PointerEvent("click", init));
    }
}"""

STORAGE = {
    "forbidden": "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no'); }})",
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
}


def play_until(player, selector, limit=60):
    """Play on until the page shows that."""
    deadline = time.monotonic() + limit
    while not player.page.locator(selector).count():
        assert time.monotonic() < deadline, f"{selector} did not come."
        player.go_on()


# What is refused


def test_an_illegal_card_says_why_and_changes_nothing(guest):
    play_until(guest, '#mine[data-turn="1"] #hand [aria-disabled="true"]')
    before = guest.moves, guest.cards
    guest.wait_for_next_tap()

    guest.page.locator('#hand [aria-disabled="true"]').first.click(force=True)

    refusal = guest.page.locator("#refusal")
    refusal.get_by_text("follow suit").wait_for()
    assert (guest.moves, guest.cards) == before
    assert guest.page.locator("[aria-busy]").count() == 0
    guest.play()
    expect(refusal).to_be_hidden()
    assert guest.problems == []


# Fingers


def test_by_touch_the_second_tap_plays(phone):
    phone.wait_for_turn()
    moves = phone.moves
    call = phone.legal.nth(1)

    call.evaluate(TWO_TAPS)  # at once: the second is too soon to be meant
    assert call.get_attribute("aria-pressed") == "true"
    phone.wait_for_next_tap()
    assert phone.moves == moves
    phone.press(call)

    phone.wait_for_moves_after(moves)


def test_a_finished_trick_is_held_until_it_is_tapped(at_browser):
    """It would stay for minutes here, however slow the machine is; in another tab it goes by itself."""
    player = at_browser()

    def hold_longer(route):
        script = route.fetch().text()
        assert "normal: 1000" in script
        route.fulfill(content_type="text/javascript", body=script.replace("normal: 1000", "normal: 600000"))

    player.page.route(re.compile(r"/match/frames\b.*\.js$"), hold_longer)
    player.at_table()
    tab = player.second_tab()
    play_until(player, "#felt[data-phase='play']:has(.slot.winner) + #mine:not([data-turn='1'])")
    moves = player.moves

    tab.locator(f"#felt:not([data-moves='{moves}'])").wait_for()
    assert player.moves == moves
    player.page.locator(".slot.winner").click()

    player.wait_for_moves_after(moves)


# Keys and ears


def test_a_hand_is_played_by_keys_alone(at_browser):
    player = at_browser().at_table(game_style="short-up")
    page, key = player.page, player.page.keyboard
    for cards in (1, 2):
        player.wait_for_turn()
        key.press("b")
        assert page.evaluate("() => document.activeElement.id") == "bid-0"
        if page.locator("#bid-0").get_attribute("aria-disabled"):
            key.press("1")
        moves = player.moves
        key.press("Enter")
        player.wait_for_moves_after(moves)
        assert page.evaluate("() => document.activeElement.id") == "sentence"
        key.press("p")
        for left in range(cards, 0, -1):
            player.wait_for_turn()
            player.wait_for_next_tap()
            moves = player.moves
            key.press("Home")
            while page.evaluate("() => document.activeElement.ariaDisabled") == "true":
                key.press("ArrowRight")
            card = page.evaluate("() => document.activeElement.id")
            assert card.startswith("card-")
            key.press("Enter")
            player.wait_for_moves_after(moves)
            focused = page.evaluate("() => document.activeElement.id")
            assert focused.startswith("card-") if left > 1 else focused == "sentence"
            assert focused != card
        key.press("s")
        page.locator("dialog#sheet[open] table").wait_for()
        key.press("Escape")
        with suppress(Late):  # the next deal comes by itself after a while
            page.locator("#ready-button").press("Enter", timeout=3000)
        page.locator(f"#hand[data-count='{cards + 1}']").wait_for()
    assert player.problems == []


def test_what_happens_is_said_and_shown_in_the_title(guest):
    say = guest.page.locator("#say")
    guest.wait_for_turn()
    expect(guest.page).to_have_title(re.compile("^● Your turn"))
    assert "turn" in guest.page.locator("link[rel=icon]").get_attribute("href")

    guest.play()
    guest.wait_for_turn()

    expect(say).to_have_text(re.compile("( bids | plays ).* Your turn"))
    guest.page.keyboard.press("h")
    expect(say).to_have_text(re.compile("( of .*){10}"))
    guest.page.keyboard.press("?")
    guest.page.get_by_role("dialog").get_by_text("Last trick").wait_for()


def test_my_clock_counts_down_and_warns_once(at_browser):
    player = at_browser()

    def hurried(text):
        return re.sub('data-remaining="[^"]*"', 'data-remaining="11"', text)

    def hurry_page(route):
        response = route.fetch()
        route.fulfill(response=response, body=hurried(response.text()))

    def hurry_socket(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: socket.send(hurried(message)))

    player.page.route(re.compile(r"/matches/\w+/$"), hurry_page)
    player.page.route_web_socket(re.compile("/ws/matches/"), hurry_socket)
    player.at_table(speed="fast")
    player.page.reload()  # for what a redirect leads to comes by no route, and it may be our turn already
    player.wait_for_turn()

    clock = player.page.locator(".clock.running")
    player.page.locator("#alarm", has_text="seconds left.").wait_for(state="attached")
    expect(clock).to_have_class(re.compile(r"\blow\b"))
    assert int(clock.text_content()) <= 10


# Around the table


def test_preferences_outlive_the_page(guest):
    guest.prefer(theme="dark", deck="four", taps="two")
    guest.page.reload()
    guest.wait_for_scripts()

    html = guest.page.locator("html")
    assert html.get_attribute("data-theme") == "dark"
    assert html.get_attribute("data-deck") == "four"
    guest.wait_for_turn()
    guest.legal.first.click()
    assert guest.legal.first.get_attribute("aria-pressed") == "true"


def test_cards_have_the_letters_of_the_page_for_a_reader_who_wants_them(player):
    plain = [f'.face.small[data-card^="{rank}"]' for rank in "JQKA"]
    pictures = [f'.face:not(.small)[data-card^="{rank}"]' for rank in "JQ"]

    def letters():
        player.open("/rules/belot/")
        return player.page.evaluate(
            """cards => cards.map((card) => getComputedStyle(document.querySelector(card), "::before").content)""",
            plain + pictures,
        )

    def speak(language):
        player.context.add_cookies([{"name": "language", "value": language, "url": player.site.url}])

    def quoted(letters):
        return [f'"{letter}"' for letter in letters]

    speak("fr")
    assert letters() == quoted("JQKAJQ")

    player.open("/accounts/settings/")
    player.page.locator("[data-setting=letters]").select_option("own")
    assert letters() == quoted("VDRAVD")

    speak("en")
    assert letters() == quoted("JQKAJQ")


@pytest.mark.parametrize("way", ["forbidden", "full"])
def test_settings_that_the_browser_does_not_keep_last_for_the_page_and_say_so(player, way):
    player.context.add_init_script(STORAGE[way])
    player.open("/accounts/settings/")
    notice = player.page.get_by_text("This browser keeps no settings")
    expect(notice).to_be_hidden()

    keys = player.page.locator("[data-setting=keys]")
    keys.select_option("off")

    expect(notice).to_be_visible()
    expect(keys).to_have_value("off")


def test_leaving_for_good_is_asked_for_first(guest):
    guest.page.locator("#match-menu > summary").click()
    guest.page.get_by_role("button", name="Leave the match").click()
    dialog = guest.page.get_by_role("dialog", name="Leave for good?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(guest.page.locator("#hand")).to_be_visible()
    guest.page.get_by_role("button", name="Leave the match").click()
    dialog.get_by_role("button", name="Leave the match").click()

    guest.page.locator("#hand").wait_for(state="detached")
    guest.page.get_by_text("You have left the match.").wait_for()
    assert guest.problems == []
