"""A cache on a Redis server that may be away: nothing is kept then, and nobody waits for it."""

import logging
import time

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

PAUSE = 5.0  # seconds after a failure in which the server is not asked again: each try may cost a time-out

log = logging.getLogger("valat.cache")

# Of the process: Django makes a cache for every request.
_asked_again_at = 0.0


class PatientRedisCache(RedisCache):
    """Django's own, but without its server everything is answered as by an empty cache that forgets at once."""

    def add(self, *args, **kwargs):
        return _ask(True, super().add, *args, **kwargs)

    def get(self, key, default=None, version=None):
        return _ask(default, super().get, key, default, version)

    def set(self, *args, **kwargs):
        return _ask(None, super().set, *args, **kwargs)

    def touch(self, *args, **kwargs):
        return _ask(False, super().touch, *args, **kwargs)

    def delete(self, *args, **kwargs):
        return _ask(False, super().delete, *args, **kwargs)

    def get_many(self, *args, **kwargs):
        return _ask({}, super().get_many, *args, **kwargs)

    def has_key(self, *args, **kwargs):
        return _ask(False, super().has_key, *args, **kwargs)

    def incr(self, key, delta=1, version=None):
        return _ask(delta, super().incr, key, delta, version)

    def set_many(self, *args, **kwargs):
        return _ask([], super().set_many, *args, **kwargs)

    def delete_many(self, *args, **kwargs):
        return _ask(None, super().delete_many, *args, **kwargs)

    def clear(self):
        return _ask(False, super().clear)


def _ask(without, method, *args, **kwargs):
    """What `method` answers, or `without` where the server does not."""
    global _asked_again_at
    if time.monotonic() < _asked_again_at:
        return without
    try:
        return method(*args, **kwargs)
    except RedisError as error:
        _asked_again_at = time.monotonic() + PAUSE
        log.error("The cache is away, so nothing is limited meanwhile: %s", error)
        return without
