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

from accounts.people.blocks import apart_by_user
from games import templating
from games.catalog import get_game, levels_of
from games.history import lists
from games.kit.language import language, lazy, say
from games.kit.markup import Markup, countdown
from games.kit.words import SpectatorNames, span
from games.languages import speaking
from games.models import Match
from games.play.access import access_of
from games.play.claims import claim_sentence, may_claim
from games.play.coach import offers_hints
from games.play.origins import shared_origins, sharing_sentences
from games.play.pace import AWAY_LIMIT, DAY
from games.play.promises import promise_notes
from games.waiting import Waiting


class Fragments:
    """The parts of one snapshot's page, for whoever looks at it."""

    def __init__(self, snapshot):
        self.snapshot = snapshot
        self._of_all = _OfAll(snapshot)
        self._tables = {}  # by language, the _Table

    @property
    def _spoken(self):
        """The table in the language that is spoken."""
        code = language()
        if code not in self._tables:
            self._tables[code] = _Table(self._of_all)
        return self._tables[code]

    def for_user(self, user_id, seen=None):
        """The inside of the page's #table for a user (None: nobody known), in the language that is spoken.

        seen: how many moves their page has shown. What has happened since is told, where the snapshot knows it.
        """
        snapshot = self.snapshot
        if snapshot.obstacle:
            return self._unreadable(user_id)
        if snapshot.status in (Match.Status.OPEN, Match.Status.CLOSED) and not snapshot.is_guided_to_end:
            return self._waiting(user_id)
        table = self._spoken
        return "".join((table.felt, table.mine(snapshot.player_number(user_id), seen)))

    @cached_property
    def access(self):
        """On what it depends who may see this: see games.play.access."""
        return access_of(self.snapshot)

    @property
    def rules_section(self):
        """The id of the part of the rules page that tells of what is done now; "" before the start."""
        return self._of_all.rules_section

    def _unreadable(self, user_id):
        context = {
            "match": self._of_all.match,
            "sentence": self.snapshot.obstacle,
            "seats": self.snapshot.seats,
            "me": self.snapshot.seat_of(user_id),
        }
        return _render("match/unreadable.html", context)

    def _waiting(self, user_id):
        snapshot = self.snapshot
        context = {
            "match": self._of_all.match,
            "snapshot": snapshot,
            "game": get_game(snapshot.game),
            "rules_words": lists.rules_in_words(snapshot),
            "sides": _sides(snapshot),
            "levels": levels_of(snapshot.game),
            "free": snapshot.seat_count - len(snapshot.seats),
            "unkept": snapshot.seat_count - len(snapshot.seats) - len(snapshot.reservations),
            "kept": _all_kept(snapshot, user_id),
            "me": snapshot.seat_of(user_id),
            "host": snapshot.seat_of(snapshot.host_id),
            "is_host": user_id is not None and snapshot.host_id == user_id,
            "removed": user_id in snapshot.removed,
            "closed": snapshot.status != Match.Status.OPEN,
            "awaited": snapshot.awaited_seats,
            "shared": sharing_sentences(self._of_all.shared_origins, snapshot.seat_of(user_id)),
            "watching": _watching(snapshot),
            "start": _start(snapshot),
            "away": [seat.name for seat in snapshot.seats if _is_away(seat, user_id)],
            "away_minutes": AWAY_LIMIT // 60,
            "deal_word": get_game(snapshot.game).deal_word,
            "promise": promise(snapshot, user_id),
        }
        return _render("match/waiting.html", context)


class _OfAll:
    """What is drawn of one snapshot for everybody, in whatever language.

    Apart from `Fragments`, so that what it is drawn with does not lead back to it: such circles wait for the collection
    of garbage, and all that they hold with them.
    """

    def __init__(self, snapshot):
        self.snapshot = snapshot
        self.match = _match(snapshot)
        self.waits = Waiting(snapshot)

    @cached_property
    def game(self):
        return get_game(self.snapshot.game)

    @cached_property
    def view(self):
        return self.snapshot.rules.view(self.snapshot.state, None)

    @cached_property
    def rules_section(self):
        if self.snapshot.state is None or self.snapshot.obstacle:
            return ""
        return self.game.drawing.rules_section(self.view)

    @cached_property
    def countdown(self):
        """Until the next deal, where it comes by itself: {"left", "seconds"}, exact and in whole seconds; else None."""
        left = self.snapshot.next_deal_in()
        return None if left is None else {"left": Markup(f"{left:.1f}"), "seconds": Markup(ceil(left))}

    @cached_property
    def shared_origins(self):
        """Who shares an address or a browser."""
        return shared_origins(self.snapshot)


