"""The settings of a newer version, which has a migration that processes of this version can't live with."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.newer"]
