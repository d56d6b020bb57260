"""What explains itself at a table: a first deal with a guide, the words of the trade, the rules beside it."""

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser

HIDES = """() => {
    const note = document.getElementById("guide").getBoundingClientRect();
    const needed = [...document.querySelectorAll("#hand .card, #bid-box, #mine .result .buttons")];
    const within = note.left >= 0 && note.top >= 0 && note.right <= innerWidth && note.bottom <= innerHeight;
    return !within || needed.some((element) => {
        const other = element.getBoundingClientRect();
        return note.left < other.right && other.left < note.right && note.top < other.bottom && other.top < note.bottom;
    });
}"""


MOVE_CARDS = """(up) => {
    for (const { style } of document.querySelectorAll("#hand .card")) style.translate = up ? "0 -5rem" : "";
    if (up) return dispatchEvent(new Event("resize"));
    for (const { style } of document.querySelectorAll("#hand .card")) style.transition = "translate 100ms";
}"""
FRAME_ABOVE_CARDS = """() => document.querySelector("#hand .card").getBoundingClientRect().top
    - document.getElementById("guide-frame").getBoundingClientRect().top"""


def read_notes(player, read):
    """Read the notes of the moment, each once; none hides what is needed to play."""
    note, button = player.page.locator("#guide"), player.page.locator("#guide-next")
    while note.is_visible():
        words = player.page.locator("#guide-words").text_content()
        assert words not in read  # one that was read does not come back
        assert not player.page.evaluate(HIDES), words
        read.append(words)
        player.press(button)


@pytest.mark.thorough
def test_newcomer_learns_in_one_hand_repeats_it_and_leaves(at_browser):
    player = at_browser(PHONE)
    page, read = player.page, []
    player.open()
    page.locator("#game-oh-hell").get_by_role("button", name="Learn in one hand").tap()
    page.locator("#guide").wait_for()
    player.is_accessible()
    player.prefer(taps="one", hold="fast")
    first = player.code

    while page.locator("main").get_attribute("data-status") == "playing":
        if player.state()["turn"]:
            read_notes(player, read)
            player.play()
        player.wait_until_drawn()
    page.locator("#guide").wait_for()
    read_notes(player, read)

    assert 7 <= len(read) <= 12
    player.is_accessible()
    player.press(page.locator("#guide-again"))
    page.locator("#bid-box").wait_for()
    assert player.code != first
    expect(page.locator("#guide-words")).to_have_text(read[0])
    player.press(page.locator("#bar-leave"))
    page.locator("#game-oh-hell").wait_for()
    assert page.url == f"{player.site.url}/"
    assert player.problems == []


@pytest.mark.thorough
def test_frame_of_a_note_follows_the_cards_that_are_being_dealt(at_browser):
    player = at_browser(PHONE)
    player.open()
    player.page.locator("#game-belot").get_by_role("button", name="Learn in one deal").tap()
    player.page.locator("#guide").wait_for()
    player.wait_until_at_rest()
    at_rest = player.page.evaluate(FRAME_ABOVE_CARDS)

    player.page.evaluate(MOVE_CARDS, True)
    player.page.evaluate(MOVE_CARDS, False)
    player.wait_until_at_rest()

    assert player.page.evaluate(FRAME_ABOVE_CARDS) == at_rest


def test_word_at_the_table_explains_itself_and_leads_to_the_rules(at_browser):
    player = at_browser()
    player.open_table(seats=3, bots=2)
    player.wait_for_scripts()
    panel = player.page.locator("#rules-panel")

    player.page.locator("#at-trump").focus()
    player.page.keyboard.press("Enter")
    note = player.page.locator("#word-trump")
    expect(note).to_contain_text("The suit that beats the others")
    player.is_accessible()
    note.get_by_role("link", name="Rules").click()
    expect(note).to_be_hidden()
    expect(panel.locator("#rules-word-trump")).to_be_in_viewport()
    player.is_accessible()
    player.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_rules_open_at_the_phase_and_let_one_play_on(at_browser):
    player = at_browser()
    player.open_table(seats=3, bots=2, game_style="short-down")
    player.wait_for_turn()

    player.page.locator("#bar-rules").click()
    expect(player.page.locator("#rules-bidding")).to_be_in_viewport()
    while not player.page.locator("#felt[data-phase='play']").count():
        player.play()
        player.wait_until_drawn()
    player.wait_for_turn()
    player.play()
    player.page.locator("#bar-rules").click()
    player.page.locator("#bar-rules").click()

    expect(player.page.locator("#rules-play")).to_be_in_viewport()
