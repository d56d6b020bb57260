"""Databases that tests make, and the commands of the site on each."""

import os
import shutil
import subprocess
import sys
from uuid import uuid4

import psycopg
import pytest

from tests.processes import ROOT

SERVER = "postgres://postgres@127.0.0.1:5432"


class Place:
    """A database of its own, and the commands of the site on it."""

    def __init__(self, url):
        self.url = url

    def start(self, *arguments, **settings):
        environment = os.environ | {
            "DATABASE_URL": self.url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DEBUG": "off",
            "HTTPS": "off",
            "REDIS_URL": "",
            "SECRET_KEY": "only for these tests",
            "DJANGO_SUPERUSER_PASSWORD": "korak-po-korak",
        }
        return subprocess.Popen(
            [sys.executable, "manage.py", *map(str, arguments)],
            cwd=ROOT,
            env=environment | settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments, **settings):
        """(whether it went well, what it said)"""
        process = self.start(*arguments, **settings)
        said = process.communicate(timeout=120)[0].strip()
        return process.returncode == 0, said

    def do(self, *arguments):
        well, said = self.run(*arguments)
        assert well, said
        return said


class Files:
    """Makes databases of SQLite, in a folder."""

    def __init__(self, folder):
        self._folder = folder

    def make(self, model=None):
        """A Place that is empty, or a copy of another."""
        file = self._folder / f"{uuid4().hex}.sqlite3"
        if model:
            shutil.copy(model.url.removeprefix("sqlite:///"), file)
        return Place(f"sqlite:///{file}")

    def close(self):
        pass


class Databases:
    """Makes databases of PostgreSQL, and drops them."""

    def __init__(self):
        try:
            self._server = psycopg.connect(f"{SERVER}/postgres", autocommit=True, connect_timeout=2)
        except psycopg.OperationalError:
            pytest.skip("PostgreSQL does not answer at 127.0.0.1")
        self._names = []

    def make(self, model=None):
        """A Place that is empty, or a copy of another."""
        self._names.append(f"valat_backup_{uuid4().hex[:12]}")
        template = f" TEMPLATE {model.url.rpartition('/')[2]}" if model else ""
        self._server.execute(f"CREATE DATABASE {self._names[-1]}{template}")
        return Place(f"{SERVER}/{self._names[-1]}")

    def close(self):
        for name in self._names:
            self._server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        self._server.close()
