"""A table whose connection breaks, whose page is read again, whose server is killed: what heals by itself."""

import html
import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.site import cards_of

pytestmark = pytest.mark.browser

LOST = "Reconnecting. Your cards are safe."
SOCKETS = re.compile(r"/hx-ws\.min\b.*\.js$")


def test_a_reload_in_the_middle_changes_nothing(guest):
    guest.wait_for_turn()
    guest.play()
    guest.wait_for_turn()
    before = guest.moves, guest.cards

    guest.page.reload()

    assert (guest.moves, guest.cards) == before
    assert guest.play()
    assert guest.problems == []


@pytest.mark.thorough
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
            socket.on_message(lambda message: socket.close(code=4012))

    player.page.route_web_socket(re.compile("/ws/matches/"), between)
    player.at_table()
    player.wait_for_turn()

    assert player.play()

    assert len(sockets) == 2
    expect(player.page.locator("#refusal")).to_be_hidden()


def test_without_a_socket_moves_go_by_post(at_browser):
    player = at_browser()
    player.page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close(code=1013))
    player.at_table()
    player.wait_for_turn()
    moves = player.moves

    player.legal.first.click()

    player.wait_for_moves_after(moves, timeout=20_000)
    player.page.get_by_text("No live connection").wait_for(timeout=10_000)


@pytest.mark.parametrize("comes_back", [True, pytest.param(False, marks=pytest.mark.thorough)], ids=["socket", "polls"])
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
    player.at_table()
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
    player = at_browser().at_table()
    player.page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close(code=4429))
    player.page.reload()
    player.page.get_by_text("This page was disconnected").wait_for()
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
    assert cards_of(tab) == guest.cards
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
    player.at_table()
    player.wait_for_turn()
    player.play()
    player.wait_for_turn()
    moves = player.moves

    player.page.wait_for_timeout(300)

    assert len(frames) > 1
    assert player.moves == moves > 2


def test_already_the_first_socket_says_what_its_page_has_seen(guest):
    guest.wait_for_turn()

    with guest.page.expect_websocket() as opened:
        guest.page.reload()

    assert opened.value.url.endswith(f"?seen={guest.moves}")


def test_a_match_begins_on_the_socket_that_is_open(at_browser):
    host, guest = at_browser(), at_browser()
    code = host.open_table()
    guest.open(f"/matches/{code}/")
    guest.page.get_by_role("button", name="Join").first.click()
    guest.page.locator("#stand-button").wait_for()
    guest.page.wait_for_load_state("networkidle")
    sockets = []
    guest.page.on("websocket", lambda socket: sockets.append(socket.url))

    host.page.get_by_role("button", name="Start with bots").click()

    guest.page.locator("#hand").wait_for()
    guest.page.wait_for_timeout(1000)
    assert sockets == []
    assert guest.problems == []


def slowly(route):
    """Give the script of sockets after htmx has begun by itself, as over a slow line."""
    time.sleep(0.5)
    route.continue_()


def test_a_move_is_no_new_page_where_the_script_of_sockets_comes_late(guest):
    guest.wait_for_turn()
    guest.page.route(SOCKETS, slowly)
    guest.page.reload()
    guest.wait_for_scripts()
    guest.page.evaluate("window.isTheSame = true")

    assert guest.play()

    assert guest.page.evaluate("window.isTheSame")
    assert guest.problems == []


def test_an_open_lobby_hears_of_tables_where_the_script_of_sockets_comes_late(at_browser):
    guest, host = at_browser(), at_browser()
    guest.page.route(SOCKETS, slowly)
    guest.open("/")

    code = host.open_table()

    guest.page.locator(f"#table-{code}").wait_for()
    assert guest.problems == []
