"""The accuracy of a player: in a match, in their history, on their profile; who may see it; the way to it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.analysis import accuracies
from games.analysis.models import Analysis, Verdict
from games.deal_index import making
from games.kit.analysis import BLUNDER, INACCURACY, MISTAKE
from games.models import Match, Seat
from games.statistics.models import Audience, StatisticsPrivacy
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def play(ana):
    """Return a function that plays a short match and stores an analysis. One of Ana’s decisions has a mark."""

    def played(mark=None, number=0):
        opened = opening.open_table(
            ana,
            "oh-hell",
            seats=3,
            bots=2,
            options={"game_style": "short-up"},
            seed=f"{number:02x}" * 32,
            speed="untimed",
        )
        match = Match.objects.get(pk=play_on(opened).pk)
        if mark is not None:
            analyse(match, ana, mark)
        return match

    return played


def analyse(match, user, mark, status=Analysis.Status.DONE):
    """Two decisions of the user, of which one has a mark, and a blunder of somebody else."""
    analysis = Analysis.objects.create(match=match, status=status, finished_at=timezone.now())
    seat = match.seats.get(user=user).number
    common = {"analysis": analysis, "known": [], "opened": [], "exact": False}
    Verdict.objects.bulk_create(
        [
            Verdict(move=1, seat=seat, lost=1.0, mark=mark, **common),
            Verdict(move=2, seat=seat, lost=0.0, **common),
            Verdict(move=3, seat=(seat + 1) % 3, lost=10.0, mark=BLUNDER, **common),
        ]
    )


def test_a_match_counts_the_decisions_of_the_players_own_seat(ana, boris, play):
    first, second, other = play(MISTAKE), play(BLUNDER, 1), play(None, 2)

    assert accuracies.accuracies_in(ana, [first.code, second.code, other.code]) == {first.code: 88, second.code: 75}
    assert accuracies.accuracies_in(boris, [first.code]) == {}
    assert accuracies.accuracies_in(ana, []) == {}
    assert [each.accuracy for each in accuracies.recent_accuracies(ana)] == [88, 75]


def test_in_a_match_without_decisions_there_is_no_accuracy(ana, play):
    match = play("")
    Verdict.objects.all().delete()

    assert accuracies.accuracies_in(ana, [match.code]) == {}


def test_an_analysis_counts_once_it_is_done(ana, play):
    match = play()
    analyse(match, ana, MISTAKE, status=Analysis.Status.RUNNING)

    assert accuracies.accuracies_in(ana, [match.code]) == {}
    assert accuracies.recent_accuracies(ana) == []


def test_the_profile_counts_the_last_matches_that_were_played_to_the_end(ana, play, monkeypatch):
    first, second, third = play(INACCURACY), play(MISTAKE, 1), play(BLUNDER, 2)
    Seat.objects.filter(match=third, user=ana).update(left_at=timezone.now())

    assert [each.code for each in accuracies.recent_accuracies(ana)] == [first.code, second.code]
    monkeypatch.setattr(accuracies, "LAST_MATCHES", 1)
    assert [each.code for each in accuracies.recent_accuracies(ana)] == [second.code]


def test_the_history_leads_to_each_analysis_in_one_query(as_ana, ana, play):
    match = play(MISTAKE)
    making.store_facts(match)
    page = as_ana.get(reverse("my_matches"))
    counts = []
    for number in (1, 2, 3):
        with CaptureQueriesContext(connection) as asked:
            page = as_ana.get(reverse("my_matches")).content.decode()
        counts.append(len(asked))
        making.store_facts(play(INACCURACY, number))

    link = re.escape(reverse("analysis", args=[match.code]))
    assert re.search(rf'href="{link}">Accuracy 88<', page)
    assert counts[1] == counts[2]


def test_the_profile_shows_a_plot_from_two_matches_on(client, ana, play):
    profile = reverse("profile", args=[ana.username])
    play(MISTAKE)

    one = client.get(profile).content.decode()
    play(BLUNDER, 1)
    two = client.get(profile).content.decode()

    assert "last match that was analysed: <b>88</b>" in one
    assert "<path" not in one
    assert "last 2 matches that were analysed: <b>82</b>" in two
    assert re.search(r'<path d="M40.0 [\d.]+L[\d.]+ [\d.]+"', two)


@pytest.mark.parametrize("audience, seen", [(Audience.EVERYBODY, True), (Audience.NOBODY, False)])
def test_accuracy_is_for_those_who_see_how_deals_went(client, ana, boris, play, audience, seen):
    play(MISTAKE)
    StatisticsPrivacy.objects.create(user=ana, deals=audience)
    profile = reverse("profile", args=[ana.username])

    for reader, may_see in ((None, seen), (boris, seen), (ana, True)):
        client.logout()
        if reader:
            client.force_login(reader)
        assert ("Accuracy in the last match" in client.get(profile).content.decode()) == may_see


def test_others_do_not_read_accuracy_in_the_rows_of_a_profile(client, ana, boris, play):
    making.store_facts(play(MISTAKE))
    client.force_login(boris)

    page = client.get(reverse("profile", args=[ana.username])).content.decode()

    assert "/replay/" in page
    assert "Accuracy 88" not in page


def test_the_result_starts_the_analysis_with_one_click(as_ana, client, play, settings):
    match = play()

    page = as_ana.get(match.get_absolute_url()).content.decode()
    assert 'form="analyse"' in page
    address = re.search(r'<form id="analyse" method="post" action="(.*?)"', page)[1]
    answer = as_ana.post(address, follow=True)
    assert answer.status_code == 200
    assert Analysis.objects.get().match == match
    client.logout()
    page = client.get(match.get_absolute_url()).content.decode()
    assert 'form="analyse"' not in page
    assert 'id="analysis-link"' in page
    settings.ANALYSES = 0
    assert 'id="analysis-link"' not in client.get(match.get_absolute_url()).content.decode()
