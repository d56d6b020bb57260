"""Statistics and bests against what is counted from score sheets by hand; who sees them; what they cost."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.catalog import all_games, get_game
from games.deal_index import making
from games.models import Match, Seat
from games.play import seating
from games.statistics import bests, counting, privacy, tables
from games.statistics.figures import figures_of
from games.statistics.models import Audience, PlayerFigures, StatisticsPrivacy
from tests import opening
from tests.kit.test_facts import facts_of_match
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

TABLES = {"oh-hell": {"game_style": "short-up"}, "belot": {"target": 51}}


def played(user, game="oh-hell", seed="ab", others=(), seats=3):
    """A finished match of a user, with its facts."""
    bots = seats - 1 - len(others)
    opened = opening.open_table(
        user, game, seats=seats, bots=bots, options=TABLES.get(game, {}), seed=seed * 32, speed="untimed"
    )
    for other in others:
        opened = seating.sit_down(other, opened.code)
    match = Match.objects.get(code=play_on(opened).code)
    making.store_facts(match)
    return match


@pytest.fixture
def matches(ana, boris):
    return [played(ana, seed=seed, others=[boris]) for seed in ("12", "34")]


def lines_of(user, matches):
    """What a user's lines of the sheets of Oh Hell say: (cards, line, turn in the bidding)."""
    for match in matches:
        seat = match.seats.get(user=user).number
        for row in match.score_sheet["hands"]:
            yield row["cards"], row["seats"][seat], (seat - row["dealer"] - 1) % match.seat_count + 1


def cells(user, title, game="oh-hell"):
    """{head of a line: its cells} of the breakdown of this title."""
    game = get_game(game)
    tallies = figures_of(user, game).tallies
    breakdowns = game.statistics.breakdowns
    found = [tables.breakdown_table(breakdown, tallies, lambda *conditions: "") for breakdown in breakdowns]
    (table,) = [each for each in found if each and each["title"] == title]
    return {line["head"]: [cell.words for cell in line["cells"]] for line in table["lines"]}


def counted(lines):
    """The cells of Oh Hell of some lines of sheets."""
    offs = [line["taken"] - line["bid"] for line in lines]
    shares = [sum(map(holds, offs)) / len(offs) for holds in (lambda n: n == 0, lambda n: n > 0, lambda n: n < 0)]
    mean = sum(line["points"] for line in lines) / len(lines)
    return [str(len(lines)), *(f"{round(100 * share)}%" for share in shares), f"{mean:.1f}"]


def test_bids_by_hand_size_and_seat_are_those_of_the_sheets(matches, ana):
    lines = list(lines_of(ana, matches))

    by_size, by_seat = cells(ana, "Bids by hand size"), cells(ana, "Bids by seat")

    for cards in range(1, 11):
        assert by_size[str(cards)] == counted([line for size, line, _ in lines if size == cards])
    for turn, head in ((1, "First"), (2, "Second"), (3, "Third")):
        assert by_seat[head] == counted([line for *_, line, at in lines if at == turn])


def test_contracts_of_belot_are_those_of_the_sheet(ana):
    match = played(ana, "belot", seats=4)
    seat = match.seats.get(user=ana).number
    rows = match.score_sheet["rows"]
    by_team = [row for row in rows if row["bidder"] % 2 == seat % 2]

    found = cells(ana, "All deals", "belot")
    contracts = cells(ana, "Contracts bid, alone or with a partner", "belot")

    assert sum(int(line[0]) for line in found.values()) == len(rows)
    assert found["Bid it"][0] == str(sum(row["bidder"] == seat for row in rows))
    assert sum(int(line[0]) for line in contracts.values()) == len(by_team)
    made = sum(round(int(line[0]) * int(line[1][:-1]) / 100) for line in contracts.values())
    assert made == sum(row["outcome"] == "made" for row in by_team)


def results(user, game):
    return tables.results_tables(figures_of(user, get_game(game)).results)


