"""Matches as lines of lists: the lobby, a user's running matches, invitations. Also the options of a match in words."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NotRequired, TypedDict

from django.db.models import Prefetch, Q, QuerySet

from accounts.models import User
from accounts.people.models import Privacy
from accounts.people.ties import friends_by_user
from games.catalog import CHANCE, Rules, deal_words, find_rules, game_name
from games.history import lengths
from games.kit.contract import Options, Preset, Score
from games.kit.language import Lazy, lazy
from games.models import Invitation, Match, Seat, Terms, counting
from games.play import store
from games.play.pace import find_speed
from games.play.snapshot import SeatSnapshot, Snapshot
from games.play.versions import are_valid_options, playable_here
from games.ratings.boards import HostRating, host_ratings

LOBBY_LIMIT = 50
PLAYING_LIMIT = 8
RUNNING_LIMIT = 20  # Per user.
INVITATIONS_READ = 500  # Of all readers together. Also the tables of clubs.
INVITATIONS_SHOWN = 20  # Per reader.
LAST = 99  # A place in the standings after all others.
USUAL_MATCHES = 20  # The latest matches of a user, which show what they usually play.

ASIDES = {Match.Aside.VARIATION: lazy("variation"), Match.Aside.CHALLENGE: lazy("challenge")}
BOT = lazy("bot")

SEATS = Prefetch("seats", queryset=Seat.objects.select_related("user"))


class OptionWords(TypedDict):
    """An option of a match in words. name: of the field, "" for a preset."""

    name: str
    label: str
    value: str
    help: str


class PlayerLine(TypedDict):
    """A player in a list. mark: "guest", "bot", "hard bot" or ""."""

    name: str
    profile: str
    mark: str
    rating: NotRequired[HostRating | None]  # of the host, at a rated table that waits for players


class SideLine(TypedDict):
    """A side of a match in a list. own: whether it is the side of the list's owner."""

    players: list[PlayerLine]
    score: Score | None
    own: bool


class RulesWords(TypedDict):
    """The rules of a table in words, for invited players."""

    preset: Preset | None  # the closest one
    unusual: list[OptionWords]  # the differences from it
    length: str  # such as "To 51", or ""
    minutes: int | None  # about how long the match takes


class Line(TypedDict):
    """A match in a list."""

    code: str
    url: str
    game: str
    slug: str
    deal_word: str
    status: str
    over: bool
    speed: str
    terms: Terms
    aside: str
    date: datetime
    sides: list[SideLine]
    people: set[int | None]  # the users at the table, and its host
    taken: int  # the number of taken seats
    seat_count: int
    options: list[OptionWords]  # the unusual ones
    starts_at: datetime | None
    rules_words: RulesWords | None  # only of an open table
    finish: int | None  # of the list's owner, like the next two
    score: Score | None
    left: bool
    hints: int
    turn: NotRequired[bool]  # in `running_matches`: the owner must move
    awaited: NotRequired[str]  # in `running_matches`: the name of the person to move, or ""
    club: NotRequired[str]  # the name of the club, in lists of invitations and of clubs
    listed: NotRequired[bool]  # in lists of friends
    open_to_me: NotRequired[bool]  # in lists of friends: the page may link to the table


def lobby() -> dict[str, list[Line]]:
    """Return the listed tables: "open" for those that wait for players, "playing" for those that anybody may watch.

    Matches that can't be played on this site are left out.
    """
    listed = Match.objects.filter(playable_here(), listed=True).order_by("-id").prefetch_related(SEATS)
    waiting = listed.filter(status=Match.Status.OPEN, full_at=None)
    playing = listed.filter(status=Match.Status.PLAYING, watching=Match.Watching.ANYONE)
    waiting = list(waiting[:LOBBY_LIMIT])
    ratings = host_ratings(waiting)
    return {
        "open": [match_line(match, rating=ratings.get(match.pk)) for match in waiting],
        "playing": _of_visible_people(playing)[:PLAYING_LIMIT],
    }


def _of_visible_people(matches: QuerySet[Match]) -> list[Line]:
    """Return matches in progress as lines of a list, except matches of people who hide where they play. Two queries."""
    lines = [match_line(match) for match in matches[:LOBBY_LIMIT]]
    people = {user_id for line in lines for user_id in line["people"]}
    hidden = set(Privacy.objects.filter(user__in=people, hides_presence=True).values_list("user", flat=True))
    return [line for line in lines if not line["people"] & hidden]


