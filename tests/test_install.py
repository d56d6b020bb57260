"""A folder of a version: who can read what it makes."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.processes import ROOT, WebProcess, free_port, running

USUAL_UMASK = ["sh", "-c", 'umask 022; exec "$@"', "-"]

pytestmark = pytest.mark.whole


@pytest.fixture
def version(tmp_path):
    """A folder with its own manage.py and config, so with its own .env, database and static files."""
    folder = tmp_path / "version"
    folder.mkdir(mode=0o755)
    shutil.copytree(ROOT / "config", folder / "config")
    shutil.copy(ROOT / "manage.py", folder)
    for name in ("accounts", "games", "locale", "static", "templates"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture
def environment():
    """The environment of a host, without any setting."""
    return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "BOT_PROCESSES": "0"}


def modes(*paths):
    return {path.name: oct(path.stat().st_mode & 0o777) for path in paths}


@pytest.mark.parametrize("is_old", [False, True])
def test_serve_makes_files_for_its_owner_only_but_static_files_for_all(version, environment, is_old):
    if is_old:  # made before, for all to read
        (version / "db.sqlite3").touch(0o644)
    port = free_port()
    manage = [*USUAL_UMASK, sys.executable, str(version / "manage.py")]
    serve = [*manage, "serve", "--host", "127.0.0.1", "--port", str(port)]
    with running(WebProcess("serve", serve, version / "log", environment, port)):
        subprocess.run([*manage, "backup", version / "site.backup"], env=environment, check=True, capture_output=True)
        private = [*version.glob("db.sqlite3*"), version / ".env", version / "site.backup"]
        found = modes(*private)

    assert found == dict.fromkeys(["db.sqlite3", "db.sqlite3-wal", "db.sqlite3-shm", ".env", "site.backup"], "0o600")
    static = version / "staticfiles"
    assert {path.suffix for path in static.rglob("*.css*")} >= {".css", ".gz"}
    assert set(modes(*(path for path in static.rglob("*") if path.is_file())).values()) == {"0o644"}
    assert set(modes(static, *(path for path in static.rglob("*") if path.is_dir())).values()) == {"0o755"}
