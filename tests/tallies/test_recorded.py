"""Recorded matches of each game, entered deal by deal through the forms: the sheets are the same.

The matches are played by bots, so none is stored. docs/formats.md lists what an entry cannot know.
TALLIES=200 enters as many of each game.
"""

import os

import pytest

from games.tallies.files import document
from games.tallies.folding import sheet_of
from games.tallies.keeping import ledger_of
from games.tallies.models import Tally
from tests.tallies.conftest import NAMES, enter
from tests.tallies.recorded import ENTERED, GAMES, bids_by_trick, known, played

MATCHES = int(os.environ.get("TALLIES", "3"))  # per game
pytestmark = [pytest.mark.django_db, pytest.mark.whole]
WAYS = [*ENTERED.items(), ("bids", bids_by_trick)]


@pytest.mark.parametrize("slug, entered", WAYS, ids=[entered.__name__ for _, entered in WAYS])
def test_recorded_matches_give_the_same_sheet(slug, entered, begin, ana, client, whist, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"entry": "", "history": ""}
    client.force_login(ana)
    rules = GAMES[slug].newest
    for seed in range(MATCHES):
        seats, options, deals = played(slug, seed)
        tally = begin(slug, seats, **options)
        for state, events in deals:
            response = enter(client, tally, entered(seats, state, events))
            assert response.status_code == 302, (seed, response.context["error"], entered(seats, state, events))

        tally = Tally.objects.get(pk=tally.pk)
        setting, ledger = ledger_of(tally)
        final, _ = deals[-1]
        assert known(slug, seats, sheet_of(setting, ledger)) == known(slug, seats, rules.score_sheet(final))
        assert document(tally)["standings"] == rules.standings(final)
        results = {player.seat: (player.score, player.finish) for player in tally.players.all()}
        assert results == {line["seat"]: (line["score"], line["place"]) for line in rules.standings(final)}
        assert NAMES[0] in client.get(tally.get_absolute_url()).content.decode()
