"""The people around a user: friends and their tables, and the users they have played with."""

from collections.abc import Collection, Iterable
from typing import TypedDict

from django.db.models import Q

from accounts.models import User
from accounts.people import finding, online, ties
from accounts.people.blocks import apart_from
from accounts.sorting import by_name
from games.history.lists import SEATS, Line, match_line
from games.models import Match, Seat, counting

TABLES_READ = 200  # The newest tables of all friends.
TABLES_SHOWN = 3  # Per friend.
MATCHES_READ = 30  # For `recent_players`.
RECENT_PLAYERS = 20
ONLINE_SHOWN = 20  # On the front page.


class FriendRow(TypedDict):
    """A friend or a followed user, with lines of their tables."""

    user: User
    online: bool
    tables: list[Line]


class Friends(TypedDict):
    """The template context of the page of friends."""

    friends: list[FriendRow]  # the users who are online come first
    followed: list[FriendRow]  # only with tables of the lobby
    requests_to_me: Iterable[User]
    requests_by_me: Iterable[User]
    blocked: Iterable[User]
    recent: list[User]


class FoundRow(TypedDict):
    """A member whom the search has found. online: only known of friends."""

    user: User
    online: bool
    relation: ties.Relation


class InviteRow(TypedDict):
    """A user for whom a seat may be reserved."""

    user: User
    online: bool
    friend: bool


def friends(user: User) -> Friends:
    """Return the template context of the page of friends: whom the user knows, who is online, and where they play.

    The number of queries does not depend on the number of friends.
    """
    own_friends, followed = by_name(ties.friends_of(user)), ties.followed_users(user)
    here = online.online({other.pk for other in [*own_friends, *followed]})
    tables = _tables_of(here, user)
    friend_rows: list[FriendRow] = [
        {"user": other, "online": other.pk in here, "tables": tables.get(other.pk, [])} for other in own_friends
    ]
    # Only friends may see that somebody is online. Followers see only the tables of the lobby.
    followed_rows: list[FriendRow] = [
        {"user": other, "online": False, "tables": [line for line in tables.get(other.pk, []) if line["listed"]]}
        for other in followed
    ]
    own_requests, blocked = ties.friend_requests_from(user), ties.blocked_users(user)
    listed = {other.pk for other in [*own_friends, *own_requests, *blocked]}
    return {
        "friends": sorted(friend_rows, key=lambda row: not row["online"]),
        "followed": followed_rows,
        "requests_to_me": ties.friend_requests_to(user),
        "requests_by_me": own_requests,
        "blocked": blocked,
        "recent": [other for other in recent_players(user) if other.pk not in listed],
    }


def online_now(user: User) -> list[User]:
    """Return the friends and the members of their clubs who are online, by name. A fixed number of queries."""
    own_clubs = Q(club_memberships__club__memberships__user=user, club_memberships__club__closed_at=None)
    people = User.objects.filter(Q(pk__in=ties.friends_of(user).values("pk")) | own_clubs).values_list("pk", flat=True)
    here = online.online(set(people) - apart_from(user) - {user.pk})
    return by_name(User.objects.filter(pk__in=here, is_active=True))[:ONLINE_SHOWN] if here else []


def to_invite(user: User) -> list[InviteRow]:
    """Return the users for whom this user may reserve a seat, with a fixed number of queries.

    Friends who are online come first, then the other friends, then recent players. Blocked users are left out.
    """
    own_friends, blocked = by_name(ties.friends_of(user)), {other.pk for other in ties.blocked_users(user)}
    here = online.online({other.pk for other in own_friends})
    own_friends.sort(key=lambda other: other.pk not in here)  # False, for those online, sorts first.
    listed = {other.pk for other in own_friends} | blocked
    recent = [other for other in recent_players(user) if other.pk not in listed]
    rows: list[InviteRow] = [{"user": other, "online": other.pk in here, "friend": True} for other in own_friends]
    rows += [{"user": other, "online": False, "friend": False} for other in recent]
    return rows


def find(user: User, text: str) -> list[FoundRow]:
    """Return the members whose names begin with a text, with buttons for each. A fixed number of queries."""
    users = finding.find(user, text)
    relations = ties.relations(user, [other.pk for other in users])
    here = online.online({pk for pk, relation in relations.items() if relation.are_friends})
    return [{"user": other, "online": other.pk in here, "relation": relations[other.pk]} for other in users]


def may_invite(user: User, other: User) -> bool:
    """Return whether a user may invite another to a table by name: a friend, or somebody they played with lately."""
    return ties.are_friends(user, other) or other in recent_players(user)


def _tables_of(user_ids: Collection[int], viewer: User) -> dict[int, list[Line]]:
    """Return the running tables of each user as lines of a list, newest first, by the key of the user.

    Each line also has "listed", whether everybody may see it, and "open_to_me", whether the viewer may open its page.
    A table is left out if somebody there has blocked the viewer, or the other way round.
    """
    if not user_ids:
        return {}
    seated = Seat.objects.filter(user__in=user_ids, left_at=None).values("match")
    running = Match.objects.filter(counting(), pk__in=seated, status__in=Match.RUNNING)
    apart = apart_from(viewer)
    tables: dict[int, list[Line]] = {user_id: [] for user_id in user_ids}
    for match in running.order_by("-id").prefetch_related(SEATS)[:TABLES_READ]:
        line = match_line(match)
        if line["people"] & apart:
            continue
        line |= {"listed": match.listed, "open_to_me": _may_link(match, viewer, line["people"])}
        for user_id in tables.keys() & line["people"]:
            if len(tables[user_id]) < TABLES_SHOWN:
                tables[user_id].append(line)
    return tables


def _may_link(match: Match, viewer: User, people: set[int | None]) -> bool:
    """Return whether the viewer gets a link to a table: their own, or a listed one that they may join or watch."""
    may_look = match.status == Match.Status.OPEN or match.watching != Match.Watching.OFF
    return viewer.pk in people or (match.listed and may_look)


def recent_players(user: User) -> list[User]:
    """Return the people at this user's latest tables, latest first. Includes guests, but no bots."""
    own_seats = Seat.objects.filter(counting("match__"), user=user).exclude(match__status=Match.Status.CLOSED)
    matches = list(own_seats.order_by("-match_id").values_list("match_id", flat=True)[:MATCHES_READ])
    people = User.objects.filter(is_program=False, is_active=True).exclude(pk=user.pk)
    seats = Seat.objects.filter(match__in=matches, user__in=people).select_related("user")
    once_each = {seat.user_id: seat.user for seat in seats.order_by("-match_id", "place")}
    return list(once_each.values())[:RECENT_PLAYERS]
