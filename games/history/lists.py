"""Matches as lines of lists: the lobby, somebody's own, their history; and what their options are in words."""

from django.db.models import Prefetch

from games.catalog import CHANCE, deal_words, find_rules, game_name
from games.history import lengths
from games.kit.language import Lazy, lazy
from games.models import Invitation, Match, Seat, counting
from games.play import store
from games.play.pace import find_speed
from games.play.snapshot import SeatSnapshot
from games.play.versions import are_valid_options, playable_here

LOBBY_LIMIT = 50
PLAYING_LIMIT = 8
INVITATIONS_READ, INVITATIONS_SHOWN = 500, 20  # of all who look, and of one; of clubs, too
USUAL = 20  # so many of the latest matches say what somebody usually plays

ASIDES = {Match.Aside.VARIATION: lazy("variation"), Match.Aside.CHALLENGE: lazy("challenge")}
BOT = lazy("bot")

SEATS = Prefetch("seats", queryset=Seat.objects.select_related("user"))


def lobby():
    """{"open", "playing"}: lines of the listed tables that wait for players, and of those that anybody may watch.

    What can't be played here is left out: nobody can sit down at it, and there is nothing to watch.
    """
    listed = Match.objects.filter(playable_here(), listed=True).order_by("-id").prefetch_related(SEATS)
    waiting = listed.filter(status=Match.Status.OPEN, full_at=None)
    playing = listed.filter(status=Match.Status.PLAYING, watching=Match.Watching.ANYONE)
    return {
        "open": [match_line(match) for match in waiting[:LOBBY_LIMIT]],
        "playing": [match_line(match) for match in playing[:PLAYING_LIMIT]],
    }


def for_user(lobby, user, apart):
    """The lines of the lobby as a user sees them, all by their keys.

    Left out are the tables at which somebody is whom a block keeps `apart`, and those that wait for others than the
    user, who sits there already.
    """
    others = {"playing": apart}  # what else there is are tables that wait
    return {
        kind: [line for line in lines if not line["people"] & others.get(kind, apart | {user})]
        for kind, lines in lobby.items()
    }


def running_matches(user):
    """Lines of the matches that a user sits at and that are not over, those that wait for the user first.

    Each has "turn", whether it waits for the user, and "awaited", the name of the other person it waits for, or "".
    """
    matches = _running_of(user, status__in=Match.RUNNING).order_by("-id").prefetch_related(SEATS)[:20]
    lines = [match_line(match, user) | _whose_turn(match, user) for match in matches]
    return sorted(lines, key=lambda line: not line["turn"])


def waiting_tables(user, after=""):
    """The codes of the tables that wait for a user, those that follow the one of that code first, and not that one."""
    lines = sorted(running_matches(user), key=lambda line: line["date"])
    codes = [line["code"] for line in lines]
    start = codes.index(after) + 1 if after in codes else 0
    return [line["code"] for line in lines[start:] + lines[:start] if line["turn"] and line["code"] != after]


def plays_elsewhere(user, code):
    """Whether a user has a seat at a match in progress besides the one of that code."""
    return _running_of(user, status=Match.Status.PLAYING).exclude(code=code).exists()


def _running_of(user, **status):
    """The matches of this status at which a user sits. Those that have ended are passed over by an index."""
    return Match.objects.filter(**status, guide=False, seats__user=user, seats__left_at=None, seats__finish=None)


def _whose_turn(match, user):
    if match.status == Match.Status.OPEN or match.paused_until:
        return {"turn": False, "awaited": ""}
    snapshot = store.snapshot_of(match, match.seats.all())
    mine, to_act = snapshot.player_number(user.pk), snapshot.to_act
    if to_act == CHANCE:
        return {"turn": not snapshot.seats[mine].ready, "awaited": ""}
    turn = to_act is not None and to_act == mine
    awaited = snapshot.seats[to_act].name if not turn and snapshot.waits_for_person() else ""
    return {"turn": turn, "awaited": awaited}


def invitations(user_ids):
    """{user: lines}: the open tables to which these users, by their keys, are invited, the newest first.

    Who is invited to none is left out. As many queries for many as for one.
    """
    waiting = Match.objects.filter(playable_here(), status=Match.Status.OPEN, full_at=None).select_related("club")
    asked = Invitation.objects.filter(user__in=user_ids, declined_at=None, match__in=waiting).order_by("-match_id")
    return _lines_by_user(waiting, asked.values_list("user", "match"))


def tables_of_clubs(user_ids):
    """As `invitations`, the open tables of the clubs that these users belong to; each line names its "club"."""
    waiting = Match.objects.filter(playable_here(), status=Match.Status.OPEN, full_at=None, club__closed_at=None)
    seen = waiting.filter(club__memberships__user__in=user_ids).order_by("-pk")
    return _lines_by_user(waiting.select_related("club"), seen.values_list("club__memberships__user", "pk"))


def _lines_by_user(waiting, rows):
    """{user: lines} of the matches that a query names, as rows (user, match). waiting: those that may be shown."""
    sent = list(rows[:INVITATIONS_READ])
    matches = waiting.filter(pk__in={match for _, match in sent}).prefetch_related(SEATS) if sent else ()
    lines = {match.pk: match_line(match) | {"club": match.club.name if match.club_id else ""} for match in matches}
    by_user = {}
    for user_id, match in sent:
        if match in lines:  # else it has begun meanwhile
            by_user.setdefault(user_id, []).append(lines[match])
    return {user_id: found[:INVITATIONS_SHOWN] for user_id, found in by_user.items()}


