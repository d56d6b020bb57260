"""Tables whose deals are opened once they are scored: nothing of the one that is played gets out."""

import re

import pytest

from games.catalog import CHANCE, all_games
from games.history.replay import Replay
from games.models import Match
from games.play import seating
from games.play.errors import NotAllowed
from tests import opening
from tests.history.test_formats import SHORTEST
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

CARDS = re.compile(r'data-card="([^"]+)"')
SHORT = {"game_style": "short-up"}


def opened(users, game="oh-hell", **table):
    """A match that has begun, of Ana, Boris and bots, whose deals are opened."""
    match = opening.open_table(users[0], game, **{"speed": "untimed", "open_deals": True} | table)
    match = seating.sit_down(users[1], match.code)
    return match if match.status == Match.Status.PLAYING else seating.start_match(users[0], match.code)


def scored_once(snapshot):
    """Whether one deal has been scored and the next is played."""
    replay = Replay(Match.objects.get(code=snapshot.code))
    return snapshot.to_act != CHANCE and len(replay.deals) == 2


def sent(client, code, query):
    return client.get(f"/matches/{code}/replay/frames/?{query}").text


@pytest.mark.whole
@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_at_no_move_of_a_match_is_a_hand_of_its_running_deal_shown(client, users, game, rng):
    # A match of Bleven for one crown may be over with its first round.
    match = opened(users, game, options=SHORTEST[game] | ({"crowns": 3} if game == "bleven" else {}))
    hidden_ones, shown = set(), 0

    def look(snapshot):
        nonlocal shown
        replay = Replay(Match.objects.get(code=snapshot.code))
        running = replay.deals[-1]
        if replay.is_scored(replay.steps[-1]):
            assert replay.is_open(running.first)
            shown += sent(client, snapshot.code, f"deal={running.number}&open=1").count('class="open-hands"')
            return False
        assert not any(map(replay.is_open, range(running.first, replay.last + 1)))
        if hidden_ones and rng.random() > 0.03:
            return False
        for user in (None, users[0]):
            client.logout()
            if user:
                client.force_login(user)
            hidden = snapshot.rules.hidden_from(snapshot.state, snapshot.player_number(user and user.pk))
            hidden_ones.update(hidden)
            text = sent(client, snapshot.code, f"deal={running.number}&open=1")
            latest = text[text.index(f'<template data-move="{replay.last}"') :]
            assert hidden.isdisjoint(CARDS.findall(latest))
            assert text.replace("&amp;open=1", "") == sent(client, snapshot.code, f"deal={running.number}")
        return False

    play_on(match, until=look)

    assert hidden_ones  # there was something to leak
    assert shown


def test_a_scored_deal_is_gone_through_with_open_cards_by_players_and_watchers(client, users):
    match = play_on(opened(users, seats=3, options=SHORT), until=scored_once)
    page = f"/matches/{match.code}/replay/"

    for user in (None, users[0], users[2]):
        if user:
            client.force_login(user)
        first = client.get(f"{page}?open=1")
        assert first.context["frame"]["move"] == 0
        assert [hand["name"] for hand in first.context["frame"]["hands"]].count("Ana") == 1
        assert len(set(CARDS.findall(str(first.context["frame"]["hands"])))) == 3
        assert "&amp;open=1" in first.text
        assert 'name="open"' in first.text
        assert "hands" not in client.get(f"{page}?deal=2&open=1").context["frame"]


@pytest.mark.parametrize("number", [None, 0, 2])
def test_without_that_option_nothing_is_opened(client, users, number):
    match = play_on(opened(users, seats=3, options=SHORT, open_deals=False), until=scored_once)
    if number is not None:
        client.force_login(users[number])

    for page in ("replay/?open=1", "replay/frames/?deal=1&open=1"):
        assert client.get(f"/matches/{match.code}/{page}").status_code == 403
    assert 'name="open"' not in client.get(f"/matches/{match.code}/replay/").text
    assert "open=1" not in client.get(f"/matches/{match.code}/sheet/").text


def test_who_may_not_watch_sees_no_opened_deal(client, users):
    match = play_on(opened(users, seats=3, options=SHORT, watching="off"), until=scored_once)

    assert client.get(f"/matches/{match.code}/replay/?open=1").status_code == 403
    client.force_login(users[0])
    assert client.get(f"/matches/{match.code}/replay/?open=1").status_code == 200


def test_of_a_match_that_was_given_up_only_its_players_see_them(client, users):
    match = play_on(opened(users, seats=3, options=SHORT), until=scored_once)
    Match.objects.filter(code=match.code).update(status=Match.Status.CLOSED, ended_at=match.turn_started_at)

    assert client.get(f"/matches/{match.code}/replay/?open=1").status_code == 403
    client.force_login(users[1])
    assert client.get(f"/matches/{match.code}/replay/?open=1").status_code == 200
    replay = Replay(Match.objects.get(code=match.code), users[1].pk)
    with pytest.raises(NotAllowed):
        replay.viewpoint(users[1].pk, seat=(replay.viewer + 1) % 3, open_cards=True)


def test_everybody_reads_of_it_before_they_sit_down_and_is_led_there_after_a_deal(client, users):
    waiting = opening.open_table(users[0], "oh-hell", seats=3, options=SHORT, speed="untimed", open_deals=True)
    assert "Open cards: players and watchers" in client.get(f"/matches/{waiting.code}/").text
    assert "open cards" in client.get("/").text
    seating.sit_down(users[1], waiting.code)
    begun = seating.start_match(users[0], waiting.code)
    client.force_login(users[0])
    link = f'href="/matches/{begun.code}/replay/?open=1"'
    assert link not in client.get(f"/matches/{begun.code}/").text

    scored = play_on(begun, until=lambda snapshot: snapshot.to_act == CHANCE and snapshot.move_count > 1)

    assert link in client.get(f"/matches/{begun.code}/").text
    assert link in client.get(f"/matches/{begun.code}/last/").text
    assert f"/matches/{begun.code}/replay/?deal=1&amp;open=1" in client.get(f"/matches/{scored.code}/sheet/").text
