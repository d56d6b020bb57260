"""A folder of a version, as docs/hosting.md installs it: who can read what it makes, and how commands read settings."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT, WebProcess, free_port, running

HOSTING = (ROOT / "docs" / "hosting.md").read_text()
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


def test_a_command_by_hand_reads_values_with_spaces_and_shows_none(version, environment, tmp_path):
    settings = tmp_path / "valat.env"
    settings.write_text(
        f"SECRET_KEY=a key with spaces, $ and # {'x' * 40}\n"
        "# DEBUG=on\n"
        "DEFAULT_FROM_EMAIL=Valat Club <valat@valat.example>\n"
        f"DATABASE_URL=sqlite:///{tmp_path}/site.sqlite3\n"
    )
    (link,) = re.findall(r"^    (ln -s /etc/valat.env .env)$", HOSTING, re.MULTILINE)
    subprocess.run(link.replace("/etc/valat.env", str(settings)), shell=True, cwd=version, check=True)
    (function,) = re.findall(r"^    (valat\(\) .*)$", HOSTING, re.MULTILINE)
    function = function.replace("/srv/valat/current/.venv/bin/python", sys.executable)
    function = function.replace("/srv/valat/current", str(version)).replace("runuser -u valat -- ", "")
    show = (
        "from django.conf import settings; from pathlib import Path; line = Path('/proc/self/cmdline').read_text();"
        " print(settings.SECRET_KEY, settings.DEFAULT_FROM_EMAIL, settings.DEBUG, settings.SECRET_KEY in line, sep='|')"
    )

    said = subprocess.run(
        ["bash", "-c", f'{function}\nvalat shell --verbosity 0 -c "$1"', "-", show],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        cwd=Path("/"),
    ).stdout

    assert said.strip() == f"a key with spaces, $ and # {'x' * 40}|Valat Club <valat@valat.example>|False|False"
