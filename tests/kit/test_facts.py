"""The facts of deals, of every game, against the score sheets they are made from; and what they are searched by."""

import json
import re

import pytest

from games.catalog import Meaning, all_games
from games.play.transition import fold
from tests.kit.playing import GAMES, every_table, played_on, random_options, recorded_rules
from tests.kit.playing import every_game as every_version
from tests.kit.test_recorded import RECORDS
from tests.test_catalog import ROOT, path_of

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def game_of(rules):
    return next(game for game in GAMES if game.slug == rules.slug)


def facts_of_match(rules, seats, rng):
    """(the DealFacts of each deal scored in a random match, the last state)."""
    state = rules.new_match(seats, random_options(rules, seats, rng))
    return facts_of_moves(rules, state, (move for _, move, _ in played_on(rules, state, rng)))


def facts_of_moves(rules, state, moves):
    """The same of a match that is played like this."""
    found, events = [], []
    for before, move, after in fold(rules, state, moves):
        happened = rules.events(before, move, after)
        meanings = {rules.meaning(event) for event in happened}
        events += happened
        if Meaning.DEAL_SCORED in meanings:
            found.append(game_of(rules).facts(rules.score_sheet(after), events))
        if meanings & {Meaning.DEAL_SCORED, Meaning.DEAL_DROPPED}:
            events = []
        state = after
    return found, state


def check_sums(rules, seats, found, state):
    """Whatever the game: points add up to scores, and the last score is that of the standings."""
    scores = [0] * seats
    for facts in found:
        assert len(facts.seats) == seats
        for seat, of_seat in enumerate(facts.seats):
            scores[seat] += of_seat["points"]
            assert of_seat["score"] == scores[seat]
    assert {line["seat"]: line["score"] for line in rules.standings(state)} == dict(enumerate(scores))


@every_table
@pytest.mark.parametrize("matches", [3, pytest.param(200, marks=pytest.mark.thorough)])
def test_facts_add_up_to_the_result(rules, seats, matches, rng):
    for _ in range(matches):
        check_sums(rules, seats, *facts_of_match(rules, seats, rng))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_facts_of_recorded_matches_add_up_and_are_those_of_the_record(path):
    record = json.loads(path.read_text())
    rules = recorded_rules(record)

    found, state = facts_of_moves(rules, rules.new_match(record["seats"], record["options"]), record["moves"])

    if rules.standings(state):
        check_sums(rules, record["seats"], found, state)
    if "facts" in record:
        assert [countable(facts) for facts in found] == record["facts"]
    for number, counted in counted_deals(path).items():
        assert countable(found[number - 1]) == counted


def countable(facts):
    """DealFacts as records and counts hold them, without estimates: tests/deal_index/test_luck.py."""
    seats = [{key: value for key, value in of_seat.items() if key not in ESTIMATED} for of_seat in facts.seats]
    return {"deal": facts.deal, "seats": seats}


ESTIMATED = ("worth", "beyond")


def counted_deals(path):
    """{which of the scored deals: its facts} of a recorded match, as counted by hand: tests/data/README.md."""
    file = path.parents[1] / "counted.json"
    counts = json.loads(file.read_text()) if file.exists() else {}
    keys = counts.get("keys")
    return {
        int(number): {
            "deal": dict(zip(keys["deal"], deal["deal"], strict=True)),
            "seats": [dict(zip(keys["seats"], values, strict=True)) for values in deal["seats"]],
        }
        for number, deal in counts.get(path.stem, {}).items()
    }


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_ten_matches_have_facts_counted_by_hand_which_show_each_fact_both_ways(game):
    paths = [path for path in RECORDS if path.parts[-3] == game.room]
    deals = {path: [*counted_deals(path).values(), *json.loads(path.read_text()).get("facts", [])] for path in paths}
    values = {}
    for deal in [deal for of_match in deals.values() for deal in of_match]:
        for kind, facts in [("deal", deal["deal"]), *(("seat", of_seat) for of_seat in deal["seats"])]:
            for key, value in facts.items():
                values.setdefault((kind, key), set()).add(value)

    assert sum(map(bool, deals.values())) >= 10
    assert {key for key, met in values.items() if len(met) < 2} == set()


@every_table
def test_facts_are_plain_and_always_under_the_same_keys(rules, seats, rng):
    found, _ = facts_of_match(rules, seats, rng)

    assert len({tuple(facts.deal) for facts in found} | {()}) <= 2
    assert len({tuple(of_seat) for facts in found for of_seat in facts.seats} | {()}) <= 2
    values = [value for facts in found for one in (facts.deal, *facts.seats) for value in one.values()]
    assert {type(value) for value in values} <= {int, float, str, bool, type(None)}


@every_game
def test_every_fact_stands_on_the_rules_page(game, rng):
    page = (ROOT / path_of("docs/rules/{slug}.md", game)).read_text()
    told = re.split(r"^## ", page.split("\n## Facts\n")[1], flags=re.M)[0]
    found, _ = facts_of_match(game.newest, game.newest.default_seats, rng)

    keys = {key for facts in found for one in (facts.deal, *facts.seats) for key in one}

    rows = [line.split("|")[1] for line in told.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == keys


@every_game
def test_questions_are_of_facts_and_can_be_told_apart(game, rng):
    found, _ = facts_of_match(game.newest, game.newest.default_seats, rng)

    for question in game.questions:
        keys = found[0].seats[0] if question.of_seat else found[0].deal
        assert question.fact in keys
        assert len({answer.slug for answer in question.answers}) == len(question.answers)
        for answer in question.answers:
            assert ("{who}" in answer.sentence) == question.of_seat
            assert answer.sentence.endswith(".")
            assert re.fullmatch(r"[\w-]+", answer.slug)
    names = [question.name for question in game.questions]
    assert len(set(names)) == len(names)


@every_version
def test_every_question_finds_something(rules, rng):
    met = set()
    for _ in range(4):
        for seats in rules.seat_counts:
            found, _ = facts_of_match(rules, seats, rng)
            for question in game_of(rules).questions:
                values = [one[question.fact] for facts in found for one in _asked(question, facts)]
                if any(answers(answer, value) for answer in question.answers for value in values):
                    met.add(question.fact)

    assert {question.fact for question in game_of(rules).questions} - met <= {"valat"}  # which is rare at random


def _asked(question, facts):
    return facts.seats if question.of_seat else [facts.deal]


def answers(answer, value):
    if value is None or answer.compared == "exact":
        return value == answer.value
    return {
        "gt": value > answer.value,
        "gte": value >= answer.value,
        "lt": value < answer.value,
        "lte": value <= answer.value,
    }[answer.compared]
