"""Compile the translations. Django's command of this name needs GNU gettext; this one needs only Babel."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Compiles the translations in LOCALE_PATHS. Do this after each update of the code."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        for path in sorted(path for folder in settings.LOCALE_PATHS for path in folder.glob("*/LC_MESSAGES/django.po")):
            compile_catalog(path)
            if options["verbosity"]:
                self.stdout.write(f"{path.parts[-3]}: compiled")


def compile_catalog(path: Path) -> None:
    """Write the .mo file of a .po file in one step: a running site may be reading the old one."""
    with path.open("rb") as file:
        catalog = read_po(file)
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        write_mo(file, catalog)
    partial.chmod(0o644)  # The site may run as another user, and manage.py makes private files.
    partial.replace(path.with_suffix(".mo"))
