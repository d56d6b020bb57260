"""A claim by click and by touch, refused and accepted; comments on a move, with replies, in the replay."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE

pytestmark = pytest.mark.browser

POSITION = """
import hashlib
import sys
from accounts.models import User
from games.catalog import CHANCE, get_game
from games.play import due, moves, seating
from tests import opening
from games.bot_process import rule_move

ana = User.objects.get(username="{name}")
others = [User.objects.create_user("{name}" + ending) for ending in ("-two", "-three")]
for number in range(100):
    seed = hashlib.sha256(f"{name}{{number}}".encode()).hexdigest()
    table = opening.open_table(ana, "oh-hell", seats=3, speed="untimed", seed=seed)
    for other in others:
        table = seating.sit_down(other, table.code)
    seat = next(seat.number for seat in table.seats if seat.user_id == ana.pk)
    known = get_game("oh-hell").claims
    while table.deal_count == 1:
        views = [table.rules.view(table.state, each) for each in range(3)]
        may_claim = table.to_act == seat and known.can_claim(views[seat])
        if may_claim and known.is_true(views[seat], "all", views) == {wanted}:
            for other in others:  # Bots play on for them, so that the result of the deal stays until Ana has read it.
                seating.leave_match(other, table.code)
            sys.stdout.write(table.code)
            sys.exit()
        move = None if table.to_act == CHANCE else rule_move(due.question_of(table))
        table = moves.play_move(table.code, table.to_act, move, seen_count=table.move_count)
"""


def at_claim(site, player, name, *, wanted):
    """Bring a player to a table where the rest is, or is not, theirs."""
    player.sign_in(name)
    code = site.shell(POSITION.format(name=name, wanted=wanted)).strip()
    player.open(f"/matches/{code}/")
    player.wait_for_scripts()


@pytest.mark.parametrize("device", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.thorough)], ids=["click", "touch"])
def test_the_rest_is_claimed_and_played_out(at_browser, site, device):
    ana = at_browser(device)
    page = ana.page
    at_claim(site, ana, "Claimer" if ana.fingers else "Claimant", wanted=True)
    hand, sentence = page.locator("#hand").bounding_box(), page.locator("#sentence").bounding_box()

    ana.press(page.locator("#claim-button"))

    expect(page.locator("#claim")).to_be_visible()
    ana.is_accessible()
    assert page.locator("#hand").bounding_box() == hand
    box = page.locator("#claim").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.viewport_size["width"]
    assert box["y"] + box["height"] <= sentence["y"] + 1
    ana.press(page.get_by_role("button", name="The rest are mine"))
    expect(page.locator("#mine .claimed")).to_have_text(
        re.compile(r"^You claim the rest, and take the last \w+ tricks\.$")
    )
    expect(page.locator("#claim")).to_be_hidden()
    expect(page.locator("#say")).to_contain_text("You claim the rest")
    ana.is_accessible()
    assert ana.problems == []


@pytest.mark.thorough
def test_a_comment_is_written_replied_to_seen_in_stepping_and_deleted(at_browser, record):
    ana = at_browser(PHONE)
    page = ana.page
    ana.sign_in("Commentator")
    ana.open_replay(record["code"], "?move=4")
    page.locator("#comment").click()

    page.get_by_label("Your comment").fill("Why not the ace?")
    expect(page.locator(".slot").first).to_be_in_viewport()  # The position stays in sight.
    ana.press(page.get_by_role("button", name="Comment", exact=True))
    ana.wait_for_replay()
    expect(page.locator("#mine .comments")).to_contain_text("Why not the ace?")
    page.locator("#comment").click()
    expect(page.get_by_label("Your comment")).to_be_visible()
    ana.press(page.locator("#remark .comments summary"))
    page.get_by_label("Your reply").fill("Because of the queen.")
    ana.press(page.get_by_role("button", name="Send the reply"))

    ana.wait_for_replay()
    expect(page.locator(".comments li")).to_have_count(2)
    ana.is_accessible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".comments")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".comments")).to_contain_text("Because of the queen.")
    page.locator("#comment").click()
    expect(page.locator(".comment .words")).to_have_text(["Why not the ace?", "Because of the queen."])
    ana.is_accessible()
    ana.press(page.get_by_role("button", name="Delete “Why not"))
    page.get_by_role("dialog").locator(".danger").click()
    ana.wait_for_replay()
    expect(page.locator("#mine .comments")).not_to_contain_text("Why not the ace?")
    expect(page.locator("#mine .comments")).to_contain_text("Because of the queen.")
    assert f"/matches/{record['code']}/replay/?move=4" in page.url
    assert ana.problems == []
