"""Bleven in a browser: a match of two and one of pairs, from the form to the replay."""

import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE
from tests.browser.site import MATCH_LIMIT

pytestmark = pytest.mark.browser

MOST = 15  # stones at stake: so a match is over after a few rounds
CALLS = ["#call-declare", "#call-stay", "#call-draw", "#call-predict", "#call-suspect", "#call-in", "#call-pass"]


def bold(player):
    """The button of a player who declares at once and bets all there is."""
    offered = player.page.evaluate("[...document.querySelectorAll('#bid-box .call')].map((call) => '#' + call.id)")
    for call in CALLS:
        if call in offered and (button := player.legal.and_(player.page.locator(call))).count():
            if call == "#call-predict":
                predict(player)
            return button
    return player.legal.first


def low(player):
    """As `bold`, but with bets that leave room."""
    button = bold(player)
    stones = player.page.locator(".panel-predict #field-stones")
    if stones.count():
        stones.fill("2")
    return button


def predict(player, stones=MOST):
    panel = player.page.locator("#bid-box")
    panel.locator("#tricks-1").check(force=True)
    for place in (1, 2, 3):
        panel.locator(f"#positions-{place}").uncheck(force=True)
    panel.locator("#field-stones").fill(str(stones))


def sit_down_together(ana, boris, names, **options):
    """Names of their own, for the tests share a site."""
    for player, name in zip((ana, boris), names, strict=True):
        player.sign_in(name)
    code = ana.open_table(game="bleven", **options)
    boris.open(f"/matches/{code}/")
    boris.press(boris.page.locator("#sit-button"))
    for player in (ana, boris):
        player.page.locator("#hand").wait_for()
        player.prefer(hold="fast", taps="one")


def until(players, selector, pick):
    """Play as `pick` says until one of the players is asked by what `selector` finds; who that is, and the other."""
    deadline = time.monotonic() + MATCH_LIMIT
    while True:
        for player, other in (players, players[::-1]):
            if player.page.locator(selector).count():
                return player, other
            assert time.monotonic() < deadline
            player.go_on(pick)


@pytest.mark.thorough
def test_panel_says_what_a_prediction_is_worth(at_browser):
    ana, boris = at_browser(DESKTOP), at_browser(PHONE)
    sit_down_together(ana, boris, ("Elka", "Filip"), seats=2)
    declarer, replier = until((ana, boris), "#call-predict", bold)
    panel = declarer.page.locator("#bid-box")
    declarer.is_accessible()

    panel.locator("#tricks-2").check(force=True)
    for place in (1, 2):
        panel.locator(f"#positions-{place}").check(force=True)
    panel.locator("#more-stones").click()

    expect(panel.locator(".worth")).to_contain_text("If it is right: +10, if doubted +12")
    assert panel.locator("#positions-3").is_disabled()

    panel.locator("#tricks-1").check(force=True)

    expect(panel.locator(".worth")).to_contain_text("If it is right: +3, if doubted +5")
    expect(panel.locator(".worth")).to_contain_text("If it is wrong: 0, if doubted −2")
    assert not panel.locator("#positions-2").is_checked()

    declarer.press(panel.locator("#call-predict"))

    expect(replier.page.locator("#call-suspect")).to_contain_text(
        re.compile("if right: −(5|9)")  # 9 if the field is under 15: that costs four more
    )
    expect(replier.page.locator("#call-out")).to_contain_text("−5")
    replier.is_accessible()
    replier.page.locator("#way-raise").check(force=True)
    doubted = replier.page.locator("#raise-suspect .if").first
    expect(doubted).to_have_text(re.compile("^if right: −(6|10)"))
    replier.page.locator("#more-plus").click()
    expect(doubted).to_have_text(re.compile("^if right: −(7|11)"))
    expect(replier.page.locator(".by-raise .worth")).to_contain_text(re.compile("[45] stones"))
    replier.press(replier.page.locator("#raise-suspect"))
    expect(declarer.page.locator("#sentence")).to_contain_text("raises the bet to 4")
    assert ana.problems == boris.problems == []


@pytest.mark.thorough
def test_both_answers_with_a_prediction_fit_beside_its_stones(at_browser):
    ana, boris = at_browser(PHONE, reduced_motion="reduce"), at_browser(PHONE, reduced_motion="reduce")
    sit_down_together(ana, boris, ("Hristo", "Iskra"), seats=2)
    replier, other = until((ana, boris), "#call-top-suspect", low)

    replier.page.locator("#way-top").check(force=True)

    panel = replier.page.locator("#bid-box")
    boxes = [
        panel.locator(f"#{part}").bounding_box() for part in ("more-stones", "call-top-suspect", "call-top-deduce")
    ]
    assert all(left["x"] + left["width"] <= right["x"] for left, right in pairwise(boxes))
    assert boxes[-1]["x"] + boxes[-1]["width"] <= panel.bounding_box()["x"] + panel.bounding_box()["width"]
    assert all(box["height"] >= 44 for box in boxes)
    replier.is_accessible()

    replier.press(panel.locator("#call-top-deduce"))
    expect(other.page.locator("#sentence")).to_have_text(re.compile(r"^\w+ says 1 trick\. Your answer\?$"))
    assert ana.problems == boris.problems == []


def test_a_prediction_can_be_made_without_scripts(at_browser):
    ana = at_browser(DESKTOP, java_script_enabled=False)
    ana.sign_in("Gergana")
    ana.open()
    predicted = "Gergana bets 3 stones on 1 trick: the 2nd"
    deadline = time.monotonic() + MATCH_LIMIT
    while predicted not in ana.page.locator("main").text_content():
        assert time.monotonic() < deadline
        if ana.page.locator("main[data-status=playing]").count() == 0:  # not yet, or over without a prediction of hers
            ana.open("/")
            ana.page.get_by_role("button", name="Play Bleven").click()
            table = ana.page.url
        if ana.page.locator("#call-predict").count():
            ana.page.locator("#tricks-1").check(force=True)
            ana.page.locator("#positions-2").check(force=True)
            ana.page.locator("#field-stones").fill("3")
        for button in ["#call-predict", *CALLS, "#hand button", "#ready-button"]:
            legal = ana.page.locator(f'{button}:not([aria-disabled="true"])')
            if legal.count():
                legal.first.click()
                break
        ana.page.goto(table)
