"""The pages of tallies: begin, enter, correct, share, names, files, history, statistics and standings."""

import json
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts import adoption, sanctions
from accounts.archive import all_exports
from accounts.models import User
from accounts.people import ties
from accounts.templatetags.names import as_name
from games.catalog import get_game
from games.clubs import joining, standings
from games.statistics.figures import figures_of
from games.tallies import sharing
from games.tallies.keeping import Person
from games.tallies.models import Tally, TallyEntry, TallyPlayer
from tests.tallies.conftest import act, enter, ledger
from tests.tallies.test_folding import DEAL

pytestmark = pytest.mark.django_db
WIN = DEAL | {"level": 4, "points": 20}  # 64 match points for Ana and Cora


def key_of(tally, link="read"):
    return getattr(Tally.objects.get(pk=tally.pk), sharing.KEYS[link])


def open_link(client, tally, user, link="read"):
    """Make a link as its keeper, and open it with another browser."""
    sharing.set_link(user, tally.code, link, on=True)
    return client.get(reverse("tally_link", args=[tally.code, key_of(tally, link)]))


def new_form(**others):
    names = {f"name{seat}": name for seat, name in enumerate(("Ben", "Ana", "Cora", "Dan"))}
    return (
        {"seats": "4", "preset": "club", "option_target": "101", "dealer": "1", "form_key": uuid4().hex}
        | names
        | others
    )


def test_a_guest_begins_a_tally_by_a_form_that_may_come_twice(client):
    form = new_form()
    first, second = (client.post(reverse("new_tally", args=["belot"]), form) for _ in range(2))
    assert first.status_code == second.status_code == 302
    tally = Tally.objects.get()
    assert first.url == tally.get_absolute_url()
    assert tally.keeper.is_guest
    assert tally.options["target"] == 101
    # The first dealer has the last seat.
    assert [player.name for player in tally.players.all()] == ["Cora", "Dan", "Ben", "Ana"]
    page = client.get(tally.get_absolute_url())
    assert page["X-Robots-Tag"] == "noindex"
    assert f"{as_name('Ana')} deals." in page.content.decode()


def test_earlier_names_friends_and_members_of_clubs_are_suggested(begin, ana, boris, vera, goran, client):
    club = joining.found(ana, "Card Corner", "")
    for user in (boris, goran):
        joining.join(user, club.invitation)
    ties.ask(ana, vera)
    ties.accept(vera, ana)
    ties.block(goran, ana)
    begin("belot", 4)
    client.force_login(ana)
    page = client.get(reverse("new_tally", args=["belot"]))
    assert page.context["suggestions"] == ["Dan", "Cora", "Ben", "Ana", "Boris", "Vera"]


@pytest.mark.parametrize("change, why", [({"name0": " "}, "Type a name"), ({"name0": "ana"}, "the same name")])
def test_names_that_cannot_be_are_refused(change, why, client):
    response = client.post(reverse("new_tally", args=["belot"]), new_form(**change))
    assert (response.status_code, Tally.objects.count()) == (400, 0)
    assert why in response.content.decode()


def test_a_refused_deal_writes_nothing_and_says_why(begin, ana, client):
    client.force_login(ana)
    tally = begin("belot", 4)
    response = enter(client, tally, DEAL | {"points": 171})
    assert response.status_code == 400
    assert "from 0 to 162" in response.content.decode()
    assert not TallyEntry.objects.exists()
    assert 'value="60"' not in response.content.decode()


def test_a_key_that_leaves_none_for_later_deals_is_refused(begin, ana, client):
    client.force_login(ana)
    tally = begin("belot", 4)
    for key, status in ((1_000_000, 400), (2000, 400), (1000, 302), (2000, 302)):
        data = DEAL | {"entry": str(uuid4()), "deal": key, "seen": ""}
        assert client.post(tally.get_absolute_url(), data).status_code == status
    assert ledger(tally).next_key == 3000


