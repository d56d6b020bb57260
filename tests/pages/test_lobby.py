"""The front page: what it is, how to start, and whose turn it is."""

import json
import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.people import online, ties
from accounts.templatetags.names import as_name
from games.catalog import all_games, get_rules
from games.clubs import joining
from games.fragments import lobby_tables
from games.kit.shuffle import commitment
from games.models import Match, Seat
from games.pages.moments import moment_of
from games.play import presence, seating, store
from tests import opening
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def lobby(client, address="/"):
    return unescape(client.get(address).content.decode())


def headings(page):
    return re.findall(r"<h[12].*?>(.*?)</h", page)


def test_a_visitor_is_told_what_it_is_and_shown_the_games_first(client):
    page = lobby(client)

    assert headings(page) == ["Card games with friends, or against bots", "Play now", "Open tables"]
    for game in all_games():
        assert game.newest.summary in page
    assert "2 or 4 players" in page
    assert "3 to 7 players" in page
    assert "about 6 minutes" in page


def test_the_front_page_shows_open_tables_and_not_those_by_link_only(client, ana):
    shown = opening.open_table(ana, "oh-hell", seats=4)
    hidden = opening.open_table(ana, "oh-hell", seats=4, listed=False)

    page = lobby(client)

    assert shown.code in page
    assert "Long, about 20 minutes" in page
    assert hidden.code not in page


def test_one_click_in_the_lobby_takes_a_seat(client, ana):
    table = opening.open_table(ana, "oh-hell", seats=3)
    address = f"/matches/{table.code}/sit/"

    assert f'form="join" formaction="{address}"' in client.get("/").text
    assert client.post(address).url == f"/matches/{table.code}/"
    assert store.read(table.code).seats[1].kind == "guest"


def test_who_is_at_a_table_sees_their_own_first_and_the_games_after_tables(as_ana, ana, boris):
    assert headings(lobby(as_ana)) == ["Lobby", "Play now", "Open tables"]
    opening.open_table(boris, "bids")
    assert headings(lobby(as_ana)) == ["Lobby", "Open tables", "Play now"]
    opening.open_table(ana, "bids")

    assert headings(lobby(as_ana)) == ["Lobby", "Your tables", "Open tables", "Play now"]


def test_a_guest_without_a_table_is_welcomed_as_a_visitor(client):
    client.post("/play/bids/")
    assert "Your tables" in lobby(client)
    guest = User.objects.get(is_guest=True)
    seating.leave_match(guest, Match.objects.get().code)

    assert headings(lobby(client))[0] == "Card games with friends, or against bots"


def test_tables_that_wait_for_me_come_first_and_say_so(client, users):
    opened = opening.open_table(users[0], "oh-hell", seats=3, options={"game_style": "short-up"}, bots=1)
    begun = seating.sit_down(users[1], opened.code)
    mine = play_on(begun, until=lambda now: now.to_act == now.player_number(users[0].pk))
    newer = opening.open_table(users[0], "bids")

    def lines_of(user):
        client.force_login(user)
        return re.findall(r'<li id="table-(\w+)".*?</li>', lobby(client).split('id="tables"')[0], re.DOTALL)

    def line_of(user):
        client.force_login(user)
        return re.search(rf'<li id="table-{mine.code}".*?</li>', lobby(client), re.DOTALL)[0]

    assert lines_of(users[0]) == [mine.code, newer.code]
    assert "Your turn" in line_of(users[0])
    assert "Your turn" not in line_of(users[1])
    assert f"Waiting for {as_name('Ana')}" in line_of(users[1])


def test_a_table_that_can_not_be_read_breaks_no_front_page(as_ana, ana):
    opened = opening.quick_play(ana, "oh-hell")
    Match.objects.filter(code=opened.code).update(rules_version=77)

    assert opened.code in lobby(as_ana)


def test_the_front_page_costs_as_many_queries_for_three_tables_as_for_one(as_ana, ana):
    counts = []
    for more in (1, 2):
        for _ in range(more):
            opening.quick_play(ana, "oh-hell")
        as_ana.get("/")
        with CaptureQueriesContext(connection) as queries:
            as_ana.get("/")
        counts.append(len(queries))

    assert counts[0] == counts[1]


