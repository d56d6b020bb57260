"""What a replay has besides its steps: marks, times, a second seat, paper; and how it is shared."""

import re
import threading
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import expect

from games.catalog import get_game
from tests.browser.fixtures import PHONE
from tests.browser.test_replay import Expected
from tests.history.test_formats import SHORTEST

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SEATS = {"oh-hell": 7, "belot": 4, "bids": 6, "bleven": 4}
SHORT = SHORTEST | {"oh-hell": {"game_style": "short-down"}}  # which begins with the fullest hands
SLOWLY = """
from datetime import timedelta
from games.models import Match, Move, Seat
match = Match.objects.get(code="{code}")
moves = list(match.moves.order_by("index"))
start = moves[0].played_at
for move in moves:
    move.played_at = start + timedelta(seconds=30 * move.index)
Move.objects.bulk_update(moves, ["played_at"])
for seat in match.seats.all():
    Seat.objects.filter(pk=seat.pk).update(name="Bartholomew Featherstonehaugh " + str(seat.number))
"""
CONTROLS = "#controls :is(a, button, summary, select, input, label), .match-bar a.button"
OUT_OF_SIGHT = """(controls) => [...document.querySelectorAll(controls)]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
        const box = element.getBoundingClientRect();
        const found = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
        const there = found && (element.contains(found) || found.contains(element));
        return !inside || !there || element.scrollWidth > element.clientWidth + 1 && element.matches(".button, label");
    })
    .map((element) => element.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def codes(site):
    """The code of a match of each game, whose players have long names and think for half a minute each time."""
    found = {}
    for game, seats in SEATS.items():
        found[game] = site.played(game, seats=seats, **SHORT[game])
        site.shell(SLOWLY.format(code=found[game]))
    return found


@pytest.mark.parametrize("height", [720, 640])
@pytest.mark.parametrize("game", SEATS)
def test_nothing_of_the_controls_is_cut_off(player, codes, game, height):
    player.page.set_viewport_size({"width": 1280, "height": height})
    page = player.open_replay(codes[game], "?move=12&seat=1")

    assert page.evaluate(OUT_OF_SIGHT, CONTROLS) == []
    page.locator(".options summary").click()
    expect(page.get_by_label("Next to it")).to_be_in_viewport(ratio=1)
    expect(page.locator("#paper")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 1280


def test_marks_are_stepped_through_listed_and_chosen_by_kind(player, codes):
    page = player.open_replay(codes["belot"])
    marks = page.locator("#marks li")
    page.keyboard.press("n")

    first = marks.first.locator("a").get_attribute("href")
    expect(page).to_have_url(re.compile(re.escape(first) + "$"))
    assert page.locator(".pins > .pin").count() == marks.count()
    page.locator("#marks summary").click()
    marks.last.locator("a").click()
    page.locator("#marks input[value=contract]").uncheck()
    page.keyboard.press("p")

    expect(page.locator(".pins > .pin-contract:visible")).to_have_count(0)
    assert page.locator("#marks li:visible[data-kind=contract]").count() == 0
    shown, last = page.locator("#marks li:visible a"), marks.last.locator("a").get_attribute("href")
    before = [link for link in shown.evaluate_all("links => links.map(({search}) => search)") if link != last]
    expect(page).to_have_url(re.compile(re.escape(before[-1]) + "$"))
    player.is_accessible()


def test_two_seats_are_seen_side_by_side_and_the_address_says_so(player, codes):
    page = player.open_replay(codes["bids"], "?move=9&seat=1")

    page.keyboard.press("b")

    expect(page.locator(".open-hand")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?move=9&seat=1&beside=0$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".open-hand")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?move=10&seat=1&beside=0$"))
    player.shows_what_the_address_says()


def test_thinking_times_are_drawn_and_played_as_they_were_with_long_ones_capped(player, codes):
    page = player.open_replay(codes["oh-hell"], "?move=9")
    expect(page.locator(".took")).not_to_be_visible()

    page.keyboard.press("t")

    expect(page.locator(".took")).to_have_text("after 30 seconds")
    expect(page.locator(".thoughts")).to_be_visible()
    page.clock.install()
    page.locator(".options summary").click()
    page.get_by_label("Speed").select_option("played")
    page.keyboard.press("Escape")
    page.locator("#play").click()
    page.clock.run_for(4_500)
    expect(page.locator("#moves [aria-current]")).to_have_attribute("data-move", "9")
    page.clock.run_for(1_000)
    expect(page.locator("#moves [aria-current]")).to_have_attribute("data-move", "10")


@pytest.mark.parametrize("game", SEATS)
def test_a_deal_fits_on_one_page_of_paper(player, codes, game):
    page = player.open_replay(codes[game], "?move=20")
    page.locator(".options summary").click()
    page.locator("#paper").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text(get_game(game).deal_word)
    assert page.locator(".hands tr").count() >= SEATS[game]
    player.is_accessible()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True))) == 1


class Elsewhere(BaseHTTPRequestHandler):
    """Another site, whose one page shows in a frame what stands behind its "?"."""

    def do_GET(self):
        self.send_response(200 if "?" in self.path else 204)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        framed = unquote(self.path.partition("?")[2])
        self.wfile.write(f'<iframe src="{escape(framed)}" title="Oh Hell" width="720" height="600"></iframe>'.encode())

    def log_message(self, *_):
        """Tell nobody."""


@pytest.fixture(scope="module")
def elsewhere():
    """The address of another site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_without_spoilers_a_match_is_told_deal_by_deal(player, record):
    replay = Expected(record)
    deal, following = replay.deals[-2:]
    page = player.open_replay(record["code"], f"?move={deal.last - 1}&spoilers=off")
    expect(page.get_by_role("link", name="Result")).to_have_count(0)
    expect(page.locator("#move")).to_have_attribute("max", str(deal.last))
    player.is_accessible()

    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#moves li:visible")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#sentence")).to_have_text(replay.sentence(deal.last), use_inner_text=True)
    page.keyboard.press("ArrowRight")

    expect(page.locator("#move")).to_have_attribute("max", str(following.last))
    expect(page.locator("#sentence")).to_have_text(replay.sentence(following.first), use_inner_text=True)
    expect(page.get_by_text("You have reached the end")).to_have_count(0)
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(rf"move={replay.last}&"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("You have reached the end")).to_be_visible()
    expect(page.get_by_role("link", name="Result")).to_be_visible()


