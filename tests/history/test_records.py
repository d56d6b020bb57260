"""Matches as documents: out, in again, what is not accepted, and records of the version before the first release."""

import json
from datetime import timedelta
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from games.catalog import all_games
from games.export import MATCHES
from games.history.records import EARLIER_BOTS, EARLIER_SCHEME, BadRecord, export_match, import_match
from games.history.verification import verify
from games.models import Match, Move, Seat
from games.play import seating
from tests import opening
from tests.history.test_formats import changed, through_json
from tests.matches import play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def record(match):
    """The record of a finished match, through JSON, with the match itself deleted."""
    record = through_json(export_match(match))
    match.delete()
    return record


def without_code(record):
    return {key: value for key, value in record.items() if key != "code"}


def test_a_record_comes_back_as_it_went(record):
    match = import_match(record)

    assert through_json(export_match(match)) == record


def test_a_record_whose_code_is_taken_gets_another_and_keeps_its_shuffles(record):
    import_match(record)
    second = import_match(record)

    assert second.code != record["code"]
    assert without_code(through_json(export_match(second))) == without_code(record)


def test_a_running_match_has_no_record(started):
    with pytest.raises(BadRecord, match="not over"):
        export_match(Match.objects.get(code=started.code))


@pytest.mark.whole
@pytest.mark.parametrize(
    "path, to, words",
    [
        *((("format",), "pgn", "format"), (("version",), 2, "version"), (("game",), "chess", "have that game")),
        (("rules_version",), 99, "Version 99 of the rules of Oh Hell is not here"),
        *((("rules_version",), True, "by which version"), (("seats",), 9, "played by")),
        *((("options", "game_style"), "endless", "choose"), (("moves",), [], "end"), (("moves",), "many", "no list")),
        *((("moves", -1), ..., "end"), (("moves", 1, "move"), {"type": "bid", "tricks": 7}, "against the rules")),
        *((("moves", 1, "move"), None, "against the rules"), (("moves", 1, "seat"), 2, "not by the seat")),
        *((("moves", 0, "seat"), 0, "not by the seat"), (("moves", 1, "seat"), False, "not by the seat")),
        *((("moves", 1, "actor"), "ghost", "who made it"), (("moves", 1, "at"), "yesterday", "time")),
        *((("moves", 1, "index"), 5, "out of order"), (("score_sheet", "totals", 0), 999, "score sheet")),
        *((("standings", 0, "place"), 2, "score sheet"), (("players",), [], "who sat")),
        *((("players", 0, "name"), "", "seat 0"), (("players", 0, "name"), "A\0", "seat 0")),
        *((("players", 0, "name"), "\ud800", "seat 0"), (("players", 0, "entropy"), "zz", "seat 0")),
        *((("players", 0, "place_taken"), 7, "order"), (("shuffle", "seed"), "ef" * 32, "promised")),
        *((("shuffle", "seed"), 5, "promised"), (("shuffle", "scheme"), "valat-shuffle-9", "promised")),
        *((("players", 0, "entropy"), "ab" * 32, "added"), (("players", 0, "entropy_hash"), "zz", "seat 0")),
        *((("code",), "a/b", "code"), (("players", 0, "place_taken"), "0", "order")),
        *((("players", 0, "bot"), "\0", "seat 0"), (("moves", 1, "at"), "0001-01-01T00:00:00+14:00", "time")),
        *((("moves", 1, "at"), "9999-12-31T23:59:59-14:00", "time"), (("shuffle", "code"), "\ud800", "promised")),
        (("shuffle", "seed"), "CD" * 32, "promised"),
    ],
)
def test_what_was_not_played_like_that_is_not_accepted(record, path, to, words):
    with pytest.raises(BadRecord, match=words):
        import_match(changed(record, *path, to=to))

    assert not Match.objects.exists()
    assert not Move.objects.exists()
    assert not Seat.objects.exists()


def test_a_deck_that_does_not_follow_from_the_seed_is_not_accepted(match):
    """Another deck of a hand of one card: the stock is changed, so that all moves stay legal."""
    record = through_json(export_match(match))
    deck = record["moves"][0]["move"]["deck"]
    record["moves"][0]["move"]["deck"] = [*deck[:-2], deck[-1], deck[-2]]

    with pytest.raises(BadRecord, match="deck of move 0"):
        import_match(record)


@pytest.mark.parametrize("junk", [None, [], 7, "x", {}, {"format": "valat-match", "version": 1}])
def test_junk_is_not_accepted(db, junk):
    with pytest.raises(BadRecord):
        import_match(junk)


def test_the_commands_write_and_read_a_file(finished, tmp_path, capsys):
    call_command("export_match", finished.code)
    file = tmp_path / "match.json"
    file.write_text(capsys.readouterr().out)
    Match.objects.all().delete()

    call_command("import_match", str(file))

    assert json.loads(capsys.readouterr().out)["code"] == finished.code
    assert Match.objects.get().move_count == finished.move_count


WRONG = {
    b"": "it is empty",
    b"{": "is not JSON: .* in line 1",
    b'{"format":\n 1,}': "is not JSON: .* in line 2",
    b"[" * 100_000: "nested too deeply",
    b'{"format": ' + b"1" * 5000 + b"}": "a number is too long",
    b'{"format": "valat-match"}': "Not accepted",
    b"[]": "not a match in the format",
    "{}".encode("utf-16"): "UTF-16 or UTF-32. Save it as UTF-8",
    "{}".encode("utf-16-be"): "UTF-16 or UTF-32",
    "{}".encode("utf-32"): "UTF-16 or UTF-32",
    '{\n"name": "Боряна"}'.encode("cp1251"): "not UTF-8: line 2 has the byte c1. .*windows-1251",
    b" " * 20_000_001: "too large",
    b"\n" * 20_000_001: "too large",
}


