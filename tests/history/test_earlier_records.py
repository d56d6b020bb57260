"""Records that the last version before the first release has written: `tests/data/earlier.jsonl`, twenty matches."""

import json
from pathlib import Path

import pytest

from games.catalog import all_games
from games.history.records import EARLIER_BOTS, EARLIER_SCHEME, export_match, import_match
from games.history.verification import verify

RECORDS = [json.loads(line) for line in (Path(__file__).parents[1] / "data" / "earlier.jsonl").read_text().splitlines()]


def test_there_is_some_of_everything_that_is_gone():
    assert {record["game"] for record in RECORDS} == {game.slug for game in all_games()}
    assert {player["bot"] for record in RECORDS for player in record["players"]} >= EARLIER_BOTS.keys()
    assert [record["shuffle"]["scheme"] for record in RECORDS].count(EARLIER_SCHEME) == 5


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record['game']}-{record['code']}")
def test_a_record_is_stored_with_its_moves_and_its_result(db, record):
    match = import_match(record)
    again = json.loads(json.dumps(export_match(match)))

    assert [again[key] for key in ("moves", "score_sheet", "standings")] == [
        record[key] for key in ("moves", "score_sheet", "standings")
    ]
    bots = [player["bot"] for player in record["players"]]
    assert [player["bot"] for player in again["players"]] == [EARLIER_BOTS.get(bot, bot) for bot in bots]
    if record["shuffle"]["scheme"] == EARLIER_SCHEME:
        assert set(again["shuffle"].values()) == {"valat-shuffle-2", ""}
    else:
        assert verify(match).ok
