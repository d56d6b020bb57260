"""The ASGI application for HTTP and WebSocket. It runs under daphne, uvicorn or any other ASGI server."""

import gc
import os
from collections.abc import MutableMapping
from importlib import import_module
from pathlib import Path

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_asgi_application()  # The imports below need the loaded apps.

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402
from servestatic import ServeStaticASGI  # noqa: E402

from config.asgi_types import Application  # noqa: E402
from config.bodies import BodyLimit  # noqa: E402
from games.live.entrance import Entrance  # noqa: E402
from games.live.heartbeat import HeartbeatApplication  # noqa: E402
from games.live.routing import program_urlpatterns, websocket_urlpatterns  # noqa: E402
from games.pages.health import missing_at_start  # noqa: E402
from games.pages.outage import Patience  # noqa: E402
from games.pages.running import register  # noqa: E402

# The server that imports this module ends with a single line in place of a traceback.
if problems := missing_at_start() or register():
    raise SystemExit(f"Valat can't start. {' '.join(problems)}")


def forbid_sniffing(headers: MutableMapping[str, str], path: str, url: str) -> None:
    """Make browsers use the declared type of a static file."""
    headers["X-Content-Type-Options"] = "nosniff"


def with_static_files(application: Application) -> Application:
    """Return an application that serves static files itself, and passes all other requests to `application`.

    It needs none of Django's middleware. Without a folder of collected files it is the application unchanged.
    """
    if not Path(settings.STATIC_ROOT).is_dir():
        return application
    return ServeStaticASGI(
        application,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        max_age=0 if settings.DEBUG else 3600,
        immutable_file_test=r"^.+\.[0-9a-f]{12}\..+$",  # The name has a hash of the content.
        add_headers_function=forbid_sniffing,
    )


application = HeartbeatApplication(
    ProtocolTypeRouter(
        {
            "http": BodyLimit(with_static_files(Patience(django_application))),
            "websocket": URLRouter([*program_urlpatterns, re_path("", Entrance(URLRouter(websocket_urlpatterns)))]),
        }
    )
)

import_module(settings.ROOT_URLCONF)  # Otherwise the first visitor would wait for all views to load.
# All loaded objects stay until the end. Without freeze, a full collection would stop every table for 0.2 seconds.
gc.collect()
gc.freeze()
# Collect the youngest generation less often than by default: most of its objects are still in use at that moment.
# This saves some 5 % of a move of Oh Hell. Full collections are as frequent as by default.
gc.set_threshold(10_000, 10, 2)
