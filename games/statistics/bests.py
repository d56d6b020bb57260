"""A player's bests: the first, the highest and the longest of a kind, each with a link to its deal."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypedDict

from games.kit.facts import Feat, of_unit
from games.kit.game import Game
from games.kit.language import lazy
from games.kit.words import with_sign
from games.models import Match
from games.statistics.running import SCORE, WIN, Running
from games.tallies.models import Tally

type Kind = tuple[str, str, Callable[[Any], str]]  # the key of a best, its name, and a function that formats its value


class BestLine(TypedDict):
    """A best for display. deal: the number of the deal, or None if the best is about the whole match."""

    words: str
    value: str
    code: str
    url: str
    deal: int | None
    at: datetime


def bests(running: Running, game: Game) -> list[BestLine]:
    """Return a player's personal bests at a game, for display: won by most, highest score, and feats of the game.

    A feat is an achievement that the game defines, such as many won deals in a row. Bests of deleted matches are
    left out. This takes one query, or two with tallies.

    running: the player's stored figures.
    """
    assert game.statistics
    # The key of each kind of best, its name, and a function that formats its value.
    kinds: list[Kind] = [
        (WIN, lazy("Match won by most"), with_sign),
        (SCORE, lazy("Highest score in a match"), with_sign),
        *((feat.words, feat.words, _value_formatter(feat)) for feat in game.statistics.feats),
    ]
    rows = [(words, format_value, running.bests[key]) for key, words, format_value in kinds if _has_best(running, key)]
    keys = {best["match"] for *_, best in rows}
    records: dict[int, Match | Tally] = {**Match.objects.only("code", "ended_at").in_bulk(keys)}
    if any(key < 0 for key in keys if key):  # of a tally
        tallies = Tally.objects.in_bulk({-key for key in keys if key})
        records |= {-key: tally for key, tally in tallies.items()}
    return [
        {
            "words": words,
            "value": format_value(best["value"]),
            "code": match.code,
            "url": match.get_absolute_url(),
            "deal": best["deal"],
            "at": match.ended_at,
        }
        for words, format_value, best in rows
        if (match := records.get(best["match"]))
    ]


def _has_best(running: Running, key: str) -> bool:
    """Return whether a player has a best of this kind. One deal alone is no run, so runs count from two deals on."""
    best = running.bests.get(key)
    if best is None:
        return False
    is_run = "now" in best  # Only runs have this key: the length of the present run.
    return not is_run or best["value"] > 1


def _value_formatter(feat: Feat) -> Callable[[float | None], str]:
    """Return a function that formats the value of a feat's best. Firsts have no value and give ""."""
    return lambda value: "" if value is None else of_unit(value, feat.unit)
