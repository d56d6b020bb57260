"""The facts of a match, made from its moves by its game and stored; and whether those stored are what its moves make.

They are made once a match is over, by whoever keeps the clock (see `keep_missing`): to fold a match again costs as much
as some of its moves, which no player should wait for, and a move that scores nothing costs what it did.
"""

import logging
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import reduce
from itertools import groupby
from operator import attrgetter, or_
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from games.catalog import IllegalMove, InvalidOptions, Meaning, Rules, all_games, get_game
from games.deal_index import models, played
from games.deal_index.signals import facts_stored
from games.history.folding import Folding, Step
from games.kit.facts import DealFacts
from games.models import Match
from games.play import store
from games.play.versions import BROKEN, Unreadable, rules_of

log = logging.getLogger("valat.facts")

BATCH = 20  # matches in a row
OLD_BATCH = 5  # of those whose facts an older version of the site has made: nobody waits for them
LOOKED_BACK = timedelta(hours=1)  # for matches that have ended without anybody keeping their facts

_failed: set[int] = set()  # matches, by key, whose facts this process can't make: it doesn't fold them again and again


class Made(NamedTuple):
    """The facts of a match. deals: by number in the replay; deals that were not scored are left out."""

    margin: float
    deals: dict[int, DealFacts]


def facts_of(match: Match) -> Made:
    """The facts that the moves of a finished match make. Raises Unreadable."""
    rules = rules_of(match)
    try:
        folding = Folding(rules, rules.new_match(match.seat_count, match.options))
        folding.add(store.read_moves(match))
    except (IllegalMove, InvalidOptions):
        raise Unreadable(BROKEN) from None
    return facts_of_steps(rules, folding.steps)


def facts_of_steps(rules: Rules, steps: list[Step]) -> Made:
    """The same of all the steps of a match."""
    standings = rules.standings(steps[-1].state) if steps else []
    return Made(_margin(standings), dict(deal_facts(rules, steps)))


def deal_facts(rules: Rules, steps: Iterable[Step]) -> Iterator[tuple[int, DealFacts]]:
    """Yield (number, DealFacts) for each deal that was scored. steps: all of a match."""
    facts = get_game(rules.slug).facts
    for number, of_deal in groupby(steps, attrgetter("deal")):
        events = []
        for step in of_deal:
            events += step.events
            if any(rules.meaning(event) is Meaning.DEAL_SCORED for event in step.events):
                yield number, facts(rules.score_sheet(step.state), events)


def _margin(standings: list[dict]) -> float:
    """By how much the best were ahead of the next side."""
    sides = {
        (line["team"] if line["team"] is not None else ("seat", line["seat"])): line["score"] for line in standings
    }
    scores = sorted(sides.values(), reverse=True)
    return float(abs(scores[0] - scores[1])) if len(scores) > 1 else 0.0


def keep(match: Match) -> bool:
    """Store the facts of a finished match, in place of those it has. Returns whether anything was other than they are.

    Raises Unreadable, and leaves them alone, where its rules are not here.
    """
    made = facts_of(match)
    version = {"game": match.game, "version": get_game(match.game).facts_version}
    if not differs(match, made):
        with transaction.atomic():
            models.MatchFacts.objects.filter(match=match).exclude(**version).update(**version)
        return False
    with transaction.atomic():
        # Whoever else is at it now waits, and finds it done.
        Match.objects.select_for_update(of=("self",)).get(pk=match.pk)
        if _facts_differ(match, made):
            _store(match, made, version)
        else:
            played.keep(match, *made)  # only its rows are missing: nothing that was made of the facts is of yesterday
    return True


