"""The site's own settings, for live_speed.py: with an app that counts what the database is asked."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "counting.Counting"]