# Ways to start


def form_for(page, address, length=""):
    """The fields of the form of the front page that posts to an address, in that length."""
    forms = re.findall(rf'action="{address}"[^>]*>(.*?)</form>', page, re.DOTALL)
    inside = next(form for form in forms if f'name="length" value="{length}"' in form)
    return dict(re.findall(r'name="(form_key)" value="([^"]*)"', inside)) | {"length": length}


@pytest.mark.parametrize("game", ["oh-hell", "belot", "bids", "bleven"])
def test_each_length_of_a_game_is_played_in_one_click(client, game):
    rules = get_rules(game)
    for chosen in rules.formats:
        answer = client.post(f"/play/{game}/", form_for(lobby(client), f"/play/{game}/", chosen.slug))

        match = Match.objects.latest("pk")
        assert answer.url == match.get_absolute_url()
        assert match.status == "playing"
        assert rules.format_of(match.options) == chosen


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_the_score_of_a_real_game_is_kept_from_its_card(client, game):
    card = lobby(client).partition(f'id="game-{game}"')[2].partition('id="game-')[0]

    addresses = re.findall(r'href="([^"]*)">\s*Keep score', card)

    assert addresses == [f"/tallies/new/{game}/"]
    assert client.get(addresses[0]).status_code == 200


def test_a_table_for_friends_is_opened_in_one_click(client):
    answer = client.post("/play/belot/friends/", form_for(lobby(client), "/play/belot/friends/"))

    match = Match.objects.get()
    assert answer.url == match.get_absolute_url()
    assert (match.status, match.listed, match.speed) == ("open", False, "untimed")
    assert "data-copy-link" in client.get(answer.url).content.decode()


def test_the_length_played_last_is_put_forward(client):
    def put_forward():
        return re.findall(r'primary block" name="length" value="(\w+)"', lobby(client))

    before = put_forward()
    client.post("/play/belot/", {"length": "full"})

    assert before == ["short"] * 4
    assert put_forward() == ["short", "full", "short", "short"]
    assert form_for(lobby(client), "/play/belot/friends/", "full")["length"] == "full"


@pytest.mark.parametrize("address", ["/play/belot/", "/play/belot/friends/"])
def test_an_unknown_length_is_refused_with_a_sentence(client, address):
    answer = client.post(address, {"length": "endless"})

    assert 400 <= answer.status_code < 500
    assert "no match of that length" in answer.content.decode()
    assert not Match.objects.exists()


# Pictures of the games


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_the_picture_of_a_game_is_a_moment_in_which_its_player_is_to_act(game):
    moment = moment_of(game.slug)

    assert re.search(r"turn|bid|answer", moment["words"], re.IGNORECASE)
    assert moment["plays"]
    assert moment["hand"]


def test_cards_marked_in_a_picture_are_those_that_may_be_played():
    hand = moment_of("oh-hell")["hand"]

    marked = [re.search('data-card="(..)"', card["face"])[1] for card in hand if card["may"]]
    assert marked == ["6D", "2D"]
    assert {card[1] for card in marked} == {"D"}
    assert "Diamonds were led" in moment_of("oh-hell")["words"]


# The page of a table that waits


@pytest.fixture
def waiting(users):
    """A table of Ana's, at which Boris waits too: Belot by the club's rules, but for kirtik, to 51."""
    options = {"target": 51, "trumping": "club", "belot_reply": "any", "kirtik": True}
    opened = opening.open_table(users[0], "belot", seats=4, options=options, speed="relaxed", listed=False)
    return seating.sit_down(users[1], opened.code)


def table_page(client, code):
    return " ".join(re.sub(r"<[^>]+>", " ", unescape(client.get(f"/matches/{code}/").content.decode())).split())


def test_a_length_that_a_game_has_no_more_is_not_chosen_again(client):
    client.post("/play/belot/", {"length": "short"})
    session = client.session
    session["lengths"] = {"belot": "gone"}
    session.save()

    page = client.get("/").content.decode()

    form = re.search(r'action="/play/belot/friends/">.*?</form>', page, re.DOTALL)[0]
    assert re.search(r'name="length" value="(.*?)"', form)[1] == ""
    assert 'value="gone"' not in page


