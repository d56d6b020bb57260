"""Keys that a site makes for itself once, and keeps in the file of its settings."""

import os
import re
import secrets
from pathlib import Path


def kept_key(path: Path) -> str:
    """A key that is written to `path`, readable by its owner only. Raises SystemExit where that can't be done."""
    try:
        keep(path, f"SECRET_KEY={secrets.token_urlsafe(50)}")
    except OSError as error:
        raise SystemExit(
            f"SECRET_KEY is missing, and one can't be kept in {path} ({error.strerror}): set it in the environment to "
            "50 random characters."
        ) from None
    found = re.search(r"^SECRET_KEY=(.+)$", path.read_text(), re.MULTILINE)
    assert found
    return found[1]  # of processes that start at once the first to write has its way


def keep(path: Path, line: str) -> None:
    """Add a line to a file of settings. From then on only its owner can read it. Raises OSError."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(file, "w") as settings:
        os.fchmod(file, 0o600)
        settings.write(f"\n{line}\n")
