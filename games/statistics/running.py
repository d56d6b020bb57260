"""The figures of a user's matches at a game, as plain data that is updated match by match."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from operator import add
from typing import Any, NamedTuple, TypedDict

from games.kit.facts import Feat, Tally
from games.kit.game import Game

DEAL_PREFIX = "deal_"  # The prefix of keys of facts about the whole deal.
WIN, SCORE = "win", "score"  # Keys of bests about whole matches. Feats of the game have their own.

NOTHING: dict[str, Any] = {"results": [], "people": [], "tallies": [], "partners": {}, "bests": {}}
FORMAT = 2  # Raise it if `Running.add` counts the same facts in another way.

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
    """One player's part in a match. month: its first day. deals: (number, facts as from `merge_facts`), in order."""

    match: int
    month: date
    seats: int
    finish: int
    score: float
    margin: float  # The winner's lead over the second.
    others: Iterable[Other]
    deals: Iterable[tuple[int, Facts]]


def merge_facts(of_seat: Facts, of_deal: Facts) -> Facts:
    """Merge the facts of a seat and of its deal. Keys of the deal get the prefix DEAL_PREFIX."""
    return {**of_seat, **{f"{DEAL_PREFIX}{key}": value for key, value in of_deal.items()}}


def definition_hash(game: Game) -> str:
    """Return a hash of all that the statistics of a game count, so that a change of the game is noticed.

    It is stored with a player's figures. If the game has another hash later, the figures must be rebuilt.
    """
    statistics = game.statistics
    assert statistics
    feats = [(feat.kind, dict(feat.where), feat.fact, dict(feat.among)) for feat in statistics.feats]
    figures = [(figure.head, figure.kind, figure.fact) for figure in statistics.with_partner]
    definition = (FORMAT, statistics.facts, statistics.sums, feats, figures)
    return sha256(repr(definition).encode()).hexdigest()[:16]


