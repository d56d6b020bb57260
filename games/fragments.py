"""A match as HTML: what is pushed to its sockets, and stands on its page and in its replay.

Cards come out of `rules.view` only. What everybody sees is made once for a snapshot, each seat's own part once a seat.

The templates of felt and mine, `<room>/felt.html` and `<room>/mine.html`, extend those in match/. They are rendered
several times a move, and compiled: see games/templating for where their lines may be broken.
"""

import json
from functools import cached_property
from itertools import takewhile
from math import ceil

from django.template import Context
from django.template.loader import get_template
from django.urls import reverse
from django.utils import timezone

from accounts.people.blocks import kept_apart
from games import templating
from games.catalog import get_game, levels_of
from games.history import lists
from games.kit.language import language, lazily, said
from games.kit.markup import Markup, counted_down
from games.kit.words import Overheard, span
from games.models import Match
from games.play.claims import claim_told, may_claim
from games.play.coach import offers_hints
from games.play.company import looked_with
from games.play.origins import shared, shared_words
from games.play.pace import AWAY_LIMIT, DAY
from games.play.promises import promise_to
from games.speaking import speaking
from games.waits import Waits


class Fragments:
    """The parts of one snapshot's page, for whoever looks at it."""

    def __init__(self, snapshot):
        self.snapshot = snapshot
        self._match = _match(snapshot)
        self._by_seat = {}  # by language, the players
        self._felt = {}  # by language
        self._mine = {}  # by language and seat, and by how many moves they tell of
        self._told = {}  # by language and by how many moves: sentences, and the seats that they speak of
        self._waits = Waits(snapshot)

    @property
    def _players(self):
        code = language()
        if code not in self._by_seat:
            self._by_seat[code] = self.snapshot.players()
        return self._by_seat[code]

    def for_user(self, user_id, seen=None):
        """The inside of the page's #table for a user (None: nobody known), in the language that is spoken.

        seen: how many moves their page has shown. What has happened since is told, where the snapshot knows it.
        """
        snapshot = self.snapshot
        if snapshot.obstacle:
            return self._unreadable(user_id)
        if snapshot.status in (Match.Status.OPEN, Match.Status.CLOSED) and not snapshot.is_guided_to_end:
            return self._waiting(user_id)
        return self.felt + self.mine(snapshot.player_number(user_id), seen)

    @cached_property
    def looked_with(self):
        """On what it depends who may see this: see games.play.company."""
        return looked_with(self.snapshot)

    @cached_property
    def rules_section(self):
        """The id of the part of the rules page that tells of what is done now; "" before the start."""
        if self.snapshot.state is None or self.snapshot.obstacle:
            return ""
        return self._drawing.rules_section(self._table)

    @cached_property
    def _table(self):
        return self.snapshot.rules.view(self.snapshot.state, None)

    @cached_property
    def _drawing(self):
        return get_game(self.snapshot.game).drawing

    @property
    def felt(self):
        """What everybody sees of a match that has begun."""
        code = language()
        if code not in self._felt:
            self._felt[code] = self._drawn_felt()
        return self._felt[code]

    def _drawn_felt(self):
        snapshot, game = self.snapshot, get_game(self.snapshot.game)
        felt = self._drawing.felt(self._table, self._players)
        felt |= {
            "rules": Markup(self.rules_section),
            "deals": Markup(snapshot.deal_count),
            "moves": Markup(snapshot.move_count),  # a template would look up how the language writes numbers
            "news": self._drawing.news(_events(_last_turn(snapshot.latest)), self._players),
        }
        return felt_html(game, felt, self._match)

    def mine(self, number, seen=None):
        """What only the seat of that number sees, told to it what has happened since so many moves.

        number: None for what spectators have in its place.
        """
        snapshot, game = self.snapshot, get_game(self.snapshot.game)
        untold = snapshot.latest_since(snapshot.move_count if seen is None else seen) or ()
        place = language(), number, len(untold)
        if place not in self._mine:
            turn = snapshot.to_act == number and not snapshot.paused_until
            moves = snapshot.rules.legal_moves(snapshot.state) if turn else []
            table = snapshot.rules.view(snapshot.state, number, self._table)
            mine, claimed = self._drawing.mine(table, moves, self._players), claim_told(snapshot, number)
            sentences = self._sentences(untold, number)
            if snapshot.guide and number is not None:
                mine["notes"] = game.guide.notes_for(table, moves)
            if snapshot.paused_until:
                mine["sentence"] = said("The table is paused")
            mine |= {
                "seen": Markup(snapshot.move_count),
                "viewer": "" if number is None else Markup(number),
                "say": " ".join([claimed, *sentences] if untold and claimed else sentences),
                "countdown": self._countdown,
                "waits": self._waits.told_to(number),
                "shared": shared_words(self._shared, None if number is None else snapshot.seats[number]),
                "may_claim": may_claim(snapshot, number, table),
                "claimed": claimed,
            }
            self._mine[place] = mine_html(game, mine, self._match)
        return self._mine[place]

    def _sentences(self, untold, number):
        """What has happened in these moves, told to the seat of that number: most of it is the same for most seats."""
        place = language(), len(untold)
        if place not in self._told:
            names = Overheard([player["name"] for player in self._players])
            self._told[place] = self._drawing.told(_events(untold), names), names.seats
        told, seats = self._told[place]
        return self._drawing.sentences(_events(untold), self._players, number) if number in seats else told

    @cached_property
    def _countdown(self):
        """Until the next deal, where it comes by itself: {"left", "seconds"}, exact and in whole seconds; else None."""
        left = self.snapshot.next_deal_in()
        return None if left is None else {"left": Markup(f"{left:.1f}"), "seconds": Markup(ceil(left))}

    @cached_property
    def _shared(self):
        return shared(self.snapshot)

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
            "unkept": snapshot.seat_count - len(snapshot.seats) - len(snapshot.reserved),
            "kept": _all_kept(snapshot, user_id),
            "me": snapshot.seat_of(user_id),
            "host": snapshot.seat_of(snapshot.host_id),
            "is_host": user_id is not None and snapshot.host_id == user_id,
            "removed": user_id in snapshot.removed,
            "closed": snapshot.status != Match.Status.OPEN,
            "awaited": snapshot.awaited,
            "shared": shared_words(self._shared, snapshot.seat_of(user_id)),
            "watching": _watching(snapshot),
            "start": _start(snapshot),
            "away": [seat.name for seat in snapshot.seats if _is_away(seat, user_id)],
            "away_minutes": AWAY_LIMIT // 60,
            "deal_word": get_game(snapshot.game).deal_word,
            "promise": promise(snapshot, user_id),
        }
        return _render("match/waiting.html", context)


