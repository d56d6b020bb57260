"""The daily tidying: what it removes, what it never touches."""

from datetime import timedelta
from io import StringIO

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.guests import new_guest
from accounts.models import User
from games.management.commands import tidy
from games.models import Match, Move, Seat
from games.play import seating
from games.play.due import close_table
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db

NOTHING = [0, 0, 0, 0, 0]
OTHER_LINES = 14  # of exclusions, addresses, messages, tallies, outages and so on, which have tests of their own


def run(**options):
    """What it counted: idle matches, log-ins, sessions, closed tables, guests."""
    said = StringIO()
    call_command("tidy", stdout=said, **options)
    counts = [int(line.split()[0]) for line in said.getvalue().splitlines() if line[0].isdigit()]
    return counts[:-OTHER_LINES]


def age(days=31):
    """Let all that is stored be older."""
    ago = timezone.now() - timedelta(days=days)
    User.objects.update(date_joined=ago)
    Match.objects.update(created_at=ago)
    Match.objects.filter(ended_at__isnull=False).update(ended_at=ago)
    Match.objects.filter(turn_started_at__isnull=False).update(turn_started_at=ago)
    UserSession.objects.update(created_at=ago)


def stored():
    models = (User, Match, Seat, Move, Session, UserSession)
    return [list(model.objects.order_by("pk").values()) for model in models]


def table(user, **options):
    return Match.objects.get(code=opening.open_table(user, "oh-hell", seats=3, **options).code)


def played_by(user):
    """An untimed match against bots in which `user` has made a move."""
    snapshot = opening.open_table(user, "oh-hell", seats=3, bots=2, speed="untimed")
    snapshot = play_on(snapshot, until=lambda now: now.to_act == now.player_number(user.pk))
    return play_on(snapshot, until=lambda now: now.to_act != now.player_number(user.pk))


def test_a_table_that_nobody_played_goes_after_a_while(ana):
    seating.stand_up(ana, table(ana).code)
    fresh = stored()

    assert run() == NOTHING
    assert stored() == fresh

    age()
    assert run() == [0, 0, 0, 1, 0]
    assert not Match.objects.exists()
    assert not Seat.objects.exists()


def test_guests_who_are_gone_go_with_their_seats():
    guest, once = new_guest(), new_guest()
    seating.stand_up(guest, table(guest).code)
    given_up = played_by(guest)
    Match.objects.filter(code=given_up.code).update(status="closed", ended_at=timezone.now())
    age()
    fresh = new_guest()

    assert run() == [0, 0, 0, 2, 2]
    assert not User.objects.filter(pk__in=[guest.pk, once.pk])
    assert set(User.objects.all()) == {fresh}
    assert not Seat.objects.exists()


def test_guests_with_a_finished_match_stay_and_so_does_the_match(finished):
    guest = new_guest()
    Seat.objects.filter(match__code=finished.code, number=0).update(user=guest)
    age(1000)
    before = stored()

    assert run() == NOTHING
    assert stored() == before


def test_guests_who_did_something_lately_stay():
    guest, waiting = new_guest(), new_guest()
    age()
    close_table(table(guest).code)
    table(waiting)

    assert run() == NOTHING
    assert User.objects.count() == 2


def test_a_match_given_up_by_a_member_keeps_its_moves(ana):
    match = Match.objects.get(code=played_by(ana).code)
    Match.objects.update(status="closed", ended_at=timezone.now())
    age()

    assert run() == NOTHING
    assert match.moves.exists()


def test_untimed_matches_that_nobody_goes_on_with_are_closed(ana, boris):
    idle, timed = played_by(ana), opening.open_table(boris, "oh-hell", seats=3, bots=2)
    age(6)

    assert run() == NOTHING
    assert run(idle_days=5) == [1, 0, 0, 0, 0]
    assert Match.objects.get(code=idle.code).status == "closed"
    assert Match.objects.get(code=timed.code).status == "playing"


def test_sessions_that_have_ended_go(ana):
    for number in range(2):
        client = Client()
        client.post("/accounts/guest/")
        if number:
            client.session.flush()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    UserSession.objects.update(created_at=timezone.now() - timedelta(days=2))

    assert run() == [0, 2, 1, 0, 0]
    assert not Session.objects.exists()
    assert not UserSession.objects.exists()


def test_a_dry_run_says_the_same_and_changes_nothing(ana, monkeypatch):
    monkeypatch.setattr(tidy, "BATCH", 2)
    for _ in range(5):
        client = Client()
        client.post("/accounts/guest/")
        guest = User.objects.latest("pk")
        seating.stand_up(guest, table(guest).code)
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    played_by(ana)
    age()
    before = stored()

    counted = run(dry_run=True)

    assert stored() == before
    assert run() == counted == [1, 5, 5, 5, 5]
    assert run() == NOTHING
