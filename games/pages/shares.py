"""What a posted form says of its browser's share in the shuffles of a match."""

import json
import re

from games.kit.shuffle import SEED, clean_commitment
from games.play.promises import Told


def seat_fields(data):
    """{"entropy_hash", "form_key"} of a posted form that takes a seat; "" for what is missing or none."""
    form_key = data.get("form_key", "")
    return {
        "entropy_hash": clean_commitment(data.get("entropy_hash")),
        "form_key": form_key if re.fullmatch(r"[\w-]{1,32}", form_key, re.ASCII) else "",
    }


def told_share(data):
    """What a posted form says of a match that was promised, a Told; None where it says nothing."""
    token, entropy = data.get("token", ""), data.get("entropy", "")
    if not token or not SEED.fullmatch(entropy):
        return None
    try:
        noted = json.loads(data.get("noted", ""))
    except (ValueError, RecursionError):
        noted = None  # the promise of no table
    return Told(token, noted, entropy)
