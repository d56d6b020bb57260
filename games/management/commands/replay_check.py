"""Whether every stored match is still what its moves make of it; and if not, it is made so again."""

from django.core.management.base import BaseCommand, CommandError
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
    help = "Plays the moves of every match through the rules again, and fails if something stored differs."

    def add_arguments(self, parser):
        parser.add_argument("codes", nargs="*", metavar="code", help="check only these matches")
        parser.add_argument("--since", type=int, default=0, metavar="ID", help="only matches from this number on")
        parser.add_argument(
            "--repair",
            action="store_true",
            help="write anew what does not follow from the moves, which are never written: position, sheet, facts...",
        )

    def handle(self, *, codes, since, repair, **_):
        begun = Match.objects.filter(started_at__isnull=False, pk__gte=since).prefetch_related("seats")
        checked = moves = skipped = wrong = mended = 0
        for match in in_order(with_codes(begun, codes, "has begun")):
            try:
                rules_of(match)
            except Unreadable as reason:
                skipped += 1
                self.stdout.write(f"{match.code} ({match.pk}): skipped. {reason}")
                continue
            checked += 1
            moves += match.move_count
            found = _settled_differences(match)
            if repair and (found or _is_set_aside(match)):
                done, words = _repaired(match.code)
                mended += done
                wrong += not done
                self.stdout.write(f"{match.code} ({match.pk}): {words}")
            elif found:
                wrong += 1
                self.stdout.write(f"{match.code} ({match.pk}): {'; '.join(found)}.")
        counts = f"{checked} match{pluralize(checked, 'es')}, {moves} moves"
        if skipped:
            counts += f", {skipped} skipped"
        if mended:
            counts += f", {mended} mended"
        if wrong:
            raise CommandError(f"Checked {counts}: {wrong} {pluralize(wrong, 'differs,differ')} from the moves.")
        self.stdout.write(f"Checked {counts}: all is as stored.")
        if without := making.missing().filter(ended_at__lt=timezone.now() - making.LOOKED_BACK).count():
            self.stdout.write(
                f"{without} finished {pluralize(without, 'match has,matches have')} no facts yet: run manage.py facts."
            )
        if older := making.outdated().count():
            self.stdout.write(
                f"The facts of {older} {pluralize(older, 'match,matches')} are of an older version: "
                "the site makes them again by and by, manage.py facts at once."
            )


def _facts_made_anew(code):
    """What differed in the facts of a match, which are now as its moves make them."""
    match = Match.objects.get(code=code)
    return ["facts differ"] if match.status == Match.Status.OVER and not match.aside and making.keep(match) else []


def _is_set_aside(match):
    """Whether a running match waits for nothing, because it could not be read."""
    return match.status == Match.Status.PLAYING and match.wake_at is None


def _repaired(code):
    """(whether a match is now as its moves make it, what was done or why not)"""
    try:
        found = repair(code) + _facts_made_anew(code)
    except (BadMoves, Refused) as reason:
        return False, f"left alone: {str(reason).rstrip('.')}."
    return True, f"{'; '.join(found)}. Mended." if found else "set going again."


def _settled_differences(match):
    """What differs although the match was not written while it was looked at."""
    while found := _differences(match):
        again = Match.objects.prefetch_related("seats").get(pk=match.pk)
        if again.revision == match.revision:
            break
        match = again
    return found


def _differences(match):
    """What differs in a match, and if nothing does, in its facts. Those may be missing yet, or of an older version."""
    if not (match.status == Match.Status.OVER and hasattr(match, "facts")) or making.is_outdated(match.facts):
        return differences(match)
    rules = rules_of(match)
    folding = Folding(rules, None)
    found = differences(match, folding.add_played)
    if not found and making.differs(match, making.facts_of_steps(rules, folding.steps)):
        found = ["facts differ"]
    return found
