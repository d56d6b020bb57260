"""The result of a deal: it waits for who plays alone, counts down where several play, and is seen again later."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.site import at_one_table

pytestmark = pytest.mark.browser


COUNT_SOUNDS = """
    window.sounds = 0;
    const start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function (...when) { window.sounds += 1; start.apply(this, when); };
    const startOfNoise = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...when) { window.sounds += 1; startOfNoise.apply(this, when); };
"""


NOTE_COUNTDOWN = """
    window.counted = [];
    setInterval(() => {
        const place = document.querySelector(".countdown");
        if (place) window.counted.push(place.innerText);
    }, 50);
"""


NOTE_COVERED = """
    window.covered = [];
    setInterval(() => {
        const button = document.querySelector("#mine .result .buttons")?.getBoundingClientRect();
        if (!button?.height) return;
        const lines = [...document.querySelectorAll("#mine .result tr")];
        const under = lines.filter((line) => line.getBoundingClientRect().top < button.bottom - 1);
        window.covered.push(under.map((line) => line.innerText));
    }, 50);
"""


def to_the_result(*players):
    """Play on until a result is shown."""
    while not any(player.state()["ready"] for player in players):
        for player in players:
            player.play()
        players[0].wait_until_drawn()


def to_their_result(host, guest, **table):
    """Sit two people down at a table, the guest at a phone, and play until a result is shown."""
    at_one_table(host, guest, **table)
    for player in (host, guest):
        player.wait_for_scripts()
        player.prefer(hold="fast", taps="one")
    to_the_result(host, guest)


def test_alone_a_result_waits_and_is_seen_again(at_browser):
    ana = at_browser()
    page = ana.page
    ana.context.add_init_script(COUNT_SOUNDS)
    ana.open_table(seats=3, bots=2)
    ana.prefer(hold="fast")
    expect(page.locator("#bar-last")).to_be_hidden()
    to_the_result(ana)
    result = page.locator("#mine .result tbody").inner_text()

    assert page.evaluate("sounds") > 1  # a card of hers, and what came of it
    expect(page.locator("#ready-button")).to_be_visible()
    expect(page.locator(".countdown")).to_have_count(0)

    page.keyboard.press("n")
    expect(page.locator("#mine .result")).to_have_count(0)
    page.keyboard.press("r")
    expect(page.locator("dialog#last .result tbody")).to_have_text(re.compile(r"\w"))
    assert page.locator("dialog#last .result tbody").inner_text() == result
    ana.is_accessible()
    assert not ana.problems
    page.keyboard.press("Escape")
    expect(page.locator("dialog#last")).to_be_hidden()
    page.locator("#bar-last").click()
    expect(page.locator("dialog#last .result")).to_be_visible()


@pytest.mark.thorough
def test_together_the_seconds_until_the_next_deal_are_counted_down(at_browser):
    ana, boris = at_browser(), at_browser(PHONE)
    for player in (ana, boris):
        player.context.add_init_script(NOTE_COUNTDOWN)
    to_their_result(ana, boris, game="belot")  # it stays for 3.75 seconds at the site's pace

    for player in (ana, boris):
        expect(player.page.locator("#mine .result")).to_have_count(0, timeout=15_000)  # by itself
        counted = player.page.evaluate("counted")
        seconds = [int(re.fullmatch(r"Next deal in (\d+) s", words)[1]) for words in counted]

        assert len(set(seconds)) > 1
        assert seconds == sorted(seconds, reverse=True)
        assert not player.problems


@pytest.mark.thorough
def test_on_a_phone_the_button_for_the_next_hand_covers_no_line_of_the_result(at_browser):
    ana, boris = at_browser(), at_browser(PHONE)
    boris.context.add_init_script(NOTE_COVERED)
    to_their_result(ana, boris, bots=2)

    expect(boris.page.locator("#mine .result")).to_have_count(0)
    seen = boris.page.evaluate("covered")
    assert seen
    assert not any(seen)
