"""What the host's staff sees of matches, and does not."""

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from games.models import Match
from tests import opening

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    """Somebody who may look at matches, and no more."""
    user = User.objects.create(username="Warden", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_match"))
    client.force_login(user)
    return client


def test_a_running_match_shows_no_seed_and_no_cards(staff, started):
    match = Match.objects.get(code=started.code)

    page = staff.get(f"/admin/games/match/{match.pk}/change/").content.decode()

    assert match.code in page
    assert match.seed not in page
    assert "hands" not in page
    assert "deck" not in page


def test_the_moves_of_a_match_are_shown_once_it_is_over(staff, started):
    match = Match.objects.get(code=started.code)
    Match.objects.filter(pk=match.pk).update(status="closed")

    page = staff.get(f"/admin/games/match/{match.pk}/change/").content.decode()

    assert page.count("<div>0. ") == 1
    assert "deck" in page


@pytest.mark.parametrize("question", ["seed__startswith=ab", "position__hands__0__icontains=A"])
def test_filters_do_not_ask_for_what_is_not_shown(staff, started, question):
    answer = staff.get(f"/admin/games/match/?{question}")

    assert answer.status_code in (302, 400)
    assert started.code not in answer.content.decode()


def test_who_may_only_look_closes_nothing(staff, started):
    match = Match.objects.get(code=started.code)

    staff.post("/admin/games/match/", {"action": "close", "_selected_action": [match.pk]})

    assert Match.objects.get(pk=match.pk).status == "playing"


def test_the_host_closes_a_table(admin_client, ana):
    opened = opening.open_table(ana, "oh-hell", seats=3)
    match = Match.objects.get(code=opened.code)

    admin_client.post("/admin/games/match/", {"action": "close", "_selected_action": [match.pk]})

    assert Match.objects.get(pk=match.pk).status == "closed"