def people(user, game):
    """{"partners", "opponents"}: lines of each, by name."""
    running = figures_of(user, get_game(game))
    kinds = {"partners": running.people(True), "opponents": running.people(False)}
    return {kind: [{"name": name} | counts for name, counts in counting.with_names(of)] for kind, of in kinds.items()}


def test_results_and_people_are_counted(matches, ana, boris):
    found = results(ana, "oh-hell")
    places = [(match.seats.get(user=ana).finish, match.seats.get(user=boris).finish) for match in matches]

    assert (found["played"], found["won"]) == (2, sum(mine == 1 for mine, _ in places))
    assert [line["played"] for line in found["months"]] == [2]
    assert people(ana, "oh-hell") == {
        "partners": [],
        "opponents": [
            {"name": "Boris", "played": 2, "won": found["won"], "ahead": sum(mine < his for mine, his in places)}
        ],
    }


def test_partners_are_told_from_opponents(ana, boris, users):
    match = played(ana, "belot", seats=4, others=users[1:])
    mine = match.seats.get(user=ana)
    (mate,) = match.seats.filter(team=mine.team).exclude(pk=mine.pk)

    found = people(ana, "belot")
    by_partner = figures_of(ana, get_game("belot")).partners

    assert [line["name"] for line in found["partners"]] == [mate.user.username]
    assert len(found["opponents"]) == 2
    assert {user: values[0] for user, values in by_partner.items()} == {mate.user.pk: len(match.score_sheet["rows"])}


def test_bests_are_the_most_the_first_and_the_longest_of_the_sheets(matches, ana):
    lines = [
        (match.code, row["hand"], row["seats"][match.seats.get(user=ana).number])
        for match in matches
        for row in match.score_sheet["hands"]
    ]

    found = {line["words"]: line for line in bests.bests(figures_of(ana, get_game("oh-hell")), get_game("oh-hell"))}

    most = max(line["points"] for *_, line in lines)
    best = found["Most points in a hand"]
    assert best["value"] == f"{most} points"
    assert (best["code"], best["deal"]) == next((code, deal) for code, deal, line in lines if line["points"] == most)
    zero = next(((code, deal) for code, deal, line in lines if line["bid"] == line["taken"] == 0), None)
    assert (found["First zero bid made"]["code"], found["First zero bid made"]["deal"]) == zero
    longest, length, end = 0, 0, None
    for code, deal, line in lines:
        length = length + 1 if line["bid"] == line["taken"] else 0
        if length > longest:
            longest, end = length, (code, deal)
    run = found["Longest run of made bids"]
    assert (run["value"], (run["code"], run["deal"])) == (f"{longest} bids", end)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_fact_of_statistics_is_there_and_every_line_can_be(game, rng):
    found, _ = facts_of_match(game.newest, game.newest.default_seats, rng)
    seat, deal = found[0].seats[0], found[0].deal
    statistics = game.statistics
    feats = [key for feat in statistics.feats for key in (*feat.where, *feat.among, feat.fact) if key]

    for key in (*statistics.facts, *statistics.sums, *feats):
        assert key.removeprefix("deal_") in (deal if key.startswith("deal_") else seat)
    for breakdown in statistics.breakdowns:
        assert 0 <= breakdown.drawn < len(breakdown.figures)


