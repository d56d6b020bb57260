"""Shuffles that every player can check afterwards, and that nobody can know or choose in advance.

The algorithm in order:

1. The server has a secret seed of 32 bytes for a table. The page of the table shows its SHA-256, the commitment of the
   seed. For a match with bots alone, the page with the form that starts it shows the commitment.
2. The browser of each person who takes a seat may draw entropy, 32 random bytes. It sends their SHA-256, the commitment
   of the entropy.
3. When all seats are taken, the list of these commitments is closed. Each browser stores the list together with the
   commitment of the seed, the scheme and the dealing of the match, and only then sends its entropy. It never sends the
   same entropy for another list. A browser that does not answer within some seconds contributes nothing.
   In a match with bots alone the browser knows in advance that the list will hold only its own commitment. It stores
   all this when the form is sent, and sends its entropy with the form. The server opens exactly that match, or none.
4. Shuffle number 0 draws the numbers of the seats. Players who contributed entropy come first, in ascending order of
   their entropy, then the others in the order in which they sat down. In a game with partners each player gets the
   first remaining number of their side, even or odd. The first number of the shuffle decides the side of the first
   player. Shuffle number 1 makes the deck of the first deal, 2 the second, and so on.
   A shuffle sorts its items, cards by the codes of their characters. Then it is a Fisher-Yates shuffle from the last
   item to the first, over a stream of 32-bit big-endian integers. A number below n is the next integer that is less
   than the largest multiple of n, modulo n, so that all are equally likely.
   The stream is HMAC-SHA256 with the seed as its key. The message is these lines: "valat-shuffle-2", the number of the
   shuffle, all entropies as hex digits in ascending order, joined by commas, and the number of the block, from 0. A
   block makes 8 integers.
5. When the match is over, the server reveals the seed. Its hash is the commitment that browsers have stored, and step
   4 gives every deck again.

Therefore nothing that is undecided when an honest browser sends its entropy affects any shuffle, except whether other
browsers send theirs. Shuffles without its own entropy prove nothing to a browser, whatever the server's reason.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

SCHEME = "valat-shuffle-2"
SEED = re.compile(r"[0-9a-f]{64}")
ENTROPY = re.compile(r"[0-9a-f]{1,64}")
LOT = 0  # The shuffle of this number draws the seats.


def new_seed() -> str:
    """Return 32 random bytes, in hex."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """Return the SHA-256, in hex, of a seed or of entropy, also in hex. It is published before the secret is."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def clean_commitment(text: object) -> str:
    """Return the commitment that a browser sent, or "" if it is not valid."""
    text = text.lower() if isinstance(text, str) else ""
    return text if SEED.fullmatch(text) else ""


def allotted_numbers(lot: list[int], teams: Sequence[int | None]) -> list[int]:
    """Return the number of the seat that each player gets by lot.

    In a game with partners, one team gets the even seats and the other one the odd seats. The first number of the lot
    decides the side of the first player, and each player gets the first remaining number of their side.

    lot: the numbers of the seats in random order. teams: by player, 0 or 1, or None in a game without partners.
    """
    present_teams = [team for team in teams if team is not None]
    if len(present_teams) < len(teams):  # There are no partners.
        return lot
    remaining = list(lot)
    numbers: list[int] = []
    for team in present_teams:
        side = (lot[0] + team - present_teams[0]) % 2  # 0 for the even seats, 1 for the odd ones.
        numbers.append(next(number for number in remaining if number % 2 == side))
        remaining.remove(numbers[-1])
    return numbers


class Shuffles(NamedTuple):
    """The inputs of all shuffles of a match."""

    seed: str  # hex
    entropies: tuple[str, ...]  # hex digits in the order of sitting down, "" for a browser that sent none

    def match_commitments(self, entropy_hashes: Sequence[str]) -> bool:
        """Return whether each browser has kept its promise: it sent random bytes with the promised hash, or nothing.

        entropy_hashes: the SHA-256 of the bytes ("entropy"), which each browser sent earlier.
        """
        return all(
            bool(SEED.fullmatch(entropy)) and commitment(entropy) == entropy_hash
            for entropy, entropy_hash in zip(self.entropies, entropy_hashes, strict=True)
            if entropy
        )

    def seats(self, teams: Sequence[int | None]) -> list[int]:
        """Return the number of the seat that each player gets by lot. Players are in the order of sitting down.

        Those whose browsers contributed random bytes choose first, in ascending order of the bytes.

        teams: by player, 0 or 1, or None in a game without partners.
        """
        players = range(len(self.entropies))
        # Players without random bytes ("") come last.
        order = sorted(players, key=lambda player: (not self.entropies[player], self.entropies[player]))
        lot = self.deck(players, LOT)  # the numbers of the seats, shuffled
        numbers = allotted_numbers(lot, [teams[player] for player in order])
        return [number for _, number in sorted(zip(order, numbers, strict=True))]  # by player again

    def deck[Item: (str, int)](self, pack: Iterable[Item], number: int) -> list[Item]:
        """Return the cards of a pack, or numbers, shuffled. Anybody who knows the seed can repeat the shuffle.

        This is a Fisher-Yates shuffle, from the last item to the first. number: of the shuffle within the match.
        """
        items = sorted(pack)
        integers = self._integers(number)
        for last in range(len(items) - 1, 0, -1):
            # Without the integers from a multiple of last + 1 upwards, all remainders are equally likely.
            limit = 2**32 - 2**32 % (last + 1)
            index = next(integer for integer in integers if integer < limit) % (last + 1)
            items[last], items[index] = items[index], items[last]
        return items

    def _integers(self, number: int) -> Iterator[int]:
        """Yield the endless stream of 32-bit integers for a shuffle. number: of the shuffle within the match.

        It depends on the server's secret seed and on the random bytes ("entropies") of the players' browsers.
        """
        key = bytes.fromhex(self.seed)
        lines = [SCHEME, str(number), ",".join(sorted(filter(None, self.entropies)))]
        block = 0
        while True:
            digest = hmac.digest(key, "\n".join([*lines, str(block)]).encode(), "sha256")
            for start in range(0, 32, 4):  # 4 bytes are 32 bits.
                yield int.from_bytes(digest[start : start + 4])
            block += 1
