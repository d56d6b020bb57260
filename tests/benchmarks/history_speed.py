"""Whether pages of the record stay as fast however many matches others play: on PostgreSQL, in a database of its own.

    .venv/bin/python tests/benchmarks/history_speed.py --matches 1000 40000 1000000

Fills the database by SQL with copies of matches of all games that bots played, four scored deals each. For each size
there is a new member with 50 of these matches, spread over all that have come last, and from the second size on one
with 20,000. For each of them it prints milliseconds (median and least of nine), blocks read and queries of every filter
of matches, notes and tags among them, of filters inside the matches of each game, of the profile, of statistics and
bests as they are stored and as they are made anew, and of ten saved filters counted at once; then how many times the
first figures for as many matches the last are. The database is dropped unless --keep is given.
"""

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path

SERVER = "postgres://postgres@127.0.0.1:5432"
NAME = "valat_history_speed"
FEW, MANY = 50, 20_000  # matches of members
DEALS = 4  # of each match
STEP = 20_000  # matches made by one statement
BASE = 100_000_000  # keys from here on: nobody else's are so high
TEMPLATES = {"oh-hell": (4, 12), "belot": (4, 12), "bids": (4, 12), "bleven": (2, 12)}  # seats, and how many matches

MATCHES = {
    "everything": {},
    "game": {"game": "belot"},
    "won by at least 3": {"result": "won", "margin_from": "3"},
    "came second": {"place": "2"},
    "with somebody": {"player": "other-7"},
    "against somebody": {"against": "other-7"},
    "partner": {"partner": "other-7"},
    "since": {"since": "2026-01-01"},
    "seats and speed": {"seats": "4", "speed": "untimed"},
    "without bots": {"bots": "without"},
    "somebody left": {"left": "yes"},
    "rated": {"rated": "yes"},
    "deals": {"deals_from": "4"},
    "tag": {"tag": "study"},
    "star": {"starred": "yes"},
    "noted": {"noted": "endgame"},
    "option": {"game": "belot", "belot.target": "151"},
}
INSIDE = {
    "oh-hell: bid 1, over, trumps hearts": {"deal.bid": "1", "deal.off": "over", "deal.trump": "H"},
    "oh-hell: an opponent bid zero": {"deal.bid": "0", "who": "opponent"},
    "oh-hell: never": {"deal.bid": "10"},
    "belot: hearts inside": {"deal.contract": "h", "deal.outcome": "inside"},
    "belot: partner doubled": {"deal.doubled": "yes", "who": "partner"},
    "bids: lucky loser": {"deal.lucky_loser": "yes"},
    "bids: somebody won the Lowest": {"deal.lowest": "yes", "who": "anybody"},
    "bleven: suspected": {"deal.suspected": "yes"},
    "bleven: void": {"deal.result": "void"},
}


