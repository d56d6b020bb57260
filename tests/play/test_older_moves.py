"""Moves that a process of an older version has stored: of one match, some like this and some like that."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from games.history import folding
from games.history.records import export_match
from games.history.verification import verify
from games.models import Match, Move
from games.play import memory, moves, odd_plays, store
from games.play.repair import differences
from tests.matches import play_on, sensible

pytestmark = pytest.mark.django_db


def as_older(match, every=2):
    """Let every so many of a match's moves be as an older version has stored them."""
    for move in match.moves.all():
        if move.index % every == 0:
            with connection.cursor() as cursor:
                cursor.execute(
                    'UPDATE games_move SET packed = NULL, move = %s, actor = %s WHERE match_id = %s AND "index" = %s',
                    [json.dumps(move.move), str(move.actor), match.pk, move.index],
                )
    memory.forget()
    folding.forget()


def columns():
    """What lies in the database of each move."""
    with connection.cursor() as cursor:
        cursor.execute('SELECT packed, move, actor FROM games_move ORDER BY match_id, "index"')
        return [(packed and bytes(packed), move, actor) for packed, move, actor in cursor.fetchall()]


@pytest.fixture
def mixed(finished):
    match = Match.objects.get(code=finished.code)
    as_older(match)
    return match


def test_a_match_of_both_is_read_replayed_exported_and_checked(finished, mixed, client):
    unmixed = Match.objects.get(pk=mixed.pk)
    read = store.read_moves(mixed)
    record, verified = export_match(mixed), verify(mixed)
    replay = client.get(f"/matches/{mixed.code}/replay/")
    assert {packed is None for packed, _, _ in columns()} == {True, False}

    call_command("tidy", stdout=StringIO())
    folding.forget()

    assert {packed is None for packed, _, _ in columns()} == {False}
    assert (read, record, verified) == (store.read_moves(unmixed), export_match(unmixed), verify(unmixed))
    assert verified.ok
    assert differences(mixed) == []
    assert client.get(f"/matches/{mixed.code}/replay/").status_code == replay.status_code == 200


def test_a_match_of_both_is_played_on(started):
    played = play_on(started, until=lambda snapshot: snapshot.move_count == 5)
    as_older(Match.objects.get(code=started.code))
    Match.objects.filter(code=started.code).update(position={"broken": 1})  # it is made again from the moves

    over = play_on(store.read(started.code))

    assert over.move_count > played.move_count
    assert differences(Match.objects.get(code=started.code)) == []


def test_a_second_click_finds_its_move_in_either(started):
    move, seat = sensible(started), started.to_act
    moves.play_move(started.code, seat, move, seen=1)
    as_older(Match.objects.get(code=started.code), every=1)

    with pytest.raises(moves.AlreadyPlayed):
        moves.play_move(started.code, seat, move, seen=1)


def test_who_made_a_move_is_found_in_either(mixed):
    assert mixed.moves.filter(actor="bot").count() == mixed.moves.exclude(actor="chance").count()
    assert (
        mixed.moves.filter(actor__in=odd_plays.BOTS).exclude(seat=None).count()
        == mixed.moves.exclude(seat=None).count()
    )
    assert not mixed.moves.filter(actor="player").exists()
    assert set(mixed.moves.values_list("actor", flat=True)) == {"bot", "chance"}


def test_tidying_packs_as_storing_does(finished, mixed):
    dry, said = StringIO(), StringIO()
    older = Move.objects.filter(move__isnull=True).count()

    call_command("tidy", dry_run=True, stdout=dry)
    assert Move.objects.filter(move__isnull=True).count() == older > 0
    call_command("tidy", stdout=said)

    line = f"{older} moves packed that an older version had stored\n"
    assert line in dry.getvalue()
    assert line in said.getvalue()
    store.store_moves(
        (mixed.pk, 1000 + move.index, move.seat, move.move, move.actor, move.played_at) for move in mixed.moves.all()
    )
    packed = columns()
    half = len(packed) // 2
    assert packed[:half] == packed[half:]
    assert {(move, len(actor)) for _, move, actor in packed} == {(None, 1)}
