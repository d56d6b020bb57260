"""A club of Ana's with Boris in it; Vera and Goran are strangers."""

import pytest

from games.clubs import joining, playing
from games.play import seating
from tests.matches import play_on

TABLE = {
    "game": "oh-hell",
    "seats": 3,
    "options": {"game_style": "short-up"},
    "terms": {"speed": "untimed"},
}


@pytest.fixture
def club(ana, boris):
    founded = joining.found(ana, "Card Corner", "We play on Fridays.")
    joining.join(boris, founded.invitation)
    return founded


@pytest.fixture
def way(club, ana):
    return playing.add_preset(member(club, ana), "Friday", TABLE)


@pytest.fixture
def table(way, ana):
    """The Snapshot of a table of the club's that waits, with Ana as its host."""
    return playing.open_preset(ana, preset=way)


@pytest.fixture
def play(way):
    """A function: a match at a table of the club's among these and bots, to its end."""

    def played(host, *others):
        opened = playing.open_preset(host, preset=way)
        for other in others:
            opened = seating.sit_down(other, opened.code)
        return play_on(opened if opened.status == "playing" else seating.start_match(host, opened.code))

    return played


def member(club, user):
    return club.memberships.select_related("club", "user").get(user=user)
