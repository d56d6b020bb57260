"""What a heartbeat costs a process, and giving time back costs a match.

    .venv/bin/python tests/benchmarks/heartbeat_cost.py
    DATABASE_URL=postgres://postgres@127.0.0.1/valat_bench .venv/bin/python tests/benchmarks/heartbeat_cost.py

A process beats once a second, so a millisecond of CPU a beat is a thousandth of a core. Time is given back at matches
of four people, one after the other. The database has to be empty. On SQLite it is a new file. Medians, in milliseconds
of this process's CPU. They were 0.2 a beat and 5.6 a match on SQLite, 0.7 and 7.3 on PostgreSQL, on a busy machine.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

BEATS = 2_000
MATCHES = 200


def main():
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from django.utils import timezone

    from accounts.models import User
    from games.play import gaps, seating
    from games.play.snapshot_parts import TimeAway
    from tests import opening

    now = timezone.now()
    gaps.beat([gaps.WEB, gaps.CLOCK], now)
    beats = [
        timed(lambda at: gaps.beat([gaps.CLOCK], at), now + timedelta(milliseconds=number)) for number in range(BEATS)
    ]
    users = [User.objects.create(username=f"Heartbeat{number}") for number in range(4)]
    codes = []
    for _ in range(MATCHES):
        table = opening.open_table(users[0], "oh-hell", seats=4, speed="fast")
        for user in users[1:]:
            table = seating.sit_down(user, table.code)
        codes.append(table.code)
    ended = timezone.now()
    gap = TimeAway(ended - timedelta(seconds=90), ended)
    paid = [timed(lambda code: gaps.give_back(code, gap), code) for code in codes]
    print(json.dumps({"cpu_ms_of_a_beat": median(beats), "cpu_ms_of_a_match": median(paid)}))


def timed(act, argument):
    begun = time.process_time()
    act(argument)
    return time.process_time() - begun


def median(taken):
    return round(1000 * statistics.median(taken), 3)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder}/bench.sqlite3")
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ.setdefault("SECRET_KEY", "benchmark")
        main()
