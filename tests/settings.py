"""The settings of the site as the tests have them: for development, unless the environment says otherwise."""

import os

os.environ.setdefault("DEBUG", "on")

from config.settings import *  # noqa: F403
