"""A club's tables, and the ways in which it plays."""

from dataclasses import replace
from typing import Any

from django.db import transaction

from accounts.models import User
from accounts.people import online
from accounts.people.blocks import kept_apart_from, own_blocks
from games.catalog import UnknownGame, game_name, get_rules
from games.chat.posting import demand_voice
from games.chat.wording import clean_text
from games.clubs import leading
from games.clubs.models import LONGEST_NAME, Club, Membership, TablePreset
from games.history.lists import SEATS, match_line, rules_in_words
from games.kit.language import lazy, lazy_count
from games.models import Match, Terms
from games.play import newcomers, opening
from games.play.errors import Refused
from games.play.hosting import invite
from games.play.origins import ANY_SEAT, SeatRequest
from games.play.pace import find_speed
from games.play.snapshot import Snapshot

MOST_WAYS = 20
TABLES_SHOWN = 50


@transaction.atomic
def add_way(membership: Membership, name: object, chosen: dict[str, Any]) -> TablePreset:
    """Let a club play like this by a name. chosen: what a TablePreset holds besides. Raises Refused."""
    club = leading.led(membership)
    demand_voice(membership.user)
    cleaned = clean_text(name, LONGEST_NAME)
    newcomers.demand_no_link(membership.user, cleaned)
    if club.table_presets.count() >= MOST_WAYS:
        one = "This club has {number} way to play, as many as we allow. Remove it first."
        many = "This club has {number} ways to play, as many as we allow. Remove one of them first."
        raise Refused(lazy_count(MOST_WAYS, one, many))
    if club.table_presets.filter(name=cleaned).exists():
        raise Refused(lazy("The club already has a way to play called {name}. Choose another name.", name=cleaned))
    return TablePreset.objects.create(club=club, name=cleaned, **chosen)


@transaction.atomic
def remove_way(membership: Membership, pk: int) -> None:
    leading.led(membership).table_presets.filter(pk=pk).delete()


@transaction.atomic
def open_way(user: User, seat: SeatRequest = ANY_SEAT, *, way: TablePreset, invited: User | None = None) -> Snapshot:
    """A table of a club, played in one of its ways. Returns its Snapshot. Raises Refused.

    seat: of the host. invited: a member for whom a seat is kept.
    """
    setup = opening.Setup(way.game, way.seats, way.options)
    terms = replace(Terms.of_json(way.terms), listed=False, club_id=way.club_id)
    opened = opening.open_table(user, setup, terms, seat)
    return invite(user, opened.code, invited) if invited else opened


def ways_of(club: Club) -> list[dict[str, Any]]:
    """[{"way", "game", "speed", "terms", "rules_words"}]: the ways of a club whose games are here, for templates.

    rules_words: as games.history.lists says them of a table.
    """
    shown = []
    for way in club.table_presets.all():
        try:
            rules = get_rules(way.game)
        except UnknownGame:
            continue
        table = Match(game=way.game, rules_version=rules.version, seat_count=way.seats, options=way.options)
        terms = Terms.of_json(way.terms)
        line = {"way": way, "game": game_name(way.game), "speed": find_speed(terms.speed).name, "terms": terms}
        shown.append(line | {"rules_words": rules_in_words(table)})
    return shown


def tables_of(club: Club, viewer: User) -> dict[str, list[dict[str, Any]]]:
    """{"open", "playing"}: lines of a club's tables that wait, and of those that a member may watch.

    Those at which somebody is whom a block keeps from the viewer are left out.
    """
    apart = kept_apart_from(viewer)
    matches = Match.objects.filter(club=club).order_by("-id").prefetch_related(SEATS)
    found = {
        "open": matches.filter(status=Match.Status.OPEN, full_at=None),
        "playing": matches.filter(status=Match.Status.PLAYING, watching=Match.Watching.ANYONE),
    }
    lines = {kind: [match_line(match) for match in each[:TABLES_SHOWN]] for kind, each in found.items()}
    return {kind: [line for line in each if not line["people"] & apart] for kind, each in lines.items()}


def members_of(club_id: int, viewer: User) -> list[dict[str, Any]]:
    """[{"membership", "user", "online", "own", "apart"}] of a club, by its key: who leads first, then by time there.

    apart: whether the viewer has blocked them. A member who is blocked sees all but whether the other is here, which
    everybody may hide. Five queries.
    """
    order = {role: place for place, role in enumerate(Membership.Role)}
    memberships = sorted(
        Membership.objects.filter(club=club_id).select_related("user"), key=lambda each: order[each.role]
    )
    here = online.online({each.user_id for each in memberships} - kept_apart_from(viewer))
    blocked = own_blocks([viewer.pk]).get(viewer.pk, frozenset())
    return [
        {
            "membership": each,
            "user": each.user,
            "online": each.user_id in here,
            "own": each.user_id == viewer.pk,
            "apart": each.user_id in blocked,
        }
        for each in memberships
    ]


def members_to_invite(club_id: int, viewer: User) -> list[dict[str, Any]]:
    """[{"user", "online", "friend"}], as games.history.people.to_invite: the other members, who is here first."""
    others = [line for line in members_of(club_id, viewer) if not (line["own"] or line["apart"])]
    lines = [{"user": line["user"], "online": line["online"], "friend": False} for line in others]
    return sorted(lines, key=lambda line: not line["online"])