class Running:
    """The figures of one user at one game. Matches must be added in the order of their ends."""

    def __init__(self, game: Game, stored: Mapping[str, Any] | None = None) -> None:
        """stored: an earlier result of `as_json`."""
        assert game.statistics
        stored = stored or NOTHING
        self._statistics = game.statistics
        self._results = Counter({tuple(key): count for key, count in stored["results"]})
        self._people = {(user, together): counts for user, together, *counts in stored["people"]}
        self._tallies = {tuple(facts): (deals, sums) for facts, deals, sums in stored["tallies"]}
        self._partners = {int(user): values for user, values in stored["partners"].items()}
        self.bests: dict[str, dict[str, Any]] = dict(stored["bests"])

    def as_json(self) -> dict[str, Any]:
        """Return all figures as data for JSON, from which `__init__` can restore them.

        The keys of JSON objects cannot be tuples, so dicts with such keys become lists of rows.
        """
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
        """Return the counts of matches with each partner, or against each opponent, most matches first.

        They are by the primary key of the other user. together: True for partners, False for opponents.
        """
        people = {user: counts for (user, is_partner), counts in self._people.items() if is_partner == together}
        by_matches = sorted(people, key=lambda user: (-people[user][0], user))  # The first count is of all matches.
        return {user: _person_counts(*people[user]) for user in by_matches}

    @property
    def tallies(self) -> list[Tally]:
        keys, sums = self._statistics.facts, self._statistics.sums
        return [
            Tally(dict(zip(keys, facts, strict=True)), deals, dict(zip(sums, totals, strict=True)))
            for facts, (deals, totals) in self._tallies.items()
        ]

    @property
    def partners(self) -> dict[int, list[float]]:
        """The figures of the deals with each partner, most deals first.

        They are lists by the key of the partner, in the order of the game's `with_partner`.
        """
        deal_counts = {user: deals for user, (deals, *_) in self._partners.items()}
        by_deals = sorted(deal_counts, key=lambda user: (-deal_counts[user], user))
        return {user: [*self._figure_values(*self._partners[user])] for user in by_deals}

    def _figure_values(self, deals: int, *totals: float) -> Iterator[float]:
        """Yield the value of each figure with a partner: a number, or else the average over the deals."""
        for figure, total in zip(self._statistics.with_partner, totals, strict=True):
            yield total if figure.kind == "number" else total / deals

    def add(self, part: Part) -> None:
        """Add one more match of the user to all their figures. It must have ended after the matches added before.

        part: the user's result, the other players and the deals.
        """
        others = list(part.others)
        has_won = part.finish == 1
        self._results[part.month.isoformat(), part.seats, part.finish] += 1
        for other in others:
            played, won, ahead = self._people.get((other.user, other.together), (0, 0, 0))
            is_ahead = part.finish < other.finish
            self._people[other.user, other.together] = [played + 1, won + has_won, ahead + is_ahead]
        if has_won and part.margin > 0:
            self._note_highest(WIN, part.margin, part.match, None)
        self._note_highest(SCORE, part.score, part.match, None)
        partners = [other.user for other in others if other.together] if self._statistics.with_partner else []
        for number, facts in part.deals:
            self._add_to_tally(facts)
            for partner in partners:
                self._add_to_partner(partner, facts)
            for feat in self._statistics.feats:
                self._note_feat(feat, facts, part.match, number)

    def _add_to_tally(self, facts: Facts) -> None:
        """Count a deal together with all earlier deals that have the same facts, and add up its points.

        The game names the facts that must be the same, and the numbers to add up. facts: the data of the deal by name.
        """
        compared_names, added_names = self._statistics.facts, self._statistics.sums
        key = tuple(facts[name] for name in compared_names)
        deals, sums = self._tallies.get(key, (0, [0.0] * len(added_names)))
        new_sums = [total + (facts[name] or 0) for name, total in zip(added_names, sums, strict=True)]
        self._tallies[key] = deals + 1, new_sums

    def _add_to_partner(self, partner: int, facts: Facts) -> None:
        """Add a deal to the figures with a partner. They are stored as the number of deals, and a total of each figure.

        For a mean the total is the sum of a fact of the deals, otherwise the number of deals that meet a condition.
        partner: the key of the user. facts: the data of the deal by name.
        """
        figures = self._statistics.with_partner
        deals, *totals = self._partners.get(partner, [0] * (1 + len(figures)))
        amounts = [facts[figure.fact] if figure.kind == "mean" else figure.holds(facts) for figure in figures]
        self._partners[partner] = [deals + 1, *map(add, totals, amounts)]

    def _note_feat(self, feat: Feat, facts: Facts, match: int, deal: int) -> None:
        """Store a deal as the player's best at a feat (an achievement that the game defines), if it is.

        By the kind of the feat, the best is the first deal with the feat, the one with the largest value, or the end of
        the longest run of such deals.

        facts: the data of the deal by name. match: its key. deal: its number in the match.
        """
        has_feat = all(facts[name] == value for name, value in feat.where.items())
        if feat.kind == "run":
            # A run goes on over deals that can neither continue nor end it.
            if all(facts[name] in values for name, values in feat.among.items()):
                self._note_run(feat.words, has_feat, match, deal)
        elif has_feat and feat.kind == "most":
            if (facts[feat.fact] or 0) > 0:
                self._note_highest(feat.words, facts[feat.fact], match, deal)
        elif has_feat and feat.words not in self.bests:  # Only the first such deal counts.
            self.bests[feat.words] = {"value": None, "match": match, "deal": deal}

    def _note_highest(self, words: str, value: float, match: int, deal: int | None) -> None:
        """Store a value as the player's best if it is higher than before. deal: None if it is of a whole match."""
        best = self.bests.get(words)
        if best is None or value > best["value"]:
            self.bests[words] = {"value": value, "match": match, "deal": deal}

    def _note_run(self, words: str, has_feat: bool, match: int, deal: int) -> None:
        """Continue or end the present run of deals with a feat, and store it if it is the longest.

        In the stored best, "now" is the length of the present run, and "value" that of the longest one.

        words: the name of the feat. has_feat: whether this deal has it. match, deal: the match and number of the deal.
        """
        best = self.bests.get(words, {"value": 0, "match": None, "deal": None, "now": 0})
        length = best["now"] + 1 if has_feat else 0
        if length > best["value"]:
            best = {"value": length, "match": match, "deal": deal}
        self.bests[words] = best | {"now": length}


def _person_counts(played: int, won: int, ahead: int) -> PersonCounts:
    return {"played": played, "won": won, "ahead": ahead}
