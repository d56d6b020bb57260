"""What a player's record has that is worth looking up: the first, the most, the longest; each leads to its deal."""

from games.kit.facts import of_unit
from games.kit.language import lazy
from games.kit.words import with_sign
from games.models import Match
from games.statistics.running import SCORE, WIN


def bests(running, game):
    """[{"words", "value", "code", "deal", "at"}] of a Running at a Game, those that there are. deal: None for a match.

    One query.
    """
    told = [(WIN, lazy("Match won by most"), with_sign), (SCORE, lazy("Highest score in a match"), with_sign)]
    told += [(feat.words, feat.words, _words_of(feat)) for feat in game.statistics.feats]
    found = [(words, value_words, running.bests[key]) for key, words, value_words in told if _counts(running, key)]
    matches = Match.objects.only("code", "ended_at").in_bulk({best["match"] for *_, best in found})
    return [
        {"words": words, "value": value_words(best["value"]), "code": match.code, "deal": best["deal"]}
        | {"at": match.ended_at}
        for words, value_words, best in found
        if (match := matches.get(best["match"]))
    ]


def _counts(running, key):
    """Whether there is such a best: a run has two deals at least."""
    best = running.bests.get(key)
    return best is not None and ("now" not in best or best["value"] > 1)


def _words_of(feat):
    """A function of the value of a feat's best: its words, none of what was only the first."""
    return lambda value: "" if value is None else of_unit(value, feat.unit)
