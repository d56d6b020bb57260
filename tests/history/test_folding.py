"""What is kept of folded matches."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.history import folding
from games.models import Match
from games.play import moves
from games.play.versions import rules_of


def folded(snapshot):
    match = Match.objects.get(code=snapshot.code)
    return folding.steps_of(match, rules_of(match))


def test_of_a_match_that_goes_on_only_the_new_moves_are_read(started):
    before = folded(started)
    legal = started.rules.legal_moves(started.state)
    after = moves.play_move(started.code, started.to_act, legal[0], seen_count=1)

    match = Match.objects.get(code=started.code)
    with CaptureQueriesContext(connection) as asked:
        steps = folding.steps_of(match, rules_of(match))

    assert len(asked) == 1
    assert '"index" >= 1' in asked[0]["sql"]
    assert steps[: len(before)] == before
    assert steps[-1].state == after.state
    folding.forget()
    assert folded(started) == steps


def test_who_has_asked_has_a_list_of_their_own(started):
    folded(started).clear()

    assert len(folded(started)) == 1


def test_the_oldest_go_when_there_is_no_more_room(started, finished, monkeypatch):
    monkeypatch.setattr(folding, "CACHE_SIZE", finished.move_count)
    folded(started)
    folded(finished)

    assert [match for match, _ in folding._cache] == [finished.pk]


def test_a_match_larger_than_the_room_is_folded_all_the_same(finished, monkeypatch):
    monkeypatch.setattr(folding, "CACHE_SIZE", 10)

    assert len(folded(finished)) == finished.move_count
