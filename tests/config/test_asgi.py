"""What a server has done before it answers anybody."""

import subprocess
import sys

import pytest

from tests.processes import ROOT, Installation, empty_database

BEGIN = "import config.asgi, gc, sys; print('games.pages.urls' in sys.modules, gc.get_freeze_count())"
LEAST_KEPT = 50_000  # objects; what the server has loaded by then are three times as many


@pytest.mark.whole
def test_views_are_loaded_and_garbage_is_not_looked_for_among_what_stays(tmp_path):
    site = Installation(tmp_path, f"sqlite:///{empty_database()}")
    command = [sys.executable, "-c", BEGIN]

    began = subprocess.run(command, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=True)

    loaded, kept = began.stdout.split()
    assert loaded == "True"
    assert int(kept) > LEAST_KEPT
