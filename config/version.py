"""The version of this site, for people who ask or report something."""

import platform
import re
import subprocess
from pathlib import Path

import django

BASE_DIR = Path(__file__).resolve().parent.parent


def version() -> str:
    """Return the versions of Valat and of what it runs on: "Valat 0.1.0, commit 665ea89b of 2026-11-28, Python ...".

    The changelog begins with the version. The commit is missing where the folder is no clone.
    """
    (name,) = re.findall(r"^## (.+)", (BASE_DIR / "CHANGELOG.md").read_text(), re.MULTILINE)[:1]
    commit = _commit() if (BASE_DIR / ".git").exists() else ""
    parts = [
        f"Valat {name}",
        f"commit {commit}",
        f"Python {platform.python_version()}",
        f"Django {django.get_version()}",
    ]
    return ", ".join(part for part in parts if part != "commit ")


def _commit() -> str:
    """Return the short name and the date of the commit, or "" if git can't say."""
    # git mistrusts a folder of another user, but the site's folder is root's.
    command = ["git", "-c", f"safe.directory={BASE_DIR}", "-C", str(BASE_DIR), "log", "-1", "--format=%h of %cs"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
