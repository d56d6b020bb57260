"""The table in a browser: what heals by itself, what is refused, what fingers, keys and ears get."""

import html
import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.site import Late

pytestmark = pytest.mark.browser

LOST = "Reconnecting. Your cards are safe."
TWO_TAPS = """button => {
    const init = {bubbles: true, cancelable: true, detail: 1, pointerType: "touch"};
    for (let i = 0; i < 2; i++) {
        button.dispatchEvent(new PointerEvent("pointerdown", init));
        button.dispatchEvent(new PointerEvent("click", init));
    }
}"""


@pytest.fixture
def guest(at_browser):
    """A guest against two bots, at the start of a hand of ten cards."""
    return at_table(at_browser())


@pytest.fixture
def phone(at_browser):
    """The same with a finger on a phone."""
    return at_table(at_browser(PHONE))


def at_table(player, **options):
    player.open_table(**{"seats": 3, "bots": 2, "game_style": "short-down"} | options)
    player.wait_for_scripts()
    return player


def play_until(player, selector, limit=60):
    """Play on until the page shows that."""
    deadline = time.monotonic() + limit
    while not player.page.locator(selector).count():
        assert time.monotonic() < deadline, f"{selector} did not come."
        player.go_on()


def hand(page):
    return page.locator("#hand [data-card]").evaluate_all("faces => faces.map(face => face.dataset.card)")


# What heals


def test_a_reload_in_the_middle_changes_nothing(guest):
    guest.wait_for_turn()
    guest.play()
    guest.wait_for_turn()
    before = guest.moves, hand(guest.page)

    guest.page.reload()

    assert (guest.moves, hand(guest.page)) == before
    assert guest.play()
    assert guest.problems == []


def test_a_killed_server_comes_back_with_everything(guest, site):
    guest.wait_for_turn()
    guest.play()
    guest.wait_for_turn()
    moves = guest.moves

    site.kill()
    guest.page.get_by_text(LOST).wait_for(timeout=20_000)
    site.start()
    guest.page.get_by_text("You are back.").wait_for(timeout=30_000)

    assert guest.moves == moves
    assert guest.play()
    guest.wait_for_turn()
    site.command("replay_check", guest.code)


def test_a_card_chosen_without_a_connection_is_played_later(guest):
    guest.wait_for_turn()
    moves = guest.moves

    guest.context.set_offline(True)
    guest.page.get_by_text(LOST).wait_for(timeout=20_000)
    guest.legal.first.click()
    assert guest.legal.first.get_attribute("aria-busy") == "true"
    guest.context.set_offline(False)

    guest.wait_for_moves_after(moves)
    guest.page.get_by_text("You are back.").wait_for()


def test_a_move_that_got_lost_with_its_socket_is_sent_again(at_browser):
    player = at_browser()
    sockets = []

    def between(socket):
        sockets.append(socket)
        socket.connect_to_server()
        if len(sockets) == 1:
            socket.on_message(lambda message: socket.close(code=1012))

    player.page.route_web_socket(re.compile("/ws/matches/"), between)
    at_table(player)
    player.wait_for_turn()

    assert player.play()

    assert len(sockets) == 2
    assert player.page.locator("#refusal").is_hidden()


def test_without_a_socket_moves_go_by_post(at_browser):
    player = at_browser()
    player.page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close(code=1013))
    at_table(player)
    player.wait_for_turn()
    moves = player.moves

    player.legal.first.click()

    player.wait_for_moves_after(moves, timeout=20_000)
    player.page.get_by_text("No live connection").wait_for(timeout=10_000)


@pytest.mark.parametrize("comes_back", [True, False], ids=["socket", "polls"])
def test_what_happened_without_a_socket_is_said(at_browser, comes_back):
    player = at_browser()
    sockets, away = [], True

    def between(socket):
        if away and sockets:
            socket.close(code=1012)
        else:
            sockets.append(socket)
            socket.connect_to_server()

    player.page.route_web_socket(re.compile("/ws/matches/"), between)
    at_table(player)
    player.wait_for_turn()
    player.page.evaluate("""() => {
        window.heard = "";
        const place = document.getElementById("say");
        new MutationObserver(() => (window.heard += ` ${place.textContent}`)).observe(place, {childList: true});
    }""")
    moves = player.moves
    sockets[0].close(code=1012)

    player.legal.first.click()
    if comes_back:
        player.page.wait_for_timeout(2500)
        away = False
    player.wait_for_moves_after(moves, timeout=30_000)
    player.wait_for_turn()

    page = player.page.request.get(f"{player.page.url}?seen={moves}").text()
    told = html.unescape(re.search('data-say="([^"]*)"', page)[1]).split(". ")
    assert len(told) >= 3  # of the player and two bots
    player.page.wait_for_function("told => told.every(each => window.heard.includes(each))", arg=told)


def test_a_page_that_was_cut_off_says_so_and_plays_by_forms(at_browser):
    player = at_browser()
    player.page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close(code=4429))
    at_table(player)
    player.page.get_by_text("This page was cut off").wait_for()
    player.page.unroute_all()
    while not player.page.locator(".call").count():
        player.page.get_by_role("button", name="Try now").click()
    moves = player.moves

    player.legal.first.click()

    player.wait_for_moves_after(moves)


