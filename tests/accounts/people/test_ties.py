"""Friends, follows and blocks between two people, without a table."""

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.archive import readme
from accounts.export import all_exports
from accounts.guests import abandoned_guests, new_guest
from accounts.models import User
from accounts.people import online, ties
from accounts.people.blocks import apart_by_user, may_meet
from accounts.people.models import Block, Follow, Friendship
from accounts.people.ties import NotPossible, Relation, relation
from accounts.programs import make_program
from accounts.services import delete_account

pytestmark = pytest.mark.django_db


def test_friends_are_two_of_whom_one_asks_and_the_other_accepts(ana, boris):
    ties.ask(ana, boris)

    assert (relation(ana, boris), relation(boris, ana)) == (Relation(has_asked=True), Relation(is_asked=True))
    assert ties.friend_requests_to(boris) == [ana]
    assert list(ties.friends_of(ana)) == []

    ties.accept(boris, ana)

    assert (relation(ana, boris), relation(boris, ana)) == (Relation(are_friends=True), Relation(are_friends=True))
    assert (list(ties.friends_of(ana)), list(ties.friends_of(boris))) == ([boris], [ana])


def test_two_who_ask_each_other_are_friends(ana, boris):
    assert not ties.ask(ana, boris)
    assert not ties.ask(ana, boris)
    assert ties.ask(boris, ana)
    assert Friendship.objects.count() == 1


def test_no_pair_has_two_friendships(ana, boris):
    Friendship.objects.create(asker=ana, asked=boris)

    with pytest.raises(IntegrityError), transaction.atomic():
        Friendship.objects.create(asker=boris, asked=ana)


def test_nobody_accepts_what_was_not_asked_or_was_taken_back(ana, boris):
    with pytest.raises(NotPossible):
        ties.accept(boris, ana)
    ties.ask(ana, boris)
    ties.unfriend(ana, boris)
    with pytest.raises(NotPossible):
        ties.accept(boris, ana)
    ties.ask(ana, boris)
    with pytest.raises(NotPossible):
        ties.accept(ana, boris)  # nor what they have asked themselves


@pytest.mark.parametrize("act", [ties.ask, ties.follow, ties.block])
def test_nobody_does_it_to_themselves(ana, act):
    with pytest.raises(NotPossible, match="That is you"):
        act(ana, ana)


def test_guests_and_bots_are_nobodys_friends_and_bots_are_not_blocked(ana, boris):
    guest, (bot, _) = new_guest(), make_program(boris, "Robo")

    for act in (ties.ask, ties.follow):
        for one, other in ((ana, guest), (guest, ana), (ana, bot)):
            with pytest.raises(NotPossible):
                act(one, other)
    with pytest.raises(NotPossible, match="its owner"):
        ties.block(ana, bot)


def test_a_block_ends_what_was_between_two(ana, boris):
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    ties.follow(ana, boris)

    ties.block(ana, boris)

    assert relation(ana, boris) == Relation(has_blocked=True)
    assert relation(boris, ana) == Relation()
    assert not may_meet(ana, boris)
    assert not may_meet(boris, ana)


def test_who_is_blocked_asks_as_ever_and_is_not_heard(ana, boris):
    ties.ask(boris, ana)
    ties.block(ana, boris)
    ties.ask(boris, ana)
    ties.follow(boris, ana)

    assert relation(boris, ana) == Relation(has_asked=True, follows=True)
    assert relation(ana, boris) == Relation(has_blocked=True)
    assert ties.friend_requests_to(ana) == []
    with pytest.raises(NotPossible):
        ties.accept(ana, boris)
    with pytest.raises(NotPossible, match="Unblock"):
        ties.ask(ana, boris)


def test_a_new_request_of_a_blocked_one_is_not_heard_either(ana, boris):
    ties.block(ana, boris)

    ties.ask(boris, ana)

    assert ties.friend_requests_to(ana) == []
    assert not Friendship.objects.filter(accepted_at__isnull=False)


def test_an_unblocked_one_may_be_met_again(ana, boris):
    ties.block(ana, boris)
    ties.block(ana, boris)
    ties.unblock(boris, ana)
    assert not may_meet(ana, boris)
    ties.unblock(ana, boris)
    assert may_meet(ana, boris)


