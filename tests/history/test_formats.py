"""docs/match.schema.json holds what is exported, refuses what is not a record, and says the same as docs/formats.md."""

import copy
import json
import random
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError

from accounts.models import User
from games.catalog import CHANCE, all_games
from games.history.records import export_match, import_match
from games.kit import shuffle
from games.models import Match
from games.play import moves, seating, starting
from tests import opening
from tests.kit.playing import played_on
from tests.matches import play_on

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "match.schema.json").read_text())
FORMATS = (DOCS / "formats.md").read_text()
EXAMPLE, *_ = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", FORMATS, re.DOTALL))
SHORTEST = {"oh-hell": {"game_style": "short-up"}, "belot": {"target": 51}, "bids": {"rounds": 2}, "bleven": {}}
BLEVEN_PACK = [rank + suit for suit in "CDHS" for rank in "A234567JQK"]
AT = "2026-01-31T12:00:00.500000+00:00"
validator = Draft202012Validator(SCHEMA)


def check(record):
    """Raise ValidationError unless a record keeps to the schema."""
    for error in validator.iter_errors(record):
        raise error


def through_json(value):
    return json.loads(json.dumps(value))


def exported(code):
    return through_json(export_match(Match.objects.get(code=code)))


def written(rules, seats, rng):
    """The record of a random match, made of what docs/formats.md says alone."""
    options = rules.clean_options(seats, SHORTEST[rules.slug])
    state, moves = rules.new_match(seats, options), []
    for before, move, after in played_on(rules, state, rng):
        chance = rules.to_act(before) == CHANCE
        seat, actor = (None, "chance") if chance else (rules.to_act(before), "player")
        moves.append({"index": len(moves), "seat": seat, "move": move, "actor": actor, "at": AT})
        state = after
    players = [
        {
            "seat": seat,
            "name": "Éva 😀",
            "kind": "deleted",
            "bot": "",
            "left": False,
            "entropy_hash": "",
            "entropy": "",
            "place_taken": seat,
        }
        for seat in range(seats)
    ]
    return {
        "format": "valat-match",
        "version": 1,
        "code": "written1",
        "game": rules.slug,
        "rules_version": rules.version,
        "seats": seats,
        "options": options,
        "speed": "untimed",
        "status": "over",
        "started_at": AT,
        "ended_at": AT,
        "players": players,
        "moves": moves,
        "score_sheet": rules.score_sheet(state),
        "standings": rules.standings(state),
        "shuffle": {"scheme": "valat-shuffle-2", "code": "", "seed": "", "seed_hash": ""},
    }


def play_at_random(snapshot, rng):
    """The snapshot after random moves to the end, made by the players or bots of the seats."""
    return play_on(snapshot, choose=lambda snapshot: rng.choice(snapshot.rules.legal_moves(snapshot.state)))


# What is exported


def test_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("rules", "seats"),
    [(rules, seats) for rules in (game.newest for game in all_games()) for seats in rules.seat_counts],
    ids=lambda value: getattr(value, "slug", value),
)
def test_schema_holds_a_match_of_every_game_at_every_number_of_seats(db, rules, seats):
    record = through_json(written(rules, seats, random.Random(seats)))

    again = exported(import_match(record).code)

    check(again)
    assert again == record


def test_schema_holds_every_kind_of_player_and_move(users):
    """A user, a guest, and one who leaves and whose account is then deleted; the first move is a stand-in's."""
    user, guest, gone, _ = users
    User.objects.filter(pk=guest.pk).update(is_guest=True)
    opened = opening.open_table(user, "bids", seats=3, options=SHORTEST["bids"])
    seating.sit_down(guest, opened.code)
    begun = seating.sit_down(gone, opened.code)
    begun = moves.play_move(
        begun.code, begun.to_act, begun.rules.legal_moves(begun.state)[0], seen_count=2, actor="stand-in"
    )
    after = seating.leave_match(gone, begun.code)
    gone.delete()
    over = play_at_random(after, random.Random(1))

    record = exported(over.code)

    check(record)
    assert sorted(player["kind"] for player in record["players"]) == ["deleted", "guest", "user"]
    assert {entry["actor"] for entry in record["moves"]} == {"player", "bot", "stand-in", "chance"}


def test_schema_holds_a_match_among_bots(finished):
    record = exported(finished.code)

    check(record)
    assert {player["kind"] for player in record["players"]} == {"bot"}


# What is refused


def changed(record, *path, to):
    """The record with something else at a path; `...` takes it away."""
    record = copy.deepcopy(record)
    *parents, last = path
    inside = record
    for key in parents:
        inside = inside[key]
    if to is ...:
        del inside[last]
    else:
        inside[last] = to
    return record


def places():
    """The paths of all objects of the example that the schema knows the keys of."""
    return [(), ("players", 1), ("moves", 0), ("moves", 1), ("moves", 0, "move"), ("standings", 0), ("shuffle",)]


def inside(path):
    value = EXAMPLE
    for key in path:
        value = value[key]
    return value


@pytest.mark.parametrize("path", [(*path, key) for path in places() for key in inside(path) if key != "entropy_hash"])
def test_schema_refuses_a_record_without_a_key(path):
    with pytest.raises(ValidationError):
        check(changed(EXAMPLE, *path, to=...))


@pytest.mark.parametrize("path", places())
def test_schema_refuses_a_record_with_another_key(path):
    with pytest.raises(ValidationError):
        check(changed(EXAMPLE, *path, "extra", to=1))


def test_keys_of_a_seat_s_move_are_the_game_s():
    check(changed(EXAMPLE, "moves", 1, "move", "extra", to=[1]))


