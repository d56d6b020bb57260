"""Search for a member, and play with them: the pages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.guests import new_guest
from accounts.models import User
from accounts.people import online, ties
from accounts.templatetags.names import as_name
from games.models import Invitation, Match
from games.play import seating
from tests import opening

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

SEARCH = "/friends/find/?name=bor"
FORM = {"seats": "4", "bots": "1", "preset": "", "listed": "no", "speed": "untimed"}


@pytest.fixture
def befriended(ana, boris):
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    return boris


def test_a_member_is_found_with_the_button_that_fits(as_ana, ana, boris):
    def buttons():
        page = as_ana.get(SEARCH).text
        acts = ("/people/Boris/ask/", "/people/Boris/accept/", "request sent", "?invite=Boris", "/messages/Boris/")
        return [act for act in acts if act in page]

    assert buttons() == ["/people/Boris/ask/"]
    as_ana.post("/accounts/people/Boris/ask/")
    assert buttons() == ["request sent"]
    ties.unfriend(ana, boris)
    ties.ask(boris, ana)
    assert buttons() == ["/people/Boris/accept/"]
    as_ana.post("/accounts/people/Boris/accept/")
    assert buttons() == ["?invite=Boris", "/messages/Boris/"]


def test_a_script_gets_only_the_list(as_ana, boris):
    part = as_ana.get(SEARCH, headers={"HX-Request": "true"}).text

    assert "Boris" in part
    assert "<html" not in part


def test_who_is_blocked_reads_what_those_read_who_search_for_nobody(client, ana, boris, vera):
    ties.block(ana, boris)
    client.force_login(boris)

    blocked, nobody = (client.get(f"/friends/find/?name={name}").text for name in ("ana", "zzz"))

    def words(page):
        return page.split("<h1>")[1].split("</main>")[0]

    assert words(blocked).replace("ana", "zzz") == words(nobody)


def test_guests_and_visitors_search_for_nobody(client):
    assert client.get(SEARCH).url.startswith("/accounts/login/")
    client.force_login(new_guest())
    assert client.get(SEARCH).status_code == 403
    assert 'role="search"' not in client.get("/friends/").text


def test_searches_have_a_limit(as_ana, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"find_people": "2/m/user"}

    assert [as_ana.get(SEARCH).status_code for _ in range(3)] == [200, 200, 429]


def test_many_hits_take_as_many_queries_as_one(as_ana, ana):
    def queries():
        with CaptureQueriesContext(connection) as seen:
            as_ana.get(SEARCH)
        return len(seen)

    def befriend(count):
        for _ in range(count):
            other = User.objects.create(username=f"Bor{User.objects.count()}x")
            ties.ask(other, ana)
            ties.accept(ana, other)
            online.note([other.pk])

    befriend(1)
    as_ana.get(SEARCH)
    one = queries()
    befriend(4)
    assert queries() == one


def test_members_choose_in_the_settings_whether_they_are_found(as_ana, ana, client, boris):
    assert "Other members find you" in as_ana.get("/accounts/settings/").text

    assert as_ana.post("/accounts/people/search/", {"hide": "yes"}).url == "/accounts/settings/"

    page = as_ana.get("/accounts/settings/").text
    assert ("Nobody finds you by name" in page, "Let them find you" in page) == (True, True)
    client.force_login(boris)
    assert "/players/Ana/" not in client.get("/friends/find/?name=ana").text.split("<h1>")[1]


def test_a_table_is_opened_with_a_seat_kept_for_a_friend(as_ana, befriended):
    form = as_ana.get("/tables/new/?game=oh-hell&invite=boris").text
    assert f"a seat at it is kept for {as_name('Boris')}" in " ".join(form.split())
    assert 'action="?game=oh-hell&amp;invite=Boris"' in form

    answer = as_ana.post("/tables/new/?game=oh-hell&invite=boris", FORM)

    match = Match.objects.get()
    assert answer.url == match.get_absolute_url()
    assert list(match.invitations.values_list("user", flat=True)) == [befriended.pk]


def test_a_form_that_comes_twice_invites_once(as_ana, befriended):
    for _ in range(2):
        as_ana.post("/tables/new/?game=oh-hell&invite=Boris", FORM | {"form_key": "abc"})

    assert (Match.objects.count(), Invitation.objects.count()) == (1, 1)


def test_a_table_without_a_seat_for_the_guest_of_honour_is_not_opened(as_ana, befriended):
    answer = as_ana.post("/tables/new/?game=oh-hell&invite=Boris", FORM | {"bots": "3", "level_0": "", "level_1": ""})

    assert answer.status_code == 400
    assert "Leave a seat free for Boris." in answer.text
    assert not Match.objects.exists()


def test_nobody_invites_strangers_or_people_they_have_blocked(as_ana, ana, boris, vera):
    for name in ("Boris", "Nobody-here", "No%00body"):
        answer = as_ana.post(f"/tables/new/?game=oh-hell&invite={name}", FORM)
        assert answer.status_code in (403, 404)
    table = opening.open_table(vera, "oh-hell", seats=3)
    seating.sit_down(ana, table.code)
    assert as_ana.get("/tables/new/?game=oh-hell&invite=Vera").status_code == 200  # They have met.

    ties.block(ana, vera)

    assert as_ana.post("/tables/new/?game=oh-hell&invite=Vera", FORM).status_code == 400
    assert not Match.objects.filter(host=ana).exists()


def test_a_host_who_is_blocked_notices_nothing(client, as_ana, ana, boris, vera):
    table = opening.open_table(vera, "oh-hell", seats=4)
    seating.sit_down(ana, table.code)
    ties.block(vera, ana)

    answer = as_ana.post("/tables/new/?game=oh-hell&invite=Vera", FORM)

    assert answer.status_code == 302
    client.force_login(vera)
    assert "You’re invited" not in client.get("/").text


def test_profiles_invite_those_who_may_be_invited(as_ana, ana, boris):
    def invites():
        return "/tables/new/?invite=Boris" in as_ana.get("/players/Boris/").text

    assert not invites()
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    assert invites()
    ties.block(ana, boris)
    assert not invites()