def _watching(snapshot):
    """Who may look on while it is played, in words."""
    if snapshot.club and snapshot.watching == Match.Watching.ANYONE:
        return said("Members of the club")
    return str(Match.Watching(snapshot.watching).label)


def _is_away(seat, user_id):
    return seat.is_person and not seat.connected and seat.user_id != user_id


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
    return templating.render(f"{game.room}/felt.html", {"felt": felt, "match": match, "game": game})


def mine_html(game, mine, match):
    """One seat's own part as HTML.

    mine: as the game's drawing makes it, with "seen", "viewer", "say" and "countdown". match: as for the felt.
    """
    return templating.render(f"{game.room}/mine.html", {"mine": mine, "match": match, "game": game})


def result_html(game, mine):
    """The result of a deal by itself, as HTML: what `mine_html` shows of it, without buttons.

    mine: as the game's drawing makes it, of a table that shows a result.
    """
    return Markup(templating.render(f"{game.room}/mine.html", {"mine": mine, "game": game}, "match/result.html"))


def promise(snapshot, user_id):
    """What the browser of a player notes before it tells its share in shuffles, as JSON; "" while a seat is free."""
    me = snapshot.seat_of(user_id)
    if not snapshot.awaited or me is None:
        return ""
    return json.dumps(promise_to(snapshot, me))


