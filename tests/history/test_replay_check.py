"""The command that plays every stored match again."""

import pytest
from django.core.management import CommandError, call_command

from games.history.records import export_match, import_match
from games.management.commands import facts, replay_check
from games.models import Match, Move, Seat
from games.play import moves
from tests import opening

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def check(capsys, *arguments, **options):
    """(whether all was well, what was printed), the summary included."""
    try:
        call_command("replay_check", *arguments, **options)
    except CommandError as error:
        return False, f"{capsys.readouterr().out}{error}"
    return True, capsys.readouterr().out


def test_matches_as_played_pass(match, started, capsys):
    assert check(capsys) == (True, f"Checked 2 matches, {match.move_count + 1} moves: no differences.\n")


def test_no_match_at_all_passes(db, capsys):
    assert check(capsys) == (True, "Checked 0 matches, 0 moves: no differences.\n")


def test_tables_that_have_not_begun_are_left_out(ana, capsys):
    opening.open_table(ana, "oh-hell", seats=4)

    assert check(capsys)[1].startswith("Checked 0 matches")


def test_changed_score_sheet_is_reported(match, capsys):
    match.score_sheet["totals"][0] += 1
    match.save()

    well, words = check(capsys)

    assert not well
    assert words == (
        f"{match.code} ({match.pk}): score sheet differs.\n"
        f"Checked 1 match, {match.move_count} moves: 1 differs from the moves."
    )


def change_match(**fields):
    return lambda match: Match.objects.filter(pk=match.pk).update(**fields)


def change_seat(match):
    Seat.objects.filter(match=match, number=1).update(finish=3, score=1000)


def change_mover(match):
    move = Move.objects.get(index=2)
    Move.objects.filter(index=2).update(seat=(move.seat + 1) % 3)


def change_bid(match):
    Move.objects.filter(index=1).update(move={"type": "bid", "tricks": 9})


def drop_last_move(match):
    Move.objects.filter(index=match.move_count - 1).delete()


@pytest.mark.parametrize(
    "change, difference",
    [
        (change_match(move_count=999), "number of moves differs"),
        (change_match(deal_count=3), "number of deals differs"),
        (change_match(standings=[]), "standings differs"),
        (change_match(status="playing"), "status differs"),
        (change_match(options={"game_style": "long"}), "is refused"),
        (change_seat, "result of a seat differs"),
        (change_bid, "move 1 is refused: Bid a whole number"),
        (change_mover, "move 2 is stored for a seat that was not to act"),
        (drop_last_move, "number of moves differs"),
    ],
)
def test_whatever_else_is_changed_is_reported(match, capsys, change, difference):
    change(match)

    well, words = check(capsys)

    assert not well
    assert difference in words


def test_changed_position_is_reported(started, capsys):
    Match.objects.update(position=Match.objects.get().position | {"to_act": 2})

    assert "position differs" in check(capsys)[1]


def test_match_of_other_rules_is_skipped_and_said(match, started, capsys):
    Match.objects.filter(pk=match.pk).update(rules_version=99)

    well, words = check(capsys)

    assert well
    assert f"{match.code} ({match.pk}): skipped. This match is played by version 99" in words
    assert "Checked 1 match, 1 moves, 1 skipped: no differences." in words


def test_match_of_an_unknown_game_is_skipped_and_said(match, capsys):
    Match.objects.update(game="whist")

    well, words = check(capsys)

    assert well
    assert "skipped. This match is played by version 1 of the rules of Whist" in words


def test_only_the_matches_asked_for_are_checked(match, started, capsys):
    assert check(capsys, started.code) == (True, "Checked 1 match, 1 moves: no differences.\n")
    with pytest.raises(CommandError, match="No match that has begun has the code nothere2"):
        call_command("replay_check", "nothere2")


def test_since_leaves_out_what_came_before(match, capsys):
    assert check(capsys, since=match.pk)[1].startswith("Checked 1 match,")
    assert check(capsys, since=match.pk + 1)[1].startswith("Checked 0 matches,")


def test_matches_are_read_in_batches_and_none_is_left_out(match, monkeypatch, capsys):
    monkeypatch.setattr(facts, "BATCH", 2)
    record = export_match(match)
    for _ in range(4):
        import_match(record)

    assert check(capsys) == (True, f"Checked 5 matches, {5 * match.move_count} moves: no differences.\n")


def test_a_match_that_moves_on_while_it_is_looked_at_passes(started, capsys, monkeypatch):
    """A move is stored after the match's row was read and before its moves are."""
    read = replay_check.differences
    played = []

    def differences(match):
        if not played:
            move = started.rules.legal_moves(started.state)[0]
            played.append(moves.play_move(started.code, started.to_act, move, seen_count=1))
            match.status = "over"  # as if the end had come between
        return read(match)

    monkeypatch.setattr(replay_check, "differences", differences)

    assert check(capsys)[0]
    assert played
