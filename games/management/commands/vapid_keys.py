"""Create the key that signs the push messages of a site."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.secret_key import append_line
from games.notifications import push


class Command(BaseCommand):
    help = "Creates the key that signs push messages, and adds it to .env."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--print", action="store_true", help="only print the line for the settings")

    def handle(self, **options: Any) -> None:
        if settings.VAPID_PRIVATE_KEY:
            raise CommandError(
                "This site has a key. Browsers that receive its push messages now would receive none with a new key. "
                "If you want that, first remove VAPID_PRIVATE_KEY from the settings."
            )
        line = f"VAPID_PRIVATE_KEY={push.new_private_key()}"
        if options["print"]:
            self.stdout.write(line)
            return
        path = settings.BASE_DIR / ".env"
        try:
            append_line(path, line)
        except OSError as error:
            raise CommandError(f"{path} can't be written: {error.strerror}. Use --print.") from None
        self.stdout.write(f"The key was added to {path}. Restart the site to use it.")
