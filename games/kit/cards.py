"""Cards of the French pack: two characters, rank then suit. "TH" is the ten of hearts."""

RANKS = "23456789TJQKA"  # low to high
SUITS = "CDHS"


def make_pack(ranks=RANKS):
    """All cards of these ranks, a tuple in canonical order: suit by suit, the ranks of each as given."""
    return tuple(rank + suit for suit in SUITS for rank in ranks)


def is_permutation(deck, pack):
    """Whether `deck`, whatever it may be, is a list of just the cards of `pack`."""
    return (
        type(deck) is list
        and len(deck) == len(pack)
        and all(type(card) is str for card in deck)
        and set(deck) == set(pack)
    )


def deal_singly(cards, seats, first):
    """The cards that each seat gets, a list by seat, when all of `cards` are dealt one at a time from `first` on."""
    return [cards[(seat - first) % seats :: seats] for seat in range(seats)]


def dealing(pack, packets, *, draws=False, parts=(), added=()):
    """What `Rules.dealing` returns."""
    return {
        "pack": list(pack),
        "packets": list(map(list, packets)),
        "draws": draws,
        "parts": [[count, list(cards)] for count, cards in parts],
        "added": list(added),
    }


def suit(card):
    return card[1]


_PLACE = {card: place for place, card in enumerate(make_pack())}


def in_order(cards):
    """These cards as a tuple in canonical order."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))
