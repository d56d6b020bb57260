#!/bin/sh
# Run a command as soon as the database has all migrations.
until python manage.py migrate --check >/dev/null 2>&1; do sleep 1; done
exec "$@"
