"""A club's tables: who sees them, who sits and watches there; its standings."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.people import online, ties
from accounts.templatetags.names import as_name
from games.clubs import joining, leading, leaving, playing, standings
from games.clubs.models import Club
from games.fragments import lobby_tables
from games.models import Match
from games.play import seating, store
from games.play.access import why_hidden
from games.play.errors import NotAllowed, Refused
from tests import opening
from tests.clubs.conftest import member
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def test_a_way_to_play_is_made_by_the_form_of_tables_and_opened_in_one_click(client, club, ana):
    client.force_login(ana)
    address = f"/clubs/{club.code}/ways/new/?game=belot"
    drawn = client.get(address).context["form"]
    sent = {name: field.initial or drawn.initial.get(name, "") for name, field in drawn.fields.items()}
    sent |= {name: drawn.initial[name] for name in drawn.initial if name.startswith(("option_", "preset", "drawn"))}
    assert not {"bots", "listed", "completion_asked"} & drawn.fields.keys()

    refused = client.post(address, sent | {"name": ""})
    made = client.post(address, sent | {"name": "Friday", "open_deals": "yes", "speed": "normal"})
    again = client.post(address, sent | {"name": "Friday"})

    assert (refused.status_code, made.status_code, again.status_code) == (400, 302, 400)
    assert "already has a preset" in again.text
    way = club.table_presets.get()
    page = client.get(f"/clubs/{club.code}/").text
    assert "Friday" in page
    opened = client.post(f"/clubs/{club.code}/ways/{way.pk}/open/", {"form_key": "once"})
    assert client.post(f"/clubs/{club.code}/ways/{way.pk}/open/", {"form_key": "once"}).url == opened.url
    match = Match.objects.get()
    assert (match.game, match.speed, match.listed, match.terms.open_deals, match.club) == (
        "belot",
        "normal",
        False,
        True,
        club,
    )
    waiting = " ".join(client.get(opened.url).text.split())
    assert f"Members of {as_name('Card Corner')}" in waiting
    assert "Open cards" in waiting


def test_a_member_opens_a_table_with_a_seat_kept_for_another(client, club, way, ana, boris, vera):
    client.force_login(boris)
    assert client.get(f"/clubs/{club.code}/play/Ana/").status_code == 200
    assert client.get(f"/clubs/{club.code}/play/Vera/").status_code == 404

    opened = client.post(f"/clubs/{club.code}/ways/{way.pk}/open/", {"user": "Ana"})
    assert client.post(f"/clubs/{club.code}/ways/{way.pk}/open/", {"user": "Vera"}).status_code == 404
    assert "isn’t" not in client.get(f"{opened.url}invite/").text
    assert Match.objects.get().invitations.get().user == ana
    client.force_login(vera)
    assert client.post(f"/clubs/{club.code}/ways/{way.pk}/open/").status_code == 404


def test_members_find_the_table_in_their_lobby_and_nobody_else_does(client, table, ana, boris, vera):
    seen = lobby_tables({(user.pk, "en") for user in (ana, boris, vera)} | {(None, "en")})

    assert f"/matches/{table.code}/" in seen[boris.pk, "en"]
    nobody_else = seen[ana.pk, "en"] + seen[vera.pk, "en"] + seen[None, "en"]
    assert table.code not in nobody_else  # Ana sits there already
    for user, there in ((boris, True), (vera, False)):
        client.force_login(user)
        assert (table.code in client.get("/").text) is there
    client.logout()
    assert table.code not in client.get("/").text


def test_its_own_address_lets_no_stranger_in(client, table, vera):
    acts = ["", "sheet/", "replay/", "last/", "shuffle/", "start.ics"]
    posts = ["sit/", "bot/", "chat/", "entropy/", "invite/"]

    for login in (False, True):
        if login:
            client.force_login(vera)
        assert {client.get(f"/matches/{table.code}/{act}").status_code for act in acts} == {404}
    assert {client.post(f"/matches/{table.code}/{act}").status_code for act in posts} == {404}
    with pytest.raises(NotAllowed):
        seating.sit_down(vera, table.code)
    with pytest.raises(NotAllowed):
        opening.open_table(vera, "oh-hell", listed=False, club_id=Club.objects.get().pk)
    assert Match.objects.get().seats.count() == 1


def test_members_watch_it_from_inside_and_strangers_not_at_all(client, club, table, users, boris, vera, goran):
    joining.join(goran, club.invitation)
    seating.sit_down(boris, table.code)
    begun = seating.start_match(users[0], table.code)

    for user, status in ((goran, 200), (vera, 404)):
        client.force_login(user)
        for page in ("", "sheet/", "replay/"):
            assert client.get(f"/matches/{table.code}/{page}").status_code == status
    assert why_hidden(None, begun)
    client.force_login(goran)
    assert table.code in client.get(f"/clubs/{club.code}/").text


def test_blocks_hold_inside(client, club, table, ana, boris):
    ties.block(boris, ana)

    with pytest.raises(Refused):
        seating.sit_down(boris, table.code)
    client.force_login(boris)
    assert table.code not in client.get(f"/clubs/{club.code}/").text
    assert table.code not in client.get("/").text
    assert client.get(f"/matches/{table.code}/").status_code == 404
    assert client.get(f"/clubs/{club.code}/play/Ana/").status_code == 404


def test_who_is_removed_loses_their_seat_their_invitation_and_their_sight(client, club, way, ana, boris):
    waiting = playing.open_preset(ana, preset=way, invitee=boris)
    other = playing.open_preset(ana, preset=way)
    seating.sit_down(boris, other.code)
    running = seating.start_match(ana, playing.open_preset(ana, preset=way).code)
    client.force_login(boris)
    assert client.get(f"/matches/{running.code}/").status_code == 200

    leading.remove(member(club, ana), boris.pk)

    assert not Match.objects.get(code=waiting.code).invitations.exists()
    assert not Match.objects.get(code=other.code).seats.filter(user=boris).exists()
    for code in (waiting.code, other.code, running.code):
        assert client.get(f"/matches/{code}/").status_code == 404
        assert why_hidden(boris.pk, store.read(code))
    assert client.get(f"/clubs/{club.code}/").status_code == 404
    assert waiting.code not in client.get("/").text


def test_who_leaves_a_club_plays_a_match_to_its_end(client, club, table, boris, ana):
    seating.sit_down(boris, table.code)
    seating.start_match(ana, table.code)

    leaving.leave(member(club, boris))

    client.force_login(boris)
    assert client.get(f"/matches/{table.code}/").status_code == 200
    assert play_on(store.read(table.code)).status == "over"


def test_a_finished_match_says_nothing_of_its_club_to_strangers(client, play, users):
    over = play(*users[:2])

    for page in ("", "replay/", "shuffle/"):
        assert "Card Corner" not in client.get(f"/matches/{over.code}/{page}").text
    assert "Card Corner" not in client.get("/players/Ana/").text


def test_a_rematch_is_the_clubs_too(club, play, ana, boris, vera):
    over = play(ana, boris)

    again = opening.rematch(ana, over.code)

    assert again.club.pk == club.pk
    assert opening.rematch(boris, over.code).seat_of(boris.pk)
    with pytest.raises(NotAllowed):
        opening.rematch(vera, over.code)


def test_standings_count_what_two_members_or_more_have_finished(club, play, ana, boris, django_assert_num_queries):
    first, second = play(ana, boris), play(ana, boris)
    play(ana)  # alone against bots
    Match.objects.filter(code=first.code).update(ended_at=timezone.now() - timedelta(days=40))

    with django_assert_num_queries(4):  # of matches and of tallies
        games = standings.games_of(club)
        tables = standings.standings(club, "oh-hell", boris)

    assert games == {"oh-hell": 2}
    found = {line["name"]: line for line in tables["all"]}
    places = {
        user.username: [Match.objects.get(code=each.code).seats.get(user=user).finish for each in (first, second)]
        for user in (ana, boris)
    }
    for name, finishes in places.items():
        assert (found[name]["matches"], found[name]["won"]) == (2, finishes.count(1))
        assert found[name]["average"] == sum(finishes) / 2
        assert [line["average"] for line in tables["month"] if line["name"] == name] == [finishes[1]]
    assert [line["own"] for line in tables["all"]].count(True) == 1
    leaving.leave(member(club, boris))
    assert [line["name"] for line in standings.standings(club, "oh-hell", ana)["all"]] == ["Ana"]


def test_pages_of_a_club_ask_for_as_much_for_three_as_for_one(client, club, way, ana, vera, goran):
    client.force_login(ana)
    pages = ["", "members/", "standings/"]
    playing.open_preset(ana, preset=way)
    counts = []
    for newcomers in ((), (vera, goran)):
        for user in newcomers:
            joining.join(user, club.invitation)
            playing.open_preset(user, preset=way)
        online.forget()
        counts.append([_queries(client, f"/clubs/{club.code}/{page}") for page in pages])

    assert counts[0] == counts[1]


def _queries(client, address):
    client.get(address)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


def test_the_members_page_says_who_is_here_unless_they_hide_it(client, club, ana, boris):
    online.note([boris.pk])
    client.force_login(ana)

    assert ">Online</span>" in client.get(f"/clubs/{club.code}/members/").text
    online.set_hides_presence(boris, True)
    online.set_hides_presence(ana, True)

    assert ">Online</span>" not in client.get(f"/clubs/{club.code}/members/").text