def _store(match: Match, made: Made, version: dict) -> None:
    models.DealFacts.objects.filter(match=match).delete()
    head = {"deals": len(made.deals), "margin": made.margin} | version
    _, new = models.MatchFacts.objects.update_or_create(match=match, defaults=head)
    deals = models.DealFacts.objects.bulk_create(
        [models.DealFacts(match=match, number=number, facts=facts.deal) for number, facts in made.deals.items()]
    )
    seats = dict(match.seats.values_list("number", "pk"))
    models.SeatFacts.objects.bulk_create(
        [
            models.SeatFacts(deal=deal, seat_id=seats[number], **_columns(of_seat))
            for deal, facts in zip(deals, made.deals.values(), strict=True)
            for number, of_seat in enumerate(facts.seats)
        ],
        batch_size=1000,
    )
    played.keep(match, *made)
    facts_stored.send(models.MatchFacts, match=match, made=made, anew=not new)


def _columns(facts: dict) -> dict:
    """A seat's facts as SeatFacts has them."""
    others = {key: value for key, value in facts.items() if key not in ("points", "score")}
    return {"points": float(facts["points"]), "score": float(facts["score"]), "facts": others}


def differs(match: Match, made: Made | None = None) -> bool:
    """Whether the facts stored of a finished match are other than its moves make. Raises Unreadable."""
    made = made or facts_of(match)
    return _facts_differ(match, made) or played.differs(match, *made)


def _facts_differ(match: Match, made: Made) -> bool:
    head = models.MatchFacts.objects.filter(match=match).values_list("deals", "margin").first()
    if head != (len(made.deals), made.margin):
        return True
    deals = dict(models.DealFacts.objects.filter(match=match).values_list("number", "facts"))
    if deals != {number: facts.deal for number, facts in made.deals.items()}:
        return True
    rows = models.SeatFacts.objects.filter(deal__match=match).values_list(
        "deal__number", "seat__number", "points", "score", "facts"
    )
    wanted = {
        (number, seat): tuple(_columns(of_seat).values())
        for number, facts in made.deals.items()
        for seat, of_seat in enumerate(facts.seats)
    }
    return {(number, seat): tuple(rest) for number, seat, *rest in rows} != wanted


def missing(since=None):
    """The finished matches without facts, of those that ended after a moment if one is given."""
    matches = Match.objects.filter(status=Match.Status.OVER, aside="", facts=None)
    return matches if since is None else matches.filter(ended_at__gt=since)


def outdated():
    """The finished matches whose facts were made by an older version of the site than this."""
    older = [Q(facts__game=game.slug, facts__version__lt=game.facts_version) for game in all_games()]
    return Match.objects.filter(reduce(or_, older), status=Match.Status.OVER, aside="")


def is_outdated(head: models.MatchFacts) -> bool:
    """Whether the facts of this MatchFacts are such."""
    games = {game.slug: game.facts_version for game in all_games()}
    return head.version < games.get(head.game, 0)


def keep_missing() -> int:
    """Store the facts of some matches that have ended lately. Returns how many there were.

    One that fails is left to other processes, which may have its rules, and to `manage.py facts`.
    """
    found = missing(timezone.now() - LOOKED_BACK).exclude(pk__in=_failed).order_by("-ended_at")[:BATCH]
    return _kept(reversed(found))


def keep_outdated() -> int:
    """Make some of the facts and answers again that are of an older version. Returns how many matches there were."""
    return _kept(outdated().exclude(pk__in=_failed)[:OLD_BATCH]) or answer_some()


def answer_some() -> int:
    """Have the deals of some matches answer today's questions. Returns how many matches there were."""
    keys = played.to_answer(_failed)
    for key in keys:
        try:
            played.answer(key)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            _failed.add(key)
            log.exception("The deals of match %s could not be answered.", key)
    return len(keys)


def _kept(matches: Iterable[Match]) -> int:
    kept = 0
    for match in list(matches):
        try:
            keep(match)
            kept += 1
        except Unreadable:
            _failed.add(match.pk)
        except (OperationalError, InterfaceError):
            raise  # that is not this match's fault
        except Exception:  # of one match: the others have theirs
            _failed.add(match.pk)
            log.exception("The facts of match %s could not be stored.", match.code)
    return kept


def forget() -> None:
    """Try all again, for tests: their matches have the same keys."""
    _failed.clear()
