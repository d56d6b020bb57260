"""Whether pages stay as fast however many matches others play: on PostgreSQL, in databases of its own.

    .venv/bin/python tests/benchmarks/history_speed.py

Fills by SQL a database of 1,000 matches, one of 40,000 and one of 1,000,000, with copies of matches of all games that
bots played, four scored deals each, and the moves of every hundredth. A member has 50 of these matches in the first and
in the last, another has 20,000 of them in the second and in the last, spread over all. The same requests are then made
in turn to the smaller and the larger of the two, by a client of ours that is logged in: the lobby, my matches with each
filter of matches, notes and tags among them, and with the first and the last answer of every question about what is
inside, the profile, statistics and bests as they are stored and made anew, a replay, and a move stored. For each it
prints the milliseconds of the whole page and of its queries (medians of warm runs), and how many times the smaller the
larger one is. The databases are dropped unless --keep is given; --use takes those that were kept.
"""

import argparse
import json
import os
import re
import statistics
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

SERVER = "postgres://postgres@127.0.0.1:5432"
NAME = "valat_history_speed_{}"
SIZES = (1_000, 40_000, 1_000_000)
OWN = {"few": (50, 1_000, 1_000_000), "many": (20_000, 40_000, 1_000_000)}  # matches of a member, of how many
MOVES_OF = 100  # one match in so many has its moves
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
WHO = {"oh-hell": {"deal.bid": "0"}, "belot": {"deal.doubled": "yes"}, "bids": {"deal.lowest": "yes"}} | {
    "bleven": {"deal.suspected": "yes"}
}
TOGETHER = {"game": "oh-hell", "deal.bid": "1", "deal.off": "over", "deal.trump": "H"}


def main(rounds, keep, use, only):
    import psycopg

    if not use:
        _fill_all()
    pages = {}
    for member, (own, *sizes) in OWN.items():
        for name, costs in _compared(member, sizes, rounds, only):
            small, large = (
                {kind: round(statistics.median(cost[kind] for cost in of_size), 1) for kind in of_size[0]}
                for of_size in costs
            )
            line = {"own": own, "page": name, "small": small, "large": large}
            pages[own, name] = line["times"] = round(large["ms"] / small["ms"], 2)
            print(json.dumps(line), flush=True)
    print(json.dumps({"above 1.2": {f"{own} {name}": times for (own, name), times in pages.items() if times > 1.2}}))
    if not keep:
        _on(SIZES[0])
        with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as server:
            for size in SIZES:
                server.execute(f"DROP DATABASE {NAME.format(size)} WITH (FORCE)")


def _on(size):
    """Go over to the database of this size."""
    from django.db import connection

    from games.history import folding
    from games.play import memory

    connection.close()
    connection.settings_dict["NAME"] = NAME.format(size)
    folding.forget()  # what is remembered is the other one's
    memory.forget()


