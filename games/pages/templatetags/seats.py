"""What forms that take a seat have in common: {% load seats %} and {% seat_fields %} within the form."""

import secrets
import time

from django import template
from django.utils.html import json_script

from games.catalog import all_games
from games.kit import shuffle
from games.play import promises
from games.play.opening import promised_tables

register = template.Library()


@register.simple_tag
def form_key():
    """A form's own key, so that sent twice it takes one seat."""
    return secrets.token_urlsafe(12)


@register.inclusion_tag("lobby/seat_fields.html")
def seat_fields():
    """Hidden fields: the commitment of the browser's share in the shuffles, and the form's own key."""
    return {"form_key": form_key()}


@register.simple_tag
def promise(*games):
    """Data for forms that open a match against bots: what is promised of its shuffles, see static/site/entropy.js.

    games: the slugs of those that the forms are for, all if none is named.
    """
    games = games or [game.slug for game in all_games()]
    return json_script(promised() | {"tables": {game: promised_tables(game) for game in games}}, "promise")


def promised():
    """What pages say of one promise: a dict of plain JSON types.

    "until": when it is kept no longer, in milliseconds since 1970.
    """
    code, token, seed_hash = promises.new_promise()
    until = round(1000 * (time.time() + promises.MAX_AGE))
    return {
        "code": code,
        "token": token,
        "until": until,
        "scheme": shuffle.SCHEME,
        "seedHash": seed_hash,
    }
