"""docs/hosting.md, run: every command of it on a fresh Debian 13, while people play there."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from tests.machine import DOMAIN, PROGRAMS, Machine, command
from tests.processes import ROOT, wait_until

REPOSITORY = "https://github.com/YOU/valat"
UNITS = ("valat-web@8001", "valat-clock@9101", "valat-serve", "valat-daily", "valat-alert@any")
MIGRATION = """
from django.db import migrations

class Migration(migrations.Migration):
    dependencies = [("games", "{before}")]
    breaks_running_processes = {breaks}
    operations = [migrations.RunSQL("{sql}")]
"""
MOVES = """
import json
from django.db.models import Count
from games.models import Match
print(json.dumps(dict(Match.objects.annotate(count=Count("moves")).values_list("code", "count"))))
"""

pytestmark = [pytest.mark.hosting, pytest.mark.xdist_group("hosting")]


def blocks():
    """Return the blocks of commands of the page, by heading and number."""
    text = (ROOT / "docs" / "hosting.md").read_text()
    commands = {}
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]:
        heading = section[3:].partition("\n")[0]
        for number, block in enumerate(re.findall(r"^```sh\n(.*?)^```", section, re.DOTALL | re.MULTILINE)):
            commands[heading, number] = block
    return commands


class Page:
    """The commands of the page, run in a machine. `left` are the headings and numbers of those not run yet."""

    def __init__(self, machine):
        self._blocks = blocks()
        self._machine = machine
        self.left = {key for key in self._blocks if key[0] != "Containers"}  # tests/test_containers.py has these

    def follow(self, heading, number=0):
        """Run a block, and return what it prints."""
        began = time.monotonic()
        printed = self._machine.run(self._blocks[heading, number])
        self.left.discard((heading, number))
        print(f"{heading} {number}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        return printed


def copy_project(folder):
    """Copy the files of the project, except what git ignores."""
    files = command("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, files):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


class Releases:
    """The project as it is here, in a repository of the machine's that stands for GitHub's."""

    def __init__(self, machine, folder):
        self._clone = copy_project(folder / "clone")
        self._git("init", "--quiet", "--initial-branch", "main")
        self._place = machine.root / "var/lib/github.git"
        command("git", "init", "--quiet", "--bare", "--initial-branch", "main", self._place)
        machine.put("/root/.gitconfig", f'[url "file:///var/lib/github.git"]\n\tinsteadOf = {REPOSITORY}\n')
        self._publish()

    def _git(self, *arguments):
        who = ["-c", "user.name=Ana", "-c", "user.email=ana@valat.example"]
        return command("git", "-C", self._clone, *who, *arguments)

    def _publish(self):
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", "Publish")
        self._git("push", "--quiet", self._place, "main")

    def add(self, version, sql, breaks=False):
        """Publish a version with a migration. breaks: whether running processes can't bear it."""
        folder = self._clone / "games" / "migrations"
        before = max(path.stem for path in folder.glob("0*.py"))
        text = MIGRATION.format(before=before, sql=sql, breaks=breaks)
        (folder / f"{int(before[:4]) + 1:04}_of_a_test.py").write_text(text)
        changes = self._clone / "CHANGELOG.md"
        changes.write_text(changes.read_text().replace("\n## ", f"\n## {version}\n\n## ", 1))
        self._publish()


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if os.geteuid() or missing:
        pytest.skip(f"Only root can boot a machine, with {', '.join(PROGRAMS)}; missing: {missing}")
    folder = tmp_path_factory.mktemp("machine")
    folder.chmod(0o755)
    with Machine(folder) as made:
        yield made


def stored_moves(machine):
    """Return how many moves each match has, by code."""
    return json.loads(machine.run(f"valat shell -v 0 -c '{MOVES}'"))


