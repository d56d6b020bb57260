"""Keys that a site generates once and stores in its `.env` file."""

import os
import re
import secrets
from pathlib import Path


def load_secret_key(path: Path) -> str:
    """Generate a SECRET_KEY, add it to a file of settings, and return the first one in that file.

    Call it if no SECRET_KEY is set. Raises SystemExit if the file cannot be written.
    """
    try:
        append_line(path, f"SECRET_KEY={secrets.token_urlsafe(50)}")
    except OSError as error:
        raise SystemExit(
            f"SECRET_KEY is missing, and one can't be kept in {path} ({error.strerror}): set it in the environment to "
            "50 random characters."
        ) from None
    # Processes may start at the same time. All of them use the first key in the file.
    match = re.search(r"^SECRET_KEY=(.+)$", path.read_text(), re.MULTILINE)
    assert match
    return match[1]


def append_line(path: Path, line: str) -> None:
    """Append a line to a file of settings and make it readable for its owner only. Raises OSError."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(file, "w") as settings:
        os.fchmod(file, 0o600)
        settings.write(f"\n{line}\n")
