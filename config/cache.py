"""A cache on a Redis server that may be away: nothing is kept then, and nobody waits for it."""

import logging
import time

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

PAUSE = 5.0  # seconds after a failure in which the server is not asked again: each try may cost a time-out

log = logging.getLogger("valat.cache")

# Of the process: Django makes a cache for every request.
_asked_again_at = 0.0


class PatientClient(RedisCacheClient):
    """Django's own, but without its server everything is answered as by an empty cache that forgets at once."""

    def add(self, key, value, timeout):
        return _ask(True, super().add, key, value, timeout)

    def get(self, key, default):
        return _ask(default, super().get, key, default)

    def set(self, key, value, timeout):
        return _ask(None, super().set, key, value, timeout)

    def touch(self, key, timeout):
        return _ask(False, super().touch, key, timeout)

    def delete(self, key):
        return _ask(False, super().delete, key)

    def get_many(self, keys):
        return _ask({}, super().get_many, keys)

    def has_key(self, key):
        return _ask(False, super().has_key, key)

    def incr(self, key, delta):
        return _ask(delta, super().incr, key, delta)

    def set_many(self, data, timeout):
        return _ask(None, super().set_many, data, timeout)

    def delete_many(self, keys):
        return _ask(None, super().delete_many, keys)

    def clear(self):
        return _ask(False, super().clear)


class PatientRedisCache(RedisCache):
    """The cache backend of this client."""

    def __init__(self, server, params):
        super().__init__(server, params)
        self._class = PatientClient


def _ask(without, method, *args):
    """What `method` answers, or `without` where the server does not."""
    global _asked_again_at
    if time.monotonic() < _asked_again_at:
        return without
    try:
        return method(*args)
    except RedisError as error:
        _asked_again_at = time.monotonic() + PAUSE
        log.error("The cache is away, so nothing is limited meanwhile: %s", error)
        return without
