"""Warnings, suspensions and bans: who reads what of them, what they still may, how they end."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts import sanctions
from accounts.models import Exclusion, Sanction, User
from accounts.people import ties
from tests.accounts.conftest import PASSWORD, confirm, log_in, sign_up, who
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

    sanctions.mark_read(ana, warning.pk)
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
    assert sanctions.lift_expired_bans() == 1
    member.refresh_from_db()
    assert not member.is_active

    sanctions.lift(for_good)
    sanctions.lift(for_good)
    member.refresh_from_db()
    assert member.is_active


def leave(client):
    """Log out as the page does, or be logged out already by a ban."""
    client.post("/accounts/logout/")
    assert who(client) is None


WAYS_IN_AS_SOMEBODY_NEW = {
    "sign up": ("/accounts/signup/", {"username": "Mira", "password1": PASSWORD}),
    "as a guest": ("/accounts/guest/", {}),
    "by a name": ("/accounts/name/", {"name": "Mira"}),
    "play now": ("/play/oh-hell/", {}),
    "learn": ("/learn/oh-hell/", {}),
}


@pytest.mark.parametrize("way", WAYS_IN_AS_SOMEBODY_NEW)
@pytest.mark.parametrize("kind", ["suspension", "ban"])
def test_who_is_kept_out_does_not_come_back_as_somebody_new(client, member, kind, way):
    log_in(client, "Maria")
    made = sanctions.impose(member, kind, "Cheated.")
    leave(client)

    refused = client.post(*WAYS_IN_AS_SOMEBODY_NEW[way])
    assert refused.status_code == 403
    assert "The account Maria, which was logged in from this browser" in refused.text
    assert User.objects.count() == 1

    sanctions.lift(made)
    assert client.post(*WAYS_IN_AS_SOMEBODY_NEW[way]).status_code == 302
    assert who(client) is not None


def test_a_guest_who_is_kept_out_does_not_come_back_as_another(guest_client):
    guest = who(guest_client)
    sanctions.impose(guest, "suspension", "Spam.", days=1)
    leave(guest_client)

    assert guest_client.post("/play/oh-hell/").status_code == 403
    assert User.objects.get() == guest


def test_a_browser_remembers_all_who_logged_in_there(client, member, ana):
    log_in(client, "Maria")
    leave(client)
    client.post("/accounts/guest/")
    leave(client)
    sanctions.impose(member, "suspension", "Cheated.")

    assert client.post("/accounts/guest/").status_code == 403
    assert type(client)().post("/accounts/guest/").status_code == 302


@pytest.mark.parametrize("days", [3, None])
def test_a_suspension_outlives_its_account_without_its_name(client, member, host, days):
    log_in(client, "Maria")
    sanctions.impose(member, "suspension", "Maria swore.", days=days)
    confirm(client)
    client.post("/accounts/delete/", {"name": "Maria"})

    refused = sign_up(client, "Maria")

    exclusion = Exclusion.objects.get()
    assert refused.status_code == 403
    assert f"tell the people who run this site the number {exclusion.pk}." in refused.text
    assert client.post("/accounts/guest/").status_code == 403
    row = str(Exclusion.objects.values())
    assert "Maria" not in row
    assert exclusion.until - timezone.now() <= timedelta(days=days or 365)

    admin = type(client)()
    admin.force_login(host)
    admin.post("/admin/accounts/exclusion/", {"action": "lift", "_selected_action": [exclusion.pk]})
    assert sign_up(client, "Maria").status_code == 302


def test_an_exclusion_ends_and_is_tidied_away(client, member):
    log_in(client, "Maria")
    sanctions.impose(member, "suspension", "Swore.", days=1)
    confirm(client)
    client.post("/accounts/delete/", {"name": "Maria"})
    Exclusion.objects.update(until=timezone.now() - timedelta(seconds=1))

    assert client.post("/accounts/guest/").status_code == 302
    call_command("tidy", stdout=StringIO())

    assert not Exclusion.objects.exists()


def test_accounts_without_a_sanction_leave_nothing_behind(marias, member):
    sanctions.lift(sanctions.impose(member, "suspension", "Swore.", days=1))
    marias.post("/accounts/delete/", {"name": "Maria"})

    assert not Exclusion.objects.exists()
    assert sign_up(marias, "Maria").status_code == 302