def _sides(snapshot):
    """Who waits at an open table: a dict a side where partners play, else one for all.

    "free": a list of for whom each free seat is kept, a Reserved or None.
    """
    teams = (0, 1) if snapshot.seat_count in snapshot.rules.partners_at else (None,)
    sides = []
    for team in teams:
        seats = [seat for seat in snapshot.seats if seat.team == team]
        sides.append({"team": team, "seats": seats, "free": [None] * (snapshot.seat_count // len(teams) - len(seats))})
    for team in (0, 1, None):  # those for whom no side was chosen come where there is room
        kept = [reserved for reserved in snapshot.reserved if reserved.team == team]
        for side in reversed(sides):
            for place in reversed(range(len(side["free"]))):
                if kept and side["free"][place] is None and team in (None, side["team"]):
                    side["free"][place] = kept.pop()
    return sides


def _start(snapshot):
    """The set start of an open table: {"at", "left"}: how long until then, counted down on the day before; or None."""
    if snapshot.starts_at is None:
        return None
    left = max(0.0, (snapshot.starts_at - timezone.now()).total_seconds())
    return {"at": snapshot.starts_at, "left": counted_down(left) if left < DAY else span(left)}


def _all_kept(snapshot, user_id):
    """Whether all free seats are kept for others than this user."""
    others = [reserved for reserved in snapshot.reserved if reserved.user_id != user_id]
    return len(others) >= snapshot.seat_count - len(snapshot.seats)


def _match(snapshot):
    """What templates draw of the match itself."""
    return {
        "code": snapshot.code,
        "status": Markup(snapshot.status),
        "revision": Markup(snapshot.revision),
        "rematch_code": snapshot.rematch_code,
        "guide": snapshot.guide,
        "other_line": _other_line(snapshot),
        "open_deals": snapshot.open_deals,
        "has_hints": offers_hints(snapshot),
    }


def _other_line(snapshot):
    """Where the result of a match that counts for nothing leads to, once it is over: (address, words); else None."""
    if not snapshot.aside or snapshot.status != Match.Status.OVER:
        return None
    if snapshot.aside == Match.Aside.VARIATION:
        return reverse("beside", args=[snapshot.code]), lazily("Both lines")
    return reverse("results", args=[snapshot.code]), lazily("All results")


def lobby_tables(viewers):
    """The inside of the lobby's #tables, by viewer.

    viewers: a set of (user, language) of who looks at it. Each is drawn its own who waits at a table, is invited, whose
    clubs have tables, or whom a block keeps from somebody there.
    """
    user_ids = {user_id for user_id, _ in viewers} - {None}
    lobby, apart = lists.lobby(), kept_apart(user_ids)
    invited, of_clubs = lists.invitations(user_ids), lists.tables_of_clubs(user_ids)
    waiting = {user_id for line in lobby["open"] for user_id in line["people"]} & user_ids
    of_their_own = {}
    for user_id in waiting | apart.keys() | invited.keys() | of_clubs.keys():
        own = {"invitations": invited.get(user_id, []), "of_clubs": of_clubs.get(user_id, [])}
        shown = lists.for_user(lobby | own, user_id, apart.get(user_id, frozenset()))
        if shown != lobby | {"invitations": [], "of_clubs": []}:
            of_their_own[user_id] = shown
    drawn, of_all = {}, {}
    for user_id, code in viewers:
        with speaking(code):
            if user_id in of_their_own:
                drawn[user_id, code] = _render("lobby/tables.html", of_their_own[user_id])
                continue
            if code not in of_all:
                of_all[code] = _render("lobby/tables.html", lobby)
            drawn[user_id, code] = of_all[code]
    return drawn


def _render(name, context):
    """A template as by render_to_string, without what that does for context processors."""
    return get_template(name).template.render(Context(context))
