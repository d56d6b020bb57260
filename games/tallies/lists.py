"""Lists of tallies, names that wait for the user's answer, and suggestions for a new tally."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User
from accounts.people import ties
from games.catalog import game_name
from games.tallies.models import CONFIRMED, Tally, TallyPlayer
from games.tallies.sharing import linkable

PAGE = 25
NAMES = 30  # the largest number of earlier names that are suggested, and of members
SHOWN = 100  # between two pages of matches
FILTERS = ("game", "since", "until", "seats", "result", "ended", "where", "before", "who")

PLAYERS = Prefetch("players", queryset=TallyPlayer.objects.select_related("user").order_by("seat"))


def is_own(user: User) -> Q:
    """Return a filter for the tallies that a user keeps, or has confirmed a name in."""
    return Q(keeper=user) | Q(Exists(TallyPlayer.objects.filter(CONFIRMED, tally=OuterRef("pk"), user=user)))


def confirmed_seats(user: User, game: str = "") -> QuerySet[TallyPlayer]:
    """Return the results of a user in finished tallies, of one game or of all."""
    seats = TallyPlayer.objects.filter(CONFIRMED, user=user, tally__ended_at__isnull=False)
    return seats.filter(tally__game=game) if game else seats


def games_at_tables(user: User) -> dict[str, int]:
    """Return the number of a user's finished tallies by game."""
    rows = confirmed_seats(user).order_by().values("tally__game").annotate(played=Count("pk"))
    return {row["tally__game"]: row["played"] for row in rows}


def in_history(
    user: User, filters: Mapping[str, Any], since: datetime | None, until: datetime | None
) -> list[dict[str, Any]]:
    """Return the finished tallies of a user's history as lines, the newest first, between two moments of their ends.

    filters: the cleaned data of the search form. Tallies have no answers to its other questions, so they are left out
    if there is any.
    """
    if any(value for name, value in filters.items() if name not in FILTERS):
        return []
    tallies = Tally.objects.filter(is_own(user), ended_at__isnull=False)
    bounds = {
        "game": filters.get("game"),
        "ended_at__gte": filters.get("since"),
        "ended_at__lt": filters.get("until"),
        "seat_count": filters.get("seats"),
    }
    tallies = tallies.filter(**{name: value for name, value in bounds.items() if value})
    tallies = tallies.filter(**{"ended_at__gte": since} if since else {}, **{"ended_at__lt": until} if until else {})
    if month := filters.get("ended"):
        tallies = tallies.filter(ended_at__gte=month[0], ended_at__lt=month[1])
    lines = [line(tally, user) for tally in tallies.order_by("-ended_at").prefetch_related(PLAYERS)[:SHOWN]]
    wins = {"won": (1,), "lost": range(2, 9), "over": range(1, 9)}.get(filters.get("result", ""))
    return [each for each in lines if wins is None or each["finish"] in wins]


def of_user(user: User, before: str = "") -> list[dict[str, Any]]:
    """Return a page of the tallies that a user keeps, writes or has confirmed a name in, the newest first.

    before: the code of a tally.
    """
    tallies = Tally.objects.filter(is_own(user) | Q(writers__user=user)).distinct()
    if before:
        tallies = tallies.filter(pk__lt=Tally.objects.filter(code=before).values("pk")[:1])
    return [line(tally, user) for tally in tallies.order_by("-pk").prefetch_related(PLAYERS)[:PAGE]]


def line(tally: Tally, user: User) -> dict[str, Any]:
    """Return a tally as a line of a list. own: whether a side is the user's."""
    players = list(tally.players.all())
    sides: dict[object, list[TallyPlayer]] = {}
    for player in players:
        sides.setdefault(("seat", player.seat) if player.team is None else player.team, []).append(player)
    own = next((player for player in players if player.user_id == user.pk and player.confirmed_at), None)
    return {
        "code": tally.code,
        "url": tally.get_absolute_url(),
        "at_table": True,
        "game": game_name(tally.game),
        "date": tally.ended_at or tally.changed_at,
        "over": tally.ended_at is not None,
        "finish": own and own.finish,
        "seat_count": tally.seat_count,
        "sides": [
            {"names": [player.name or "–" for player in side], "score": side[0].score, "own": own in side}
            for side in sides.values()
        ],
    }


def asked(user: User) -> list[dict[str, Any]]:
    """Return the tallies that link a name with the user before the user has confirmed it."""
    seats = user.tally_seats.filter(confirmed_at=None).exclude(tally__keeper__in=ties.blocked_users(user))
    return [
        {"tally": seat.tally, "game": game_name(seat.tally.game), "name": seat.name, "keeper": seat.tally.keeper}
        for seat in seats.select_related("tally__keeper").order_by("-pk")[:PAGE]
    ]


def latest(user: User, game: str, code: str = "") -> Tally | None:
    """Return the tally with this code, or the user's latest of a game, for another one with the same players."""
    if not user.is_authenticated:
        return None
    tallies = Tally.objects.filter(keeper=user, game=game).prefetch_related(PLAYERS).order_by("-pk")
    return tallies.filter(code=code).first() if code else tallies.first()


def suggestions(user: User) -> dict[str, Any]:
    """Return names for a new tally, from earlier tallies, friends and fellow members, and the user's clubs."""
    if not user.is_authenticated:
        return {"suggestions": [], "clubs": []}
    earlier = TallyPlayer.objects.filter(tally__keeper=user).exclude(name="").order_by("-pk")
    names = list(dict.fromkeys(earlier.values_list("name", flat=True)[: 4 * NAMES]))[:NAMES]
    names += linkable(user).values_list("username", flat=True)[:NAMES]
    clubs = user.club_memberships.filter(club__closed_at=None).select_related("club")
    return {"suggestions": list(dict.fromkeys(names)), "clubs": [membership.club for membership in clubs]}