def test_those_who_are_asked_see_what_they_join(client, waiting):
    page = table_page(client, waiting.code)

    assert "Ana invites you to play Belot" in page
    assert "Bulgarian club, but Kirtik: Kirtik" in page
    assert "To 51, about 6 minutes" in page
    assert "Relaxed: 45 seconds a move" in page
    assert "Host Ana" in page
    assert 'href="/rules/belot/"' in client.get(f"/matches/{waiting.code}/").content.decode()


def test_the_host_frees_a_seat_and_who_sat_there_reads_why(client, users, waiting):
    client.force_login(users[0])
    seat = waiting.seat_of(users[1].pk).pk

    answer = client.post(f"/matches/{waiting.code}/free/", {"seat": seat})

    assert answer.url == f"/matches/{waiting.code}/"
    client.force_login(users[1])
    assert "The host has removed you from this table. You can’t join it again" in table_page(client, waiting.code)
    refused = client.post(f"/matches/{waiting.code}/sit/")
    assert refused.status_code == 400
    assert "The host has removed you from this table. Choose another one." in refused.content.decode()
    assert store.read(waiting.code).seat_of(users[1].pk) is None


def test_who_waits_with_somebody_away_is_told_what_follows(client, users, waiting):
    client.force_login(users[0])
    away = table_page(client, waiting.code)

    presence.set_connected(users[1].pk, waiting.code, True)

    assert (
        "Boris is away, but keeps the seat. "
        "The match starts all the same. If a player runs out of time, a bot plays for them until they are back."
    ) in away
    assert "keeps the seat" not in table_page(client, waiting.code)


def test_only_the_host_is_shown_how_to_free_seats(client, users, waiting):
    shown = []
    for user in users[:3]:
        client.force_login(user)
        page = client.get(f"/matches/{waiting.code}/").content.decode()
        shown.append(re.findall(r'id="free-(\d+)"', page))

    assert shown == [[str(waiting.seat_of(users[1].pk).pk)], [], []]


@pytest.mark.parametrize("seat", ["", "x", "-1", "9" * 30, "9" * 19, "999999"])
def test_a_seat_that_is_not_there_is_not_freed(client, users, waiting, seat):
    client.force_login(users[0])

    answer = client.post(f"/matches/{waiting.code}/free/", {"seat": seat})

    assert 400 <= answer.status_code < 500
    assert store.read(waiting.code).revision == waiting.revision


def test_nobody_is_asked_to_join_the_table_at_which_they_wait(client, ana, boris):
    code = opening.open_table(ana, "oh-hell", seats=3).code
    client.force_login(ana)

    assert [line["code"] for line in client.get("/").context["running"]] == [code]
    assert client.get("/").context["open"] == []
    client.force_login(boris)
    assert [line["code"] for line in client.get("/").context["open"]] == [code]
    seen = lobby_tables({(ana.pk, "en"), (boris.pk, "en"), (None, "en")})
    assert [code in seen[viewer, "en"] for viewer in (ana.pk, None, boris.pk)] == [False, True, True]


def test_the_front_page_names_what_a_table_needs(client):
    page = lobby(client)

    assert 'rel="modulepreload" href="/static/site/notes.js"' in page  # that another one imports
    assert 'rel="prefetch" href="/static/belot/belot.css" as="style"' in page
    assert 'rel="prefetch" href="/static/match/frames.js" as="script"' in page


def told_at(page, share):
    """The fields by which a script opens the short match of Oh Hell that a page promises."""
    promised = json.loads(re.search(r'<script id="promise" type="application/json">(.*?)</script>', page)[1])
    table = promised["tables"]["oh-hell"]["short"]
    hashes = [commitment(share), *[""] * (len(table["teams"]) - 1)]
    noted = {"scheme": promised["scheme"], "seedHash": promised["seedHash"], "hashes": hashes, **table, "place": 0}
    told = {"token": promised["token"], "noted": json.dumps(noted), "entropy": share}
    return promised["code"], {"length": "short", "entropy_hash": commitment(share), "form_key": "form"} | told


