"""How many messages a user, and an address, may send, and how many sockets they may have open.

All users of an address share what it may send. When that is used up, each of them may still send an equal part of it,
so nobody who sends little waits for a neighbour who floods. Visitors of an address who are not logged in count as one
user. Every process counts what it receives itself.
"""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable

BURST = 3.0  # Seconds: what may be sent in that time may come at once.
LEAST_BURST = 5  # messages
IDLE = 30.0  # Seconds without a message after which a user is forgotten.
FORGIVEN = 1.0  # Refused messages a second that no longer count.

User = int | str  # its key, or the address of visitors who are not logged in


class Allowance:
    """A token bucket."""

    def __init__(self) -> None:
        self._tokens = math.inf
        self.used_at = time.monotonic()

    def take(self, rate: float) -> bool:
        """Whether one more message is allowed now, at `rate` messages a second."""
        now = time.monotonic()
        burst = max(rate * BURST, LEAST_BURST)
        self._tokens = min(burst, self._tokens + (now - self.used_at) * rate)
        self.used_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Refusals:
    """The number of refused messages of a user or a socket. Each is forgiven after a while."""

    def __init__(self) -> None:
        self._count = 0.0
        self.used_at = time.monotonic()

    def add(self) -> float:
        """Count one more. Returns how many there are."""
        now = time.monotonic()
        self._count = max(0.0, self._count - (now - self.used_at) * FORGIVEN) + 1
        self.used_at = now
        return self._count


class Address:
    """What the users of an address send, all together and by user."""

    def __init__(self) -> None:
        self.whole = Allowance()
        self.shares: dict[User, Allowance] = defaultdict(Allowance)


class Allowances:
    """What all users and all addresses may send, of one kind of message."""

    def __init__(self, user_rate: float, address_rate: float):
        """Rates are messages a second."""
        self._user_rate, self._address_rate = user_rate, address_rate
        self._users: dict[User, Allowance] = defaultdict(Allowance)
        self._addresses: dict[str, Address] = defaultdict(Address)
        self._refusals: dict[User, Refusals] = defaultdict(Refusals)
        self._tidy_at = time.monotonic() + IDLE

    def take(self, user: User, address: str) -> bool:
        """Whether a user may send one more message from an address now."""
        if time.monotonic() > self._tidy_at:
            self._tidy()
        if user != address and not self._users[user].take(self._user_rate):
            return False
        here = self._addresses[address]
        share = here.shares[user]
        if here.whole.take(self._address_rate):
            return True
        return share.take(self._address_rate / len(here.shares))

    def refuse(self, user: User) -> float:
        """Count one more refused message of a user. Returns how many there are."""
        return self._refusals[user].add()

    def _tidy(self) -> None:
        """Forget idle users and addresses: their allowance is whole again."""
        now = time.monotonic()
        self._tidy_at = now + IDLE
        _forget_idle(self._users, now)
        _forget_idle(self._refusals, now)
        for address, here in list(self._addresses.items()):
            _forget_idle(here.shares, now)
            if now - here.whole.used_at > IDLE:
                del self._addresses[address]


def _forget_idle(records: dict[User, Allowance] | dict[User, Refusals], now: float) -> None:
    for user in [user for user, record in records.items() if now - record.used_at > IDLE]:
        del records[user]


class SocketCounts:
    """How many sockets each user, and each address, has open."""

    def __init__(self) -> None:
        self._counts: Counter[int | str] = Counter()

    def take(self, limits: dict[int | str, int]) -> bool:
        """Count one more for each owner, unless one of them is at their limit. Return whether it was counted."""
        if any(self._counts[owner] >= limit for owner, limit in limits.items()):
            return False
        self._counts.update(limits.keys())
        return True

    def give_back(self, owners: Iterable[int | str]) -> None:
        """Count one less for each."""
        for owner in owners:
            self._counts[owner] -= 1
            if not self._counts[owner]:
                del self._counts[owner]
