"""What every rules page has: places to link to, every option, a worked example that the rules have played."""

import re

import pytest
from django.utils.html import escape

from games.catalog import get_game, get_rules
from tests.rules_page import NAMES, example_of, page_of, state_after

PAGES = ["oh-hell", "belot", "bids"]
PLACES = ["goal", "cards", "deal", "bidding", "play", "scoring", "end", "example", "sheet", "options", "time"]

every_page = pytest.mark.parametrize("slug", PAGES)


@every_page
def test_a_table_can_link_to_every_part(client, slug):
    ids = re.findall(r' id="([^"]+)"', page_of(client, slug))

    assert [place for place in PLACES if place not in ids] == []
    assert len(ids) == len(set(ids))


@every_page
def test_contents_name_every_part_in_order(client, slug):
    page = page_of(client, slug)
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.S)[0]

    parts = re.findall(r'<h2 id="([^"]+)"', page.replace(contents, ""))

    assert re.findall(r'href="#([^"]+)"', contents) == parts


@every_page
def test_every_option_and_preset_is_told(client, slug):
    page, rules = page_of(client, slug), get_rules(slug)

    for option in rules.option_fields():
        part = re.split(r"<h[23]", page.split(f'id="option-{option.name}"')[1])[0]
        told = [option.label, option.help]
        told += [text for choice in option.choices if choice.help for text in (choice.label, choice.help)]
        assert [text for text in told if escape(text) not in part] == []
    told = [text for preset in rules.presets for text in (preset.name, preset.help)]
    assert [text for text in told if escape(text) not in page] == []


@every_page
def test_rules_have_played_the_example(slug):
    example, rules = example_of(slug), get_rules(slug)

    state = state_after(slug)

    assert rules.score_sheet(state) == example["score_sheet"]
    assert rules.standings(state) == example["standings"]


@every_page
def test_the_sheet_of_the_example_is_drawn(client, slug):
    example, game = example_of(slug), get_game(slug)
    sheet = game.drawing.sheet(example["score_sheet"], [{"name": name} for name in NAMES[: example["seats"]]])
    page = page_of(client, slug)

    drawn = re.findall(r'data-deal="(\d+)"', page)

    assert drawn == [row["number"] for row in sheet["rows"]]
    assert all(total["total"] in page.split("<tfoot>")[1] for total in sheet["totals"])


@every_page
def test_what_scrolls_sideways_takes_the_focus(client, slug):
    scrolling = re.findall(r'<div class="scroll"[^>]*>', page_of(client, slug))

    assert scrolling
    assert [tag for tag in scrolling if 'tabindex="0"' not in tag or 'role="region"' not in tag] == []


def test_page_of_a_game_without_an_example_has_no_sheet(client):
    assert "data-deal" not in page_of(client, "bleven")
