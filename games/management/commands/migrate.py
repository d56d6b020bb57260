"""Django's `migrate`. It refuses a database from before, and to break processes that run."""

from contextlib import suppress

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import pre_migrate

from games.pages import running
from games.pages.health import older_history


class Command(migrate.Command):
    def handle(self, *args, **options):
        connection = connections[options["database"]]
        if trouble := older_history(set(MigrationRecorder(connection).applied_migrations())):
            raise CommandError(trouble)
        games = apps.get_app_config("games")
        pre_migrate.connect(demand_alone, sender=games)
        try:
            super().handle(*args, **options)
        finally:
            pre_migrate.disconnect(demand_alone, sender=games)
            with suppress(DatabaseError):  # then the session is lost, and its lock with it
                running.let_in(connection)


def demand_alone(plan, using, **_):
    """Raise CommandError if a process runs that can't live with a migration of the plan: `breaks_running_processes`."""
    breaking = [migration for migration, _ in plan if getattr(migration, "breaks_running_processes", False)]
    if breaking and not running.keep_out(connections[using]):
        raise CommandError(f"{breaking[0]} can't run beside the site: stop it and its clocks, then migrate again.")
