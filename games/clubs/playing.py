"""The tables, presets and members of a club."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypedDict

from django.db import transaction

from accounts.models import User
from accounts.people import online
from accounts.people.blocks import apart_from, own_blocks
from games.catalog import UnknownGame, all_games, game_name, get_rules
from games.chat.posting import demand_voice
from games.chat.wording import clean_text
from games.clubs import leading
from games.clubs.models import LONGEST_NAME, Club, Membership, TablePreset
from games.history.lists import SEATS, Line, match_line, rules_in_words
from games.history.people import InviteRow
from games.kit.language import lazy, lazy_count
from games.models import Match, Terms, counting
from games.play import newcomers, opening
from games.play.errors import Refused
from games.play.hosting import invite
from games.play.origins import ANY_SEAT, SeatRequest
from games.play.pace import find_speed
from games.play.snapshot import Snapshot
from games.play.versions import playable_here

MAX_PRESETS = 20
MAX_TABLES = 50


@transaction.atomic
def add_preset(membership: Membership, name: object, fields: Mapping[str, object]) -> TablePreset:
    """Add a preset to a club: a game with its options, for opening a table with one click. Raise Refused.

    membership: of the leader who adds it. name: of the preset, as typed. fields: the game and its options, as columns.
    """
    club = leading.lock_as_leader(membership)  # So that two leaders can't exceed the limit together.
    demand_voice(membership.user)  # Moderators can forbid a user to write anything.
    clean_name = clean_text(name, LONGEST_NAME)
    newcomers.demand_no_link(membership.user, clean_name)  # Against advertisements.
    if club.table_presets.count() >= MAX_PRESETS:
        one = "This club has {number} preset, as many as we allow. Remove it first."
        many = "This club has {number} presets, as many as we allow. Remove one of them first."
        raise Refused(lazy_count(MAX_PRESETS, one, many))
    if club.table_presets.filter(name=clean_name).exists():
        raise Refused(lazy("The club already has a preset called {name}. Choose another name.", name=clean_name))
    return TablePreset.objects.create(club=club, name=clean_name, **fields)


@transaction.atomic
def remove_preset(membership: Membership, pk: int) -> None:
    leading.lock_as_leader(membership).table_presets.filter(pk=pk).delete()


@transaction.atomic
def open_preset(
    user: User, seat: SeatRequest = ANY_SEAT, *, preset: TablePreset, invitee: User | None = None
) -> Snapshot:
    """Open a table of a club by a preset, a stored choice of game and options. Raise Refused.

    seat: what the browser sends for the seat of `user`, who is the host. invitee: a member to invite to the table.
    """
    setup = opening.Setup(preset.game, preset.seats, preset.options)
    # The page of the club shows the table to its members. The lobby does not list it.
    terms = replace(Terms.of_json(preset.terms), listed=False, club_id=preset.club_id)
    snapshot = opening.open_table(user, setup, terms, seat)
    return invite(user, snapshot.code, invitee) if invitee else snapshot


def open_by_form(user: User, seat: SeatRequest, *, club: Club, setup: opening.Setup, terms: Terms) -> Snapshot:
    """Open a table of a club, with the arguments in the order that `opening.open_once` needs. Raise Refused."""
    return opening.open_table(user, setup, replace(terms, listed=False, club_id=club.pk, completion_asked=None), seat)


def open_latest(user: User, seat: SeatRequest = ANY_SEAT, *, club: Club) -> Snapshot:
    """Open a table of a club as the user did last there, or another member. The first is as usual. Raise Refused."""
    setup, terms = latest_settings(club, user)
    return open_by_form(user, seat, club=club, setup=setup, terms=terms)


def latest_settings(club: Club, user: User) -> tuple[opening.Setup, Terms]:
    """Return the settings of the latest table of a club that the user opened, or that anybody did, or the usual."""
    matches = Match.objects.filter(playable_here(), counting(), club=club).order_by("-pk")
    match = matches.filter(host=user).first() or matches.first()
    if match is None:
        return opening.usual_setup(all_games()[0].slug, ""), opening.AMONG_FRIENDS
    return opening.Setup(match.game, match.seat_count, match.options), match.terms


def presets_of(club: Club) -> list[dict[str, object]]:
    """Return the presets of a club (stored choices of a game and its options) as lines for templates.

    Lines have "preset" (the TablePreset), "game", "speed", "terms" and "rules_words".
    """
    lines = []
    for preset in club.table_presets.all():
        try:
            rules = get_rules(preset.game)
        except UnknownGame:  # This site no longer has the game.
            continue
        terms = Terms.of_json(preset.terms)  # The speed, who may watch, and so on.
        # Describe the rules of the match that the preset would open. It is not saved.
        match = Match(game=preset.game, rules_version=rules.version, seat_count=preset.seats, options=preset.options)
        line = {"preset": preset, "game": game_name(preset.game), "speed": find_speed(terms.speed).name, "terms": terms}
        lines.append(line | {"rules_words": rules_in_words(match)})
    return lines


def tables_of(club: Club) -> dict[str, list[Line]]:
    """Return lines about the tables of a club: "open" ones, which wait for players, and "playing" ones to watch."""
    matches = Match.objects.filter(club=club).order_by("-id").prefetch_related(SEATS)
    matches_by_kind = {
        "open": matches.filter(status=Match.Status.OPEN, full_at=None),
        "playing": matches.filter(status=Match.Status.PLAYING, watching=Match.Watching.ANYONE),
    }
    return {kind: [match_line(match) for match in queryset[:MAX_TABLES]] for kind, queryset in matches_by_kind.items()}


class MemberLine(TypedDict):
    """A member of a club in a list. apart: the viewer has blocked them."""

    membership: Membership
    user: User
    online: bool
    own: bool
    apart: bool


def members_of(club_id: int, viewer: User) -> list[MemberLine]:
    """Return the members of a club as lines for templates: leaders first, then by date of joining. Five queries.

    After a block neither sees whether the other is online. This does not reveal the block: anybody may hide from all.
    """
    rank = {role: index for index, role in enumerate(Membership.Role.values)}  # The owner comes first.
    memberships = sorted(
        Membership.objects.filter(club=club_id).select_related("user"), key=lambda membership: rank[membership.role]
    )
    users_online = online.online({membership.user_id for membership in memberships} - apart_from(viewer))
    blocked = own_blocks([viewer.pk]).get(viewer.pk, frozenset())
    return [
        {
            "membership": membership,
            "user": membership.user,
            "online": membership.user_id in users_online,
            "own": membership.user_id == viewer.pk,
            "apart": membership.user_id in blocked,  # The viewer has blocked them.
        }
        for membership in memberships
    ]


def members_to_invite(club_id: int, viewer: User) -> list[InviteRow]:
    """Return the members of a club that the viewer may invite to a table, as lines. Members who are online come first.

    Leave out members whom the viewer has blocked.
    """
    others = [line for line in members_of(club_id, viewer) if not (line["own"] or line["apart"])]
    lines: list[InviteRow] = [{"user": line["user"], "online": line["online"], "friend": False} for line in others]
    return sorted(lines, key=lambda line: not line["online"])
