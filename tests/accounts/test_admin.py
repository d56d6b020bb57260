"""The host's pages: finding, banning, reset links."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission

from accounts import sanctions
from accounts.guests import new_guest
from accounts.models import Sanction, User
from accounts.programs import make_program
from tests.accounts.conftest import PASSWORD, confirm, log_in, who

pytestmark = pytest.mark.django_db

USERS = "/admin/accounts/user/"


@pytest.fixture
def admin(client, host):
    """The host's browser."""
    browser = type(client)()
    browser.force_login(host)
    confirm(browser)
    return browser


def act(admin, *users, **more):
    """Ask for the page of what can be done about users; with the fields of its form, do it."""
    fields = {"action": "sanction", "_selected_action": [user.pk for user in users], **more}
    return admin.post(USERS, fields | ({"confirmed": "Do it"} if more else {}), follow=True)


def ban(admin, *users):
    return act(admin, *users, kind="ban", reason="Threw cards.", days="")


def lift(admin, sanction):
    page = "/admin/accounts/sanction/"
    return admin.post(page, {"action": "lift", "_selected_action": [sanction.pk]}, follow=True)


@pytest.mark.whole
def test_a_reset_link_works_end_to_end_without_mail(client, admin, member):
    page = f"{USERS}{member.pk}/reset-link/"
    assert "/password/reset/key/" not in admin.get(page).text
    link = re.search(r">(http://testserver/accounts/password/reset/key/[^<]+)<", admin.post(page).text)[1]

    form_page = client.get(link)["Location"]
    fields = {"password1": "ten of spades, then", "password2": "ten of spades, then"}
    assert client.post(form_page, fields).status_code == 302
    log_in(client, "maria", "ten of spades, then")

    assert who(client) == member
    assert LogEntry.objects.get().get_change_message() == "Issued a reset link"
    assert "no longer works" in type(client)().get(link).text


@pytest.mark.whole
def test_a_banned_user_is_out_and_told_why(client, admin, member):
    log_in(client, "Maria")

    asked = act(admin, member)
    assert "logged out everywhere" in asked.text
    assert "This field is required" in act(admin, member, kind="ban", reason=" ").text
    assert who(client) == member
    ban(admin, member)

    assert client.get("/accounts/delete/").status_code == 302
    answer = log_in(client, "Maria")
    assert answer.status_code == 403
    assert "Threw cards." in answer.text
    assert log_in(client, "Maria", "wrong").status_code == 200
    assert LogEntry.objects.get().get_change_message() == sanctions.describe(Sanction.objects.get())


def test_an_unbanned_user_gets_in_again(client, admin, member):
    ban(admin, member)
    made = Sanction.objects.get()
    lift(admin, made)

    log_in(client, "Maria")

    assert who(client) == member
    made.refresh_from_db()
    assert made.by == made.lifted_by == User.objects.get(username="Host")
    logged = LogEntry.objects.order_by("pk")
    assert [entry.get_change_message() for entry in logged] == [sanctions.describe(made), "Lifted"]
    assert "Threw cards." in admin.get(f"{USERS}{member.pk}/change/").text


def test_hosts_do_not_ban_themselves(admin, host):
    ban(admin, host)

    host.refresh_from_db()
    assert host.is_active


def test_staff_do_not_touch_administrators(client, host, member):
    member.is_staff = True
    member.save()
    member.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user", "add_sanction"]))
    client.force_login(member)
    confirm(client)

    assert client.post(f"{USERS}{host.pk}/reset-link/").status_code == 403
    client.post(f"{USERS}{member.pk}/change/", {"username": "Maria", "is_superuser": "on"})
    ban(client, host)

    host.refresh_from_db()
    member.refresh_from_db()
    assert host.is_active
    assert not member.is_superuser


def test_hosts_leave_by_their_own_account_page(admin, host):
    assert admin.post(f"{USERS}{host.pk}/delete/", {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=host.pk).exists()


def test_players_do_not_reach_the_admin(client, member, ana):
    client.force_login(member)

    assert client.get(USERS, follow=True).status_code == 403
    assert client.post(f"{USERS}{ana.pk}/reset-link/", follow=True).status_code == 403


def test_users_are_found_in_any_case(admin, member):
    user = User.objects.create(username="Цветелина")

    answer = admin.get(USERS, {"q": "цВЕТЕЛ"})

    assert list(answer.context["cl"].queryset) == [user]


def test_a_host_adds_and_renames_users_by_the_rules(admin, member):
    fields = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}

    assert admin.post(f"{USERS}add/", {"username": "mar1a", **fields}).context["adminform"].form.errors["username"]
    assert admin.post(f"{USERS}add/", {"username": "Deputy", **fields}).status_code == 302
    assert admin.post(f"{USERS}{member.pk}/change/", {"username": "Marija"}).status_code == 302

    assert set(User.objects.values_list("username", flat=True)) == {"Host", "Deputy", "Marija"}


