"""Moves of bots that people find odd: noted, listed for the host, exported as positions."""

import json
import re
from html import escape, unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.archive import pieces
from accounts.models import User
from games.catalog import get_rules
from games.history.replay import Replay
from games.models import Match, OddPlay

pytestmark = pytest.mark.django_db


@pytest.fixture
def move(match):
    """The index of a bot's move in the middle of the match."""
    return Replay(match).bot_moves[40]


def odd(match, move):
    return f"{reverse('odd', args=[match.code])}?move={move}"


def test_it_is_noted_from_the_replay_to_which_it_leads_back(as_ana, match, move, ana):
    address = f"{reverse('replay', args=[match.code])}?move={move}&seat=2&open=1"
    replay = as_ana.get(address).content.decode()
    (ask,) = re.findall(r'id="odd"\s+href="([^"]+)"', replay)
    page = as_ana.get(unescape(ask)).content.decode()
    (send,) = re.findall(r'method="post" action="([^"]+odd[^"]+)"', page)
    for note in ("It threw away the ace.", "It threw the ace away."):
        answer = as_ana.post(unescape(send), {"note": note})

    assert f'href="{escape(address)}">Back to the replay' in page
    assert answer.url == address
    assert list(OddPlay.objects.values_list("user", "index", "note")) == [(ana.pk, move, "It threw the ace away.")]


def test_visitors_are_not_asked(client, match, move):
    assert "odd" not in client.get(f"{reverse('replay', args=[match.code])}?move={move}").content.decode()
    assert reverse("account_login") in client.post(odd(match, move)).url


@pytest.mark.parametrize("there", ["0", "9999", "", "x"])
def test_only_moves_of_bots_are(as_ana, match, there):
    assert as_ana.get(odd(match, there)).status_code == 400
    assert as_ana.post(odd(match, there)).status_code == 400
    assert not OddPlay.objects.exists()


def test_nothing_is_said_of_bots_before_the_end(as_ana, match, move):
    Match.objects.filter(pk=match.pk).update(status="playing")

    answers = [as_ana.get(odd(match, move)), as_ana.post(odd(match, move))]
    assert [answer.status_code for answer in answers] == [400, 400]
    assert "odd" not in as_ana.get(f"{reverse('replay', args=[match.code])}?move={move}").content.decode()


@pytest.mark.parametrize("note", ["x" * 301, "a\0b"])
def test_notes_that_cannot_be_stored_are_refused(as_ana, match, move, note):
    answer = as_ana.post(odd(match, move), {"note": note})

    assert answer.status_code == 400
    assert 'name="note"' in answer.content.decode()
    assert not OddPlay.objects.exists()


def test_it_is_exported_as_the_bot_saw_it(as_ana, match, move):
    as_ana.post(odd(match, move), {"note": "Why?"})
    printed = StringIO()

    call_command("odd_plays", stdout=printed)

    document = json.loads(printed.getvalue())
    rules, stored = get_rules("oh-hell"), match.moves.get(index=move)
    assert (document["match"], document["index"], document["note"]) == (match.code, move, "Why?")
    assert document["view"]["seat"] == stored.seat
    assert document["move"] == stored.move
    assert document["move"] in document["moves"]
    assert (document["game"], document["version"]) == ("oh-hell", rules.version)


def test_the_host_finds_it(as_ana, match, move, ana):
    User.objects.filter(pk=ana.pk).update(is_staff=True, is_superuser=True)
    as_ana.post(odd(match, move), {"note": "Why?"})

    page = as_ana.get(reverse("admin:games_oddplay_changelist")).content.decode()

    assert f"{reverse('replay', args=[match.code])}?move={move}&amp;open=1" in page
    assert "Why?" in page


def test_it_is_among_what_is_stored_of_who_said_so(as_ana, match, move, ana):
    as_ana.post(odd(match, move), {"note": "Why is that?"})

    assert b"odd_plays.jsonl" in b"".join(pieces(ana, "here"))
