"""Playing on from a position of a finished match."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.export import counts
from games.challenges import playing_on
from games.challenges.comparing import both_lines
from games.challenges.models import Variation
from games.deal_index import making
from games.deal_index.played import results
from games.history import lists, verification
from games.history.folding import steps_of
from games.history.records import BadRecord, export_match, import_match
from games.models import Match
from games.play import seating, store
from games.play.errors import Refused
from games.play.repair import differences
from games.play.versions import rules_of
from games.statistics import counting
from tests import opening
from tests.challenges.conftest import GAMES, finished_match
from tests.matches import play_on

pytestmark = pytest.mark.whole


def vary(user, match, move, seat=0, **how):
    choice = playing_on.Choice(move, seat, **{"level": "", "one_deal": True, "anew": False} | how)
    return playing_on.play_on(user, match=match, choice=choice)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("anew", [False, True])
def test_variation_stands_where_the_match_stood(ana, game, anew, rng):
    match = finished_match(ana, game)
    rules, steps = rules_of(match), steps_of(match, rules_of(match))

    for _ in range(4):
        move, seat = rng.randrange(len(steps) - 1), rng.randrange(match.seat_count)
        begun = vary(ana, match, move, seat, anew=anew)
        varied = steps_of(Match.objects.get(code=begun.code), rules)

        assert rules.view(varied[move].state, seat) == rules.view(steps[move].state, seat)
        if not anew:
            assert [step.state for step in varied[: move + 1]] == [step.state for step in steps[: move + 1]]
        assert begun.player_number(ana.pk) == seat
        assert differences(Match.objects.get(code=begun.code)) == []
        over = play_on(begun)
        stored = Match.objects.get(code=over.code)
        assert stored.status == Match.Status.OVER
        assert differences(stored) == []
        assert len(both_lines(Variation.objects.get(match=stored), ana.pk)["lines"]) == 2


def test_variation_ends_with_its_deal(ana, played):
    over = play_on(vary(ana, played, 3))

    stored = Match.objects.get(code=over.code)
    assert (stored.status, stored.deal_count, stored.standings) == (Match.Status.OVER, 1, [])
    assert stored.wake_at is None


def test_variation_goes_on_to_the_end_of_the_match(ana, played):
    over = play_on(vary(ana, played, 3, one_deal=False))

    stored = Match.objects.get(code=over.code)
    assert (stored.status, stored.deal_count) == (Match.Status.OVER, played.deal_count)
    assert stored.standings
    assert differences(stored) == []


def test_decks_that_follow_are_other_ones(ana, played):
    over = play_on(vary(ana, played, 3, one_deal=False))

    decks = [
        [move["deck"] for seat, move, *_ in store.read_moves(match) if seat is None]
        for match in (played, Match.objects.get(code=over.code))
    ]
    assert decks[0][0] == decks[1][0]
    assert decks[0][1] != decks[1][1]


def test_between_deals_the_next_one_is_dealt(ana, played):
    steps = steps_of(played, rules_of(played))
    end = next(step.index for step in steps if step.deal == 2) - 1

    begun = vary(ana, played, end)

    assert begun.move_count == end + 2
    assert begun.to_act is not None
    assert Match.objects.get(code=begun.code).revision == 1


def test_variation_counts_for_nothing(ana, played):
    before = (results(ana), counting.finished(ana).count(), lists.last_finished())
    over = play_on(vary(ana, played, 3, one_deal=False))

    making.keep_missing()
    call_command("facts")

    varied = Match.objects.get(code=over.code)
    assert not hasattr(varied, "facts")
    assert (results(ana), counting.finished(ana).count(), lists.last_finished()) == before
    assert not varied.terms.rated
    call_command("replay_check", varied.code)
    call_command("replay_check", varied.code, "--repair")
    varied.refresh_from_db()
    assert not hasattr(varied, "facts")


def test_variation_is_in_no_history_but_its_own(ana, played, client):
    over = play_on(vary(ana, played, 3, one_deal=False))
    client.force_login(ana)

    assert over.code not in client.get(reverse("my_matches")).content.decode()
    assert over.code not in client.get(ana.get_absolute_url()).content.decode()
    assert over.code in client.get(reverse("own_lines")).content.decode()
    assert over.code in client.get(reverse("play_on", args=[played.code]) + "?move=3").content.decode()
    assert "Your variations" in client.get(reverse("match", args=[played.code])).content.decode()
    assert counts(ana)["lines"] == 1


@pytest.mark.parametrize("status", ["playing", "closed"])
def test_nobody_branches_off_a_match_that_is_not_over(ana, client, status):
    running = opening.open_table(ana, "oh-hell", bots=3, speed="untimed")
    Match.objects.filter(code=running.code).update(status=status)
    client.force_login(ana)

    address = reverse("play_on", args=[running.code])
    answers = [client.get(address), client.post(address, {"move": 0, "seat": 1, "cards": "same"})]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert "once the match is over" in answers[0].content.decode()
    assert not Variation.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"move": "x"}, {"move": "99999"}, {"seat": "9"}, {"level": "cheat"}, {"to": "no"}, {"cards": "no"}]
)
def test_nonsense_is_refused(ana, played, client, wrong):
    client.force_login(ana)
    posted = {"move": "3", "seat": "0", "to": "deal", "cards": "same"} | wrong

    assert client.post(reverse("play_on", args=[played.code]), posted).status_code == 400
    assert not Variation.objects.exists()


def test_end_of_the_match_is_no_position_to_play_on_from(ana, played):
    with pytest.raises(Refused, match="The match ends here"):
        vary(ana, played, played.move_count - 1)


def test_form_sent_twice_begins_one_variation(ana, played, client):
    client.force_login(ana)
    posted = {"move": "3", "seat": "0", "to": "deal", "cards": "same", "form_key": "twice"}

    answers = [client.post(reverse("play_on", args=[played.code]), posted) for _ in range(2)]

    assert answers[0].url == answers[1].url
    assert Variation.objects.count() == 1


def test_both_lines_wait_for_the_end(ana, played, client):
    begun = vary(ana, played, 3)
    client.force_login(ana)
    beside = reverse("beside", args=[begun.code])

    early = client.get(beside)
    play_on(begun)
    page = client.get(beside)

    assert early.status_code == 400
    assert page.status_code == 200
    assert "As you played on" in page.content.decode()


def test_result_leads_to_both_lines(ana, played, client):
    begun = vary(ana, played, 3)
    play_on(begun)
    client.force_login(ana)

    page = client.get(reverse("match", args=[begun.code])).content.decode()

    assert reverse("beside", args=[begun.code]) in page
    assert "Next hand" not in page
    assert "rematch-button" not in page


def test_nobody_looks_on_at_a_variation(ana, boris, played, client):
    begun = vary(ana, played, 3)
    client.force_login(boris)

    assert client.get(reverse("match", args=[begun.code])).status_code in (403, 404)


def test_who_leaves_a_variation_closes_it(ana, played):
    begun = vary(ana, played, 9)

    assert seating.leave_match(ana, begun.code).status == Match.Status.CLOSED


def test_shuffles_of_a_variation_are_not_said_to_be_promised(ana, played, client):
    over = play_on(vary(ana, played, 3))

    with pytest.raises(Refused, match="come from another one"):
        verification.verify(Match.objects.get(code=over.code))
    assert "come from another one" in client.get(reverse("shuffle", args=[over.code])).content.decode()


def test_record_says_what_it_is_and_is_not_read(ana, played):
    over = play_on(vary(ana, played, 3))

    record = export_match(Match.objects.get(code=over.code))

    assert record["aside"] == "variation"
    with pytest.raises(BadRecord, match="no match of its own"):
        import_match(record)


def test_no_rematch_of_a_variation(ana, played):
    over = play_on(vary(ana, played, 3))

    with pytest.raises(Refused, match="no rematch of a challenge"):
        opening.rematch(ana, over.code)


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_a_variation_of_one_deal_opens(ana, client, game):
    match = finished_match(ana, game)
    over = play_on(vary(ana, match, 4))
    client.force_login(ana)

    pages = [
        *("match", "sheet", "sheet_csv", "sheet_picture", "last_deal", "replay", "replay_frames", "shuffle"),
        "beside",
    ]
    answers = {page: client.get(reverse(page, args=[over.code])).status_code for page in [*pages, "play_on"]}

    assert set(answers.values()) == {200}, answers
    assert client.get(reverse("luck", args=[over.code])).status_code == 404
