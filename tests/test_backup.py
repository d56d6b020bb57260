"""A backup of a site that is being played at, restored beside it: every match is whole, and people can log in."""

import shutil
import sqlite3
from contextlib import closing

import psycopg
import pytest

from tests.places import Databases, Files
from tests.processes import wait_until

LOG_IN = """
from django.test import Client
answer = Client(HTTP_HOST="localhost").post("/accounts/login/", {"login": "Ana", "password": "korak-po-korak"})
print(answer.status_code, answer.headers.get("Location"))
"""

NEWER = """
from django.db import connection
update = "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '0999_newer', CURRENT_TIMESTAMP)"
connection.cursor().execute(update)
"""

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, tmp_path_factory):
    if request.param == "postgresql" and not shutil.which("pg_dump"):
        pytest.skip("pg_dump is missing")
    server = Databases() if request.param == "postgresql" else Files(tmp_path_factory.mktemp("databases"))
    yield server
    server.close()


@pytest.fixture(scope="module")
def migrated(server):
    """A migrated Place with an account, which others are copied from."""
    place = server.make()
    place.do("migrate", "--verbosity", "0")
    place.do("createsuperuser", "--no-input", "--username", "Ana")
    return place


@pytest.fixture
def site(server, migrated):
    """A migrated Place with an account."""
    return server.make(migrated)


def moves_of(site):
    """The number of moves that a site has stored."""
    return int(site.do("shell", "--verbosity", "0", "-c", "from games.models import Move; print(Move.objects.count())"))


def test_what_is_backed_up_in_the_middle_of_play_is_whole(site, server, tmp_path):
    playing = site.start("selfplay", "oh-hell", "--matches", 200)
    try:
        files = [tmp_path / f"{number}.backup" for number in range(2)]
        for file in files:
            before = moves_of(site)
            wait_until(lambda seen=before: moves_of(site) > seen, 60, "more is played")
            assert site.do("backup", file).startswith(f"{file}: ")
        assert playing.poll() is None
    finally:
        playing.kill()
        playing.communicate()

    moves = []
    for file in files:
        again = server.make()
        again.do("restore", file)
        counts = again.do("replay_check")
        assert counts.endswith("no differences.")
        moves.append(int(counts.split(", ")[1].split()[0]))
    assert moves[0] < moves[1]
    again.do("migrate", "--check")
    assert again.do("shell", "--verbosity", "0", "-c", LOG_IN) == "302 /"


def test_nothing_is_overwritten_unasked(site, server, tmp_path):
    file = tmp_path / "site.backup"
    file.write_text("something else")

    assert site.run("backup", file) == (False, f"CommandError: {file} exists: choose another name, or use --force.")
    assert file.read_text() == "something else"
    site.do("backup", file, "--force")
    assert oct(file.stat().st_mode)[-3:] == "600"
    well, said = site.run("restore", file)
    assert (well, said.startswith("CommandError: The database is not empty: use --force")) == (False, True)
    site.do("selfplay", "oh-hell", "--seats", 3)
    site.do("restore", file, "--force")
    assert site.do("replay_check").startswith("Checked 0 matches")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_is_no_backup_is_refused_and_changes_nothing(site, tmp_path):
    site.do("selfplay", "oh-hell", "--seats", 3)
    for number, content in enumerate([b"", b"PGDMPnothing", b"SQLite format 3\0" + b"x" * 5000, b"SQLite"]):
        file = tmp_path / f"{number}.backup"
        file.write_bytes(content)

        well, said = site.run("restore", file, "--force")

        assert not well
        assert said.startswith("CommandError: ")
        assert "\n" not in said
    assert site.run("restore", tmp_path / "nowhere")[1] == f"CommandError: {tmp_path / 'nowhere'} can't be read."
    assert site.do("replay_check").startswith("Checked 1 match,")


def test_nothing_is_restored_while_the_site_runs(site, tmp_path):
    file = tmp_path / "site.backup"
    site.do("backup", file)
    path = site.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path) if path != site.url else psycopg.connect(site.url)) as other:
        other.execute("SELECT count(*) FROM games_match").fetchall()

        said = site.run("restore", file, "--force")

    assert said == (False, "CommandError: The database is in use: stop the site and its clocks first.")
    site.do("restore", file, "--force")


def test_a_backup_of_a_newer_version_is_refused(site, server, tmp_path):
    file = tmp_path / "site.backup"
    site.do("shell", "-c", NEWER)
    site.do("backup", file)

    well, said = site.run("restore", file, "--force")

    assert (well, said) == (
        False,
        "CommandError: The backup is of a newer version, with games.0999_newer: install that version first.",
    )
    assert "0999_newer" not in server.make().run("showmigrations", "games")[1]
    assert site.do("shell", "-c", "from accounts.models import User; print(User.objects.count())").endswith("1")


@pytest.mark.parametrize("server", ["postgresql"], indirect=True)
def test_without_the_tools_of_postgresql_it_says_so(site, tmp_path):
    well, said = site.run("backup", tmp_path / "site.backup", PATH="/nowhere")

    assert not well
    assert said.startswith("CommandError: pg_dump is missing: install")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_said(site, tmp_path):
    well, said = site.run("backup", tmp_path / "nowhere" / "site.backup")

    assert (well, said.endswith("can't be written: No such file or directory.")) == (False, True)