def test_whom_many_must_not_meet_is_one_query(ana, boris, vera, goran, django_assert_num_queries):
    ties.block(ana, boris)
    ties.block(vera, ana)

    with django_assert_num_queries(1):
        apart = apart_by_user({ana.pk, boris.pk, goran.pk})

    assert apart == {ana.pk: {boris.pk, vera.pk}, boris.pk: {ana.pk}}


def test_every_list_has_an_end(ana, boris, vera, goran, monkeypatch):
    for name in ("MAX_REQUESTS", "MAX_FRIENDS", "MAX_FOLLOWS", "MAX_BLOCKS"):
        monkeypatch.setattr(ties, name, 1)
    ties.ask(ana, boris)
    ties.follow(ana, boris)
    ties.block(ana, goran)

    for act in (ties.ask, ties.follow, ties.block):
        with pytest.raises(NotPossible):
            act(ana, vera)
    ties.accept(boris, ana)
    ties.ask(vera, ana)
    with pytest.raises(NotPossible, match="You have 1 friend,"):
        ties.accept(ana, vera)


def test_an_account_that_goes_takes_all_of_it_along(ana, boris, users):
    ties.ask(ana, boris)
    ties.follow(boris, ana)
    ties.block(users[2], ana)
    online.set_hides_presence(ana, True)

    delete_account(ana)

    assert not Friendship.objects.exists()
    assert not Follow.objects.exists()
    assert not Block.objects.exists()


def test_the_archive_holds_what_is_mine_and_not_who_blocked_me(ana, boris, users):
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    ties.follow(ana, users[2])
    ties.block(ana, users[3])
    ties.block(users[2], ana)
    (kind,) = [kind for kind in all_exports() if kind.name == "people"]

    told = [(line["kind"], line["name"]) for line in kind.documents(ana)]

    assert told == [("friend", "Boris"), ("follows", "Vera"), ("blocked", "Goran")]
    assert kind.count(ana) == 3
    assert "people.jsonl" in readme(ana, "example.org", "today")
    assert json.dumps(told)


def test_a_guest_who_has_blocked_somebody_lately_is_not_lost(ana):
    guest = new_guest()
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - timedelta(days=9))
    since = timezone.now() - timedelta(days=1)
    assert guest in abandoned_guests(since)

    ties.block(guest, ana)

    assert guest not in abandoned_guests(since)


def test_who_asked_for_a_page_is_here_and_may_hide_it(client, ana, boris, django_assert_num_queries):
    assert online.online({ana.pk, boris.pk}) == set()
    client.force_login(ana)
    client.get("/rules/")

    with django_assert_num_queries(1):
        assert online.online({ana.pk, boris.pk}) == {ana.pk}

    client.post("/accounts/people/presence/", {"hide": "yes"})
    assert online.online({ana.pk, boris.pk}) == set()
    client.post("/accounts/people/presence/", {"hide": "no"})
    assert online.online({ana.pk, boris.pk}) == {ana.pk}


@pytest.mark.parametrize("act", ["ask", "follow", "block", "unblock", "unfriend", "accept"])
def test_buttons_are_posts_of_who_is_known(client, ana, boris, act):
    url = f"/accounts/people/Boris/{act}/"
    assert client.post(url)["location"].startswith("/accounts/login/")
    client.force_login(ana)
    assert client.get(url).status_code == 405
    assert client.post(f"/accounts/people/Nobody-here/{act}/").status_code == 404
    assert client.post(f"/accounts/people/No%00body/{act}/").status_code == 404
    answer = client.post(f"/accounts/people/boris/{act}/", {"next": "//evil.example/"})
    assert answer.status_code == (400 if act == "accept" else 302)
    if act != "accept":
        assert answer["location"] == "/friends/"


def test_so_many_buttons_an_hour_and_no_more(client, ana, boris, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"people": "2/h/user"}
    client.force_login(ana)

    codes = [client.post(f"/accounts/people/Boris/{act}/").status_code for act in ("ask", "unfriend", "ask")]

    assert codes == [302, 302, 429]
    assert not Friendship.objects.exists()
