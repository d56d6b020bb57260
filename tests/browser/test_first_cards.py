"""From *Play* on the front page to a dealt hand: in one request where scripts run, whatever happens in between."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser

SHARES = """
from games.models import Seat
print(*Seat.objects.filter(match__code="{code}").exclude(entropy="").values_list("entropy", flat=True))
"""
TABLES = "from games.models import Match; print(Match.objects.count())"
NOTE = "code => JSON.parse(localStorage['valat.notes'])[code]"


def front_page(player):
    """Open the front page, and wait until its share is drawn. Returns the page."""
    player.open()
    player.page.wait_for_load_state("networkidle")
    return player.page


def press_play(page, game="oh-hell", **options):
    """Press the first button that plays a game, and wait for the cards."""
    page.locator(f"#game-{game} .game-play button").first.click(**options)
    page.locator("#hand [data-card]").first.wait_for()


def requests_of(page, *, static=False):
    asked = []
    page.on("request", lambda request: asked.append(request) if ("/static/" in request.url) is static else None)
    return asked


def test_the_answer_to_play_shows_cards_that_the_browser_has_its_share_in(at_browser, site):
    ana = at_browser(PHONE)
    page = front_page(ana)
    asked = requests_of(page)

    press_play(page)

    page.wait_for_url(re.compile(r"/matches/\w+/$"))  # where a reload asks for no form to be sent again
    assert asked[0].method == "POST"
    assert [request.url for request in asked if request.is_navigation_request()] == [asked[0].url]  # no other page
    page.wait_for_function(f"() => ({NOTE})('{ana.code}')?.told")
    given = site.shell(SHARES.format(code=ana.code)).split()
    assert given == [page.evaluate(NOTE, ana.code)["share"]]
    page.reload()
    page.locator("#hand [data-card]").first.wait_for()
    page.go_back()
    press_play(page, "belot")
    page.wait_for_function(f"() => ({NOTE})('{ana.code}')?.told")
    assert ana.problems == []


@pytest.mark.thorough
def test_english_pages_fetch_no_letters_of_other_languages(at_browser):
    ana = at_browser()
    page = ana.page
    asked = requests_of(page, static=True)
    front_page(ana)
    press_play(page)
    page.wait_for_load_state("networkidle")

    fonts = {request.url.rpartition("/")[2].partition(".")[0] for request in asked if "/fonts/" in request.url}
    assert fonts == {"inter-basic", "vollkorn-basic"}


@pytest.mark.thorough
def test_cards_are_there_before_the_style_sheets_of_what_is_opened_later(at_browser):
    ana = at_browser()
    page = ana.page
    page.route("**/site/rules.*.css", lambda route: None)  # for ever on its way
    ana.open()

    press_play(page, no_wait_after=True)

    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
    assert page.evaluate("document.getElementById('play') !== null")  # and can be played


def without_promise(route):
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('id="promise"', 'id="another"'))


@pytest.mark.thorough
def test_where_nothing_is_promised_the_share_is_told_at_the_table(at_browser, site):
    ana = at_browser()
    page = ana.page
    page.route(site.url + "/", without_promise)
    front_page(ana)
    asked = requests_of(page)

    press_play(page)

    expect(page).to_have_url(re.compile(r"/matches/\w+/$"))
    assert any(request.url.endswith("/entropy/") for request in asked)
    assert site.shell(SHARES.format(code=ana.code)).split() == [page.evaluate(NOTE, ana.code)["share"]]


@pytest.mark.thorough
def test_pages_name_all_scripts_that_they_run(at_browser):
    ana = at_browser()
    page = ana.page
    asked = requests_of(page, static=True)
    front_page(ana)
    press_play(page)
    page.wait_for_load_state("networkidle")

    links = page.locator("link[rel=modulepreload], script[src]")
    named = set(links.evaluate_all("all => all.map(it => it.href || it.src)"))
    of_match = {each.url for each in asked if "/match/" in each.url and each.url.endswith(".js")}
    assert len(of_match) > 20
    assert of_match <= named


@pytest.mark.thorough
@pytest.mark.parametrize("answer", [{"status": 204}, {"status": 429, "body": "Too many requests"}])
def test_play_can_be_pressed_again_whatever_was_answered(at_browser, site, answer):
    ana = at_browser()
    page = ana.page
    page.clock.install()
    front_page(ana)
    page.route("**/play/oh-hell/", lambda route: route.fulfill(**answer))
    button = page.locator("#game-oh-hell .game-play button").first
    with page.expect_response("**/play/oh-hell/"):
        button.click()
    page.unroute("**/play/oh-hell/")
    if answer["status"] == 204:
        with page.expect_response("**/play/promise/"):  # another share needs another promise
            page.clock.fast_forward(10_000)
    else:
        page.go_back()

    button.click()

    page.locator("#hand [data-card]").first.wait_for()
    page.clock.resume()
    page.wait_for_url(re.compile(r"/matches/\w+/$"))
    assert site.shell(SHARES.format(code=ana.code)).split() == [page.evaluate(NOTE, ana.code)["share"]]


def test_play_pressed_twice_opens_one_table(at_browser, site):
    ana = at_browser()
    page = ana.page
    front_page(ana)
    before = int(site.shell(TABLES))

    page.locator("#game-oh-hell .game-play button").first.dblclick(no_wait_after=True)
    page.locator("#hand [data-card]").first.wait_for()

    assert int(site.shell(TABLES)) == before + 1
    assert ana.problems == []
