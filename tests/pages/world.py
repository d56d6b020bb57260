"""People in every role, and matches in every state, for tests that walk all addresses."""

from datetime import timedelta

from django.contrib.auth.models import Permission
from django.utils import timezone

from accounts import sanctions
from accounts.guests import new_guest
from accounts.models import User
from accounts.people import ties
from games.challenges import challenges, teams
from games.clubs import joining, leading, playing
from games.kit import shuffle
from games.models import Match
from games.play import due, hosting, seating, store
from tests import opening
from tests.matches import play_on

SEED = "ab" * 32
SHORT = {"game_style": "short-up"}
CLUB_TABLE = {"game": "oh-hell", "seats": 3, "options": SHORT, "terms": {}}
# Models whose rows moderators change
MODERATED = ("report", "silence", "sanction", "forbiddenword", "user", "club", "match")

# Roles at a match, in the order of the columns of the tables of statuses.
ROLES = (
    "anonymous",
    "guest",
    "member",
    "friend",  # of the host
    "blocked",  # by the host
    "host",
    "player",
    "second_player",  # a guest where guests may sit
    "officer",
    "club_member",
    "removed",  # from the club
    "moderator",
    "administrator",
    "suspended",
)


def people():
    """Return the cast: a user for each role, None for nobody. The mate is a member who plays in clubs and teams."""
    names = ["member", "friend", "blocked", "host", "player", "mate", "officer", "club_member", "removed", "moderator"]
    cast = {name: User.objects.create(username=name.title().replace("_", "")) for name in names}
    cast["anonymous"] = None
    cast["guest"], cast["second_player"] = new_guest(), new_guest()
    cast["administrator"] = User.objects.create_superuser("Chief", password="nine of hearts, please")
    cast["suspended"] = User.objects.create(username="Rested")
    cast["moderator"].is_staff = True
    cast["moderator"].save()
    rights = [f"{act}_{name}" for act in ("view", "change") for name in MODERATED]
    cast["moderator"].user_permissions.set(Permission.objects.filter(codename__in=rights))
    ties.ask(cast["host"], cast["friend"])
    ties.accept(cast["friend"], cast["host"])
    ties.block(cast["host"], cast["blocked"])
    sanctions.impose(cast["suspended"], "suspension", "Rested for a while.", by=cast["administrator"])
    return cast


def club_of(cast):
    """Return a club that the host owns, with an officer, members, and somebody who was removed."""
    club = joining.found(cast["host"], "Card Corner", "We play on Fridays.")
    for role in ("player", "mate", "officer", "club_member", "removed"):
        joining.join(cast[role], club.invitation)
    owner = club.memberships.select_related("club", "user").get(user=cast["host"])
    leading.set_officer(owner, cast["officer"].pk, officer=True)
    leading.remove(owner, cast["removed"].pk)
    return club


def table(cast, *, sit=("player", "second_player"), game="oh-hell", seats=3, **options):
    """Open a table of the host's at which these sit down. The same cards every time. Returns its Snapshot."""
    usual = {"options": SHORT if game == "oh-hell" else {}, "speed": "normal", "seed": SEED, "shuffle_code": "walk"}
    snapshot = opening.open_table(cast["host"], game, seats=seats, **usual | options)
    for role in sit:
        snapshot = seating.sit_down(cast[role], snapshot.code)
    return snapshot


def club_table(cast, *, sit=("player", "mate")):
    """Open a table of the club's, at which these sit down. Returns its Snapshot."""
    owner = club_of(cast).memberships.select_related("club", "user").get(user=cast["host"])
    way = playing.add_preset(owner, "Friday", CLUB_TABLE)
    snapshot = playing.open_preset(cast["host"], preset=way)
    Match.objects.filter(pk=snapshot.pk).update(seed=SEED, seed_hash=shuffle.commitment(SEED), shuffle_code="walk")
    for role in sit:
        snapshot = seating.sit_down(cast[role], snapshot.code)
    return snapshot


def over(cast, **options):
    """A match played to its end."""
    return play_on(table(cast, **options))


def scheduled(cast):
    """A table whose start is set."""
    opened = table(cast, sit=("player",))
    return hosting.set_start(cast["host"], opened.code, timezone.now() + timedelta(hours=2))


def closed(cast):
    """A table that was closed before anybody started it."""
    opened = table(cast, sit=("player",))
    due.close_table(opened.code)
    return store.read(opened.code)


def row(snapshot):
    """Return the stored Match of a snapshot."""
    return Match.objects.get(pk=snapshot.pk)


def challenge_played(cast):
    """A play of a challenge that the host has begun; the player is through with theirs."""
    asked = challenges.make(cast["host"], row(over(cast)), 0, 1)
    play_on(challenges.play(cast["player"], challenge=asked))
    return challenges.play(cast["host"], challenge=asked)


def team_tables(cast):
    """Both tables of a team match, just begun. The host and the player sit at the first, their mate at the second."""
    asked = challenges.make(cast["host"], row(over(cast, game="belot", seats=4, sit=(), bots=3)), 0, 1)
    made = teams.make(cast["host"], asked)
    teams.join(cast["player"], made.code, team=1, table=0)
    teams.join(cast["mate"], made.code, team=0, table=1)
    return teams.start(cast["host"], made.code)


def first_team_table_over(cast):
    first, _ = team_tables(cast)
    return play_on(first)


def second_team_table(cast):
    first, second = team_tables(cast)
    play_on(first)
    return second


STATES = {
    "open": lambda cast: table(cast, seats=4),
    "open, start set": scheduled,
    "playing": lambda cast: table(cast),
    "playing, friends watch": lambda cast: table(cast, watching="friends"),
    "playing, nobody watches": lambda cast: table(cast, watching="off"),
    "playing, rated": lambda cast: table(cast, rated=True, sit=("player", "friend"), options={}),
    "playing against bots": lambda cast: table(cast, sit=(), bots=2),
    "club, open": lambda cast: club_table(cast, sit=("player",)),
    "club, playing": club_table,
    "club, over": lambda cast: play_on(club_table(cast)),
    "over": over,
    "over, against bots": lambda cast: over(cast, game="belot", seats=4, sit=(), bots=3),
    "closed": closed,
    "guide": lambda cast: opening.open_guide(cast["host"], "oh-hell"),
    "challenge": challenge_played,
    "team match, first table": lambda cast: team_tables(cast)[0],
    "team match, first table over": first_team_table_over,
    "team match, second table": second_team_table,
}
