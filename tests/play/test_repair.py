"""What is stored of a match is made anew from its moves, and nothing else of it is touched."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.models import Match, Move, Seat
from games.play import memory, store
from games.play.repair import BadMoves, differences, repair
from tests.matches import play_on
from tests.play.acting import play_first, stored, think

pytestmark = pytest.mark.django_db

BROKEN = {"broken": 1}


@pytest.fixture
def running(started):
    return play_on(started, until=lambda snapshot: snapshot.move_count > 6)


def spoil(snapshot, **changes):
    Match.objects.filter(code=snapshot.code).update(**changes)
    memory.forget()


def derived(code):
    """All that follows from a match's moves, as it is stored."""
    match = Match.objects.get(code=code)
    fields = ("status", "position", "move_count", "deal_count", "score_sheet", "standings", "ended_at")
    return {name: getattr(match, name) for name in fields} | {
        seat.number: (seat.score, seat.finish) for seat in match.seats.all()
    }


@pytest.mark.parametrize(
    "changes",
    [{"position": BROKEN}, {"position": [1]}, {"move_count": 9999}, {"deal_count": 0}, {"score_sheet": {}}],
    ids=str,
)
def test_a_running_match_is_mended(running, changes):
    before, moves = derived(running.code), stored(running.code)[2]
    spoil(running, **changes)

    found = repair(running.code)

    assert len(found) == 1
    assert derived(running.code) == before
    assert stored(running.code)[2] == moves
    assert Match.objects.get(code=running.code).revision == running.revision + 1
    assert repair(running.code) == []


def test_a_mended_match_goes_on_where_it_was(running):
    number = running.to_act
    spoil(running, position=BROKEN, wake_at=None, turn_started_at=timezone.now() - timedelta(days=3))

    repair(running.code)

    after = store.read(running.code)
    assert (after.state, after.to_act) == (running.state, number)
    assert (after.wake_at - timezone.now()).total_seconds() > 0
    assert play_first(after).move_count == running.move_count + 1


@pytest.mark.parametrize(
    "changes",
    [{"position": BROKEN}, {"standings": []}, {"score_sheet": {"totals": []}}, {"status": "playing"}],
    ids=str,
)
def test_a_finished_match_is_mended(finished, changes):
    before = derived(finished.code)
    spoil(finished, **changes)
    Seat.objects.filter(match__code=finished.code, number=1).update(score=99, finish=1)

    repair(finished.code)

    assert derived(finished.code) == before


@pytest.mark.parametrize(
    "spoilt, reason",
    [
        (lambda moves: moves.filter(index=1).update(move={"type": "bid", "tricks": 9}), "move 1 is refused: Bid a"),
        (lambda moves: moves.filter(index=2).delete(), "move 2 is missing"),
        (lambda moves: moves.filter(index=1).update(seat=None, actor="chance"), "for a seat that was not to act"),
        (lambda moves: moves.filter(index__gt=3).delete(), "move 4 is missing"),
    ],
)
def test_a_match_of_bad_moves_is_left_alone(running, spoilt, reason):
    spoil(running, position=BROKEN)
    spoilt(Move.objects.filter(match__code=running.code))
    before = stored(running.code)

    with pytest.raises(BadMoves, match=reason):
        repair(running.code)

    assert stored(running.code) == before


def test_a_match_that_lacks_a_seat_is_left_alone(finished):
    Seat.objects.filter(match__code=finished.code, number=1).delete()

    with pytest.raises(BadMoves, match="lacks a seat"):
        repair(finished.code)


def test_a_finished_match_without_its_end_keeps_its_result(finished):
    Move.objects.filter(match__code=finished.code, index__gt=10).delete()
    before = stored(finished.code)

    with pytest.raises(BadMoves, match="do not reach the end"):
        repair(finished.code)

    assert stored(finished.code) == before


def test_the_command_mends_what_it_can_and_says_so(running, finished, capsys):
    spoil(running, position=BROKEN)
    Move.objects.filter(match__code=finished.code, index=1).update(move={"type": "bid", "tricks": 9})

    with pytest.raises(CommandError, match=r"2 matches, .* moves, 1 repaired: 1 differs from the moves"):
        call_command("replay_check", "--repair")

    said = capsys.readouterr().out
    assert f"{running.code} ({running.pk}): position differs. Repaired.\n" in said
    assert f"{finished.code} ({finished.pk}): not repaired: move 1 is refused" in said
    assert differences(Match.objects.get(code=running.code)) == []


def test_what_was_set_aside_goes_on_when_its_moves_are_put_right(running, capsys):
    move = Move.objects.get(match__code=running.code, index=1)
    Move.objects.filter(pk=move.pk).update(move={"type": "bid", "tricks": 9})
    spoil(running, position=BROKEN, wake_at=timezone.now())
    think(running.code)
    assert Match.objects.get(code=running.code).wake_at is None

    move.save()
    call_command("replay_check", "--repair")

    assert Match.objects.get(code=running.code).wake_at is not None
    assert capsys.readouterr().out.endswith("1 repaired: no differences.\n")
