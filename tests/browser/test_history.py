"""Searches in the history: filters apply by themselves, and a hit opens its deal."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser

SEED = """
from django.db import transaction

from accounts.models import User
from games.deal_index import making
from games.models import Match
from tests import opening
from tests.matches import play_on

user = User.objects.get(username="{name}")
named = {{"options": {{"target": 51}}, "seed": "{seed}" * 32, "speed": "untimed"}}
with transaction.atomic():  # The site would play its bots, too.
    opened = opening.open_table(user, "belot", seats=4, bots=3, **named)
    making.store_facts(Match.objects.get(code=play_on(opened).code))
"""


@pytest.fixture
def searcher(at_browser, site):
    def searcher(name, seed, *arguments, **options):
        player = at_browser(*arguments, **options)
        player.sign_in(name)
        site.shell(SEED.format(name=name, seed=seed))
        player.open()
        player.press(player.page.locator("#game-belot").get_by_text("Search my matches"))
        player.page.wait_for_url("**/matches/?game=belot")
        return player

    return searcher


def test_each_answer_is_one_tap_and_a_hit_opens_its_deal(searcher):
    player = searcher("Searcher", "12", PHONE)
    page = player.page
    found = page.locator("#found [role=status]")

    player.press(page.get_by_role("radio", name="Not doubled", exact=True))
    expect(page.locator(".asked")).to_contain_text("It was not doubled.")
    expect(page).to_have_url(re.compile(r"/matches/\?game=belot&deal.level=no$"))
    before = found.text_content()
    card = page.locator(".held-cards input").first
    player.press(card)
    expect(page.locator(".asked")).to_contain_text("You held:")
    expect(found).not_to_have_text(before)
    expect(card).to_be_focused()
    player.press(card)
    expect(found).to_have_text(before)
    player.is_accessible()
    assert player.fits()

    hit = page.locator(".hits a").first
    deal = hit.text_content().split()[-1]
    assert hit.get_attribute("href").endswith(f"/replay/?deal={deal}")
    player.press(hit)
    player.wait_for_replay()
    page.go_back()
    expect(page.locator(".asked")).to_contain_text("It was not doubled.")
    assert player.problems == []


def test_without_scripts_a_button_applies_the_filters(searcher):
    player = searcher("Patient", "34", java_script_enabled=False)
    page = player.page

    page.get_by_role("radio", name="Not doubled", exact=True).check(force=True)
    page.get_by_role("button", name="Apply").click()

    assert "It was not doubled." in page.locator(".asked").text_content()
    assert page.locator(".hits a").count()
    assert player.problems == []
