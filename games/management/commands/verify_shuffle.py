"""Whether the decks of a finished match follow from the seed that was promised before its first deal."""

from django.core.management.base import BaseCommand, CommandError

from games.history.verification import verify
from games.models import Match
from games.play.errors import Refused


class Command(BaseCommand):
    help = "Shuffles every deal of a finished match again from its seed, and fails if a deck differs."

    def add_arguments(self, parser):
        parser.add_argument("code")

    def handle(self, *, code, **_):
        match = Match.objects.filter(code=code).first()
        if match is None:
            raise CommandError(f"There is no match {code}.")
        try:
            found = verify(match)
        except Refused as refusal:
            raise CommandError(f"{code}: {refusal}") from None
        wrong = []
        if not found.commitments:
            wrong.append("the seed, or what a browser gave, is not what was promised")
        if not found.lot:
            wrong.append("the seats were not drawn by the seed")
        wrong += [f"deck {number} is another" for number, ok in found.decks.items() if not ok]
        if wrong:
            raise CommandError(f"{code}: {'; '.join(wrong)}.")
        self.stdout.write(
            f"{code}: verified. The seed has the promised hash, and the seats and all {len(found.decks)} decks follow "
            "from it."
        )
