"""Accounts, as far as they need scripts."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_password_is_shown_while_it_is_typed_and_sent_hidden(at_browser):
    player = at_browser()
    player.open("/accounts/signup/")
    page = player.page
    field = page.get_by_label("Password", exact=True)
    page.get_by_label("Name", exact=True).fill("Velislava")
    field.fill("a heron on the felt")

    page.get_by_role("button", name="Show password").click()
    expect(field).to_have_attribute("type", "text")
    player.is_accessible()
    page.get_by_role("button", name="Hide password").click()
    expect(field).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show password").click()
    page.locator("main form").get_by_role("button", name="Sign up").click()

    expect(page.get_by_text("Welcome, Velislava.")).to_be_visible()
    assert not player.problems
