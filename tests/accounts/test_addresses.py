"""A change of address can be taken back by whoever reads the old one."""

import re
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core import mail
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.addresses import LINK_LIFETIME, sign_former_address
from accounts.archive import profile
from accounts.models import FormerAddress, User
from accounts.programs import make_program, user_of
from tests.accounts.conftest import PASSWORD, confirm, log_in, sign_up, who

pytestmark = pytest.mark.django_db

NEW = "ten of spades, then"


@pytest.fixture(autouse=True)
def _mail(settings):
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {
        "confirm_email": "100/m/key",
        "manage_email": "100/m",
    }


@pytest.fixture
def maria(client, member):
    """Maria, who reads a@example.org; `client` is a browser of hers that somebody else has come by."""
    set_address(member, "a@example.org")
    log_in(client, "Maria")
    return member


def set_address(user, email, *, verified=True):
    user.emailaddress_set.create(email=email, verified=verified, primary=True)
    user.email = email
    user.save()


def change(client, email, password=PASSWORD):
    """Change the address and confirm it from elsewhere. Returns the mails of the change itself."""
    confirm(client, password)
    mail.outbox.clear()
    client.post("/accounts/email/", {"email": email, "action_add": "1"})
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+/)", mail.outbox[0].body)[1]
    mail.outbox.clear()
    type(client)().post(link)
    return list(mail.outbox)


def link_in(letter):
    found = re.search(r"http://testserver(/accounts/email/restore/\S+/)", letter.body)
    return found and found[1]


def addresses_of(user):
    user = User.objects.get(pk=user.pk)
    return user.email, list(user.emailaddress_set.values_list("email", "verified", "primary"))


def test_a_link_that_is_only_opened_changes_nothing(client, maria):
    (letter,) = change(client, "b@example.org")
    before = addresses_of(maria), User.objects.get(pk=maria.pk).password

    scanner = type(client)()
    for read in (scanner.get, scanner.head, scanner.options):
        assert read(link_in(letter)).status_code == 200

    assert (addresses_of(maria), User.objects.get(pk=maria.pk).password) == before
    assert FormerAddress.objects.count() == 1


def test_its_button_locks_the_thief_out_and_lets_the_owner_in(client, maria):
    (letter,) = change(client, "b@example.org")
    assert letter.to == ["a@example.org"]
    assert "b@example.org" not in letter.body
    assert addresses_of(maria) == ("b@example.org", [("b@example.org", True, True)])
    mail.outbox.clear()
    owner = type(client)()
    assert "a@example.org" in owner.get(link_in(letter)).text

    answer = owner.post(link_in(letter))

    assert addresses_of(maria) == ("a@example.org", [("a@example.org", True, True)])
    assert not UserSession.objects.filter(user=maria).exists()
    assert who(client) is None
    log_in(client, "Maria")
    assert who(client) is None
    form = owner.get(answer["Location"], follow=True)
    owner.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    log_in(owner, "Maria", NEW)
    assert who(owner) == maria
    assert sorted(letter.to for letter in mail.outbox[:2]) == [["a@example.org"], ["b@example.org"]]


def test_it_works_in_the_browser_of_the_owner_too(client, maria):
    (letter,) = change(client, "b@example.org")

    answer = client.post(link_in(letter))

    assert client.get(answer["Location"], follow=True).status_code == 200
    assert who(client) is None


def test_somebody_else_who_opens_it_stays_logged_in(client, maria, host):
    (letter,) = change(client, "b@example.org")
    other = type(client)()
    log_in(other, "Host")

    other.post(link_in(letter))

    assert who(other) == host


def test_a_link_works_once(client, maria):
    (letter,) = change(client, "b@example.org")
    client.post(link_in(letter))
    log_in(client, "Maria")

    for answer in (client.get(link_in(letter)), client.post(link_in(letter))):
        assert answer.status_code == 410
        assert "This link no longer works" in answer.text


def test_a_thief_of_two_addresses_cannot_undo_the_owner(client, maria):
    (first,) = change(client, "b@example.org")
    (second,) = change(client, "c@example.org")
    owner, thief = type(client)(), type(client)()

    owner.post(link_in(first))

    assert second.to == ["b@example.org"]
    assert thief.post(link_in(second)).status_code == 410
    assert addresses_of(maria)[0] == "a@example.org"


def test_a_thief_who_takes_a_change_back_cannot_stop_the_owner(client, maria):
    (first,) = change(client, "b@example.org")
    (second,) = change(client, "c@example.org")
    owner, thief = type(client)(), type(client)()
    thief.post(link_in(second))
    assert addresses_of(maria)[0] == "b@example.org"

    owner.post(link_in(first))

    assert addresses_of(maria)[0] == "a@example.org"


def test_a_link_of_before_stays_void_after_later_changes(client, maria):
    (first,) = change(client, "b@example.org")
    (second,) = change(client, "c@example.org")
    type(client)().post(link_in(first))
    maria.refresh_from_db()
    maria.set_password(PASSWORD)
    maria.save()
    log_in(client, "Maria")
    (third,) = change(client, "d@example.org")

    assert type(client)().get(link_in(second)).status_code == 410
    assert type(client)().get(link_in(third)).status_code == 200


