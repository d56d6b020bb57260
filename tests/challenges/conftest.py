"""Finished matches of every game, short ones, between Ana and bots."""

import pytest

from games.catalog import all_games, get_rules
from games.models import Match
from tests import opening
from tests.matches import play_on

GAMES = [game.slug for game in all_games()]


def finished_match(user, game, **table):
    """A match of two deals or more that `user` has played against bots to its end, in the short format."""
    rules = get_rules(game)
    seats = table.get("seats", rules.default_seats)
    options = rules.usual_options(seats, rules.formats[0])
    usual = {"seats": seats, "options": options, "bots": seats - 1, "speed": "untimed", "listed": False}
    match = Match.objects.get(code=play_on(opening.open_table(user, game, **usual | table)).code)
    return match if match.deal_count > 1 else finished_match(user, game, **table)


@pytest.fixture
def played(ana):
    """Ana’s finished match of Oh Hell."""
    return finished_match(ana, "oh-hell")
