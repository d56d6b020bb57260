"""Rated tables and boards, as pages."""

import re
from html import unescape
from itertools import pairwise

import pytest
from django.utils import timezone

from games.models import Match, Seat
from games.play import seating
from games.ratings import boards, graph, updates
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(users):
    opened = opening.open_table(users[0], "oh-hell", seats=3, options={"game_style": "short-up"}, rated=True)
    seating.sit_down(users[1], opened.code)
    return play_on(seating.sit_down(users[2], opened.code))


def test_a_member_opens_a_rated_table_by_the_form(client, ana):
    client.force_login(ana)
    fields = {"seats": 3, "bots": 0, "listed": "yes", "speed": "normal", "rated": "yes", "preset": "usual"}
    drawn = client.get("/tables/new/?game=oh-hell&seats=3").context["form"]
    sent = {name: field.initial or drawn.initial.get(name, "") for name, field in drawn.fields.items()} | fields
    sent |= {name: drawn.initial[name] for name in drawn.initial if name.startswith(("option_", "preset", "drawn"))}

    opened = client.post("/tables/new/?game=oh-hell", sent | {"speed": "untimed"})

    assert opened.status_code == 302
    match = Match.objects.get()
    assert (match.rated, match.speed) == (True, "normal")  # A rated table needs a clock, so it gets one.
    page = client.get(opened.url).content.decode()
    assert "members only" in page
    assert "Add a bot" not in page
    assert "Start with bots" not in page


def test_visitors_are_not_offered_it(client):
    assert "rated" not in client.get("/tables/new/?game=oh-hell").context["form"].fields


def test_the_match_shows_what_it_did_as_soon_as_it_is_known(client, rated, users):
    client.force_login(users[0])
    waiting = client.get(f"/matches/{rated.code}/").content.decode()
    assert f'hx-get="/matches/{rated.code}/ratings/"' in waiting

    updates.rate_pending()

    part = client.get(f"/matches/{rated.code}/ratings/", headers={"HX-Request": "true"}).content.decode()
    assert "hx-get" not in part
    assert part.count("<tr>") == 4
    assert "±" in client.get(f"/matches/{rated.code}/").content.decode()
    assert client.get(f"/matches/{rated.code}/ratings/").status_code == 200


@pytest.mark.parametrize("query", ["pace=fast", "month=2026-13", "month=now", "seats=99", "seats=x"])
def test_rubbish_is_refused(client, query):
    assert client.get(f"/ratings/oh-hell/?{query}").status_code == 400


def test_boards_are_there_for_every_game(client, rated):
    updates.rate_pending()

    assert client.get("/ratings/").status_code == 200
    assert "Gained" in client.get("/ratings/oh-hell/?seats=3").content.decode()
    assert client.get("/ratings/belot/?pace=slow").status_code == 200
    assert client.get("/ratings/chess/").status_code == 404


def test_ratings_are_hidden_and_shown_again(client, ana, rated):
    updates.rate_pending()
    client.force_login(ana)

    assert client.post("/ratings/hide/", {"hides": "perhaps"}).status_code == 400
    client.post("/ratings/hide/", {"hides": "yes"})
    assert "Only you can see" in client.get("/ratings/").content.decode()
    client.post("/ratings/hide/", {"hides": "no"})
    assert "Everybody can see" in client.get("/ratings/").content.decode()


def test_a_rating_has_a_graph_and_a_table_that_lead_to_its_matches(client, ana, rated):
    updates.rate_pending()

    page = client.get("/players/Ana/ratings/oh-hell/")
    text = page.content.decode()
    (search,) = re.findall(r'href="(/players/Ana/\?[^"]+)"', text)

    assert page.context["rated_matches"] == 1
    assert page.context["graph"]["levels"][0].points < page.context["graph"]["levels"][-1].points
    assert f'href="/matches/{rated.code}/"' in text
    assert '<path d="M40' in text
    assert client.get(unescape(search)).context["matches"] == 1
    assert "No rated match here yet" in client.get("/players/Ana/ratings/belot/").content.decode()
    assert client.get("/players/Ana/ratings/chess/").status_code == 404
    assert "/players/Ana/ratings/oh-hell/" in client.get("/players/Ana/").content.decode()


def test_the_course_of_a_hidden_rating_is_for_its_owner(client, ana, boris, rated):
    updates.rate_pending()
    boards.set_hides_ratings(ana, True)

    assert "<path" not in client.get("/players/Ana/ratings/oh-hell/").content.decode()
    client.force_login(boris)
    assert rated.code not in client.get("/players/Ana/ratings/oh-hell/").content.decode()
    client.force_login(ana)
    assert rated.code in client.get("/players/Ana/ratings/oh-hell/").content.decode()


def test_gains_open_the_matches_that_they_count(client, rated):
    updates.rate_pending()

    for query in ("?seats=3", f"?month={timezone.now():%Y-%m}"):
        page = client.get(f"/ratings/oh-hell/{query}").content.decode()
        links = re.findall(r'<a href="(/players/[^"]+result=[^"]+)">(\d+)</a>', page)

        assert len(links) == 3 + Seat.objects.filter(finish=1).count()  # Three players' matches, and each win.
        assert [client.get(unescape(href)).context["matches"] for href, _ in links] == [
            int(words) for _, words in links
        ]


def test_rows_of_the_lobby_show_the_rating_of_the_host_of_a_rated_table(client, users, rated):
    updates.rate_pending()
    points = boards.ratings_of(users[0])[0]["points"]
    for options in ({"rated": True, "speed": "normal"}, {}):
        opening.open_table(users[0], "oh-hell", seats=3, options={"game_style": "short-up"}, listed=True, **options)

    assert client.get("/").content.decode().count(f">{points}?</span>") == 1
    boards.set_hides_ratings(users[0], True)
    assert f">{points}?</span>" not in client.get("/").content.decode()


@pytest.mark.parametrize("count", [1, 3, 1000])
def test_a_graph_of_any_length_stays_inside_its_frame(count):
    now = timezone.now()
    points = [1500 + 37 * (index % 9) for index in range(count + 1)]
    course = [{"before": before, "after": after, "ended_at": now} for before, after in pairwise(points)]

    drawn = graph.rating_graph(course)
    places = [tuple(map(float, place.split())) for place in drawn["path"][1:].split("L")]

    assert len(places) == min(count + 1, graph.MAX_POINTS)
    assert all(0 <= x <= graph.WIDTH and 0 <= y <= graph.HEIGHT for x, y in places)
    assert 2 <= len(drawn["levels"]) <= graph.MAX_LINES + 1