def private_tables(user_ids: Collection[int]) -> dict[int, list[Line]]:
    """Return the tables in progress that not everybody may watch, but these users may: of their friends and clubs.

    Users without any are left out. The number of queries does not depend on the number of users.
    """
    if not user_ids:
        return {}
    members = _memberships(user_ids)
    of_friends = Q(listed=True, watching=Match.Watching.FRIENDS)
    of_clubs = Q(club__in={club for _, club in members}) & ~Q(watching=Match.Watching.OFF)
    playing = Match.objects.filter(of_friends | of_clubs, playable_here(), status=Match.Status.PLAYING)
    lines = _of_visible_people(playing.order_by("-id").prefetch_related(SEATS))
    friends = friends_by_user(user_ids) if lines else {}

    def may_watch(user_id: int, line: Line) -> bool:
        is_member = line["terms"].club_id is None or (user_id, line["terms"].club_id) in members
        is_open = line["terms"].watching == Match.Watching.ANYONE or bool(line["people"] & friends.get(user_id, set()))
        return is_member and is_open

    by_user = {user_id: [line for line in lines if may_watch(user_id, line)] for user_id in user_ids}
    return {user_id: own_lines for user_id, own_lines in by_user.items() if own_lines}


def _memberships(user_ids: Collection[int]) -> set[tuple[int, int]]:
    """Return the clubs of these users, as pairs of user and club."""
    members = User.objects.filter(pk__in=user_ids, club_memberships__club__closed_at=None)
    return set(members.exclude(club_memberships=None).values_list("pk", "club_memberships__club"))


def for_user(lobby: dict[str, list[Line]], user: int, apart: frozenset[int]) -> dict[str, list[Line]]:
    """Return the lobby as a user sees it, without their own tables and without people whom they must not meet.

    lobby: tables by kind, "open" or "playing". user: a primary key. apart: the primary keys of the users whom this one
    must not meet, because one of the two has blocked the other.
    """

    def is_hidden(line: Line, kind: str) -> bool:
        return bool(line["people"] & apart) or user in line["people"]

    return {kind: [line for line in lines if not is_hidden(line, kind)] for kind, lines in lobby.items()}


def running_matches(user: User) -> list[Line]:
    """Return the user's matches that are not over as lines of a list, first those in which it is their turn.

    Each line also has "turn", whether it is the user's turn, and "awaited", the name of another person to move or "".
    """
    matches = _running_of(user, status__in=Match.RUNNING).order_by("-id").prefetch_related(SEATS)[:RUNNING_LIMIT]
    lines = []
    for match in matches:
        turn, awaited = _whose_turn(match, user)
        lines.append(match_line(match, user) | {"turn": turn, "awaited": awaited})
    return sorted(lines, key=lambda line: not line["turn"])


def waiting_tables(user: User, after: str = "") -> list[str]:
    """Return the codes of the matches that wait for the user, oldest first.

    after: the code of the match where the user is now. The list then begins with the match after it, goes round to the
    oldest ones, and leaves this match out.
    """
    lines = sorted(running_matches(user), key=lambda line: line["date"])
    codes = [line["code"] for line in lines]
    start = codes.index(after) + 1 if after in codes else 0
    rotated = lines[start:] + lines[:start]
    return [line["code"] for line in rotated if line["turn"] and line["code"] != after]


def plays_elsewhere(user: User, code: str) -> bool:
    """Return whether the user plays in a match other than the one with this code."""
    return _running_of(user, status=Match.Status.PLAYING).exclude(code=code).exists()


def _running_of(user: User, **status: object) -> QuerySet[Match]:
    # `finish` is None until a match ends. An index on it skips the finished matches.
    return Match.objects.filter(**status, guide=False, seats__user=user, seats__left_at=None, seats__finish=None)


def _whose_turn(match: Match, user: User) -> tuple[bool, str]:
    """Return a pair: whether the match waits for the user, and the name of another person to move.

    The name is "" if a bot is to move or nobody. After a deal, the match waits until all are ready for the next one.
    """
    if match.status == Match.Status.OPEN or match.paused_until:
        return False, ""
    snapshot = store.snapshot_of(match, match.seats.all())
    own_seat, to_act = snapshot.player_number(user.pk), snapshot.to_act
    if to_act == CHANCE and own_seat is not None:  # The next deal must be shuffled.
        return not snapshot.seats[own_seat].ready, ""
    if to_act is None or to_act == own_seat:
        return to_act == own_seat, ""
    return False, snapshot.seats[to_act].name if snapshot.waits_for_person() else ""


