"""Hints at the table, and why a bot moved as it did: who may ask, what is told, what is noted."""

from dataclasses import replace
from random import Random

import pytest
from django.urls import reverse

from games.bot_process import Answer
from games.catalog import CHANCE, all_games, get_bot, get_game
from games.history.folding import steps_of
from games.history.records import BadRecord, export_match, import_match
from games.models import Match, Move
from games.play import due, memory, seating, store, thinkers
from games.play.coach import offers_hints, question_for_hint
from tests import opening
from tests.history.test_formats import check, through_json
from tests.kit.playing import strings_in
from tests.matches import play_on
from tests.whist import GAME as WHIST

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

COACHED = [game.slug for game in all_games() if game.coach]
PANEL = {"HX-Request": "true"}


def alone_with_bots(user, game="oh-hell", **table):
    options = {"game_style": "short-down"} if game == "oh-hell" else {}
    asked = {"seats": 4, "bots": 3, "speed": "untimed", "seed": "ab" * 32, "options": options} | table
    return opening.open_table(user, game, **asked)


def at_turn(user, game="oh-hell", turn=1, **table):
    """A match against bots alone at some turn of the user's."""
    turns = []

    def is_turn(snapshot):
        if snapshot.to_act == snapshot.player_number(user.pk):
            turns.append(snapshot.move_count)
        return len(turns) == turn

    return play_on(alone_with_bots(user, game, **table), until=is_turn)


def hint(client, snapshot, seen=None, **headers):
    seen = snapshot.move_count if seen is None else seen
    return client.post(reverse("hint", args=[snapshot.code]), {"seen": seen}, headers=headers)


def why(client, snapshot, move, **headers):
    return client.get(f"{reverse('why', args=[snapshot.code])}?move={move}", headers=headers)


def hints_of(snapshot):
    return Match.objects.get(code=snapshot.code).hints


# Hints


@pytest.mark.parametrize("game", COACHED)
def test_a_hint_is_what_a_hard_bot_would_do_and_is_noted_once(as_ana, ana, game):
    snapshot = at_turn(ana, game, turn=3)
    question = question_for_hint(snapshot, ana.pk, snapshot.move_count)

    page = hint(as_ana, snapshot).text
    panel = hint(as_ana, snapshot, **PANEL).text

    chosen = get_bot(game, "hard").choose(question.table, question.moves, Random(question.seed))
    for text in (page, panel):
        assert get_game(game).coach.advice(chosen) in text
    assert ("<html" in page, "<html" in panel) == (True, False)
    assert hints_of(snapshot) == [{"index": snapshot.move_count, "seat": snapshot.to_act}]
    assert store.read(snapshot.code).revision == snapshot.revision  # nobody's table changes


@pytest.mark.parametrize("game", COACHED)
def test_a_hint_is_made_of_what_the_seat_sees(ana, game, rng):
    others = 0
    for turn in (1, 3, 5):
        snapshot = at_turn(ana, game, turn=turn, seed=f"{turn:02}" * 32)
        rules, view = snapshot.rules, snapshot.rules.view(snapshot.state, snapshot.to_act)
        question = question_for_hint(snapshot, ana.pk, snapshot.move_count)

        elsewhere = rules.sample(view, rng)
        other = question_for_hint(replace(snapshot, state=elsewhere, seed="cd" * 32), ana.pk, snapshot.move_count)

        assert rules.hidden_from(snapshot.state, snapshot.to_act)
        others += rules.dump(elsewhere) != rules.dump(snapshot.state)
        assert other == question
    assert others


def test_at_the_bid_it_says_what_the_hand_is_worth(as_ana, ana):
    snapshot = at_turn(ana)

    assert "tricks on average" in hint(as_ana, snapshot).text
    assert "hint-button" in as_ana.get(f"/matches/{snapshot.code}/").text


def refused_hint(client, snapshot, sentence, status=403, **asked):
    before = hints_of(snapshot)
    for headers in ({}, PANEL):
        answer = hint(client, snapshot, **asked, **headers)
        assert sentence in answer.text
        assert answer.status_code == status
    assert hints_of(snapshot) == before