class _Table:
    """The felt and the seats' own parts of a match that has begun, in the language that is spoken when it is made."""

    def __init__(self, of_all):
        self._of_all = of_all
        self._snapshot, self._game, self._drawing = of_all.snapshot, of_all.game, of_all.game.drawing
        self._to_act = None if self._snapshot.paused_until else self._snapshot.to_act
        self._players = self._snapshot.players()
        self._mine = {}  # by seat, and by how many moves they tell of
        self._told = {}  # by how many moves: sentences, and the seats that they speak of

    @cached_property
    def felt(self):
        snapshot = self._snapshot
        felt = self._drawing.felt(self._of_all.view, self._players)
        felt |= {
            "rules": Markup(self._of_all.rules_section),
            "deals": Markup(snapshot.deal_count),
            "moves": Markup(snapshot.move_count),  # a template would look up how the language writes numbers
            "news": self._drawing.news(_events(_last_turn(snapshot.latest_moves))),
        }
        return felt_html(self._game, felt, self._of_all.match)

    def mine(self, number, seen):
        snapshot = self._snapshot
        untold = snapshot.moves_since(snapshot.move_count if seen is None else seen) or ()
        place = number, len(untold)
        if place not in self._mine:
            self._mine[place] = self._drawn_mine(number, untold)
        return self._mine[place]

    def _drawn_mine(self, number, untold):
        snapshot, of_all = self._snapshot, self._of_all
        moves = snapshot.rules.legal_moves(snapshot.state) if self._to_act == number and number is not None else []
        table = snapshot.rules.view(snapshot.state, number, of_all.view)
        mine, claimed = self._drawing.mine(table, moves, self._players), claim_sentence(snapshot, number)
        sentences = self._sentences(untold, number)
        if snapshot.guide and number is not None:
            mine["notes"] = self._game.guide.notes_for(table, moves)
        if snapshot.paused_until:
            mine["sentence"] = say("The table is paused")
        mine |= {
            "seen": Markup(snapshot.move_count),
            "viewer": "" if number is None else Markup(number),
            "say": " ".join([claimed, *sentences] if untold and claimed else sentences),
            "countdown": of_all.countdown,
            "waits": of_all.waits.html(number),
            "shared": sharing_sentences(of_all.shared_origins, None if number is None else snapshot.seats[number]),
            "may_claim": may_claim(snapshot, number, table),
            "claimed": claimed,
        }
        return mine_html(self._game, mine, of_all.match)

    def _sentences(self, untold, number):
        """What has happened in these moves, told to the seat of that number: most of it is the same for most seats."""
        place = len(untold)
        if place not in self._told:
            names = SpectatorNames([player["name"] for player in self._players])
            self._told[place] = self._drawing.sentences_for(_events(untold), names), names.mentioned_seats
        told, seats = self._told[place]
        return self._drawing.sentences(_events(untold), self._players, number) if number in seats else told


def _watching(snapshot):
    """Who may look on while it is played, in words."""
    if snapshot.club and snapshot.terms.watching == Match.Watching.ANYONE:
        return say("Members of the club")
    return str(Match.Watching(snapshot.terms.watching).label)


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
    if not snapshot.awaited_seats or me is None:
        return ""
    return json.dumps(promise_notes(snapshot, me))


def _sides(snapshot):
    """Who waits at an open table: a dict a side where partners play, else one for all.

    "free": a list of for whom each free seat is kept, a Reservation or None.
    """
    teams = (0, 1) if snapshot.seat_count in snapshot.rules.partners_at else (None,)
    sides = []
    for team in teams:
        seats = [seat for seat in snapshot.seats if seat.team == team]
        sides.append({"team": team, "seats": seats, "free": [None] * (snapshot.seat_count // len(teams) - len(seats))})
    for team in (0, 1, None):  # those for whom no side was chosen come where there is room
        kept = [reserved for reserved in snapshot.reservations if reserved.team == team]
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
    return {"at": snapshot.starts_at, "left": countdown(left) if left < DAY else span(left)}


def _all_kept(snapshot, user_id):
    """Whether all free seats are kept for others than this user."""
    others = [reserved for reserved in snapshot.reservations if reserved.user_id != user_id]
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
        "open_deals": snapshot.terms.open_deals,
        "has_hints": offers_hints(snapshot),
    }


def _other_line(snapshot):
    """Where the result of a match that counts for nothing leads to, once it is over: (address, words); else None."""
    if not snapshot.aside or snapshot.status != Match.Status.OVER:
        return None
    if snapshot.aside == Match.Aside.VARIATION:
        return reverse("beside", args=[snapshot.code]), lazy("Both lines")
    return reverse("results", args=[snapshot.code]), lazy("All results")


def lobby_tables(viewers):
    """The inside of the lobby's #tables, by viewer.

    viewers: a set of (user, language) of who looks at it. Each is drawn its own who waits at a table, is invited, whose
    clubs have tables, or whom a block keeps from somebody there.
    """
    user_ids = {user_id for user_id, _ in viewers} - {None}
    lobby, apart = lists.lobby(), apart_by_user(user_ids)
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
