"""A table whose connection breaks, whose page is read again, whose server is killed: what heals by itself."""

import html
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.site import cards_of
from tests.faults.services import Proxy
from tests.processes import wait_until

pytestmark = pytest.mark.browser

LOST = "Reconnecting. Your cards are safe."


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


@pytest.mark.thorough
def test_without_a_socket_moves_go_by_post(at_browser):
    player = at_browser()
    player.page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close(code=1013))
    player.at_table()
    player.wait_for_turn()
    moves = player.moves

    player.legal.first.click()

    player.wait_for_moves_after(moves, timeout=20_000)
    player.page.get_by_text("No live connection").wait_for(timeout=10_000)


@pytest.mark.thorough
@pytest.mark.parametrize("comes_back", [True, False], ids=["socket", "polls"])
def test_what_happened_without_a_socket_is_said(at_browser, comes_back):
    player = at_browser()
    sockets, refused, away = [], [], True

    def between(socket):
        if away and sockets:
            refused.append(socket)
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
        wait_until(lambda: player.page.evaluate("1") and refused, 15, "the page has tried to connect")
        away = False
    player.wait_for_moves_after(moves, timeout=30_000)
    player.wait_for_turn()

    page = player.page.request.get(f"{player.page.url}?seen={moves}").text()
    told = html.unescape(re.search('data-say="([^"]*)"', page)[1]).split(". ")
    assert len(told) >= 3  # of the player and two bots
    player.page.wait_for_function("told => told.every(each => window.heard.includes(each))", arg=told)


@pytest.mark.thorough
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


@pytest.mark.thorough
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

    player.wait_until_drawn()

    assert len(frames) > 1
    assert player.moves == moves > 2


def test_already_the_first_socket_says_what_its_page_has_seen(guest):
    guest.wait_for_turn()

    with guest.page.expect_websocket() as opened:
        guest.page.reload()

    assert opened.value.url.endswith(f"?seen={guest.moves}")


@pytest.mark.thorough
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
    guest.wait_until_drawn()
    assert sockets == []
    assert guest.problems == []


@pytest.fixture
def wire(site):
    """A wire from browsers to the site."""
    wire = Proxy(urlsplit(site.url).port)
    yield wire
    wire.close()


def at_table_through(wire, player):
    """The player at a table on the clock whose socket is open and goes through the wire."""
    player.at_table(speed="fast")
    address = f"127.0.0.1:{wire.port}/matches/{player.code}/"
    with player.page.expect_websocket() as opened:
        player.page.goto(f"http://{address}")
    opened.value.wait_for_event("framereceived")
    player.wait_for_turn()
    return player


@pytest.mark.thorough
def test_dead_line_is_noticed_on_the_clock_by_who_only_looks(at_browser, wire):
    player = at_table_through(wire, at_browser())

    wire.swallow()
    wire.hold()
    player.page.get_by_text(LOST).wait_for(timeout=20_000)
    wire.mend()

    player.page.get_by_text("You are back").wait_for(timeout=20_000)
    assert player.play()
    assert player.problems == []


@pytest.mark.thorough
def test_socket_that_never_opens_is_replaced(at_browser, wire):
    player = at_table_through(wire, at_browser())
    wire.swallow()
    wire.hold()
    player.page.get_by_text(LOST).wait_for(timeout=20_000)

    wire.swallow()  # now the second socket, too, which is not open yet
    wire.mend()

    player.page.get_by_text("You are back").wait_for(timeout=20_000)
    assert player.play()


def sockets_of(player):
    """The sockets that a page opens at tables, as they come; each leads to the server."""
    sockets = []

    def between(socket):
        sockets.append(socket)
        socket.connect_to_server()

    player.page.route_web_socket(re.compile("/ws/matches/"), between)
    return sockets


def test_page_of_an_ended_session_shows_what_a_stranger_sees(at_browser):
    player = at_browser()
    sockets = sockets_of(player)
    player.at_table()
    player.wait_for_turn()
    player.context.clear_cookies()

    sockets[0].close(code=4012)

    expect(player.page.locator("body")).not_to_have_attribute("data-reader", re.compile(""))
    expect(player.page.locator("#felt")).to_be_visible()
    expect(player.page.locator("#hand")).to_have_count(0)
    expect(player.page.locator("#mine button:visible")).to_have_count(0)
    expect(player.page.locator("#talk-words:visible, #talk-phrases:visible")).to_have_count(0)
    assert player.problems == []


@pytest.mark.thorough
def test_page_that_may_not_be_seen_any_more_is_loaded_anew(at_browser, site):
    player = at_browser()
    sockets = sockets_of(player)
    player.at_table()
    site.shell(f"from games.models import Match; Match.objects.get(code='{player.code}').delete()")

    sockets[0].close(code=4012)

    expect(player.page.locator("#table")).to_have_count(0)
    expect(player.page.get_by_role("heading")).to_have_count(1)


def test_page_of_a_session_that_goes_on_connects_anew_and_stays(at_browser):
    player = at_browser()
    sockets = sockets_of(player)
    player.at_table()
    player.wait_for_turn()
    player.page.evaluate("window.isTheSame = true")

    with player.page.expect_response(lambda response: response.url == player.page.url):
        sockets[0].close(code=4012)
    assert player.play()

    assert len(sockets) == 2
    assert player.page.evaluate("window.isTheSame")
    assert player.problems == []


@pytest.mark.thorough
def test_page_connects_as_soon_as_its_poll_is_answered(at_browser):
    """However long its pauses are by then: its clock stands still."""
    player = at_browser()
    clock = player.page.clock
    clock.install()
    events = []

    def between(socket):
        events.append("socket")
        socket.close(code=1006)

    player.page.route_web_socket(re.compile("/ws/matches/"), between)
    player.page.on("requestfinished", lambda request: events.append("poll") if "?seen=" in request.url else None)
    player.at_table()
    clock.pause_at(player.page.evaluate("Date.now() / 1000 + 1"))

    while events.count("poll") < 6:
        clock.run_for(1000)

    def connects():
        player.page.evaluate("0")
        return events[-1] == "socket"

    wait_until(connects, 15, f"a socket after the last poll: {events}")