def main(sizes, keep):
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # keys are right: they need no look each
    templates, people = _templates()
    had, costs = 0, {}
    for size in sizes:
        few = _person(f"few-{size}")
        members = {few.pk: max(1, (size - had) // FEW)}
        many = _person(f"many-{size}") if size - had > MANY else None
        if many:
            members[many.pk] = max(1, (size - had) // MANY)
        begun = time.monotonic()
        for first in range(had, size, STEP):
            with connection.cursor() as cursor:
                _fill(cursor, templates, people, first, min(first + STEP, size), members)
        had = size
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        print(json.dumps({"matches": size, "filled_s": round(time.monotonic() - begun)}), flush=True)
        for member, own in ((few, FEW), (many, MANY)):
            if member:
                _note(member)
                for name, cost in _costs(member):
                    print(json.dumps({"matches": size, "own": own, "page": name, **cost}), flush=True)
                    costs.setdefault((own, name), []).append(cost)
    for (own, name), found in costs.items():
        if len(found) > 1:
            times = {kind: round(found[-1][kind] / max(found[0][kind], 1), 2) for kind in ("least_ms", "blocks")}
            print(json.dumps({"own": own, "page": name, "times": times}), flush=True)
    if not keep:
        connection.close()


def _person(name):
    from accounts.models import User

    return User.objects.create(username=name)


def _templates():
    """(the keys of finished matches whose rows are copied, that of the first of 1,000 people to sit at the copies)."""
    from games.facts import making
    from games.models import Match
    from games.play import opening
    from tests.matches import play_on

    people = [_person(f"other-{number}") for number in range(1000)]
    found = []
    for game, (seats, count) in TEMPLATES.items():
        for _ in range(count):
            opened = opening.open_table(None, game, seats=seats, bots=seats, seed=f"{len(found):064x}", speed="untimed")
            match = Match.objects.get(code=play_on(opened).code)
            making.keep(match)
            found.append(match.pk)
    Match.objects.filter(pk__in=found).update(position={}, score_sheet={}, standings=[])
    return found, people[0].pk


def _fill(cursor, templates, people, first, last, members):
    """Matches with the numbers from `first` on. members: {user: they have the first seat of one match in so many}."""
    low, high = BASE + first, BASE + last - 1
    source = (
        f"(SELECT n, drawn, ('{{{','.join(map(str, templates))}}}'::bigint[])[1 + drawn % {len(templates)}] AS template"
        f" FROM generate_series({low}, {high}) n, LATERAL (SELECT abs(hashint8(n)) / 8 AS drawn) y) x"
    )

    def copied(table, old, **changed):
        cursor.execute("SELECT column_name FROM information_schema.columns WHERE table_name = %s", [table])
        columns = [name for (name,) in cursor.fetchall() if name != "id" or "id" in changed]
        values = [changed.get(name, f'{old}."{name}"') for name in columns]
        names = ", ".join(f'"{name}"' for name in columns)
        return f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} FROM {source} "

    ended = f"timestamptz '2026-11-01' - ({BASE} + 2000000 - n) * interval '1 minute'"
    times = dict.fromkeys(("created_at", "started_at", "ended_at"), ended)
    new = {"id": "n", "code": "'b' || n", "shuffle_code": "'b' || n", "seed_hash": "'' || n", "rematch_of_id": "NULL"}
    cursor.execute(
        copied("games_match", "m", **new, **times, rated="drawn % 7 = 0") + "JOIN games_match m ON m.id = template"
    )
    chosen = f"{people} + (n * 7 + s.place * 331) % 1000"
    for place, (member, every) in enumerate(members.items()):
        chosen = f"CASE WHEN s.place = {place} AND n % {every} = {place} THEN {member} ELSE {chosen} END"
    cursor.execute(
        copied("games_seat", "s", match_id="n", user_id=chosen, bot="''") + "JOIN games_seat s ON s.match_id = template"
    )
    cursor.execute(copied("facts_matchfacts", "f", match_id="n") + "JOIN facts_matchfacts f ON f.match_id = template")
    cursor.execute(
        copied("facts_dealfacts", "d", match_id="n")
        + f"JOIN facts_dealfacts d ON d.match_id = template AND d.number <= {DEALS}"
    )
    cursor.execute(
        copied("facts_seatfacts", "f", deal_id="d.id", seat_id="s.id")
        + f"JOIN facts_dealfacts old ON old.match_id = template AND old.number <= {DEALS}"
        " JOIN facts_dealfacts d ON d.match_id = n AND d.number = old.number"
        " JOIN facts_seatfacts f ON f.deal_id = old.id JOIN games_seat o ON o.id = f.seat_id"
        " JOIN games_seat s ON s.match_id = n AND s.number = o.number"
    )


def _note(member):
    """Notes on every fifth match of a member, and ten saved filters."""
    from games.models import Seat
    from games.notes import keeping
    from games.notes.models import Note, Tag

    matches = list(Seat.objects.filter(user=member).order_by("match_id").values_list("match_id", flat=True))[::5]
    notes = Note.objects.bulk_create(
        [Note(user=member, match_id=match, starred=True, text="A squeeze in the endgame.") for match in matches]
    )
    Tag.objects.bulk_create([Tag(note=note, name="study") for note in notes])
    for name in list(MATCHES)[:5]:
        if MATCHES[name]:
            keeping.save_filter(member, name, "&".join(f"{key}={value}" for key, value in MATCHES[name].items()))
    for number, (name, fields) in enumerate(list(INSIDE.items())[:6]):
        query = {"game": name.partition(":")[0]} | fields
        keeping.save_filter(member, f"inside {number}", "&".join(f"{key}={value}" for key, value in query.items()))


def _costs(member):
    """Yield (name, {"ms", "queries"}) of each page of a member."""
    from django.core.cache import cache

    from games.catalog import get_game
    from games.facts.search import search
    from games.history import lists
    from games.pages import statistics as pages
    from games.pages.saved import saved_filters
    from games.statistics.models import Figures

    for name, fields in MATCHES.items():
        form = _form(fields)
        yield name, _measured(lambda form=form: search(member, form.asked, own=True))
    for name, fields in INSIDE.items():
        form = _form({"game": name.partition(":")[0]} | fields)
        yield name, _measured(lambda form=form: search(member, form.asked, own=True))
    yield "profile", _measured(lambda: (search(member, _form({}).asked, own=False), lists.results(member)))
    yield "profile's partners", _measured(lambda: lists.partners(member))
    yield "saved filters", _measured(lambda: (cache.clear(), saved_filters(member, 1)))
    for game in map(get_game, TEMPLATES):
        yield (
            f"statistics made anew, {game.slug}",
            _measured(
                lambda game=game: (Figures.objects.filter(user=member).delete(), pages._tables(member, game)), times=1
            ),
        )
        yield f"statistics, {game.slug}", _measured(lambda game=game: pages._tables(member, game))
        yield f"bests, {game.slug}", _measured(lambda game=game: pages._bests(member, game))


def _form(fields):
    from games.pages.filters import FilterForm

    form = FilterForm(fields)
    assert form.is_valid(), form.errors
    return form


def _measured(page, times=9):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    found = []
    before = _blocks()
    with CaptureQueriesContext(connection) as captured:
        begun = time.perf_counter()
        page()
        found.append(1000 * (time.perf_counter() - begun))
    blocks = _blocks() - before
    for _ in range(times - 1):
        begun = time.perf_counter()
        page()
        found.append(1000 * (time.perf_counter() - begun))
    return {
        "ms": round(statistics.median(found), 1),
        "least_ms": round(min(found), 1),
        "blocks": blocks,
        "queries": len(captured),
    }


def _blocks():
    """How many blocks of tables and indexes the database has looked at so far: a measure that no other load changes."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()")
        return cursor.fetchone()[0]


if __name__ == "__main__":
    import psycopg

    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, nargs="+", default=[1_000, 40_000, 1_000_000])
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"{SERVER}/{NAME}",
        "DATABASE_POOL": "0",
        "DEBUG": "off",
        "SECRET_KEY": "benchmark",
        "REDIS_URL": "",
    }
    with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {NAME}")
        server.execute(f"CREATE DATABASE {NAME}")
        try:
            main(given.matches, given.keep)
        finally:
            if not given.keep:
                server.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
