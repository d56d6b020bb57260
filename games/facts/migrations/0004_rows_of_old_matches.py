"""A row of `Played` for each who played a match that is over, some thousand matches at a time.

Each batch is a transaction of its own and locks nothing that a running site writes: it may be stopped and run again.
What is true of the deals is answered afterwards, by the process that keeps the clock or by `manage.py facts`.
"""

from django.db import migrations

BATCH = 5_000  # keys of matches

FILL = """
    INSERT INTO facts_played (user_id, match_id, game, seats, speed, rated, team, finish, began_at, bots, "left",
                              margin, deals, letters, questions)
    SELECT seat.user_id, seat.match_id, contest.game, contest.seat_count, contest.speed, contest.rated, seat.team,
           seat.finish, contest.created_at,
           EXISTS (SELECT 1 FROM games_seat other LEFT JOIN accounts_user person ON person.id = other.user_id
                   WHERE other.match_id = contest.id
                   AND ((other.bot <> '' AND other.left_at IS NULL) OR person.is_program)),
           EXISTS (SELECT 1 FROM games_seat other WHERE other.match_id = contest.id AND other.left_at IS NOT NULL),
           head.margin, head.deals, '', ''
    FROM games_match contest JOIN games_seat seat ON seat.match_id = contest.id
    LEFT JOIN facts_matchfacts head ON head.match_id = contest.id
    WHERE contest.id >= %s AND contest.id < %s AND contest.status = 'over' AND contest.aside = ''
    AND NOT contest.guide AND seat.user_id IS NOT NULL AND seat.finish IS NOT NULL
    ON CONFLICT DO NOTHING
"""


def fill(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT min(id), max(id) FROM games_match")
        first, last = cursor.fetchone()
        for start in range(first, last + 1, BATCH) if first is not None else ():
            cursor.execute(FILL, [start, start + BATCH])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("facts", "0003_played"),
        ("games", "0021_claims"),
        ("accounts", "0001_initial"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
