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
from games.play.opening import open_once, quick_play
from games.play.origins import SeatRequest
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db

SHARE = "a1" * 32
QUICK = [(game.slug, chosen.slug) for game in all_games() for chosen in game.newest.formats]


def noted(promise, game="oh-hell", length="short", share=SHARE):
    """What a browser notes of a match that was promised."""
    table = opening.promised_tables(game)[length]
    others = [""] * (len(table["teams"]) - 1)
    fixed = {"scheme": "valat-shuffle-2", "seedHash": promise.seed_hash, "hashes": [commitment(share), *others]}
    return json.loads(json.dumps(fixed | table | {"place": 0}))


def play(user, promise, *, game="oh-hell", length="short", share=SHARE, form_key="", **changed):
    reply = promises.PromiseReply(promise.token, noted(promise, game, length, share) | changed, share)
    return opening.quick_play(
        user, game, length=length, entropy_hash=commitment(share), promise=reply, form_key=form_key
    )


@pytest.mark.parametrize("game, length", QUICK)
def test_cards_are_dealt_at_once_as_they_were_promised(ana, game, length):
    promise = promises.new_promise()

    dealt = play(ana, promise, game=game, length=length)

    assert (dealt.code, dealt.status) == (promise.code, "playing")
    assert promise.seed_hash == dealt.seed_hash == commitment(dealt.seed)
    assert dealt.shuffles.entropies[0] == SHARE
    rules = dealt.rules
    [pack] = rules.legal_moves(rules.new_match(dealt.seat_count, dealt.options))
    [(_, dealing, *_), *_] = store.read_moves(Match.objects.get())
    assert dealing["deck"] == dealt.shuffles.deck(pack["deck"], 1)


def test_a_match_that_was_promised_is_found_to_be_as_it_was_noted(ana):
    promise = promises.new_promise()
    over = play_on(play(ana, promise, game="belot"))
    match = Match.objects.get(code=over.code)

    found, note = verification_data(match), noted(promise, "belot")
    assert verify(match).ok
    assert found["entropies"] == [SHARE, "", "", ""]
    assert (found["seed_hash"], found["entropy_hashes"], found["dealing"]) == (
        promise.seed_hash,
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
    reply = promises.PromiseReply(promises.new_promise().token, noted, SHARE)

    with pytest.raises(Refused):
        opening.quick_play(ana, "oh-hell", entropy_hash=commitment(SHARE), promise=reply)

    assert not Match.objects.exists()


def test_no_share_is_taken_but_the_one_that_was_committed_to(ana):
    promise = promises.new_promise()
    reply = promises.PromiseReply(promise.token, noted(promise), "b2" * 32)

    with pytest.raises(Refused):
        opening.quick_play(ana, "oh-hell", length="short", entropy_hash=commitment(SHARE), promise=reply)


def test_a_promise_is_kept_once_so_that_nobody_plays_twice_with_a_seed(ana, boris):
    promise = promises.new_promise()
    dealt = play(ana, promise)
    seating.leave_match(ana, dealt.code)

    for user, share in [(ana, SHARE), (ana, "b2" * 32), (boris, SHARE)]:
        with pytest.raises(Refused, match="out of date"):
            play(user, promise, share=share)

    assert Match.objects.count() == 1


def test_a_form_that_comes_again_leads_to_the_match_that_was_dealt(ana):
    promise = promises.new_promise()
    reply = promises.PromiseReply(promise.token, noted(promise), SHARE)
    seat = SeatRequest(form_key="form", entropy_hash=commitment(SHARE), promise=reply)

    first, again = (open_once(ana, quick_play, seat, game="oh-hell", length="short") for _ in range(2))

    assert (first.code, first.revision) == (again.code, again.revision)


def test_a_promise_is_not_kept_for_ever(ana, monkeypatch):
    promise = promises.new_promise()
    later = time.time() + promises.MAX_AGE + 5
    monkeypatch.setattr(time, "time", lambda: later)

    with pytest.raises(Refused, match="out of date"):
        play(ana, promise)


def test_a_closed_table_is_kept_for_longer_than_its_promise():
    with pytest.raises(CommandError):
        call_command("tidy", days=0)

    assert promises.MAX_AGE < 24 * 3600


def test_a_token_of_somebody_elses_making_promises_nothing(ana, settings):
    promise = promises.new_promise()
    forged = promise._replace(token=promise.token.replace(promise.code, "aaaa2222"))
    with pytest.raises(Refused):
        play(ana, forged)

    settings.SECRET_KEY = "another key of this site"
    with pytest.raises(Refused):
        play(ana, promise)


def test_the_seed_follows_from_the_key_of_the_site_and_from_the_token(settings):
    texts = ["aaaa2222.one", "aaaa2222.two", "bbbb2222.one"]
    seeds = [promises._seed(text) for text in texts]
    settings.SECRET_KEY = "another key of this site"

    assert len({*seeds, *map(promises._seed, texts)}) == 6
