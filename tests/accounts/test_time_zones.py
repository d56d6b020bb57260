"""Moments by the clock of the settings, else of the browser's cookie, else of the site."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.http import HttpResponse
from django.template import Context, Template
from django.test import Client
from django.utils import timezone

from accounts import archive, renaming, time_zones
from accounts.models import User
from games.languages import using_language

AUCKLAND, LOS_ANGELES = "Pacific/Auckland", "America/Los_Angeles"
MOMENT = datetime(2026, 11, 26, 15, 53, tzinfo=UTC)


def drawn(moment=MOMENT, form="moment"):
    return Template("{{ moment|moment:form }}").render(Context({"moment": moment, "form": form}))


def now_on(page):
    """The moment that the page of settings shows as now: (its words, its attributes)."""
    return re.search(r"Now it is <time (.*?)>(.*?)</time>", page).groups()[::-1]


@pytest.mark.parametrize(
    ("zone", "words", "full"),
    [
        (AUCKLAND, "27 Nov 2026, 04:53", "Friday 27 November 2026, 04:53 NZDT"),
        (LOS_ANGELES, "26 Nov 2026, 07:53", "Thursday 26 November 2026, 07:53 PST"),
        (None, "26 Nov 2026, 15:53 UTC", "Thursday 26 November 2026, 15:53 UTC"),
    ],
)
def test_a_moment_is_written_by_the_readers_clock_or_with_the_zone_of_the_site(zone, words, full):
    with timezone.override(zone):
        html = drawn()

    attribute = "data-moment" if zone else "data-local"
    assert html == (f'<time datetime="2026-11-26T15:53:00+00:00" title="{full}" {attribute}="moment">{words}</time>')


@pytest.mark.parametrize(
    ("language", "full", "words"),
    [
        ("de", "Donnerstag, 26. November 2026, 16:53 CET", "26. Nov. 2026, 16:53"),
        ("fr", "jeudi 26 novembre 2026, 16:53 CET", "26 nov. 2026, 16:53"),
        ("hr", "četvrtak, 26. studenoga 2026., 16:53 CET", "26. 11. 2026., 16:53"),
        ("bg", "четвъртък, 26 ноември 2026 г., 16:53 CET", "26.11.2026 г., 16:53"),
    ],
)
def test_months_and_weekdays_begin_with_a_capital_only_where_the_language_has_it(language, full, words):
    with using_language(language), timezone.override(time_zones.find("Europe/Zagreb")):
        assert (time_zones.in_full(MOMENT), time_zones.in_words(MOMENT)) == (full, words)


def test_a_reader_in_the_zone_of_the_site_is_not_told_it(settings):
    settings.TIME_ZONE = "Europe/Sofia"

    with timezone.override(time_zones.find("Europe/Sofia")):
        assert time_zones.in_words(MOMENT, "day") == "26 November 2026"
    assert time_zones.in_words(MOMENT, "day") == "26 November 2026 EET"


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "/etc/localtime", "Europe", "Factory", "\0", "x" * 5000, "é"])
def test_a_zone_that_is_none_is_ignored(client, name):
    assert time_zones.find(name) is None
    client.cookies["timezone"] = name

    assert client.get("/rules/").status_code == 200


# The zone of a request


@pytest.mark.django_db
def test_the_zone_of_the_settings_goes_before_that_of_the_browser(client, ana):
    client.force_login(ana)
    words, attributes = now_on(client.get("/accounts/settings/").text)
    assert words.endswith(" UTC")
    assert 'data-local="start"' in attributes

    client.cookies["timezone"] = AUCKLAND
    words, attributes = now_on(client.get("/accounts/settings/").text)
    assert ("NZ" in attributes, "data-local" in attributes) == (True, False)

    assert client.post("/accounts/time-zone/", {"time_zone": LOS_ANGELES}).status_code == 302
    page = client.get("/accounts/settings/").text
    words, attributes = now_on(page)
    assert re.search(r"P[SD]T", attributes)
    assert f'data-time-zone="{LOS_ANGELES}"' in page
    assert timezone.get_current_timezone() is timezone.get_default_timezone()  # again, after the request

    client.post("/accounts/time-zone/", {"time_zone": ""})
    assert "NZ" in now_on(client.get("/accounts/settings/").text)[1]


@pytest.mark.django_db
def test_the_zones_of_the_browser_and_of_the_user_are_offered_first(client, ana):
    User.objects.filter(pk=ana.pk).update(time_zone="US/Pacific")
    client.force_login(ana)
    client.cookies["timezone"] = AUCKLAND

    page = client.get("/accounts/settings/").text

    options = re.findall(r"<option.*?>(.*?)</option>", page.partition('name="time_zone"')[2].partition("</select>")[0])
    assert options[:4] == [f"This browser’s zone: {AUCKLAND}", AUCKLAND, "US/Pacific", "Africa/Abidjan"]
    assert len(options) == len(set(options))
    assert "<option selected>US/Pacific</option>" in page


@pytest.mark.django_db
def test_an_unknown_zone_is_refused_and_changes_nothing(client, ana):
    client.force_login(ana)

    answer = client.post("/accounts/time-zone/", {"time_zone": "Europe/Atlantis"})

    assert answer.status_code == 400
    assert "choose one from the list" in answer.text
    assert User.objects.get(pk=ana.pk).time_zone == ""
    assert Client().post("/accounts/time-zone/", {"time_zone": AUCKLAND}).status_code == 302  # to the login


@pytest.mark.django_db(transaction=True)
async def test_an_async_view_goes_by_the_zone_of_its_user(ana, rf):
    ana.time_zone = AUCKLAND
    seen = []

    async def view(request):
        seen.append(str(timezone.get_current_timezone()))
        await request.auser()
        seen.append(str(timezone.get_current_timezone()))
        return HttpResponse("")

    async def find_user():
        return ana

    request = rf.get("/")
    request.COOKIES["timezone"] = LOS_ANGELES
    request.user, request.auser = ana, find_user
    await time_zones.time_zone_middleware(view)(request)

    assert seen == [LOS_ANGELES, AUCKLAND]
    assert timezone.get_current_timezone() is timezone.get_default_timezone()


@pytest.mark.django_db
def test_a_page_that_asks_for_no_user_costs_no_query(client, ana, django_assert_num_queries):
    client.force_login(ana)
    client.cookies["timezone"] = AUCKLAND

    with django_assert_num_queries(0):
        assert client.get("/manifest.webmanifest").status_code == 200
    assert get_user(client).pk == ana.pk


@pytest.mark.django_db
def test_caches_are_told_that_a_page_depends_on_the_cookie(client, settings):
    settings.LANGUAGES = [("en", "en")]

    assert "Cookie" in client.get("/rules/")["Vary"]


# What is kept and what is written elsewhere


@pytest.mark.django_db
def test_the_archive_holds_the_zone_that_was_chosen(ana):
    ana.time_zone = AUCKLAND

    assert archive.profile(ana)["time_zone"] == AUCKLAND


@pytest.mark.django_db
@pytest.mark.parametrize(("zone", "name"), [(AUCKLAND, "NZ"), ("", "UTC")])
def test_a_mail_goes_by_the_clock_of_its_reader_not_by_that_of_this_browser(client, ana, settings, zone, name):
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    ana.email, ana.time_zone = "ana@example.org", zone
    ana.set_password("a heron on the felt")
    ana.save()
    ana.emailaddress_set.create(email=ana.email, verified=True, primary=True)
    client.login(username="Ana", password="a heron on the felt")
    client.cookies["timezone"] = "Asia/Tokyo"
    fields = {
        "oldpassword": "a heron on the felt",
        "password1": "two owls in a barn",
        "password2": "two owls in a barn",
    }

    assert client.post("/accounts/password/change/", fields).status_code == 302

    (message,) = mail.outbox
    assert re.search(rf"was made on .*, \d\d:\d\d {name}", message.body)


@pytest.mark.django_db
def test_a_refusal_names_its_moment_on_the_readers_clock(ana):
    renaming.rename(ana, "Anna")
    moment = renaming.next_change(ana)

    with timezone.override(AUCKLAND), pytest.raises(renaming.TooSoon) as refusal:
        renaming.rename(ana, "Anja")

    assert f"{moment.astimezone(ZoneInfo(AUCKLAND)):%H:%M}" in str(refusal.value)
