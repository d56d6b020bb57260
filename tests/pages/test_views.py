"""Pages: what they show, what they refuse, and that they work as plain forms."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.deal_index import played
from games.kit.shuffle import commitment
from games.models import Match, Move
from games.pages.filters import FilterForm
from games.play import memory, moves, seating
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db


def log_in_as(client, snapshot, number):
    client.force_login(User.objects.get(pk=snapshot.seats[number].user_id))


def first_move(snapshot):
    return json.dumps(snapshot.rules.legal_moves(snapshot.state)[0])


def form_of(client, address, game="oh-hell"):
    """The fields of the form on a page that plays a game at once."""
    page = client.get(address).content.decode()
    form = re.search(rf'action="/play/{game}/"[^>]*>(.*?)</form>', page, re.DOTALL)[1]
    return {"form_key": re.search(r'name="form_key" value="([\w-]+)"', form)[1]}


@pytest.mark.parametrize("address", ["/", "/rules/", "/rules/oh-hell/"])
def test_a_form_that_comes_twice_opens_one_table(as_ana, address):
    form = form_of(as_ana, address)

    first = as_ana.post("/play/oh-hell/", form)
    again = as_ana.post("/play/oh-hell/", form)

    assert first.url == again.url == Match.objects.get().get_absolute_url()


def test_two_games_of_one_page_are_two_tables(as_ana):
    for game in ("oh-hell", "belot"):
        assert as_ana.post(f"/play/{game}/", form_of(as_ana, "/", game)).status_code == 302

    assert sorted(Match.objects.values_list("game", flat=True)) == ["belot", "oh-hell"]


def test_a_form_plays_again_when_its_table_is_no_more(as_ana):
    form = form_of(as_ana, "/")
    left = as_ana.post("/play/oh-hell/", form)
    as_ana.post(f"{left.url}leave/")

    again = as_ana.post("/play/oh-hell/", form)

    assert again.status_code == 302
    assert again.url != left.url


def test_a_browser_gives_its_share_when_all_seats_are_taken(as_ana, ana):
    as_ana.post("/play/oh-hell/", {"entropy_hash": commitment("ab" * 32)})
    match = Match.objects.get()
    page = as_ana.get(match.get_absolute_url()).content.decode()

    wrong = as_ana.post(f"{match.get_absolute_url()}entropy/", {"entropy": "cd" * 32})
    given = as_ana.post(f"{match.get_absolute_url()}entropy/", {"entropy": "ab" * 32})
    late = as_ana.post(f"{match.get_absolute_url()}entropy/", {"entropy": "cd" * 32})

    assert match.status == "open"
    assert commitment("ab" * 32) in page
    assert [wrong.status_code, given.status_code, late.status_code] == [400, 204, 409]
    match.refresh_from_db()
    assert (match.status, match.seats.get(user=ana).entropy) == ("playing", "ab" * 32)


NO_PAGE = "There’s no page at this address. It may be mistyped, or the table it led to may have closed."


@pytest.mark.parametrize(
    "address, sentence",
    [
        ("/mathces/", NO_PAGE),
        ("/matches/nowhere1/", "There is no such match. Check the address."),
        ("/matches/nowhere1/sheet/", "There is no such match. Check the address."),
        ("/players/a%00b/", "There is no such player. Check the name."),
        ("/players/%ED%A0%80/", "There is no such player. Check the name."),
        ("/rules/chess/", "This site doesn’t have that game. Choose one in the lobby."),
        ("/tables/new/?game=chess", "This site doesn’t have that game. Choose one in the lobby."),
    ],
)
def test_what_is_not_there_is_a_page_that_says_so_and_leads_back(client, address, sentence):
    answer = client.get(address)

    page = unescape(answer.text)
    assert answer.status_code == 404
    assert re.search(r'<p class="lead">\s*(.*?)\s*</p>', page, re.DOTALL)[1] == sentence
    assert "Back to the lobby" in page
    assert not re.search(r"Resolver404|the given query", page)


def test_who_leaves_a_match_goes_back_to_the_tables_and_finds_it_noted(as_ana, ana):
    match = opening.quick_play(ana, "oh-hell")
    play_on(match, until=lambda snapshot: snapshot.move_count > 1 + snapshot.seat_count)  # everybody has bid

    answer = as_ana.post(f"/matches/{match.code}/leave/", follow=True)

    assert answer.redirect_chain == [("/", 302)]
    assert "You have left the match. A bot plays on in your seat." in answer.text
    history = as_ana.get("/matches/").text
    assert "In progress" in history
    assert '<span class="badge warn">left</span>' in history


def test_who_leaves_a_match_without_having_played_is_told_that_it_is_closed(as_ana, ana):
    match = opening.quick_play(ana, "oh-hell")

    answer = as_ana.post(f"/matches/{match.code}/leave/", follow=True)

    assert "You have left the match. Nobody had played yet, so the table is closed." in answer.text
    assert Match.objects.get(code=match.code).status == Match.Status.CLOSED


def test_a_move_is_made_by_a_plain_form(client, started):
    log_in_as(client, started, started.to_act)

    answer = client.post(f"/matches/{started.code}/move/", {"move": first_move(started), "seen": "1"})

    assert answer.status_code == 302
    assert Move.objects.filter(match__code=started.code).count() == 2


@pytest.mark.parametrize(
    "sent, status, words",
    [
        (('{"type":"bid","tricks":9}', "1"), 400, "whole number"),
        (('{"type":"bid","tricks":0}', "0"), 409, "moved on"),
        (('{"type":"bid","tricks":0}', "x"), 400, "not a move"),
        (("[[[", "1"), 400, "not a move"),
        (("[" * 5000, "1"), 400, "not a move"),
        (('{"type":"deal","deck":[]}', "1"), 400, ""),
    ],
)
def test_a_refused_move_is_answered_by_the_table_and_the_reason(client, started, sent, status, words):
    move, seen = sent
    log_in_as(client, started, started.to_act)

    answer = client.post(f"/matches/{started.code}/move/", {"move": move, "seen": seen})

    assert answer.status_code == status
    assert words in answer.content.decode()
    assert 'id="mine"' in answer.content.decode()
    assert Move.objects.filter(match__code=started.code).count() == 1


def test_oversized_requests_are_refused(as_ana, started):
    answer = as_ana.post(f"/matches/{started.code}/move/", {"move": "x" * 100_000, "seen": "1"})

    assert answer.status_code in (400, 413)
    assert Move.objects.filter(match__code=started.code).count() == 1


def test_a_finished_sheet_leads_to_each_deal_of_the_replay(client, finished):
    page = client.get(f"/matches/{finished.code}/").content.decode()

    links = [f"/matches/{finished.code}/replay/?deal={deal}" for deal in range(1, 11)]
    assert all(f'href="{link}"' in page for link in links)
    assert client.get(links[6]).status_code == 200


# History


def finish(user, count, **options):
    """`count` finished matches of a user and two bots; how they were played does not matter here."""
    codes = []
    for number in range(count):
        opened = opening.open_table(user, "oh-hell", seats=3, bots=2, options=options, speed="untimed")
        Match.objects.filter(code=opened.code).update(
            status="over", score_sheet={}, standings=[], ended_at="2026-01-02T00:00Z", wake_at=None
        )
        match = Match.objects.get(code=opened.code)
        match.seats.filter(user=user).update(score=number, finish=1 + number % 2)
        played.keep(match)
        codes.append(opened.code)
    return codes


def test_my_matches_are_listed_newest_first_page_by_page(as_ana, ana):
    codes = finish(ana, 30)

    first = as_ana.get("/matches/").content.decode()
    older = as_ana.get(f"/matches/?before={codes[5]}").content.decode()

    assert [code for code in reversed(codes) if f"/matches/{code}/" in first] == codes[:4:-1]
    assert f"before={codes[5]}" in first
    assert [code for code in codes if f"/matches/{code}/" in older] == codes[:5]


def test_filters_stand_in_the_address(as_ana, ana, boris):
    plain = finish(ana, 2)
    negative = finish(ana, 1, scoring_style="negative")
    shared = opening.open_table(ana, "oh-hell", seats=3, bots=1)
    seating.sit_down(boris, shared.code)

    def listed(query):
        page = as_ana.get(f"/matches/?{query}").content.decode()
        return {code for code in [*plain, *negative, shared.code] if f"/matches/{code}/" in page}

    assert listed("game=oh-hell") == {*plain, *negative, shared.code}
    assert listed("oh-hell.scoring_style=negative") == set(negative)
    assert listed("player=BORIS") == {shared.code}
    assert listed("result=won") == {plain[0], negative[0]}
    assert listed("result=lost") == {plain[1]}
    assert listed("result=running") == {shared.code}
    assert listed("until=2020-01-01") == set()


@pytest.mark.parametrize(
    "query", ["before=nowhere1", "game=chess", "since=yesterday", "result=maybe", "oh-hell.game_style=x"]
)
def test_filters_that_can_not_be_are_refused_with_a_sentence(as_ana, query):
    answer = as_ana.get(f"/matches/?{query}")

    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()


NASTY = [
    *("0001-01-01", "9999-12-31", "9999-12-30", "-1", "9" * 30, "٣", "2026-02-30", "\0", "\ud800", "'", "%"),
    "a" * 5000,
]
DATES = ["since", "until", "before"]
FIELDS = [*FilterForm.base_fields, "oh-hell.game_style", "bids.rounds", "oh-hell.", "x.y"]


@pytest.mark.whole
@pytest.mark.parametrize(
    "time_zone, fields",
    [("UTC", FIELDS), ("Asia/Tokyo", DATES), ("America/New_York", DATES)],
    ids=["UTC", "east", "west"],
)
@pytest.mark.parametrize("page", ["/matches/", pytest.param("/players/Ana/", marks=pytest.mark.thorough)])
def test_no_filter_breaks_a_list(settings, as_ana, time_zone, fields, page):
    settings.TIME_ZONE = time_zone
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"history": "10000/m/ip"}
    opening.open_table(User.objects.get(username="Ana"), "oh-hell", seats=3)
    shown = {}
    for field in fields:
        for value in NASTY:
            query = urlencode({field: value}, errors="surrogatepass")
            shown[field, value] = as_ana.get(f"{page}?{query}").status_code

    assert set(shown.values()) <= {200, 400}
    assert [shown[field, day] for field in ("since", "until") for day in NASTY[:3]] == [200] * 6


@pytest.mark.whole
@pytest.mark.parametrize("field", ["move", "deal", "at", "seat", "open"])
def test_no_address_breaks_a_replay(client, finished, field):
    for value in NASTY:
        query = urlencode({field: value} | ({"deal": "1"} if field == "at" else {}), errors="surrogatepass")
        for page in ("replay/", "replay/frames/", "sheet/", "shuffle/"):
            assert client.get(f"/matches/{finished.code}/{page}?{query}").status_code < 500


def test_a_list_costs_as_many_queries_for_three_matches_as_for_one(as_ana, ana):
    counts = []
    finish(ana, 1)
    as_ana.get("/matches/")  # which makes and keeps what is said of them all
    for more in (0, 2):
        finish(ana, more)
        as_ana.get("/matches/")  # the first visit makes the running figures
        with CaptureQueriesContext(connection) as queries:
            as_ana.get("/matches/")
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_a_profile_shows_its_players_matches_to_everybody(client, ana):
    (code,) = finish(ana, 1)

    page = client.get("/players/ana/").content.decode()

    assert code in page
    assert "1 finished, 1 won" in page


def test_a_list_of_matches_marks_whose_it_is(client, ana, boris):
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=1)
    seating.sit_down(boris, opened.code)

    marked = [re.findall(r"<b>(.*?)</b>", client.get(f"/players/{name}/").text, re.DOTALL) for name in ("ana", "boris")]

    assert [len(names) for names in marked] == [1, 1]
    assert ">Ana</a>" in marked[0][0]
    assert ">Boris</a>" in marked[1][0]


def test_a_profile_gives_away_no_table_by_link_only(client, ana):
    opened = opening.open_table(ana, "oh-hell", seats=3, listed=False)

    assert opened.code not in client.get("/players/Ana/").content.decode()
    client.force_login(ana)
    assert opened.code in client.get("/players/Ana/").content.decode()


def test_a_guest_has_no_profile(client):
    client.post("/play/oh-hell/")
    guest = User.objects.get(is_guest=True)

    assert client.get(f"/players/{guest.username}/").status_code == 404


def test_the_sheet_comes_as_page_and_as_fragment(client, started):
    page = client.get(f"/matches/{started.code}/sheet/")
    fragment = client.get(f"/matches/{started.code}/sheet/", headers={"HX-Request": "true"})

    assert b"<html" in page.content
    assert b"<html" not in fragment.content
    assert b"<table" in fragment.content


def test_the_policy_allows_no_inline_script_or_style(client):
    policy = client.get("/").headers["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_pages_of_a_stale_process_memory_are_fresh(client, started):
    """A page reads the match anew: another process may have moved."""
    moves.play_move(started.code, started.to_act, json.loads(first_move(started)), seen_count=1)
    memory.remember(started)

    assert 'data-moves="2"' in client.get(f"/matches/{started.code}/").content.decode()
