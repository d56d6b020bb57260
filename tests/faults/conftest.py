"""The site as hosts run it, shared by all tests of a process that break it."""

import shutil

import pytest

from tests.faults.cluster import cluster
from tests.faults.services import has_postgresql
from tests.processes import running


@pytest.fixture(scope="session")
def together(tmp_path_factory):
    """Two web processes and two clocks, running."""
    if not has_postgresql() or not shutil.which("redis-server"):
        pytest.skip("PostgreSQL does not run, or Redis is not installed.")
    with cluster(tmp_path_factory.mktemp("together"), PACE="0.1") as site, running(*site.processes):
        yield site