def test_a_form_that_comes_twice_is_one_deal(begin, ana, client):
    client.force_login(ana)
    tally = begin("belot", 4)
    place = client.get(tally.get_absolute_url()).context["place"]
    data = DEAL | {"entry": str(uuid4()), "deal": place.key, "seen": place.seen}
    for _ in range(2):
        assert client.post(tally.get_absolute_url(), data).status_code == 302
    assert len(ledger(tally).deals) == 1


def test_a_double_send_changes_and_announces_nothing(begin, ana, client, django_capture_on_commit_callbacks):
    client.force_login(ana)
    tally = begin("belot", 4)
    deal = DEAL | {"entry": str(uuid4()), "deal": 1000, "seen": ""}
    forms = [
        (tally.get_absolute_url(), deal),
        *(
            (reverse("act_on_tally", args=[tally.code]), {"act": name, "entry": str(uuid4())})
            for name in ("finish", "undo")
        ),
    ]
    for address, data in forms:
        with django_capture_on_commit_callbacks() as announcements:
            assert client.post(address, data).status_code == 302
        assert len(announcements) == 1
        before = Tally.objects.values().get()
        with django_capture_on_commit_callbacks() as announcements:
            assert client.post(address, data).status_code == 302
        assert (announcements, Tally.objects.values().get()) == ([], before)


def test_bids_are_written_first_and_the_result_later(begin, ana, client):
    client.force_login(ana)
    tally = begin("oh-hell", 3, game_style="short-up")
    bids = {"trump": "H", "bid0": 1, "bid1": 0, "bid2": 1}
    assert enter(client, tally, bids, act="early").status_code == 302
    page = client.get(tally.get_absolute_url())
    assert 'id="entry-bid0-1"\n        name="bid0" value="1" checked' in page.content.decode()
    assert enter(client, tally, bids | {"took0": 1, "took1": 0}).status_code == 302
    assert ledger(tally).state.deal.totals == (11, 10, 0)


def test_the_dealers_forbidden_bid_is_struck_out(begin, ana, client):
    client.force_login(ana)
    tally = begin("oh-hell", 3, game_style="short-up")
    data = {"trump": "", "bid0": 0, "bid1": 0, "redraw": "1"}
    form = client.post(tally.get_absolute_url(), data, headers={"HX-Request": "true"}).content.decode()
    assert 'value="1" disabled' in form.split('name="bid2"', 1)[1]


def test_a_deal_that_everybody_passed_can_be_saved(begin, ana, client):
    client.force_login(ana)
    tally = begin("belot", 4)
    data = {"bid": "pass", "redraw": "1"}
    form = client.post(tally.get_absolute_url(), data, headers={"HX-Request": "true"}).content.decode()
    assert ">Save</button>" in form
    assert enter(client, tally, {"bid": "pass"}).status_code == 302
    assert (len(ledger(tally).deals), ledger(tally).state.deal.dealer) == (1, 0)


def test_a_bet_that_nobody_noted_is_not_on_the_sheet(begin, ana, client):
    client.force_login(ana)
    tally = begin("bleven", 2)
    body = {"end": "out1", "declarer": 0, "tricks": 2, "positions": ["1"], "bet": 0, "side_bets": 0}
    assert enter(client, tally, body).status_code == 302
    page = client.get(tally.get_absolute_url()).content.decode()
    assert "2 tricks" in page
    assert "offered" not in page


def test_corrections_change_later_totals_and_are_marked(begin, ana, client):
    client.force_login(ana)
    tally = begin("belot", 4)
    for _ in range(2):
        enter(client, tally, DEAL)
    first, second = [deal.key for deal in ledger(tally).deals]
    address = reverse("tally_deal", args=[tally.code, first])
    page = client.get(address)
    data = DEAL | {"points": 20, "entry": str(uuid4()), "deal": first, "seen": page.context["place"].seen}
    assert client.post(address, data).status_code == 302
    page = client.get(tally.get_absolute_url()).content.decode()
    assert "Changed by Ana" in page
    assert ledger(tally).state.deal.totals == (24, 8)
    act(client, tally, "undo")
    assert ledger(tally).state.deal.totals == (20, 12)
    assert "Changed by Ana" not in client.get(tally.get_absolute_url()).content.decode()
    place = client.get(address).context["place"]
    client.post(address, {"act": "delete", "entry": str(uuid4()), "deal": first, "seen": place.seen})
    assert [deal.key for deal in ledger(tally).deals] == [second]
    assert "Deal: Deleted by Ana" in client.get(tally.get_absolute_url()).content.decode()