def test_a_guest_can_be_looked_at_and_banned_but_has_no_reset_link(admin, guest_client):
    guest = who(guest_client)

    assert admin.get(f"{USERS}{guest.pk}/change/").status_code == 200
    assert admin.post(f"{USERS}{guest.pk}/reset-link/")["Location"] == f"{USERS}{guest.pk}/change/"
    ban(admin, guest)

    assert guest_client.get("/accounts/delete/").status_code == 302


@pytest.mark.parametrize("kind", ["guest", "program"])
def test_who_has_no_account_is_given_no_password(client, admin, member, kind):
    user = new_guest() if kind == "guest" else make_program(member, "Clockwork")[0]
    fields = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}

    answer = admin.post(f"{USERS}{user.pk}/password/", fields | {"set-password": "Set password"})
    log_in(client, user.username)

    assert answer["Location"] == f"{USERS}{user.pk}/change/"
    user.refresh_from_db()
    assert not user.has_usable_password()
    assert who(client) is None


def test_a_password_is_set_for_an_account(client, admin, member):
    fields = {"usable_password": "true", "password1": "another nine, please", "password2": "another nine, please"}

    admin.post(f"{USERS}{member.pk}/password/", fields | {"set-password": "Set password"})
    log_in(client, "Maria", "another nine, please")

    assert who(client) == member


def test_deleting_in_the_admin_is_deleting_the_account(admin, member):
    assert admin.post(f"{USERS}{member.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=member.pk).exists()


def test_a_lost_second_factor_is_removed_but_never_shown(admin, member):
    factor = Authenticator.objects.create(user=member, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    page = f"/admin/mfa/authenticator/{factor.pk}/"

    assert "JBSWY3DPEHPK3PXP" not in admin.get(f"{page}change/").text
    assert admin.post(f"{page}delete/", {"post": "yes"}).status_code == 302
    assert not Authenticator.objects.exists()


def test_what_staff_may_do_rests_while_they_are_suspended(member):
    member.is_staff = True
    member.save()
    member.user_permissions.set(Permission.objects.filter(codename="change_user"))
    host = User.objects.create_superuser("Keeper")
    for user in (member, host):
        made = sanctions.impose(user, "suspension", "Cheated.", days=1)
        suspended = User.objects.get(pk=user.pk)
        assert not suspended.has_perm("accounts.change_user")
        assert not suspended.has_module_perms("accounts")
        sanctions.lift(made)
        assert User.objects.get(pk=user.pk).has_perm("accounts.change_user")


def test_no_page_of_the_admin_gives_an_account_another_address(admin):
    assert admin.get("/admin/account/emailaddress/").status_code == 404


def test_whoever_finds_the_admin_open_takes_no_account_over(client, host, member):
    client.force_login(host)
    before = User.objects.filter(pk=member.pk).values().get()

    for page in ("reset-link", "password", "change"):
        for answer in (
            client.get(f"{USERS}{member.pk}/{page}/"),
            client.post(f"{USERS}{member.pk}/{page}/", {"email": "x@y.z"}),
        ):
            assert answer["Location"].startswith("/accounts/reauthenticate/?next=%2Fadmin%2F")

    assert User.objects.filter(pk=member.pk).values().get() == before
    assert not LogEntry.objects.exists()


def test_whoever_finds_the_admin_open_deletes_no_account_and_no_second_factor(client, host, member):
    client.force_login(host)
    factors = [Authenticator.objects.create(user=user, type="totp", data={}) for user in (host, member)]
    for page, rows in ((USERS, [member]), ("/admin/mfa/authenticator/", factors)):
        chosen = {"action": "delete_selected", "_selected_action": [row.pk for row in rows], "post": "yes"}
        assert "reauthenticate" in client.post(page, chosen)["Location"]
        for row in rows:
            assert "reauthenticate" in client.post(f"{page}{row.pk}/delete/", {"post": "yes"})["Location"]
    assert User.objects.filter(pk=member.pk).exists()
    assert Authenticator.objects.count() == 2
