"""The facts of matches as they are stored: made once, made again, checked, and kept when people go."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from accounts.models import User
from games.deal_index import making
from games.deal_index.models import DealFacts, MatchFacts, SeatFacts
from games.history.records import export_match, import_match
from games.models import Match, Seat
from games.oh_hell.rules import OhHell
from tests import opening
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def sums(match):
    """By seat what its facts add up to."""
    points = {}
    for seat, number in SeatFacts.objects.filter(deal__match=match).values_list("seat__number", "points"):
        points[seat] = points.get(seat, 0) + number
    return points


def test_facts_add_up_to_the_stored_standings(match):
    assert making.store_facts(match)

    assert sums(match) == {line["seat"]: line["score"] for line in match.standings}
    assert match.facts.deals == match.deal_facts.count() == 10
    scores = sorted((line["score"] for line in match.standings), reverse=True)
    assert match.facts.margin == scores[0] - scores[1]


def test_facts_are_those_of_the_sheet(match):
    making.store_facts(match)

    rows = match.score_sheet["hands"]
    for deal, row in zip(match.deal_facts.prefetch_related("seats__seat"), rows, strict=True):
        assert deal.facts["trump"] == row["trump"]
        seats = sorted(deal.seats.all(), key=lambda facts: facts.seat.number)
        assert [(facts.facts["bid"], facts.facts["tricks"]) for facts in seats] == [
            (line["bid"], line["taken"]) for line in row["seats"]
        ]


def test_keeping_facts_again_writes_nothing(match, django_assert_max_num_queries):
    making.store_facts(match)
    stored = list(SeatFacts.objects.values_list("pk", flat=True))

    assert not making.store_facts(match)

    assert list(SeatFacts.objects.values_list("pk", flat=True)) == stored


def test_facts_of_matches_that_have_just_ended_are_kept(users):
    started = opening.open_table(users[0], "belot", seats=4, bots=3, options={"target": 51}, seed="ef" * 32)
    over = play_on(started)

    assert making.store_missing() == 1

    match = Match.objects.get(code=over.code)
    assert sums(match) == {line["seat"]: line["score"] for line in match.standings}
    assert making.store_missing() == 0


def test_matches_that_go_on_have_no_facts(started):
    assert making.store_missing() == 0
    assert not MatchFacts.objects.exists()


def test_a_match_that_fails_keeps_no_other_from_its_facts(match, monkeypatch):
    other = import_match(export_match(match))
    Match.objects.update(ended_at=making.timezone.now())
    keep = making.store_facts
    monkeypatch.setattr(making, "store_facts", lambda found: 1 / 0 if found == other else keep(found))

    assert making.store_missing() == 1
    assert list(MatchFacts.objects.values_list("match", flat=True)) == [match.pk]


def test_what_fails_is_folded_once_and_stands_in_nobodys_way(match, monkeypatch):
    other = import_match(export_match(match))
    Match.objects.filter(pk=match.pk).update(ended_at=making.timezone.now() - timedelta(minutes=2))
    Match.objects.filter(pk=other.pk).update(ended_at=making.timezone.now(), rules_version=99)
    monkeypatch.setattr(making, "BATCH", 1)  # the newest is the one that fails

    assert [making.store_missing() for _ in range(3)] == [0, 1, 0]

    monkeypatch.setattr(making, "store_facts", lambda found: pytest.fail("tried again"))
    assert making.store_missing() == 0


@pytest.mark.django_db(transaction=True)
def test_two_processes_that_store_the_facts_of_one_match_store_them_once(match):
    def keep(_):
        try:
            return making.store_facts(match)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(keep, range(2)))

    assert not making.differs(match)
    assert SeatFacts.objects.filter(deal__match=match).count() == 30


def test_the_command_makes_what_is_missing_and_with_all_what_is_wrong(match, capsys):
    call_command("facts")
    DealFacts.objects.filter(number=3).update(facts={})
    call_command("facts")
    assert not making.differs(match) or DealFacts.objects.get(number=3).facts == {}

    call_command("facts", all=True)

    assert not making.differs(match)
    assert capsys.readouterr().out.splitlines() == [
        "Checked 1 match: stored the facts of 1.",
        "Checked 0 matches: stored the facts of 0.",
        "Checked 1 match: stored the facts of 1.",
    ]


def test_replay_check_finds_facts_that_differ_and_repairs_them(match, capsys):
    making.store_facts(match)
    SeatFacts.objects.filter(deal__number=2, seat__number=1).update(points=99)

    with pytest.raises(CommandError):
        call_command("replay_check")
    assert "facts differ." in capsys.readouterr().out
    call_command("replay_check", repair=True)

    assert "facts differ. Repaired." in capsys.readouterr().out
    assert not making.differs(match)


def test_replay_check_says_which_have_no_facts(match, capsys):
    Match.objects.update(ended_at="2026-01-01T00:00Z")

    call_command("replay_check")

    assert "1 finished match has no facts yet: run manage.py facts." in capsys.readouterr().out


def test_facts_of_an_older_version_are_made_again_by_and_by(match, capsys):
    making.store_facts(match)
    SeatFacts.objects.filter(deal__match=match).update(facts={"bid": 0})  # what there was before a fact was added
    MatchFacts.objects.update(version=0)
    Match.objects.update(ended_at="2026-01-01T00:00Z")
    call_command("replay_check")
    told = capsys.readouterr().out

    assert (making.store_missing(), making.store_outdated(), making.store_outdated()) == (0, 1, 0)

    assert "The facts of 1 match are of an older version" in told
    assert not making.differs(match)
    assert list(making.outdated()) == []


def test_replay_check_plays_a_match_once(match, monkeypatch):
    making.store_facts(match)
    applied = []
    apply = OhHell.apply
    monkeypatch.setattr(OhHell, "apply", lambda self, state, move: applied.append(1) or apply(self, state, move))

    call_command("replay_check", match.code)

    assert len(applied) == match.move_count


def test_rules_that_are_not_here_leave_facts_alone(whist, db):
    over = play_on(opening.open_table(None, "whist", seats=4, bots=4, seed="12" * 32, speed="untimed"))
    match = Match.objects.get(code=over.code)
    making.store_facts(match)
    stored = list(SeatFacts.objects.values_list("pk", "points"))

    whist.hold()
    call_command("facts", all=True)

    assert list(SeatFacts.objects.values_list("pk", "points")) == stored


def test_facts_come_from_the_version_of_the_match(whist, db):
    whist.hold(1)
    first = Match.objects.get(code=play_on(opening.open_table(None, "whist", seats=4, bots=4, seed="34" * 32)).code)
    whist.hold(1, 2)

    making.store_facts(first)

    assert first.rules_version == 1
    assert sums(first) == {line["seat"]: line["score"] for line in first.standings}


def test_deleting_an_account_leaves_the_facts_of_all(users):
    over = play_on(opening.open_table(users[0], "oh-hell", seats=3, bots=2, options={"game_style": "short-up"}))
    match = Match.objects.get(code=over.code)
    making.store_facts(match)
    before = sums(match)

    User.objects.get(pk=users[0].pk).delete()

    assert sums(match) == before
    assert not making.differs(match)
    assert Seat.objects.filter(match=match).count() == 3


def test_a_match_takes_its_facts_along(match):
    making.store_facts(match)

    match.delete()

    assert [model.objects.count() for model in (MatchFacts, DealFacts, SeatFacts)] == [0, 0, 0]
