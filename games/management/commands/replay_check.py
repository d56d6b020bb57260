"""Check that the stored data of every match follows from its moves, and repair it on request."""

from collections.abc import Sequence

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.defaultfilters import pluralize
from django.utils import timezone

from games.deal_index import making
from games.history.folding import Folding
from games.management.commands.facts import in_order, with_codes
from games.models import Match
from games.play.errors import Refused
from games.play.repair import BadMoves, differences, repair
from games.play.versions import Unreadable, rules_of


class Command(BaseCommand):
    help = "Replays the moves of every match by its rules, and fails if any stored data differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("codes", nargs="*", metavar="code", help="check only these matches")
        parser.add_argument("--since", type=int, default=0, metavar="ID", help="only matches from this ID on")
        parser.add_argument(
            "--repair",
            action="store_true",
            help="correct data that differs, such as position, score sheet and facts; moves are never changed",
        )

    def handle(self, *, codes: Sequence[str], since: int, repair: bool, **_: object) -> None:
        begun = Match.objects.filter(started_at__isnull=False, pk__gte=since).prefetch_related("seats")
        checked = moves = skipped = wrong = repaired = 0
        for match in in_order(with_codes(begun, codes, "has begun")):
            try:
                rules_of(match)
            except Unreadable as reason:
                skipped += 1
                self.stdout.write(f"{match.code} ({match.pk}): skipped. {reason}")
                continue
            checked += 1
            moves += match.move_count
            differing = _settled_differences(match)
            if repair and (differing or _is_suspended(match)):
                success, words = _repair(match.code)
                repaired += success
                wrong += not success
                self.stdout.write(f"{match.code} ({match.pk}): {words}")
            elif differing:
                wrong += 1
                self.stdout.write(f"{match.code} ({match.pk}): {'; '.join(differing)}.")
        counts = f"{checked} match{pluralize(checked, 'es')}, {moves} moves"
        if skipped:
            counts += f", {skipped} skipped"
        if repaired:
            counts += f", {repaired} repaired"
        if wrong:
            raise CommandError(f"Checked {counts}: {wrong} {pluralize(wrong, 'differs,differ')} from the moves.")
        self.stdout.write(f"Checked {counts}: no differences.")
        if without := making.missing().filter(ended_at__lt=timezone.now() - making.LOOKED_BACK).count():
            self.stdout.write(
                f"{without} finished {pluralize(without, 'match has,matches have')} no facts yet: run manage.py facts."
            )
        if older := making.outdated().count():
            self.stdout.write(
                f"The facts of {older} {pluralize(older, 'match,matches')} are of an older version: "
                "the site updates them gradually, manage.py facts at once."
            )


def _repair_facts(code: str) -> list[str]:
    """Compute the facts of a match again: the data of its deals for searches and statistics.

    Return a phrase in a list if the stored ones differed, else an empty list.
    """
    match = Match.objects.get(code=code)
    has_facts = match.status == Match.Status.OVER and not match.aside
    return ["facts differ"] if has_facts and making.store_facts(match) else []


def _is_suspended(match: Match) -> bool:
    """Return whether no clock wakes a running match, because it could not be read."""
    return match.status == Match.Status.PLAYING and match.wake_at is None


def _repair(code: str) -> tuple[bool, str]:
    """Repair the stored data of a match. Return whether that succeeded, and words about the repair or the failure."""
    try:
        differing = repair(code) + _repair_facts(code)
    except (BadMoves, Refused) as reason:
        return False, f"not repaired: {str(reason).rstrip('.')}."
    return True, f"{'; '.join(differing)}. Repaired." if differing else "resumed."


def _settled_differences(match: Match) -> list[str]:
    """Return how stored data of a match differ from what follows from its moves, as phrases.

    A match may change during the check. If there are differences, read it again, and repeat the check if it changed.
    """
    while differing := _differences(match):
        newest = Match.objects.prefetch_related("seats").get(pk=match.pk)
        if newest.revision == match.revision:
            break
        match = newest
    return differing


def _differences(match: Match) -> list[str]:
    """Return how stored data of a match differ from what follows from its moves, as phrases; empty if all is well.

    Its facts (the data of its deals for searches and statistics) are checked too, but only if nothing else differs.
    Missing and outdated facts are no difference.
    """
    has_facts = match.status == Match.Status.OVER and hasattr(match, "facts")
    if not has_facts or making.is_outdated(match.facts):
        return differences(match)
    rules = rules_of(match)
    folding = Folding(rules, None)
    differing = differences(match, folding.add_played)  # `folding` gets each move with the state after it.
    if not differing and making.differs(match, making.facts_of_steps(rules, folding.steps)):
        differing = ["facts differ"]
    return differing
