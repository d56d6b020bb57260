"""Rated tables and boards, as pages."""

import pytest

from games.models import Match
from games.play import seating
from games.ratings import updates
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

    refused = client.post("/tables/new/?game=oh-hell", sent | {"speed": "untimed"})
    opened = client.post("/tables/new/?game=oh-hell", sent)

    assert refused.status_code == 400
    assert "with a clock" in refused.content.decode()
    assert opened.status_code == 302
    assert Match.objects.get().rated
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
