"""Verdicts on decisions: against every line of play of the last tricks, the same twice, and never without a choice."""

import json
import os
import subprocess
import sys
from itertools import count
from random import Random
from statistics import mean

import pytest

from games.catalog import CHANCE, all_games, get_bot, get_game, get_rules
from games.kit.analysis import (
    BLUNDER,
    GOOD,
    SURE,
    Effort,
    Scale,
    Turn,
    Verdict,
    better_move,
    is_sure,
    judge,
    sure_loss,
    verdict_words,
)
from games.kit.search import Option
from games.kit.words import capital
from tests.kit.playing import played_on, random_options

pytestmark = pytest.mark.whole

ANALYSED = [game.slug for game in all_games() if game.analyst]
SCALE = Scale(inaccuracy=1.0, mistake=2.0, blunder=4.0)


def decisions(slug, number, seed):
    """So many (rules, state, move) of random matches in which the seat had a choice."""
    rng, rules, found = Random(seed), get_rules(slug), 0
    while found < number:
        seats = rng.choice(rules.seat_counts)
        for state, move, _ in played_on(rules, rules.new_match(seats, random_options(rules, seats, rng)), rng):
            if rules.to_act(state) in (None, CHANCE) or len(rules.legal_moves(state)) == 1 or rng.random() > 0.1:
                continue
            yield rules, state, move
            found += 1
            if found == number:
                return


def verdict_of(rules, state, move, seed=1, play_outs=40):
    return judge(get_game(rules.slug).analyst, Turn(rules, state, move), seed, play_outs)


# Marks


def test_losses_are_marked_by_their_size():
    marks = [SCALE.mark(lost) for lost in (0.0, 0.9, 1.0, 2.0, 3.9, 4.0)]

    assert marks == ["", "", "inaccuracy", "mistake", "mistake", "blunder"]


@pytest.mark.parametrize("gain, error, lost", [(5.0, 1.0, 5.0), (5.0, 5.0 / SURE, 0.0), (-1.0, 0.1, 0.0)])
def test_only_what_is_surely_lost_counts(gain, error, lost):
    options = [Option({}, 0.0, 0.0, 9, 0.0, 0.0), Option({}, gain, 1.0, 9, gain, error)]

    assert sure_loss(options) == lost


def test_play_outs_shrink_with_the_length_of_a_match_and_never_end():
    effort = Effort(match=1000, most=100, open=1)

    assert [effort.per_decision(decisions) for decisions in (0, 5, 20, 5000)] == [100, 100, 50, 1]


@pytest.mark.parametrize("slug", ANALYSED)
def test_verdicts_say_what_was_made_first_and_what_else_there_was(slug):
    for rules, state, move in decisions(slug, 40, 1):
        verdict = verdict_of(rules, state, move)
        if verdict is None:
            continue
        for options in (verdict.known, verdict.open):
            assert options[0].move == move
            assert options[0].gain == 0
            assert all(option.move in rules.legal_moves(state) for option in options)
            assert len(options) > 1
        assert verdict.lost in (0.0, *(option.gain for option in verdict.known if is_sure(option)))
        assert verdict.mark == GOOD or verdict.mark == get_game(slug).analyst.scale.mark(verdict.lost)
        words = verdict_words(get_game(slug).coach, verdict)
        assert all(words[key].endswith(".") and "{" not in words[key] for key in ("known", "open"))
        assert [row.chosen for row in words["known_rows"]].count(True) == 1


def figure_of(row):
    return float(row.worth.replace("\N{MINUS SIGN}", "-"))


@pytest.mark.parametrize("slug", ANALYSED)
def test_no_row_contradicts_its_sentence(slug):
    coach, sentences = get_game(slug).coach, set()
    for rules, state, move in decisions(slug, 120, 6):
        # With few play-outs many figures are vague, and many moves are dropped early.
        verdict = verdict_of(rules, state, move, play_outs=len(sentences) * 7 % 90 + 9)
        if verdict is None:
            continue
        words, better = verdict_words(coach, verdict), better_move(verdict)
        sentences |= {words["known"], words["open"]}
        for key in ("known", "open"):
            rows = words[f"{key}_rows"]
            (own,) = [figure_of(row) for row in rows if row.chosen]
            assert [figure_of(row) for row in rows] == sorted(map(figure_of, rows), reverse=True)
            assert "±" not in words[key]
            assert not any(row.error for row in rows)
            if figure_of(rows[0]) > own:
                top = capital(coach.name(better)) if key == "known" and better else rows[0].name
                assert rows[0].name == top
                assert top[1:] in words[key]
                assert "better" in words[key] or "brought" in words[key]
        if better:
            assert figure_of(words["known_rows"][0]) > min(map(figure_of, words["known_rows"]))
    assert len(sentences) > 100


def test_calls_that_the_bots_table_prefers_lose_nothing():
    calls = 0
    for rules, state, _ in decisions("belot", 60, 5):
        if state.phase == "bid":
            table, moves = rules.view(state, state.to_act), rules.legal_moves(state)
            preferred = get_bot("belot", "hard").choose(table, moves, Random(1))
            verdict = verdict_of(rules, state, preferred)
            assert verdict is None or not verdict.lost
            calls += 1
    assert calls > 5


@pytest.mark.parametrize("slug", ANALYSED)
def test_a_move_without_a_choice_has_no_verdict(slug):
    rng, rules = Random(2), get_rules(slug)
    forced = 0
    for state, move, _ in played_on(rules, rules.new_match(4, rules.usual_options(4)), rng):
        if rules.to_act(state) not in (None, CHANCE) and len(rules.legal_moves(state)) == 1:
            assert verdict_of(rules, state, move) is None
            forced += 1
    assert forced


@pytest.mark.parametrize("slug", ANALYSED)
def test_hidden_cards_change_nothing_of_what_could_be_known(slug):
    """Dealt anew in any way that fits the view, a decision keeps its mark."""
    rng = Random(3)
    for rules, state, move in decisions(slug, 15, 3):
        table = rules.view(state, rules.to_act(state))
        other = rules.sample(table, rng)

        one, two = (verdict_of(rules, each, move) for each in (state, other))

        assert (one and (one.mark, one.lost, one.known)) == (two and (two.mark, two.lost, two.known))


SAME = """
import json, sys
from tests.kit.test_analysis import ANALYSED, decisions, verdict_of
print(json.dumps([verdict_of(*each) for slug in ANALYSED for each in decisions(slug, 12, 4)]))
"""


