"""The two statements of every move, written out.

Building them anew by the ORM took half of the time of storing a move; everything else goes through the ORM.
"""

from django.db import connection

from games.models import Match, Move

POSITION_FIELDS = ("revision", "move_count", "deal_count", "position", "turn_started_at", "wake_at")
MOVE_FIELDS = ("match", "index", "seat", "move", "actor", "played_at")


def store_position(snapshot, position, *, expected_revision):
    """Write the position of a Snapshot, if its match has the expected revision. Returns whether it had.

    position: rules.dump of its state.
    """
    values = {
        "revision": snapshot.revision,
        "move_count": snapshot.move_count,
        "deal_count": snapshot.deal_count,
        "position": position,
        "turn_started_at": snapshot.turn_started_at,
        "wake_at": snapshot.wake_at,
    }
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE, [*_adapted(Match, values.items()), snapshot.pk, expected_revision])
        return cursor.rowcount == 1


def store_moves(moves):
    """Insert Move rows that have no key yet. The database refuses an index that the match has."""
    if not moves:
        return
    with connection.cursor() as cursor:
        for move in moves:
            values = [(name, getattr(move, Move._meta.get_field(name).attname)) for name in MOVE_FIELDS]
            cursor.execute(_INSERT, _adapted(Move, values))


def _adapted(model, values):
    """Values by field name as this database takes them."""
    return [model._meta.get_field(name).get_db_prep_save(value, connection) for name, value in values]


def _column(model, name):
    return f'"{model._meta.get_field(name).column}"'


_UPDATE = (
    f'UPDATE "{Match._meta.db_table}" SET '
    + ", ".join(f"{_column(Match, name)} = %s" for name in POSITION_FIELDS)
    + ' WHERE "id" = %s AND "revision" = %s'
)
_INSERT = (
    f'INSERT INTO "{Move._meta.db_table}" ({", ".join(_column(Move, name) for name in MOVE_FIELDS)})'
    f" VALUES ({', '.join(['%s'] * len(MOVE_FIELDS))})"
)
