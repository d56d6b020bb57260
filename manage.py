#!/usr/bin/env python3
"""Django's entry point: `python manage.py COMMAND`."""

import os
import sys


def main() -> None:
    os.umask(0o077)  # the database, backups and settings are for their owner only
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:] == ["version"]:  # Django's own command knows Django's version only.
        from config.version import version

        print(version())
        return
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