def test_a_forgotten_deal_is_inserted_between_two(begin, ana, client):
    client.force_login(ana)
    tally = begin("belot", 4)
    for points in (60, 20):
        enter(client, tally, DEAL | {"points": points})
    for points in (40, 30):  # Each before the last.
        address = reverse("insert_deal", args=[tally.code, ledger(tally).deals[-1].key])
        place = client.get(address).context["place"]
        data = DEAL | {"points": points, "entry": str(uuid4()), "deal": place.key, "seen": place.seen}
        assert client.post(address, data).status_code == 302
    assert [deal.body["points"] for deal in ledger(tally).deals] == [60, 40, 30, 20]
    act(client, tally, "undo")
    assert [deal.body["points"] for deal in ledger(tally).deals] == [60, 40, 20]


def test_a_hand_is_not_inserted_where_it_would_change_the_cards_of_others(begin, ana, client):
    client.force_login(ana)
    tally = begin("oh-hell", 3, game_style="short-up")
    assert (
        enter(client, tally, {"trump": "", "bid0": 0, "bid1": 0, "bid2": 0, "took0": 1, "took1": 0}).status_code == 302
    )
    two = {"trump": "H", "bid0": 2, "bid1": 0, "bid2": 1, "took1": 0, "took2": 0}
    assert enter(client, tally, two).status_code == 302
    address = reverse("insert_deal", args=[tally.code, ledger(tally).deals[0].key])
    place = client.get(address).context["place"]
    one = {"trump": "", "bid0": 0, "bid1": 0, "bid2": 0, "took0": 1, "took1": 0}
    response = client.post(address, one | {"entry": str(uuid4()), "deal": place.key, "seen": ""})
    assert (response.status_code, len(ledger(tally).deals)) == (400, 2)
    assert "would not fit any more" in response.content.decode()


def test_two_keepers_choose_between_two_entries(begin, ana, boris, client):
    tally = begin("belot", 4)
    client.force_login(boris)
    assert open_link(client, tally, ana, "write").status_code == 200
    client.post(reverse("join_tally", args=[tally.code]))
    data = DEAL | {"deal": 1, "seen": ""}
    client.post(tally.get_absolute_url(), data | {"entry": str(uuid4())})
    client.force_login(ana)
    client.post(tally.get_absolute_url(), data | {"entry": str(uuid4()), "points": 20})
    page = client.get(tally.get_absolute_url())
    assert "Deal 1 was entered twice." in " ".join(page.content.decode().split())
    (waiting,) = page.context["undecided"]  # Only answers that differ are shown.
    assert [each["words"] for each in waiting["other_answers"] + waiting["answers"]] == ["60", "20"]
    act(client, tally, "choose", chosen=waiting["id"], deal=1, seen=waiting["seen"], take="yes")
    assert (ledger(tally).waiting, ledger(tally).deals[0].body["points"]) == ([], 20)
    # Ana may only take back what nobody has changed since.
    assert act(client, tally, "undo").status_code == 409


def test_rights_end_when_the_keeper_says_so(begin, ana, boris, vera, client):
    tally = begin("belot", 4)
    client.force_login(boris)
    assert client.get(tally.get_absolute_url()).status_code == 404
    open_link(client, tally, ana, "write")
    assert client.post(tally.get_absolute_url(), DEAL | {"entry": str(uuid4())}).status_code == 404
    client.post(reverse("join_tally", args=[tally.code]))
    assert enter(client, tally, DEAL).status_code == 302
    sharing.revoke(ana, tally.code, boris.pk)
    assert client.get(tally.get_absolute_url()).status_code == 404  # The link for writers is off, too.
    open_link(client, tally, ana)
    assert client.get(tally.get_absolute_url()).status_code == 200
    assert client.post(tally.get_absolute_url(), DEAL | {"entry": str(uuid4())}).status_code == 404
    ties.block(ana, boris)
    assert client.get(tally.get_absolute_url()).status_code == 404
    client.force_login(vera)
    for name in ("share_tally", "tally_json"):
        assert client.get(reverse(name, args=[tally.code])).status_code == 404
    for name in ("delete_tally", "act_on_tally", "answer_name"):
        assert (
            client.post(reverse(name, args=[tally.code]), {"act": "finish", "entry": str(uuid4())}).status_code == 403
        )


