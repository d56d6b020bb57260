"""A site of the process that measures, on a database of its own."""

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVER = "postgres://postgres@127.0.0.1:5432"

sys.path.insert(0, str(ROOT))


def set_up(url, **environment):
    """Set Django up for the database at `url`."""
    import django

    usual = {"DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "off", "SECRET_KEY": "benchmark", "REDIS_URL": ""}
    os.environ |= usual | {"DATABASE_URL": url} | environment
    django.setup()


@contextmanager
def new_site(**environment):
    """Set Django up for a new SQLite file with all tables. Yields its folder, which goes afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        set_up(f"sqlite:///{folder}/site.sqlite3", STATIC_ROOT=f"{folder}/static", **environment)
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        yield Path(folder)
