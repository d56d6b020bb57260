"""A full table: its browsers give their shares in the shuffles, and then it starts."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from games.fragments import Fragments
from games.history import lists
from games.kit.shuffle import commitment
from games.models import Match, Seat
from games.play import due, seating, starting, store
from games.play.errors import AlreadyPlayed, NotAllowed, Refused
from games.play.origins import SeatRequest
from tests import opening

pytestmark = pytest.mark.django_db

SHARES = ["a1" * 32, "b2" * 32, "c3" * 32]


@pytest.fixture
def full(users):
    """A table of three people, all of whose browsers have a share to give."""
    opened = opening.open_table(users[0], "oh-hell", seats=3, entropy_hash=commitment(SHARES[0]))
    for user, share in zip(users[1:3], SHARES[1:], strict=True):
        seated = seating.sit_down(user, opened.code, SeatRequest(entropy_hash=commitment(share)))
    return seated


def test_a_full_table_waits_for_the_shares_of_its_browsers_and_starts_with_the_last(users, full):
    first = starting.give_entropy(users[0], full.code, SHARES[0])
    second = starting.give_entropy(users[2], full.code, SHARES[2])
    third = starting.give_entropy(users[1], full.code, SHARES[1])

    assert [full.status, first.status, second.status, third.status] == ["open", "open", "open", "playing"]
    assert [len(each.awaited_seats) for each in (full, first, second, third)] == [3, 2, 1, 0]
    assert third.shuffles.entropies == tuple(SHARES)
    assert third.move_count == 1


@pytest.mark.parametrize("wrong", [SHARES[1], "", "a1", "A1" * 32, "no hex" * 10, commitment(SHARES[0])])
def test_only_the_share_that_was_promised_is_taken(users, full, wrong):
    with pytest.raises(Refused, match="your browser promised"):
        starting.give_entropy(users[0], full.code, wrong)

    assert not Seat.objects.exclude(entropy="").exists()


def test_a_share_is_not_taken_before_all_seats_are(ana):
    opened = opening.open_table(ana, "oh-hell", seats=3, entropy_hash=commitment(SHARES[0]))

    with pytest.raises(Refused, match="all seats are taken"):
        starting.give_entropy(ana, opened.code, SHARES[0])

    assert Seat.objects.get().entropy == ""


def test_a_share_may_come_twice_and_another_one_never(users, full):
    first = starting.give_entropy(users[0], full.code, SHARES[0])
    again = starting.give_entropy(users[0], full.code, SHARES[0])

    assert again == first
    with pytest.raises(AlreadyPlayed):
        starting.give_entropy(users[0], full.code, SHARES[1])
    with pytest.raises(NotAllowed):
        starting.give_entropy(users[3], full.code, SHARES[0])


def test_after_a_while_a_table_starts_without_the_shares_that_did_not_come(users, full):
    starting.give_entropy(users[1], full.code, SHARES[1])
    assert due.due_codes(timezone.now()) == []
    later = timezone.now() - timedelta(seconds=1)
    Match.objects.update(wake_at=later)

    assert due.due_codes(timezone.now()) == [full.code]
    assert due.handle_due(full.code) is None

    started = store.read(full.code)
    assert started.status == "playing"
    assert started.shuffles.entropies == ("", SHARES[1], "")
    with pytest.raises(AlreadyPlayed):
        starting.give_entropy(users[0], full.code, SHARES[0])


def test_nobody_commits_themselves_to_the_share_of_another(users):
    """They could not give it, and the table would wait for them."""
    opened = opening.open_table(users[0], "oh-hell", seats=3, entropy_hash=commitment(SHARES[0]))

    seated = seating.sit_down(users[1], opened.code, SeatRequest(entropy_hash=commitment(SHARES[0]).upper()))

    assert [seat.entropy_hash for seat in seated.seats] == [commitment(SHARES[0]), ""]


def test_each_browser_is_promised_how_its_match_is_shuffled_and_dealt(users, full):
    page = Fragments(full).for_user(users[1].pk)
    promise = json.loads(unescape(re.search(r'data-promise="(.*?)"', page)[1]))

    assert promise == {
        "scheme": "valat-shuffle-2",
        "seedHash": full.seed_hash,
        "hashes": [commitment(share) for share in SHARES],
        "teams": [None] * 3,
        "dealing": full.rules.dealing(full.rules.new_match(3, full.options)),
        "place": 1,
    }
    assert "data-promise" not in Fragments(full).for_user(users[3].pk)


def test_nobody_comes_or_goes_while_a_table_is_about_to_begin(users, full):
    starting.give_entropy(users[0], full.code, SHARES[0])

    with pytest.raises(Refused, match="about to start"):
        seating.stand_up(users[1], full.code)
    with pytest.raises(Refused):
        seating.sit_down(users[3], full.code)
    with pytest.raises(Refused):
        seating.seat_bot(users[0], full.code)
    with pytest.raises(Refused, match="about to start"):
        seating.free_seat(users[0], full.code, full.seat_of(users[1].pk).pk)

    assert Seat.objects.count() == 3


def test_a_bot_takes_the_seat_of_who_leaves_for_good_meanwhile(users, full):
    starting.give_entropy(users[0], full.code, SHARES[0])
    starting.give_entropy(users[1], full.code, SHARES[1])

    left = seating.leave_match(users[2], full.code)

    assert left.status == "playing"
    assert left.seat_of(users[2].pk).left
    assert left.shuffles.entropies == (SHARES[0], SHARES[1], "")


def test_lobby_offers_no_table_that_is_about_to_begin(full):
    assert lists.lobby() == {"open": [], "playing": []}
