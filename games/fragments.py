"""A match as HTML: what is pushed to its sockets, and stands on its page and in its replay.

Cards come out of `rules.view` only. What everybody sees is made once for a snapshot, each seat's own part once a seat.

The templates of felt and mine, `<room>/felt.html` and `<room>/mine.html`, extend those in match/. They are rendered
several times a move, and compiled here: see `compiled` for where their lines may be broken.
"""

import json
import re
from functools import cached_property, lru_cache
from itertools import takewhile
from math import ceil

from django.conf import settings
from django.template import Context, Template
from django.template.loader import get_template

from games.catalog import get_game, levels_of
from games.history import lists
from games.kit.markup import Markup
from games.kit.shuffle import SCHEMES
from games.models import Match


class Fragments:
    """The parts of one snapshot's page, for whoever looks at it."""

    def __init__(self, snapshot):
        self.snapshot = snapshot
        self._match = _match(snapshot)
        self._mine = {}  # by seat, and by how many moves they tell of

    @cached_property
    def _players(self):
        return self.snapshot.players()

    def for_user(self, user_id, seen=None):
        """The inside of the page's #table for a user (None: nobody known).

        seen: how many moves their page has shown. What has happened since is told, where the snapshot knows it.
        """
        snapshot = self.snapshot
        if snapshot.obstacle:
            return self._unreadable(user_id)
        if snapshot.status in (Match.Status.OPEN, Match.Status.CLOSED) and not snapshot.is_guided_to_end:
            return self._waiting(user_id)
        return self.felt + self.mine(snapshot.player_number(user_id), seen)

    @cached_property
    def rules_section(self):
        """The id of the part of the rules page that tells of what is done now; "" before the start."""
        if self.snapshot.state is None or self.snapshot.obstacle:
            return ""
        return get_game(self.snapshot.game).drawing.rules_section(self._table)

    @cached_property
    def _table(self):
        return self.snapshot.rules.view(self.snapshot.state, None)

    @cached_property
    def felt(self):
        """What everybody sees of a match that has begun."""
        snapshot, game = self.snapshot, get_game(self.snapshot.game)
        felt = game.drawing.felt(self._table, self._players)
        felt |= {
            "rules": Markup(self.rules_section),
            "deals": Markup(snapshot.deal_count),
            "moves": Markup(snapshot.move_count),  # a template would look up how the language writes numbers
            "news": game.drawing.news(_events(_last_turn(snapshot.latest)), self._players),
        }
        return felt_html(game, felt, self._match)

    def mine(self, number, seen=None):
        """What only the seat of that number sees, told to it what has happened since so many moves.

        number: None for what spectators have in its place.
        """
        snapshot, game = self.snapshot, get_game(self.snapshot.game)
        untold = snapshot.latest_since(snapshot.move_count if seen is None else seen) or ()
        if (number, len(untold)) not in self._mine:
            moves = snapshot.rules.legal_moves(snapshot.state) if snapshot.to_act == number else []
            table = snapshot.rules.view(snapshot.state, number)
            mine = game.drawing.mine(table, moves, self._players)
            if snapshot.guide and number is not None:
                mine["notes"] = game.guide.notes_for(table, moves)
            mine |= {
                "seen": Markup(snapshot.move_count),
                "viewer": "" if number is None else Markup(number),
                "say": " ".join(game.drawing.sentences(_events(untold), self._players, number)),
                "countdown": self._countdown,
            }
            self._mine[number, len(untold)] = mine_html(game, mine, self._match)
        return self._mine[number, len(untold)]

    @cached_property
    def _countdown(self):
        """Until the next deal, where it comes by itself: {"left", "seconds"}, exact and in whole seconds; else None."""
        left = self.snapshot.next_deal_in()
        return None if left is None else {"left": Markup(f"{left:.1f}"), "seconds": Markup(ceil(left))}

    def _unreadable(self, user_id):
        context = {
            "match": self._match,
            "sentence": self.snapshot.obstacle,
            "seats": self.snapshot.seats,
            "me": self.snapshot.seat_of(user_id),
        }
        return _render("match/unreadable.html", context)

    def _waiting(self, user_id):
        snapshot = self.snapshot
        context = {
            "match": self._match,
            "snapshot": snapshot,
            "game": get_game(snapshot.game),
            "terms": lists.terms_of(snapshot),
            "sides": _sides(snapshot),
            "levels": levels_of(snapshot.game),
            "free": snapshot.seat_count - len(snapshot.seats),
            "me": snapshot.seat_of(user_id),
            "host": snapshot.seat_of(snapshot.host_id),
            "is_host": user_id is not None and snapshot.host_id == user_id,
            "removed": user_id in snapshot.removed,
            "closed": snapshot.status != Match.Status.OPEN,
            "awaited": snapshot.awaited,
            "deal_word": get_game(snapshot.game).deal_word,
            "promise": _promise(snapshot, snapshot.seat_of(user_id)),
        }
        return _render("match/waiting.html", context)