@pytest.mark.parametrize(
    ("age", "code"), [(LINK_LIFETIME - timedelta(minutes=1), 200), (LINK_LIFETIME + timedelta(minutes=1), 410)]
)
def test_a_link_works_for_seven_days(client, maria, monkeypatch, age, code):
    former = FormerAddress.objects.create(user=maria, email="old@example.org")
    now = timezone.now().timestamp()
    with monkeypatch.context() as past:
        past.setattr("django.core.signing.time.time", lambda: now - age.total_seconds())
        key = sign_former_address(former)

    assert client.get(reverse("restore_address", args=[key])).status_code == code


@pytest.mark.parametrize("key", ["x", "MQ:1abc:forged", "0" * 500])
def test_a_forged_link_is_refused(client, maria, key):
    FormerAddress.objects.create(user=maria, email="old@example.org")

    assert client.post(f"/accounts/email/restore/{key}/").status_code == 410
    assert addresses_of(maria)[0] == "a@example.org"


def test_a_link_opens_no_other_account_once_a_backup_is_restored(client, maria, host):
    """Keys of rows that a backup lacks are given again."""
    key = sign_former_address(FormerAddress(pk=1, user=maria, email="old@example.org"))
    FormerAddress.objects.create(pk=1, user=host, email="host@example.org")

    assert client.post(f"/accounts/email/restore/{key}/").status_code == 410
    assert host.has_usable_password()


def test_a_removed_address_gets_a_link_too(client, maria):
    confirm(client)

    client.post("/accounts/email/", {"email": "a@example.org", "action_remove": "1"})

    (letter,) = mail.outbox
    assert letter.to == ["a@example.org"]
    assert addresses_of(maria) == ("", [])
    client.post(link_in(letter))
    assert addresses_of(maria) == ("a@example.org", [("a@example.org", True, True)])


@pytest.mark.parametrize("before", ["", "slip@example.org"])
def test_no_address_or_one_that_was_never_confirmed_gets_no_link(client, member, before):
    """It may be a stranger's, by a slip: who must not get the account by it."""
    if before:
        set_address(member, before, verified=False)
    log_in(client, "Maria")

    assert change(client, "b@example.org") == []
    assert not FormerAddress.objects.exists()


def test_a_change_that_is_called_off_leads_nowhere(client, maria):
    confirm(client)
    client.post("/accounts/email/", {"email": "b@example.org", "action_add": "1"})
    mail.outbox.clear()

    client.post("/accounts/email/", {"email": "b@example.org", "action_remove": "1"})

    assert [(letter.to, link_in(letter)) for letter in mail.outbox] == [(["a@example.org"], None)]
    assert addresses_of(maria)[0] == "a@example.org"


def test_a_change_that_is_not_confirmed_yet_is_called_off_too(client, maria):
    (letter,) = change(client, "b@example.org")
    confirm(client)
    mail.outbox.clear()
    client.post("/accounts/email/", {"email": "c@example.org", "action_add": "1"})
    pending = re.search(r"http://testserver(/accounts/confirm-email/\S+/)", mail.outbox[0].body)[1]

    client.post(link_in(letter))

    type(client)().post(pending)
    assert addresses_of(maria) == ("a@example.org", [("a@example.org", True, True)])


def test_what_a_thief_may_have_added_goes_and_the_rest_stays(client, maria):
    _, token = make_program(maria, "Clockwork")
    for kind, days in (("totp", 30), ("webauthn", 0.5), ("recovery_codes", 0)):
        Authenticator.objects.create(user=maria, type=kind, data={}, created_at=timezone.now() - timedelta(days=days))
    (letter,) = change(client, "b@example.org")

    client.post(link_in(letter))

    assert [factor.type for factor in maria.authenticator_set.all()] == ["totp"]
    assert maria.programs.count() == 1
    assert user_of(token) is None


def test_an_address_that_another_account_has_by_now_is_not_taken_from_it(client, maria, host):
    (letter,) = change(client, "b@example.org")
    set_address(host, "a@example.org")
    before = User.objects.get(pk=maria.pk).password

    answer = client.post(link_in(letter))

    assert answer.status_code == 409
    assert "belongs to another account by now" in answer.text
    assert addresses_of(maria)[0] == "b@example.org"
    assert User.objects.get(pk=maria.pk).password == before
    assert FormerAddress.objects.count() == 1


def test_mails_are_in_the_language_of_their_reader(client, maria):
    User.objects.filter(pk=maria.pk).update(language="de")

    (letter,) = change(client, "b@example.org")
    mail.outbox.clear()
    type(client)().post(link_in(letter), headers={"Accept-Language": "fr"})

    assert "Adresse" in letter.subject
    assert ["zurück" in each.subject for each in mail.outbox[:2]] == [True, True]


def test_former_addresses_are_in_the_export_and_are_forgotten(client, maria):
    change(client, "b@example.org")
    assert [each["email"] for each in profile(maria)["former_addresses"]] == ["a@example.org"]
    call_command("tidy", verbosity=0)
    assert FormerAddress.objects.count() == 1

    FormerAddress.objects.update(changed_at=timezone.now() - LINK_LIFETIME)
    call_command("tidy", verbosity=0)

    assert not FormerAddress.objects.exists()


def test_a_deleted_account_takes_its_links_along(client, maria):
    (letter,) = change(client, "b@example.org")
    confirm(client)
    client.post("/accounts/delete/", {"name": "Maria"})

    assert client.get(link_in(letter)).status_code == 410
    assert sign_up(client, "Velislava").status_code == 302


def test_the_page_of_a_link_costs_one_query(client, maria, django_assert_num_queries):
    (letter,) = change(client, "b@example.org")

    with django_assert_num_queries(1):
        type(client)().get(link_in(letter))
