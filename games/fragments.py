"""Tables as HTML: the same for the page and for the socket.

Cards come out of `rules.view` only. What everybody sees is drawn once for a snapshot, each seat's own part once a seat.
"""

from functools import cache

from django.conf import settings
from django.template import Context
from django.template.loader import get_template

from games.catalog import get_drawing, get_game
from games.history import lists
from games.models import Match
from games.play.versions import missing_rules


class TableDrawer:
    """Draws one snapshot for whoever looks at it."""

    def __init__(self, snapshot):
        self.snapshot = snapshot
        self._players = snapshot.players() if snapshot.state is not None else None
        self._match = _match(snapshot)
        self._felt = None
        self._mine = {}

    def table(self, user_id):
        """The inside of the page's #table for a user (None: nobody known)."""
        snapshot = self.snapshot
        if snapshot.rules is None:
            return self._missing_rules(user_id)
        if snapshot.status in (Match.Status.OPEN, Match.Status.CLOSED):
            return self._waiting(user_id)
        number = snapshot.player_number(user_id)
        return self.felt() + self.mine(number)

    def felt(self):
        """What everybody sees of a match that has begun."""
        if self._felt is None:
            snapshot, table = self.snapshot, get_drawing(self.snapshot.game)
            felt = table.felt(snapshot.rules.view(snapshot.state, None), self._players)
            felt |= {
                "moves": str(snapshot.move_count),  # a template would look up how the language writes numbers
                "revision": str(snapshot.revision),
                "say": " ".join(table.sentences(snapshot.events, self._players)),
                "news": table.news(snapshot.events, self._players),
            }
            context = {"felt": felt, "match": self._match}
            self._felt = _render(f"{get_game(snapshot.game).room}/felt.html", context)
        return self._felt

    def mine(self, number):
        """What only the seat of that number sees; for None, what spectators have in its place."""
        if number not in self._mine:
            snapshot, table = self.snapshot, get_drawing(self.snapshot.game)
            moves = snapshot.rules.legal_moves(snapshot.state) if snapshot.to_act == number else []
            view = snapshot.rules.view(snapshot.state, number)
            mine = table.mine(view, moves, self._players)
            mine |= {"seen": str(snapshot.move_count), "viewer": "" if number is None else str(number)}
            context = {"mine": mine, "match": self._match}
            self._mine[number] = _render(f"{get_game(snapshot.game).room}/mine.html", context)
        return self._mine[number]

    def _missing_rules(self, user_id):
        context = {
            "match": self._match,
            "sentence": missing_rules(self.snapshot),
            "seats": self.snapshot.seats,
            "me": self.snapshot.seat_of(user_id),
        }
        return _render("match/missing_rules.html", context)

    def _waiting(self, user_id):
        snapshot = self.snapshot
        context = {
            "match": self._match,
            "snapshot": snapshot,
            "sides": _sides(snapshot),
            "free": snapshot.seat_count - len(snapshot.seats),
            "me": snapshot.seat_of(user_id),
            "is_host": user_id is not None and snapshot.host_id == user_id,
            "closed": snapshot.status != Match.Status.OPEN,
        }
        return _render("match/waiting.html", context)


def _sides(snapshot):
    """Who waits at an open table, and how many seats are free: a dict a side where partners play, else one for all."""
    teams = (None,) if snapshot.rules.team_of(0, snapshot.seat_count) is None else (0, 1)
    sides = []
    for team in teams:
        seats = [seat for seat in snapshot.seats if seat.team == team]
        sides.append({"team": team, "seats": seats, "free": range(snapshot.seat_count // len(teams) - len(seats))})
    return sides


def _match(snapshot):
    """What templates draw of the match itself."""
    return {
        "code": snapshot.code,
        "status": snapshot.status,
        "revision": str(snapshot.revision),
        "rematch_code": snapshot.rematch_code,
    }


def lobby_tables():
    """The inside of the lobby's #tables: the same for everybody."""
    return _render("lobby/tables.html", lists.lobby())


def _render(name, context):
    # As render_to_string, without what it does for context processors: this runs several times a move.
    return _template(name).render(Context(context))


def _template(name):
    if settings.DEBUG:
        return get_template(name).template
    return _kept_template(name)


@cache
def _kept_template(name):
    return get_template(name).template
