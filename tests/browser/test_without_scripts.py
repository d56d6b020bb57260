"""A match at a browser that runs no scripts: forms, links and reloading are enough."""

import time

import pytest

from tests.browser.fixtures import PHONE
from tests.browser.site import LEGAL, MATCH_LIMIT

pytestmark = pytest.mark.browser


def test_a_match_is_played_to_its_end_without_scripts(at_browser):
    player = at_browser(PHONE, java_script_enabled=False)
    player.open("/tables/new/?game=bids&option_rounds=2")
    player.page.locator("[name=seats]").select_option("3")
    player.page.get_by_role("button", name="Update the choices").tap()
    player.page.locator("[name=bots]").select_option("2")
    player.page.get_by_role("button", name="Open the table").tap()
    page, deadline = player.page, time.monotonic() + MATCH_LIMIT

    while page.locator("main").get_attribute("data-status") != "over":
        assert time.monotonic() < deadline, page.locator("#sentence").text_content()
        for button in (page.locator(LEGAL), page.locator("#ready-button")):
            if button.count():
                with page.expect_navigation():
                    button.first.tap()
                break
        else:
            page.reload()

    page.locator("#replay-link").tap()
    page.locator("#sentence", has_text="The black cards are set aside").wait_for()  # three do so before they deal
    assert player.problems == []
