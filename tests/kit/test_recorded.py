"""Recorded matches end on their score sheets.

A record says by whom, or by what, its score sheet and its standings were worked out: never by the rules themselves.
"""

import json
from functools import reduce
from pathlib import Path

import pytest

from tests.kit.playing import GAMES, recorded_rules

RECORDS = sorted((Path(__file__).parents[1] / "data").glob("*/matches/*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_recorded_match_ends_on_its_score_sheet(path):
    record = json.loads(path.read_text())
    rules = recorded_rules(record)

    state = reduce(rules.apply, record["moves"], rules.new_match(record["seats"], record["options"]))

    assert rules.score_sheet(state) == record["score_sheet"]
    assert rules.standings(state) == record["standings"]
    assert record["worked_out_by"]


def test_every_game_has_records():
    assert {json.loads(path.read_text())["game"] for path in RECORDS} == {game.slug for game in GAMES}