@pytest.mark.parametrize("data", WRONG, ids=WRONG.values())
def test_the_import_command_says_what_is_wrong(db, tmp_path, data, monkeypatch):
    file = tmp_path / "match.json"
    file.write_bytes(data)

    with pytest.raises(CommandError, match=WRONG[data]):
        call_command("import_match", str(file))
    with file.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        with pytest.raises(CommandError, match=WRONG[data]):
            call_command("import_match", "-")
    assert not Match.objects.exists()


def test_the_import_command_says_of_a_file_that_is_not_there_that_it_is_not(db, tmp_path):
    with pytest.raises(CommandError, match="can't be read: No such file"):
        call_command("import_match", str(tmp_path / "nothing.json"))


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_that_an_editor_has_put_a_byte_order_mark_on_is_read(record, tmp_path, indent, capsys):
    file = tmp_path / "match.json"
    file.write_text(json.dumps(record, indent=indent), encoding="utf-8-sig", newline="\r\n")

    call_command("import_match", str(file))

    assert json.loads(capsys.readouterr().out)["code"] == record["code"]


def test_a_file_of_many_matches_is_read_from_a_pipe(record, capsysbinary, monkeypatch):
    others = [record | {"code": f"other{number}"} for number in range(3)]
    lines = [json.dumps(one).encode() for one in [record, *others]]
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"\xef\xbb\xbf" + b"\r\n".join(lines) + b"\r\n\r\n")))

    call_command("import_match", "-")

    codes = [json.loads(line)["code"] for line in capsysbinary.readouterr().out.splitlines()]
    assert codes == [record["code"], "other0", "other1", "other2"]
    assert Match.objects.count() == 4


def test_of_many_matches_those_are_stored_that_can_be(record, tmp_path, capsys):
    file = tmp_path / "matches.jsonl"
    bad = changed(record, "moves", 1, "at", to="2999-01-01T00:00:00+00:00")
    file.write_bytes(
        b"\n".join([json.dumps(bad).encode(), "Боряна".encode("cp1251"), b"{", json.dumps(record).encode()])
    )

    with pytest.raises(CommandError, match="Not accepted: 3") as refusal:
        call_command("import_match", str(file))

    said = capsys.readouterr()
    assert json.loads(said.out)["code"] == record["code"]
    _, *reasons = str(refusal.value).splitlines()
    assert [reason.split(":")[0] for reason in reasons] == ["Line 1", "Line 2", "Line 3"]
    assert "The time of move 2 is before that of move 1." in reasons[0]
    assert Match.objects.get().code == record["code"]


def test_an_account_s_archive_is_read_which_names_matches_that_are_not_over(started, tmp_path, capsys):
    ana = User.objects.get(pk=started.seats[0].user_id)
    finished = play_on(started)
    opening.open_table(ana, "oh-hell", seats=3)
    file = tmp_path / "matches.jsonl"
    file.write_text("".join(json.dumps(line, default=str) + "\n" for line in MATCHES.documents(ana)))
    Match.objects.all().delete()

    call_command("import_match", str(file))

    said = capsys.readouterr()
    assert json.loads(said.out)["code"] == finished.code
    assert said.err.count("which was not finished") == 1
    assert Match.objects.get().move_count == finished.move_count


def test_times_that_run_backwards_or_are_to_come_are_refused(record):
    now = timezone.now()
    times = [entry["at"] for entry in record["moves"]]
    backwards = [
        entry | {"at": at} for entry, at in zip(record["moves"], ["2999-01-01T00:00:00Z", *times[1:]], strict=True)
    ]
    later = [
        entry | {"at": (now + timedelta(seconds=30 + number)).isoformat()}
        for number, entry in enumerate(record["moves"])
    ]
    slightly = [
        entry | {"at": (now - timedelta(seconds=5 * (number % 2))).isoformat()} for number, entry in enumerate(later)
    ]

    with pytest.raises(BadRecord, match=r"The time of move 1 is before that of move 0\."):
        import_match(record | {"moves": backwards})
    with pytest.raises(BadRecord, match="still to come"):
        import_match(record | {"moves": later})
    assert not Match.objects.exists()
    import_match(record | {"moves": slightly})  # by two machines whose clocks differ a little


@pytest.mark.whole
def test_selfplay_plays_the_same_matches_for_the_same_seed(db, capsys):
    arguments = ["selfplay", "oh-hell", "--seats", "3", "--matches", "1", "--options", '{"game_style": "short-up"}']
    sheets = []
    for seed in ("7", "7", "8"):
        call_command(*arguments, "--seed", seed)
        figures = json.loads(capsys.readouterr().out)
        sheets.append([Match.objects.get(code=code).score_sheet for code in figures["codes"]])

    assert figures["moves"] == Move.objects.filter(match__code=figures["codes"][0]).count()
    assert sheets[0] == sheets[1] != sheets[2]


@pytest.mark.parametrize(
    "arguments", [["chess"], ["oh-hell", "--seats", "9"], ["oh-hell", "--matches", "0"], ["oh-hell", "--options", "{"]]
)
def test_selfplay_refuses_what_can_not_be(db, arguments):
    with pytest.raises(CommandError):
        call_command("selfplay", *arguments)
    assert not Match.objects.exists()


def test_a_record_says_who_left_and_who_stood_in(started):
    play_on(started, until=lambda snapshot: snapshot.move_count > 3)
    for seat in started.seats:
        after = seating.leave_match(User.objects.get(pk=seat.user_id), started.code)
    finished = play_on(after)

    record = export_match(Match.objects.get(code=finished.code))

    assert all(player["left"] for player in record["players"])
    assert {move["actor"] for move in record["moves"]} == {"player", "bot", "chance"}


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
