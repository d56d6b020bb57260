"""Shuffles checked after the match: by the module, the command and the page."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.history.verification import verify
from games.kit import shuffle
from games.models import Match, Move
from tests import opening

pytestmark = pytest.mark.django_db
DOCS = Path(__file__).parents[2] / "docs"


def swap_first_cards(match, number):
    """Exchange the first two cards of a stored deck."""
    deal = match.moves.filter(seat=None).order_by("index")[number - 1]
    first, second, *rest = deal.move["deck"]
    Move.objects.filter(pk=deal.pk).update(move={"type": "deal", "deck": [second, first, *rest]})


def wrong_decks(found):
    return [number for number, ok in found.decks.items() if not ok]


def data_of(client, match):
    page = client.get(f"/matches/{match.code}/shuffle/").content.decode()
    return json.loads(re.search(r'<script id="shuffle-data" type="application/json">(.*?)</script>', page)[1])


def test_finished_match_is_verified(match):
    found = verify(match)

    assert found.ok
    assert (found.commitments, found.lot) == (True, True)
    assert found.decks == dict.fromkeys(range(1, 11), True)


def test_changed_deck_is_found_though_it_makes_later_moves_illegal(match):
    swap_first_cards(match, 3)

    assert 3 in wrong_decks(verify(match))
    assert not {1, 2}.intersection(wrong_decks(verify(match)))


@pytest.mark.parametrize("seed", ["ab" * 32, "no hex at all", "ab"])
def test_changed_seed_is_found(match, seed):
    match.seed = seed

    found = verify(match)

    assert not found.commitments
    assert wrong_decks(found) == list(range(1, 11))


@pytest.mark.parametrize("hashed", [False, True])
def test_changed_entropy_is_found(match, hashed):
    entropy = "be" * 32
    match.seats.filter(place=1).update(entropy=entropy, entropy_hash=shuffle.commitment(entropy) if hashed else "")

    found = verify(match)

    assert found.commitments is hashed
    assert wrong_decks(found) == list(range(1, 11))


def test_changed_seats_are_found(match):
    match.seats.filter(number=0).update(number=None)
    match.seats.filter(number=1).update(number=0)
    match.seats.filter(number=None).update(number=1)

    found = verify(match)

    assert (found.commitments, found.lot, wrong_decks(found)) == (True, False, [])


# The command


def test_command_says_that_all_is_verified(match, capsys):
    call_command("verify_shuffle", match.code)

    assert "all 10 decks" in capsys.readouterr().out


def test_command_fails_on_a_changed_deck_and_names_it(match):
    swap_first_cards(match, 10)

    with pytest.raises(CommandError, match="deck 10 differs"):
        call_command("verify_shuffle", match.code)


def test_command_fails_on_a_changed_seed(match):
    Match.objects.update(seed="ab" * 32)

    with pytest.raises(CommandError, match="the seed, or the contribution of a browser, does not match its promise"):
        call_command("verify_shuffle", match.code)


def test_command_fails_on_a_running_match_and_an_unknown_code(started):
    with pytest.raises(CommandError, match="when it is over"):
        call_command("verify_shuffle", started.code)
    with pytest.raises(CommandError, match="There is no match nothere2"):
        call_command("verify_shuffle", "nothere2")


# The page


def test_page_of_a_running_match_shows_the_promise_and_not_the_seed(client, started):
    match = Match.objects.get(code=started.code)

    page = client.get(f"/matches/{match.code}/shuffle/").content.decode()

    assert match.seed_hash in page
    assert match.seed not in page
    assert "shuffle-data" not in page
    assert '"deck"' not in page


def test_page_of_an_open_table_shows_what_the_players_added(client, ana):
    entropy_hash = shuffle.commitment("c0" * 32)
    opened = opening.open_table(ana, "oh-hell", seats=4, entropy_hash=entropy_hash, bots=2)

    page = client.get(f"/matches/{opened.code}/shuffle/").content.decode()

    assert opened.seed_hash in page
    assert opened.seed not in page
    assert page.count(entropy_hash) == 1
    assert page.count("still to come") == 1
    assert page.count("none: a bot") == 2
    assert page.count("not yet") == 3


def test_page_of_a_finished_match_holds_all_that_a_checker_needs(client, match):
    data = data_of(client, match)

    assert shuffle.commitment(data["seed"]) == data["seed_hash"]
    shuffles = shuffle.Shuffles(data["seed"], tuple(data["entropies"]))
    assert [deal["number"] for deal in data["deals"]] == list(range(1, 11))
    for deal in data["deals"]:
        assert shuffles.deck(deal["pack"], deal["number"]) == deal["deck"]
    assert shuffles.seats(data["teams"]) == data["seats"]


def test_program_on_the_page_gives_the_decks(client, match):
    page = client.get(f"/matches/{match.code}/shuffle/").content.decode()
    program = re.search(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.DOTALL)[1]
    program = program.replace("&lt;", "<").replace("&#x27;", "'").replace("&quot;", '"')
    data = data_of(client, match)

    names = {}
    exec(program, names)  # the page promises that it can be run

    assert len(data["deals"]) == 10
    for deal in data["deals"]:
        made = names["shuffled"](deal["pack"], data["seed"], deal["number"], data["entropies"])
        assert made == deal["deck"]


def test_page_of_a_match_without_a_seed_says_so(client, match):
    Match.objects.update(seed="", seed_hash="", shuffle_code="")

    page = client.get(f"/matches/{match.code}/shuffle/").content.decode()

    assert "The seed of this match is not known here" in page
    assert "shuffle-data" not in page
