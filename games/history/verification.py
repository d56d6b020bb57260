"""Do the decks of a finished match follow from what was promised before its first deal? See games.kit.shuffle."""

from typing import NamedTuple

from games.catalog import IllegalMove
from games.kit import shuffle
from games.kit.language import lazy
from games.models import Match
from games.play import store
from games.play.errors import Refused
from games.play.versions import BROKEN, Unreadable, are_valid_options, rules_of

ASIDE = lazy(
    "The cards of this match come from another one, or from a challenge, so that they are the same for all who play "
    "them. They were not promised for this match, and there is no shuffle to verify."
)


class Verification(NamedTuple):
    """What was found. commitments: seed and entropies have the hashes that were published. lot: it drew the seats.

    decks: by shuffle, from number 1, whether it is what the seed makes.
    """

    commitments: bool
    lot: bool
    decks: dict[int, bool]

    @property
    def ok(self):
        return self.commitments and self.lot and all(self.decks.values())


def verify(match):
    """The Verification of a finished match. Raises Refused where that can't be."""
    found = published(match)
    if not shuffle.SEED.fullmatch(found["seed"]):
        return Verification(False, False, {deal["number"]: False for deal in found["deals"]})
    shuffles = shuffle.Shuffles(found["seed"], tuple(found["entropies"]))
    promised = shuffle.commitment(found["seed"]) == found["seed_hash"]
    return Verification(
        commitments=promised and shuffles.keep(found["entropy_hashes"]),
        lot=shuffles.seats(found["teams"]) == found["seats"],
        decks={deal["number"]: shuffles.deck(deal["pack"], deal["number"]) == deal["deck"] for deal in found["deals"]},
    )


def published(match):
    """All that a checker needs of a finished match, a dict of plain JSON types. Raises Refused where that can't be.

    "entropies", "entropy_hashes" (what browsers committed themselves to, "" for nothing), "seats" (the number drawn)
    and "teams" are in the order of sitting down; "dealing" is as rules.dealing says; "deals" holds for every shuffle
    its "number" from 1, the "pack" in order, the "deck" that was dealt and how many "moves" there were with it.
    """
    if match.guide:
        raise Refused(lazy("The deal of a guide is prepared, the same for everybody: there is no shuffle to verify."))
    if match.aside:
        raise Refused(ASIDE)
    if match.status != Match.Status.OVER:
        raise Refused(lazy("The shuffles of a match can be verified when it is over: until then its seed is secret."))
    if not match.seed:
        raise Refused(lazy("The seed of this match is not known here, so its shuffles can’t be verified."))
    rules = rules_of(match)
    if not are_valid_options(rules, match.seat_count, match.options):
        raise Unreadable(BROKEN)
    seats = list(match.seats.order_by("place").values_list("entropy", "entropy_hash", "number"))
    return {
        "scheme": shuffle.SCHEME,
        "code": match.shuffle_code,
        "seed_hash": match.seed_hash,
        "seed": match.seed,
        "entropies": [entropy for entropy, _, _ in seats],
        "entropy_hashes": [entropy_hash for _, entropy_hash, _ in seats],
        "seats": [number for _, _, number in seats],
        "teams": [rules.team_of(number, match.seat_count) for _, _, number in seats],
        "dealing": rules.dealing(rules.new_match(match.seat_count, match.options)),
        "deals": list(_deals(match, rules)),
    }


def _deals(match, rules):
    """Every shuffle of a match, as `published` has them. The pack is empty after a move that the rules refuse."""
    state = rules.new_match(match.seat_count, match.options)
    number = 0
    for index, (seat, move, _, _) in enumerate(store.read_moves(match)):
        if seat is None:
            number += 1
            yield {
                "number": number,
                "pack": rules.deck(state) if state else [],
                "deck": move.get("deck"),
                "moves": index + 1,
            }
        try:
            state = state and rules.apply(state, move)
        except IllegalMove:  # a deck was changed, and with it who holds which card
            state = None
