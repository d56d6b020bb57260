"""Shuffles that every player can check afterwards, and that nobody can know before.

How it works, from the first to the last step:

1. Before a player opens a table, the page that lets them do it shows the SHA-256 of a secret seed of 32 bytes; so does
   the match's page from the start. The seed can't be changed any more.
2. Everybody's browser may add entropy, 1 to 64 hex digits, when its player sits down, so that the server that drew the
   seed can't have chosen the decks.
3. Shuffle number 0 draws the numbers of the seats, in the order of sitting down; where partners play, everybody takes
   the first number left that is of their side, even or odd, and the first number drawn is of the side that sat down
   first. Shuffle number 1 makes the deck of the first deal of the pack, 2 the second, and so on.
   A shuffle is a Fisher-Yates from the last item to the first over a stream of 32-bit big-endian integers. A number
   below n is the next integer that is less than the largest multiple of n, modulo n, so that none is favoured.
   The stream is HMAC-SHA256 with the seed as its key over the lines "valat-shuffle-1", the match's code, the number of
   the shuffle, the entropies in the order of sitting down joined by commas (empty where a seat gave none), and the
   number of the block, from 0: 8 integers a block.
4. When the match is over the seed is shown. Its hash is the one published, and steps 3 give every deck again.
"""

import hashlib
import hmac
import re
import secrets

SCHEME = "valat-shuffle-1"
SEED = re.compile(r"[0-9a-f]{64}")
ENTROPY = re.compile(r"[0-9a-f]{1,64}")
LOT = 0  # the number of the shuffle that draws the seats


def new_seed():
    """32 random bytes, in hex."""
    return secrets.token_hex(32)


def commitment(seed):
    """What is published of a seed (hex) before the first deal: its SHA-256, in hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def clean_entropy(text):
    """The entropy that a browser sent, or "" where it is not 1 to 64 hex digits."""
    text = text.lower() if isinstance(text, str) else ""
    return text if ENTROPY.fullmatch(text) else ""


def _integers(seed, code, number, entropies):
    """The stream: endless 32-bit integers."""
    key = bytes.fromhex(seed)
    prefix = "\n".join([SCHEME, code, str(number), ",".join(entropies)])
    block = 0
    while True:
        digest = hmac.digest(key, f"{prefix}\n{block}".encode(), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4])
        block += 1


def allotted_numbers(lot, teams):
    """The numbers of the seats, a list in the order of sitting down.

    lot: the shuffle number 0. teams: which side each is on, 0 or 1, or None for all where nobody has a partner.
    """
    if None in teams:
        return lot
    left = list(lot)
    numbers = []
    for team in teams:
        side = (lot[0] + team - teams[0]) % 2
        numbers.append(next(number for number in left if number % 2 == side))
        left.remove(numbers[-1])
    return numbers


def shuffled(items, seed, code, number, entropies):
    """`items` in the order of shuffle `number` of the match `code`.

    seed: hex. number: 0 draws the seats, 1.. are the deals. entropies: strings in the order of sitting down.
    """
    items = list(items)
    integers = _integers(seed, code, number, entropies)
    for last in range(len(items) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        drawn = next(integer for integer in integers if integer < limit) % (last + 1)
        items[last], items[drawn] = items[drawn], items[last]
    return items
