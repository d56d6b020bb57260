"""The figures of a user's matches at a game, as plain data that is updated match by match."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from operator import add
from typing import Any, NamedTuple, TypedDict

from games.kit.facts import Feat, Tally
from games.kit.game import Game

OF_DEAL = "deal_"  # The prefix of keys of facts about the whole deal.
WIN, SCORE = "win", "score"  # Keys of bests about whole matches. Feats of the game have their own.

NOTHING: dict[str, Any] = {"results": [], "people": [], "tallies": [], "partners": {}, "bests": {}}

type Facts = Mapping[str, Any]


class ResultLine(TypedDict):
    """The number of matches with the same month (its first day), number of seats and finish."""

    month: date
    seats: int
    finish: int
    matches: int


class PersonCounts(TypedDict):
    """Matches with another user: all, those won, and those in which this user finished before the other."""

    played: int
    won: int
    ahead: int


class Other(NamedTuple):
    """Another player of a match. user: their key. together: whether they were a partner."""

    user: int
    together: bool
    finish: int


class Part(NamedTuple):
    """One player's part in a match. month: its first day. deals: (number, facts as from `merged`), in order."""

    match: int
    month: date
    seats: int
    finish: int
    score: float
    margin: float  # The winner's lead over the second.
    others: Iterable[Other]
    deals: Iterable[tuple[int, Facts]]


def merged(of_seat: Facts, of_deal: Facts) -> Facts:
    """Merge the facts of a seat and of its deal. Keys of the deal get the prefix OF_DEAL."""
    return {**of_seat, **{f"{OF_DEAL}{key}": value for key, value in of_deal.items()}}


def definition(game: Game) -> str:
    """Return a hash of what a game counts. Stored figures with another hash must be rebuilt."""
    statistics = game.statistics
    assert statistics
    feats = [(feat.kind, dict(feat.where), feat.fact, dict(feat.among)) for feat in statistics.feats]
    figures = [(figure.head, figure.kind, figure.fact) for figure in statistics.with_partner]
    return sha256(repr((2, statistics.facts, statistics.sums, feats, figures)).encode()).hexdigest()[:16]


class Running:
    """The figures of one user at one game. Matches must be added in the order of their ends."""

    def __init__(self, game: Game, stored: Mapping[str, Any] | None = None) -> None:
        """stored: an earlier result of `stored`."""
        assert game.statistics
        stored = stored or NOTHING
        self._statistics = game.statistics
        self._results = Counter({tuple(key): count for key, count in stored["results"]})
        self._people = {(user, together): counts for user, together, *counts in stored["people"]}
        self._tallies = {tuple(facts): (deals, sums) for facts, deals, sums in stored["tallies"]}
        self._partners = {int(user): values for user, values in stored["partners"].items()}
        self.bests: dict[str, dict[str, Any]] = dict(stored["bests"])

    def stored(self) -> dict[str, Any]:
        """Return all figures as data for JSON."""
        tallies = [[list(facts), deals, sums] for facts, (deals, sums) in self._tallies.items()]
        return {
            "results": [[list(key), count] for key, count in self._results.items()],
            "people": [[*key, *counts] for key, counts in self._people.items()],
            "tallies": tallies,
            "partners": self._partners,
            "bests": self.bests,
        }

    @property
    def results(self) -> list[ResultLine]:
        return [
            {"month": date.fromisoformat(month), "seats": seats, "finish": finish, "matches": count}
            for (month, seats, finish), count in sorted(self._results.items())
        ]

    def people(self, together: bool) -> dict[int, PersonCounts]:
        """Return the counts with each partner or each opponent, most matches first."""
        people = {user: counts for (user, partner), counts in self._people.items() if partner == together}
        most = sorted(people, key=lambda user: (-people[user][0], user))
        return {user: _person_counts(*people[user]) for user in most}

    @property
    def tallies(self) -> list[Tally]:
        keys, sums = self._statistics.facts, self._statistics.sums
        return [
            Tally(dict(zip(keys, facts, strict=True)), deals, dict(zip(sums, totals, strict=True)))
            for facts, (deals, totals) in self._tallies.items()
        ]

    @property
    def partners(self) -> dict[int, list[float]]:
        """Values of each figure in the deals with a partner, by user, most deals first."""
        most = sorted(self._partners, key=lambda user: (-self._partners[user][0], user))
        return {user: [*self._values(*self._partners[user])] for user in most}

    def _values(self, deals: int, *totals: float) -> Iterator[float]:
        for figure, total in zip(self._statistics.with_partner, totals, strict=True):
            yield total if figure.kind == "number" else total / deals

    def add(self, part: Part) -> None:
        """Add the user's part in a match."""
        others = list(part.others)
        self._results[part.month.isoformat(), part.seats, part.finish] += 1
        for other in others:
            counts = self._people.get((other.user, other.together), (0, 0, 0))
            added = (1, part.finish == 1, part.finish < other.finish)
            self._people[other.user, other.together] = [*map(add, counts, added)]
        if part.finish == 1 and part.margin > 0:
            self._most(WIN, part.margin, part.match, None)
        self._most(SCORE, part.score, part.match, None)
        partners = [other.user for other in others if other.together] if self._statistics.with_partner else []
        for number, facts in part.deals:
            self._tally(facts)
            for partner in partners:
                self._tally_with(partner, facts)
            for feat in self._statistics.feats:
                self._look_at(feat, facts, part.match, number)

    def _tally(self, facts: Facts) -> None:
        key = tuple(facts[name] for name in self._statistics.facts)
        deals, sums = self._tallies.get(key, (0, [0.0] * len(self._statistics.sums)))
        added = [total + (facts[name] or 0) for total, name in zip(sums, self._statistics.sums, strict=True)]
        self._tallies[key] = deals + 1, added

    def _tally_with(self, partner: int, facts: Facts) -> None:
        figures = self._statistics.with_partner
        deals, *totals = self._partners.get(partner, [0] * (1 + len(figures)))
        added = [facts[figure.fact] if figure.kind == "mean" else figure.holds(facts) for figure in figures]
        self._partners[partner] = [deals + 1, *map(add, totals, added)]

    def _look_at(self, feat: Feat, facts: Facts, match: int, deal: int) -> None:
        holds = all(facts[name] == value for name, value in feat.where.items())
        if feat.kind == "run":
            if all(facts[name] in values for name, values in feat.among.items()):
                self._run(feat.words, holds, match, deal)
        elif holds and feat.kind == "most":
            if (facts[feat.fact] or 0) > 0:
                self._most(feat.words, facts[feat.fact], match, deal)
        elif holds and feat.words not in self.bests:
            self.bests[feat.words] = {"value": None, "match": match, "deal": deal}

    def _most(self, words: str, value: float, match: int, deal: int | None) -> None:
        best = self.bests.get(words)
        if best is None or value > best["value"]:
            self.bests[words] = {"value": value, "match": match, "deal": deal}

    def _run(self, words: str, holds: bool, match: int, deal: int) -> None:
        best = self.bests.get(words, {"value": 0, "match": None, "deal": None, "now": 0})
        now = best["now"] + 1 if holds else 0
        if now > best["value"]:
            best = {"value": now, "match": match, "deal": deal}
        self.bests[words] = best | {"now": now}


def _person_counts(played: int, won: int, ahead: int) -> PersonCounts:
    return {"played": played, "won": won, "ahead": ahead}
