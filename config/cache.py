"""A Redis cache that behaves like an empty cache while the server is away."""

import logging
import time
from collections.abc import Callable

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

PAUSE = 5.0  # Seconds without a request to the server after a failure, because each may cost a timeout.

log = logging.getLogger("valat.cache")

_retry_at = 0.0  # A global variable, because Django creates a cache object for every request.


class PatientRedisCache(RedisCache):
    """Django's Redis cache, which acts as an empty cache when the server fails."""

    def add(self, *args: object, **kwargs: object) -> bool:
        return _call_or_default(True, super().add, *args, **kwargs)

    def get(self, key: str, default: object = None, version: int | None = None) -> object:
        return _call_or_default(default, super().get, key, default, version)

    def set(self, *args: object, **kwargs: object) -> None:
        return _call_or_default(None, super().set, *args, **kwargs)

    def touch(self, *args: object, **kwargs: object) -> bool:
        return _call_or_default(False, super().touch, *args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> bool:
        return _call_or_default(False, super().delete, *args, **kwargs)

    def get_many(self, *args: object, **kwargs: object) -> dict[str, object]:
        return _call_or_default({}, super().get_many, *args, **kwargs)

    def has_key(self, *args: object, **kwargs: object) -> bool:
        return _call_or_default(False, super().has_key, *args, **kwargs)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        return _call_or_default(delta, super().incr, key, delta, version)

    def set_many(self, *args: object, **kwargs: object) -> list[str]:
        return _call_or_default([], super().set_many, *args, **kwargs)

    def delete_many(self, *args: object, **kwargs: object) -> None:
        return _call_or_default(None, super().delete_many, *args, **kwargs)

    def clear(self) -> bool:
        return _call_or_default(False, super().clear)


def _call_or_default[R](default: R, method: Callable[..., R], *args: object, **kwargs: object) -> R:
    """Return the result of a method of the cache, or `default` if its server fails.

    After a failure the server is not asked for PAUSE seconds, so that requests don't wait for it.
    """
    global _retry_at
    if time.monotonic() < _retry_at:
        return default
    try:
        return method(*args, **kwargs)
    except RedisError as error:
        _retry_at = time.monotonic() + PAUSE
        log.error("The cache is away, so nothing is limited meanwhile: %s", error)
        return default
