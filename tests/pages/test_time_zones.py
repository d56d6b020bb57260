"""Pages on the reader's clock: a server in UTC, readers in Auckland (27 November) and Los Angeles (the 26th)."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.challenges import days
from games.chat.models import DirectMessage
from games.clubs import joining, standings
from games.comments.models import Comment
from games.deal_index import making
from games.deal_index.models import PlayedMatch
from games.models import Match, Seat
from games.play import hosting
from games.ratings import boards
from games.ratings.models import Board, RatedMatch
from games.statistics.figures import month_of
from tests import opening
from tests.deal_index.test_taking import taken

pytestmark = pytest.mark.django_db

AUCKLAND, LOS_ANGELES = "Pacific/Auckland", "America/Los_Angeles"
MOMENT = datetime(2026, 11, 26, 15, 53, tzinfo=UTC)
OF_READERS = [
    (AUCKLAND, "27 Nov 2026, 04:53"),
    (LOS_ANGELES, "26 Nov 2026, 07:53"),
    ("Europe/Atlantis", "26 Nov 2026, 15:53 UTC"),
    ("", "26 Nov 2026, 15:53 UTC"),
]


@pytest.fixture
def as_ana(ana):
    """A function: Ana's client at a browser in a time zone, "" for one that names none."""

    def made(zone):
        client = Client()
        client.force_login(ana)
        if zone:
            client.cookies["timezone"] = zone
        return client

    return made


@pytest.fixture
def match(finished, ana):
    """A finished match of Ana's, played at MOMENT."""
    Seat.objects.filter(match__code=finished.code, number=0).update(user=ana, bot="", name="")
    at = {"created_at": MOMENT, "started_at": MOMENT, "ended_at": MOMENT}
    Match.objects.filter(code=finished.code).update(**at)
    match = Match.objects.get(code=finished.code)
    making.store_facts(match)
    assert PlayedMatch.objects.get(match=match).began_at == MOMENT
    return match


@pytest.mark.parametrize(("zone", "words"), OF_READERS)
def test_lists_comments_and_messages_are_dated_on_the_readers_clock(as_ana, match, users, zone, words):
    ana, boris, *_ = users
    Comment.objects.create(match=match, move=2, author=ana, text="Why?", written_at=MOMENT)
    DirectMessage.objects.create(sender=boris, recipient=ana, text="Hello", sent_at=MOMENT)
    client = as_ana(zone)

    assert f">{words}</time>" in client.get("/matches/").text
    assert f">{words}</time>" in client.get(f"/matches/{match.code}/comments/?move=2").text
    assert f">{words.replace(' 2026', '')}</time>" in client.get("/messages/Boris/").text


@pytest.mark.parametrize(
    ("zone", "day"), [(AUCKLAND, "27 November 2026"), (LOS_ANGELES, "26 November 2026"), ("", "26 November 2026 UTC")]
)
def test_bests_and_paper_are_dated_on_the_readers_clock(as_ana, match, zone, day):
    client = as_ana(zone)

    assert f">{day}</time>" in client.get("/players/Ana/bests/oh-hell/").text
    assert f">{day}</time>" in client.get(f"/matches/{match.code}/replay/print/").text


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize(
    "asked",
    [
        (AUCKLAND, "2026-11-26", False),
        (AUCKLAND, "2026-11-27", True),
        (AUCKLAND, "2026-11-28", False),
        (LOS_ANGELES, "2026-11-25", False),
        (LOS_ANGELES, "2026-11-26", True),
        (LOS_ANGELES, "2026-11-27", False),
        ("", "2026-11-26", True),
        ("", "2026-11-27", False),
    ],
)
def test_a_filter_by_day_means_the_readers_day(as_ana, ana, match, running, asked):
    zone, day, found = asked
    if running:
        match = Match.objects.get(code=opening.open_table(ana, "belot", seats=4).code)
        Match.objects.filter(pk=match.pk).update(created_at=MOMENT)

    page = as_ana(zone).get(f"/matches/?since={day}&until={day}").text

    assert (f"/matches/{match.code}/" in page) == found
    assert ("Days begin at midnight on the clock of this site: UTC." in page.partition("Showing only")[2]) == (not zone)
    records = taken(as_ana(zone), ana, f"/matches.jsonl?since={day}&until={day}")  # streamed after the view has ended
    assert (match.code in records) == (found and not running)


@pytest.mark.parametrize(("month", "day", "hours"), [(9, 27, 23), (4, 5, 25)])
def test_a_day_of_another_length_is_searched_to_its_end(as_ana, match, month, day, hours):
    midnight = datetime(2026, month, day, tzinfo=ZoneInfo(AUCKLAND)).astimezone(UTC)
    query = f"/matches/?since=2026-{month:02}-{day:02}&until=2026-{month:02}-{day:02}"
    client = as_ana(AUCKLAND)

    for minutes, found in [(-1, False), (0, True), (hours * 60 - 1, True), (hours * 60, False)]:
        PlayedMatch.objects.filter(match=match).update(began_at=midnight + timedelta(minutes=minutes))
        assert (f"/matches/{match.code}/" in client.get(query).text) == found