def test_there_is_none_where_somebody_else_sits(as_ana, ana, boris):
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=1, speed="untimed", seed="ab" * 32)
    snapshot = seating.sit_down(boris, opened.code)
    snapshot = play_on(snapshot, until=lambda now: now.to_act == now.player_number(ana.pk))

    refused_hint(as_ana, snapshot, "Hints are only given when you play against bots alone")
    assert "hint-button" not in as_ana.get(f"/matches/{snapshot.code}/").text
    left = seating.leave_match(boris, snapshot.code)  # it was played against him as well
    refused_hint(as_ana, left, "Hints are only given when you play against bots alone")


def test_there_is_none_but_for_ones_own_turn(as_ana, client, ana, boris):
    snapshot = at_turn(ana)
    refused_hint(as_ana, snapshot, "The table has moved on", status=409, seen=snapshot.move_count - 1)
    moved_on = play_on(snapshot, until=lambda now: now.move_count > snapshot.move_count)
    refused_hint(as_ana, moved_on, "It isn’t your turn", status=400)
    client.force_login(boris)
    refused_hint(client, snapshot, "Hints are only for the players at this table.")
    client.logout()
    assert reverse("account_login") in hint(client, snapshot).url


def test_there_is_none_where_the_game_has_no_coach(as_ana, ana, whist):
    snapshot = at_turn(ana, WHIST.slug)

    assert not offers_hints(snapshot)
    refused_hint(as_ana, snapshot, "There is no coach for")


def test_there_is_none_when_the_table_has_moved_on_meanwhile(as_ana, ana, monkeypatch):
    snapshot = at_turn(ana)
    ask = thinkers.ask

    def slowly(question, owner):
        play_on(snapshot, until=lambda now: now.move_count > snapshot.move_count)
        return ask(question, owner)

    monkeypatch.setattr(thinkers, "ask", slowly)

    answer = hint(as_ana, snapshot)

    assert "The table has moved on" in answer.text
    assert answer.status_code == 409
    assert hints_of(snapshot) == []


def test_a_bot_that_fails_gives_none_and_leaves_no_mark(as_ana, ana, monkeypatch):
    monkeypatch.setattr("games.play.thinkers.think", lambda question: Answer(None, error="broken"))

    refused_hint(as_ana, at_turn(ana), "The coach couldn’t answer", status=503)


def test_hints_are_limited(as_ana, ana, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"coach": "1/m/user"}
    snapshot = at_turn(ana)

    assert [hint(as_ana, snapshot).status_code for _ in range(2)] == [200, 429]


# The mark


@pytest.fixture
def hinted(as_ana, ana):
    """A match played to its end, with a hint at Ana's second turn."""
    snapshot = at_turn(ana, turn=2)
    hint(as_ana, snapshot)
    memory.forget()
    return Match.objects.get(code=play_on(store.read(snapshot.code)).code)


def test_a_match_with_hints_says_so_everywhere(as_ana, ana, hinted):
    index = hinted.hints[0]["index"]

    assert "A hint was taken in this match." in as_ana.get(hinted.get_absolute_url()).text
    assert "with hints" in as_ana.get(reverse("my_matches")).text
    replay = reverse("replay", args=[hinted.code])
    assert "with a hint" in as_ana.get(f"{replay}?move={index}").text
    assert "with a hint" not in as_ana.get(f"{replay}?move={index - 1}").text
    assert "with hints" in as_ana.get(replay).text


def test_the_record_holds_the_hints(hinted):
    record = through_json(export_match(hinted))
    check(record)
    hinted.delete()

    assert record["hints"] == hinted.hints != []
    assert import_match(record).hints == hinted.hints


NO_HINTS = [
    "all",
    [1],
    [{"index": 0, "seat": 0}],  # a shuffle
    [{"index": 10**6, "seat": 0}],
    [{"index": True, "seat": 0}],
    [{"seat": 0}],
]


def test_a_record_whose_hints_are_no_players_moves_is_refused(hinted):
    record = through_json(export_match(hinted))

    for hints in (*NO_HINTS, 2 * record["hints"]):
        with pytest.raises(BadRecord, match="hints"):
            import_match(record | {"hints": hints})


# Why


def bots_moves(snapshot, deal=1):
    """The indexes of the moves of bots in a deal."""
    match = Match.objects.get(code=snapshot.code)
    in_deal = [step.index for step in steps_of(match, snapshot.rules) if step.deal == deal]
    return list(match.moves.filter(index__in=in_deal, actor=Move.Actor.BOT).values_list("index", flat=True))


