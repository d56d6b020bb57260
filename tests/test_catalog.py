"""Each game of the catalog is here with all that belongs to it: what is missing is what its maker has to add."""

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from games.catalog import YARDSTICK, all_games, get_rules
from games.kit.drawing import Drawing
from tests import whist
from tests.kit.playing import GAMES

ROOT = Path(__file__).parents[1]
FILES = {  # what each of them is for
    "games/{room}/__init__.py": "GAME, for the catalog",
    "games/{room}/facts.py": "what there is to know of a scored deal",
    "templates/{room}/felt.html": "what everybody sees of the table",
    "templates/{room}/mine.html": "what one seat sees besides",
    "templates/{room}/sheet.html": "the score sheet",
    "templates/{room}/rules.html": "the rules as players read them",
    "static/{room}/{room}.css": "the game's own layout",
    "docs/rules/{slug}.md": "the exact rules, with every key, which the code cites",
    "tests/{room}/__init__.py": "so that tests can share names",
    "tests/{room}/plain.py": "a second, slow implementation to check the first by",
    "tests/{room}/test_rules.py": "the rules, in the order of their page",
    "tests/{room}/test_bot.py": "the bot in positions that leave little doubt",
    "tests/{room}/test_table.py": "what is drawn",
    "tests/data/{room}/matches/*.json": "recorded matches, for ever",
    "tests/data/{room}/counts/*.json": "how many lines of play there are, as the plain implementation counts them",
}
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def path_of(pattern, game):
    """Where a file of a game is. Whist, which lives in the tests, has all its wings but its records there."""
    path = pattern.format(room=game.room, slug=game.slug)
    if game is not whist.GAME or path.startswith("tests/"):
        return path
    return (
        path.replace("games/whist/", "tests/whist/")
        .replace("docs/rules/", "tests/whist/")
        .replace("templates/whist/", "tests/whist/templates/whist/")
        .replace("static/whist/", "tests/whist/static/whist/")
    )


def missing(game):
    """What the game lacks, as sentences for its maker."""
    files = {path_of(pattern, game): use for pattern, use in FILES.items()}
    lacks = [f"Add {path}: {use}." for path, use in files.items() if not any(ROOT.glob(path))]
    recorded = {
        json.loads(path.read_text())["rules_version"] for path in ROOT.glob(f"tests/data/{game.room}/matches/*")
    }
    lacks += [
        f"Record matches of version {rules.version} in tests/data/{game.room}/matches: they are replayed for ever."
        for rules in game.rules
        if rules.version not in recorded
    ]
    if YARDSTICK not in game.bots:
        lacks.append(f'Add a bot called "{YARDSTICK}" to the bots of GAME: it stands in for people.')
    lacks += [
        f'Name the bot "{name}" by its key in GAME.'
        for name, bot in game.bots.items()
        if getattr(bot, "name", "") != name
    ]
    if not isinstance(game.drawing, Drawing):
        lacks.append("Give GAME a drawing: table.DRAWING, a games.kit.drawing.Drawing.")
    return lacks


@every_game
def test_game_has_all_that_belongs_to_it(game):
    assert missing(game) == []


@every_game
def test_versions_of_the_rules_are_of_one_game_and_in_order(game):
    assert [rules.version for rules in game.rules] == list(range(1, len(game.rules) + 1))
    assert {(rules.slug, rules.name) for rules in game.rules} == {(game.slug, game.name)}


def test_slugs_and_names_are_each_games_own():
    assert len({game.slug for game in all_games()}) == len({game.name for game in all_games()}) == len(all_games())


@every_game
def test_formats_say_how_long_a_match_is_and_no_more(game):
    rules = game.newest
    for chosen in rules.formats:
        assert set(chosen.minutes) == set(rules.seat_counts)
        for seats in rules.seat_counts:
            assert rules.format_of(rules.named_options(seats, *rules.presets[:1], chosen)) == chosen
    assert not any(rules.length_options & preset.options.keys() for preset in rules.presets)
    for short, long in pairwise(rules.formats):
        assert all(short.minutes[seats] < long.minutes[seats] for seats in rules.seat_counts)


@every_game
def test_presets_offered_first_leave_the_defaults_of_the_rules_alone(game):
    rules = game.newest
    assert {preset.slug for preset in rules.offered_presets} == {preset.slug for preset in rules.presets}
    assert rules.usual_preset in ("", *(preset.slug for preset in rules.presets))
    for seats in rules.seat_counts:
        defaults = {field.name: field.default for field in rules.option_fields(seats)}
        assert rules.clean_options(seats, {}) == rules.named_options(seats, *rules.presets[:1]) == defaults


def test_belot_is_put_to_players_as_clubs_play_it():
    belot = get_rules("belot")

    assert [preset.slug for preset in belot.offered_presets] == ["club", "encyclopedia", "croatian"]
    assert belot.find_preset("").slug == belot.find_preset("nonsense").slug == "club"
    assert belot.find_preset("croatian").slug == "croatian"
    assert belot.clean_options(4, {})["trumping"] == "always"


@every_game
def test_headings_that_are_cited_are_on_the_rules_page(game):
    page = (ROOT / path_of("docs/rules/{slug}.md", game)).read_text()
    headings = set(re.findall(r"^#+ (.+)$", page, re.MULTILINE))
    cited = {
        (str(path.relative_to(ROOT)), heading)
        for wing in ("games", "tests")
        for path in (ROOT / wing / game.room).rglob("*.py")
        for heading in cited_headings(path.read_text())
    }

    assert sorted((path, heading) for path, heading in cited if heading not in headings) == []
    assert cited != set(), 'say where the rules come from: Source: "Scoring".'


def cited_headings(code):
    """The headings named in `code` after "Source:", up to the end of that paragraph or docstring."""
    paragraphs = re.findall(r'Source: (.+?)(?:\n\s*\n|"""|\Z)', code, re.DOTALL)
    return re.findall('"([^"]+)"', " ".join(" ".join(paragraphs).split()))


def test_the_catalog_and_all_games_need_no_django():
    script = "import sys, games.catalog; sys.exit('django' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0
