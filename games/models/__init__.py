"""What is stored: matches, who sits at them, and every move.

A match is its seats, its options and its list of moves; everything else on it is derived from those, kept so that
nothing need be folded to be shown, and checked by `manage.py replay_check`.
"""

from games.models.gaps import Gap, Heartbeat
from games.models.matches import Match, counting, new_code
from games.models.moves import Claim, Move, OddPlay
from games.models.seats import Invitation, Seat, Vacation
from games.models.terms import DEFAULT_SPEED, Terms

__all__ = [
    "DEFAULT_SPEED",
    "Claim",
    "Gap",
    "Heartbeat",
    "Invitation",
    "Match",
    "Move",
    "OddPlay",
    "Seat",
    "Terms",
    "Vacation",
    "counting",
    "new_code",
]
