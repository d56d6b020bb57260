"""Sharing a replay: without spoilers, within another page, and together."""

import re
import threading
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.test_replay import Expected

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


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
    expect(says).to_have_text("You steer: the others see what you see.")

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

    theirs.locator("#step-last").tap()
    expect(theirs.locator("#together-says")).to_have_text("You look around by yourself.")
    hers.keyboard.press("ArrowRight")
    expect(hers).to_have_url(re.compile(rf"\?move={move + 2}&"))
    assert f"move={move + 2}&" not in theirs.url
    theirs.get_by_role("button", name="Back to Ana").tap()
    expect(theirs).to_have_url(re.compile(rf"\?move={move + 2}&seat=1&open=1$"))

    hers.get_by_label("Hand over to").select_option(label="A visitor")
    expect(theirs.locator("#together-says")).to_contain_text("You steer")
    theirs.locator("#step-first").tap()
    expect(hers).to_have_url(re.compile(r"\?move=0&"))
    theirs.close()
    hers.get_by_role("button", name="Steer it yourself").click()
    expect(says).to_contain_text("You steer")
    hers.reload()
    expect(says).to_contain_text("You steer")
    assert (ana.problems, friend.problems) == ([], [])
