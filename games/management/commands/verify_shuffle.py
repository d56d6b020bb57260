"""Check the decks of a finished match against the seed that was promised before its first deal."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.history.verification import verify
from games.models import Match
from games.play.errors import Refused


class Command(BaseCommand):
    help = "Shuffles every deal of a finished match again from its seed, and fails if a deck differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="the code of the match")

    def handle(self, *, code: str, **_: object) -> None:
        match = Match.objects.filter(code=code).first()
        if match is None:
            raise CommandError(f"There is no match {code}.")
        try:
            verification = verify(match)
        except Refused as refusal:
            raise CommandError(f"{code}: {refusal}") from None
        wrong = []
        if not verification.commitments:
            wrong.append("the seed, or the contribution of a browser, does not match its promise")
        if not verification.lot:
            wrong.append("the seats do not follow from the seed")
        wrong += [f"deck {number} differs" for number, ok in verification.decks.items() if not ok]
        if wrong:
            raise CommandError(f"{code}: {'; '.join(wrong)}.")
        self.stdout.write(
            f"{code}: verified. The seed has the promised hash. "
            f"The seats and all {len(verification.decks)} decks follow from it."
        )
