"""The site as hosts run it: web processes and clocks on PostgreSQL and Redis, or one process on SQLite."""

from contextlib import contextmanager

from tests.faults.services import POSTGRESQL_PORT, PostgresDatabase, Proxy, Redis, SqliteFile
from tests.processes import Installation, running

SETTINGS = {
    "MESSAGES_A_USER": "300",  # bots and results wait so little here that players send more than people do
    "TRUSTED_PROXIES": "1",  # so that every player may have an address of their own
}


class Alone:
    """Everything in one process, which does not run yet, on a SQLite file in a folder."""

    def __init__(self, folder, database_folder=None, **settings):
        self.database = SqliteFile((database_folder or folder) / "site.sqlite3")
        self.installation = Installation(folder, self.database.url, **SETTINGS | settings)
        self.webs = self.processes = [self.installation.serve()]


class Cluster:
    """Many processes, none of which runs yet. `wire` is what lies between them and PostgreSQL."""

    def __init__(self, folder, **settings):
        self.database = PostgresDatabase()
        self.wire = Proxy(POSTGRESQL_PORT)
        self.redis = Redis(folder / "redis.log")
        url = self.database.url_by_way_of(self.wire.port)
        self.installation = Installation(folder, url, self.redis.url, **SETTINGS | settings)
        self.webs = [self.installation.web(f"web-{number}") for number in (1, 2)]
        clocks = [self.installation.clock(f"clock-{number}") for number in (1, 2)]
        self.processes = [*self.webs, *clocks]

    def close(self):
        self.wire.close()
        self.database.drop()


@contextmanager
def cluster(folder, **settings):
    """A Cluster whose database is migrated and whose Redis runs."""
    made = Cluster(folder, **settings)
    try:
        with running(made.redis):
            made.installation.command("migrate", "-v", "0")
            made.installation.command("collectstatic", "--noinput", "-v", "0")
            yield made
    finally:
        made.close()
