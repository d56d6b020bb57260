"""Render a match as HTML, for its sockets, its page and its replay.

Cards come only from `rules.view`. The part that everybody sees is rendered once per snapshot and language, the own part
of a seat once per seat.

The templates of felt and mine, `<room>/felt.html` and `<room>/mine.html`, extend the templates in match/. They are
compiled, because every move renders them several times. games/templating says where their lines may be broken.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import takewhile
from math import ceil
from typing import Any, TypedDict

from django.conf import settings
from django.template import Context
from django.template.loader import get_template
from django.urls import reverse
from django.utils import timezone

from accounts.people.blocks import apart_by_user
from games import templating
from games.catalog import CHANCE, Game, get_game, levels_of
from games.history import lists
from games.kit.contract import Event, Table
from games.kit.drawing import Column, TemplateData, caption, draw_result, mark_names, result_lines
from games.kit.language import language, lazy, say
from games.kit.markup import Markup, countdown
from games.kit.words import Names, SpectatorNames, span
from games.languages import using_language
from games.models import Match
from games.play.access import Access, access_of
from games.play.claims import claim_sentence, may_claim
from games.play.coach import offers_hints
from games.play.origins import Sharing, shared_origins, sharing_sentences
from games.play.pace import AWAY_LIMIT, DAY
from games.play.promises import promise_notes
from games.play.snapshot import MoveEvents, Reservation, SeatSnapshot, Snapshot
from games.waiting import Waiting

type MatchData = Match | TemplateData
type Viewer = tuple[int | None, str]  # the key of a user, or None, and the code of a language


class WaitingSide(TypedDict):
    """A side of an open table, or all of the table in a game without partners."""

    team: int | None
    seats: list[SeatSnapshot]
    free: list[Reservation | None]  # the free seats, each with its reservation
    room: bool  # A person can sit here: a seat is free, or its bot can move to the other side.


class Fragments:
    """The HTML of one snapshot for any user, in any language."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._shared = _SharedParts(snapshot)
        self._tables: dict[str, _Table] = {}  # by language

    @property
    def _table(self) -> "_Table":
        """The parts of the page in the current language. They are made once for all readers of this language."""
        code = language()
        if code not in self._tables:
            self._tables[code] = _Table(self._shared)
        return self._tables[code]

    def for_user(self, user_id: int | None, seen: int | None = None) -> str:
        """Return the HTML of the match for a user or a visitor (None), in the current language.

        Before the start, it is a table that waits for players. Later it is the part that everybody sees, and then the
        user's own part, such as their hand. seen: the number of moves that the user's page has shown. Sentences for
        screen readers describe the later ones. None describes none.
        """
        snapshot = self.snapshot
        if snapshot.obstacle:  # A reason why the match can't be shown, such as unknown rules.
            return self._render_unreadable(user_id)
        if snapshot.status in (Match.Status.OPEN, Match.Status.CLOSED) and not snapshot.is_guided_to_end:
            return self._render_waiting_table(user_id)
        return self._table.felt + self._table.own_part(snapshot.player_number(user_id), seen)

    @cached_property
    def access(self) -> Access:
        """The values that decide who may see this."""
        return access_of(self.snapshot)

    @property
    def rules_section(self) -> str:
        """The id of the section of the rules page about the current phase of the game; "" before the start."""
        return self._shared.rules_section

    def _render_unreadable(self, user_id: int | None) -> str:
        context = {
            "match": self._shared.match,
            "sentence": self.snapshot.obstacle,
            "seats": self.snapshot.seats,
            "me": self.snapshot.seat_of(user_id),
        }
        return _render("match/unreadable.html", context)

    def _render_waiting_table(self, user_id: int | None) -> str:
        snapshot = self.snapshot
        context = {
            "match": self._shared.match,
            "snapshot": snapshot,
            "game": get_game(snapshot.game),
            "rules_words": lists.rules_in_words(snapshot),
            "sides": _sides(snapshot),
            "levels": levels_of(snapshot.game),
            "free": snapshot.seat_count - len(snapshot.seats),
            "unkept": snapshot.seat_count - len(snapshot.seats) - len(snapshot.reservations),
            "kept": _are_all_reserved(snapshot, user_id),
            "me": snapshot.seat_of(user_id),
            "host": snapshot.seat_of(snapshot.host_id),
            "is_host": user_id is not None and snapshot.host_id == user_id,
            "removed": user_id in snapshot.removed,
            "closed": snapshot.status != Match.Status.OPEN,
            "awaited": snapshot.awaited_seats,
            "shared": sharing_sentences(self._shared.shared_origins, snapshot.seat_of(user_id)),
            "watching": _watching_words(snapshot),
            "writing": Match.Chat(snapshot.terms.chat).label,
            "start": _start_context(snapshot),
            "away": [seat.name for seat in snapshot.seats if _is_away(seat, user_id)],
            "away_minutes": AWAY_LIMIT // 60,
            "deal_word": get_game(snapshot.game).deal_word,
            "promise": promise_json(snapshot, user_id),
        }
        return _render("match/waiting.html", context)


