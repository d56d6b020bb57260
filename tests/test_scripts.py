"""The scripts that need no page, under Node: tests/scripts/*.test.mjs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = sorted(Path(__file__).parent.glob("scripts/*.test.mjs"))


@pytest.mark.whole
def test_scripts_pass_their_own_tests():
    if not shutil.which("node"):
        if os.environ.get("STRICT"):
            pytest.fail("Node is missing: install it (Debian: apt-get install nodejs).", pytrace=False)
        pytest.skip("Node is missing, which these tests run on.")

    run = subprocess.run(["node", "--test", *TESTS], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout
