"""What bots' figures say in words: in every game that has a coach, and at the borders of what is sure."""

from random import Random

import pytest

from games.bot_process import Question, think
from games.catalog import CHANCE, all_games, get_bot
from games.kit import coach
from games.kit.coach import Coach, Thought, decimal
from games.kit.search import Level, Option
from tests.kit.playing import random_positions

pytestmark = pytest.mark.whole

GAMES = [game for game in all_games() if game.coach]
LEVEL = Level(play_outs=100, guard=1.0)


class Boxes(Coach):
    unit = "Points"
    meaning = "They are points."

    def advice(self, move):
        return f"Open {move}."

    def name(self, move):
        return move

    def amount(self, number):
        return f"{decimal(number)} points"

    def reasons(self, table, move):
        return ["It is there."]

    def knowledge(self, table, worlds):
        return f"It tried {worlds} worlds."


def option(move, mean, gain, error=0.2, tries=50):
    return Option(move, mean, 0.3, tries, gain, error)


def told(*options, chosen, level=LEVEL):
    thought = Thought({}, ["red", "green", "blue"], chosen, list(options))
    return coach.hint(Boxes(), thought)["figures"], coach.explain(Boxes(), thought, level)["sentence"]


def test_what_is_surely_better_than_the_rules_move_is_said_to_be():
    figures, why = told(option("red", 1.0, 0.0, 0.0), option("green", 3.0, 2.0), chosen="green")

    assert figures.endswith("it brings 3.0 points on average, 2.0 better than red.")
    assert why.startswith("Its rule of thumb says red, but over those ways green brought 2.0 points more")


def test_what_is_not_surely_better_is_too_little_to_leave_the_rule():
    figures, why = told(option("red", 1.0, 0.0, 0.0), option("green", 1.1, 0.1), chosen="red")

    assert figures.endswith("it brings 1.0 points on average; green is about as good.")
    assert "green brought 0.1 points more (± 0.2): too little" in why


def test_moves_that_were_dropped_on_the_way_are_not_compared():
    dropped = option("blue", 9.0, 8.0, tries=8)
    options = option("red", 1.0, 0.0, 0.0), option("green", 0.5, -0.5), dropped

    figures, why = told(*options, chosen="red")

    assert "blue" not in figures + why
    assert [row.name for row in coach.rows(Boxes(), Thought({}, [], "red", list(options)))] == ["Red", "Green"]


def test_an_easy_bot_says_what_it_lets_go_by():
    easy = LEVEL._replace(tolerance=2.0)

    _, why = told(option("red", 1.0, 0.0, 0.0), option("green", 0.5, -0.5), chosen="green", level=easy)

    assert why.startswith("An easy bot: any move within 2.0 points")


def test_without_a_choice_or_figures_nothing_is_compared():
    forced = Thought({}, ["red"], "red", [])

    assert coach.hint(Boxes(), forced)["figures"] == "It is the only move you may make."
    assert coach.explain(Boxes(), forced, LEVEL)["sentence"] == "It had no choice."
    assert told(chosen="red") == ("", "Every other move is worth the same.")


@pytest.mark.parametrize(("number", "text"), [(1.26, "1.3"), (-0.04, "0.0"), (-2, "\N{MINUS SIGN}2.0")])
def test_figures_have_one_decimal(number, text):
    assert decimal(number) == text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_choice_is_told_of_and_made_as_without_being_asked(game, rng, monkeypatch):
    # To collect the garbage of all these tests takes as long as a search may, which then ends before the other one.
    monkeypatch.setattr("games.kit.search.thread_time", lambda: 0.0)
    rules = game.newest
    for seats in rules.seat_counts:
        for state in random_positions(rules, seats, rng, 12):
            if rules.to_act(state) in (None, CHANCE):
                continue
            view, moves = rules.view(state, rules.to_act(state)), rules.legal_moves(state)
            level = rng.choice(["normal", "hard"])
            question = Question(game.slug, level, view, moves, "seed", weigh=True)

            answered = think(question)

            assert answered.error == ""
            assert moves[answered.choice] == get_bot(game.slug, level).choose(view, moves, Random("seed"))
            thought = Thought(view, moves, moves[answered.choice], answered.options(question), answered.learned)
            hint, why = coach.hint(game.coach, thought), coach.explain(game.coach, thought, LEVEL)
            sentences = [hint["advice"], *hint["reasons"], why["knowledge"], why["sentence"]]
            assert all(sentence.endswith(".") for sentence in sentences)
            assert not why["rows"] or [row.chosen for row in why["rows"]].count(True) == 1
            if thought.options and not thought.options[0].tries:
                assert max(thought.options, key=lambda each: each.mean).mean == next(
                    each.mean for each in thought.options if each.move == thought.move
                )


@pytest.mark.parametrize(
    ("gain", "sentence"),
    [
        (-0.1, "What it has learned says red, and nothing that it tried came out better; next was green."),
        (
            2.0,
            "What it has learned says red. Over those ways green brought 2.0 points more (± 0.2): "
            "it goes by what it has learned.",
        ),
    ],
)
def test_a_move_that_was_learned_is_not_said_to_come_of_the_search(gain, sentence):
    options = [option("red", 5.0, 0.0), option("green", 5.0 + gain, gain)]
    thought = Thought({}, ["red", "green"], "red", options, learned=True)

    assert coach.explain(Boxes(), thought, LEVEL)["sentence"] == sentence