class _SharedParts:
    """The values of one snapshot that all users and languages share.

    Tables refer to them, and not to their `Fragments`. So there are no reference cycles, which would keep everything in
    memory until the garbage collector runs.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.match = _match_data(snapshot)
        self.waits = Waiting(snapshot)

    @cached_property
    def game(self) -> Game:
        return get_game(self.snapshot.game)

    @cached_property
    def view(self) -> Table:
        assert self.snapshot.rules
        return self.snapshot.rules.view(self.snapshot.state, None)

    @cached_property
    def rules_section(self) -> str:
        if self.snapshot.state is None or self.snapshot.obstacle:
            return ""
        return self.game.drawing.rules_section(self.view)

    @cached_property
    def countdown(self) -> dict[str, Markup] | None:
        """The seconds until the next deal: exact ("left"), and rounded up ("seconds"). None if it has no set time."""
        left = self.snapshot.next_deal_in()
        return None if left is None else {"left": Markup(f"{left:.1f}"), "seconds": Markup(ceil(left))}

    @cached_property
    def is_passed_out(self) -> bool:
        """Whether the match is over because nobody wanted to play its only deal."""
        snapshot = self.snapshot
        assert snapshot.rules
        if snapshot.status != Match.Status.OVER or snapshot.rules.to_act(snapshot.state) != CHANCE:
            return False
        return not self.game.drawing.mine(self.view, [], snapshot.players()).get("result")

    @cached_property
    def shared_origins(self) -> list[Sharing]:
        """The seats that share an address or a browser."""
        return shared_origins(self.snapshot)


class _Table:
    """The felt and the seats' own parts of a match that has begun, in the language current at its creation."""

    def __init__(self, shared: _SharedParts) -> None:
        self._shared = shared
        self._snapshot, self._game, self._drawing = shared.snapshot, shared.game, shared.game.drawing
        self._to_act = None if self._snapshot.paused_until else self._snapshot.to_act
        self._players = self._snapshot.players()
        self._own_parts: dict[tuple[int | None, int], str] = {}  # by seat and number of described moves
        self._news: dict[int, tuple[list[str], set[int]]] = {}  # by number of moves, sentences and the seats in them

    @cached_property
    def felt(self) -> str:
        """The HTML of the part of the page that everybody sees alike: the table with its seats and open cards.

        The drawing, which belongs to the game, gives most values for the template. We add those of the match.
        """
        snapshot = self._snapshot
        felt = {
            **self._drawing.felt(self._shared.view, self._players),
            "rules": Markup(self._shared.rules_section),
            "deals": Markup(snapshot.deal_count),
            "moves": Markup(snapshot.move_count),  # As markup, because templates would localize a number.
            "news": self._drawing.news(_events(_last_turn(snapshot.latest_moves))),
        }
        if self._shared.is_passed_out:  # The game would go on with other cards. This match does not.
            felt |= {"news": "", "caption": caption(say("Nobody scores."), say("Everybody passed"))}
        return felt_html(self._game, felt, self._shared.match)

    def own_part(self, number: int | None, seen: int | None) -> str:
        """Return the HTML of the part of the page that only one seat sees: its hand and buttons. Spectators share one.

        number: of the seat, or None for spectators. seen: the number of moves that the reader's page has shown. The
        HTML describes later moves for screen readers. None describes none.
        The HTML is cached, because a player may have several pages open, and there may be many spectators.
        """
        snapshot = self._snapshot
        new_moves = snapshot.moves_since(snapshot.move_count if seen is None else seen) or ()
        key = number, len(new_moves)
        if key not in self._own_parts:
            self._own_parts[key] = self._render_own_part(number, new_moves)
        return self._own_parts[key]

    def _is_unsaved(self, number: int | None) -> bool:
        """Return whether the page of this seat says that an account would keep its matches.

        Only guests read it, with the result of the first deal and of the whole match. A lesson (guide) is not worth
        keeping. number: of the seat, or None for spectators.
        """
        snapshot = self._snapshot
        is_guest = number is not None and snapshot.seats[number].kind == "guest"
        return is_guest and not snapshot.guide and (snapshot.deal_count == 1 or snapshot.status == Match.Status.OVER)

    def _render_own_part(self, number: int | None, new_moves: Sequence[MoveEvents]) -> str:
        """Render the part of the page that only one seat sees, such as its hand and buttons.

        number: of the seat, or None for spectators. new_moves: those to describe for screen readers. The drawing, which
        belongs to the game, gives the template values such as the hand. We add those that every game has.
        """
        snapshot, shared = self._snapshot, self._shared
        assert snapshot.rules
        is_to_act = number is not None and number == self._to_act
        moves = snapshot.rules.legal_moves(snapshot.state) if is_to_act else []
        table = snapshot.rules.view(snapshot.state, number, shared.view)  # What this seat may see.
        context = {**self._drawing.mine(table, moves, self._players)}
        if shared.is_passed_out:
            context |= {"sentence": say("Everybody passed: nobody scores."), "result": self._passed_out_result(number)}
        claim = claim_sentence(snapshot, number)  # The claim that ended the latest deal, if any.
        sentences = self._sentences(new_moves, number)
        if snapshot.guide and self._game.guide and number is not None:
            context["notes"] = self._game.guide.notes_for(table, moves)
        if snapshot.paused_until:
            context["sentence"] = say("The table is paused")
        context |= {
            "seen": Markup(snapshot.move_count),
            "viewer": "" if number is None else Markup(number),
            "say": " ".join([claim, *sentences] if new_moves and claim else sentences),
            "countdown": shared.countdown,
            "waits": shared.waits.html(number),
            "shared": self._sharing_sentences(number),
            "unsaved": self._is_unsaved(number),
            "may_claim": may_claim(snapshot, number, table),
            "claimed": claim,
        }
        return mine_html(self._game, mark_names(context, self._players), shared.match)

    def _sharing_sentences(self, number: int | None) -> list[str]:
        """Return what the first deal says about players who share an address. Later ones do not repeat it."""
        if number is None or self._snapshot.deal_count > 1:
            return []
        return sharing_sentences(self._shared.shared_origins, self._snapshot.seats[number])

    def _passed_out_result(self, number: int | None) -> dict[str, object]:
        """Return the result of a match whose only deal was passed out. number: of the reader's seat, or None."""
        zeros = [0] * len(self._players)
        lines = result_lines(zeros, Names([player["name"] for player in self._players], number), over=False)
        unplaced = [line | {"place": ""} for line in lines]
        result = draw_result("", True, say("Player"), [Column(say("Points"), list(map(str, zeros)))], unplaced)
        return result | {"outcome": say("Everybody passed")}

    def _sentences(self, moves: Sequence[MoveEvents], number: int | None) -> list[str]:
        """Return sentences that tell a reader the latest moves. number: of their seat, or None for spectators.

        A sentence about the reader says "you". All readers whom the moves do not mention share the sentences.
        """
        key = len(moves)
        if key not in self._news:
            # These names note which seats the sentences mention.
            names = SpectatorNames([player["name"] for player in self._players])
            self._news[key] = self._drawing.sentences_for(_events(moves), names), names.mentioned_seats
        sentences, mentioned_seats = self._news[key]
        if number in mentioned_seats:  # These players are "you".
            return self._drawing.sentences(_events(moves), self._players, number)
        return sentences


