"""Names that guests choose: by the rules that accounts have, shown at once, kept when they sign up."""

import pytest
from django.test import Client

from accounts.forms import GuestNameForm
from games.play import memory, store
from tests import opening
from tests.accounts.conftest import sign_up, who

pytestmark = pytest.mark.django_db

URL = "/accounts/name/"


def choose(client, name, **more):
    return client.post(URL, {"name": name, **more})


def test_a_guest_chooses_a_name_and_comes_back(guest_client):
    guest = who(guest_client)

    answer = choose(guest_client, " Velislava ", next="/matches/abcdefgh/")

    after = who(guest_client)
    assert (answer.status_code, answer["Location"]) == (302, "/matches/abcdefgh/")
    assert (after.pk, after.username, after.is_guest) == (guest.pk, "Velislava", True)
    assert after.casefolded_name == "velislava"


def test_a_visitor_becomes_a_guest_of_that_name(client):
    choose(client, "Velislava")

    assert (who(client).username, who(client).is_guest) == ("Velislava", True)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *(("maria", "This name is taken"), ("Маria", "mixes"), ("Mar1a", "looks too much like one")),
        *(("admin", "reserved"), ("Guest-7", "reserved"), ("Heron 12", "without spaces")),
        *(("Al", "3 to 20 characters"), ("V" * 21, "at most 20 characters"), ("", "Type a name first.")),
    ],
)
def test_a_name_that_nobody_may_have_is_refused_with_a_sentence(guest_client, member, name, why):
    before = who(guest_client).username

    answer = choose(guest_client, name, next="/matches/abcdefgh/")

    assert answer.status_code == 400
    assert why in answer.text
    assert 'name="next" value="/matches/abcdefgh/"' in answer.text
    assert who(guest_client).username == before


def test_a_refused_name_makes_no_guest_of_a_visitor(client, member):
    assert choose(client, "Maria").status_code == 400
    assert who(client) is None


def test_the_name_of_another_guest_is_taken_and_ones_own_is_not(guest_client):
    choose(guest_client, "Velislava")
    other = Client()
    other.post("/accounts/guest/")

    assert choose(other, "velislava").status_code == 400
    assert choose(guest_client, "VELISLAVA").status_code == 302
    assert who(guest_client).username == "VELISLAVA"


def test_names_are_chosen_so_often_and_no_more(guest_client, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"name": "2/h/user"}

    codes = [choose(guest_client, name).status_code for name in ("Velislava", "admin", "Radoslava")]

    assert codes == [302, 400, 429]
    assert who(guest_client).username == "Velislava"


def test_who_signs_up_while_they_choose_a_name_keeps_that_of_the_account(guest_client):
    form = GuestNameForm({"name": "Velislava"}, user=who(guest_client))
    assert form.is_valid()
    sign_up(guest_client, "Maria")

    form.save(who(guest_client))

    assert who(guest_client).username == "Maria"


def test_nobody_is_led_off_the_site(guest_client):
    answer = choose(guest_client, "Velislava", next="https://evil.example/")

    assert answer["Location"] == "/accounts/settings/"


def test_the_table_shows_the_new_name_at_once_with_a_badge(guest_client):
    guest = who(guest_client)
    match = memory.remember(opening.quick_play(guest, "oh-hell"))
    revision = match.revision

    choose(guest_client, "Velislava")

    shown = store.read(match.code)
    page = guest_client.get(f"/matches/{match.code}/").text
    assert shown.revision > revision
    assert shown.seat_of(guest.pk).name == "Velislava"
    assert '<span class="name" translate="no">Velislava</span>' in page
    assert page.count('<span class="mark guest">guest</span>') == 1
    assert str(guest) not in page


def test_a_guest_is_asked_for_a_name_at_the_table_and_a_member_is_not(client, guest_client, ana, boris):
    code = opening.open_table(ana, "oh-hell", seats=3).code
    opening.quick_play(who(guest_client), "oh-hell")
    field = 'action="/accounts/name/"'
    member = Client()
    member.force_login(boris)

    assert field in guest_client.get("/").text
    assert field in guest_client.get(f"/matches/{code}/").text
    assert field in Client().get(f"/matches/{code}/").text
    assert field not in Client().get("/").text
    assert field not in member.get(f"/matches/{code}/").text


def test_a_guest_signs_up_with_the_name_that_they_chose(guest_client):
    choose(guest_client, "Velislava")

    offered = guest_client.get("/accounts/signup/").context["form"]["username"].value()
    answer = sign_up(guest_client, "Velislava")

    assert offered == "Velislava"
    assert answer.status_code == 302
    assert (who(guest_client).username, who(guest_client).is_guest) == ("Velislava", False)


def test_a_name_of_ours_is_not_offered_to_who_signs_up(guest_client):
    assert not guest_client.get("/accounts/signup/").context["form"]["username"].value()
