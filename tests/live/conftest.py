"""What sockets are tested with: a clean database connection, either channel layer, and nothing else that comes."""

from uuid import uuid4

import pytest
import redis
from asgiref.sync import sync_to_async
from django.db import connections

from games.live.clock import Clock
from games.live.threads import DatabaseThread
from games.play.thinkers import Thinkers


@pytest.fixture(autouse=True)
async def _no_connection():
    """Close the connection of the thread that asgiref keeps for calls from async tests."""
    yield
    await sync_to_async(connections.close_all)()


@pytest.fixture(autouse=True)
def _uncounted(run_every):
    """Nobody is told how many tables wait: that comes at any time, between what is waited for."""
    run_every("waiting counts", 3600.0)


@pytest.fixture(params=["memory", "redis"])
def layer(request, settings):
    """Each kind of channel layer in turn. Without a Redis server its half is skipped."""
    if request.param == "memory":
        settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
        return
    url = settings.REDIS_URL or "redis://127.0.0.1:6379"
    try:
        redis.Redis.from_url(url).ping()
    except redis.ConnectionError:
        pytest.skip("No Redis server is running.")
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": backend, "CONFIG": {"hosts": [url], "prefix": uuid4().hex}}}


@pytest.fixture
async def clock():
    """A clock that sweeps when it is told to, and whose bots think in this process."""
    kept = Clock(DatabaseThread("clock"), Thinkers(0))
    yield kept
    await kept.close()
    kept.thread.close()
