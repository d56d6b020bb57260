"""What a replay has besides its steps: marks, thinking times, a second seat, paper; and that all of it is in sight."""

import re

import pytest
from playwright.sync_api import expect

from games.catalog import get_game
from tests.history.test_formats import SHORTEST

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SEATS = {"oh-hell": 7, "belot": 4, "bids": 6, "bleven": 4}
SHORT = SHORTEST | {"oh-hell": {"game_style": "short-down"}}  # which begins with the fullest hands
SLOWLY = """
from datetime import timedelta
from games.models import Match, Move, Seat
match = Match.objects.get(code="{code}")
moves = list(match.moves.order_by("index"))
start = moves[0].played_at
for move in moves:
    move.played_at = start + timedelta(seconds=30 * move.index)
Move.objects.bulk_update(moves, ["played_at"])
for seat in match.seats.all():
    Seat.objects.filter(pk=seat.pk).update(name="Bartholomew Featherstonehaugh " + str(seat.number))
"""
CONTROLS = "#controls :is(a, button, summary, select, input, label), .match-bar a.button"
OUT_OF_SIGHT = """(controls) => [...document.querySelectorAll(controls)]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
        const box = element.getBoundingClientRect();
        const found = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
        const there = found && (element.contains(found) || found.contains(element));
        return !inside || !there || element.scrollWidth > element.clientWidth + 1 && element.matches(".button, label");
    })
    .map((element) => element.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def codes(site):
    """The code of a match of each game, whose players have long names and think for half a minute each time."""
    found = {}
    for game, seats in SEATS.items():
        found[game] = site.played(game, seats=seats, **SHORT[game])
        site.shell(SLOWLY.format(code=found[game]))
    return found


@pytest.mark.parametrize("height", [720, 640])
@pytest.mark.parametrize("game", SEATS)
def test_nothing_of_the_controls_is_cut_off(player, codes, game, height):
    player.page.set_viewport_size({"width": 1280, "height": height})
    page = player.open_replay(codes[game], "?move=12&seat=1")

    assert page.evaluate(OUT_OF_SIGHT, CONTROLS) == []
    page.locator(".options summary").click()
    expect(page.get_by_label("Beside it")).to_be_in_viewport(ratio=1)
    expect(page.locator("#paper")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 1280


def test_marks_are_stepped_through_listed_and_chosen_by_kind(player, codes):
    page = player.open_replay(codes["belot"])
    marks = page.locator("#marks li")
    page.keyboard.press("n")

    first = marks.first.locator("a").get_attribute("href")
    expect(page).to_have_url(re.compile(re.escape(first) + "$"))
    assert page.locator(".pins > .pin").count() == marks.count()
    page.locator("#marks summary").click()
    marks.last.locator("a").click()
    page.locator("#marks input[value=contract]").uncheck()
    page.keyboard.press("p")

    expect(page.locator(".pins > .pin-contract:visible")).to_have_count(0)
    assert page.locator("#marks li:visible[data-kind=contract]").count() == 0
    shown, last = page.locator("#marks li:visible a"), marks.last.locator("a").get_attribute("href")
    before = [link for link in shown.evaluate_all("links => links.map(({search}) => search)") if link != last]
    expect(page).to_have_url(re.compile(re.escape(before[-1]) + "$"))
    player.is_accessible()


def test_two_seats_are_seen_side_by_side_and_the_address_says_so(player, codes):
    page = player.open_replay(codes["bids"], "?move=9&seat=1")

    page.keyboard.press("b")

    expect(page.locator(".open-hand")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?move=9&seat=1&beside=0$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".open-hand")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"\?move=10&seat=1&beside=0$"))
    player.shows_what_the_address_says()


def test_thinking_times_are_drawn_and_played_as_they_were_with_long_ones_capped(player, codes):
    page = player.open_replay(codes["oh-hell"], "?move=9")
    expect(page.locator(".took")).not_to_be_visible()

    page.keyboard.press("t")

    expect(page.locator(".took")).to_have_text("after 30 seconds")
    expect(page.locator(".thoughts")).to_be_visible()
    page.clock.install()
    page.locator(".options summary").click()
    page.get_by_label("Speed").select_option("played")
    page.keyboard.press("Escape")
    page.locator("#play").click()
    page.clock.run_for(4_500)
    expect(page.locator("#moves [aria-current]")).to_have_attribute("data-move", "9")
    page.clock.run_for(1_000)
    expect(page.locator("#moves [aria-current]")).to_have_attribute("data-move", "10")


@pytest.mark.parametrize("game", SEATS)
def test_a_deal_fits_on_one_page_of_paper(player, codes, game):
    page = player.open_replay(codes[game], "?move=20")
    page.locator(".options summary").click()
    page.locator("#paper").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text(get_game(game).deal_word)
    assert page.locator(".hands tr").count() >= SEATS[game]
    player.is_accessible()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True))) == 1