def _watching_words(snapshot: Snapshot) -> str:
    """Return the words for the people who may watch the match. In a club, "anyone" means its members."""
    if snapshot.club and snapshot.terms.watching == Match.Watching.ANYONE:
        return say("Members of the club")
    return str(Match.Watching(snapshot.terms.watching).label)


def _is_away(seat: SeatSnapshot, user_id: int | None) -> bool:
    return seat.is_person and not seat.connected and seat.user_id != user_id


def _events(moves: Iterable[MoveEvents]) -> list[Event]:
    return [event for move in moves for event in move.events]


def _last_turn(moves: Sequence[MoveEvents]) -> Sequence[MoveEvents]:
    """Return the last of these moves that a player made, with the shuffles after it."""
    shuffles = list(takewhile(lambda move: move.seat is None, reversed(moves)))
    return moves[-len(shuffles) - 1 :]


def felt_html(game: Game, felt: TemplateData, match: MatchData) -> str:
    """Render the part of a match that everybody sees alike, the felt: the table with its seats and open cards.

    game: has a template of its own for this. felt: the values for it, from the game's drawing, with "moves" and "news"
    of the match, and in a replay "say". match: the values of the match for templates, or the stored match.
    """
    return templating.render(f"{game.room}/felt.html", {"felt": felt, "match": match, "game": game})