def invitations(user_ids: Collection[int]) -> dict[int, list[Line]]:
    """Return the open tables to which these users are invited, newest first, by user.

    Users without invitations are left out. The number of queries does not depend on the number of users.
    """
    waiting = Match.objects.filter(playable_here(), status=Match.Status.OPEN, full_at=None).select_related("club")
    pending = Invitation.objects.filter(user__in=user_ids, declined_at=None, match__in=waiting).order_by("-match_id")
    return _lines_by_user(waiting, pending.values_list("user", "match"))


def tables_of_clubs(user_ids: Collection[int]) -> dict[int, list[Line]]:
    """Return the open tables of these users' clubs, newest first, by user. Each line has the name of its "club"."""
    waiting = Match.objects.filter(playable_here(), status=Match.Status.OPEN, full_at=None, club__closed_at=None)
    visible = waiting.filter(club__memberships__user__in=user_ids).order_by("-pk")
    return _lines_by_user(waiting.select_related("club"), visible.values_list("club__memberships__user", "pk"))


def _lines_by_user(waiting: QuerySet[Match], pairs: QuerySet[tuple[int, int]]) -> dict[int, list[Line]]:
    """Return the matches to list for each user, as lines of a list by the key of the user.

    waiting: the matches that may be listed. pairs: a query for the keys of a user and of a match to list for them.
    """
    rows = list(pairs[:INVITATIONS_READ])
    matches = waiting.filter(pk__in={match_id for _, match_id in rows}).prefetch_related(SEATS) if rows else ()
    ratings = host_ratings(matches)
    lines = {
        match.pk: match_line(match, rating=ratings.get(match.pk)) | {"club": match.club.name if match.club_id else ""}
        for match in matches
    }
    by_user: dict[int, list[Line]] = {}
    for user_id, match_id in rows:
        if match_id in lines:  # A table may have started since the first query.
            by_user.setdefault(user_id, []).append(lines[match_id])
    return {user_id: user_lines[:INVITATIONS_SHOWN] for user_id, user_lines in by_user.items()}


def last_finished() -> Match | None:
    """Return the latest finished match that was listed, as an example of a replay."""
    return Match.objects.filter(status=Match.Status.OVER, listed=True).order_by("-id").first()


def match_line(match: Match, user: User | None = None, rating: HostRating | None = None) -> Line:
    """Return a match as a line of a list, for templates. Its seats must be prefetched.

    user: the owner of the list, if it is the list of one user. The line then has their own result. rating: the host's.
    """
    # In the order of the result. Seats without one follow, in the order of sitting down.
    seats = sorted(match.seats.all(), key=lambda seat: (seat.finish or LAST, seat.place))
    mine = next((seat for seat in seats if user and seat.user_id == user.pk), None)
    people = {seat.user_id for seat in seats if seat.user_id and not seat.left_at}
    return {
        "code": match.code,
        "url": match.get_absolute_url(),
        "game": game_name(match.game),
        "slug": match.game,
        "deal_word": deal_words(match.game).one,
        "status": match.status,
        "over": match.status == Match.Status.OVER,
        "speed": find_speed(match.speed).name,
        "terms": match.terms,
        "aside": ASIDES.get(match.aside, ""),
        "date": match.ended_at or match.started_at or match.created_at,
        "sides": _side_lines(seats, mine, {match.host_id: rating}),
        "people": people | {match.host_id} - {None},
        "taken": len(seats),  # The number of taken seats.
        "seat_count": match.seat_count,
        "options": unusual_options(match),
        "starts_at": match.starts_at,
        "rules_words": rules_in_words(match) if match.status == Match.Status.OPEN else None,
        "finish": mine.finish if mine else None,
        "score": mine.score if mine else None,
        "left": bool(mine and mine.left_at),
        "hints": len(match.hints),
    }


def _side_lines(
    seats: Iterable[Seat], mine: Seat | None = None, ratings: Mapping[int | None, HostRating | None] = {}
) -> list[SideLine]:
    """Return a line for each side of a match, with its players. A side is a team, or a player without partners.

    mine: the seat of the user whose list it is, or None. ratings: those to show, by user.
    """
    sides: dict[int, SideLine] = {}
    for seat in seats:
        key = seat.pk if seat.team is None else -1 - seat.team  # Negative for teams, unlike any primary key.
        side = sides.setdefault(key, {"players": [], "score": seat.score, "own": False})
        side["players"].append({**player_line(seat), "rating": ratings.get(seat.user_id) if seat.user_id else None})
        side["own"] |= seat is mine
    return list(sides.values())


