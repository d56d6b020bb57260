"""HTTP and WebSocket in one application; runs under daphne, uvicorn or any other ASGI server."""

import gc
import os
from importlib import import_module
from pathlib import Path

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_asgi_application()  # before the imports below, which need the apps

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402
from servestatic import ServeStaticASGI  # noqa: E402

from config.bodies import BodyLimit  # noqa: E402
from games.live.beating import Beating  # noqa: E402
from games.live.entrance import Entrance  # noqa: E402
from games.live.routing import program_urlpatterns, websocket_urlpatterns  # noqa: E402
from games.pages.health import missing_at_start  # noqa: E402
from games.pages.outage import Patience  # noqa: E402
from games.pages.running import register  # noqa: E402

# The server that imports this ends with this one line.
if trouble := missing_at_start() or register():
    raise SystemExit(f"Valat can't start. {' '.join(trouble)}")


def forbid_guesses(headers, path, url):
    """Have browsers take a static file for nothing but its type."""
    headers["X-Content-Type-Options"] = "nosniff"


def with_static_files(application):
    """The application behind the collected static files, which then never reach Django's middleware."""
    if not Path(settings.STATIC_ROOT).is_dir():
        return application
    return ServeStaticASGI(
        application,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        max_age=0 if settings.DEBUG else 3600,
        immutable_file_test=r"^.+\.[0-9a-f]{12}\..+$",
        add_headers_function=forbid_guesses,
    )


application = Beating(
    ProtocolTypeRouter(
        {
            "http": BodyLimit(with_static_files(Patience(django_application))),
            "websocket": URLRouter([*program_urlpatterns, re_path("", Entrance(URLRouter(websocket_urlpatterns)))]),
        }
    )
)

import_module(settings.ROOT_URLCONF)  # with all views: the first visitor would wait for them
# What is loaded now stays until the end. To look through it for garbage would stop every table for 0.2 seconds.
gc.collect()
gc.freeze()
# Most of what is new when garbage is looked for is in use for a moment, so it is looked for less often than by default:
# a move of Oh Hell takes some 5 % less. All is looked through after as many new things as ever.
gc.set_threshold(10_000, 10, 2)
