"""How much a socket may send."""

import time

FORGIVEN = 1.0  # refused messages a second that no longer count


class Allowance:
    """How many messages a socket may still send: `burst` at once, then `rate` a second (a token bucket)."""

    def __init__(self, burst: int, rate: float):
        self._burst = burst
        self._tokens: float = burst
        self._rate = rate
        self._at = time.monotonic()
        self.refused = 0.0  # messages, less those that are forgiven by now

    def take(self) -> bool:
        """Whether one more message is allowed now."""
        now = time.monotonic()
        passed, self._at = now - self._at, now
        self._tokens = min(self._burst, self._tokens + passed * self._rate)
        self.refused = max(0.0, self.refused - passed * FORGIVEN)
        if self._tokens < 1:
            self.refused += 1
            return False
        self._tokens -= 1
        return True
