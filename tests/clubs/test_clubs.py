"""Who belongs to a club, who leads it, and what becomes of it; all that others try."""

import pytest

from accounts import sanctions, services
from accounts.archive import all_exports
from accounts.people import ties
from games.chat import reporting
from games.chat.models import ForbiddenWord, Report, Silence
from games.clubs import joining, leading, leaving
from games.clubs.models import Club, Membership
from games.models import Match
from games.play import hosting
from games.play.errors import NotAllowed, Refused
from tests.clubs.conftest import member

pytestmark = pytest.mark.django_db

MARKUP = "<script>alert(1)</script> & <b>us</b>"


def roles(club):
    return dict(club.memberships.values_list("user__username", "role"))


def test_a_club_is_founded_and_joined_by_its_link(client, ana, boris):
    client.force_login(ana)

    client.post("/clubs/", {"name": "  Card   Corner ", "text": "We play on Fridays."})
    club = Club.objects.get()
    client.force_login(boris)
    invited = client.get(f"/clubs/join/{club.invitation}/")
    joined = client.post(f"/clubs/join/{club.invitation}/")

    assert (club.name, club.text) == ("Card Corner", "We play on Fridays.")
    assert "We play on Fridays." in invited.text
    assert "Ana" not in invited.text
    assert joined.url == f"/clubs/{club.code}/"
    assert roles(club) == {"Ana": "owner", "Boris": "member"}
    assert client.post(f"/clubs/join/{club.invitation}/").status_code == 302
    assert club.memberships.count() == 2


@pytest.mark.parametrize("page", ["", "members/", "standings/", "settings/", "ways/new/", "play/Ana/", "report/"])
def test_only_members_see_anything_of_it(client, club, users, page):
    address = f"/clubs/{club.code}/{page}"
    assert client.get(address).status_code == 302
    client.force_login(users[2])
    assert client.get(address).status_code == 404


def test_who_leads_is_asked_for_by_every_act(client, club, way, users, boris, vera):
    acts = [
        ("link/", {"link": "new"}),
        ("settings/", {"name": "Ours", "text": ""}),
        ("members/act/", {"act": "remove", "user": users[0].pk}),
        ("members/act/", {"act": "officer", "user": boris.pk}),
        ("members/act/", {"act": "owner", "user": boris.pk}),
        ("members/act/", {"act": "let-back", "user": boris.pk}),
        ("ways/new/", {"name": "Mine"}),
        (f"ways/{way.pk}/remove/", {}),
        ("close/", {}),
    ]

    for user, status in ((boris, 403), (vera, 404)):
        client.force_login(user)
        for act, fields in acts:
            assert client.post(f"/clubs/{club.code}/{act}", fields).status_code == status, act

    assert roles(club) == {"Ana": "owner", "Boris": "member"}
    assert Club.objects.get().name == "Card Corner"
    assert club.table_presets.count() == 1


def test_officers_remove_members_but_neither_each_other_nor_the_owner(club, ana, boris, vera, goran):
    for user in (vera, goran):
        joining.join(user, club.invitation)
    for user in (boris, vera):
        leading.set_officer(member(club, ana), user.pk, officer=True)

    leading.remove(member(club, boris), goran.pk)

    for other in (ana, vera):
        with pytest.raises(NotAllowed):
            leading.remove(member(club, boris), other.pk)
    with pytest.raises(NotAllowed):
        leading.hand_over(member(club, boris), boris.pk)
    assert roles(club) == {"Ana": "owner", "Boris": "officer", "Vera": "officer"}


def test_a_dead_link_lets_nobody_in(client, club, ana, vera):
    old = club.invitation
    leading.set_invitation(member(club, ana), on=True)
    new = Club.objects.get().invitation
    client.force_login(vera)

    assert client.post(f"/clubs/join/{old}/").status_code == 404
    assert "doesn’t work any more" in client.get(f"/clubs/join/{old}/").text
    leading.set_invitation(member(club, ana), on=False)
    assert client.post(f"/clubs/join/{new}/").status_code == 404
    with pytest.raises(Refused):
        joining.join(vera, "")
    assert roles(club) == {"Ana": "owner", "Boris": "member"}


def test_guests_and_programs_stay_outside(client, club):
    client.post("/play/oh-hell/")  # which makes a guest of whoever asks
    page = client.get(f"/clubs/join/{club.invitation}/").text
    assert f'href="/accounts/login/?next=/clubs/join/{club.invitation}/"' in page  # A member may play as a guest.
    assert client.post(f"/clubs/join/{club.invitation}/").status_code == 403
    assert client.post("/clubs/", {"name": "Guests"}).status_code == 403
    assert Membership.objects.count() == 2


def test_who_was_removed_comes_back_only_when_they_are_let(club, ana, boris):
    leading.remove(member(club, ana), boris.pk)
    club.refresh_from_db()

    with pytest.raises(NotAllowed):
        joining.join(boris, club.invitation)
    leading.let_back(member(club, ana), boris.pk)
    joining.join(boris, club.invitation)

    assert roles(club) == {"Ana": "owner", "Boris": "member"}


