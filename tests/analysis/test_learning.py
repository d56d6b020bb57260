"""Mistakes to try again: whose they are, which answers count, what is kept of it, what is shown."""

import json
import re
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.export import all_exports
from accounts.models import User
from games.analysis import learning
from games.analysis.models import Analysis, SolvedMistake, Verdict
from games.catalog import get_game
from games.history.replay import Replay
from games.models import Match, Move
from tests import opening
from tests.analysis.mistakes import analyse, moves_of, option
from tests.matches import play_on

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def match(ana):
    """One that Ana has played by chance, against three bots."""
    rng = Random(5)
    opened = opening.open_table(
        ana, "oh-hell", seats=4, bots=3, options={"game_style": "short-down"}, seed="ab" * 32, speed="untimed"
    )
    return Match.objects.get(pk=play_on(opened, lambda table: rng.choice(table.rules.legal_moves(table.state))).pk)


@pytest.fixture
def seat(match, ana):
    return match.seats.get(user=ana).number


def page_of(match):
    return reverse("learn_match", args=[match.code])


def answer(client, verdict, move, address=None, **headers):
    match = verdict.analysis.match
    fields = {"of": match.code, "at": verdict.move, "seen": verdict.move, "move": json.dumps(move)}
    return client.post(address or page_of(match), fields, headers=headers)


def test_own_mistakes_come_first_by_what_they_cost(match, seat, ana, boris):
    light, heavy, medium = analyse(match, seat, 2.5, 7.0, 4.0)
    bots = (seat + 1) % 4
    Verdict.objects.create(
        analysis=light.analysis,
        move=light.move + 1,
        seat=bots,
        mark="blunder",
        lost=9.0,
        known=[],
        opened=[],
        exact=False,
    )

    assert [each.verdict for each in learning.mistakes_in(ana, match)] == [heavy.pk, medium.pk, light.pk]
    assert learning.mistakes_in(boris, match) == []


@pytest.mark.parametrize("status", [Analysis.Status.RUNNING, Analysis.Status.FAILED])
def test_an_analysis_counts_once_it_is_done(match, seat, ana, status):
    analyse(match, seat, 4.0, status=status)

    assert learning.mistakes_in(ana, match) == learning.recent_mistakes(ana) == []


def test_moves_of_a_stand_in_are_nobodys_mistakes(match, seat, ana):
    first, second = analyse(match, seat, 4.0, 3.0)
    Move.objects.filter(match=match, index=first.move).update(actor=Move.Actor.STAND_IN)

    assert [each.verdict for each in learning.mistakes_in(ana, match)] == [second.pk]


@pytest.mark.parametrize("mark", ["", "good"])
def test_what_is_no_mistake_is_not_tried_again(match, seat, ana, mark):
    (row,) = analyse(match, seat, 4.0)
    Verdict.objects.filter(pk=row.pk).update(mark=mark)

    assert learning.mistakes_in(ana, match) == []


def test_a_better_move_solves_it_and_a_reload_knows(as_ana, match, seat, ana):
    first, second = analyse(match, seat, 7.0, 4.0)
    _, fine, _ = moves_of(first)

    page = answer(as_ana, first, fine)

    assert page.status_code == 200
    assert "1 of 2 positions solved" in page.content.decode()
    assert f"at={second.move}" in page.content.decode()  # the next one
    assert SolvedMistake.objects.get().verdict == first
    again = as_ana.get(page_of(match))
    assert "1 of 2 positions solved" in again.content.decode()
    assert again.context["at"] == second.move
    answer(as_ana, first, fine)
    assert SolvedMistake.objects.count() == 1


def test_a_bad_move_says_what_it_loses_and_may_be_tried_again(as_ana, match, seat):
    (row,) = analyse(match, seat, 8.0)
    played, _, half = moves_of(row)

    for move, lost in ((played, "8"), (half, "4")):
        page = answer(as_ana, row, move).content.decode()
        assert re.search(rf"would lose {lost}(\.0)? points. Try again", page)
        assert 'form="play"' in page
    assert not SolvedMistake.objects.exists()


def test_a_move_that_was_not_compared_is_not_among_the_best(as_ana, match, seat):
    (row,) = analyse(match, seat, 8.0)
    replay = Replay(match)
    puzzle = learning.Puzzle(replay, row)
    others = [move for move in puzzle.moves if move not in moves_of(row) and puzzle.try_move(move).lost is None]
    assert others

    page = answer(as_ana, row, others[0])

    assert "not among the best moves" in page.content.decode()
    assert not SolvedMistake.objects.exists()


