"""Warnings, suspensions and bans: who reads what of them, what they still may, how they end."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import sanctions
from accounts.models import Sanction
from accounts.people import ties
from tests.accounts.conftest import confirm, log_in, sign_up, who
from tests.accounts.test_services import archive_of

pytestmark = pytest.mark.django_db

MARKUP = "<script>alert(1)</script> & {{ user }}"


def end(sanction):
    """Let the time of a sanction be over."""
    Sanction.objects.filter(pk=sanction.pk).update(until=timezone.now() - timedelta(seconds=1))


def test_a_warning_stands_on_every_page_until_it_is_read(client, member, ana):
    warning = sanctions.impose(member, "warning", MARKUP, days=7)
    assert warning.until is None
    log_in(client, "Maria")
    page = client.get("/rules/").text
    assert "A moderator has warned you: &lt;script&gt;alert(1)&lt;/script&gt; &amp; {{ user }}" in page
    assert "<script>alert" not in page
    assert 'name="next" value="/rules/"' in page

    sanctions.note_read(ana, warning.pk)
    assert "has warned you" in client.get("/").text
    answer = client.post(f"/accounts/sanctions/{warning.pk}/read/", {"next": "/rules/"})

    assert answer["Location"] == "/rules/"
    assert "has warned you" not in client.get("/").text
    warning.refresh_from_db()
    assert warning.read_at


def test_who_is_suspended_reads_why_takes_their_data_and_goes(client, member):
    made = sanctions.impose(member, "suspension", MARKUP, days=3)
    log_in(client, "Maria")
    confirm(client)

    page = client.get("/").text
    assert f"Your account is suspended until {sanctions.moment(made.until)}, so you can neither play nor write." in page
    assert "<script>alert" not in page
    assert '"reason": "<script>' in archive_of(client)["profile.json"]
    assert client.post("/accounts/delete/", {"name": "Maria"})["Location"] == "/"
    assert not Sanction.objects.exists()


def test_who_is_suspended_asks_nobody_to_be_friends(ana, boris):
    made = sanctions.impose(ana, "suspension", "Spam.")
    with pytest.raises(ties.NotPossible, match="suspended until a moderator lifts it"):
        ties.ask(ana, boris)

    sanctions.lift(made)

    assert not ties.ask(ana, boris)


def test_a_ban_ends_sessions_and_comes_to_its_end(client, member):
    log_in(client, "Maria")
    ban = sanctions.impose(member, "ban", MARKUP, days=1)
    assert client.get("/accounts/delete/").status_code == 302
    refused = log_in(client, "Maria")
    assert refused.status_code == 403
    assert f"This account is banned until {sanctions.moment(ban.until)}: &lt;script&gt;" in refused.text
    assert who(client) is None

    end(ban)
    log_in(client, "Maria")

    assert who(client) == member
    ban.refresh_from_db()
    assert (bool(ban.lifted_at), ban.lifted_by) == (True, None)


def test_the_longest_of_several_bans_holds(member):
    for_good = sanctions.impose(member, "ban", "Cheated.")
    day = sanctions.impose(member, "ban", "Swore.", days=1)
    assert "until a moderator lifts it: Cheated." in sanctions.why_banned(member)

    end(day)
    assert sanctions.end_due() == 1
    member.refresh_from_db()
    assert not member.is_active

    sanctions.lift(for_good)
    sanctions.lift(for_good)
    member.refresh_from_db()
    assert member.is_active


@pytest.mark.parametrize("kind", ["suspension", "ban"])
def test_no_second_account_is_made_in_the_browser_of_who_is_kept_out(client, member, kind):
    log_in(client, "Maria")
    made = sanctions.impose(member, kind, "Cheated.")
    del client.cookies["sessionid"]

    refused = sign_up(client, "Mira")
    assert refused.status_code == 403
    assert "The account Maria, which was logged in from this browser" in refused.text

    sanctions.lift(made)
    assert sign_up(client, "Mira").status_code == 302