@contextmanager
def people_playing(machine, what):
    """Let people play meanwhile. Nobody sees an error; prints what they notice."""
    enter = ["unshare", "--mount", "sh", "-c", f'mount --bind {machine.hosts} /etc/hosts && exec "$@"', "-"]
    watching = subprocess.Popen(
        [*enter, sys.executable, "-m", "tests.watching", f"https://{DOMAIN}"],
        cwd=ROOT,
        env=os.environ | {"SSL_CERT_FILE": str(machine.trust)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert watching.stdout.readline() == "They play.\n"
        notice = {}
        yield notice
        notice |= json.loads(watching.communicate("\n", timeout=120)[0])
    finally:
        watching.kill()
    shown, stored = notice.pop("shown"), stored_moves(machine)
    print(f"{what}: {notice}", file=sys.stderr)
    assert sum(shown.values()) > 20
    assert {code: stored[code] for code in shown if stored[code] < shown[code]} == {}
    assert notice["contradictions"] == []


def assert_nobody_saw_it(notice):
    """No page and no form failed, and everybody went on. Times depend on this machine, so they are only printed."""
    assert set(notice["pages"]) == {"200"}
    assert not [status for status in notice["forms"] if status >= "500"]
    assert notice["unanswered"] == 0


def changes_of(printed):
    return [line for line in printed.splitlines() if line.startswith("+ ")]


INSTALL = "/srv/valat/current/tools/install.sh"


def test_every_command_of_the_page_on_a_fresh_debian(machine, tmp_path):
    page, releases = Page(machine), Releases(machine, tmp_path)
    install(page, machine)
    change_settings(page, machine)
    grow(page, machine)
    restart_and_update(page, machine, releases)
    restore(page, machine)
    shrink(page, machine)
    for number in range(2):
        page.follow("Is it well?", number)
    remove(page, machine)
    assert page.left == set()


def install(page, machine):
    announced = changes_of(page.follow("Install"))
    assert "+ write /etc/systemd/system/valat.target (644, root:root)" in announced
    machine.run("not id valat; not command -v caddy; not ls /etc/valat.env")

    printed = page.follow("Install", 1)

    assert printed.endswith("The site is well.\n")
    assert f"Log in at https://{DOMAIN}/admin/ as host" in printed
    again = machine.run(INSTALL)
    assert (changes_of(again), again.endswith("The site is well.\n")) == ([], True)
    modes = machine.run("stat --format '%a %U:%G %n' /etc/valat.env /var/lib/valat /var/lib/valat/db.sqlite3")
    assert modes.splitlines() == [
        "640 root:valat /etc/valat.env",
        "700 valat:valat /var/lib/valat",
        "600 valat:valat /var/lib/valat/db.sqlite3",
    ]
    machine.run("systemd-analyze verify /etc/systemd/system/valat*.{service,timer,target}")
    for unit in UNITS:
        machine.run(f"systemd-analyze security --threshold=40 {unit}.service")
    check_the_proxy(machine)


def check_the_proxy(machine):
    """HTTP/2, a way from port 80, compressed files, no figures, no large bodies."""
    machine.run(
        f"""
        ask() {{ curl --silent --output /dev/null --write-out "$1" "${{@:2}}"; }}
        site=https://{DOMAIN}
        [ "$(ask '%{{http_version}} %{{http_code}}' $site/)" = '2 200' ]
        [ "$(ask '%{{redirect_url}}' http://{DOMAIN}/rules/)" = $site/rules/ ]
        icons=$(cd /srv/valat/static && ls img/icons.*.svg)
        [ "$(ask '%header{{content-encoding}}' -H 'Accept-Encoding: gzip' $site/static/$icons)" = gzip ]
        ask '%header{{cache-control}}' $site/static/$icons | grep -q immutable
        [ "$(ask '%{{http_code}}' $site/metrics)" = 404 ]
        [ "$(head -c 110000 /dev/zero | ask '%{{http_code}}' --data-binary @- $site/)" = 413 ]
        """
    )


def change_settings(page, machine):
    """Mail arrives with a value that has spaces; a failed backup tells the host; backups are copied."""
    machine.run("echo PACE=0.1 >> /etc/valat.env")
    page.follow("Install", 3)
    (mail,) = machine.mails
    assert (mail["From"], mail["To"]) == (f"Club of Valat <valat@{DOMAIN}>", "you@example.org")

    machine.run("mv /var/lib/valat/backups /var/lib/valat/away; not systemctl start valat-daily")
    wait_until(lambda: len(machine.mails) == 2, 60, "a mail comes")
    machine.run("mv /var/lib/valat/away /var/lib/valat/backups")
    assert machine.mails[1]["Subject"] == f"Valat: valat-daily has failed at {DOMAIN}"
    assert "can't be written" in machine.mails[1].get_content()

    machine.run("install -d -o valat /mnt/nas")
    page.follow("Install", 2)
    machine.run("systemctl start valat-daily && ls /mnt/nas/*.backup")


def grow(page, machine):
    """Go from SQLite to PostgreSQL, with everything."""
    machine.run("valat selfplay oh-hell --matches 2")
    assert "Checked 2 matches, " in page.follow("Backup and restore", 2)
    machine.run(
        """
        [ "$(systemctl is-active valat-serve)" = inactive ]
        systemctl is-active valat-web@8001 valat-web@8002 valat-clock@9101 valat-clock@9102
        for name in SECRET_KEY REDIS_URL; do
            value=$(sed -n "s/^$name=//p" /etc/valat.env)
            [ -n "$value" ]
            not grep --files-with-matches --fixed-strings --file <(echo "$value") /proc/[1-9]*/cmdline
        done
        redis-cli ping 2>&1 | grep -q NOAUTH
        """
    )


def restart_and_update(page, machine, releases):
    """Restart behind both proxies, and go from version to version. Nobody sees it, but for the stop."""
    with people_playing(machine, "Rolling restart behind Caddy") as notice:
        machine.run(f"touch /etc/valat.env && {INSTALL}")
    assert_nobody_saw_it(notice)

    page.follow("Install", 4)
    check_the_proxy(machine)
    releases.add("0.1.1", "ALTER TABLE games_match ADD COLUMN trial integer NOT NULL DEFAULT 0")
    with people_playing(machine, "Update behind nginx") as notice:
        assert page.follow("Update").rpartition("\nValat ")[2].startswith("0.1.1, commit ")
    assert_nobody_saw_it(notice)
    with people_playing(machine, "The way back behind nginx") as notice:
        page.follow("Update", 1)
    assert_nobody_saw_it(notice)

    releases.add("0.1.2", "ALTER TABLE games_match ADD COLUMN again integer NOT NULL DEFAULT 0")
    releases.add("0.2.0", "ALTER TABLE games_match DROP COLUMN trial", breaks=True)
    with people_playing(machine, "Two versions at once") as notice:
        page.follow("Update", 2)
    assert "0.2.0, commit" in machine.run("valat version")

    page.follow("How it runs")
    machine.run(
        "grep 'server 127.0.0.1:8003' /etc/nginx/conf.d/valat.conf; curl --fail http://127.0.0.1:8003/healthz/ready"
    )


def restore(page, machine):
    before = stored_moves(machine)
    page.follow("Backup and restore", 0)
    machine.run("valat selfplay oh-hell --matches 1")
    page.follow("Backup and restore", 1)
    assert stored_moves(machine).keys() == before.keys()


def shrink(page, machine):
    """Go back from PostgreSQL to SQLite, with everything."""
    before = stored_moves(machine)
    assert page.follow("Backup and restore", 3).endswith("The site is well.\n")
    after = stored_moves(machine)  # Stand-ins have played on.
    assert {code: count for code, count in before.items() if after[code] < count} == {}
    machine.run(
        """
        systemctl is-active valat-serve
        not ls /etc/systemd/system/valat.target.wants/valat-{web,clock}@*
        not systemctl is-active valat-web@8001 valat-web@8002 valat-web@8003 valat-clock@9101 valat-clock@9102
        """
    )


def remove(page, machine):
    page.follow("Remove")
    machine.run(
        """
        not id valat
        for path in /srv/valat /var/lib/valat /usr/local/bin/valat; do not ls -d $path; done
        not compgen -G '/etc/valat*'
        not compgen -G '/etc/systemd/system/valat*'
        not grep --files-with-matches 'config[.]asgi' /proc/[1-9]*/cmdline
        [ -z "$(cd / && runuser --user postgres -- psql --list --tuples-only | grep valat)" ]
        """
    )
