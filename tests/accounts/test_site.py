"""What the staff decide about their site: who may come, its name and looks, legal pages, announcements, limits."""

import io
import re
import zlib
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from accounts import limits
from accounts.models import User
from accounts.site import current
from accounts.site.models import Announcement, PageFailure, SignupInvitation, SiteSettings, validate_colour
from accounts.site.views import logo_version

pytestmark = pytest.mark.django_db

NEW = {"username": "Zora", "password1": "long and unusual 7"}
SETTINGS = {"name": "Valat", "sign_ups": "open", "guests": "on", "indexed": "on", "address_factor": 1}


def choose(**fields):
    SiteSettings.objects.update_or_create(pk=1, defaults=fields)
    current.refresh()


@pytest.fixture
def staff(client, admin_user):
    client.force_login(admin_user)
    client.get(reverse("admin:site_sitesettings_changelist"), follow=True)  # It makes the row.
    return client


def sign_up(client):
    return client.post(reverse("account_signup"), NEW)


def test_closed_site_takes_no_new_members(client):
    choose(sign_ups="closed")

    answer = sign_up(client)

    assert "takes no new members" in answer.text
    assert not User.objects.exists()
    assert reverse("account_signup") not in client.get("/").text


def test_invitation_lets_as_many_people_sign_up_as_it_says(client):
    choose(sign_ups="invitation")
    invitation = SignupInvitation.objects.create(uses_left=1)

    assert "by invitation" in sign_up(client).text
    others = Client()
    for each in (client, others):
        each.get(reverse("accept_invitation", args=[invitation.token]))
    sign_up(client)
    late = others.post(reverse("account_signup"), NEW | {"username": "Yana"})

    assert [user.username for user in User.objects.all()] == ["Zora"]
    assert "by invitation" in late.text
    invitation.refresh_from_db()
    assert invitation.uses_left == 0


def test_expired_invitation_says_so(client):
    choose(sign_ups="invitation")
    invitation = SignupInvitation.objects.create(expires_at=timezone.now() - timedelta(minutes=1))

    answer = client.get(reverse("accept_invitation", args=[invitation.token]), follow=True)

    assert "used up or too old" in answer.text
    assert client.get(reverse("accept_invitation", args=["x"])[:-2] + "%00/").status_code == 404


def test_site_without_guests_sends_visitors_to_the_login(client):
    choose(guests=False)

    answer = client.post(reverse("quick_play", args=["oh-hell"]), follow=True)

    assert answer.redirect_chain == [(reverse("account_login"), 302)]
    assert "for members only" in answer.text
    assert not User.objects.exists()


def test_name_colour_and_logo_are_on_each_page(staff):
    picture = io.BytesIO()
    Image.new("RGB", (400, 300), "#803030").save(picture, "JPEG")
    picture.seek(0)
    picture.name = "logo.jpg"
    looks = {"name": "Klub Štih", "colour": "#3b0f2e", "welcome": "Thursdays at eight.", "new_logo": picture}

    answer = staff.post(reverse("admin:site_sitesettings_change", args=[1]), SETTINGS | looks)
    assert answer.status_code == 302, answer.context["errors"]
    front = Client().get("/").text

    assert re.search("<title>\\s*Klub Štih:", front)
    assert "Thursdays at eight." in front
    assert "now · Klub Štih</title>" in Client().get(reverse("queue")).text
    logo = staff.get(re.search(r"/site/logo-\w+\.png", front)[0])
    assert Image.open(io.BytesIO(logo.content)).size == (160, 120)
    style = staff.get(re.search(r"/site/colour-\w+\.css", front)[0])
    assert "--felt-deep: #3b0f2e" in style.text
    assert staff.get("/manifest.webmanifest").json()["name"] == "Klub Štih"


def test_file_that_is_no_picture_is_refused(staff):
    file = io.BytesIO(b"<svg onload=alert(1)>")
    file.name = "logo.png"

    answer = staff.post(reverse("admin:site_sitesettings_change", args=[1]), SETTINGS | {"new_logo": file})

    assert "no picture that we can read" in answer.text
    assert SiteSettings.objects.get().logo is None


def test_broken_picture_is_refused(staff):
    """Its second part has no name, which Pillow notices late."""
    picture = io.BytesIO()
    Image.new("RGB", (9, 9)).save(picture, "PNG")
    whole = picture.getvalue()
    start = whole.index(b"IDAT") + 4
    body = whole[start : start + 5]
    part = len(body).to_bytes(4) + b"IDAT" + body + zlib.crc32(b"IDAT" + body).to_bytes(4)
    file = io.BytesIO(whole[: start - 8] + part + b"\0\0\0\5\1\2\3\4xxxxx")
    file.name = "logo.png"

    answer = staff.post(reverse("admin:site_sitesettings_change", args=[1]), SETTINGS | {"new_logo": file})

    assert "no picture that we can read" in answer.text


def test_browsers_keep_looks_only_under_their_own_address(client):
    """Another process may not know yet what the page that names them knows."""
    choose(colour="#3b0f2e", logo=b"a picture")

    def cached(name, version):
        return client.get(reverse(name, args=[version]))["Cache-Control"]

    assert cached("site_colour", "3b0f2e") == "max-age=31536000"
    assert cached("site_colour", "0f3b2e") == "no-store"
    assert cached("site_logo", logo_version()) == "max-age=31536000"
    assert cached("site_logo", "00000000") == "no-store"


