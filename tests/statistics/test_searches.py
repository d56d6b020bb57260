"""The links of figures: each opens a search that finds exactly what the figure counts."""

import re
from html import unescape

import pytest

from tests.statistics.test_statistics import played

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

WITHOUT_LINK = re.compile(r'<td class="number">\s*([^<\s]+)')
LINK = re.compile(r'<td class="number"><a href="([^"]+)">([^<]+)</a>')
SEATS = {"oh-hell": 3, "belot": 4, "bids": 4, "bleven": 4}


def figures_with_links(client, address):
    """The links of all figures of a page, as (address, words)."""
    page = client.get(address).content.decode()
    return [(unescape(href), words) for href, words in LINK.findall(page)]


def found(client, address):
    context = client.get(address).context
    return context["matches"] if context["deals"] is None else context["deals"]


def check(client, links):
    """Follow links. A number is that of what is found. Return how many links there were."""
    for href, words in links:
        number = found(client, href)
        if words.isdigit():
            assert number == int(words), href
        else:
            assert number > 0, href
    return len(links)


@pytest.mark.parametrize("game", SEATS)
def test_each_figure_opens_exactly_what_it_counts(client, users, game):
    for seed in ("12", "34"):
        played(users[0], game, seed=seed, others=users[1:3], seats=SEATS[game])

    address = f"/players/Ana/statistics/{game}/"
    links = figures_with_links(client, address)

    assert check(client, links) > 10
    assert any("ended=" in href for href, _ in links)
    assert any("deal." in href for href, _ in links)
    assert set(WITHOUT_LINK.findall(client.get(address).text)) <= {"0", "0%"}


def test_drawings_have_decimal_points_in_languages_with_commas(client, users):
    played(users[0], "belot", others=users[1:3], seats=4)
    client.cookies["language"] = "de"

    for address in ("/players/Ana/statistics/belot/", "/compare/Ana/Boris/"):
        rectangles = re.findall("<rect[^>]*>", client.get(address).text)

        assert rectangles
        assert not [each for each in rectangles if "," in each]


def test_shares_open_the_deals_of_which_they_are_true(client, ana):
    match = played(ana, "oh-hell", seats=3)
    seat = match.seats.get(user=ana).number
    lines = [row["seats"][seat] for row in match.score_sheet["hands"]]
    made = [line for line in lines if line["taken"] == line["bid"]]

    links = [href for href, words in figures_with_links(client, "/players/Ana/statistics/oh-hell/") if "%" in words]
    all_made = next(href for href in links if href.endswith("?game=oh-hell&deal.off=made"))

    assert found(client, all_made) == len(made)


@pytest.mark.parametrize("are_pairs", [False, True])
def test_comparisons_open_the_matches_that_they_count(client, users, are_pairs):
    for seed in ("12", "34", "56"):
        played(users[0], "belot", seed=seed, others=users[1:4], seats=4)
    names = pairs_of(users) if are_pairs else "Ana/Boris"

    links = figures_with_links(client, f"/compare/{names}/")

    assert check(client, links) >= 2
    assert set(WITHOUT_LINK.findall(client.get(f"/compare/{names}/").text)) <= {"0", "0%"}


def pairs_of(users):
    """The names of two pairs who have played, partners side by side."""
    seats = users[0].seats.first().match.seats.select_related("user").order_by("team", "number")
    return "/".join(seat.user.username for seat in seats)
