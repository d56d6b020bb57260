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

type Kind = tuple[str, str, Callable[[Any], str]]  # the key of a best, its name, and a function that formats its value


class BestLine(TypedDict):
    """A best for display. deal: the number of the deal, or None if the best is about the whole match."""

    words: str
    value: str
    code: str
    deal: int | None
    at: datetime


def bests(running: Running, game: Game) -> list[BestLine]:
    """Return the bests of a player at a game with statistics. It takes one query."""
    assert game.statistics
    kinds: list[Kind] = [
        (WIN, lazy("Match won by most"), with_sign),
        (SCORE, lazy("Highest score in a match"), with_sign),
    ]
    kinds += [(feat.words, feat.words, _words_of(feat)) for feat in game.statistics.feats]
    rows = [(words, value_words, running.bests[key]) for key, words, value_words in kinds if _counts(running, key)]
    matches = Match.objects.only("code", "ended_at").in_bulk({best["match"] for *_, best in rows})
    return [
        {
            "words": words,
            "value": value_words(best["value"]),
            "code": match.code,
            "deal": best["deal"],
            "at": match.ended_at,
        }
        for words, value_words, best in rows
        if (match := matches.get(best["match"]))
    ]


def _counts(running: Running, key: str) -> bool:
    """Return whether the player has this best. A run counts from two deals on."""
    best = running.bests.get(key)
    return best is not None and ("now" not in best or best["value"] > 1)


def _words_of(feat: Feat) -> Callable[[float | None], str]:
    """Return a function that formats the value of a feat's best. Firsts have no value and give ""."""
    return lambda value: "" if value is None else of_unit(value, feat.unit)
