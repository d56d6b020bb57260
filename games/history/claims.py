"""The accepted claims of a match, for replays and records."""

from functools import partial

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.history.marks import Mark
from games.history.replay import Replay
from games.kit.claims import describe_claim
from games.kit.words import Names
from games.models import Claim, Match


def accepted_claims(match: Match) -> list[Claim]:
    """Return the accepted claims of a match, in order."""
    return list(match.claims.filter(moves__gt=0).order_by("index"))


def claimed_moves(replay: Replay) -> dict[int, str]:
    """Map the index of each move that was played by a claim to a sentence about the claim."""
    return replay.memoize("claims", partial(_claimed_moves, replay))


def _claimed_moves(replay: Replay) -> dict[int, str]:
    names = Names([player["name"] for player in replay.players])
    partners = replay.match.seat_count in replay.rules.partners_at
    return {
        index: describe_claim(claim.seat, claim.kind, claim.tricks, names, partners=partners)
        for claim in accepted_claims(replay.match)
        for index in range(claim.index, claim.index + claim.moves)
    }


def marks(replay: Replay, user: User | AnonymousUser) -> list[Mark]:
    """Return a mark at the first move of each claim."""
    claimed = claimed_moves(replay)
    return [Mark(index, "claim", words.rstrip(".")) for index, words in claimed.items() if index - 1 not in claimed]


def version(match: int, user: User | AnonymousUser) -> None:
    """Return None, because the claims of a finished match never change."""