@pytest.mark.parametrize("colour", ["red", "#fff", "#f0d0a0"])
def test_colour_on_which_light_text_cannot_be_read_is_refused(colour):
    with pytest.raises(ValidationError):
        validate_colour(colour)


def test_legal_pages_say_what_the_host_wrote_and_what_is_stored(client):
    assert client.get(reverse("imprint")).status_code == 404
    choose(imprint="Klub Štih\n<b>Zagreb</b>", privacy="Ana is responsible.", terms="Be on time.")

    assert "&lt;b&gt;Zagreb" in client.get(reverse("imprint")).text
    privacy = client.get(reverse("privacy")).text
    assert "Ana is responsible." in privacy
    assert "90 days" in privacy
    terms = client.get(reverse("terms")).text
    assert "Be on time." in terms
    assert "Play fair" not in terms


def test_addresses_of_log_ins_are_removed_after_90_days(ana):
    old, new = (
        UserSession.objects.create(user=ana, ip="192.0.2.7", session_key=key, user_agent="Firefox", data={})
        for key in ("a" * 32, "b" * 32)
    )
    UserSession.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=91))
    store = Client()
    for session in (old, new):  # An open session keeps its record.
        created = store.session
        created.save()
        UserSession.objects.filter(pk=session.pk).update(session_key=created.session_key)
        store.cookies.clear()

    call_command("tidy", verbosity=0)

    assert dict(UserSession.objects.values_list("pk", "ip")) == {old.pk: "0.0.0.0", new.pk: "192.0.2.7"}


def test_hidden_site_tells_search_engines_to_stay_away(client):
    assert "Disallow: /\n" not in client.get("/robots.txt").text
    choose(indexed=False)

    assert "Disallow: /\n" in client.get("/robots.txt").text
    assert 'name="robots" content="noindex"' in client.get("/").text


def test_announcements_are_shown_in_their_time_only(client):
    now, hour = timezone.now(), timedelta(hours=1)
    for text, begins, ends in (("over", -2, -1), ("now", -1, 1), ("later", 1, 2)):
        Announcement.objects.create(text=f"It is {text}.", begins_at=now + begins * hour, ends_at=now + ends * hour)

    assert re.findall(r"It is \w+\.", client.get("/").text) == ["It is now."]
    assert re.findall(r"It is \w+\.", client.get(reverse("announcements")).text) == ["It is now."]


def test_announcement_ends_after_it_begins(staff):
    moment = {"0": "2026-03-01", "1": "12:00"}
    times = {f"{field}_{part}": value for field in ("begins_at", "ends_at") for part, value in moment.items()}

    answer = staff.post(reverse("admin:site_announcement_add"), {"text": "An update."} | times)

    assert "It must end after it begins." in answer.text
    assert "announcement_has_time" not in answer.text


def test_announced_break_counts_down_at_tables(client, started):
    moment = timezone.now() + timedelta(minutes=10)
    Announcement.objects.create(text="An update.", ends_at=moment + timedelta(minutes=5), break_at=moment)
    client.force_login(User.objects.get(username="Ana"))

    page = client.get(reverse("match", args=[started.code])).text

    assert f'data-countdown="{moment.isoformat()[:16]}' in page


def test_factor_raises_limits_by_address_until_its_end(settings):
    settings.RATE_LIMITS = {"guest": "2/h/ip"}

    def guests():
        return [Client().post(reverse("guest")).status_code for _ in range(3)]

    choose(address_factor=10, address_factor_until=timezone.now() + timedelta(hours=1))
    assert guests() == [302, 302, 302]
    choose(address_factor=10, address_factor_until=timezone.now() - timedelta(hours=1))
    assert guests() == [429, 429, 429]


def test_limit_by_user_ignores_the_factor(ana):
    choose(address_factor=10)
    assert [bool(limits.consume("x", "1/h/user", user=ana.pk)) for _ in range(2)] == [True, False]


def test_page_that_fails_is_counted_without_its_data(client, monkeypatch):
    def fail(request):
        raise KeyError("a secret")

    monkeypatch.setattr("games.pages.site.all_games", fail)
    client.raise_request_exception = False
    for _ in range(2):
        client.get(reverse("rules_index"))

    (failure,) = PageFailure.objects.all()
    assert (failure.view, failure.times) == ("rules_index", 2)
    assert re.fullmatch(r"TypeError at games/pages/site\.py:\d+", failure.place)


def test_overview_and_log_are_for_staff(staff, as_ana_elsewhere):
    assert staff.get(reverse("overview")).status_code == 200
    staff.post(reverse("admin:site_sitesettings_change", args=[1]), SETTINGS | {"name": "Klub"})

    log = staff.get(reverse("admin:admin_logentry_changelist")).text
    assert "settings of the site" in log
    assert "Changed Name" in log
    assert as_ana_elsewhere.get(reverse("overview")).status_code == 302


@pytest.fixture
def as_ana_elsewhere(ana):
    client = Client()
    client.force_login(ana)
    return client
