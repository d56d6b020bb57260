"""A declaration that goes with a card; two people and two bots at a table of Belot, to the end of the match."""

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE
from tests.browser.site import play_to_the_end, sit_down_together

pytestmark = pytest.mark.browser


@pytest.mark.thorough
@pytest.mark.parametrize("device, ticked, tally", [(PHONE, True, "Tierce 20"), (DESKTOP, False, "0 tricks")])
def test_a_declaration_goes_with_a_card_where_it_is_ticked(at_browser, device, ticked, tally):
    player = at_browser(device, reduced_motion="reduce")

    declares_with_the_first_card(player, tally, ticked=ticked)

    assert player.problems == []


@pytest.mark.thorough
def test_two_people_play_belot_to_its_end(at_browser):
    ana, boris = at_browser(DESKTOP, reduced_motion="reduce"), at_browser(PHONE, reduced_motion="reduce")
    ana.sign_in("Ana")
    boris.sign_in("Boris")
    code = sit_down_together(ana, boris, "belot", seats=4, target=51)
    ana.page.locator("#bid-box").wait_for()

    play_to_the_end(ana, boris)

    for player in (ana, boris):
        player.page.get_by_text("Final result").wait_for()
        heads = player.page.locator("table.sheet").first.locator("thead th.player").all_inner_texts()
        assert [head.split()[0] for head in heads] == ["We", "They"]
        opens_a_figure(player)

    page, key = boris.page, boris.page.keyboard
    boris.open(f"/matches/{code}/replay/")
    boris.wait_for_replay()
    key.press("End")
    page.locator("#sentence", has_text="plays").wait_for()
    rows = page.locator("#sheet tbody tr").count()
    opens_a_figure(boris)
    key.press("Home")
    page.locator("#sentence", has_text="The cards are dealt").wait_for()
    page.get_by_text("No deal has been scored yet.").wait_for()
    key.press("ArrowRight")
    page.locator("#sentence", has_text="bids").or_(page.locator("#sentence", has_text="passes")).wait_for()
    boris.is_accessible()
    assert rows >= 1
    assert ana.problems == []
    assert boris.problems == []


def declares_with_the_first_card(player, tally, *, ticked):
    """In the guide's deal, which is always the same: with hearts bid, three spades in a row go with the card led.

    tally: what then stands at the player's seat. ticked: whether the declaration is left as it is.
    """
    page = player.page
    player.open("/")
    page.locator("form[action*='belot'] button", has_text="Learn in one deal").click()
    player.wait_for_turn()
    player.prefer(taps="one")
    player.press(page.locator("#call-H"))
    box = page.locator("#declare-tierce-JS")
    box.wait_for()
    player.wait_for_turn()
    expect(page.locator("#sentence")).to_have_text("Your turn. Lead any card.")
    expect(box).to_be_checked()
    if not ticked:
        box.press("Enter")  # which plays no card
        expect(box).not_to_be_checked()
    player.is_accessible()
    moves = player.moves
    player.press(page.locator("#card-9S"))
    page.locator(f"#felt[data-moves='{moves + 1 + ticked}'] #seat-0 .tally", has_text=tally).wait_for()


def opens_a_figure(player):
    """A figure of the sheet opens its workings, and Escape shuts them and does nothing else."""
    page, address = player.page, player.page.url
    page.locator("table.sheet .figure").first.click()
    workings = page.locator(".workings:popover-open")
    workings.get_by_text("Score", exact=True).wait_for()
    page.keyboard.press("Escape")
    workings.wait_for(state="detached")
    player.is_accessible()
    assert page.url == address
