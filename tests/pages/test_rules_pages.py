"""What every rules page has, the words of the trade that lead there, and what a phone installs of the site."""

import re
from io import BytesIO

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils.html import escape
from PIL import Image

from games.catalog import all_games, get_game, get_rules
from tests import opening
from tests.matches import play_on
from tests.rules_page import NAMES, example_of, page_of, state_after

PAGES = ["oh-hell", "belot", "bids", "bleven"]
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

    parts = re.findall(r'<(?:h2|section) id="([^"]+)"', page.replace(contents, ""))

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


GAMES = [game.slug for game in all_games()]
MARKED = re.compile(r'popovertarget="(word-[\w-]+)"')


def ids(html):
    return set(re.findall(r' id="([\w-]+)"', html))


@pytest.fixture(params=GAMES)
def game(request):
    return get_game(request.param)


@pytest.fixture
def rules_page(game, client):
    return client.get(reverse("rules", args=[game.slug])).content.decode()


def test_each_word_is_told_of_on_the_rules_page(game, rules_page):
    assert {word.anchor for word in game.glossary} <= ids(rules_page)


def test_each_word_is_there_once_and_short(game):
    assert len({word.name for word in game.glossary}) == len(game.glossary) > 0
    assert all(len(word.means) <= 120 for word in game.glossary)


def test_rules_open_at_a_part_that_is_there_in_every_phase(game, rules_page, db):
    sections = []

    def look(snapshot):
        sections.append(game.drawing.rules_section(snapshot.rules.view(snapshot.state, None)))
        return False

    seats = game.newest.default_seats
    opened = opening.open_table(None, game.slug, seats=seats, bots=seats, speed="untimed")
    look(play_on(opened, until=lambda snapshot: look(snapshot) or snapshot.deal_count > 2))

    assert "" not in sections
    assert set(sections) <= ids(rules_page)


@pytest.mark.whole
def test_words_marked_at_the_table_are_explained_on_its_page(game, as_ana, ana):
    opened = opening.open_table(ana, game.slug, bots=game.newest.default_seats - 1, speed="untimed")
    pages = []

    def look(snapshot):
        pages.append(as_ana.get(reverse("match", args=[snapshot.code])).content.decode())
        return len(pages) > 8

    play_on(opened, until=look)

    for page in pages:
        assert set(MARKED.findall(page)) <= ids(page)
    assert MARKED.findall(pages[-1])


def test_link_to_the_rules_leads_to_the_part_for_the_phase(as_ana, ana):
    opened = opening.open_table(ana, "oh-hell", bots=3, speed="untimed")

    page = as_ana.get(reverse("match", args=[opened.code])).content.decode()

    assert 'href="/rules/oh-hell/#bidding"' in page
    assert 'data-rules="bidding"' in page


def test_the_site_can_be_installed(client, db):
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    answer = client.get("/manifest.webmanifest")
    told = answer.json()

    assert answer["Content-Type"] == "application/manifest+json"
    assert (told["scope"], told["start_url"], told["display"]) == ("/", "/", "standalone")
    assert {(icon["sizes"], icon["purpose"]) for icon in told["icons"]} == {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }
    for icon in told["icons"]:
        with open(finders.find(icon["src"].removeprefix("/static/")), "rb") as file:
            drawn = Image.open(BytesIO(file.read()))
        assert "{}x{}".format(*drawn.size) == icon["sizes"]
        corner = drawn.convert("RGBA").getpixel((0, 0))[3]
        assert corner == (255 if icon["purpose"] == "maskable" else 0)


@pytest.mark.parametrize(
    ("slug", "language", "heading"),
    [
        ("belot", "hr", "Ako znaš belu"),
        ("belot", "fr", "Si vous connaissez la contrée ou la coinche"),
        ("oh-hell", "de", "Wenn du Wizard kennst"),
        ("belot", "en", "The idea"),
        ("oh-hell", "en", "The idea"),
    ],
)
def test_readers_are_told_what_differs_from_a_game_of_their_place(client, slug, language, heading):
    page = client.get(f"/rules/{slug}/", headers={"accept-language": language}).text

    assert re.search(r'id="rules-text">.*?<h2[^>]*>([^<]+)', page, re.S)[1] == heading
