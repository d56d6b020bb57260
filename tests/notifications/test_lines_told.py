"""Whom the site tells of replies to comments, and of team matches that have begun."""

import pytest
from django.db import transaction
from django.urls import reverse

from accounts.people import ties
from games.challenges import challenges, teams
from games.comments import writing
from games.models import Match
from games.notifications.models import Notification
from games.play import memory
from tests.challenges.conftest import finished_match
from tests.notifications.passing import later, send_all
from tests.notifications.servers import Browser

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def match(finished):
    return Match.objects.get(code=finished.code)


def asked_and_replied(match, asker, other, **how):
    asked = writing.write(asker, match, writing.Draft(5, "Why not the ace?", **how))
    return writing.write(other, match, writing.Draft(None, "It would have been trumped.", answers=asked.pk))


def test_who_wrote_a_comment_is_told_of_the_reply(match, ana, boris, browser, subscribe, server):
    subscribe(ana, browser)
    reply = asked_and_replied(match, ana, boris)

    assert send_all() == 1

    told = browser.read(server.posts[0][2])
    assert told["title"] == "Boris has replied to your comment on a match of Oh Hell."
    assert told["url"] == f"{reverse('comments', args=[match.code])}?move=5#comment-{reply.pk}"
    later(hours=1)
    assert send_all() == 0


def test_replies_that_come_together_are_told_together(match, ana, boris, browser, subscribe, server):
    subscribe(ana, browser)
    reply = asked_and_replied(match, ana, boris)
    writing.write(boris, match, writing.Draft(None, "Or so I think.", answers=reply.answers_id))

    send_all()

    assert browser.read(server.posts[0][2])["title"] == "2 replies to your comments."


def test_nobody_is_told_of_their_own_reply_or_of_one_that_they_may_not_read(match, users, browser, subscribe, server):
    ana, boris, vera, _ = users
    subscribe(ana, browser)
    asked_and_replied(match, ana, ana)
    deleted = asked_and_replied(match, ana, boris)
    writing.delete(boris, match, deleted.pk)
    writing.write(vera, match, writing.Draft(None, "I agree.", answers=deleted.answers_id))
    ties.block(ana, vera)

    assert send_all() == 0
    assert server.posts == []


@pytest.fixture
def challenge(ana):
    return challenges.make(ana, finished_match(ana, "belot"), 0, 1)


def begun(challenge, starter, other):
    """A team match of two, begun by the first. Returns the Snapshots of its tables."""
    made = teams.make(starter, challenge)
    teams.join(other, made.code, team=1, table=1)
    with transaction.atomic():
        return teams.start(starter, made.code)


def test_who_has_joined_a_team_match_is_told_that_it_has_begun(challenge, ana, boris, browser, subscribe, server):
    subscribe(boris, browser)
    subscribe(ana, Browser(f"{server.url}/browser/2"))
    _, table = begun(challenge, ana, boris)

    later(minutes=1)
    assert send_all() == 1

    told = browser.read(server.posts[0][2])
    assert told["title"] == "Your team match of Belot has begun."
    assert told["url"] == f"/matches/{table.code}/"
    assert set(Notification.objects.values_list("kind", "method__user__username")) == {("team", "Boris")}


def test_who_is_at_the_table_already_is_not_told(challenge, ana, boris, browser, subscribe):
    subscribe(boris, browser)
    _, table = begun(challenge, ana, boris)
    Match.objects.get(code=table.code).seats.filter(user=boris).update(connected=True)
    memory.forget()

    later(minutes=1)

    assert send_all() == 0
