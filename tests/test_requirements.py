"""The locks: what is installed is what the requirements name, with hashes, from wherever it comes."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = ["requirements", "requirements-server", "requirements-dev"]


def required(name):
    """Who asks for what in a file of requirements and those it includes: triples of file, package and version."""
    text = (ROOT / name).read_text()
    asked = {(name, *pin) for pin in re.findall(r"^([\w-]+)(?:\[[\w,]+\])?==(\S+)$", text, re.MULTILINE)}
    lines = [line for line in text.splitlines() if not line.startswith(("#", "-r "))]
    assert len(asked) == len(lines), f"{name} has a line that is not pinned"
    return asked.union(*map(required, re.findall(r"^-r (\S+)$", text, re.MULTILINE)))


def entries(name):
    """The entries of a lock, each with its hashes and the comment that says who asks for it."""
    lines = (ROOT / f"{name}.lock.txt").read_text().split("\n", 2)[2]  # after the comment of two lines
    return re.split(r"\n(?=\w)", lines)


def locked(name):
    """What a lock says of the requirements: triples of file, package and version."""
    return {
        (source, *re.match(r"([\w-]+)==(\S+)", entry).groups())
        for entry in entries(name)
        for source in re.findall(r"-r (\S+)", entry)
    }


@pytest.mark.parametrize("name", NAMES)
def test_lock_is_in_step_with_its_requirements(name):
    assert locked(name) == required(f"{name}.txt"), "run make lock"


@pytest.mark.parametrize("name", NAMES)
def test_lock_has_hashes_of_all_and_names_no_place_to_load_from(name):
    assert [entry for entry in entries(name) if " --hash=sha256:" not in entry or "://" in entry] == []


def test_locks_agree():
    """A site of many processes runs what the tests ran."""
    versions = {}
    for name in NAMES:
        for entry in entries(name):
            package, pin = re.match(r"([\w-]+)==([^\\]+)", entry).groups()
            versions.setdefault(package, {}).setdefault(name, set()).add(pin)

    assert [package for package, pins in versions.items() if len(set(map(frozenset, pins.values()))) > 1] == []