def test_what_may_be_sent_follows_the_position(player, record):
    page = player.open_replay(record["code"], "?move=3&seat=1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("o")
    page.locator("#share summary").click()

    expect(page.get_by_label("Link to this moment")).to_have_value(re.compile(r"/replay/\?move=4&seat=1&open=1$"))
    expect(page.get_by_label("without spoilers")).to_have_value(re.compile(r"\?move=4&seat=1&spoilers=off&open=1$"))
    expect(page.get_by_label("a page of your own")).to_have_value(
        re.compile(rf'<iframe src="http://[^"]*/matches/{record["code"]}/embed/\?move=4&seat=1&open=1"')
    )
    player.is_accessible()
    picture = page.request.get(page.get_by_role("link", name="picture of this moment").get_attribute("href"))
    assert picture.headers["content-type"] == "image/png"


def test_replay_is_stepped_through_within_another_page(player, site, record, elsewhere):
    page = player.page
    page.goto(f"{elsewhere}?{quote(f'{site.url}/matches/{record["code"]}/embed/?move=3&seat=1')}")
    frame = page.frame_locator("iframe")
    replay = Expected(record)
    frame.locator("#play").wait_for()

    frame.get_by_role("link", name="Next move").click()
    frame.get_by_role("link", name="End of the match").click()

    expect(frame.locator("#sentence")).to_have_text(replay.sentence(replay.last), use_inner_text=True)
    whole = frame.get_by_role("link", name="Open the whole replay")
    expect(whole).to_have_attribute("href", re.compile(rf"/replay/\?move={replay.last}&seat=1$"))
    expect(frame.locator(".replay-side")).not_to_be_visible()
    for control in frame.locator("#controls a, #controls summary, #controls select[name=seat]").all():
        expect(control).to_be_in_viewport(ratio=1)


def test_no_other_page_is_shown_within_another(at_browser, site, record, elsewhere):
    page = at_browser().page

    for path in ("", "replay/"):
        page.goto(f"{elsewhere}?{quote(f'{site.url}/matches/{record["code"]}/{path}')}")
        expect(page.frame_locator("iframe").locator("#play, #match")).to_have_count(0)
        assert not any("/matches/" in frame.url for frame in page.frames[1:] if "chrome-error" not in frame.url)


def test_one_steers_and_another_follows_wanders_and_comes_back(at_browser, record):
    ana, friend = at_browser(), at_browser(PHONE)
    ana.sign_in("Ana")
    move = Expected(record).deals[4].start
    hers = ana.open_replay(record["code"], f"?move={move}&seat=1")
    hers.locator("#share summary").click()
    hers.get_by_role("button", name="Watch together").click()
    says = hers.locator("#together-says")
    expect(says).to_have_text("You lead: the others see what you see.")

    theirs = friend.page
    theirs.goto(hers.get_by_label("Link to this room").input_value())
    expect(theirs.locator("#together-says")).to_have_text("You follow Ana.")
    expect(hers.locator("#people-count")).to_have_text("2 are here")
    hers.keyboard.press("ArrowRight")
    hers.keyboard.press("o")
    expect(theirs).to_have_url(re.compile(rf"\?move={move + 1}&seat=1&open=1$"))
    expect(theirs.locator(".open-hand")).to_have_count(3)
    ana.is_accessible()
    friend.is_accessible()

    bottom = "element => element.getBoundingClientRect().bottom"
    assert theirs.locator(".open-hands").evaluate(bottom) <= theirs.locator("#controls").bounding_box()["y"]

    friend.press(theirs.locator("#step-last"))
    expect(theirs.locator("#together-says")).to_have_text("You’re looking on your own.")
    hers.keyboard.press("ArrowRight")
    expect(hers).to_have_url(re.compile(rf"\?move={move + 2}&"))
    assert f"move={move + 2}&" not in theirs.url
    friend.press(theirs.get_by_role("button", name="Back to Ana"))
    expect(theirs).to_have_url(re.compile(rf"\?move={move + 2}&seat=1&open=1$"))

    hers.get_by_label("Hand over to").select_option(label="A visitor")
    expect(theirs.locator("#together-says")).to_contain_text("You lead")
    friend.press(theirs.locator("#step-first"))
    expect(hers).to_have_url(re.compile(r"\?move=0&"))
    theirs.close()
    hers.get_by_role("button", name="Steer it yourself").click()
    expect(says).to_contain_text("You lead")
    hers.reload()
    expect(says).to_contain_text("You lead")
    assert (ana.problems, friend.problems) == ([], [])
