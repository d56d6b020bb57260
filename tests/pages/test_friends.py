"""The page of friends, and the buttons on profiles."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.guests import new_guest
from accounts.models import User
from accounts.people import online, ties
from games.models import Match
from games.play import seating
from tests import opening

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def befriended(ana, boris):
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    return boris


def html(client, user, path="/friends/"):
    client.force_login(user)
    return client.get(path).content.decode()


def page(client, user, path="/friends/"):
    """What is to be read on a page."""
    text = html(client, user, path)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.split('id="content"')[1].split("<footer")[0]))


def test_friends_who_are_here_come_first_with_a_link_to_where_they_play(client, users, befriended):
    ana, _, vera, _ = users
    ties.ask(vera, ana)
    ties.accept(ana, vera)
    listed = opening.open_table(vera, "bids").code
    private = opening.open_table(vera, "oh-hell", listed=False).code
    assert page(client, ana).index("Boris") < page(client, ana).index("Vera")
    online.note([vera.pk])

    seen = page(client, ana)

    assert seen.index("Vera") < seen.index("Boris")
    assert seen.count("Online") == 1
    assert "Waiting for players: Oh Hell, by invitation" in seen
    assert f"/matches/{listed}/" in html(client, ana)
    assert private not in html(client, ana)


def test_who_hides_it_is_not_here_and_plays_nowhere(client, ana, befriended):
    opening.open_table(befriended, "bids")
    online.note([befriended.pk])
    assert "Bids" in page(client, ana)

    online.set_hides_presence(befriended, True)

    seen = page(client, ana)
    assert "Bids" not in seen
    assert "Online" not in seen


def test_the_profile_of_who_hides_it_does_not_say_where_they_play(client, ana, boris):
    running = opening.quick_play(boris, "oh-hell")
    Match.objects.filter(code=running.code).update(listed=True)
    assert running.code in html(client, ana, "/players/Boris/")

    online.set_hides_presence(boris, True)

    assert running.code not in html(client, ana, "/players/Boris/")
    assert running.code in html(client, boris, "/matches/")


def test_a_friends_table_with_somebody_who_blocked_me_is_not_shown(client, users, befriended):
    ana, boris, vera, _ = users
    table = opening.open_table(boris, "bids").code
    online.note([boris.pk])
    assert table in html(client, ana)
    seating.sit_down(vera, table)

    ties.block(vera, ana)

    assert table not in html(client, ana)


def test_whom_i_follow_is_shown_at_tables_of_the_lobby_only(client, users):
    ana, boris = users[:2]
    ties.follow(ana, boris)
    listed = opening.open_table(boris, "bids").code
    opening.open_table(boris, "oh-hell", listed=False)
    online.note([boris.pk])

    seen = page(client, ana)

    assert "Bids" in seen
    assert "Oh Hell" not in seen
    assert listed in html(client, ana)


def test_those_i_played_with_come_with_buttons_guests_too(client, ana):
    guest = new_guest()
    opened = opening.open_table(ana, "oh-hell", seats=3)
    seating.sit_down(guest, opened.code)

    assert f"{guest} (guest) Play with {guest} Block" in page(client, ana)
    assert "Ana Play with Ana Block" in page(client, guest)  # who can't have friends

    client.force_login(guest)
    client.post("/accounts/people/Ana/block/")

    assert "Blocked (1)" in page(client, guest)


def test_profiles_have_the_buttons_that_fit(client, users):
    ana, boris, *_ = users

    def buttons():
        return re.findall(r'action="/accounts/people/Boris/(\w+)/"', html(client, ana, "/players/Boris/"))

    assert buttons() == ["ask", "follow", "block"]
    ties.ask(ana, boris)
    assert buttons() == ["unfriend", "follow", "block"]
    ties.accept(boris, ana)
    ties.follow(ana, boris)
    assert buttons() == ["unfriend", "unfollow", "block"]
    ties.block(ana, boris)
    assert buttons() == ["unblock"]
    ties.unblock(ana, boris)
    ties.ask(boris, ana)
    assert buttons() == ["accept", "unfriend", "follow", "block"]
    assert "/accounts/people/" not in html(client, ana, "/players/Ana/")
    client.logout()
    assert "/accounts/people/" not in client.get("/players/Boris/").content.decode()


def test_being_blocked_shows_nowhere_on_my_pages(client, users):
    ana, boris = users[:2]
    ties.ask(boris, ana)
    before = page(client, boris), page(client, boris, "/players/Ana/")

    ties.block(ana, boris)

    assert (page(client, boris), page(client, boris, "/players/Ana/")) == before


def test_the_page_takes_as_many_queries_for_many_as_for_one(client, ana):
    def befriend(count):
        for number in range(count):
            name = f"P{User.objects.count()}x{number}"
            friend, fan, other = (User.objects.create(username=f"{name}{letter}") for letter in "abc")
            ties.ask(friend, ana)
            ties.accept(ana, friend)
            ties.ask(fan, ana)
            ties.ask(ana, other)
            ties.follow(ana, friend)
            ties.block(ana, fan)
            opened = opening.open_table(friend, "oh-hell", seats=3)
            seating.sit_down(ana, opened.code)
            online.note([friend.pk])

    def queries():
        client.force_login(ana)
        with CaptureQueriesContext(connection) as seen:
            client.get("/friends/")
        return len(seen)

    befriend(1)
    one = queries()
    befriend(3)
    assert queries() == one
    assert one <= 18
