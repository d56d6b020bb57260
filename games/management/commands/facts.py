"""Compute the facts of finished matches, which searches and statistics need, from their moves."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet
from django.template.defaultfilters import pluralize

from games.deal_index import making
from games.models import Match
from games.play.versions import Unreadable

BATCH = 100  # the number of matches read at a time


class Command(BaseCommand):
    help = (
        "Computes and stores the facts of finished matches that have no facts, or facts of an older version. "
        "With --all it does so for every finished match."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("codes", nargs="*", metavar="code", help="compute only the facts of these matches, again")
        parser.add_argument("--all", action="store_true", help="compute the facts of every match again")
        parser.add_argument("--since", type=int, default=0, metavar="ID", help="only matches from this ID on")

    def handle(self, *, codes: Sequence[str], since: int, **options: Any) -> None:
        over = Match.objects.filter(status=Match.Status.OVER, aside="")
        matches = over if codes or options["all"] else making.missing() | making.outdated()
        matches = with_codes(matches.filter(pk__gte=since), codes, "is over")
        checked = stored = skipped = 0
        for match in in_order(matches):
            checked += 1
            try:
                stored += making.store_facts(match)
            except Unreadable as reason:
                skipped += 1
                self.stdout.write(f"{match.code} ({match.pk}): skipped. {reason}")
        while not codes and (answered_count := making.answer_some()):
            stored += answered_count
        words = f", {skipped} skipped" if skipped else ""
        self.stdout.write(f"Checked {checked} match{pluralize(checked, 'es')}{words}: stored the facts of {stored}.")


def with_codes(matches: QuerySet[Match], codes: Sequence[str], condition: str) -> QuerySet[Match]:
    """Return the matches with these codes, or all of them without codes. Raise `CommandError` for an unknown code.

    condition: a phrase for the error that is true of all `matches`, such as "has begun".
    """
    if not codes:
        return matches
    matches = matches.filter(code__in=codes)
    if unknown := set(codes).difference(matches.values_list("code", flat=True)):
        raise CommandError(f"No match that {condition} has the code {', '.join(sorted(unknown))}.")
    return matches


def in_order(matches: QuerySet[Match]) -> Iterator[Match]:
    """Yield matches in the order of their primary keys. Only BATCH of them are in memory at once."""
    last = 0
    while batch := list(matches.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield from batch
        last = batch[-1].pk