def test_two_tabs_show_the_same_and_play_once(guest):
    tab = guest.second_tab()
    guest.wait_for_turn()
    moves = guest.moves
    tab.locator(f"#felt[data-moves='{moves}']").wait_for()

    guest.legal.first.click()

    tab.locator(f"#felt:not([data-moves='{moves}'])").wait_for()
    guest.wait_for_turn()
    tab.locator('#mine[data-turn="1"]').wait_for(state="attached")
    assert hand(tab) == hand(guest.page)
    assert guest.problems == []


def test_a_frame_that_is_older_than_the_table_is_ignored(at_browser):
    player = at_browser()
    frames = []

    def between(socket):
        server = socket.connect_to_server()

        def pass_on(message):
            frames.append(message)
            socket.send(message)
            if len(frames) > 1:
                socket.send(frames[0])

        server.on_message(pass_on)

    player.page.route_web_socket(re.compile("/ws/matches/"), between)
    at_table(player)
    player.wait_for_turn()
    player.play()
    player.wait_for_turn()
    moves = player.moves

    player.page.wait_for_timeout(300)

    assert len(frames) > 1
    assert player.moves == moves > 2


# What is refused


def test_an_illegal_card_says_why_and_changes_nothing(guest):
    play_until(guest, '#mine[data-turn="1"] #hand [aria-disabled="true"]')
    before = guest.moves, hand(guest.page)
    guest.page.wait_for_timeout(500)  # a click so soon after another would not count

    guest.page.locator('#hand [aria-disabled="true"]').first.click(force=True)

    refusal = guest.page.locator("#refusal")
    refusal.get_by_text("follow suit").wait_for()
    assert (guest.moves, hand(guest.page)) == before
    assert guest.page.locator("[aria-busy]").count() == 0
    guest.play()
    assert not refusal.is_visible()
    assert guest.problems == []


def test_without_scripts_bids_and_cards_are_forms(at_browser):
    player = at_browser(java_script_enabled=False)
    player.open_table(seats=3, bots=2, game_style="short-up")
    for choice in ('.call:not([aria-disabled="true"])', '#hand button:not([aria-disabled="true"])'):
        for _ in range(50):
            if player.page.locator(f'#mine[data-turn="1"] {choice}').count():
                break
            player.page.wait_for_timeout(100)
            player.page.reload()
        moves = player.page.locator("#felt").get_attribute("data-moves")

        player.page.locator(choice).first.click()

        assert int(player.page.locator("#felt").get_attribute("data-moves")) > int(moves)


# Fingers


def test_by_touch_the_second_tap_plays(phone):
    phone.wait_for_turn()
    moves = phone.moves
    call = phone.legal.nth(1)

    call.evaluate(TWO_TAPS)  # at once: the second is too soon to be meant
    assert call.get_attribute("aria-pressed") == "true"
    phone.page.wait_for_timeout(600)
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
    at_table(player)
    tab = player.second_tab()
    play_until(player, "#felt[data-phase='play']:has(.slot.winner) + #mine:not([data-turn='1'])")
    moves = player.moves

    tab.locator(f"#felt:not([data-moves='{moves}'])").wait_for()
    assert player.moves == moves
    player.page.locator(".slot.winner").click()

    player.wait_for_moves_after(moves)


# Keys and ears


def test_a_hand_is_played_by_keys_alone(at_browser):
    player = at_table(at_browser(), game_style="short-up")
    page, key = player.page, player.page.keyboard
    for cards in (1, 2, 3):
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
            page.wait_for_timeout(500)  # a key so soon after another would not count
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

    def hurry(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: socket.send(re.sub('data-remaining="[^"]*"', 'data-remaining="11"', message)))

    player.page.route_web_socket(re.compile("/ws/matches/"), hurry)
    at_table(player, speed="fast")
    player.wait_for_turn()

    clock = player.page.locator(".clock.running")
    player.page.locator("#alarm", has_text="10 seconds left.").wait_for(state="attached", timeout=10_000)
    assert "low" in clock.get_attribute("class")
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


def test_leaving_for_good_is_asked_for_first(guest):
    guest.page.locator("#match-menu > summary").click()
    guest.page.get_by_role("button", name="Leave the match").click()
    dialog = guest.page.get_by_role("dialog", name="Leave for good?")
    dialog.get_by_role("button", name="Cancel").click()
    assert guest.page.locator("#hand").is_visible()
    guest.page.get_by_role("button", name="Leave the match").click()
    dialog.get_by_role("button", name="Leave the match").click()

    guest.page.locator("#hand").wait_for(state="detached")
    guest.page.get_by_text("You have left the match.").wait_for()
    assert guest.problems == []


def test_a_guest_plays_in_two_clicks_and_keeps_the_match(at_browser):
    player = at_browser()
    player.open("/")
    player.page.get_by_role("button", name="Play Oh Hell").click()
    player.page.locator("#hand").wait_for()
    code = player.code

    player.open("/accounts/signup/")
    form = player.page.locator("#content form").first
    form.get_by_label("Name", exact=True).fill("Vera")
    form.get_by_label("Password", exact=True).fill("a heron on the felt")
    form.get_by_role("button", name="Sign up").click()
    player.open("/matches/")

    assert player.page.locator(f"a[href*='{code}']").count()
    player.open(f"/matches/{code}/")
    player.page.locator("#hand").wait_for()
    player.page.locator(".plaque", has_text="Vera").wait_for()
    assert player.problems == []