@pytest.mark.whole
@pytest.mark.parametrize("game", ["oh-hell", "belot", "bids", "bleven"])
def test_pages_of_every_game_cost_as_much_for_many_matches_as_for_one(client, ana, game, settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    first = played(ana, game, seats=get_game(game).newest.default_seats)
    pages = [f"/players/Ana/statistics/{game}/", f"/players/Ana/bests/{game}/"]
    client.get(pages[0])  # which makes the figures
    costs = []
    for _ in range(2):
        for page in pages:
            with CaptureQueriesContext(connection) as captured:
                answer = client.get(page)
            assert answer.status_code == 200
            costs.append(len(captured))
        copy(first)

    assert costs[:2] == costs[2:]
    assert max(costs) <= 12


@pytest.mark.parametrize("game", ["oh-hell", "belot"])
def test_figures_brought_forward_are_those_made_anew(users, game):
    ana = users[0]
    seats = get_game(game).newest.default_seats
    mates = users[1:] if seats == 4 else users[1:2]
    first = played(ana, game, seed="12", seats=seats, others=mates)
    figures_of(ana, get_game(game))
    first_of_two = played(ana, game, seed="34", seats=seats)
    played(ana, game, seed="56", seats=seats, others=mates)
    row = PlayerFigures.objects.get(user=ana)
    forward = figures_of(ana, get_game(game))

    assert (row.stale, row.last_match) == (False, Match.objects.latest("pk").pk)
    PlayerFigures.objects.update(stale=True)
    anew = figures_of(ana, get_game(game))

    assert plain(forward) == plain(anew)
    Match.objects.filter(pk=first_of_two.pk).delete()
    assert PlayerFigures.objects.get(user=ana).stale
    assert sum(tally.deals for tally in figures_of(ana, get_game(game)).tallies) == sum(
        match.deal_facts.count() for match in Match.objects.exclude(pk=first_of_two.pk)
    )
    Match.objects.filter(pk=first.pk).update(ended_at="2030-01-01T00:00Z")
    played(ana, game, seed="78", seats=seats)
    first.deal_facts.first().delete()
    making.store_facts(Match.objects.get(pk=first.pk))
    assert PlayerFigures.objects.get(user=ana).stale


def plain(running):
    """What is stored of figures, with sums as good as equal, in one order."""
    stored = running.as_json()
    tallies = sorted((repr(facts), deals, rounded(sums)) for facts, deals, sums in stored["tallies"])
    partners = {user: rounded(values) for user, values in stored["partners"].items()}
    return tallies, partners, stored["bests"], sorted(stored["results"]), sorted(stored["people"])


def rounded(values):
    return [round(value, 6) for value in values]


def copy(match):
    """Another match that went the same, of the same people."""
    from games.history.records import export_match, import_match

    other = import_match(export_match(match))
    for seat in match.seats.exclude(user=None):
        other.seats.filter(number=seat.number).update(user=seat.user)
    making.store_facts(other)


def test_whist_has_statistics_though_no_shared_code_names_it(whist, client, ana):
    played(ana, "whist", seats=4)

    page = client.get("/players/Ana/statistics/").text

    assert "Tricks by trumps" in page
    assert "Most tricks in a deal" in client.get("/players/Ana/bests/whist/").text


def test_each_part_is_shown_to_whom_its_owner_chooses(client, matches, ana, boris, users):
    vera = users[2]
    client.force_login(ana)
    chosen = {"results": "all", "people": "played", "deals": "me", "bests": "me"}
    assert client.post("/statistics/shown/", chosen).status_code == 302

    assert privacy.visible_parts(ana, ana) == set(privacy.PARTS)
    assert privacy.visible_parts(boris, ana) == {"results", "people"}
    assert privacy.visible_parts(vera, ana) == {"results"}
    client.force_login(vera)
    page = client.get("/players/Ana/statistics/").text
    assert ('id="results"' in page, 'id="deals"' in page, "Opponents" in page) == (True, False, False)
    assert "doesn’t show this" in client.get("/players/Ana/bests/").text
    assert "Hidden" not in page
    assert "doesn’t show you" in client.get("/compare/Boris/Ana/").text
    client.force_login(boris)
    assert "Against each other" in client.get("/compare/Boris/Ana/").text


def test_what_cannot_be_chosen_changes_nothing(client, ana):
    client.force_login(ana)

    assert client.post("/statistics/shown/", {"results": "some"}).status_code == 400
    assert not StatisticsPrivacy.objects.exists()
    assert StatisticsPrivacy().results == Audience.EVERYBODY


def test_guests_have_no_page_to_show(client, ana):
    User.objects.filter(pk=ana.pk).update(is_guest=True)
    client.force_login(ana)

    answer = client.post("/statistics/shown/", dict.fromkeys(privacy.PARTS, "me"))

    assert (answer.status_code, StatisticsPrivacy.objects.exists()) == (400, False)


def test_two_people_and_two_pairs_are_compared(client, ana, users):
    match = played(ana, "belot", seats=4, others=users[1:])
    sides = [[], []]
    for seat in match.seats.select_related("user"):
        sides[seat.team].append(seat.user.username)
    won = next(side for side in (0, 1) if match.seats.filter(team=side, finish=1).exists())

    two = client.get(f"/compare/{sides[0][0]}/{sides[0][1]}/")
    pairs = client.get("/compare/" + "/".join(sides[won] + sides[1 - won]) + "/")
    wrong = client.get(f"/compare/{sides[0][0]}/{sides[1][0]}/{sides[0][1]}/{sides[1][1]}/")

    assert two.context["lines"]["partners"][0]["played"] == 1
    assert two.context["lines"]["opponents"] == []
    line = pairs.context["lines"]["pairs"][0]
    assert (line["played"], line["ahead"], line["behind"], line["percent"]) == (1, 1, 0, "100%")
    assert wrong.context["lines"]["pairs"] == []


def test_profiles_results_and_lists_lead_to_those_who_are_compared(client, ana, boris, users, matches):
    ana_alone = played(ana, seed="56")
    result = f"/matches/{matches[0].code}/"
    assert "/compare/" not in client.get(result).text  # of three, for somebody who did not play
    client.force_login(ana)

    assert 'href="/compare/Ana/Boris/"' in client.get(result).text
    assert "/compare/" not in client.get(f"/matches/{ana_alone.code}/").text
    for page in ("/players/Boris/", "/friends/", "/players/Ana/statistics/"):
        assert 'href="/compare/Ana/Boris/"' in client.get(page).text, page


def test_the_result_of_pairs_leads_to_how_they_have_played_before(client, ana, users):
    match = played(ana, "belot", seats=4, others=users[1:])
    page = f"/matches/{match.code}/"
    assert "Played before" not in client.get(page).text

    seats = list(match.seats.all())
    match.pk, match.code, match.seed_hash = None, "another", "0" * 64
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, place=seat.place, team=seat.team, user=seat.user, finish=seat.finish) for seat in seats
    )

    (met,) = client.get(page).context["met"]
    assert client.get(f"/compare/{met['path']}/").context["lines"]["pairs"][0]["played"] == 2


@pytest.mark.parametrize(
    "names", ["Ana", "Ana/Ana", "Ana/Boris/Vera", "Ana/Nobody", "Ana/Boris/Vera/Goran/Ana", "a\0/b"]
)
def test_who_cannot_be_compared_is_not_found(client, users, names):
    assert client.get(f"/compare/{names}/").status_code == 404


def test_pages_of_nobody_and_of_no_game_are_not_found(client, ana):
    assert client.get("/players/Nobody/statistics/").status_code == 404
    assert client.get("/players/Ana/statistics/chess/").status_code == 404
    assert client.get("/players/Ana/statistics/").status_code == 200
    assert client.get("/players/ana/bests/belot/").status_code == 200


def test_a_deleted_opponent_leaves_the_figures(matches, ana, boris):
    before = cells(ana, "Bids"), results(ana, "oh-hell")

    User.objects.get(pk=boris.pk).delete()

    assert (cells(ana, "Bids"), results(ana, "oh-hell")) == before
    assert people(ana, "oh-hell")["opponents"] == []


def test_a_first_match_without_facts_is_being_counted_and_then_shown_at_once(client, ana):
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, options=TABLES["oh-hell"], seed="ab" * 32)
    match = Match.objects.get(code=play_on(opened).code)

    page = "/players/Ana/statistics/oh-hell/"
    assert "is being counted" in client.get(page).text
    making.store_facts(match)

    assert "Bids" in client.get(page).text
