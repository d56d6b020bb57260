"""A match that is promised on the page with its form: with the form the share comes, and the cards are dealt."""

import json
import time

import pytest
from django.core.management import CommandError, call_command

from games.catalog import all_games
from games.history.verification import verification_data, verify
from games.kit.shuffle import commitment
from games.models import Match
from games.play import promises, seating, store
from games.play.errors import Refused
from games.play.opening import once, quick_play
from games.play.origins import SeatRequest
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db

SHARE = "a1" * 32
QUICK = [(game.slug, chosen.slug) for game in all_games() for chosen in game.newest.formats]


def noted(promised, game="oh-hell", length="short", share=SHARE):
    """What a browser notes of a match that was promised."""
    table = opening.promised_tables(game)[length]
    others = [""] * (len(table["teams"]) - 1)
    fixed = {"scheme": "valat-shuffle-2", "seedHash": promised.seed_hash, "hashes": [commitment(share), *others]}
    return json.loads(json.dumps(fixed | table | {"place": 0}))


def play(user, promised, *, game="oh-hell", length="short", share=SHARE, form_key="", **changed):
    told = promises.Told(promised.token, noted(promised, game, length, share) | changed, share)
    return opening.quick_play(user, game, length=length, entropy_hash=commitment(share), told=told, form_key=form_key)


@pytest.mark.parametrize("game, length", QUICK)
def test_cards_are_dealt_at_once_as_they_were_promised(ana, game, length):
    promised = promises.new_promise()

    dealt = play(ana, promised, game=game, length=length)

    assert (dealt.code, dealt.status) == (promised.code, "playing")
    assert promised.seed_hash == dealt.seed_hash == commitment(dealt.seed)
    assert dealt.shuffles.entropies[0] == SHARE
    rules = dealt.rules
    [pack] = rules.legal_moves(rules.new_match(dealt.seat_count, dealt.options))
    [(_, dealing, *_), *_] = store.read_moves(Match.objects.get())
    assert dealing["deck"] == dealt.shuffles.deck(pack["deck"], 1)


def test_a_match_that_was_promised_is_found_to_be_as_it_was_noted(ana):
    promised = promises.new_promise()
    over = play_on(play(ana, promised, game="belot"))
    match = Match.objects.get(code=over.code)

    found, note = verification_data(match), noted(promised, "belot")
    assert verify(match).ok
    assert found["entropies"] == [SHARE, "", "", ""]
    assert (found["seed_hash"], found["entropy_hashes"], found["dealing"]) == (
        promised.seed_hash,
        note["hashes"],
        note["dealing"],
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"scheme": "valat-shuffle-1"},
        {"seedHash": "0" * 64},
        {"hashes": [commitment(SHARE), commitment("b2" * 32), "", ""]},
        {"teams": [0, 1, 0, 1]},
        {"dealing": {}},
        {"place": 1},
    ],
)
def test_no_match_is_dealt_but_the_one_that_was_noted(ana, changed):
    with pytest.raises(Refused, match="out of date"):
        play(ana, promises.new_promise(), **changed)

    assert not Match.objects.exists()


@pytest.mark.parametrize("noted", [None, [], "promise", {}])
def test_whoever_notes_nothing_that_can_be_read_is_refused(ana, noted):
    told = promises.Told(promises.new_promise().token, noted, SHARE)

    with pytest.raises(Refused):
        opening.quick_play(ana, "oh-hell", entropy_hash=commitment(SHARE), told=told)

    assert not Match.objects.exists()


def test_no_share_is_taken_but_the_one_that_was_committed_to(ana):
    promised = promises.new_promise()
    told = promises.Told(promised.token, noted(promised), "b2" * 32)

    with pytest.raises(Refused):
        opening.quick_play(ana, "oh-hell", length="short", entropy_hash=commitment(SHARE), told=told)


def test_a_promise_is_kept_once_so_that_nobody_plays_twice_with_a_seed(ana, boris):
    promised = promises.new_promise()
    dealt = play(ana, promised)
    seating.leave_match(ana, dealt.code)

    for user, share in [(ana, SHARE), (ana, "b2" * 32), (boris, SHARE)]:
        with pytest.raises(Refused, match="out of date"):
            play(user, promised, share=share)

    assert Match.objects.count() == 1


def test_a_form_that_comes_again_leads_to_the_match_that_was_dealt(ana):
    promised = promises.new_promise()
    told = promises.Told(promised.token, noted(promised), SHARE)
    seat = SeatRequest(form_key="form", entropy_hash=commitment(SHARE), told=told)

    first, again = (once(ana, quick_play, seat, game="oh-hell", length="short") for _ in range(2))

    assert (first.code, first.revision) == (again.code, again.revision)


def test_a_promise_is_not_kept_for_ever(ana, monkeypatch):
    promised = promises.new_promise()
    later = time.time() + promises.LASTS + 5
    monkeypatch.setattr(time, "time", lambda: later)

    with pytest.raises(Refused, match="out of date"):
        play(ana, promised)


def test_a_closed_table_is_kept_for_longer_than_its_promise():
    with pytest.raises(CommandError):
        call_command("tidy", days=0)

    assert promises.LASTS < 24 * 3600


def test_a_token_of_somebody_elses_making_promises_nothing(ana, settings):
    promised = promises.new_promise()
    forged = promised._replace(token=promised.token.replace(promised.code, "aaaa2222"))
    with pytest.raises(Refused):
        play(ana, forged)

    settings.SECRET_KEY = "another key of this site"
    with pytest.raises(Refused):
        play(ana, promised)


def test_the_seed_follows_from_the_key_of_the_site_and_from_the_token(settings):
    texts = ["aaaa2222.one", "aaaa2222.two", "bbbb2222.one"]
    seeds = [promises._seed(text) for text in texts]
    settings.SECRET_KEY = "another key of this site"

    assert len({*seeds, *map(promises._seed, texts)}) == 6
