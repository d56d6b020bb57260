"""Fields of forms that take a seat: {% load seats %} and {% seat_fields %} within the form."""

import secrets
import time
from typing import TypedDict

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString

from games.catalog import all_games
from games.kit import shuffle
from games.play import promises
from games.play.opening import promised_tables

register = template.Library()


@register.simple_tag
def form_key() -> str:
    """Return a new key for a form. A form that is sent twice takes one seat."""
    return secrets.token_urlsafe(12)


@register.inclusion_tag("lobby/seat_fields.html")
def seat_fields() -> dict[str, str]:
    """Render hidden fields: the commitment to the browser's share in the shuffles, and the key of the form."""
    return {"form_key": form_key()}


@register.simple_tag
def promise(*games: str) -> SafeString:
    """Render a promise for the forms that open a match against bots, as JSON for their script.

    It fixes the shuffles by the hash of a seed. The browser notes it with the facts about the table, so that the player
    can verify the shuffles later. games: the slugs of the games of the forms, by default of all games.
    """
    games = games or tuple(game.slug for game in all_games())
    tables = {game: promised_tables(game) for game in games}  # The facts about the table of each game.
    return json_script({**new_promise(), "tables": tables}, element_id="promise")


class PromiseData(TypedDict):
    """A promise of shuffles, for scripts."""

    code: str
    token: str
    until: int  # its end, in milliseconds since 1970
    scheme: str
    seedHash: str


def new_promise() -> PromiseData:
    """Make a promise."""
    code, token, seed_hash = promises.new_promise()
    until = round(1000 * (time.time() + promises.MAX_AGE))
    return {
        "code": code,
        "token": token,
        "until": until,
        "scheme": shuffle.SCHEME,
        "seedHash": seed_hash,
    }
