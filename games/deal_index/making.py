"""Compute the facts of finished matches from their moves, store them and compare them with the stored ones.

The process that keeps the clock computes them (see `store_missing`). Replaying a match costs as much as several moves,
and no player should wait for that.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import reduce
from itertools import groupby
from operator import attrgetter, or_
from typing import Any, NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.catalog import IllegalMove, InvalidOptions, Meaning, Rules, all_games, get_game
from games.deal_index import models, played
from games.deal_index.signals import facts_stored
from games.history.folding import Folding, Step
from games.kit.contract import Standing
from games.kit.facts import HAND, DealFacts
from games.models import Match
from games.play import store
from games.play.versions import BROKEN, Unreadable, rules_of

log = logging.getLogger("valat.facts")

BATCH = 20  # Matches per run.
OLD_BATCH = 5  # The same for outdated facts. Nobody waits for these.
LOOKED_BACK = timedelta(hours=1)  # How far back `store_missing` searches for matches without facts.

_failed: set[int] = set()  # Keys of matches that failed in this process, so that it does not retry them.


class Facts(NamedTuple):
    """The facts of a match. deals: the scored deals by their number in the replay."""

    margin: float  # the lead of the winning side over the second
    deals: dict[int, DealFacts]


def facts_of(match: Match) -> Facts:
    """Replay the moves of a finished match, and return its facts, such as its margin and the points of each deal.

    Raise Unreadable if the moves break the rules, or if this process lacks the version of the rules.
    """
    rules = rules_of(match)
    try:
        folding = Folding(rules, rules.new_match(match.seat_count, match.options))
        folding.add(store.read_moves(match))  # This applies the moves, and keeps a step for each.
    except (IllegalMove, InvalidOptions):
        raise Unreadable(BROKEN) from None
    return facts_of_steps(rules, folding.steps)


def facts_of_steps(rules: Rules, steps: list[Step]) -> Facts:
    """Compute the facts of a match from all its steps."""
    standings = rules.standings(steps[-1].state) if steps else []
    return Facts(_margin(standings), dict(deal_facts(rules, steps)))


def deal_facts(rules: Rules, steps: Iterable[Step]) -> Iterator[tuple[int, DealFacts]]:
    """Yield (number, DealFacts) for each deal of a match that was scored: what its game notes about it.

    Facts are, for example, the trump suit of a deal and the points of each seat. Deals that were thrown in or not
    finished have no facts. steps: all moves of the match in order, with their events and the state after each.
    """
    facts_of_deal = get_game(rules.slug).facts  # A function of the score sheet and the events of a deal.
    for number, group in groupby(steps, attrgetter("deal")):
        events, steps_of_deal = [], list(group)
        for step in steps_of_deal:
            events += step.events
            if any(rules.meaning(event) is Meaning.DEAL_SCORED for event in step.events):
                facts = facts_of_deal(rules.score_sheet(step.state), events)
                hands = _hands(rules, steps_of_deal, len(facts.seats))
                seats = (dict(seat) | {HAND.fact: hand} for seat, hand in zip(facts.seats, hands, strict=True))
                yield number, DealFacts(facts.deal, tuple(seats))


def _hands(rules: Rules, steps: Sequence[Step], seats: int) -> list[str]:
    """Return the cards that each seat was dealt, sorted, with spaces between them. steps: of one deal.

    Some games deal in two parts. So look after the last shuffle, and again before the first card is played.
    """
    shuffle = max(index for index, step in enumerate(steps) if step.seat is None)
    first_play = next((index for index, step in enumerate(steps) if step.trick is not None), shuffle + 1)
    states = [steps[shuffle].state, steps[max(shuffle, first_play - 1)].state]
    return [
        " ".join(sorted({card for state in states for card in rules.view(state, seat).get("hand", ())}))
        for seat in range(seats)
    ]


def _margin(standings: list[Standing]) -> float:
    """Return by how much the winning side of a match is ahead of the second. A side is a team, or a single seat.

    standings: a dict for each seat with its score at the end of the match, and its team (None without partners).
    """
    score_by_side = {
        (line["team"] if line["team"] is not None else ("seat", line["seat"])): line["score"] for line in standings
    }
    scores = sorted(score_by_side.values(), reverse=True)
    return float(abs(scores[0] - scores[1])) if len(scores) > 1 else 0.0


def store_facts(match: Match) -> bool:
    """Compute the facts of a finished match and its deals, and store them if they differ from the stored ones.

    Facts are, for example, the points of each seat in a deal. Return whether they differed. Raise Unreadable, and
    change nothing, if this process can't replay the match.
    """
    facts = facts_of(match)
    # The version rises when a game computes its facts in another way.
    version = {"game": match.game, "version": get_game(match.game).facts_version}
    if not differs(match, facts):
        with transaction.atomic():  # The facts are right already, but may have been computed by an older version.
            models.MatchFacts.objects.filter(match=match).exclude(**version).update(**version)
        return False
    with transaction.atomic():
        # Lock the match: another process that stores the same facts waits here, and then finds no difference.
        Match.objects.select_for_update(of=("self",)).get(pk=match.pk)
        if _facts_differ(match, facts):
            _store_rows(match, facts, version)
        else:
            played.store_rows(match, *facts)  # The facts are right. Only the rows for searches differ.
    return True


def _store_rows(match: Match, facts: Facts, version: dict[str, object]) -> None:
    """Replace the stored facts of a match, of its deals and of each seat in a deal. Tell others by a signal.

    The signal `facts_stored` says whether there were facts before ("anew"). version: the columns of the match with its
    game and the version of the game's facts.
    """
    models.DealFacts.objects.filter(match=match).delete()
    head = {"deals": len(facts.deals), "margin": facts.margin} | version
    _, new = models.MatchFacts.objects.update_or_create(match=match, defaults=head)
    rows = models.DealFacts.objects.bulk_create(
        [models.DealFacts(match=match, number=number, facts=deal.deal) for number, deal in facts.deals.items()]
    )
    seats = dict(match.seats.values_list("number", "pk"))
    models.SeatFacts.objects.bulk_create(
        [
            models.SeatFacts(deal=row, seat_id=seats[number], **_columns(of_seat))
            for row, deal in zip(rows, facts.deals.values(), strict=True)
            for number, of_seat in enumerate(deal.seats)
        ],
        batch_size=1000,
    )
    played.store_rows(match, *facts)
    facts_stored.send(models.MatchFacts, match=match, facts=facts, anew=not new)


def _columns(facts: Mapping[str, Any]) -> dict[str, object]:
    """Return the facts of a seat in a deal as columns: its points, its score, and all others as JSON."""
    others = {key: value for key, value in facts.items() if key not in ("points", "score")}
    return {"points": float(facts["points"]), "score": float(facts["score"]), "facts": others}


def differs(match: Match, facts: Facts | None = None) -> bool:
    """Return whether anything that is stored about a finished match differs from its facts.

    facts: the right ones. If None, compute them from the moves. Raise Unreadable if this process can't replay these.
    """
    facts = facts or facts_of(match)
    return _facts_differ(match, facts) or played.differs(match, *facts)


def _facts_differ(match: Match, facts: Facts) -> bool:
    """Return whether the stored facts of a match are not these: its own, those of a deal or of a seat in a deal.

    Rows of PlayedMatch, which searches read, are compared elsewhere: see `played.differs`.
    """
    head = models.MatchFacts.objects.filter(match=match).values_list("deals", "margin").first()
    if head != (len(facts.deals), facts.margin):
        return True
    deals = dict(models.DealFacts.objects.filter(match=match).values_list("number", "facts"))
    if deals != {number: deal.deal for number, deal in facts.deals.items()}:
        return True
    rows = models.SeatFacts.objects.filter(deal__match=match).values_list(
        "deal__number", "seat__number", "points", "score", "facts"
    )
    expected = {
        (number, seat): tuple(_columns(of_seat).values())
        for number, deal in facts.deals.items()
        for seat, of_seat in enumerate(deal.seats)
    }
    return {(number, seat): tuple(columns) for number, seat, *columns in rows} != expected


def missing(since: datetime | None = None) -> QuerySet[Match]:
    """Return the finished matches whose facts are not stored yet.

    since: only matches that ended after this, or None for all.
    """
    # A match with a value in `aside` has the cards of another match. It counts for nothing, so nobody needs its facts.
    matches = Match.objects.filter(status=Match.Status.OVER, aside="", facts=None)
    return matches if since is None else matches.filter(ended_at__gt=since)


def outdated() -> QuerySet[Match]:
    """Return the finished matches whose stored facts, such as the points of each deal, were computed in an older way.

    A game raises its `facts_version` when it computes other facts. Then its matches need new ones.
    """
    older = [Q(facts__game=game.slug, facts__version__lt=game.facts_version) for game in all_games()]
    return Match.objects.filter(reduce(or_, older), status=Match.Status.OVER, aside="")


def is_outdated(head: models.MatchFacts) -> bool:
    """Return whether an older version of the site computed these facts of a match. head: their row."""
    versions = {game.slug: game.facts_version for game in all_games()}
    return head.version < versions.get(head.game, 0)  # A game that is not here has no newer facts.


def store_missing() -> int:
    """Store the facts of at most BATCH matches that have just ended, within LOOKED_BACK. Return how many succeeded.

    A match that failed is not tried again here. Another process may have its rules, or `manage.py facts` stores it.
    """
    matches = missing(timezone.now() - LOOKED_BACK).exclude(pk__in=_failed).order_by("-ended_at")[:BATCH]
    return _store_each(reversed(matches))


def store_outdated() -> int:
    """Compute the facts of some matches again that an older version of the site has stored. Return their number.

    If there are none, do the same for what searches read: the answers to questions about deals, which follow from the
    facts.
    """
    return _store_each(outdated().exclude(pk__in=_failed)[:OLD_BATCH]) or answer_some()


def answer_some() -> int:
    """Compute again for some matches which answers are true of their deals. Return the number of matches.

    Searches read these answers. They are out of date if the game asks other questions about its deals by now.
    """
    keys = played.matches_to_answer(_failed)
    for key in keys:
        try:
            played.recompute_answers(key)
        except (OperationalError, InterfaceError):
            raise  # The database failed, not the match.
        except Exception:  # One bad match must not stop the others.
            _failed.add(key)
            log.exception("The deals of match %s could not be answered.", key)
    return len(keys)


def _store_each(matches: Iterable[Match]) -> int:
    """Store the facts of these matches. Return how many succeeded. Do not try the others again in this process."""
    count = 0
    for match in list(matches):
        try:
            store_facts(match)
            count += 1
        except Unreadable:  # This process lacks the rules of the match.
            _failed.add(match.pk)
        except (OperationalError, InterfaceError):
            raise  # The database failed, not the match.
        except Exception:  # One bad match must not stop the others.
            _failed.add(match.pk)
            log.exception("The facts of match %s could not be stored.", match.code)
    return count


def forget() -> None:
    """Forget the failed matches. Tests need this because keys repeat between them."""
    _failed.clear()
