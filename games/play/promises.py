"""Seeds that are promised before anybody opens a table with them.

A page that opens tables shows a token and the SHA-256 of the seed that belongs to it; the seed follows from the token
and the site's secret key, so that nothing need be stored. A seed is used for one match only: the database sees to that.
"""

import re
import secrets

from django.utils.crypto import salted_hmac

from games.kit import shuffle

TOKEN = re.compile(r"[0-9a-f]{32}")


def new_promise() -> dict[str, str]:
    """{"token", "seed_hash"}: for a form that opens a table, and for its reader to note."""
    token = secrets.token_hex(16)
    return {"token": token, "seed_hash": shuffle.commitment(promised_seed(token))}


def promised_seed(token: object) -> str | None:
    """The seed (hex) of a token that a form sent back, or None where it is none of ours."""
    if not isinstance(token, str) or not TOKEN.fullmatch(token):
        return None
    return salted_hmac("games.promises", token, algorithm="sha256").hexdigest()
