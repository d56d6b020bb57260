"""The settings of the site as the tests have them: for development, unless the environment says otherwise."""

import os

os.environ.setdefault("DEBUG", "on")

from config.settings import *  # noqa: F403

BOT_PROCESSES = 0  # what is started as a process of its own, as browsers' tests do, has the real ones
ANALYSES_AHEAD = 0
