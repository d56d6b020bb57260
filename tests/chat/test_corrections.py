"""Wrong words: who may send corrections, what is stored, and for how long."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import resolve
from django.utils import timezone

from accounts import sanctions
from accounts.guests import new_guest
from accounts.services import delete_account
from games.chat import corrections
from games.chat.export import EXPORTS, documents
from games.chat.models import Correction, Silence
from games.kit.language import using_language
from games.play.errors import Refused

pytestmark = pytest.mark.django_db
FORM = "/language/wrong-word/"
FIELDS = {"page": "/rules/belot/", "words": "težak bot", "suggestion": " jak  bot"}


def stored():
    return list(Correction.objects.values_list("user__username", "page", "language", "words", "suggestion"))


@pytest.mark.parametrize(
    "address",
    [
        "//evil.example/",
        "https://evil.example/rules/",
        "javascript:alert(1)",
        "/no-such-page/",
        "rules",
        None,
        "/\\evil",
    ],
)
def test_only_our_own_pages_are_known(address):
    assert corrections.page_of(address) == ""


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/email/restore/abc:def/",
        "/accounts/confirm-email/abc:def/",
        "/accounts/password/reset/key/1-abc-def/",
        "/accounts/invitation/abc/",
        "/notices/unsubscribe/abc/",
        "/clubs/join/abc/",
        "/tallies/abcdefgh/with/abc/",
    ],
)
def test_an_address_with_a_secret_is_not_shown_to_staff(address):
    resolve(address)  # It is one of our pages.

    assert corrections.page_of(address) == ""


def test_a_page_is_known_without_its_query():
    assert corrections.page_of("/rules/belot/?next=/secret/#bids") == "/rules/belot/"
    assert corrections.page_of("/tallies/abcdefgh/deals/7/") == "/tallies/abcdefgh/deals/7/"


def test_a_member_sends_a_correction_by_the_form_without_scripts(client, ana, settings):
    client.force_login(ana)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "hr"
    page = client.get("/rules/belot/").text
    form = client.get(f"{FORM}?page=/rules/belot/").text

    answer = client.post(FORM, FIELDS)
    client.post(FORM, FIELDS)  # the button again

    assert f'href="{FORM}?page=/rules/belot/"' in page
    assert '<input type="hidden" name="page" value="/rules/belot/">' in form
    assert answer.url == f"{FORM}?page=%2Frules%2Fbelot%2F"
    assert stored() == [("Ana", "/rules/belot/", "hr", "težak bot", "jak bot")]


def test_a_refused_form_keeps_its_words(client, ana):
    client.force_login(ana)

    answer = client.post(FORM, FIELDS | {"page": "//evil.example/", "suggestion": ""})

    assert answer.status_code == 400
    assert "težak bot</textarea>" in answer.text
    assert "evil.example" not in answer.text
    assert stored() == []


def test_guests_have_neither_link_nor_form(client, ana):
    guest = new_guest()
    client.force_login(guest)

    assert FORM not in client.get("/rules/belot/").text
    assert client.post(FORM, FIELDS).url == "/accounts/signup/"
    with pytest.raises(Refused):
        corrections.send(guest, *FIELDS.values())
    assert stored() == []


def test_the_suspended_and_the_silenced_send_nothing(client, ana, boris):
    Silence.objects.create(user=ana, reason="Rude")
    sanctions.impose(boris, "suspension", "Rude")

    for user in (ana, boris):
        client.force_login(user)
        assert client.post(FORM, FIELDS).status_code == 403
        with pytest.raises(Refused):
            corrections.send(user, *FIELDS.values())
    assert stored() == []


def test_a_day_has_a_limit(ana, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"correction": "1/d/user"}
    corrections.send(ana, "/", "one", "two")

    with pytest.raises(Refused, match="tomorrow"):
        corrections.send(ana, "/", "three", "four")

    assert len(stored()) == 1


def test_staff_read_corrections_and_mark_them_done(client, ana, boris):
    boris.is_staff = boris.is_superuser = True
    boris.save()
    correction = corrections.send(ana, "/rules/belot/", "<b>bad</b>", "better")
    client.force_login(boris)
    listed = "/admin/chat/correction/"
    page = client.get(listed).text

    assert '<a href="/rules/belot/">/rules/belot/</a>' in page
    assert "&lt;b&gt;bad&lt;/b&gt;" in page
    assert "Corrections of words that wait" in client.get("/admin/overview/").text
    client.post(listed, {"action": "mark_done", "_selected_action": correction.pk})

    correction.refresh_from_db()
    assert correction.done_at is not None
    assert boris.logentry_set.count() == 1
    assert "better" not in client.get(f"{listed}?done_at__isempty=1").text


def test_the_list_of_the_staff_needs_no_query_for_each_correction(client, ana, boris, django_assert_max_num_queries):
    boris.is_staff = boris.is_superuser = True
    boris.save()
    client.force_login(boris)
    corrections.send(ana, "/", "one", "two")
    client.get("/admin/chat/correction/")
    for number in range(9):
        corrections.send(ana, "/", f"one {number}", "two")

    with django_assert_max_num_queries(9):
        client.get("/admin/chat/correction/")


def test_the_form_and_its_link_need_few_queries(client, ana, django_assert_max_num_queries):
    client.force_login(ana)
    client.get("/rules/")

    with django_assert_max_num_queries(8):
        client.get("/rules/")
    with django_assert_max_num_queries(8):  # The form itself reads nothing.
        client.get(f"{FORM}?page=/rules/")


def test_the_archive_has_corrections_and_a_deleted_account_leaves_none(ana):
    with using_language("hr"):
        corrections.send(ana, *FIELDS.values())

    rows = list(documents(ana))
    assert [(row["kind"], row["language"], row["words"]) for row in rows] == [("correction", "hr", "težak bot")]
    assert EXPORTS[0].count(ana) == 1

    delete_account(ana)

    assert stored() == []


def test_old_corrections_are_deleted(ana):
    now = timezone.now()
    for words, sent, done in [
        ("new", 0, None),
        ("waits", 364, None),
        ("just done", 40, 29),
        ("done", 40, 31),
        ("old", 366, None),
    ]:
        Correction.objects.create(
            user=ana,
            language="en",
            words=words,
            suggestion="x",
            sent_at=now - timedelta(sent),
            done_at=done and now - timedelta(done),
        )

    call_command("tidy")

    assert [words for *_, words, _ in stored()] == ["new", "waits", "just done"]


def test_visitors_read_how_to_help(client):
    page = client.get("/language/help/").text

    assert "docs/glossary.md" in page
    assert f'href="{FORM}"' in page
