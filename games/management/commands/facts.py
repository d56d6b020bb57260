"""The facts of finished matches, made from their moves and stored for searches and statistics."""

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import pluralize

from games.deal_index import making
from games.models import Match
from games.play.versions import Unreadable

BATCH = 100  # matches read at a time


class Command(BaseCommand):
    help = (
        "Stores the facts of finished matches that have none or such as an older version made; "
        "with --all makes those of every match again."
    )

    def add_arguments(self, parser):
        parser.add_argument("codes", nargs="*", metavar="code", help="make those of these matches only, again")
        parser.add_argument("--all", action="store_true", help="make those of every match again")
        parser.add_argument("--since", type=int, default=0, metavar="ID", help="only matches from this number on")

    def handle(self, *, codes, since, **options):
        over = Match.objects.filter(status=Match.Status.OVER, aside="")
        matches = over if codes or options["all"] else making.missing() | making.outdated()
        matches = with_codes(matches.filter(pk__gte=since), codes, "is over")
        looked = stored = skipped = 0
        for match in in_order(matches):
            looked += 1
            try:
                stored += making.keep(match)
            except Unreadable as reason:
                skipped += 1
                self.stdout.write(f"{match.code} ({match.pk}): skipped. {reason}")
        while not codes and (answered := making.answer_some()):
            stored += answered
        words = f", {skipped} skipped" if skipped else ""
        self.stdout.write(f"Looked at {looked} match{pluralize(looked, 'es')}{words}: stored the facts of {stored}.")


def with_codes(matches, codes, what):
    """Return those of `matches` that have these codes, all of them where none is named.

    what: is true of all `matches`. Raises CommandError for codes that none of them has.
    """
    if not codes:
        return matches
    matches = matches.filter(code__in=codes)
    if unknown := set(codes).difference(matches.values_list("code", flat=True)):
        raise CommandError(f"No match that {what} has the code {', '.join(sorted(unknown))}.")
    return matches


def in_order(matches):
    """Yield matches by number. No more than BATCH are in memory."""
    last = 0
    while batch := list(matches.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield from batch
        last = batch[-1].pk
