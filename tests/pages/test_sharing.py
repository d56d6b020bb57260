"""What is shown of a match elsewhere: pictures, its replay in other pages, links that tell nothing too early."""

import json
import re
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from games.deal_index.share_cards import moment_card, plays_on_table
from games.models import Match, Seat
from games.play import memory
from tests import opening
from tests.matches import play_on, replay_of

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

DENIED = ["", "replay/", "replay/print/?deal=1", "shuffle/", "replay/frames/?deal=1"]


def get(client, snapshot, path, **headers):
    return client.get(f"/matches/{snapshot.code}/{path}", headers=headers)


def data_of(page):
    return json.loads(re.search(r'id="replay-data" type="application/json">(.*?)</script>', page)[1])


@pytest.fixture
def running(started):
    """A match among three people, with cards on the table and in their hands."""
    return play_on(started, until=lambda at: at.deal_count == 3 and at.state.trick and at.state.tricks)


def picture(answer):
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    image = Image.open(BytesIO(answer.content))
    assert image.size == (1200, 630)
    return image


# Without spoilers


def test_page_without_spoilers_ends_with_the_deal_of_its_move(client, finished):
    deal = replay_of(finished).deals[3]

    page = get(client, finished, f"replay/?move={deal.start}&spoilers=off").text

    data = data_of(page)
    assert (data["last"], data["hides"], len(data["deals"]), len(data["times"])) == (deal.last, True, 4, deal.last + 1)
    assert max(map(int, re.findall(r"[?]move=(\d+)", page))) == deal.last + 1
    assert max(map(int, re.findall(r'data-move="(\d+)"', page))) == deal.start
    assert max(mark[0] for mark in data["marks"]) <= deal.start
    assert f'"/matches/{finished.code}/"' not in page  # where the result is


def test_nothing_of_what_comes_depends_on_what_comes(client, finished):
    """The page is the same, byte by byte, where the match has no later deals at all, but for who asks when."""
    deal = replay_of(finished).deals[3]
    address = f"replay/?move={deal.start}&spoilers=off"
    whole = get(client, finished, address).text
    Match.objects.get(code=finished.code).moves.filter(index__gt=deal.last + 1).delete()

    assert get(client, finished, address).text == whole


@pytest.mark.parametrize("page", ["replay/", "replay/frames/"])
def test_links_without_spoilers_stay_so(client, finished, page):
    text = get(client, finished, f"{page}?deal=2&spoilers=off").text

    links = re.findall(r'href="(\?move=[^"]*)"', text)
    assert links
    assert all(link.endswith("spoilers=off") for link in links)


def test_the_end_is_told_to_who_has_reached_it(client, finished):
    last = replay_of(finished).last

    for beyond in (last, last + 1, 9999):
        page = get(client, finished, f"replay/?move={beyond}&spoilers=off").text
        assert not data_of(page)["hides"]
        assert "You have reached the end" in page


def test_a_switch_that_is_none_is_refused(client, finished):
    assert get(client, finished, "replay/?spoilers=perhaps").status_code == 400


# What other sites are told


def test_page_of_a_match_tells_how_it_ended_and_its_link_without_spoilers_does_not(client, finished):
    names = [player["name"] for player in finished.players()]
    score = str(Match.objects.get(code=finished.code).standings[0]["score"])

    told = {}
    for page in ("", "replay/?move=9", "replay/?move=9&spoilers=off"):
        told[page] = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', get(client, finished, page).text))

    assert score in told[""]["description"]
    assert told["replay/?move=9&spoilers=off"]["description"] == "{}, {} and {}".format(*names)
    assert told["replay/?move=9&spoilers=off"]["image"].endswith("card.png?move=9&amp;spoilers=off")
    for each in told.values():
        assert each["url"].startswith("http://testserver/matches/")
        assert each["image"].startswith("http://testserver/matches/")


@pytest.mark.parametrize("query", ["", "?spoilers=off", "?move=40", "?move=40&open=1", "?move=9999"])
def test_pictures_are_drawn_once(client, finished, query):
    answer = get(client, finished, f"card.png{query}")

    picture(answer)
    assert get(client, finished, f"card.png{query}", if_none_match=answer["ETag"]).status_code == 304


def test_picture_without_spoilers_is_that_of_any_end(client, finished):
    before = get(client, finished, "card.png?spoilers=off").content, get(client, finished, "card.png").content
    stored = Match.objects.get(code=finished.code)
    for line in stored.standings:
        line["score"] += 1
    stored.save()

    assert get(client, finished, "card.png?spoilers=off").content == before[0]
    assert get(client, finished, "card.png").content != before[1]


def test_picture_of_a_moment_is_drawn_of_what_everybody_saw(client, running):
    shown = replay_of(running)
    asked = []
    shown.rules = type("Spied", (), {"__getattr__": lambda self, name: getattr(running.rules, name)})()
    shown.rules.view = lambda state, seat: asked.append(seat) or running.rules.view(state, seat)

    moment_card(shown, shown.last)

    assert asked == [None]
    assert [play["card"] for play in plays_on_table(shown, shown.last)] == list(running.state.trick)


def test_cards_of_a_running_match_are_drawn_for_nobody(running):
    client = Client()
    client.force_login(Seat.objects.get(match__code=running.code, number=0).user)

    picture(get(client, running, f"card.png?move={running.move_count - 1}"))
    assert get(client, running, f"card.png?move={running.move_count - 1}&open=1").status_code == 403
    assert get(client, running, f"card.png?move={running.move_count - 1}&seat=0").status_code == 403


def test_who_may_not_watch_sees_no_picture_even_where_a_player_asks(running):
    Match.objects.update(watching=Match.Watching.OFF)
    memory.forget()
    client = Client()
    client.force_login(Seat.objects.get(match__code=running.code, number=0).user)

    assert get(client, running, "").status_code == 200
    for query in ("", "?move=3"):
        assert get(client, running, f"card.png{query}").status_code == get(Client(), running, "").status_code != 200


def test_pictures_are_rationed(client, finished, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"card": "2/m/ip"}

    assert [get(client, finished, "card.png").status_code for _ in range(3)] == [200, 200, 429]


# Within other pages


def test_only_the_frame_of_a_replay_may_be_shown_within_other_pages(client, finished):
    framed = get(client, finished, "embed/?move=9&seat=1")

    assert framed.status_code == 200
    assert not framed.has_header("X-Frame-Options")
    assert "frame-ancestors *;" in f"{framed['Content-Security-Policy']};"
    for page in DENIED:
        answer = get(client, finished, page)
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def test_the_frame_knows_nobody_and_acts_for_nobody(finished, ana):
    client = Client()
    client.force_login(ana)

    framed = get(client, finished, "embed/?move=9")

    assert not re.search(r"\bAna\b", framed.text)
    assert "csrf" not in framed.text
    assert 'method="post"' not in framed.text
    assert not framed.cookies
    assert framed.content == get(Client(), finished, "embed/?move=9").content


def test_a_table_without_a_match_has_no_frame_and_a_picture_of_who_sits_there(client, ana):
    opened = opening.open_table(ana, "oh-hell", seats=4)

    assert get(client, opened, "embed/").status_code == 403
    assert get(client, opened, "card.png?move=3").status_code == 404
    picture(get(client, opened, "card.png"))
