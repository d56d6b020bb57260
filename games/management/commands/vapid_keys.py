"""The key of a site that push messages are signed with, made once and kept with its settings."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.secret_key import append_line
from games.notifications import push


class Command(BaseCommand):
    help = "Makes the key that push messages are signed with, and keeps it in .env."
    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument("--print", action="store_true", help="only write the line that belongs into the settings")

    def handle(self, **options):
        if settings.VAPID_PRIVATE_KEY:
            raise CommandError(
                "This site has its key. With another one no browser that takes its push messages now would do so any "
                "more: remove VAPID_PRIVATE_KEY from the settings first, if you mean it."
            )
        line = f"VAPID_PRIVATE_KEY={push.new_private_key()}"
        if options["print"]:
            self.stdout.write(line)
            return
        path = settings.BASE_DIR / ".env"
        try:
            append_line(path, line)
        except OSError as error:
            raise CommandError(f"It can't be kept in {path} ({error.strerror}): use --print.") from None
        self.stdout.write(f"The key is in {path} from now on. Restart the site to use it.")
