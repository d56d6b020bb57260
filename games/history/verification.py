"""Do the decks of a finished match follow from the seed that was promised before its first deal? See games.shuffle."""

from typing import NamedTuple

from games.catalog import IllegalMove
from games.kit import shuffle
from games.models import Match
from games.play import store
from games.play.errors import Refused
from games.play.versions import BROKEN, Unreadable, fits, rules_of


class Verification(NamedTuple):
    """What was found. commitment: the seed has the hash that was published. lot: the seats were drawn by it.

    deals: a list of {"deal", "ok"}, one for every shuffle, from number 1.
    """

    commitment: bool
    lot: bool
    deals: list

    @property
    def ok(self):
        return self.commitment and self.lot and all(deal["ok"] for deal in self.deals)


def verify(match):
    """The Verification of a finished match. Raises Refused where that can't be."""
    found = published(match)
    seed = found["seed"]

    def again(items, number):
        return shuffle.shuffled(items, seed, found["code"], number, found["entropies"])

    if not shuffle.SEED.fullmatch(seed):
        return Verification(False, False, [{"deal": deal["number"], "ok": False} for deal in found["deals"]])
    return Verification(
        commitment=shuffle.commitment(seed) == found["commitment"],
        lot=shuffle.allotted_numbers(again(range(match.seat_count), shuffle.LOT), found["teams"]) == found["seats"],
        deals=[
            {"deal": deal["number"], "ok": again(deal["pack"], deal["number"]) == deal["deck"]}
            for deal in found["deals"]
        ],
    )


def published(match):
    """All that a checker needs of a finished match, a dict of plain JSON types. Raises Refused where that can't be.

    "entropies", "seats" (the number drawn) and "teams" are in the order of sitting down; "deals" holds for every
    shuffle its "number" from 1, the "pack" in order and the "deck" that was dealt.
    """
    if match.status != Match.Status.OVER:
        raise Refused("The shuffles of a match can be verified when it is over: until then its seed is secret.")
    if not match.seed:
        raise Refused("The seed of this match is not known here, so its shuffles can't be verified.")
    rules = rules_of(match)
    if not fits(rules, match.seat_count, match.options):
        raise Unreadable(BROKEN)
    seats = list(match.seats.order_by("place").values_list("entropy", "number"))
    return {
        "scheme": shuffle.SCHEME,
        "code": match.shuffle_code,
        "commitment": match.seed_hash,
        "seed": match.seed,
        "entropies": [entropy for entropy, _ in seats],
        "seats": [number for _, number in seats],
        "teams": [rules.team_of(number, match.seat_count) for _, number in seats],
        "deals": [
            {"number": number, "pack": pack, "deck": deck} for number, (pack, deck) in enumerate(_shuffles(match), 1)
        ],
    }


def _shuffles(match):
    """Every shuffle of a match as (pack, deck). The pack is empty after a move that the rules refuse."""
    rules = rules_of(match)
    state = rules.new_match(match.seat_count, match.options)
    for seat, move, _, _ in store.read_moves(match):
        if seat is None:
            yield (rules.deck(state) if state else []), move.get("deck")
        try:
            state = state and rules.apply(state, move)
        except IllegalMove:  # a deck was changed, and with it who holds which card
            state = None
