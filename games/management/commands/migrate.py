"""Django's `migrate`, which refuses databases without an upgrade path, and to break running processes."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.db.migrations import Migration
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import pre_migrate

from games.pages import running
from games.pages.health import older_history


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate as Django does. Refuse a database that is too old, and changes that would break running processes."""
        connection = connections[options["database"]]
        if trouble := older_history(set(MigrationRecorder(connection).applied_migrations())):
            raise CommandError(trouble)
        games = apps.get_app_config("games")
        pre_migrate.connect(demand_alone, sender=games)
        try:
            super().handle(*args, **options)
        finally:
            pre_migrate.disconnect(demand_alone, sender=games)
            with suppress(DatabaseError):  # If the connection is lost, so is its lock.
                running.let_in(connection)  # Processes of the site may start again.


def demand_alone(plan: Iterable[tuple[Migration, bool]], using: str, **_: object) -> None:
    """Raise `CommandError` if the site runs and a migration of the plan would break its processes.

    Django calls this before it migrates. If there is such a migration, no process can start until the end. using: the
    alias of the database.
    """
    breaking = [migration for migration, _ in plan if getattr(migration, "breaks_running_processes", False)]
    if breaking and not running.keep_out(connections[using]):
        raise CommandError(f"{breaking[0]} can't run while the site runs: stop it and its clocks, then migrate again.")