def mine_html(game: Game, mine: TemplateData, match: MatchData) -> str:
    """Render the part of a match that only one seat sees: its hand and buttons.

    game: has a template of its own for this. mine: the values for it, from the game's drawing, with "seen", "viewer",
    "say" and "countdown". match: the values of the match for templates, or the stored match.
    """
    return templating.render(f"{game.room}/mine.html", {"mine": mine, "match": match, "game": game})


def result_html(game: Game, mine: TemplateData) -> Markup:
    """Render only the result of a deal, without buttons. mine: the template context of a seat, with a result."""
    return Markup(templating.render(f"{game.room}/mine.html", {"mine": mine, "game": game}, "match/result.html"))


def promise_json(snapshot: Snapshot, user_id: int | None) -> str:
    """Return the server's promise about the shuffles of a match as JSON, for a player's browser to keep.

    The promise is a hash of the server's random numbers. The browser stores it, and only then sends random text of its
    own, which goes into the shuffles too. So after the match it can check that nobody has chosen the cards. Return ""
    if no browser has still to send its text, or if the user has no seat. user_id: None for a visitor.
    """
    me = snapshot.seat_of(user_id)
    if not snapshot.awaited_seats or me is None:
        return ""
    return json.dumps(promise_notes(snapshot, me))


def _sides(snapshot: Snapshot) -> list[WaitingSide]:
    """Return the sides of a table that waits for players: the two teams, or all seats in a game without partners.

    Each is a dict with the players ("seats") and the free seats ("free"). In the place of a free seat stands the
    reservation of an invited player, or None.
    """
    assert snapshot.rules
    teams: tuple[int | None, ...] = (0, 1) if snapshot.seat_count in snapshot.rules.partners_at else (None,)
    sides: list[WaitingSide] = []
    for team in teams:
        seats = [seat for seat in snapshot.seats if seat.team == team]
        free: list[Reservation | None] = [None] * (snapshot.seat_count // len(teams) - len(seats))
        sides.append({"team": team, "seats": seats, "free": free, "room": bool(free)})
    for team in (0, 1, None):  # Reservations without a team come last, and take any seat that is left.
        reservations = [reservation for reservation in snapshot.reservations if reservation.team == team]
        _place_reservations([side for side in sides if team in (None, side["team"])], reservations)
    for side, other in zip(sides, reversed(sides), strict=True):
        side["room"] |= None in other["free"] and any(seat.bot and not seat.user_id for seat in side["seats"])
    return sides


def _place_reservations(sides: Sequence[WaitingSide], reservations: list[Reservation]) -> None:
    """Put reservations in the place of free seats of these sides, which change in place."""
    for side in reversed(sides):
        for index in reversed(range(len(side["free"]))):  # From the end: seats without a reservation come first.
            if reservations and side["free"][index] is None:
                side["free"][index] = reservations.pop()


def _start_context(snapshot: Snapshot) -> dict[str, object] | None:
    """Return when a table will start ("at"), and the time until then ("left"). None if it has no set time.

    "left" counts down seconds on the last day. Before that it is in words, such as days.
    """
    if snapshot.starts_at is None:
        return None
    left = max(0.0, (snapshot.starts_at - timezone.now()).total_seconds())
    return {"at": snapshot.starts_at, "left": countdown(left) if left < DAY else span(left)}


def _are_all_reserved(snapshot: Snapshot, user_id: int | None) -> bool:
    """Return whether all free seats are reserved for other users."""
    others = [each for each in snapshot.reservations if each.user_id != user_id]
    return len(others) >= snapshot.seat_count - len(snapshot.seats)


def _match_data(snapshot: Snapshot) -> dict[str, object]:
    """Return the values of a match that the templates of its page use. Those of the game come from its drawing."""
    return {
        "code": snapshot.code,
        "status": Markup(snapshot.status),
        "revision": Markup(snapshot.revision),
        "rematch_code": snapshot.rematch_code,
        "guide": snapshot.guide,
        "other_line": _other_line(snapshot),
        "open_deals": snapshot.terms.open_deals,
        "has_hints": offers_hints(snapshot),
        "can_analyse": _can_analyse(snapshot),
    }


def _can_analyse(snapshot: Snapshot) -> bool:
    """Return whether the result of a match leads to its analysis."""
    return (
        snapshot.status == Match.Status.OVER
        and bool(settings.ANALYSES)
        and not snapshot.obstacle
        and get_game(snapshot.game).analyst is not None
    )


def _other_line(snapshot: Snapshot) -> tuple[str, str] | None:
    """Return the address and the words of a link that compares a match with others with the same cards. Or None.

    Only two kinds of finished matches have one. A variation plays on from a move of another match. In a challenge
    everybody plays the same cards. `aside` names the kind.
    """
    if not snapshot.aside or snapshot.status != Match.Status.OVER:
        return None
    if snapshot.aside == Match.Aside.VARIATION:
        return reverse("beside", args=[snapshot.code]), lazy("Both lines")
    return reverse("results", args=[snapshot.code]), lazy("All results")


def lobby_tables(viewers: Collection[Viewer]) -> dict[Viewer, str]:
    """Return the HTML of the lobby (the list of open tables) for each viewer: (key of a user or None, language).

    Most viewers of one language share their HTML. A few users have a list of their own: they wait at a table, are
    invited to one, are members of a club with tables, or are kept apart from a player. The last means that one of the
    two has blocked the other.
    """
    user_ids = {user_id for user_id, _ in viewers if user_id is not None}
    lobby, apart = lists.lobby(), apart_by_user(user_ids)
    invited, of_clubs = lists.invitations(user_ids), lists.tables_of_clubs(user_ids)
    to_watch = lists.private_tables(user_ids)
    seated = user_ids & {user_id for lines in lobby.values() for line in lines for user_id in line["people"]}
    own_lobbies = {}
    for user_id in seated | apart.keys() | invited.keys() | of_clubs.keys() | to_watch.keys():
        own_tables = {"invitations": invited.get(user_id, []), "of_clubs": of_clubs.get(user_id, [])}
        own_tables["playing"] = lobby["playing"] + to_watch.get(user_id, [])
        own_lobby = lists.for_user(lobby | own_tables, user_id, apart.get(user_id, frozenset()))
        is_same_as_shared = own_lobby == lobby | {"invitations": [], "of_clubs": []}
        if not is_same_as_shared:
            own_lobbies[user_id] = own_lobby
    html: dict[Viewer, str] = {}
    shared_html: dict[str, str] = {}  # by language
    for viewer in viewers:
        reader, language_code = viewer
        with using_language(language_code):
            if reader in own_lobbies:
                html[viewer] = _render("lobby/tables.html", own_lobbies[reader])
                continue
            if language_code not in shared_html:
                shared_html[language_code] = _render("lobby/tables.html", lobby)
            html[viewer] = shared_html[language_code]
    return html


def _render(name: str, context: dict[str, Any]) -> str:
    """Render a template as `render_to_string` does, without context processors."""
    html: str = get_template(name).template.render(Context(context))
    return html