@pytest.mark.parametrize(
    ("path", "to"),
    [
        *((("format",), "pgn"), (("version",), 2), (("code",), ""), (("code",), "a/b"), (("code",), "a" * 17)),
        *((("game",), "Oh Hell"), (("rules_version",), 0), (("rules_version",), "1"), (("seats",), 1)),
        *((("seats",), 9), (("seats",), True), (("options",), []), (("options", "crowns"), None)),
        *((("options", "crowns"), 1.5), (("speed",), "hasty"), (("status",), "playing"), (("started_at",), None)),
        *((("started_at",), "2026-11-22"), (("ended_at",), "2026-11-22T05:09:06"), (("players",), [])),
        *((("players", 0, "seat"), 8), (("players", 0, "name"), ""), (("players", 0, "name"), "A\0")),
        *((("players", 0, "name"), "A" * 41), (("players", 0, "kind"), "ghost"), (("players", 0, "kind"), "bot")),
        *((("players", 0, "left"), 0), (("players", 0, "entropy_hash"), "ab"), (("players", 0, "entropy"), "AB")),
        *((("players", 0, "entropy"), "a" * 65), (("players", 0, "place_taken"), -1), (("moves",), [])),
        *((("moves", 1, "index"), -1), (("moves", 1, "seat"), None), (("moves", 1, "seat"), 8)),
        *((("moves", 1, "seat"), False), (("moves", 0, "seat"), 0), (("moves", 1, "actor"), "ghost")),
        *((("moves", 1, "actor"), "chance"), (("moves", 0, "actor"), "player"), (("moves", 1, "move"), "declare")),
        *((("moves", 1, "move"), {"type": "deal", "deck": ["AC"]}), (("moves", 0, "move"), {"type": "declare"})),
        *((("moves", 0, "move", "deck"), []), (("moves", 0, "move", "deck"), ["AC", "AC"])),
        *((("moves", 1, "at"), "yesterday"), (("moves", 1, "at"), 1763788146)),
        *((("moves", 1, "at"), "2026-11-22 05:09:06+00:00"), (("moves", 1, "at"), "2026-13-22T05:09:06+00:00")),
        *((("moves", 1, "at"), "2026-11-22T24:09:06+00:00"), (("moves", 1, "at"), "2026-11-22T05:09:06,5+00:00")),
        *((("score_sheet",), {}), (("score_sheet",), None), (("standings",), []), (("standings", 0, "team"), 2)),
        *((("standings", 0, "score"), "36"), (("standings", 0, "place"), 0)),
        *((("shuffle", "scheme"), "valat-shuffle-3"), (("shuffle", "code"), ""), (("shuffle", "seed"), "")),
        *((("shuffle", "seed"), "CD" * 32), (("shuffle", "seed_hash"), "cd" * 31)),
    ],
)
def test_schema_refuses_another_value(path, to):
    with pytest.raises(ValidationError):
        check(changed(EXAMPLE, *path, to=to))


@pytest.mark.parametrize("time", ["2026-11-22T05:09:06Z", "2026-11-22T05:09:06.5+00:00", "2026-11-22T07:09:06+02:00"])
def test_schema_holds_other_ways_to_write_a_time(time):
    check(changed(EXAMPLE, "moves", 1, "at", to=time))


# What docs/formats.md says


def test_record_of_the_page_is_one(db):
    check(EXAMPLE)

    again = exported(import_match(EXAMPLE).code)

    assert [player.pop("kind") for player in again["players"]] == ["deleted", "deleted"]
    assert again == EXAMPLE | {"players": [without(player, "kind") for player in EXAMPLE["players"]]}


def without(player, key):
    return {name: value for name, value in player.items() if name != key}


def keys_of(schema):
    """All keys of records that a schema names."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", ())) | keys_of(list(schema.values()))


def test_page_names_every_key():
    tables = FORMATS[FORMATS.index("### Keys") : FORMATS.index("### What is not in it")]

    named = re.findall(r"^\| `(\w+)` \| (?:array|boolean|integer|number|object|string|time)\b", tables, re.MULTILINE)

    assert set(named) == keys_of(SCHEMA) - {"type", "deck"}


@pytest.fixture
def verify():
    """The function `verify` of the program on the page."""
    (program,) = re.findall(r"```python\n(.*?)```", FORMATS, re.DOTALL)
    names = {}
    exec(program, names)
    return names["verify"]


def test_program_of_the_page_verifies_a_record(verify, finished):
    record = exported(finished.code)

    verify(EXAMPLE, BLEVEN_PACK)
    verify(record, [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"])

    with pytest.raises(AssertionError):
        verify(EXAMPLE, BLEVEN_PACK[1:])
    with pytest.raises(AssertionError):
        verify(changed(EXAMPLE, "players", 0, "entropy", to="ab"), BLEVEN_PACK)


def test_program_of_the_page_verifies_a_match_of_partners(verify, users):
    """It is a match of people and bots too, to be held by the schema."""
    opened = opening.open_table(
        users[0], "bleven", bots=2, seats=4, entropy_hash=shuffle.commitment("ab" * 32), seed="ef" * 32
    )
    seating.sit_down(users[1], opened.code)
    over = play_at_random(starting.give_entropy(users[0], opened.code, "ab" * 32), random.Random(1))

    record = exported(over.code)
    with pytest.raises(AssertionError):
        verify(record | {"players": [player | {"entropy": ""} for player in record["players"]]}, BLEVEN_PACK)

    check(record)
    verify(record, BLEVEN_PACK)
    assert sorted(player["kind"] for player in record["players"]) == ["bot", "bot", "user", "user"]