def test_another_process_comes_to_the_same_verdicts():
    def verdicts(salt):
        known = {"PYTHONHASHSEED": salt, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        return subprocess.run(
            [sys.executable, "-c", SAME], env=os.environ | known, capture_output=True, text=True, check=True
        ).stdout

    one = verdicts("1")

    assert len(json.loads(one)) == 12 * len(ANALYSED)
    assert one == verdicts("2")


# The last four tricks, every line of play


def ending(slug, seats, rng, cards):
    """A random state in which so many cards are in all hands, somebody leads, and there is a choice."""
    rules = get_rules(slug)
    for _ in count():
        options = random_options(rules, seats, rng)
        for state, move, _ in played_on(rules, rules.new_match(seats, options), rng):
            if (
                getattr(state, "phase", "") == "play"
                and sum(map(len, state.hands)) == cards
                and not state.trick
                and len({each.get("card") for each in rules.legal_moves(state)}) > 1
            ):
                return rules, state, move


def oh_hell_points(state):
    """Of all seats, a tuple, once a hand is over."""
    return tuple(state.deal.lines[-1].points)


def every_line_of_oh_hell(rules, state, known):
    """The points of all seats if each plays for itself, then against the others: by the rules alone."""
    seat = state.to_act
    key = (state.hands, state.leader, tuple(rules.view(state, None)["taken"])) if not state.trick else None
    if key in known:
        return known[key]
    found = None
    for move in rules.legal_moves(state):
        after = rules.apply(state, move)
        ended = len(after.deal.lines) > len(state.deal.lines)
        points = oh_hell_points(after) if ended else every_line_of_oh_hell(rules, after, known)
        if found is None or (points[seat], points[seat] - sum(points)) > (found[seat], found[seat] - sum(found)):
            found = points
    if key:
        known[key] = found
    return found


def oh_hell_by_force(rules, state):
    """{card: how many points more the seat to act gets than the others do on average}."""
    seat, found, known = state.to_act, {}, {}
    for move in rules.legal_moves(state):
        points = list(every_line_of_oh_hell(rules, rules.apply(state, move), known))
        found[move["card"]] = points.pop(seat) - mean(points)
    return found


def plays_of_belot(rules, state):
    """{card: the move that plays it}, with an announcement where there is one."""
    plays = {}
    for move in rules.legal_moves(state):
        if move["type"] == "play" and (move["card"] not in plays or "belot" in move):
            plays[move["card"]] = move
    return plays


def belot_by_force(rules, state):
    """{card: by how much the side is ahead of the mean of the others, and 0.01 for each point}, belot announced."""
    seat, match, bidder = state.to_act, state.deal.match, state.deal.contract.bidder
    side, known = seat % match.sides, {}

    def friend(other):
        if match.sides == 3:
            return (other % 3 == bidder % 3) == (seat % 3 == bidder % 3)
        return other % match.sides == side

    def ahead(numbers):
        return numbers[side] - (sum(numbers) - numbers[side]) / (len(numbers) - 1)

    def worth(here):
        if here.phase != "play":
            line = here.deal.lines[-1]
            return ahead(line.mp) + 0.01 * ahead(line.points)
        key = (here.hands, here.tricks, here.belots) if not here.trick else None
        if key and key in known:
            return known[key]
        found = [worth(rules.apply(here, move)) for move in plays_of_belot(rules, here).values()]
        best = max(found) if friend(here.to_act) else min(found)
        if key:
            known[key] = best
        return best

    return {card: worth(rules.apply(state, move)) for card, move in plays_of_belot(rules, state).items()}


def endgames(slug, number, cards_of_seats):
    rng = Random(f"{slug} endings")
    seats = list(cards_of_seats)
    for place in range(number):
        here = seats[place % len(seats)]
        yield ending(slug, here, rng, cards_of_seats[here])


def assert_as_by_force(rules, state, move, by_force):
    verdict = verdict_of(rules, state, move, play_outs=10)
    if verdict is None:  # all cards are as good
        assert len({round(worth, 6) for worth in by_force.values()}) == 1
        return
    assert verdict.exact
    assert {option.move["card"]: round(option.mean, 6) for option in verdict.open} == {
        option.move["card"]: round(by_force[option.move["card"]], 6) for option in verdict.open
    }
    best = max(option.mean for option in verdict.open)
    assert best == pytest.approx(max(by_force.values()))


FEW_AND_MANY = [10, pytest.param(30, marks=pytest.mark.thorough)]


@pytest.mark.parametrize("number", FEW_AND_MANY)
def test_open_cards_of_oh_hell_are_as_every_line_of_play_says(number):
    for rules, state, move in endgames("oh-hell", number, {3: 12, 4: 16}):
        assert_as_by_force(rules, state, move, oh_hell_by_force(rules, state))


@pytest.mark.parametrize("number", FEW_AND_MANY)
def test_open_cards_of_belot_are_as_every_line_of_play_says(number):
    for rules, state, move in endgames("belot", number, {2: 8, 3: 12, 4: 16}):
        assert_as_by_force(rules, state, move, belot_by_force(rules, state))


# What it is worth


def share_of_blunders(slug, bot, seats, seed, deals_at_most=2):
    """In per cent of the decisions of a match that a bot plays with itself."""
    rules = get_rules(slug)
    bots, rng, decks = [get_bot(slug, bot)] * seats, Random(f"{seed} bots"), Random(f"{seed} decks")
    state, marks, deals = rules.new_match(seats, rules.usual_options(seats)), [], 0
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            deck = rules.deck(state)
            decks.shuffle(deck)
            move, deals = {"type": "deal", "deck": deck}, deals + 1
            if deals > deals_at_most:
                break
        else:
            moves = rules.legal_moves(state)
            move = bots[seat].choose(rules.view(state, seat), moves, rng)
            if len(moves) > 1:
                verdict = verdict_of(rules, state, move, len(marks), play_outs=300)
                marks.append(verdict.mark if isinstance(verdict, Verdict) else "")
        state = rules.apply(state, move)
    return 100 * marks.count(BLUNDER) / len(marks)


@pytest.mark.thorough
@pytest.mark.parametrize("slug", ANALYSED)
def test_hard_bots_hardly_blunder_and_random_players_do(slug):
    assert share_of_blunders(slug, "hard", 4, 1) < 2
    assert share_of_blunders(slug, "random", 4, 1) > 10
