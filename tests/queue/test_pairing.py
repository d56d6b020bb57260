"""Who waits for the same is seated together: the nearest in strength first, nobody beside a block, bots when due."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import sanctions
from accounts.models import User
from accounts.people import ties
from accounts.signals import account_closing
from games.kit import shuffle
from games.models import Match, Seat
from games.notifications.bell import visible_items
from games.play import presence, store
from games.play.errors import NotAllowed, Refused
from games.play.origins import Origin, SeatRequest
from games.play.tables import room_for
from games.queue import entering, pairing
from games.queue.models import Kind, QueueEntry
from games.ratings.models import Board, Pace, RatedPlayer, Rating
from games.ratings.strength import MODEL, UNIT
from tests import opening
from tests.play.acting import at_once

pytestmark = pytest.mark.django_db

BELOT = Kind("belot", "")


@pytest.fixture
def crowd(db):
    return [User.objects.create(username=f"Player{number}") for number in range(6)]


def enter(user, kind=BELOT, fill_after=None, waited=0, seat=None):
    with room_for(user):
        entering.enter(user, kind, fill_after, seat or SeatRequest())
    wait(user, waited)


def wait(user, seconds):
    QueueEntry.objects.filter(user=user).update(since=F("since") - timedelta(seconds=seconds))


def fall_silent(user, seconds):
    QueueEntry.objects.filter(user=user).update(seen_at=F("seen_at") - timedelta(seconds=seconds))


def tables():
    """The names at each table, in the order of sitting down; a bot is None."""
    rows = Match.objects.order_by("pk").prefetch_related("seats__user")
    return [[seat.user and seat.user.username for seat in match.seats.all()] for match in rows]


def rate(user, points, game="belot"):
    board, _ = Board.objects.get_or_create(game=game, pace=Pace.LIVE)
    mu = MODEL.mu + (points - 1500) / UNIT
    Rating.objects.create(board=board, player=RatedPlayer.objects.create(user=user), mu=mu, sigma=1, matches=20)


def names(*users):
    return [user.username for user in users]


def test_a_full_table_starts_at_once_with_a_clock_and_calls_its_players(crowd):
    for user in crowd[:3]:
        enter(user)
    assert pairing.pair() == 0

    enter(crowd[3])

    assert pairing.pair() == 1
    assert tables() == [names(*crowd[:4])]
    match = Match.objects.get()
    assert (match.status, match.speed, match.rated, match.game) == ("playing", "normal", False, "belot")
    assert {entering.look(user).match for user in crowd[:4]} == {match}
    assert pairing.pair() == 0


def test_a_call_rings_the_bell_until_its_player_is_at_the_table(crowd):
    for user in crowd[:4]:
        enter(user)
    pairing.pair()
    match = Match.objects.get()

    assert {(item.user_id, item.kind, item.match) for item in visible_items()} == {
        (user.pk, "ready", match) for user in crowd[:4]
    }
    presence.set_connected(crowd[0].pk, match.code, True)

    assert {item.user_id for item in visible_items()} == {user.pk for user in crowd[1:4]}


def test_who_is_called_to_bots_alone_hears_the_bell_too(crowd):
    enter(crowd[0], fill_after=30, waited=31)

    assert pairing.pair() == 1

    assert [(item.user_id, item.kind) for item in visible_items()] == [(crowd[0].pk, "ready")]


def test_what_a_browser_has_promised_goes_with_its_seat(crowd):
    share = "ab" * 32
    request = SeatRequest(entropy_hash=shuffle.commitment(share), origin=Origin("192.0.2.7"))
    enter(crowd[0], seat=request)
    for user in crowd[1:4]:
        enter(user, seat=SeatRequest(origin=Origin("192.0.2.7")))

    pairing.pair()

    match = Match.objects.get()
    assert match.full_at  # It waits for the share, as any full table does.
    seats = list(Seat.objects.order_by("place"))
    assert seats[0].entropy_hash == request.entropy_hash
    assert len({seat.network for seat in seats}) == 1


def test_other_games_lengths_and_ratings_are_other_queues(crowd):
    short, full = (Kind("oh-hell", slug) for slug in lengths_of_oh_hell())
    for user, kind in zip(crowd, [short, full, short._replace(rated=True), BELOT], strict=False):
        enter(user, kind)

    assert pairing.pair() == 0
    assert sum(entering.present_counts().values()) == 4


def lengths_of_oh_hell():
    from games.catalog import get_rules

    formats = get_rules("oh-hell").formats
    return formats[0].slug, formats[-1].slug


def test_the_nearest_in_strength_come_first(crowd):
    for user, points in zip(crowd, [1500, 1900, 1540, 1560, 1450, 2400], strict=True):
        rate(user, points)
        enter(user, waited=30)

    pairing.pair()

    assert sorted(tables()[0]) == sorted(names(*(crowd[place] for place in (0, 2, 3, 4))))


def test_who_is_far_apart_in_strength_plays_together_after_a_while(crowd):
    for user, points in zip(crowd, [1500, 1500, 1500, 2300], strict=False):
        rate(user, points)
        enter(user)
    assert pairing.pair() == 0

    for user in crowd[:3]:
        wait(user, 40)

    assert pairing.pair() == 1


def test_people_with_a_block_between_them_never_sit_together(crowd):
    ties.block(crowd[3], crowd[0])
    for user in crowd[:4]:
        enter(user, waited=600, fill_after=300)

    pairing.pair()

    assert len(tables()) == 2
    assert all(not {"Player0", "Player3"} <= set(table) for table in tables())


def test_bots_fill_up_when_the_first_is_due_beside_all_who_accept_bots(crowd):
    enter(crowd[0], fill_after=30, waited=31)
    enter(crowd[1], fill_after=300, waited=5)
    enter(crowd[2], fill_after=None, waited=200)

    pairing.pair()

    assert [sorted(filter(None, table)) for table in tables()] == [names(crowd[0], crowd[1])]
    assert tables()[0].count(None) == 2
    assert not entering.look(crowd[2]).match


def test_who_is_due_alone_plays_bots_without_a_clock_unless_a_table_of_theirs_is_open(crowd):
    alone, busy = crowd[:2]
    ties.block(alone, busy)
    code = opening.quick_play(busy, "oh-hell").code
    presence.set_connected(busy.pk, code, True)
    for user in (alone, busy):
        enter(user, fill_after=30, waited=31)

    pairing.pair()

    assert entering.look(alone).match.speed == "untimed"
    assert not entering.look(busy).match


def test_a_rated_match_is_for_members_and_waits_for_people(crowd):
    rated = BELOT._replace(rated=True)
    for user in crowd[:3]:
        enter(user, rated, fill_after=30, waited=600)
    assert pairing.pair() == 0

    enter(crowd[3], rated)
    pairing.pair()

    assert Match.objects.get().rated
    with pytest.raises(NotAllowed, match="Only members"):
        enter(User.objects.create(username="Heron 42", is_guest=True), rated)


def test_nobody_waits_for_a_game_or_length_that_is_not_offered(ana):
    for kind in (Kind("gone", ""), Kind("belot", "endless")):
        with pytest.raises(Refused):
            enter(ana, kind)


def test_a_silent_page_is_not_seated_and_the_time_without_one_is_no_waiting(crowd):
    for user in crowd[:4]:
        enter(user, fill_after=30)
    fall_silent(crowd[3], 60)
    wait(crowd[3], 60)
    assert (pairing.pair(), entering.present_counts()[BELOT]) == (0, 3)

    entry = entering.look(crowd[3])

    assert entering.waited(entry) < 10
    assert entering.waited(QueueEntry.objects.get(user=crowd[3])) < 10
    assert pairing.pair() == 1


def test_two_pages_that_come_back_at_once_count_the_silence_once(crowd, monkeypatch):
    enter(crowd[0], waited=200)
    fall_silent(crowd[0], 60)
    now, looks = timezone.now, []

    def look_in_between():
        looks.append(True)
        if len(looks) == 1:  # The other page asks while the first one has read the entry.
            entering.look(crowd[0])
        return now()

    monkeypatch.setattr(timezone, "now", look_in_between)
    entering.look(crowd[0])

    assert entering.waited(QueueEntry.objects.get()) == pytest.approx(140, abs=9)


def test_a_page_that_is_left_is_not_seated_unless_another_asks(crowd):
    for user in crowd[:4]:
        enter(user)

    entering.step_away(crowd[0])
    assert pairing.pair() == 0

    entering.look(crowd[0])
    assert pairing.pair() == 1


def test_what_is_abandoned_is_removed(crowd):
    for user in crowd[:2]:
        enter(user)
        fall_silent(user, 121)

    pairing.pair()

    assert not QueueEntry.objects.exists()
    enter(crowd[0])
    fall_silent(crowd[0], 121)
    call_command("tidy", verbosity=0)
    assert not QueueEntry.objects.exists()


def test_a_user_waits_once_and_for_the_latest_choice(ana):
    enter(ana)
    enter(ana, Kind("bids", ""))

    assert [entry.kind.game for entry in QueueEntry.objects.filter(user=ana)] == ["bids"]


def test_whoever_is_called_stays_called_until_they_come_or_refuse(crowd):
    for user in crowd[:4]:
        enter(user)
    pairing.pair()
    match = Match.objects.get()

    enter(crowd[0], Kind("bids", ""))
    assert entering.look(crowd[0]).match == match
    presence.set_connected(crowd[0].pk, match.code, True)
    assert entering.look(crowd[0]).match == match  # Another tab follows.
    QueueEntry.objects.update(seen_at=timezone.now() - entering.FOLLOW_WITHIN)
    assert entering.look(crowd[0]) is None

    entering.leave(crowd[1])
    assert store.read(match.code).seat_of(crowd[1].pk).left

    entering.arrive(crowd[2], match.code)
    assert {entry.user for entry in QueueEntry.objects.all()} == {crowd[3]}


@pytest.mark.parametrize("end", ["suspension", "ban", "close"])
def test_who_is_barred_or_closes_the_account_waits_no_more(crowd, end):
    enter(crowd[0])

    if end == "close":
        account_closing.send(User, user=crowd[0])
    else:
        sanctions.impose(crowd[0], end, "Cheated.", days=1)

    assert not QueueEntry.objects.exists()


def test_who_has_no_room_for_a_table_holds_nobody_up(crowd, settings):
    for user in crowd[:5]:
        enter(user)
    opening.quick_play(crowd[0], "oh-hell")
    settings.TABLES_A_USER = 1

    assert pairing.pair() == 1

    assert {entry.user for entry in QueueEntry.objects.filter(match=None)} == {crowd[0]}


def test_a_crowd_costs_as_many_queries_as_one(crowd):
    def count():
        with CaptureQueriesContext(connection) as queries:
            pairing.pair()
        return len(queries)

    assert count() == 1
    enter(crowd[0])
    one = count()
    for user in crowd[1:3]:
        enter(user)
    enter(crowd[3], Kind("bids", ""))

    assert count() == one


@pytest.mark.django_db(transaction=True)
def test_two_clocks_open_one_table(crowd):
    for user in crowd[:4]:
        enter(user)

    assert sorted(at_once(pairing.pair, pairing.pair)) == [0, 1]

    assert tables() == [names(*crowd[:4])]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(5))
def test_leaving_and_entering_while_one_is_seated_end_in_one_of_two_ways(crowd, attempt):
    for user in crowd[:4]:
        enter(user)

    outcomes = at_once(
        pairing.pair,
        lambda: entering.leave(crowd[0]),
        lambda: enter(crowd[1], Kind("bids", "")),
        lambda: entering.look(crowd[2]),
        lambda: sanctions.impose(crowd[3], "suspension", "Cheated.", days=1),
        pairing.pair,
    )

    assert not [each for each in outcomes if isinstance(each, Exception)]
    assert not QueueEntry.objects.filter(user__in=[crowd[0], crowd[3]]).exists()
    at_table = set(Seat.objects.filter(left_at=None, user__isnull=False).values_list("user", flat=True))
    assert not at_table & {crowd[0].pk, crowd[3].pk}
    entries = {entry.user: entry.match_id for entry in QueueEntry.objects.all()}
    if Match.objects.exists():
        assert {crowd[1].pk, crowd[2].pk} <= at_table or Match.objects.get().status == "closed"
    else:
        assert entries == {crowd[1]: None, crowd[2]: None}
