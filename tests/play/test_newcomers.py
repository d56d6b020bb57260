"""Who is new here: few lines, messages and invitations, and no links, until some time and some matches have passed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.people import ties
from accounts.sanctions import moment
from games.chat import posting
from games.chat.models import DirectMessage
from games.models import Match, Seat
from games.play import newcomers
from games.play.errors import Refused
from tests import opening

pytestmark = pytest.mark.django_db

LINKS = [
    *("see https://evil.example", "www.evil.example", "evil.com", "Evil . com", "ｅｖｉｌ．ｃｏｍ", "join t.me/evil"),
    *("evil.example/x?y", "hxxp://evil"),
]
NO_LINKS = ["Well played. Thanks!", "1.5 or 2:30?", "Hm...ok", "Yes.No?", "3/4 of them", "e.g. hearts", "7:30 p.m."]


@pytest.fixture
def friends(users):
    ana, boris = users[:2]
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    return ana, boris


def finish(user, count):
    """Let a user have finished so many matches."""
    for _ in range(count):
        now, result = timezone.now(), {"score_sheet": {}, "standings": [], "position": {}}
        table = {"game": "oh-hell", "rules_version": 1, "seat_count": 3, "options": {}, "speed": "normal"}
        match = Match.objects.create(status=Match.Status.OVER, ended_at=now, started_at=now, **table, **result)
        Seat.objects.create(match=match, place=0, user=user)


def joined(user, **ago):
    user.date_joined = timezone.now() - timedelta(**ago)
    user.save(update_fields=["date_joined"])


def test_it_ends_with_the_day_and_some_matches(ana):
    day_over = ana.date_joined + timedelta(days=1)
    assert newcomers.new_until(ana) == f"You are new until {moment(day_over)} and until you have finished 3 matches."

    finish(ana, 3)
    assert newcomers.new_until(ana) == f"You are new until {moment(day_over)}."
    joined(ana, hours=25)
    assert newcomers.new_until(ana) == ""

    Seat.objects.filter(user=ana).first().delete()
    assert newcomers.new_until(ana) == "You are new until you have finished 3 matches."


def test_the_host_says_how_long(ana, settings):
    settings.NEWCOMER_HOURS = settings.NEWCOMER_MATCHES = 0

    assert newcomers.new_until(ana) == ""


@pytest.mark.parametrize("text", LINKS)
def test_links_are_refused_at_first(friends, text):
    ana, boris = friends

    with pytest.raises(Refused, match="You’re new here, so you can’t write links yet"):
        posting.write(ana, boris, text)

    assert not DirectMessage.objects.exists()
    finish(ana, 3)
    joined(ana, hours=25)
    assert posting.write(ana, boris, text).recipient == boris


@pytest.mark.parametrize("text", NO_LINKS)
def test_other_words_are_none(friends, text):
    assert posting.write(*friends, text).text == text


def test_who_is_new_floods_nobody(friends, started):
    ana, boris = friends
    for _ in range(5):
        posting.write(ana, boris, "Hi")
    with pytest.raises(newcomers.TooMuchAtFirst, match="only a few messages at first"):
        posting.write(ana, boris, "Hi")
    assert DirectMessage.objects.count() == 5
    for _ in range(4):
        posting.post(ana.pk, started.code, phrase="hello")
    with pytest.raises(newcomers.TooMuchAtFirst, match="only a few lines at first"):
        posting.post(ana.pk, started.code, phrase="hello")

    finish(boris, 3)
    joined(boris, hours=25)
    for _ in range(6):
        posting.post(boris.pk, started.code, phrase="hello")


def test_who_is_new_invites_few(client, users, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"invite_new": "2/h/user"}
    ana = users[0]
    code = opening.open_table(ana, "oh-hell", seats=7).code
    client.force_login(ana)
    answers = []
    for number in range(3):
        other = User.objects.create(username=f"Friend{number}")
        ties.ask(ana, other)
        ties.accept(other, ana)
        answers.append(client.post(f"/matches/{code}/invite/", {"user": other.pk}))

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "You’re new here, so you can send only a few invitations at first" in answers[2].text
    assert Match.objects.get(code=code).invitations.count() == 2