def test_a_finished_match_is_sent_anew_when_its_reader_chooses_another_zone(as_ana, match, ana):
    client, address = as_ana(""), f"/matches/{match.code}/replay/"
    client.get(address)  # brings a cookie
    first = client.get(address)["ETag"]
    assert client.get(address)["ETag"] == first

    User.objects.filter(pk=ana.pk).update(time_zone=AUCKLAND)

    assert client.get(address)["ETag"] != first


# What changes at a moment is the same for all readers, who are told when it changes


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])  # at any moment, one is on another day
def test_the_deal_of_the_day_is_that_of_the_site_and_says_when_it_changes(client, zone):
    days.create_missing_seeds()
    codes = [deal.code for deal in days.deals_of(datetime.now(UTC).date())]
    client.cookies["timezone"] = zone

    page = client.get("/deal-of-the-day/").text

    assert all(f"/challenges/{code}/" in page for code in codes)
    change = days.next_deal_at()
    assert change == datetime.combine(datetime.now(UTC).date() + timedelta(days=1), datetime.min.time(), UTC)
    local = change.astimezone(ZoneInfo(zone))
    assert f"{local:%H:%M}</time>" in page.partition("The next ones come on")[2][:250]
    challenge = client.get(f"/challenges/{codes[0]}/").text
    assert f"{local:%H:%M}</time>" in challenge.partition("It is the deal of the day until")[2][:250]
    assert "This day is over" not in challenge
    with timezone.override(zone):
        assert days.today() == datetime.now(UTC).date()
        assert days.promise(days.today() + timedelta(days=1)).seed == ""


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_months_are_those_of_the_site(as_ana, match, ana, zone):
    board = Board.objects.create(game="oh-hell", pace="live")
    first, last = datetime(2026, 11, 1, 0, 1, tzinfo=UTC), datetime(2026, 11, 30, 23, 59, tzinfo=UTC)
    rated = RatedMatch.objects.create(match=match, board=board, ended_at=first)

    with timezone.override(zone):
        for moment in (first, last):
            RatedMatch.objects.filter(pk=rated.pk).update(ended_at=moment)
            assert boards.months("oh-hell", "live") == [date(2026, 11, 1)]
            assert month_of(moment) == date(2026, 11, 1)
    page = as_ana(zone).get("/ratings/oh-hell/?month=2026-11").text
    assert '<option value="2026-11" selected>November 2026</option>' in page
    bounds = [
        f"{day.astimezone(ZoneInfo(zone)):%-d %B, %H:%M}</time>"
        for day in (datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))
    ]
    told = page.partition("Matches that ended between")[2].partition("count here")[0]
    assert [bound in told for bound in bounds] == [True, True]


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_clubs_month_is_that_of_the_site_and_says_from_when_to_when(as_ana, ana, match, boris, zone):
    club = joining.found(ana, "Card Corner", "")
    joining.join(boris, club.invitation)
    Seat.objects.filter(match=match, number=1).update(user=boris, bot="", name="")
    end = datetime(2026, 11, 30, 23, 59, tzinfo=UTC)
    Match.objects.filter(pk=match.pk).update(club=club, ended_at=end)

    with timezone.override(zone):
        tables = [standings.standings(club, "oh-hell", ana, end + timedelta(minutes=later)) for later in (0, 2)]

    assert [len(table["month"]) for table in tables] == [2, 0]
    assert (tables[1]["begins"], tables[1]["ends"]) == (
        datetime(2026, 12, 1, tzinfo=UTC),
        datetime(2027, 1, 1, tzinfo=UTC),
    )
    assert "Matches that ended between <time" in as_ana(zone).get(f"/clubs/{club.code}/standings/").text


# The start of a table


def test_the_start_is_asked_for_in_the_zone_that_the_form_names(as_ana, ana):
    table = opening.open_table(ana, "belot", seats=4, listed=True).code
    starts_at = timezone.now().replace(minute=0, second=0, microsecond=0) + timedelta(days=1)
    hosting.set_start(ana, table, starts_at, fills_with_bots=True)
    client = as_ana(AUCKLAND)
    local = starts_at.astimezone(ZoneInfo(AUCKLAND))

    page = client.get(f"/matches/{table}/start-time/").text

    assert f"On your clock: {AUCKLAND}." in page
    assert f'value="{local:%Y-%m-%dT%H:%M}"' in page
    assert f'name="time_zone" value="{AUCKLAND}"' in page
    assert "On the clock of this site: UTC." in as_ana("").get(f"/matches/{table}/start-time/").text
    assert f"{local:%-d %B %Y, %H:%M}</time>" in client.get(f"/matches/{table}/").text
    assert f"{local:%-d %B, %H:%M}</time>" in client.get("/").text


def test_no_template_of_a_page_writes_a_moment_in_another_way(settings):
    pages = (settings.BASE_DIR / "templates").rglob("*.html")
    moments = [
        f"{page}: {found}" for page in pages for found in re.findall(r"_at\|date:.*|\|date:\S*H:i.*", page.read_text())
    ]

    assert moments == []
