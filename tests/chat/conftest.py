"""Friends, and people whom nobody slows down."""

import pytest

from accounts.people import ties


@pytest.fixture(autouse=True)
def _no_hurry(settings):
    """Tests say more in a moment than people may."""
    everything = dict.fromkeys(("talk", "message", "talk_new", "message_new", "report"), "1000/m/user")
    settings.RATE_LIMITS = settings.RATE_LIMITS | everything


@pytest.fixture
def befriend():
    """A function: each of these users is a friend of each other."""

    def make(*people):
        for place, one in enumerate(people):
            for other in people[:place]:
                ties.ask(one, other)
                ties.accept(other, one)

    return make
