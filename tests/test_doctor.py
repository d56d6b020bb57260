"""What `manage.py doctor` says of a site that runs, of one that does not, and of what is wrong with it."""

import os
import shutil
import subprocess
import sys
import time

import pytest

from tests.processes import ROOT, Installation, empty_database, free_port, running

pytestmark = pytest.mark.thorough


def lines(site, *arguments):
    """Run the doctor at a site. Returns {subject: (whether it is well, words)} of its last line on each subject."""
    run = subprocess.run(
        [sys.executable, "manage.py", "doctor", *map(str, arguments)],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    report = {}
    for line in run.stdout.splitlines():
        mark, subject, words = line[:4].strip(), *line[5:].partition(": ")[::2]
        report[subject] = mark == "ok", words
    assert (run.returncode, "Traceback" in run.stderr) == (int("BAD" in run.stdout), False), run.stderr
    return report


@pytest.fixture
def database(tmp_path):
    copy = shutil.copy(empty_database(), tmp_path / "site.sqlite3")
    os.chmod(copy, 0o600)
    return copy


@pytest.mark.parametrize("kind", ["serve", "web"])
def test_it_visits_a_running_site_through_both_servers(tmp_path, database, kind):
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    backups = tmp_path / "backups"
    backups.mkdir()
    (backups / "today.backup").write_text("rows")
    site = Installation(tmp_path, f"sqlite:///{database}", CSRF_TRUSTED_ORIGINS=address)
    process = getattr(site, kind)(kind)
    address = f"http://127.0.0.1:{process.port}"
    if kind == "web":
        site.command("collectstatic", "--noinput", "--verbosity", "0")
    with running(process):
        report = lines(site, "--address", address, "--backups", backups)

    well = {subject for subject, (is_well, _) in report.items() if is_well}
    assert {
        "Database",
        "Web process",
        "Page",
        "Socket",
        "Static file",
        "Backup",
        "File of the database",
        "Open files",
    } <= well
    assert report["Socket"] == (True, f"{address}/ws/lobby/ answers 101.")
    assert report["Clock"][0] == (kind == "serve")  # a web process has none
    assert ("never run" in report["Clock"][1]) == (kind == "web")


def test_it_says_what_to_do_where_nothing_runs(tmp_path, database):
    os.chmod(database, 0o644)
    old = tmp_path / "old.backup"
    old.write_text("rows")
    os.utime(old, times=(time.time() - 3 * 86_400,) * 2)
    site = Installation(
        tmp_path,
        f"sqlite:///{database}",
        SECRET_KEY="long enough not to be guessed: 7f3k9q2x81bd0aw5vz6m",
        EMAIL_URL=f"smtp://127.0.0.1:{free_port()}",
        VAPID_PRIVATE_KEY="no key",
    )

    report = lines(site, "--address", f"http://127.0.0.1:{free_port()}", "--backups", tmp_path)

    ill = {subject: words for subject, (is_well, words) in report.items() if not is_well}
    assert "HTTPS=on" in ill["Settings"]
    assert "chmod o=" in ill["File of the database"]
    assert "systemctl start valat" in ill["Clock"]
    assert "valat-daily" in ill["Backup"]
    assert "EMAIL_URL" in ill["Mail"]
    assert "vapid_keys" in ill["Push"]
    assert "can’t be reached" in ill["Page"]
    assert "collectstatic" in ill["Static files"]
    assert "Socket" not in report


def test_it_refuses_what_is_no_address(tmp_path, database):
    site = Installation(tmp_path, f"sqlite:///{database}")

    with pytest.raises(AssertionError, match="is no address"):
        site.command("doctor", "--address", "valat.example")
