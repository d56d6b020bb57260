"""Shuffles that every player can check afterwards, and that nobody can know or choose before.

How it works, from the first to the last step:

1. The server has a secret seed of 32 bytes for a table. A page shows its SHA-256, its commitment: that of the table, or
   before that the page with the form by which somebody sits down with bots alone.
2. Everybody who sits down may have a browser that draws entropy, 32 bytes, and sends their SHA-256: its commitment.
3. When all seats are taken the list of these commitments is closed. Each browser notes it, with the commitment of the
   seed, the scheme and how cards are dealt in the match, and only then sends its entropy; what it has sent once it
   never sends for another list. One that does not within some seconds gives none.
   The browser of who sits down with bots alone knows beforehand that this list will hold nothing but its own
   commitment. It notes all that when the form is sent, and sends its entropy along; the server opens the match as it
   was noted, or none.
4. Shuffle number 0 draws the numbers of the seats. First come those who gave entropy, in the order of what they gave,
   then the others in the order of sitting down; where partners play, everybody takes the first number left that is of
   their side, even or odd, and the first number drawn is of the side of whoever comes first. Shuffle number 1 makes the
   deck of the first deal of the pack, 2 the second, and so on.
   A shuffle sorts its items, cards by the codes of their characters, and is then a Fisher-Yates from the last item to
   the first over a stream of 32-bit big-endian integers. A number below n is the next integer that is less than the
   largest multiple of n, modulo n, so that none is favoured.
   The stream is HMAC-SHA256 with the seed as its key over the lines "valat-shuffle-2", the number of the shuffle, all
   that was given as hex digits in ascending order, joined by commas, and the number of the block, from 0: 8 integers a
   block.
5. When the match is over the seed is shown. Its hash is the one noted, and step 4 gives every deck again.

So nothing that is still open when an honest browser gives its entropy has a part in any shuffle, but for other
browsers' choice to give theirs or none; and shuffles without its own prove nothing to a browser, whoever says why.
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
LOT = 0  # the number of the shuffle that draws the seats


def new_seed() -> str:
    """32 random bytes, in hex."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """The SHA-256, in hex, of a seed or of entropy (hex): what is known of it before it is shown."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def clean_commitment(text: object) -> str:
    """The commitment that a browser sent, or "" where it is none."""
    text = text.lower() if isinstance(text, str) else ""
    return text if SEED.fullmatch(text) else ""


def allotted_numbers(lot: list[int], teams: Sequence[int | None]) -> list[int]:
    """The numbers of the seats, a list in the order in which they are allotted.

    lot: the shuffle number 0. teams: which side each is on, 0 or 1, or None for all where nobody has a partner.
    """
    if None in teams:
        return lot
    left = list(lot)
    numbers: list[int] = []
    for team in teams:
        side = (lot[0] + team - teams[0]) % 2
        numbers.append(next(number for number in left if number % 2 == side))
        left.remove(numbers[-1])
    return numbers


class Shuffles(NamedTuple):
    """All that the shuffles of a match follow from."""

    seed: str  # hex
    entropies: tuple[str, ...]  # hex digits in the order of sitting down, "" where a browser gave none

    def keep(self, entropy_hashes: Sequence[str]) -> bool:
        """Whether each browser gave what it had committed itself to, or nothing."""
        return all(
            bool(SEED.fullmatch(entropy)) and commitment(entropy) == entropy_hash
            for entropy, entropy_hash in zip(self.entropies, entropy_hashes, strict=True)
            if entropy
        )

    def seats(self, teams: Sequence[int | None]) -> list[int]:
        """The numbers of the seats, in the order of sitting down. teams: as for `allotted_numbers`, in this order."""
        places = range(len(self.entropies))
        order = sorted(places, key=lambda place: (not self.entropies[place], self.entropies[place]))
        lot = self.deck(places, LOT)
        numbers = allotted_numbers(lot, [teams[place] for place in order])
        return [number for _, number in sorted(zip(order, numbers, strict=True))]

    def deck[Item: (str, int)](self, pack: Iterable[Item], number: int) -> list[Item]:
        """The cards of `pack`, or the places, as shuffle `number` orders them."""
        ordered = sorted(pack)
        integers = self._integers(number)
        for last in range(len(ordered) - 1, 0, -1):
            limit = 2**32 - 2**32 % (last + 1)
            drawn = next(integer for integer in integers if integer < limit) % (last + 1)
            ordered[last], ordered[drawn] = ordered[drawn], ordered[last]
        return ordered

    def _integers(self, number: int) -> Iterator[int]:
        """The stream: endless 32-bit integers."""
        key = bytes.fromhex(self.seed)
        lines = [SCHEME, str(number), ",".join(sorted(filter(None, self.entropies)))]
        block = 0
        while True:
            digest = hmac.digest(key, "\n".join([*lines, str(block)]).encode(), "sha256")
            for start in range(0, 32, 4):
                yield int.from_bytes(digest[start : start + 4])
            block += 1
