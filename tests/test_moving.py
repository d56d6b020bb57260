"""A whole site moves from SQLite to PostgreSQL and back, by backups and by fixtures: every row of every table."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.places import Databases, Files

GAMES = ("oh-hell", "belot", "bids", "bleven")
ROWS = "from tests import every_row; every_row.add_missing()"
LEFT_OUT = ("contenttypes", "auth.permission")  # each database makes its own

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return Files(tmp_path_factory.mktemp("databases"))


@pytest.fixture(scope="module")
def databases():
    if not shutil.which("pg_dump"):
        pytest.skip("pg_dump is missing")
    made = Databases()
    yield made
    made.close()


@pytest.fixture(scope="module")
def full(files):
    """A site on SQLite with matches of all games and a row in every table."""
    site = files.make()
    site.do("migrate", "--verbosity", "0")
    for game in GAMES:
        site.do("selfplay", game)
    site.do("facts")
    site.do("shell", "--verbosity", "0", "-c", ROWS)
    return site


def rows(site):
    """Return all rows of all tables."""
    return site.do("shell", "--verbosity", "0", "-c", "from tests import every_row; every_row.print_all()").splitlines()


def fixture_rows(site):
    """Return all rows of all tables, by model, as a fixture has them."""
    by_model = {}
    # A fixture cuts microseconds off. It writes what is left of them, 000, but only once.
    text = site.do("dumpdata", "--all").replace(".000Z", "Z")
    for row in json.loads(text):
        by_model.setdefault(row["model"], []).append(row)
    for found in by_model.values():
        found.sort(key=lambda row: str(row["pk"]))
    return by_model


def play_another(site):
    """Open a match, which takes new keys in the tables."""
    assert json.loads(site.do("selfplay", "oh-hell", "--seed", "another"))["matches"] == 1


def test_backups_move_a_site_to_postgresql_and_back(full, files, databases, tmp_path):
    stored = rows(full)
    there, back = databases.make(), files.make()

    full.do("backup", tmp_path / "one.backup")
    there.do("restore", tmp_path / "one.backup")
    assert rows(there) == stored
    there.do("backup", "--portable", tmp_path / "two.backup")
    back.do("restore", tmp_path / "two.backup")

    assert (rows(there), rows(back)) == (stored, stored)
    for site in (there, back):
        assert site.do("replay_check").startswith("Checked 4 matches, ")
        site.do("migrate", "--check")
        play_another(site)
    assert oct((tmp_path / "two.backup").stat().st_mode)[-3:] == "600"


def test_fixtures_move_a_site_to_postgresql_and_back(full, files, databases, tmp_path):
    left_out = [word for label in LEFT_OUT for word in ("--exclude", label)]
    source = full
    for number, place in enumerate([databases.make(), files.make()]):
        fixture = tmp_path / f"{number}.json"
        place.do("migrate", "--verbosity", "0")
        source.do("dumpdata", "--natural-foreign", *left_out, "--output", fixture)

        place.do("loaddata", fixture)

        assert fixture_rows(place) == fixture_rows(full)
        assert place.do("replay_check").startswith("Checked 4 matches, ")
        source = place
    play_another(source)


def test_a_portable_backup_replaces_nothing_unasked_or_in_part(full, databases, tmp_path):
    file = tmp_path / "one.backup"
    full.do("backup", file)
    there = databases.make()
    there.do("migrate", "--verbosity", "0")
    there.do("createsuperuser", "--no-input", "--username", "Ana")
    stored = rows(there)

    well, said = there.run("restore", file)
    assert (well, said.startswith("CommandError: The database is not empty: use --force")) == (False, True)
    older = changed(file, "DELETE FROM django_migrations WHERE app = 'notes'")
    assert there.run("restore", "--force", older) == (
        False,
        "CommandError: The backup is of an older version, without notes.0001_initial: "
        "restore it into SQLite, run migrate there, and back that up.",
    )
    long = changed(file, f"UPDATE notes_tag SET name = '{'x' * 1000}'")
    well, said = there.run("restore", "--force", long)
    assert (well, said.startswith("CommandError: notes_tag: value too long")) == (False, True)

    assert rows(there) == stored
    there.do("restore", "--force", file)
    assert rows(there) == rows(full)


def changed(file, statement):
    """Return a copy of a backup that a statement of SQL has changed."""
    copy = file.with_suffix(".changed")
    shutil.copy(file, copy)
    with closing(sqlite3.connect(copy)) as database, database:
        database.execute(statement)
    return copy


def test_a_backup_of_postgresql_alone_says_how_to_make_a_portable_one(full, databases, tmp_path):
    there = databases.make()
    there.do("migrate", "--verbosity", "0")
    there.do("backup", tmp_path / "dump.backup")

    said = full.run("restore", "--force", tmp_path / "dump.backup")

    sentence = f"{tmp_path / 'dump.backup'} is for PostgreSQL only. Write one with backup --portable there."
    assert said == (False, f"CommandError: {sentence}")
