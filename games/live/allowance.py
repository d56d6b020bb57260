"""Limits for users and addresses: the rate of their messages, and the number of their open sockets.

All users of an address share its rate. When that is used up, each of them may still send at an equal part of it: a
user who sends little does not wait for a neighbour who floods. Visitors of an address who are not logged in count as
one user. Each process counts only its own messages.
"""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable

from accounts.site.current import address_factor

BURST = 3.0  # Seconds. The messages allowed in this time may come at once.
LEAST_BURST = 5  # Messages that may come at once at any rate.
IDLE = 30.0  # Seconds without a message after which a user is forgotten.
FORGIVEN = 1.0  # The number of refused messages that is forgiven per second.

User = int | str  # The key of a user, or the address of visitors who are not logged in.


class Allowance:
    """A token bucket: it fills at a steady rate up to a limit, and each message takes one token."""

    def __init__(self) -> None:
        self._tokens = math.inf
        self.used_at = time.monotonic()

    def take(self, rate: float) -> bool:
        """Return whether one more message is allowed now, and count it if so. rate: messages a second.

        Each message takes a token, and without a token it is refused. Tokens come back at this rate, up to a limit.
        So a few messages may come at once, but not for long.
        """
        now = time.monotonic()
        limit = max(rate * BURST, LEAST_BURST)
        self._tokens = min(limit, self._tokens + (now - self.used_at) * rate)
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
        """Count one more refused message, and return the count. It falls with time, by FORGIVEN each second."""
        now = time.monotonic()
        self._count = max(0.0, self._count - (now - self.used_at) * FORGIVEN) + 1
        self.used_at = now
        return self._count


class AddressAllowances:
    """The allowance of an address as a whole, and one for each of its users."""

    def __init__(self) -> None:
        self.total = Allowance()
        self.shares: dict[User, Allowance] = defaultdict(Allowance)


class Allowances:
    """The allowances of all users and addresses, for one kind of message."""

    def __init__(self, user_rate: float, address_rate: float):
        """Rates are messages a second."""
        self._user_rate, self._address_rate = user_rate, address_rate
        self._users: dict[User, Allowance] = defaultdict(Allowance)
        self._addresses: dict[str, AddressAllowances] = defaultdict(AddressAllowances)
        self._refusals: dict[User, Refusals] = defaultdict(Refusals)
        self._next_cleanup = time.monotonic() + IDLE

    def take(self, user: User, address: str) -> bool:
        """Return whether a user may send one more message from an address now, and count it if so.

        There is a limit for each user, and one for each address, which several users may share. If the address is at
        its limit, each of its users may still send at an equal share of its rate. So nobody has to wait for a neighbour
        who sends too much. user: their key, or the address for visitors who are not logged in.
        """
        if time.monotonic() > self._next_cleanup:
            self._forget_idle_records()
        is_logged_in = user != address
        if is_logged_in and not self._users[user].take(self._user_rate):
            return False
        allowances = self._addresses[address]
        share = allowances.shares[user]  # This adds a new user, so that the division below counts them too.
        address_rate = self._address_rate * address_factor()
        if allowances.total.take(address_rate):
            return True
        return share.take(address_rate / len(allowances.shares))

    def refuse(self, user: User) -> float:
        """Count one more refused message of a user. Return how many are not forgiven yet: they are after a while."""
        return self._refusals[user].add()

    def _forget_idle_records(self) -> None:
        """Forget users and addresses that have sent nothing for IDLE seconds: their limits are full again."""
        now = time.monotonic()
        self._next_cleanup = now + IDLE
        _forget_idle(self._users, now)
        _forget_idle(self._refusals, now)
        for address, allowances in list(self._addresses.items()):
            _forget_idle(allowances.shares, now)
            if now - allowances.total.used_at > IDLE:
                del self._addresses[address]


def _forget_idle(records: dict[User, Allowance] | dict[User, Refusals], now: float) -> None:
    for user in [user for user, record in records.items() if now - record.used_at > IDLE]:
        del records[user]


class SocketCounts:
    """The number of open sockets of each user and each address."""

    def __init__(self) -> None:
        self._counts: Counter[int | str] = Counter()

    def take(self, limits: dict[int | str, int]) -> bool:
        """Return whether a new socket may open, and count it if so: for its user, and for its address.

        limits: by the key of the user, and by the address, the most sockets that may be open at once.
        """
        if any(self._counts[owner] >= limit for owner, limit in limits.items()):
            return False
        self._counts.update(limits.keys())  # A Counter: this adds one for each owner.
        return True

    def give_back(self, owners: Iterable[int | str]) -> None:
        """Stop counting a closed socket. owners: the key of its user, and its address."""
        for owner in owners:
            self._counts[owner] -= 1
            if not self._counts[owner]:  # Without this, the memory of a process would grow with each visitor.
                del self._counts[owner]