@pytest.mark.parametrize("address", ["/", "/rules/oh-hell/"])
def test_a_form_that_tells_the_share_is_answered_by_the_table_with_its_cards(client, address):
    code, form = told_at(lobby(client, address), "ab" * 32)

    answers = [
        client.post("/play/oh-hell/", form) for _ in range(2)
    ]  # a page that is loaded again sends its form again

    for answer in answers:
        assert answer.status_code == 200
        assert f'data-match="{code}"' in answer.content.decode()
        assert b'id="hand"' in answer.content
    [seat] = Seat.objects.filter(match__code=code, user__isnull=False)
    assert (seat.entropy, seat.connected) == ("ab" * 32, True)


def test_a_form_whose_promise_is_not_kept_says_so_and_opens_nothing(client):
    _, form = told_at(lobby(client), "ab" * 32)

    for changed in [{"token": "made up"}, {"noted": "{"}, {"noted": "[" * 5_000}, {"length": "full"}]:
        answer = client.post("/play/oh-hell/", form | changed)
        assert answer.status_code == 409
        assert "out of date" in answer.content.decode()
    assert not Match.objects.exists()


def test_a_page_that_has_used_its_promise_asks_for_another(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        first, second = (client.get("/play/promise/") for _ in range(2))

    assert first.json().keys() == {"code", "token", "until", "scheme", "seedHash"}
    assert all(first.json()[key] != second.json()[key] for key in ("code", "token", "seedHash"))
    assert "no-store" in first["Cache-Control"]


# Tables to watch, and who is online


def watched(client, user):
    """The codes of the tables to watch, on the page of a user and as its socket sends them."""
    client.force_login(user)
    shown = [line["code"] for line in client.get("/").context["playing"]]
    html = lobby_tables({(user.pk, "en")})[user.pk, "en"]
    sent = html.split("Tables to watch")[1] if "Tables to watch" in html else ""
    assert re.findall(r'<li id="table-(\w+)"', sent) == shown
    return shown


def running(user, **fields):
    code = opening.quick_play(user, "oh-hell").code
    Match.objects.filter(code=code).update(**{"listed": True, "watching": "anyone"} | fields)
    return code


def test_tables_of_friends_and_clubs_are_watched_by_those_who_may(client, ana, boris, vera, goran):
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    club = joining.found(boris, "Friday", "")
    joining.join(vera, club.invitation)
    of_club = running(boris, listed=False, club=club)
    for_friends = running(boris, watching="friends")
    running(boris, watching="off")
    running(boris, listed=False)
    for_all = running(boris)

    assert watched(client, ana) == [for_all, for_friends]
    assert watched(client, vera) == [for_all, of_club]
    assert watched(client, goran) == [for_all]
    assert watched(client, boris) == []  # They are among the user's own tables.


def test_nobody_is_watched_who_hides_it_or_is_blocked(client, ana, boris, vera):
    running(boris)
    assert len(watched(client, ana)) == 1

    ties.block(boris, ana)
    assert watched(client, ana) == []
    assert len(watched(client, vera)) == 1
    online.set_hides_presence(boris, True)
    assert watched(client, vera) == []


def test_friends_and_members_of_clubs_who_are_online_are_named(client, ana, boris, vera, goran):
    def named(user):
        client.force_login(user)
        return [other.username for other in client.get("/").context["online"]]

    online.note([boris.pk, vera.pk, goran.pk])
    assert named(ana) == []
    assert "Online now" not in lobby(client)
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    club = joining.found(ana, "Friday", "")
    joining.join(vera, club.invitation)
    assert named(ana) == ["Boris", "Vera"]
    assert "Online now" in lobby(client)

    ties.block(vera, ana)
    online.set_hides_presence(boris, True)

    assert named(ana) == []


def test_many_tables_and_friends_take_as_many_queries_as_one(client, ana):
    def add(count):
        for _ in range(count):
            friend = User.objects.create(username=f"Friend{User.objects.count()}")
            ties.ask(friend, ana)
            ties.accept(ana, friend)
            running(friend, watching="friends")
            running(friend)
            online.note([friend.pk])

    def queries():
        client.force_login(ana)
        client.get("/")
        with CaptureQueriesContext(connection) as page:
            client.get("/")
        with CaptureQueriesContext(connection) as socket:
            lobby_tables({(ana.pk, "en")})
        return len(page), len(socket)

    add(1)
    one = queries()
    add(3)
    assert queries() == one