def test_whom_the_owner_has_blocked_finds_a_dead_link(client, club, ana, vera, goran):
    ties.block(ana, vera)
    ties.block(goran, ana)
    client.force_login(vera)

    assert client.get(f"/clubs/join/{club.invitation}/").status_code == 404
    assert client.post(f"/clubs/join/{club.invitation}/").status_code == 404
    client.force_login(goran)
    assert "You have blocked the owner" in client.post(f"/clubs/join/{club.invitation}/").text
    assert club.memberships.count() == 2


def test_names_and_texts_are_words_and_nothing_else(client, club, users):
    ana = users[0]
    client.force_login(ana)
    client.post(f"/clubs/{club.code}/settings/", {"name": MARKUP[:40], "text": MARKUP})

    pages = ["", "members/", "standings/", "settings/", "report/", "ways/new/"]
    shown = [client.get(f"/clubs/{club.code}/{page}").text for page in pages]
    client.logout()
    shown.append(client.get(f"/clubs/join/{Club.objects.get().invitation}/").text)

    assert all("&lt;script&gt;alert(1)" in text for text in shown)
    assert not any("<script>alert" in text or "<b>us" in text for text in shown)


def test_forbidden_words_empty_names_and_the_silenced_are_refused(client, club, users):
    ForbiddenWord.objects.create(word="cheat*")
    ana = users[0]
    client.force_login(ana)

    for fields in ({"name": "Cheaters"}, {"name": "Us", "text": "c h e a t s"}, {"name": " \u200b "}, {}):
        refused = client.post(f"/clubs/{club.code}/settings/", fields)
        assert refused.status_code == 400
        assert 'role="alert"' in refused.text
    Silence.objects.create(user=ana, reason="Rude")
    assert client.post("/clubs/", {"name": "Others"}).status_code == 403
    assert Club.objects.get().name == "Card Corner"


def test_newcomers_write_no_links_and_the_suspended_join_nothing(client, club, ana, vera):
    client.force_login(ana)

    linked = client.post(f"/clubs/{club.code}/settings/", {"name": "Us", "text": "See www.example.com for more"})
    sanctions.impose(vera, "suspension", "Rude", days=3)
    client.force_login(vera)
    barred = client.post(f"/clubs/join/{club.invitation}/")

    assert (linked.status_code, barred.status_code) == (400, 403)
    assert roles(club) == {"Ana": "owner", "Boris": "member"}


def test_without_its_owner_a_club_goes_to_who_has_led_it_longest(club, ana, boris, vera, goran):
    for user in (vera, goran):
        joining.join(user, club.invitation)
    leading.set_officer(member(club, ana), goran.pk, officer=True)

    services.delete_account(ana)
    assert roles(club) == {"Boris": "member", "Vera": "member", "Goran": "owner"}
    leaving.leave(member(club, goran))
    assert roles(club) == {"Boris": "owner", "Vera": "member"}
    services.delete_account(vera)
    services.delete_account(boris)

    assert not Club.objects.exists()


def test_a_closed_club_leaves_its_matches_to_those_who_play(client, club, way, table, play, ana, boris):
    over = play(ana, boris)
    client.force_login(ana)

    client.post(f"/clubs/{club.code}/close/")

    assert not Club.objects.exists()
    assert Match.objects.get(code=table.code).status == "closed"
    assert Match.objects.get(code=over.code).status == "over"
    assert client.get("/clubs/").status_code == 200


def test_a_reported_club_is_closed_and_opened_again(client, club, table, users, boris, vera, goran):
    client.force_login(boris)
    client.post(f"/clubs/{club.code}/report/", {"reason": "rude", "note": "The name."})
    report = Report.objects.get()
    assert (report.reported, report.about) == (users[0], f"club {club.pk}")
    assert report.messages.get().words == "Card Corner: We play on Fridays."
    client.force_login(vera)
    client.post(f"/clubs/join/{club.invitation}/report/", {"reason": "spam"})
    assert Report.objects.count() == 2

    reporting.hide(report, goran)

    client.force_login(boris)
    assert client.get(f"/clubs/{club.code}/").status_code == 403
    assert client.get(f"/clubs/join/{club.invitation}/").status_code == 404
    assert Match.objects.get().status == "closed"
    reporting.reopen(report, goran)
    assert client.get(f"/clubs/{club.code}/").status_code == 200


def test_the_queue_and_the_admin_show_clubs(client, club, ana, boris):
    leading.report(boris, club, "rude", "")
    ana.is_staff = ana.is_superuser = True
    ana.save()
    client.force_login(ana)

    assert (
        f"/admin/clubs/club/{club.pk}/change/"
        in client.get(f"/admin/chat/report/{Report.objects.get().pk}/change/").text
    )
    assert client.get(f"/admin/clubs/club/{club.pk}/change/").status_code == 200
    client.post("/admin/clubs/club/", {"action": "close", "_selected_action": [club.pk]})
    assert Club.objects.get().closed_at


def test_the_archive_holds_memberships(club, boris):
    (kind,) = [kind for kind in all_exports() if kind.name == "clubs"]

    (document,) = kind.documents(boris)

    assert (document["club"], document["role"]) == ("Card Corner", "member")
    assert kind.count(boris) == 1


def test_only_members_are_invited_to_a_clubs_table(table, ana, boris, vera):
    with pytest.raises(Refused, match="isn’t a member"):
        hosting.invite(ana, table.code, vera)

    assert hosting.invite(ana, table.code, boris).reservations[0].name == "Boris"
