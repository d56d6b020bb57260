"""The people around somebody: their friends and where those play, and with whom they have played."""

from accounts.models import User
from accounts.people import online, ties
from accounts.people.blocks import apart_from
from games.history.lists import SEATS, match_line
from games.models import Match, Seat, counting

TABLES_READ = 200  # at which friends sit, the newest first
TABLES_SHOWN = 3  # of one friend
MATCHES_LOOKED_AT = 30
RECENT = 20  # people played with


def friends(user):
    """What the page of friends shows, in a number of queries that doesn't grow: a dict of lists.

    "friends": [{"user", "online", "tables"}], who is online first; "followed": the same, at tables of the lobby only.
    "asking", "asked", "recent" and "blocked" are lists of users. Tables are lines of lists, with "open_to_me":
    whether the user may be led there.
    """
    close, followed = list(ties.friends_of(user)), ties.followed_users(user)
    here = online.online({each.pk for each in [*close, *followed]})
    tables = _tables_of(here, user)
    shown = [{"user": each, "online": each.pk in here, "tables": tables.get(each.pk, [])} for each in close]
    listed = [
        {"user": each, "online": False, "tables": [line for line in tables.get(each.pk, []) if line["listed"]]}
        for each in followed
    ]
    asked, blocked = ties.friend_requests_from(user), ties.blocked_users(user)
    known = {each.pk for each in [*close, *asked, *blocked]}
    return {
        "friends": sorted(shown, key=lambda line: not line["online"]),
        "followed": listed,
        "asking": ties.friend_requests_to(user),
        "asked": asked,
        "blocked": blocked,
        "recent": [each for each in recent_players(user) if each.pk not in known],
    }


def to_invite(user):
    """[{"user", "online", "friend"}]: for whom somebody may keep a seat: friends, who is here first, then others.

    Whom they have blocked is left out. A number of queries that doesn't grow.
    """
    close, apart = list(ties.friends_of(user)), {each.pk for each in ties.blocked_users(user)}
    here = online.online({each.pk for each in close})
    friends_first = sorted(close, key=lambda each: each.pk not in here)
    known = {each.pk for each in close} | apart
    others = [each for each in recent_players(user) if each.pk not in known]
    return [{"user": each, "online": each.pk in here, "friend": True} for each in friends_first] + [
        {"user": each, "online": False, "friend": False} for each in others
    ]


def _tables_of(user_ids, viewer):
    """{user: lines} of the tables at which these users, by their keys, sit and that are not over, the newest first.

    Tables of people whom a block keeps apart from the viewer are left out.
    """
    if not user_ids:
        return {}
    mine = Seat.objects.filter(user__in=user_ids, left_at=None).values("match")
    running = Match.objects.filter(counting(), pk__in=mine, status__in=Match.RUNNING)
    apart = apart_from(viewer)
    tables = {user_id: [] for user_id in user_ids}
    for match in running.order_by("-id").prefetch_related(SEATS)[:TABLES_READ]:
        line = match_line(match)
        if line["people"] & apart:
            continue
        line |= {"listed": match.listed, "open_to_me": _leads_in(match, viewer, line["people"])}
        for user_id in line["people"] & tables.keys():
            if len(tables[user_id]) < TABLES_SHOWN:
                tables[user_id].append(line)
    return tables


def _leads_in(match, viewer, people):
    """Whether the viewer may be led to a table: their own, or one of the lobby that they may look at."""
    watched = match.status == Match.Status.OPEN or match.watching != Match.Watching.OFF
    return viewer.pk in people or (match.listed and watched)


def recent_players(user):
    """The users with whom somebody has sat at their latest tables, the latest first: no programs, guests too."""
    latest = Seat.objects.filter(counting("match__"), user=user).exclude(match__status=Match.Status.CLOSED)
    matches = list(latest.order_by("-match_id").values_list("match_id", flat=True)[:MATCHES_LOOKED_AT])
    people = User.objects.filter(is_program=False, is_active=True).exclude(pk=user.pk)
    seats = (
        Seat.objects.filter(match__in=matches, user__in=people).select_related("user").order_by("-match_id", "place")
    )
    return list({seat.user_id: seat.user for seat in seats}.values())[:RECENT]
