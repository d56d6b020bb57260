"""The cast of players, matches that have begun, and matches played out; chance."""

import os
import random
import shutil
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.utils.translation import deactivate

from accounts.models import User
from accounts.people import online
from accounts.site import current
from accounts.site.models import SiteSettings
from games.challenges import settling
from games.deal_index import making
from games.history import folding, lengths
from games.history.records import export_match, import_match
from games.kit import language
from games.live import hub as live
from games.live import jobs, writer
from games.models import Match
from games.play import gaps, memory, seating, store
from tests import opening
from tests.matches import play_on
from tests.processes import empty_database

pytest_plugins = ["tests.browser.fixtures", "tests.whist.fixtures"]

_played = {}  # records of matches that have been played, so that each is played once a run


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """One more than there are cores where there are tests with browsers, which wait half of their time."""
    return os.cpu_count() + ("not browser" not in config.option.markexpr)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """With STRICT set, what is skipped has failed."""
    report = yield
    if report.skipped and os.environ.get("STRICT"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and STRICT is set: {report.longrepr}"
    return report


def pytest_collection_modifyitems(config, items):
    """Leave out on SQLite what only PostgreSQL can do. `make test STRICT=1` runs it there."""
    if "postgres" not in django_settings.DATABASES["default"]["ENGINE"]:
        left_out = [item for item in items if item.get_closest_marker("postgresql")]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb, django_db_use_migrations, django_db_modify_db_settings):
    """On SQLite all workers start with copies of the same tables: migrating takes each of them seconds."""
    database = django_settings.DATABASES["default"]
    on_sqlite = database["ENGINE"] == "django.db.backends.sqlite3"
    if not (on_sqlite and django_db_use_migrations and "PYTEST_XDIST_WORKER" in os.environ):
        yield django_db_keepdb
        return
    file = Path(shutil.copy(empty_database(), database["TEST"]["NAME"]))
    yield True
    for each in file.parent.glob(f"{file.name}*"):
        each.unlink()


@pytest.fixture(autouse=True)
def _own_names(settings):
    """What is cached and said on channels has names of its own: tests that run side by side share a Redis server."""
    own = uuid4().hex
    layer = settings.CHANNEL_LAYERS["default"]
    config = {key: own if key == "prefix" else value for key, value in layer["CONFIG"].items()}
    settings.CHANNEL_LAYERS = {"default": layer | {"CONFIG": config}}
    settings.CACHES = {"default": settings.CACHES["default"] | {"KEY_PREFIX": own}}


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _no_language():
    """The language of a request stays active in its thread. The next test does not speak it."""
    yield
    deactivate()
    language.use_language(language.ENGLISH)


@pytest.fixture(autouse=True)
def _no_memory():
    """No process-wide memory of another test's matches or event loop, no connection left open."""
    current.remember(current.Site(SiteSettings(), []))
    yield
    memory.forget()
    gaps.forget()
    folding.forget()
    making.forget()
    settling.forget()
    lengths.forget()
    online.forget()
    writer.stop()
    live.stop()


@pytest.fixture
def run_every(monkeypatch):
    """Return a function that gives a job an interval: run_every("changes", 0.05)."""
    return lambda name, seconds: monkeypatch.setitem(jobs.JOBS, name, jobs.JOBS[name]._replace(every=seconds))


@pytest.fixture
def users(db):
    """Ana, Boris, Vera and Goran, without passwords: hashing is slow."""
    names = ("Ana", "Boris", "Vera", "Goran")
    return [User.objects.create(username=name, password=UNUSABLE_PASSWORD_PREFIX) for name in names]


@pytest.fixture
def ana(users):
    return users[0]


@pytest.fixture
def boris(users):
    return users[1]


@pytest.fixture
def vera(users):
    return users[2]


@pytest.fixture
def goran(users):
    return users[3]


@pytest.fixture
def as_ana(client, ana):
    """The test client, at which Ana is logged in."""
    client.force_login(ana)
    return client


@pytest.fixture
def started(users):
    """A match of Oh Hell among three people, just dealt: hands of one card."""
    opened = opening.open_table(users[0], "oh-hell", seats=3, options={"game_style": "short-up"}, seed="ab" * 32)
    seating.sit_down(users[1], opened.code)
    return seating.sit_down(users[2], opened.code)


@pytest.fixture
def finished(db):
    """The Snapshot of a match among three bots, played to its end."""
    if not _played:
        opened = opening.open_table(
            None, "oh-hell", seats=3, bots=3, options={"game_style": "short-up"}, seed="cd" * 32, speed="untimed"
        )
        match = Match.objects.get(code=play_on(opened).code)
        _played["short"] = export_match(match)
        match.delete()  # so that the first test gets the same match as the others: one that was imported
    return store.read(import_match(_played["short"]).code)


@pytest.fixture
def match(finished):
    """The stored Match of `finished`."""
    return Match.objects.get(code=finished.code)


@pytest.fixture
def rng():
    """Another random.Random in every run. Where a test fails, what makes it again is printed."""
    seed = random.getrandbits(32)
    print(f"rng = random.Random({seed})")
    return random.Random(seed)
