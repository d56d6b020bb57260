"""The ratings, made again from the record of rated matches."""

from django.core.management.base import BaseCommand
from django.template.defaultfilters import pluralize

from games.ratings import keeping


class Command(BaseCommand):
    help = "Makes all ratings again from the record of rated matches. What comes out is what was there."

    def handle(self, **options):
        made = keeping.recompute()
        self.stdout.write(f"Rated {made} match{pluralize(made, 'es')} again.")