def last_finished():
    """The newest finished match that was open to all, for those who want to see a replay; or None."""
    return Match.objects.filter(status=Match.Status.OVER, listed=True).order_by("-id").first()


def match_line(match, user=None):
    """A match as a line of a list, with its seats fetched: a dict for templates. user: whose list it is."""
    seats = sorted(match.seats.all(), key=lambda seat: (seat.finish or 99, seat.place))
    mine = next((seat for seat in seats if user and seat.user_id == user.pk), None)
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
        "sides": _side_lines(seats, mine),
        "people": {seat.user_id for seat in seats if seat.user_id and not seat.left_at} | {match.host_id},
        "taken": len(seats),
        "seat_count": match.seat_count,
        "options": unusual_options(match),
        "starts_at": match.starts_at,
        "rules_words": rules_in_words(match) if match.status == Match.Status.OPEN else None,
        "finish": mine.finish if mine else None,
        "score": mine.score if mine else None,
        "left": bool(mine and mine.left_at),
        "hints": len(match.hints),
    }


def _side_lines(seats, mine=None):
    """Partners together, everybody else alone: [{"players", "score", "own"}], in the order of `seats`.

    mine: the seat whose side is the own one, or None.
    """
    sides = {}
    for seat in seats:
        number = seat.pk if seat.team is None else -1 - seat.team
        side = sides.setdefault(number, {"players": [], "score": seat.score, "own": False})
        side["players"].append(player_line(seat))
        side["own"] |= seat is mine
    return list(sides.values())


def player_line(seat):
    """Who sits at a seat: a dict for templates. "mark": what is told of who has no account, "hard bot"."""
    shown = SeatSnapshot.from_seat(seat)
    kinds = {"bot": BOT, "program": BOT, "guest": lazy("guest")}
    mark = shown.level.bot if shown.level else kinds.get(shown.kind, "")
    return {"name": shown.name, "mark": mark, "profile": shown.profile}


def option_words(match, unlike=None):
    """[{"name", "label", "value", "help"}] of a match's options, in words; name: of the option.

    unlike: other options; then only what differs from them is told. Empty where the rules of the match are not here.
    """
    rules = _fitting_rules(match)
    words = []
    for option in rules.option_fields(match.seat_count) if rules else ():
        chosen = [choice for choice in option.choices if choice.value == match.options.get(option.name)]
        if not chosen or (unlike is not None and chosen[0].value == unlike[option.name]):
            continue  # it is as usual
        words.append({"name": option.name, "label": option.label, "value": chosen[0].label, "help": chosen[0].help})
    return words


def _fitting_rules(match):
    """The rules of a match, or None where they are not here or do not know its options."""
    rules = find_rules(match.game, match.rules_version)
    return rules if rules and are_valid_options(rules, match.seat_count, match.options) else None


def played_as(match):
    """(preset, words): the Preset that a table plays by, or None, and as `option_words` what differs from it."""
    rules = _fitting_rules(match)
    if rules is None:
        return None, []
    ways = [
        (preset, option_words(match, rules.named_options(match.seat_count, preset)))
        for preset in rules.offered_presets or (None,)
    ]
    return min(ways, key=lambda way: len(way[1]) + (way is not ways[0]))  # another name is a difference, too


def unusual_options(match):
    """As `option_words`: the preset that a table plays by, unless it is the usual one, and what differs from it."""
    preset, words = played_as(match)
    if preset is None or preset == _fitting_rules(match).find_preset(""):
        return words
    return [{"name": "", "label": lazy("Played as"), "value": preset.name, "help": preset.help}, *words]


def rules_in_words(match):
    """What those are told who are asked to a table: {"preset", "unusual", "length", "minutes"}, or None.

    preset: the Preset, or None. unusual: as `option_words`, what differs from it. length: in words ("To 51"), or "";
    minutes: about how long that takes, or None.
    """
    rules = _fitting_rules(match)
    if rules is None:
        return None
    preset, unusual = played_as(match)
    length = [line["value"] for line in option_words(match) if line["name"] in rules.length_options]
    return {
        "preset": preset,
        "unusual": [line for line in unusual if line["name"] not in rules.length_options],
        "length": Lazy(_listed, *length) if length else "",
        "minutes": lengths.minutes_of(rules, match.seat_count, rules.format_of(match.options)),
    }


def _listed(*words):
    return ", ".join(map(str, words))


def unlike_usual(user, match):
    """As `option_words`: where a table differs from what a user plays most; None for who has not played it yet."""
    rules = _fitting_rules(match)
    if rules is None:
        return None
    mine = Seat.objects.filter(
        counting("match__"), user=user, match__game=match.game, match__seat_count=match.seat_count
    )
    played = mine.exclude(match=match).order_by("-match_id").values_list("match__options", flat=True)[:USUAL]
    played = [options for options in played if isinstance(options, dict)]
    if not played:
        return None
    usual = max(played, key=played.count)  # of equals the latest
    return option_words(match, rules.clean_options(match.seat_count, {}) | usual)
