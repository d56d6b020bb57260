"""What a replay's timeline marks, how long moves took, two seats side by side, and a deal on paper."""

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser

from games.catalog import all_games, get_game, get_rules
from games.history import marks
from games.history.folding import Folding
from games.history.paper import deal_on_paper
from games.models import Move
from games.pages.replay_parts import timeline
from tests.matches import play_on, replay_of

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

DATA = Path(__file__).parents[1] / "data"
SHAPES = (Path(__file__).parents[2] / "templates/replay/shapes.html").read_text()
PLAYERS = [{"name": name} for name in ("Ana", "Boris", "Vera", "Goran", "Iva", "Petar", "Mira")]


def marks_of_record(record):
    """The (move, kind, words) of a recorded match, and its steps."""
    rules, drawing = get_rules(record["game"], record["rules_version"]), get_game(record["game"]).drawing
    folding = Folding(rules, rules.new_match(record["seats"], record["options"]))
    folding.add((None, move) for move in record["moves"])
    players = PLAYERS[: record["seats"]]
    return [(step, *mark) for step in folding.steps for mark in drawing.marks(step.events, players)]


def records(game, count=8):
    paths = sorted((DATA / game.room / "matches").rglob("*.json"))[:count]
    return [json.loads(path.read_text()) for path in paths]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_each_kind_that_a_game_marks_has_a_heading_and_a_shape(game):
    found = [mark for record in records(game) for mark in marks_of_record(record)]

    assert {kind for _, kind, _ in found} <= set(game.drawing.mark_kinds)
    assert all(words and not words.endswith(".") for _, _, words in found)
    for kind in [*game.drawing.mark_kinds, *marks.HEADINGS]:
        assert f'id="shape-{kind}"' in SHAPES


@pytest.mark.parametrize("record", records(all_games()[0]), ids=lambda record: str(record["seats"]))
def test_oh_hell_marks_the_bids_of_each_hand_and_those_who_missed_theirs(record):
    found = marks_of_record(record)
    scored = [event for step, kind, _ in found if kind == "set" for event in step.events]

    for event in scored:
        if event["type"] == "hand_scored":
            assert event["bids"] != event["taken"]
    closed = [words for _, kind, words in found if kind == "contract"]
    assert closed
    assert all(words.startswith("Bids: Ana ") and " by " in words for words in closed)


def test_stored_marks_stand_between_those_of_the_game_and_outdate_pages(client, finished, monkeypatch):
    monkeypatch.setattr(marks, "_sources", {})
    noted = []
    source = marks.Source(lambda replay, user: list(noted), lambda match, user: len(noted))
    marks.register("comments", source)
    address = f"/matches/{finished.code}/replay/?move=9"
    before = client.get(address)
    noted.append(marks.Mark(9, "comment", "Vera: well led"))

    after = client.get(address, headers={"if-none-match": before["ETag"]})

    assert after.status_code == 200
    assert "Vera: well led" in after.text
    shown = replay_of(finished)
    found = marks.marks_of(shown, AnonymousUser())
    assert [mark.move for mark in found] == sorted(mark.move for mark in found)
    drawn = timeline(shown, shown.viewpoint(None), 9, AnonymousUser())
    assert [kind["kind"] for kind in drawn["kinds"]] == ["contract", "set", "comment"]
    assert sum(kind["count"] for kind in drawn["kinds"]) == len(drawn["marks"]) == len(found)


def test_times_are_between_the_moves_and_none_of_shuffles(finished):
    moves = list(Move.objects.filter(match__code=finished.code))
    for move in moves:
        move.played_at = moves[0].played_at + timedelta(seconds=7 * move.index)
    Move.objects.bulk_update(moves, ["played_at"])

    shown = replay_of(finished)

    assert len(shown.times) == len(shown.steps)
    assert all(took == (0 if step.seat is None else 7) for took, step in zip(shown.times, shown.steps, strict=True))


def test_two_hands_are_seen_as_their_seats_knew_them_once_a_match_is_over(client, finished, started):
    shown = replay_of(finished)
    move = shown.deals[5].start + 1

    page = client.get(f"/matches/{finished.code}/replay/?move={move}&seat=2&beside=0").text

    table = page[page.index('class="open-hands"') : page.index('id="say"')]
    assert table.count("data-card") == sum(sum(map(len, hand["suits"])) for hand in shown.open_hands(move)[::2])
    running = play_on(started, until=lambda at: at.deal_count == 3)
    for query in ("beside=0", "beside=9", "beside=x"):
        assert client.get(f"/matches/{running.code}/replay/?{query}").status_code in (400, 403)
    assert client.get(f"/matches/{running.code}/replay/print/?deal=1").status_code == 403


def test_a_deal_on_paper_has_every_card_in_its_trick(finished):
    shown = replay_of(finished)
    for deal in shown.deals:
        paper = deal_on_paper(shown, deal)
        cells = [cell for trick in paper["tricks"] for cell in trick["cells"]]
        dealt = [card for hand in paper["hands"] for suit in hand["suits"] for card in suit]

        assert Counter(cell["face"] for cell in cells) == Counter(dealt)
        for trick in paper["tricks"]:
            assert [sum(cell[what] for cell in trick["cells"]) for what in ("led", "won")] == [1, 1]
        assert len(paper["before_play"]) == len(shown.players)
        assert paper["result"]


def test_a_deal_is_printed_with_its_own_line_of_the_sheet(client, finished):
    page = client.get(f"/matches/{finished.code}/replay/print/?deal=4").text

    assert page.count("data-deal=") == 1
    assert 'data-deal="4"' in page
    assert client.get(f"/matches/{finished.code}/replay/print/?deal=99").status_code == 404