def player_line(seat: Seat) -> PlayerLine:
    snapshot = SeatSnapshot.from_seat(seat)
    kinds = {"bot": BOT, "program": BOT, "guest": lazy("guest")}
    mark = snapshot.level.bot if snapshot.level else kinds.get(snapshot.kind, "")
    return {"name": snapshot.name, "mark": mark, "profile": snapshot.profile}


def option_words(match: Match | Snapshot, base: Options | None = None) -> list[OptionWords]:
    """Describe the options of a match, such as the number of deals, each with its label and value in words.

    base: options to compare with. Those with the same value are left out. None to describe all. The list is empty if
    this site doesn't have the rules of the match.
    """
    rules = _fitting_rules(match)
    words: list[OptionWords] = []
    for option in rules.option_fields(match.seat_count) if rules else ():
        value = match.options.get(option.name)
        choice = next((choice for choice in option.choices if choice.value == value), None)
        if choice is None or (base is not None and choice.value == base[option.name]):
            continue
        words.append({"name": option.name, "label": option.label, "value": choice.label, "help": choice.help})
    return words


def _fitting_rules(match: Match | Snapshot) -> Rules | None:
    """Return the rules of a match, or None if this site doesn't have them or they refuse its options."""
    rules = find_rules(match.game, match.rules_version)
    return rules if rules and are_valid_options(rules, match.seat_count, match.options) else None


def closest_preset(match: Match | Snapshot) -> tuple[Preset | None, list[OptionWords]]:
    """Return the preset (a named set of options) that is closest to the options of a match, and the differences.

    The preset is None if the game has none. The differences are in words, as from `option_words`.
    """
    rules = _fitting_rules(match)
    if rules is None:
        return None, []
    candidates = [
        (preset, option_words(match, rules.named_options(match.seat_count, preset)))
        for preset in rules.offered_presets or (None,)
    ]
    # The one with the fewest differences. The name of another preset than the first counts as one more difference.
    return min(candidates, key=lambda candidate: len(candidate[1]) + (candidate is not candidates[0]))


def unusual_options(match: Match | Snapshot) -> list[OptionWords]:
    """Describe the unusual options of a table: its preset, if it is not the default one, and the differences from it.

    A preset is a named set of options.
    """
    preset, differences = closest_preset(match)
    rules = _fitting_rules(match)
    if preset is None or rules is None or preset == rules.find_preset(""):  # "" is the default preset.
        return differences
    return [{"name": "", "label": lazy("Played as"), "value": preset.name, "help": preset.help}, *differences]


def rules_in_words(match: Match | Snapshot) -> RulesWords | None:
    """Describe the rules of a table to invited players. Return None if this site doesn't have the rules.

    The result has the closest "preset" (a named set of options), "unusual" options that differ from it, the "length" of
    the match in words, and about how many "minutes" it takes.
    """
    rules = _fitting_rules(match)
    if rules is None:
        return None
    preset, unusual = closest_preset(match)
    length = [line["value"] for line in option_words(match) if line["name"] in rules.length_options]
    return {
        "preset": preset,
        "unusual": [line for line in unusual if line["name"] not in rules.length_options],
        "length": Lazy(_join, *length) if length else "",
        "minutes": lengths.minutes_of(rules, match.seat_count, rules.format_of(match.options)),
    }


def _join(*words: object) -> str:
    return ", ".join(map(str, words))


def differences_from_usual(user: User, match: Match) -> list[OptionWords] | None:
    """Describe how the options of a table differ from those that the user plays most often.

    Return None if the user has not yet played this game with as many players, or if the rules are missing.
    """
    rules = _fitting_rules(match)
    if rules is None:
        return None
    own_seats = Seat.objects.filter(counting("match__"), user=user).exclude(match=match).order_by("-match_id")
    similar = own_seats.filter(match__game=match.game, match__seat_count=match.seat_count)
    rows = similar.values_list("match__options", flat=True)[:USUAL_MATCHES]
    latest = [options for options in rows if isinstance(options, dict)]
    if not latest:
        return None
    usual = max(latest, key=latest.count)  # The first of several that are equally frequent, so the latest.
    return option_words(match, rules.clean_options(match.seat_count, {}) | usual)
