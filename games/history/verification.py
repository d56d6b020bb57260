"""Verify that the decks of a finished match follow from the promises before its first deal. See games.kit.shuffle."""

from collections.abc import Iterator
from typing import NamedTuple, TypedDict

from games.catalog import IllegalMove, Rules
from games.kit import shuffle
from games.kit.cards import Dealing
from games.kit.contract import Card
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
    """The result of each check."""

    commitments: bool  # The seed and the entropies have the hashes that were published.
    lot: bool  # The seats follow from the seed.
    decks: dict[int, bool]  # Whether each deck follows from the seed, by the number of its shuffle, from 1.

    @property
    def ok(self) -> bool:
        return self.commitments and self.lot and all(self.decks.values())


class DealData(TypedDict):
    """The data of a shuffle, for a verification."""

    number: int  # from 1
    pack: list[Card]  # before the shuffle; empty after a move that the rules refuse
    deck: list[Card] | None  # after the shuffle
    moves: int  # the number of moves up to the deal


class VerificationData(TypedDict):
    """All data for a verification of a match. Lists are in the order of sitting down."""

    scheme: str
    code: str
    seed_hash: str
    seed: str
    entropies: list[str]
    entropy_hashes: list[str]
    seats: list[int]
    teams: list[int | None]
    dealing: Dealing
    deals: list[DealData]


def verify(match: Match) -> Verification:
    """Check that nobody has chosen the decks and the seats of a finished match: they must follow from its seed.

    A seed is the start of random numbers. The site showed its hash before the match, as a promise ("commitment"). The
    players' browsers added random texts ("entropies") to it, and promised them in the same way. Raises Refused if the
    match can't be verified.
    """
    data = verification_data(match)
    if not shuffle.SEED.fullmatch(data["seed"]):  # The stored seed is damaged, so nothing follows from it.
        return Verification(commitments=False, lot=False, decks={deal["number"]: False for deal in data["deals"]})
    shuffles = shuffle.Shuffles(data["seed"], tuple(data["entropies"]))
    seed_matches = shuffle.commitment(data["seed"]) == data["seed_hash"]
    return Verification(
        commitments=seed_matches and shuffles.match_commitments(data["entropy_hashes"]),
        lot=shuffles.seats(data["teams"]) == data["seats"],
        decks={deal["number"]: shuffles.deck(deal["pack"], deal["number"]) == deal["deck"] for deal in data["deals"]},
    )


def verification_data(match: Match) -> VerificationData:
    """Return all data for checking the shuffles of a finished match, of plain JSON types. Raises Refused.

    Lists are in the order in which the players sat down.
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
        "deals": list(_shuffles(match, rules)),
    }


def _shuffles(match: Match, rules: Rules) -> Iterator[DealData]:
    """Yield the data of each shuffle of a match: the order of the cards before it ("pack") and after it ("deck").

    The pack depends on the moves before, so the match is played again. After a move that the rules refuse, the packs
    are unknown, and empty.
    """
    state = rules.new_match(match.seat_count, match.options)
    number = 0
    for index, (seat, move, _, _) in enumerate(store.read_moves(match)):
        if seat is None:  # No player made this move: it is a shuffle.
            number += 1
            yield {
                "number": number,
                "pack": rules.deck(state) if state else [],
                "deck": move.get("deck"),
                "moves": index + 1,
            }
        try:
            state = state and rules.apply(state, move)
        except IllegalMove:  # Somebody has changed a stored deck, so the hands are others than in the match.
            state = None
