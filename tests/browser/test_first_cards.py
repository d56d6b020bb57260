"""From *Play* on the front page to a dealt hand: in two requests where scripts run, whatever happens in between."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser

SHARES = """
from games.models import Seat
print(*Seat.objects.filter(match__code="{code}").exclude(entropy="").values_list("entropy", flat=True))
"""
NOTE = "code => JSON.parse(localStorage['valat.notes'])[code]"


def requests_of(page, *, static=False):
    asked = []
    page.on("request", lambda request: asked.append(request) if ("/static/" in request.url) is static else None)
    return asked


def test_the_answer_to_play_shows_cards_that_the_browser_has_its_share_in(at_browser, site):
    ana = at_browser(PHONE)
    page = ana.page
    ana.open()
    ana.page.wait_for_load_state("networkidle")  # its share is drawn
    asked = requests_of(page)

    page.locator("#game-oh-hell .game-play button").first.tap()
    page.locator("#hand [data-card]").first.wait_for()

    page.wait_for_url(re.compile(r"/matches/\w+/$"))  # where a reload asks for no form to be sent again
    assert [request.method for request in asked[:2]] == ["POST", "POST"]
    page.wait_for_function(f"() => ({NOTE})('{ana.code}')?.told")
    given = site.shell(SHARES.format(code=ana.code)).split()
    assert given == [page.evaluate(NOTE, ana.code)["share"]]
    page.reload()
    page.locator("#hand [data-card]").first.wait_for()
    page.go_back()
    page.locator("#game-belot .game-play button").first.tap()
    page.locator("#hand [data-card]").first.wait_for()
    assert ana.problems == []


def test_a_table_that_a_script_cannot_open_is_opened_by_the_form(at_browser):
    ana = at_browser()
    page = ana.page
    page.route("**/play/**", lambda route: route.abort() if is_fetched(route) else route.continue_())
    ana.open()
    ana.page.wait_for_load_state("networkidle")

    page.locator("#game-oh-hell .game-play button").first.click()

    page.locator("#hand [data-card]").first.wait_for()
    expect(page).to_have_url(re.compile(r"/matches/\w+/$"))


def test_pages_name_all_scripts_that_they_run(at_browser):
    ana = at_browser()
    page = ana.page
    asked = requests_of(page, static=True)
    ana.open()
    page.wait_for_load_state("networkidle")
    page.locator("#game-oh-hell .game-play button").first.click()
    page.locator("#hand [data-card]").first.wait_for()
    page.wait_for_load_state("networkidle")

    links = page.locator("link[rel=modulepreload], script[src]")
    named = set(links.evaluate_all("all => all.map(it => it.href || it.src)"))
    of_match = {each.url for each in asked if "/match/" in each.url and each.url.endswith(".js")}
    assert len(of_match) > 20
    assert of_match <= named


def is_fetched(route):
    return route.request.resource_type == "fetch"


@pytest.mark.parametrize("answer", [{"status": 200, "body": "<p>Log in to this network"}, {"status": 429, "body": ""}])
def test_play_can_be_pressed_again_whatever_was_answered(at_browser, answer):
    ana = at_browser()
    page = ana.page
    ana.open()
    ana.page.wait_for_load_state("networkidle")
    page.route("**/play/**", lambda route: route.fulfill(**answer) if is_fetched(route) else route.fulfill(status=204))
    button = page.locator("#game-oh-hell .game-play button").first
    with page.expect_response(lambda response: response.status == 204):
        button.click()
    page.unroute("**/play/**")

    button.click()

    page.locator("#hand [data-card]").first.wait_for()
