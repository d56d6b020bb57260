"""Another name for an account, and its picture."""

from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from accounts import avatars, renaming
from accounts.adapter import is_taken
from accounts.archive import profile
from accounts.models import PastName, User
from accounts.programs import make_program
from accounts.services import delete_account
from games.play import store
from tests import opening
from tests.accounts.conftest import confirm, sign_up, who

pytestmark = pytest.mark.django_db


def choose(client, name, **more):
    return client.post("/accounts/name/", {"name": name, **more})


def some_time_ago(**ago):
    PastName.objects.update(changed_at=timezone.now() - timedelta(**ago))


def test_an_account_changes_its_name_once_in_30_days(client, member):
    client.force_login(member)
    confirm(client)
    table = opening.open_table(member, "oh-hell", seats=3).code

    assert choose(client, "Velislava").status_code == 302

    assert who(client).username == "Velislava"
    assert store.read(table).seats[0].name == "Velislava"
    again = choose(client, "Radoslava")
    assert again.status_code == 400
    assert "You can change your name again on" in again.content.decode()
    assert "You can change your name again on" in client.get("/accounts/name/").content.decode()
    some_time_ago(days=31)
    assert choose(client, "Radoslava").status_code == 302
    assert who(client).username == "Radoslava"


def test_a_name_that_nobody_may_have_costs_no_change(client, member, boris):
    client.force_login(member)
    confirm(client)

    for wrong in ("Boris", "B0ris", "admin", "", "Al"):
        assert choose(client, wrong).status_code == 400
    assert choose(client, "Maria").status_code == 302  # which it is
    assert choose(client, "Velislava").status_code == 302


def test_links_to_the_old_name_lead_to_the_new_one(client, member):
    renaming.rename(member, "Velislava")
    some_time_ago(days=40)
    renaming.rename(member, "Radoslava")

    for old in ("Maria", "maria", "velislava"):
        assert client.get(f"/players/{old}/?game=bids")["Location"] == "/players/Radoslava/?game=bids"
    assert client.get("/players/Nobody-here/").status_code == 404
    assert client.get("/players/No%00body/").status_code == 404


def test_the_old_name_is_held_back_from_others_for_a_year(client, member):
    renaming.rename(member, "Velislava")

    assert "taken" in unescape(sign_up(client, "Mar1a").content.decode())
    assert is_taken("maria")
    assert not is_taken("Maria", except_pk=member.pk)
    some_time_ago(days=366)
    sign_up(client, "Maria")

    assert who(client).username == "Maria"
    assert client.get("/players/Maria/").status_code == 200


def test_whoever_takes_a_name_as_it_is_given_up_comes_too_late(member, ana):
    """The check of the form has passed; the name was still somebody's then."""
    renaming.rename(member, "Velislava")

    with pytest.raises(renaming.NameTaken):
        renaming.rename(ana, "Maria")
    with pytest.raises(renaming.NameTaken):
        make_program(ana, "Maria")
    assert not User.objects.filter(username="Maria").exists()


def test_its_owner_may_have_it_back(member):
    renaming.rename(member, "Velislava")
    some_time_ago(days=31)
    renaming.rename(member, "Maria")

    assert [past.name for past in member.past_names.all()] == ["Velislava"]


def test_past_names_are_in_the_export_and_go_with_the_account(member):
    renaming.rename(member, "Velislava")
    assert [past["name"] for past in profile(User.objects.get(pk=member.pk))["past_names"]] == ["Maria"]

    delete_account(User.objects.get(pk=member.pk))

    assert not is_taken("Maria")


def test_a_picture_is_chosen_by_accounts_and_guests(client, member, guest_client):
    for user in (who(guest_client), member):
        client.force_login(user)
        assert client.post("/accounts/avatar/", {"avatar": "rings-rose"}).status_code == 302
        user.refresh_from_db()
        assert avatars.avatar_of(user) == ("rings", "rose")
        assert "avatar-rose" in client.get("/accounts/settings/").content.decode()


@pytest.mark.parametrize("wrong", ["", "rings", "rings-", "<svg>-rose", "rings-rose-rose", "x" * 500])
def test_a_picture_that_is_none_is_refused_with_a_sentence(client, member, wrong):
    client.force_login(member)

    answer = client.post("/accounts/avatar/", {"avatar": wrong})

    assert answer.status_code == 400
    assert "Choose one of the pictures." in answer.content.decode()
    member.refresh_from_db()
    assert member.avatar == ""


def test_everybody_has_a_picture_and_all_are_different():
    assert len(set(map(avatars.avatar_of, [User(pk=key) for key in range(48)]))) == len(avatars.all_avatars()) == 48
