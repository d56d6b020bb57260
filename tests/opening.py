"""Tables opened in one line: `games.play.opening` with its values spelled out."""

from games.models import Terms
from games.play import opening
from games.play.origins import SeatRequest

promised_tables, rematch = opening.promised_tables, opening.rematch
SETUP = {"seats", "options", "rules_version", "bots", "levels", "guide"}
SEAT = {"entropy_hash", "form_key", "origin", "promise"}
SOURCE = {"seed", "shuffle_code"}


def open_table(user, game, *, teams=(), **named):
    """teams: of the host, if there is one, and of the bots. named: fields of Setup, SeatRequest, Source and Terms."""
    host, bots = (teams[:1], teams[1:]) if user else ((), teams)
    setup = opening.Setup(game, teams=bots, **_taken(named, SETUP))
    seat, source = SeatRequest(*host, **_taken(named, SEAT)), _taken(named, SOURCE)
    return opening.open_table(user, setup, Terms(**named), seat, opening.Source(**source) if source else None)


def quick_play(user, game, *, length="", level="", **seat):
    return opening.quick_play(user, SeatRequest(**seat), game=game, length=length, level=level)


def open_for_friends(user, game, *, length=""):
    return opening.open_for_friends(user, game=game, length=length)


def open_guide(user, game):
    return opening.open_guide(user, game=game)


def _taken(named, names):
    return {name: named.pop(name) for name in names & named.keys()}