def _events(moves):
    """The events of many moves in one list. moves: MoveEvents."""
    return [event for move in moves for event in move.events]


def _last_turn(moves):
    """The last of these moves that was no shuffle, with the shuffles after it."""
    shuffles = list(takewhile(lambda move: move.seat is None, reversed(moves)))
    return moves[-len(shuffles) - 1 :]


def felt_html(game, felt, match):
    """The felt as HTML.

    felt: as the game's drawing makes it, with "moves" and "news" of the match; in a replay "say" too.
    match: {"code", "status", "revision", "rematch_code", "guide"}, or the stored match.
    """
    return _render_compiled(f"{game.room}/felt.html", {"felt": felt, "match": match, "game": game})


def mine_html(game, mine, match):
    """One seat's own part as HTML.

    mine: as the game's drawing makes it, with "seen", "viewer", "say" and "countdown". match: as for the felt.
    """
    return _render_compiled(f"{game.room}/mine.html", {"mine": mine, "match": match, "game": game})


def result_html(game, mine):
    """The result of a deal by itself, as HTML: what `mine_html` shows of it, without buttons.

    mine: as the game's drawing makes it, of a table that shows a result.
    """
    return Markup(_render_compiled(f"{game.room}/mine.html", {"mine": mine, "game": game}, "match/result.html"))


def _promise(snapshot, me):
    """What the browser of a seat notes before it tells its share in the shuffles, as JSON; "" while a seat is free.

    me: the SeatSnapshot, or None.
    """
    if not snapshot.awaited or me is None:
        return ""
    seats = snapshot.seats_by_place()
    promise = {
        "scheme": SCHEMES[snapshot.shuffle_scheme],
        "seedHash": snapshot.seed_hash,
        "hashes": [seat.entropy_hash for seat in seats],
        "teams": [seat.team for seat in seats],
        "dealing": snapshot.rules.dealing(snapshot.rules.new_match(snapshot.seat_count, snapshot.options)),
        "place": me.place,
    }
    return json.dumps(promise)


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
        "revision": Markup(snapshot.revision),
        "rematch_code": snapshot.rematch_code,
        "guide": snapshot.guide,
    }


def lobby_tables():
    """The inside of the lobby's #tables: the same for everybody."""
    return _render("lobby/tables.html", lists.lobby())


# Templates. All are rendered as by render_to_string, without what it does for context processors.

EXTENDS = re.compile(r'{% extends "(.*?)" %}')
BLOCK = re.compile(r"{% block (\w+) %}(.*?){% endblock %}", re.DOTALL)  # none within another
INCLUDE = re.compile(r'{% include "(.*?)"(?: (with .*?))? %}')


def _render(name, context):
    return get_template(name).template.render(Context(context))


def _render_compiled(name, context, within=None):
    template = compiled(name, within) if settings.DEBUG else _kept(name, within)
    return template.render(Context(context))


def compiled(name, within=None):
    """A template in one piece, with all that it extends and includes.

    within: a template that is filled with its blocks in place of the one that it extends.

    White space with a line break in it is left out between two tags, of HTML or of templates, and is one space
    elsewhere. So lines may be broken between tags, and a space that shows there stands within a line. No <pre> here.
    """
    found = get_template(name).template
    between_tags = re.sub(r"(?<=[>}])\s*\n\s*(?=[<{])", "", _whole_source(name, within=within))
    return Template(re.sub(r"\s*\n\s*", " ", between_tags), found.origin, name, found.engine)


_kept = lru_cache(100)(compiled)  # there are fewer


def _whole_source(name, blocks=None, within=None):
    """blocks: by name, what a template that extends this one has in place of its blocks. within: as for `compiled`."""
    source, blocks = get_template(name).template.source, blocks or {}
    extends = EXTENDS.search(source)
    if within or extends:
        return _whole_source(within or extends[1], dict(BLOCK.findall(source)) | blocks)
    in_place = BLOCK.sub(lambda block: blocks.get(block[1], block[2]), source)
    return INCLUDE.sub(_included, in_place).strip()


def _included(include):
    source = _whole_source(include[1])
    return f"{{% {include[2]} %}}{source}{{% endwith %}}" if include[2] else source
