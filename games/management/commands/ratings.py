"""Recompute the ratings."""

from django.core.management.base import BaseCommand
from django.template.defaultfilters import pluralize

from games.ratings import updates


class Command(BaseCommand):
    help = "Recomputes all ratings from the record of rated matches. Ratings that were correct stay the same."

    def handle(self, **_: object) -> None:
        count = updates.recompute()
        self.stdout.write(f"Rated {count} match{pluralize(count, 'es')} again.")