def test_a_card_that_equals_the_best_one_is_right(match, seat, ana):
    """At each decision between cards: each of some equal ones is worth what the one that was compared is worth."""
    replay = Replay(match)
    analyst = get_game(match.game).analyst
    analysis = Analysis.objects.create(match=match, status=Analysis.Status.DONE)
    equals = 0
    for step in replay.steps[1:]:
        state = replay.steps[step.index - 1].state
        moves = replay.rules.legal_moves(state)
        if step.seat != seat or step.move["type"] != "play" or len(moves) < 3:
            continue
        table = replay.rules.view(state, seat)
        tried = [
            step.move,
            *(each for each in analyst.candidates(table, moves, step.move, step.move) if each != step.move),
        ]
        if len(tried) < 2:
            continue
        known = [option(move, 3.0 * place) for place, move in enumerate(tried)]
        row = Verdict(
            analysis=analysis, move=step.index, seat=seat, lost=known[-1][4], known=known, opened=known, exact=False
        )
        puzzle = learning.Puzzle(replay, row)
        for move in moves:
            group = analyst.candidates(table, moves, move, step.move)
            replaced = [each for each in tried[1:] if each not in group]
            trial = puzzle.try_move(move)
            if move in tried:
                assert trial.lost == row.lost - 3.0 * tried.index(move)
            elif replaced:
                equals += 1
                assert trial.lost == row.lost - 3.0 * tried.index(replaced[0])
    assert equals


def test_an_illegal_move_is_refused_with_the_sentence_of_the_rules(as_ana, match, seat):
    (row,) = analyse(match, seat, 8.0)

    for move in ({"type": "play", "card": "XX"}, {"type": "bid", "tricks": 99}, {}):
        page = answer(as_ana, row, move)
        assert page.status_code == 400
        assert page.context["message"]
        assert 'form="play"' in page.content.decode()
    assert as_ana.post(page_of(match), {"of": match.code, "at": row.move, "move": "["}).status_code == 400
    assert as_ana.post(page_of(match)).status_code == 404
    assert not SolvedMistake.objects.exists()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_positions_that_are_not_the_readers_are_refused(client, as_ana, match, seat, boris, headers):
    (row,) = analyse(match, seat, 8.0)
    _, fine, _ = moves_of(row)

    for fields in ({"of": match.code, "at": row.move + 1}, {"of": "nothere", "at": row.move}, {"at": "x"}):
        page = as_ana.get(page_of(match), fields, headers=headers)
        assert page.status_code == 404
        assert "none of your mistakes" in page.content.decode()
    client.force_login(boris)
    assert client.get(page_of(match), headers=headers).status_code == 403
    assert answer(client, row, fine, **headers).status_code == 403
    assert answer(client, row, fine, reverse("learn"), **headers).status_code == 404
    assert not SolvedMistake.objects.exists()


def test_an_analysis_that_was_deleted_meanwhile_is_said_to_be_gone(as_ana, match, seat, ana):
    (row,) = analyse(match, seat, 8.0)
    _, fine, _ = moves_of(row)
    mistakes = learning.mistakes_in(ana, match)
    Analysis.objects.all().delete()

    page = answer(as_ana, row, fine)

    assert page.status_code == 404
    assert "was deleted" in page.content.decode()
    for late in (lambda: learning.open_puzzle(ana, mistakes[0]), lambda: learning.solve(ana, mistakes, mistakes[0])):
        with pytest.raises(learning.Gone):
            late()


def test_no_page_of_a_puzzle_has_cards_that_the_seat_did_not_see(as_ana, match, seat):
    rows = analyse(match, seat, 9.0, 8.0, 7.0, 6.0)
    replay = Replay(match)

    for row in rows:
        state = replay.steps[row.move - 1].state
        played, fine, half = moves_of(row)
        hidden = replay.rules.hidden_from(state, seat)
        assert hidden
        pages = [
            as_ana.get(page_of(match), {"of": match.code, "at": row.move, "show": show})
            for show in ("", "hint", "answer")
        ]
        pages += [answer(as_ana, row, move) for move in (played, half, fine)]
        for page in pages:
            assert page.status_code == 200
            cards = set(re.findall(r'(?:data-card="|id="card-)(\w+)"', page.content.decode()))
            assert cards >= set(replay.rules.view(state, seat)["hand"])
            assert hidden.isdisjoint(cards)


