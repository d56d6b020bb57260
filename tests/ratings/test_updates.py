"""Every rated match is rated once, and the record alone says what comes out."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from games.models import Match, Seat
from games.play import seating
from games.play.errors import Refused
from games.ratings import boards, updates
from games.ratings.models import RatedMatch, Rating, RatingChange
from games.ratings.strength import UNKNOWN
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db

BEGAN = timezone.now() - timedelta(days=40)


@pytest.fixture
def ended(users):
    """Makes a finished rated match of three, that ended so many minutes after the first. Returns its row."""

    def make(minute, order=(0, 1, 2), speed="normal", left=None):
        match = Match.objects.create(
            game="oh-hell",
            rules_version=1,
            seat_count=3,
            options={},
            speed=speed,
            rated=True,
            status="over",
            ended_at=BEGAN + timedelta(minutes=minute),
            score_sheet={},
            standings=[],
            seed_hash=f"{minute}",
        )
        for number in range(3):
            Seat.objects.create(
                match=match,
                place=number,
                number=number,
                user=users[number],
                finish=order.index(number) + 1,
                score=0,
                left_at=match.ended_at if number == left else None,
            )
        return match

    return make


def stored():
    """All that is stored of ratings, to the digit, by match and name."""
    changes = RatingChange.objects.order_by("rated__ended_at", "seat").values_list(
        "rated", "player__user", "mu_before", "sigma_before", "mu", "sigma"
    )
    ratings = Rating.objects.order_by("board", "player").values_list(
        "board__pace", "player__user", "mu", "sigma", "matches"
    )
    return list(changes), list(ratings)


def test_a_match_is_rated_once(ended, users):
    ended(0)

    assert updates.rate_pending() == 1
    first = stored()
    assert updates.rate_pending() == 0

    assert stored() == first
    assert [line["matches"] for line in boards.ratings_of(users[0])] == [1]
    assert boards.ratings_of(users[0])[0]["points"] > 1500 > boards.ratings_of(users[2])[0]["points"]


def test_what_comes_out_is_the_same_however_late_a_match_comes(ended):
    matches = [ended(0), ended(1, (2, 1, 0)), ended(2, (1, 0, 2), left=1), ended(3, (0, 2, 1))]
    while updates.rate_pending():
        pass
    in_order = stored()

    RatedMatch.objects.all().delete()
    Rating.objects.all().delete()
    for late in (3, 0, 2, 1):  # as if their ends had been stored in this order
        Match.objects.update(rated=False)
        Match.objects.filter(pk=matches[late].pk).update(rated=True)
        updates.rate_pending()

    assert stored() == in_order


def test_all_can_be_made_again_to_the_digit_after_an_account_is_gone(ended, users):
    for minute, order in enumerate([(0, 1, 2), (2, 1, 0), (1, 0, 2)]):
        ended(minute, order)
    updates.rate_pending()
    users[1].delete()
    before = stored()

    call_command("ratings")

    assert stored() == before
    assert len(before[1]) == 3  # that of nobody any more, too: others' rest on it


def test_a_damaged_match_holds_up_no_other_and_is_rated_once_it_is_repaired(ended):
    matches = [ended(0), ended(1, (2, 1, 0))]
    Seat.objects.filter(match=matches[0], number=0).update(finish=None)

    assert updates.rate_pending() == 1
    assert updates.rate_pending() == 0
    Seat.objects.filter(match=matches[0], number=0).update(finish=1)
    updates.rate_pending()

    late = stored()
    call_command("ratings")
    assert stored() == late
    assert RatedMatch.objects.count() == 2


def test_days_a_move_are_rated_apart(ended, users):
    ended(0)
    ended(1, (2, 1, 0), speed="1-day")
    updates.rate_pending()

    live, slow = boards.ratings_of(users[0])

    assert (live["pace"], slow["pace"]) == ("live", "slow")
    assert live["points"] > 1500 > slow["points"]


def test_others_do_not_see_what_somebody_hides(ended, ana, boris, client):
    for minute in range(10):
        match = ended(minute)
    updates.rate_pending()
    assert [line["name"] for line in boards.board("oh-hell", "live", boris)] == ["Ana", "Boris", "Vera"]

    boards.set_hides_ratings(ana, True)

    assert [line["name"] for line in boards.board("oh-hell", "live", boris)] == ["Boris", "Vera"]
    assert [line["name"] for line in boards.gains("oh-hell", "live", None, 3, boris)] == ["Boris", "Vera"]
    assert boards.changes_of(match, boris)[0]["after"] is None
    assert boards.changes_of(match, ana)[0]["after"] > 1500
    client.force_login(boris)
    assert b"own-ratings" not in client.get("/players/Ana/").content
    assert b"own-ratings" in client.get("/players/Boris/").content


def test_ratings_of_few_matches_are_not_listed(ended, users):
    for minute in range(9):
        ended(minute)
    updates.rate_pending()

    assert boards.board("oh-hell", "live", users[0]) == []
    assert boards.ratings_of(users[0])[0]["provisional"]


def test_gains_are_those_of_a_month_and_a_number_of_players(ended, users):
    match = ended(0)
    ended(60 * 24 * 35, (2, 1, 0))
    updates.rate_pending()
    month = match.ended_at.date().replace(day=1)

    assert [line["name"] for line in boards.gains("oh-hell", "live", month, None, users[0])] == ["Ana", "Boris", "Vera"]
    assert boards.gains("oh-hell", "live", None, 4, users[0]) == []
    assert len(boards.months("oh-hell", "live")) == 2


def test_a_rated_match_is_played_and_rated(users):
    opened = opening.open_table(users[0], "oh-hell", seats=3, options={"game_style": "short-up"}, rated=True)
    seating.sit_down(users[1], opened.code)
    over = play_on(seating.sit_down(users[2], opened.code))

    updates.rate_pending()

    match = Match.objects.get(code=over.code)
    lines = boards.changes_of(match, users[0])
    assert {line["name"] for line in lines} == {"Ana", "Boris", "Vera"}
    assert all(line["before"] == UNKNOWN.points and line["error"] < UNKNOWN.error for line in lines)
    again = opening.rematch(users[0], over.code)
    assert Match.objects.get(code=again.code).rated


def test_a_table_that_is_not_rated_changes_nothing(started):
    play_on(started)

    assert updates.rate_pending() == 0


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"bots": 1}, "people only"),
        ({"speed": "untimed"}, "with a clock"),
        ({"options": {"scoring_style": "negative", "game_style": "short-up"}}, "named sets of rules"),
    ],
)
def test_what_can_not_be_rated_is_refused(ana, arguments, words):
    with pytest.raises(Refused, match=words):
        opening.open_table(ana, "oh-hell", seats=3, rated=True, **arguments)


def test_only_members_play_rated_matches(ana, client):
    guest = User.objects.create(username="Guest", is_guest=True)
    with pytest.raises(Refused, match="Only members"):
        opening.open_table(guest, "oh-hell", seats=3, rated=True)
    opened = opening.open_table(ana, "oh-hell", seats=3, rated=True)

    with pytest.raises(Refused, match="an account"):
        seating.sit_down(guest, opened.code)
    with pytest.raises(Refused, match="only people"):
        seating.seat_bot(ana, opened.code)
    with pytest.raises(Refused, match="only people"):
        seating.start_match(ana, opened.code)
    assert client.post(f"/matches/{opened.code}/sit/").status_code == 403
    assert Seat.objects.count() == 1
