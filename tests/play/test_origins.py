"""Who sits at a table from one address or in one browser: the others are told, and rated matches refuse the browser."""

import re

import pytest
from django.test import Client

from games.fragments import Fragments
from games.models import Match, Seat
from games.play import seating, store
from games.play.origins import Origin, SeatRequest
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db

HOME, AWAY = "203.0.113.7", "198.51.100.1"


def told(code, user):
    """What a table tells a user of who shares what, as sentences."""
    page = re.sub(r'<span translate="no">(.*?)</span>', r"\1", Fragments(store.read(code)).for_user(user and user.pk))
    return [
        line.strip()
        for line in page.replace("<", "\n").replace(">", "\n").split("\n")
        if "share an" in line or "the same browser" in line
    ]


def sit(code, user, address, **seats):
    return seating.sit_down(user, code, SeatRequest(origin=Origin(address, seats)))


@pytest.fixture
def opened(users):
    """A table of Ana's, opened from home."""
    options = {"game_style": "short-up"}
    return opening.open_table(users[0], "oh-hell", seats=3, options=options, speed="untimed", origin=Origin(HOME)).code


def test_an_address_in_common_is_told_before_and_during_play_and_then_forgotten(users, opened):
    ana, boris, vera, goran = users
    sit(opened, boris, HOME)
    assert told(opened, ana) == ["You and Boris share an address, as people in one home do."]
    assert told(opened, goran) == told(opened, None) == []  # who has no seat

    playing = sit(opened, vera, AWAY)
    assert told(opened, vera) == ["Ana and Boris share an address, as people in one home do."]
    stored = set(Seat.objects.filter(match__code=opened).values_list("network", flat=True))
    assert len(stored) == 2
    assert not any(address in hashed for hashed in stored for address in (HOME, AWAY))
    assert HOME not in Fragments(playing).for_user(vera.pk)
    assert not any(hashed in Fragments(playing).for_user(vera.pk) for hashed in stored)

    play_on(playing)

    assert set(Seat.objects.filter(match__code=opened).values_list("network", "browser")) == {("", None)}


def test_the_same_address_leaves_another_mark_at_every_table(users, opened):
    other = opening.open_table(users[0], "oh-hell", seats=3, origin=Origin(HOME)).code

    marks = set(Seat.objects.values_list("network", flat=True))

    assert len(marks) == 2
    assert seating.leave_match(users[0], other).status == Match.Status.CLOSED


def test_a_closed_table_and_a_seat_that_was_left_keep_no_mark(users, opened):
    sit(opened, users[1], HOME)
    sit(opened, users[2], AWAY)
    seating.leave_match(users[1], opened)

    left = Seat.objects.get(user=users[1])

    assert (left.network, left.browser) == ("", None)
    assert told(opened, users[2]) == []


def test_unknown_addresses_are_nothing_in_common(users):
    code = opening.open_table(users[0], "oh-hell", seats=3).code
    seating.sit_down(users[1], code)

    assert told(code, users[0]) == []


def test_one_browser_with_many_accounts_is_known_through_all_of_them(users, opened):
    ana, boris, vera, _ = users
    sit(opened, boris, AWAY, **{opened: ana.pk})
    assert told(opened, ana) == ["You and Boris play in the same browser."]

    sit(opened, vera, "192.0.2.9", **{opened: boris.pk})  # the cookie names who sat there last

    assert told(opened, vera) == ["You, Ana and Boris play in the same browser."]


def join_by_page(browser, user, code, **headers):
    browser.force_login(user)
    return browser.post(f"/matches/{code}/sit/", **headers)


@pytest.mark.parametrize("rated", [True, False])
def test_a_rated_match_refuses_a_second_account_of_one_browser(users, rated):
    ana, boris, *_ = users
    browser = Client()
    browser.force_login(ana)
    fields = {"game": "oh-hell", "seats": "3", "speed": "normal", "listed": "True"}
    code = opening.open_table(boris, "oh-hell", seats=3, rated=rated, origin=Origin(AWAY)).code
    assert browser.post(f"/matches/{code}/sit/", fields).status_code == 302  # and its page is never asked for

    refused = join_by_page(browser, users[2], code)

    assert refused.status_code == (400 if rated else 302)
    assert ("You sit at this table as Ana in this browser." in refused.text) == rated
    assert Match.objects.get(code=code).seats.count() == (2 if rated else 3)
    assert join_by_page(browser, ana, code).status_code == 302


def test_behind_a_proxy_the_visitors_address_counts(users, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    code = opening.open_table(users[0], "oh-hell", seats=4).code
    for user, said in zip(users[1:], (f"{AWAY}, {HOME}", f"6.6.6.6, {HOME}", AWAY), strict=True):
        assert join_by_page(Client(), user, code, headers={"x-forwarded-for": said}).status_code == 302

    assert told(code, users[3]) == ["Boris and Vera share an address, as people in one home do."]
