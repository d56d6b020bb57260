"""The layout of the code: every module has its layer, no file is entered twice, the games stand without Django."""

import subprocess
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tools.house import with_rooms

ROOT = Path(__file__).parents[1]
LINTER = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
LAYERS, _ = LINTER["contracts"]
EMPTY = {"games", "accounts", "config"}  # the roots themselves hold nothing


@pytest.fixture(scope="module")
def imports():
    return grimp.build_graph(*LINTER["root_packages"], cache_dir=None)


def test_every_module_is_in_a_layer(imports):
    placed = [name for layer in with_rooms(LAYERS["layers"]) for name in layer.split(" | ")]

    homeless = [
        module
        for module in sorted(imports.modules - EMPTY)
        if not any(module == name or module.startswith(f"{name}.") for name in placed)
    ]

    assert homeless == [], "name them in a layer of pyproject.toml"


def test_no_file_imports_itself_by_way_of_others(imports):
    arrows = {module: imports.find_modules_directly_imported_by(module) for module in imports.modules}

    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_accounts_know_no_game(imports):
    ours = {"accounts", *imports.find_descendants("accounts")}

    assert {other for module in ours for other in imports.find_modules_directly_imported_by(module)} - ours == set()


def test_the_catalog_and_all_games_need_no_django():
    script = "import sys, games.catalog; sys.exit('django' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0


@pytest.mark.xdist_group("together")
def test_tests_of_a_group_run_in_one_process(request):
    """pytest 9.2 no longer hears what pytest-xdist 3.8 says of groups; tests that share a site would each start one."""
    in_parallel = hasattr(request.config, "workerinput")

    assert not in_parallel or request.node.nodeid.endswith("@together")
