"""Teams of four: the same cards at two tables, crosswise."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.people import ties
from games.challenges import challenges, playing_on, settling, teams
from games.challenges.models import Challenge, TeamMatch, TeamSeat, TeamTable
from games.models import Match, Move
from games.play.errors import Refused
from tests.challenges.conftest import finished_match
from tests.matches import play_on

pytestmark = pytest.mark.whole


@pytest.fixture
def challenge(ana):
    return challenges.make(ana, finished_match(ana, "belot"), 0, 1)


def begun(users, challenge):
    """A team match with a person in each pair."""
    ana, boris, vera, goran = users
    made = teams.make(ana, challenge)
    teams.join(boris, made.code, team=1, table=0)
    teams.join(vera, made.code, team=0, table=1)
    teams.join(goran, made.code, team=1, table=1)
    return made, teams.start(ana, made.code)


def test_both_tables_have_the_same_cards_and_pairs_sit_crosswise(users, challenge):
    _, tables = begun(users, challenge)

    assert tables[0].state == tables[1].state
    seats = [[snapshot.player_number(user.pk) for user in users] for snapshot in tables]
    assert seats == [[0, 1, None, None], [None, None, 1, 0]]
    assert [snapshot.terms.watching for snapshot in tables] == ["off", "off"]


def test_alike_play_at_both_tables_is_a_draw(users, challenge):
    made, tables = begun(users, challenge)
    play_on(tables[0])
    assert teams.results(made) is None
    play_on(tables[1])

    lines = teams.results(made)

    assert [sum(line.points[team] for line in lines) for team in (0, 1)] == [sum(lines[0].points)] * 2


def test_other_table_is_shown_to_nobody_before_both_are_over(users, challenge, client):
    made, tables = begun(users, challenge)
    over = play_on(tables[0])
    client.force_login(users[2])
    page = client.get(made.get_absolute_url()).content.decode()
    pages = [reverse(name, args=[over.code]) for name in ("match", "replay", "sheet", "shuffle")]
    peeked = [client.get(page).status_code for page in pages]
    client.force_login(users[0])
    own = [client.get(page).status_code for page in pages]
    client.logout()
    stranger = [client.get(page).status_code for page in pages]
    play_on(tables[1])
    assert (peeked, own, stranger) == ([403] * 4, [200] * 4, [403] * 4)
    assert client.get(pages[1]).status_code == 200
    after = client.get(made.get_absolute_url()).content.decode()

    assert over.code not in page
    assert over.code in after


def test_team_match_counts_for_nothing(users, challenge):
    _, tables = begun(users, challenge)
    for snapshot in tables:
        play_on(snapshot)

    assert set(Match.objects.exclude(pk=challenge.original_id).values_list("aside", flat=True)) == {"challenge"}
    assert not TeamSeat.objects.exclude(user__seats__completed=None).exists()


def test_who_has_played_in_a_team_sees_the_results_of_the_challenge(users, challenge):
    boris = users[1]
    _, tables = begun(users, challenge)
    early = challenges.has_played(boris, challenge)
    play_on(tables[0])

    assert (early, challenges.has_played(boris, challenge)) == (False, True)
    assert challenges.how_known(boris, challenge) == "played"


def test_who_knew_the_cards_is_named(ana, boris, challenge, client):
    made = teams.make(ana, challenge)
    teams.join(boris, made.code, team=1, table=1)

    page = client.get(made.get_absolute_url()).content.decode()

    assert "Ana sat in that match" in page
    assert "Boris sat" not in page


def test_seat_is_changed_by_sitting_down_elsewhere(users, challenge):
    ana = users[0]
    made = teams.make(ana, challenge)

    teams.join(ana, made.code, team=1, table=1)

    assert list(made.seats.values_list("team", "table", "number")) == [(1, 1, 0)]


def test_full_pairs_begun_matches_and_nonsense_are_refused(ana, boris, vera, goran, challenge):
    made = teams.make(ana, challenge)
    teams.join(boris, made.code, team=0, table=0)
    for user, where, why in (
        (vera, {"team": 0, "table": 0}, "Both seats"),
        (vera, {"team": 2, "table": 0}, "Choose a team"),
        (vera, {"team": None, "table": None}, "Choose a team"),
    ):
        with pytest.raises(Refused, match=why):
            teams.join(user, made.code, **where)
    with pytest.raises(Refused, match="Only its players"):
        teams.start(goran, made.code)
    teams.start(boris, made.code)
    for act in (teams.start, teams.leave):
        with pytest.raises(Refused, match="already begun"):
            act(ana, made.code)
    with pytest.raises(Refused, match="already begun"):
        teams.join(vera, made.code, team=1, table=0)


def test_blocked_people_do_not_meet(ana, boris, challenge):
    made = teams.make(ana, challenge)
    ties.block(boris, ana)

    with pytest.raises(Refused, match="Somebody you have blocked is in this team match"):
        teams.join(boris, made.code, team=1, table=0)

    ties.unblock(boris, ana)
    ties.block(ana, boris)
    with pytest.raises(Refused, match="Both seats of that team at that table are taken"):
        teams.join(boris, made.code, team=1, table=0)


def test_games_without_pairs_have_no_team_matches(ana, played):
    with pytest.raises(Refused, match="in pairs"):
        teams.make(ana, challenges.make(ana, played, 0, 1))


def test_team_match_is_set_up_joined_and_started_by_its_pages(ana, boris, challenge, client):
    client.force_login(ana)
    address = client.post(reverse("make_team_match", args=[challenge.code])).url
    client.force_login(boris)
    made = TeamMatch.objects.get()
    client.post(reverse("join_team", args=[made.code]), {"team": "1", "table": "1"})
    client.post(reverse("start_team_match", args=[made.code]))

    page = client.get(address).content.decode()

    table = made.tables.get(number=1).match
    assert table.get_absolute_url() in page
    assert client.get(table.get_absolute_url()).status_code == 200


def test_who_has_played_the_challenge_itself_is_named(users, challenge):
    made = teams.make(users[0], challenge)
    play_on(challenges.play(users[1], challenge=challenge))

    teams.join(users[1], made.code, team=1, table=0)

    assert made.seats.get(user=users[1]).knew == "played"


def test_what_was_seen_between_joining_and_the_end_is_named(ana, boris, vera, goran, challenge, client):
    made = teams.make(ana, challenge)
    teams.join(boris, made.code, team=1, table=0)
    client.force_login(boris)
    client.get(reverse("replay", args=[challenge.original.code]))
    teams.join(vera, made.code, team=0, table=1)
    teams.join(goran, made.code, team=1, table=1)
    first, second = teams.start(ana, made.code)
    at_start = made.seats.get(user=boris).knew
    play_on(first)
    play_on(challenges.play(vera, challenge=challenge))
    play_on(second)
    client.force_login(goran)
    client.get(reverse("replay", args=[challenge.original.code]))  # his table has finished

    teams.results(made)

    assert at_start == "replayed"
    assert [made.seats.get(user=user).knew for user in (vera, goran)] == ["played", ""]


def ways_to(over):
    return [reverse(name, args=[over.code]) for name in ("match", "replay", "sheet", "shuffle", "embed", "card")]


def test_variation_of_a_finished_table_is_shown_to_nobody_either(users, challenge, client):
    _, (first, second) = begun(users, challenge)
    match = Match.objects.get(code=play_on(first).code)
    for _ in range(2):
        varied = playing_on.play_on(
            users[0], match=match, choice=playing_on.Choice(0, 0, level="", one_deal=True, anew=False)
        )
        match = Match.objects.get(code=play_on(varied).code)
        client.force_login(users[2])
        pages = [*ways_to(match), reverse("beside", args=[match.code]), reverse("play_on", args=[match.code])]
        assert [client.get(page).status_code for page in pages] == [403] * len(pages)
        client.force_login(users[0])
        assert client.get(pages[0]).status_code == 200
    play_on(second)

    client.force_login(users[2])
    assert client.get(pages[1]).status_code == 200


def test_table_that_was_given_up_is_shown_to_nobody_while_the_other_plays(users, challenge, client):
    _, (first, _) = begun(users, challenge)
    Match.objects.filter(pk=first.pk).update(status=Match.Status.CLOSED)
    client.force_login(users[2])

    assert [client.get(page).status_code for page in ways_to(first)] == [403] * 6


def test_table_that_cannot_be_reckoned_is_tried_again(users, challenge, client, caplog):
    made, tables = begun(users, challenge)
    overs = [play_on(snapshot) for snapshot in tables]
    lost = Move.objects.get(match=overs[0].pk, index=overs[0].move_count - 1)
    Move.objects.filter(pk=lost.pk).delete()
    early = client.get(made.get_absolute_url())

    assert early.status_code == 200
    assert [table.points is None for table in made.tables.order_by("number")] == [True, False]
    assert overs[0].code in caplog.text
    lost.save(force_insert=True)
    settling.forget()
    assert len(teams.results(made)) == 2


def test_tables_are_reckoned_once(users, challenge, client, django_assert_max_num_queries):
    made, tables = begun(users, challenge)
    for snapshot in tables:
        play_on(snapshot)
    first = teams.results(made)
    TeamTable.objects.filter(number=0).update(points=[5.0, 7.0, 5.0, 7.0])

    with django_assert_max_num_queries(2):
        again = teams.results(made)

    assert again[0].points == (5.0, 7.0)
    assert again[1] == first[1]


def test_what_nobody_began_is_tidied_away_after_some_weeks(users, ana, boris, challenge, played):
    made, _ = begun(users, challenge)
    taken_up = challenges.make(ana, played, 0, 1)
    challenges.play(boris, challenge=taken_up)
    waiting = teams.make(ana, challenge)
    untouched = challenges.make(ana, played, 0, 2)
    call_command("tidy", stdout=StringIO())
    assert TeamMatch.objects.count() == 2
    weeks_ago = timezone.now() - timedelta(days=31)
    for model in (TeamMatch, Challenge):
        model.objects.update(made_at=weeks_ago)
    call_command("tidy", "--dry-run", stdout=StringIO())
    assert TeamMatch.objects.filter(pk=waiting.pk).exists()

    call_command("tidy", stdout=StringIO())

    assert list(TeamMatch.objects.all()) == [made]
    assert set(Challenge.objects.values_list("pk", flat=True)) == {challenge.pk, taken_up.pk}
    assert not Challenge.objects.filter(pk=untouched.pk).exists()
