"""Times at browsers of other zones than that of the site, whose clock is UTC."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

AUCKLAND = "Pacific/Auckland"
SET_START = """
from datetime import datetime
from games.play import hosting
from games.models import Match
match = Match.objects.get(code={code!r})
hosting.set_start(match.host, match.code, datetime.fromisoformat({at!r}), fills_with_bots=True)
"""


def next_deal(zone):
    """When the deal of the day changes, on the clock of a zone."""
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    return f"{datetime.combine(tomorrow, datetime.min.time(), UTC).astimezone(ZoneInfo(zone)):%-d %B, %H:%M}"


def test_the_first_page_is_drawn_on_the_clock_of_the_browser_and_the_next_by_the_server(at_browser):
    player = at_browser(timezone_id=AUCKLAND)
    time = player.page.locator("main time").first

    player.open("/deal-of-the-day/")
    expect(time).to_have_text(next_deal(AUCKLAND))
    assert AUCKLAND in time.get_attribute("title")
    assert time.get_attribute("data-local") == "end"
    assert [each["value"] for each in player.context.cookies() if each["name"] == "timezone"] == [AUCKLAND]

    player.page.reload()
    expect(time).to_have_text(next_deal(AUCKLAND))
    assert (time.get_attribute("data-local"), time.get_attribute("data-moment")) == (None, "end")
    assert player.problems == []


def test_a_browser_that_has_moved_is_shown_its_new_clock_at_once(at_browser):
    player = at_browser(timezone_id=AUCKLAND)
    player.context.add_cookies([{"name": "timezone", "value": "America/Los_Angeles", "url": player.site.url}])

    player.open("/deal-of-the-day/")

    expect(player.page.locator("main time").first).to_have_text(next_deal(AUCKLAND))


def test_what_sockets_bring_is_drawn_on_the_readers_clock(at_browser):
    host, reader = at_browser(), at_browser(timezone_id=AUCKLAND)
    host.sign_in("Horace")
    code = host.open_table(seats=4, listed="yes")
    reader.sign_in("Rangi")
    reader.open("/accounts/settings/")
    reader.page.get_by_label("Show times in").select_option("Europe/Sofia")
    reader.page.locator("form", has=reader.page.locator("#time-zone")).get_by_role("button").click()
    reader.open("/")
    tab = reader.second_tab()
    tab.goto(f"{reader.site.url}/matches/{code}/")
    reader.page.locator(f"#table-{code}").wait_for()
    at = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(days=2)

    reader.site.shell(SET_START.format(code=code, at=at.isoformat()))

    local = at.astimezone(ZoneInfo("Europe/Sofia"))
    expect(reader.page.locator(f"#table-{code} time")).to_have_text(f"{local:%-d %B, %H:%M}")
    expect(tab.locator(".waiting-start time")).to_have_text(re.compile(f"{local:%-d %B %Y, %H:%M}$"))
    assert reader.problems == []


def test_the_zone_is_chosen_by_keys(at_browser):
    player = at_browser(PHONE, timezone_id=AUCKLAND)
    player.sign_in("Zoe")
    player.open("/accounts/settings/")
    now = player.page.locator("section", has_text="Time zone").locator("time")

    player.page.locator("#time-zone").focus()
    player.page.keyboard.type("America/New_Y")
    player.page.keyboard.press("Tab")
    player.page.keyboard.press("Enter")
    player.page.get_by_text("All pages show times in this zone now.").wait_for()

    expect(player.page.locator("#time-zone")).to_have_value("America/New_York")
    assert re.search(r"\d\d:\d\d$", now.text_content())
    assert re.search(r" E[SD]T$", now.get_attribute("title"))
    player.open("/deal-of-the-day/")
    expect(player.page.locator("main time").first).to_have_text(next_deal("America/New_York"))
    player.open("/accounts/settings/")
    assert player.fits()
    player.is_accessible()
    assert player.problems == []
