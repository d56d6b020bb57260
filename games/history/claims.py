"""The claims by which deals of a match were played out, as replays and records tell of them."""

from functools import partial
from typing import Any

from games.history.marks import Mark
from games.history.replay import Replay
from games.kit.claims import told
from games.kit.words import Names
from games.models import Claim, Match


def accepted(match: Match) -> list[Claim]:
    """The claims of a match that were accepted, in order."""
    return list(match.claims.filter(moves__gt=0).order_by("index"))


def claimed_moves(replay: Replay) -> dict[int, str]:
    """The moves by which deals were played out after claims, by index, each with what is said of its claim."""
    return replay.beside("claims", partial(_claimed_moves, replay))


def _claimed_moves(replay: Replay) -> dict[int, str]:
    names = Names([player["name"] for player in replay.players])
    partners = replay.match.seat_count in replay.rules.partners_at
    return {
        index: told(claim.seat, claim.kind, claim.tricks, names, partners=partners)
        for claim in accepted(replay.match)
        for index in range(claim.index, claim.index + claim.moves)
    }


def marks(replay: Replay, user: Any) -> list[Mark]:
    """Where claims were made: each is the end of its deal."""
    claimed = claimed_moves(replay)
    return [Mark(index, "claim", words.rstrip(".")) for index, words in claimed.items() if index - 1 not in claimed]


def version(match: int, user: Any) -> None:
    """A match that is over has the claims that it has."""
