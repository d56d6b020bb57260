"""Mistakes to try again, at a browser: by keyboard, by touch, without scripts."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE

pytestmark = pytest.mark.browser

SEED = """
import json
from accounts.models import User
from games.models import Match, Move
from tests.analysis.mistakes import analyse, moves_of

match = Match.objects.get(code="{code}")
user = User.objects.get(username="{name}")
match.seats.filter(number=1).update(user=user, bot="")
Move.objects.filter(match=match, seat=1).update(actor="player")
rows = analyse(match, 1, 8.0, 6.0, types=("play",))
print(json.dumps([[move["card"] for move in moves_of(row)] for row in rows]))
"""


@pytest.fixture
def learner(at_browser, site):
    """Return a function that makes a player with two mistakes: (player, code, [played, fine, half] of each)."""

    def make(name, device=DESKTOP, **options):
        code = site.played("oh-hell", seats=3, game_style="short-down")
        player = at_browser(device, **options)
        player.sign_in(name)
        return player, code, json.loads(site.shell(SEED.format(code=code, name=name)))

    return make


def is_said(page, words):
    """The sentence above the hand, which screen readers are told as well."""
    expect(page.locator("#sentence")).to_contain_text(words)
    expect(page.locator("#say")).to_contain_text(words)


def test_by_keyboard(learner):
    player, code, ((_, fine, half), (_, other, _)) = learner("Kira")
    page = player.page
    player.open(f"/matches/{code}/analysis/")
    page.get_by_role("link", name="Learn from your mistakes").press("Enter")
    expect(page.get_by_text("0 of 2 positions solved")).to_be_visible()
    player.is_accessible()
    player.wait_for_scripts()

    def play(card):
        for _ in range(80):
            if page.evaluate("Boolean(document.activeElement.closest('#hand'))"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Home")
        while page.evaluate("document.activeElement.id") != f"card-{card}":
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")

    play(half)
    is_said(page, "would lose 4.0 points. Try again.")
    assert page.evaluate("document.activeElement.id") == f"card-{half}"
    play(fine)
    is_said(page, "Right:")
    expect(page.get_by_text("1 of 2 positions solved")).to_be_visible()
    player.is_accessible()
    onward = page.get_by_role("link", name="Next position")
    expect(onward).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"#hand #card-{other}")).to_be_visible()
    player.wait_for_scripts()
    play(other)
    is_said(page, "Right:")
    expect(page.get_by_text("2 of 2 positions solved")).to_be_visible()
    expect(onward).to_have_count(0)
    expect(page.get_by_text("All solved.")).to_be_visible()
    player.open(f"/matches/{code}/learn/")
    expect(page.get_by_text("All solved.")).to_be_visible()
    player.is_accessible()
    assert player.problems == []


def test_by_touch(learner):
    player, _, ((_, fine, half), _) = learner("Tara", PHONE)
    page = player.page
    player.open("/learn/")
    assert player.fits()
    player.is_accessible()

    player.press(page.locator("#hint-button"))
    expect(page.get_by_text("What speaks for the best move:")).to_be_visible()
    player.press(page.locator(f"#card-{half}"))
    is_said(page, "Try again.")
    expect(page.locator("#sentence")).to_be_in_viewport()
    expect(page.get_by_text("What speaks for the best move:")).to_be_visible()  # still
    player.press(page.locator(f"#card-{fine}"))
    expect(page.locator(".panel", has_text="Right:")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Next position")).to_be_in_viewport()
    assert player.fits()
    player.is_accessible()
    player.press(page.get_by_role("link", name="Next position"))
    page.wait_for_url("**at=*")
    player.press(page.get_by_role("button", name="Show the answer"))
    expect(page.locator(".advice")).to_be_visible()
    expect(page.get_by_text("1 of 2 positions solved")).to_be_visible()
    player.is_accessible()
    assert player.problems == []


def test_without_scripts(learner):
    player, code, ((played, fine, _), _) = learner("Nora", java_script_enabled=False)
    page = player.page
    player.open(f"/matches/{code}/learn/")

    page.locator("#hint-button").click()
    expect(page.get_by_text("What speaks for the best move:")).to_be_visible()
    page.locator(f"#card-{played}").click()
    expect(page.locator("#sentence")).to_contain_text("would lose 8.0 points. Try again.")
    closed = page.locator("#hand [aria-disabled='true']")
    if closed.count():
        closed.first.click(force=True)
        expect(page.locator("#sentence")).to_contain_text(re.compile("You hold|Play"))
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".advice")).to_be_visible()
    page.get_by_role("link", name="Next position").click()
    page.get_by_role("link", name="Skip", exact=True).click()
    page.locator(f"#card-{fine}").click()
    expect(page.locator("#sentence")).to_contain_text("Right:")
    page.reload()
    expect(page.get_by_text("1 of 2 positions solved")).to_be_visible()
    assert all(re.search(r"\b400\b", problem) for problem in player.problems)  # of the card that may not be played


def test_an_analysis_that_is_deleted_meanwhile(learner, site):
    player, code, ((_, fine, _), _) = learner("Dana")
    page = player.page
    player.open(f"/matches/{code}/learn/")
    player.wait_for_scripts()
    site.shell(f"from games.analysis.models import Analysis; Analysis.objects.filter(match__code='{code}').delete()")

    page.locator(f"#card-{fine}").click()

    expect(page.locator("#learn")).to_contain_text("its analysis was deleted")
    expect(page.locator("#say")).to_contain_text("its analysis was deleted")
    assert all(re.search(r"\b404\b", problem) for problem in player.problems)