def test_suspended_users_write_nothing(begin, ana, client):
    client.force_login(ana)
    tally = begin("belot", 4)
    sanctions.impose(ana, "suspension", "Rest.", days=1)
    assert client.post(tally.get_absolute_url(), DEAL | {"entry": str(uuid4()), "deal": 1}).status_code == 403
    assert not TallyEntry.objects.exists()


@pytest.fixture
def finished(begin, ana, boris, client):
    """A tally of Ana's that she has won with Cora, with a link to Boris at the second seat."""
    client.force_login(ana)
    tally = begin(
        "belot", 4, people=[Person("Ana", ana), Person("Ben", boris), Person("Cora"), Person("Dan")], target=51
    )
    assert enter(client, tally, WIN).status_code == 302
    assert Tally.objects.get(pk=tally.pk).ended_at
    return tally


def test_a_name_counts_for_a_member_once_they_confirm(finished, boris, client):
    client.force_login(boris)
    assert finished.code not in client.get(reverse("my_matches")).content.decode()
    assert f"“{as_name('Ben')}”" in client.get(reverse("tallies")).content.decode()
    client.post(reverse("answer_name", args=[finished.code]), {"answer": "yes"})
    page = client.get(reverse("my_matches"))
    assert finished.code in page.content.decode()
    assert "at the table" in page.content.decode()
    assert finished.code not in client.get(reverse("my_matches") + "?where=online").content.decode()
    assert finished.code in client.get(reverse("my_matches") + "?where=table&game=belot").content.decode()
    assert finished.code not in client.get(reverse("my_matches") + "?result=won").content.decode()
    assert 'name="answer" value="no"' in client.get(finished.get_absolute_url()).content.decode()
    client.post(reverse("answer_name", args=[finished.code]), {"answer": "no"})
    assert finished.code not in client.get(reverse("my_matches")).content.decode()


def test_statistics_and_bests_show_online_at_the_table_or_both(finished, ana, boris, client):
    sharing.answer_link(boris, finished.code, confirms=True)
    game = get_game("belot")
    assert figures_of(ana, game).results == []
    for where in ("table", "both"):
        (result,) = figures_of(ana, game, where).results
        assert (result["finish"], result["seats"], result["matches"]) == (1, 4, 1)
        assert figures_of(ana, game, where).people(together=False) == {boris.pk: {"played": 1, "won": 1, "ahead": 1}}
        page = client.get(reverse("bests", args=["Ana", "belot"]) + f"?where={where}").content.decode()
        assert finished.get_absolute_url() in page
    client.force_login(boris)  # Nobody else sees them.
    assert finished.code not in client.get(reverse("bests", args=["Ana", "belot"]) + "?where=both").content.decode()


def test_tallies_of_a_club_count_in_its_standings(begin, ana, boris, client):
    club = joining.found(ana, "Card Corner", "")
    joining.join(boris, club.invitation)
    client.force_login(ana)
    form = new_form(name0="Boris", option_target="51", club=str(club.pk), dealer="3")
    client.post(reverse("new_tally", args=["belot"]), form)
    tally = Tally.objects.get()
    enter(client, tally, WIN)
    assert standings.games_of(club) == {}  # Boris has not confirmed yet.
    sharing.answer_link(boris, tally.code, confirms=True)
    assert standings.games_of(club) == {"belot": 1}
    lines = standings.standings(club, "belot", ana)["month"]
    assert [(line["name"], line["won"], line["average"]) for line in lines] == [("Boris", 1, 1.0), ("Ana", 0, 2.0)]
    client.force_login(boris)
    assert client.get(tally.get_absolute_url()).status_code == 200