def to_second_deal(user, game, choose=due.choose):
    return play_on(alone_with_bots(user, game), choose, until=lambda now: now.deal_count > 1 and now.to_act != CHANCE)


def test_why_tells_of_the_very_thought_that_the_bot_had(as_ana, ana):
    snapshot = to_second_deal(ana, "oh-hell")
    bid, *_, last = bots_moves(snapshot)
    card = bots_moves(snapshot)[4]

    for move in (bid, card, last):
        page = why(as_ana, snapshot, move).text
        assert "another edition" not in page
        assert "normal bot" in page
    assert "a bid of" in why(as_ana, snapshot, bid, **PANEL).text
    assert 'class="chosen"' in why(as_ana, snapshot, bid).text
    assert "deals of the" in why(as_ana, snapshot, card).text


def test_of_a_deal_that_goes_on_nothing_is_told(as_ana, client, ana):
    snapshot = at_turn(ana, turn=2)
    running = bots_moves(snapshot)

    for who in (as_ana, client):
        for move in running:
            answer = why(who, snapshot, move)
            assert answer.status_code == 403
            assert "once the hand has been scored" in answer.text
        assert "why/?move" not in who.get(f"{reverse('replay', args=[snapshot.code])}?move={running[0]}").text
        client.logout()


@pytest.mark.parametrize("game", COACHED)
def test_of_a_match_that_goes_on_no_unseen_card_is_told(as_ana, ana, game):
    """Whatever is told of an earlier deal, the bot's own cards have been seen by everybody."""
    snapshot = play_on(alone_with_bots(ana, game), until=lambda now: now.deal_count > 3 and now.to_act != CHANCE)
    steps = steps_of(Match.objects.get(code=snapshot.code), snapshot.rules)
    rules, told = snapshot.rules, 0

    for move in [index for deal in (1, 2, 3) for index in bots_moves(snapshot, deal)[::5]]:
        seen = set().union(*(strings_in(step.events) for step in steps if step.deal == steps[move].deal))
        if why(as_ana, snapshot, move).status_code == 200:
            told += 1
            before = steps[move - 1].state
            own = rules.hidden_from(before, None) - rules.hidden_from(before, steps[move].seat)
            assert own
            assert own <= seen
    assert told


def test_a_deal_that_was_passed_out_is_told_of_when_the_match_is_over(as_ana, ana):
    def passing(snapshot):
        moves = snapshot.rules.legal_moves(snapshot.state)
        return next((move for move in moves if move["type"] == "pass"), moves[0])

    snapshot = play_on(
        alone_with_bots(ana, "belot"), passing, until=lambda now: now.deal_count > 1 and now.to_act != CHANCE
    )

    assert why(as_ana, snapshot, bots_moves(snapshot)[0]).status_code == 403


@pytest.mark.parametrize(("move", "status"), [("", 400), ("x", 400), ("99999", 400), ("0", 400)])
def test_only_of_moves_of_bots_it_is_told(as_ana, finished, move, status):
    assert why(as_ana, finished, move).status_code == status


def test_of_a_finished_match_anybody_may_ask_from_the_replay(client, finished):
    move = bots_moves(finished)[1]

    page = client.get(f"{reverse('replay', args=[finished.code])}?move={move}").text
    address = f"{reverse('why', args=[finished.code])}?move={move}"

    assert f'href="{address}"' in page
    assert client.get(address).status_code == 200
    frames = client.get(f"{reverse('replay_frames', args=[finished.code])}?deal=1").text
    assert frames.count('id="why"') == len(bots_moves(finished))


def test_why_is_asked_at_the_table_of_the_last_deal(as_ana, ana):
    snapshot = to_second_deal(ana, "oh-hell")

    page = as_ana.get(reverse("last_deal", args=[snapshot.code])).text

    for move in bots_moves(snapshot):
        assert f"{reverse('why', args=[snapshot.code])}?move={move}" in page


def test_why_is_limited_and_waits_in_nobodys_way(client, finished, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"coach": "1/m/ip"}
    move = bots_moves(finished)[0]

    assert [why(client, finished, move).status_code for _ in range(2)] == [200, 429]