def _fill_all():
    import psycopg
    from django.core.management import call_command
    from django.db import connection

    for size in SIZES:
        begun = time.monotonic()
        with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as server:
            server.execute(f"DROP DATABASE IF EXISTS {NAME.format(size)}")
            server.execute(f"CREATE DATABASE {NAME.format(size)}")
        _on(size)
        call_command("migrate", verbosity=0)
        templates, people = _templates()
        members = {_person(name).pk: size // own for name, (own, *_) in OWN.items() if size > own}
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")  # keys are right: they need no look each
            _write_letters(cursor, templates)
            for first in range(0, size, STEP):
                if first in (STEP, 5 * STEP, 20 * STEP):
                    cursor.execute("ANALYZE")  # or its plans are those for empty tables
                _fill(cursor, templates, people, first, min(first + STEP, size), members)
        for member in members:
            _note(member)
        _open_tables()
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        print(json.dumps({"matches": size, "filled_s": round(time.monotonic() - begun)}), flush=True)


def _person(name):
    from accounts.models import User

    return User.objects.create(username=name)


def _templates():
    """(the keys of finished matches whose rows are copied, that of the first of 1,000 people to sit at the copies)."""
    from games.deal_index import making
    from games.models import Match
    from tests import opening
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


def _write_letters(cursor, templates):
    """What is true of the deals of the templates, by seat, as the rows of those who search have it."""
    from games.catalog import get_game
    from games.deal_index import answered, played
    from games.models import Match

    cursor.execute("CREATE TEMP TABLE letters (template bigint, number int, letters text, questions text)")
    for match in Match.objects.filter(pk__in=templates):
        deals = {number: facts for number, facts in played.stored_deals(match).items() if number <= DEALS}
        seats, questions = list(match.seats.all()), answered.definition(match.game)
        for seat in seats:
            text = answered.text_of(get_game(match.game), deals, played.roles(seat, seats))
            cursor.execute("INSERT INTO letters VALUES (%s, %s, %s, %s)", [match.pk, seat.number, text, questions])


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
        chosen = f"CASE WHEN s.place = {place} AND n % {every} = {place} % {every} THEN {member} ELSE {chosen} END"
    cursor.execute(
        copied("games_seat", "s", match_id="n", user_id=chosen, bot="''") + "JOIN games_seat s ON s.match_id = template"
    )
    cursor.execute(
        copied("games_move", "v", match_id="n") + f"JOIN games_move v ON v.match_id = template AND n % {MOVES_OF} = 0"
    )
    cursor.execute(
        copied("deal_index_matchfacts", "f", match_id="n") + "JOIN deal_index_matchfacts f ON f.match_id = template"
    )
    cursor.execute(
        "INSERT INTO deal_index_playedmatch (user_id, match_id, game, seats, speed, rated, team, finish, began_at,"
        ' bots, "left", margin, deals, letters, questions)'
        " SELECT s.user_id, n, m.game, m.seat_count, m.speed, m.rated, s.team, s.finish, m.created_at, false, false,"
        f" f.margin, f.deals, l.letters, l.questions FROM {source} JOIN games_match m ON m.id = n"
        " JOIN games_seat s ON s.match_id = n JOIN deal_index_matchfacts f ON f.match_id = n"
        " JOIN letters l ON l.template = x.template AND l.number = s.number"
    )
    cursor.execute(
        copied("deal_index_dealfacts", "d", match_id="n")
        + f"JOIN deal_index_dealfacts d ON d.match_id = template AND d.number <= {DEALS}"
    )
    cursor.execute(
        copied("deal_index_seatfacts", "f", deal_id="d.id", seat_id="s.id")
        + f"JOIN deal_index_dealfacts old ON old.match_id = template AND old.number <= {DEALS}"
        " JOIN deal_index_dealfacts d ON d.match_id = n AND d.number = old.number"
        " JOIN deal_index_seatfacts f ON f.deal_id = old.id JOIN games_seat o ON o.id = f.seat_id"
        " JOIN games_seat s ON s.match_id = n AND s.number = o.number"
    )


def _note(member):
    """Notes on every fifth match of a member, by its key, and ten saved filters."""
    from games.models import Seat
    from games.notes import notebook
    from games.notes.models import Note, Tag

    user = _user(pk=member)
    matches = list(Seat.objects.filter(user=user).order_by("match_id").values_list("match_id", flat=True))[::5]
    notes = Note.objects.bulk_create(
        [Note(user=user, match_id=match, starred=True, text="A squeeze in the endgame.") for match in matches]
    )
    Tag.objects.bulk_create([Tag(note=note, name="study") for note in notes])
    for number, fields in enumerate([*list(MATCHES.values())[1:5], *list(_inside().values())[:60:10]]):
        notebook.save_filter(user, f"saved {number}", urlencode(fields))


def _open_tables():
    """What a lobby shows: tables that wait, and matches that are played, some of them by the members."""
    from tests import opening

    for number in range(40):
        opening.open_table(_user(username=f"other-{number}"), "oh-hell", seats=4, speed="untimed")
    for name in [*OWN, *(f"other-{number}" for number in range(10))]:
        if person := _user(username=name):
            opening.open_table(person, "oh-hell", seats=4, bots=3, speed="untimed")


def _user(**known):
    from accounts.models import User

    return User.objects.filter(**known).first()


def _inside():
    """{name: fields} of the first and the last answer of each question of a game, and of everybody there is to ask."""
    from games.catalog import get_game
    from games.pages.filters import WHO as PEOPLE

    asked = {"oh-hell: bid 1, over, trumps hearts": TOGETHER}
    for slug in TEMPLATES:
        for question in get_game(slug).questions:
            for answer in {question.answers[0], question.answers[-1]}:
                asked[f"{slug}: {question.fact} {answer.slug}"] = {
                    "game": slug,
                    f"deal.{question.fact}": answer.slug,
                }
        for who in PEOPLE:
            asked[f"{slug}: {next(iter(WHO[slug]))} of {who}"] = {"game": slug, "who": who} | WHO[slug]
    return asked


def _compared(member, sizes, rounds, only):
    """Yield (name, [[cost, ...] of each size]) of each page of a member."""
    from django.db import connection
    from django.test import Client

    clients = {}
    for size in sizes:
        _on(size)
        clients[size] = Client(SERVER_NAME="localhost")
        clients[size].force_login(_user(username=member))
    for name, act in _pages(member).items():
        if not re.search(only, name):
            continue
        costs = [[] for _ in sizes]
        for turn in range(rounds + 1):
            for found, size in zip(costs, sizes, strict=True):
                _on(size)
                connection.ensure_connection()
                for _ in range(3):
                    cost = _cost(act, clients[size])
                found += [cost] if turn else []  # the first is for the caches
        yield name, costs


def _pages(member):
    """{name: what is done with a Client}."""
    from games.bot_process import rule_move
    from games.models import Match
    from games.play import due, moves
    from games.statistics.models import PlayerFigures

    def page(address, **fields):
        def get(client):
            response = client.get(address, fields)
            assert response.status_code == 200, (address, fields, response.status_code)

        return get

    def anew(address):
        def get(client):
            PlayerFigures.objects.filter(user__username=member).delete()
            page(address)(client)

        return get

    def stored(client):
        match = Match.objects.filter(status=Match.Status.PLAYING).order_by("pk").first()
        snapshot = moves.store.read(match.code)
        chance = snapshot.to_act == due.CHANCE
        move = None if chance else rule_move(due.question_of(snapshot))
        actor = "chance" if chance else "bot"
        moves.play_move(snapshot.code, snapshot.to_act, move, seen_count=snapshot.move_count, actor=actor)

    def replay(client):
        found = Match.objects.filter(status=Match.Status.OVER, move_count__gt=0).order_by("pk").first()
        page(f"/matches/{found.code}/replay/", move=found.move_count // 2)(client)

    pages = {"lobby": page("/"), "my matches": page("/matches/"), "replay": replay}
    pages |= {"a move stored": stored, "profile": page(f"/players/{member}/")}
    pages |= {f"filter: {name}": page("/matches/", **fields) for name, fields in MATCHES.items()}
    pages |= {f"inside: {name}": page("/matches/", **fields) for name, fields in _inside().items()}
    for game in TEMPLATES:
        for kind in ("statistics", "bests"):
            pages[f"{kind}, {game}"] = page(f"/players/{member}/{kind}/{game}/")
        pages[f"statistics made anew, {game}"] = anew(f"/players/{member}/statistics/{game}/")
    return pages


def _cost(act, client):
    from django.core.cache import cache
    from django.db import connection, reset_queries
    from django.test.utils import CaptureQueriesContext

    from games.history import folding

    reset_queries()  # the log of them has an end
    cache.clear()  # of what pages keep for a minute, and of the limits; and a replay shall read its moves
    folding.forget()
    with CaptureQueriesContext(connection) as captured:
        begun = time.perf_counter()
        act(client)
        taken = time.perf_counter() - begun
    sql = sum(float(query["time"]) for query in captured)
    return {"ms": 1000 * taken, "sql_ms": 1000 * sql, "queries": len(captured)}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="a regular expression: pages of these names")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--use", action="store_true")
    given = parser.parse_args()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"{SERVER}/{NAME.format(SIZES[0])}",
        "DATABASE_POOL": "0",
        "DEBUG": "off",
        "SECRET_KEY": "benchmark",
        "REDIS_URL": "",
    }
    import django
    from django.conf import settings

    # No static files need be collected for it.
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    django.setup()
    main(given.rounds, given.keep, given.use, given.only)