def test_somebody_named_has_the_name_removed(finished, ana, client):
    client.logout()
    open_link(client, finished, ana)
    client.post(reverse("remove_name", args=[finished.code]), {"seat": "2"})
    player = finished.players.get(seat=2)
    assert (player.name, player.removal_asked_at is not None) == ("Cora", True)
    TallyPlayer.objects.filter(pk=player.pk).update(removal_asked_at=timezone.now() - sharing.REMOVAL_AFTER * 2)
    revision = Tally.objects.get().revision
    call_command("tidy", verbosity=0)
    assert finished.players.get(seat=2).name == ""
    assert Tally.objects.get().revision > revision  # Open pages read it again.
    assert "Player 3" in client.get(finished.get_absolute_url()).content.decode()


def test_a_tally_goes_to_a_file_and_comes_back(finished, boris, client):
    record = client.get(reverse("tally_json", args=[finished.code])).content
    assert "Ana" not in json.dumps(json.loads(record)["entries"])
    csv = client.get(reverse("tally_csv", args=[finished.code]) + "?csv=commas").content.decode()
    assert csv.splitlines()[1] == "1,64,64,0,0"
    assert client.get(reverse("tally_picture", args=[finished.code])).content.startswith(b"\x89PNG")

    client.force_login(boris)
    path = reverse("import_tally")
    response = client.post(path, {"file": SimpleUploadedFile("tally.json", record)})
    copy = Tally.objects.get(keeper=boris)
    assert response.url == copy.get_absolute_url()
    again = json.loads(client.get(reverse("tally_json", args=[copy.code])).content)
    assert (again["sheet"], again["standings"]) == (json.loads(record)["sheet"], json.loads(record)["standings"])
    for spoilt in (b"[]", b"{", record.replace(b'"points": 20', b'"points": 171'), b"x" * 600_000):
        assert client.post(path, {"file": SimpleUploadedFile("t.json", spoilt)}).status_code == 400
    assert Tally.objects.filter(keeper=boris).count() == 1


def test_an_archive_has_the_tallies_and_a_deletion_takes_them(finished, ana, boris):
    (kind,) = (kind for kind in all_exports() if kind.name == "tallies")
    assert (kind.count(ana), kind.count(boris)) == (1, 0)
    assert next(iter(kind.documents(ana)))["players"] == ["Ana", "Ben", "Cora", "Dan"]
    sharing.answer_link(boris, finished.code, confirms=True)
    ana.delete()
    # Boris keeps his result, but nobody is named whom Ana typed.
    assert [player.name for player in finished.players.all()] == ["", "Ben", "", ""]
    User.objects.get(pk=boris.pk).delete()
    call_command("tidy", verbosity=0)
    assert not Tally.objects.exists()


def test_tallies_of_a_guest_move_to_the_account(client, rf, ana):
    client.post(reverse("new_tally", args=["belot"]), new_form())
    tally = Tally.objects.get()
    request = rf.get("/")
    request.user, request.session = ana, {}
    adoption.ask_about(request, tally.keeper)
    assert adoption.SESSION_KEY in request.session
    adoption.adopt(request, tally.keeper)
    assert Tally.objects.get().keeper == ana


@pytest.mark.parametrize("deals", [1, 6])
def test_queries_do_not_grow_with_the_deals(deals, begin, ana, client, django_assert_max_num_queries):
    client.force_login(ana)
    tally = begin("oh-hell", 3)
    for number in range(deals):
        hand = {"trump": "", "bid0": 0, "bid1": 0, "bid2": 0}
        seats = [seat for seat in range(3) if seat != (number - 1) % 3]
        assert enter(client, tally, hand | {f"took{seat}": 0 for seat in seats}).status_code == 302
    with django_assert_max_num_queries(16):
        client.get(tally.get_absolute_url())