def test_a_hint_keeps_the_move_and_the_answer_names_it(as_ana, match, seat):
    (row,) = analyse(match, seat, 8.0)
    query = {"of": match.code, "at": row.move}

    hint = as_ana.get(page_of(match), query | {"show": "hint"}).content.decode()
    revealed = as_ana.get(page_of(match), query | {"show": "answer"}).content.decode()

    advice = get_game(match.game).coach.advice(moves_of(row)[1])
    assert advice in revealed
    assert 'id="play"' not in revealed
    assert 'id="play"' in hint
    assert not SolvedMistake.objects.exists()


def test_the_last_matches_are_one_exercise(as_ana, ana, match, seat, monkeypatch):
    first = analyse(match, seat, 4.0)[0]
    rng = Random(6)
    opened = opening.open_table(
        ana, "oh-hell", seats=4, bots=3, options={"game_style": "short-down"}, seed="cd" * 32, speed="untimed"
    )
    other = Match.objects.get(pk=play_on(opened, lambda table: rng.choice(table.rules.legal_moves(table.state))).pk)
    second = analyse(other, other.seats.get(user=ana).number, 6.0)[0]

    page = as_ana.get(reverse("learn"))

    assert page.context["at"] == second.move
    assert page.context["next"] == f"?of={match.code}&at={first.move}"
    assert "0 of 2 positions solved" in page.content.decode()
    answer(as_ana, second, moves_of(second)[1], reverse("learn"))
    assert as_ana.get(reverse("learn")).context["of"] == match
    answer(as_ana, first, moves_of(first)[1], reverse("learn"))
    assert "All solved" in as_ana.get(reverse("learn")).content.decode()
    monkeypatch.setattr(learning, "LAST_MATCHES", 1)
    assert [each.verdict for each in learning.recent_mistakes(ana)] == [second.pk]


def test_a_match_of_rules_that_are_not_here_is_left_out_of_the_last_ones(as_ana, ana, match, seat):
    analyse(match, seat, 4.0)
    Match.objects.filter(pk=match.pk).update(rules_version=99)

    assert learning.recent_mistakes(ana) == []
    assert as_ana.get(reverse("learn")).status_code == 200
    assert as_ana.get(page_of(match)).status_code == 409


def test_without_mistakes_the_page_says_what_to_do(as_ana, match):
    assert "no mistakes of yours" in as_ana.get(page_of(match)).content.decode()
    assert "Have a match analysed" in as_ana.get(reverse("learn")).content.decode()


def test_the_analysis_leads_to_the_mistakes_of_its_reader(client, as_ana, match, seat, boris):
    analyse(match, seat, 4.0)

    assert page_of(match) in as_ana.get(reverse("analysis", args=[match.code])).content.decode()
    client.force_login(boris)
    assert page_of(match) not in client.get(reverse("analysis", args=[match.code])).content.decode()
    client.logout()
    assert page_of(match) not in client.get(reverse("analysis", args=[match.code])).content.decode()


def test_the_queries_do_not_grow_with_the_mistakes(as_ana, match, seat):
    rows = analyse(match, seat, 9.0, 8.0, 7.0, 6.0)
    as_ana.get(page_of(match))
    counts = []
    for left in (4, 1):
        Verdict.objects.filter(pk__in=[row.pk for row in rows[left:]]).delete()
        with CaptureQueriesContext(connection) as asked:
            assert as_ana.get(page_of(match)).status_code == 200
        counts.append(len(asked))

    assert counts[0] == counts[1]


def test_solved_mistakes_are_exported_and_go_with_the_account(as_ana, match, seat, ana):
    (row,) = analyse(match, seat, 8.0)
    answer(as_ana, row, moves_of(row)[1])
    export = next(each for each in all_exports() if each.name == "solved_mistakes")

    (document,) = export.documents(ana)

    assert (document["match"], document["move"]) == (match.code, row.move)
    assert export.count(ana) == 1
    assert User.objects.filter(export.is_owner(document["solved_at"])).get() == ana
    ana.delete()
    assert not SolvedMistake.objects.exists()
