"""One visitor cannot use up the house: so many tables at once, so many a while, by user and by address."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.usersessions.models import UserSession
from django.db import connections
from django.test import Client

from accounts.models import User
from games.models import Match, Seat
from tests import opening

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

PLAY = "/play/oh-hell/"


def browser(address="192.0.2.1", user=None):
    client = Client(REMOTE_ADDR=address)
    if user:
        client.force_login(user)
    return client


def stored():
    return [list(model.objects.values()) for model in (User, Match, Seat)]


def assert_refused(answer, words):
    assert answer.status_code == 429
    assert words in answer.text


def test_a_user_has_so_many_tables_until_one_is_left(settings, ana):
    settings.TABLES_A_USER = 2
    client = browser(user=ana)
    first, _ = client.post(PLAY).url, client.post(PLAY)
    before = stored()

    assert_refused(client.post(PLAY), "You are at as many tables as we allow (2)")
    form = {"seats": "4", "bots": "0", "speed": "fast", "listed": "yes"}
    form |= {"option_game_style": "long", "option_scoring_style": "positive"}
    assert_refused(client.post("/tables/new/?game=oh-hell", form), "Finish or leave one of them first")
    assert stored() == before

    client.post(f"{first}leave/")
    assert client.post(PLAY).status_code == 302


def test_a_guide_takes_no_table_of_a_user_and_is_refused_with_none_free(settings, ana):
    settings.TABLES_A_USER = 1
    client = browser(user=ana)

    codes = [client.post(page).status_code for page in ("/learn/bids/", "/learn/oh-hell/", PLAY, "/learn/bids/")]

    assert codes == [302, 302, 302, 429]


@pytest.mark.django_db(transaction=True)
def test_clicks_at_one_moment_are_counted_one_by_one(settings, ana):
    settings.TABLES_A_USER = 2
    clients = [browser(user=ana) for _ in range(6)]

    def click(client):
        try:
            return client.post(PLAY).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(clients)) as threads:
        codes = sorted(threads.map(click, clients))

    assert codes == [302] * 2 + [429] * 4
    assert Match.objects.count() == 2


def test_nobody_sits_down_at_too_many_tables_but_may_do_so_twice_at_one(settings, ana, boris):
    settings.TABLES_A_USER = 1
    tables = [opening.open_table(boris, "oh-hell", seats=4) for _ in range(2)]
    client = browser(user=ana)

    assert client.post(f"/matches/{tables[0].code}/sit/").status_code == 302
    assert client.post(f"/matches/{tables[0].code}/sit/").status_code == 302
    assert_refused(client.post(f"/matches/{tables[1].code}/sit/"), "You are at as many tables as we allow (1)")


def test_the_same_form_again_takes_no_more_room(settings, ana):
    settings.TABLES_A_USER = settings.TABLES_AN_ADDRESS = 1
    client = browser(user=ana)
    UserSession.objects.create(user=ana, ip="192.0.2.1", session_key="of-ana")

    answers = [client.post(PLAY, {"form_key": key}) for key in ("first", "first", "other")]

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert answers[0].url == answers[1].url


def test_a_rematch_takes_room_too(settings, finished, ana):
    settings.TABLES_A_USER = 1
    Seat.objects.filter(match__code=finished.code, number=0).update(user=ana)
    client = browser(user=ana)
    client.post(PLAY)

    assert_refused(client.post(f"/matches/{finished.code}/rematch/"), "You are at as many tables")
    assert Match.objects.count() == 2


@pytest.mark.parametrize(
    "address, neighbour, stranger",
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.10"),
        ("2001:db8::1", "2001:db8::5:0:0:7", "2001:db8:0:1::1"),
        ("2001:db8:7:9:a::", "2001:db8:7:9::1", "2001:db8:7:90::1"),
    ],
)
def test_an_address_has_so_many_tables_whoever_sits_there(settings, address, neighbour, stranger):
    settings.TABLES_AN_ADDRESS = 2
    browser(address).post(PLAY)
    opened = opening.open_table(User.objects.create(username="Vera"), "oh-hell", seats=4)
    assert browser(address).post(f"/matches/{opened.code}/sit/").status_code == 302
    before = stored()

    assert_refused(browser(neighbour).post(PLAY), "As many tables as we allow (2) are in use from your network")
    assert stored() == before

    assert browser(neighbour).post(f"/matches/{opened.code}/sit/").status_code == 302
    assert browser(stranger).post(PLAY).status_code == 302


def test_tables_that_have_been_quiet_for_long_take_no_room_of_the_address(settings):
    settings.TABLES_AN_ADDRESS = 1
    browser().post(PLAY)
    Match.objects.update(turn_started_at="2026-01-01T12:00Z")

    assert browser().post(PLAY).status_code == 302


@pytest.mark.parametrize(
    "asked",
    [
        *(("open_table", "/play/oh-hell/"), ("open_table", "/matches/{code}/rematch/")),
        *(("sit", "/matches/{code}/sit/"), ("act", "/matches/{code}/move/"), ("act", "/matches/{code}/ready/")),
        *(("act", "/matches/{code}/resume/"), ("act", "/matches/{code}/entropy/"), ("act", "/matches/{code}/bot/")),
        *(("claim_address", "/matches/{code}/claim/"), ("history", "/matches/"), ("history", "/players/Ana/")),
        *(("replay", "/matches/{code}/replay/"), ("replay", "/matches/{code}/replay/frames/")),
        *(("replay", "/matches/{code}/"), ("replay", "/matches/{code}/sheet/")),
        ("replay", "/matches/{code}/shuffle/"),
    ],
)
@pytest.mark.parametrize("rate", ["2/h/user", "2/h/ip"])
def test_what_costs_the_house_is_counted_by_user_and_by_address(settings, finished, ana, asked, rate):
    action, address = asked
    settings.RATE_LIMITS = settings.RATE_LIMITS | {action: rate}
    Seat.objects.filter(match__code=finished.code, number=0).update(user=ana)
    client = browser(user=ana)
    ask = client.get if action in ("history", "replay") else client.post

    codes = [ask(address.format(code=finished.code)).status_code for _ in range(3)]

    assert 429 not in codes[:2]
    assert codes[2] == 429
