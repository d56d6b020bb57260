"""A block can't be found out: every page and form answers a blocked user as it answers a stranger, or as of nothing."""

import re

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse

from accounts.models import User
from accounts.people import ties
from accounts.people.models import Block
from games.challenges import challenges, teams
from games.chat.models import DirectMessage
from games.clubs import joining, playing
from games.comments import writing
from games.history import together
from games.models import Match
from tests import opening
from tests.challenges.conftest import finished_match
from tests.clubs.conftest import TABLE, member

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

FIELDS = {
    **{
        "move": "1",
        "seat": "0",
        "deal": "1",
        "what": "deal",
        "team": "1",
        "table": "0",
        "text": "Hello",
        "phrase": "hello",
    },
    **{"for": "all", "reason": "spam", "note": "", "name": "Evening", "answers": "", "act": "remove", "user": ""},
}
# What differs between any two requests: codes of new tables, tokens, keys of forms, promises.
VARIES = re.compile(
    r'/(matches|teams)/\w{8}/(together/\w{12}/)?|name="(csrfmiddlewaretoken|form_key)" value="[^"]*"'
    r'|"[\w-]{43}"|[0-9a-f]{32,}|data-promise="[^"]*"|\b\d+ seconds?\b'
)


@pytest.fixture
def world(users, settings):
    """What Ana has: {"name of an address": its places}. She has blocked Boris, who was never her friend."""
    ana, boris, vera, goran = users
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "10000/m/user")
    over = finished_match(ana, "belot")
    match = Match.objects.get(code=over.code)
    comment = writing.write(ana, match, writing.Draft(1, "Why not the ace?"))
    challenge = challenges.make(ana, match, 0, 1)
    team_match = teams.make(ana, challenge)
    for other in (goran, User.objects.create(username="Dora")):
        teams.join(other, team_match.code, team=1, table=0)  # so that it is full for strangers, too
    club = joining.found(goran, "Card Corner")
    for each in (ana, boris, vera):
        joining.join(each, club.invitation)
    way = playing.add_preset(member(club, goran), "Friday", TABLE)
    room = together.open_room(goran, match.code, match.move_count, match.seat_count, _position())
    for friend in (boris, vera):
        DirectMessage.objects.create(sender=ana, recipient=friend, text="Long ago")
    ties.block(ana, boris)
    return {
        "ana": ana,
        "match": {"code": match.code, "pk": comment.pk, "room": room.code, "move": 1},
        "challenge": {"code": challenge.code},
        "team": {"code": team_match.code},
        "club": {"code": club.code, "name": "Ana", "pk": way.pk, "invitation": club.invitation},
        "person": {"name": "Ana", "names": "Ana", "game": "belot"},
    }


def _position():
    return {"move": 1, "seat": 0, "beside": None, "open": False}


def addresses(world):
    """Yield the name and address of each page that names somebody, or something of theirs that strangers may see."""
    for pattern in get_resolver("games.pages.urls").url_patterns:
        if pattern.name:
            yield from _address(world, pattern)
    for name in ("ask_friend", "accept_friend", "unfriend", "follow", "unfollow", "block", "unblock"):
        yield name, reverse(name, args=["Ana"])


def _address(world, pattern):
    route, names = str(pattern.pattern), pattern.pattern.converters.keys()
    kind = {"matches": "match", "challenges": "challenge", "teams": "team", "clubs": "club"}.get(
        route.split("/")[0], "person"
    )
    if names - {"game"} and names <= world[kind].keys():
        yield pattern.name, reverse(pattern.name, kwargs={name: world[kind][name] for name in names})


def answer(user, address, *, method, fields=None):
    """Status, headers, text and number of queries of an answer to a user. Nothing of it stays."""
    client = Client()
    client.force_login(user)
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        response = getattr(client, method)(address, fields or {})
        text = b"".join(response).decode("utf-8", "replace")
        transaction.set_rollback(True)
    headers = {name: value for name, value in response.headers.items() if name not in ("ETag", "Content-Length")}
    return response.status_code, VARIES.sub("", str(headers)), VARIES.sub("", text), len(queries)


def answers(user, *asked, **how):
    """What a user is answered while Ana blocks them, and what without that block."""
    blocked = answer(user, *asked, **how)
    with transaction.atomic():
        Block.objects.all().delete()
        stranger = answer(user, *asked, **how)
        transaction.set_rollback(True)
    return blocked, stranger


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_is_blocked_is_answered_as_a_stranger_is(world, boris, method):
    differences = {}
    for name, address in addresses(world):
        blocked, stranger = answers(boris, address, method=method, fields=FIELDS if method == "post" else None)
        if blocked[:3] != stranger[:3]:
            differences[name] = blocked[0], stranger[0]

    assert differences == {}


def at_table(code):
    """Yield the name and address of each page of a match that needs nothing but its code."""
    for pattern in get_resolver("games.pages.urls").url_patterns:
        route, names = str(pattern.pattern), pattern.pattern.converters.keys()
        if route.startswith("matches/") and names <= {"code", "move", "pk"} and "code" in names:
            places = {name: code if name == "code" else 1 for name in names}
            yield pattern.name, reverse(pattern.name, kwargs=places)


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("status", ["open", "playing"])
def test_a_table_of_the_other_is_as_no_table(world, boris, method, status):
    """But for sitting down: that table is full."""
    code = opening.open_table(world["ana"], "oh-hell", seats=3, bots=2 if status == "playing" else 0).code
    assert Match.objects.get(code=code).status == status
    fields = FIELDS if method == "post" else None
    differences = {}
    for (name, address), (_, nowhere) in zip(at_table(code), at_table("zzzz2222"), strict=True):
        blocked, none = (answer(boris, each, method=method, fields=fields)[:3] for each in (address, nowhere))
        if str(blocked).replace(code, "zzzz2222") != str(none):
            differences[name] = blocked[0], none[0]

    for_everybody = {"embed", "card"}  # they know nobody: docs/hosting.md
    assert differences.keys() <= ({"sit"} if method == "post" and status == "open" else for_everybody)


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_room_and_a_club_of_the_other_are_as_closed_ones(world, boris, method):
    ana, places = world["ana"], world["match"]
    match = Match.objects.get(code=places["code"])
    room = together.open_room(ana, match.code, match.move_count, match.seat_count, _position())
    club = joining.found(ana, "The Aces")
    pairs = [
        (reverse("watch_together", args=[match.code, code]) for code in (room.code, "zzzzzzzzzz22")),
        (reverse("join_club", args=[invitation]) for invitation in (club.invitation, "zzzz2222")),
        (reverse("report_invitation", args=[invitation]) for invitation in (club.invitation, "zzzz2222")),
    ]
    for theirs, nowhere in pairs:
        blocked, none = (answer(boris, each, method=method)[:3] for each in (theirs, nowhere))
        assert [str(each).replace(nowhere, theirs) for each in none] == [str(each) for each in blocked]


def test_as_many_queries_are_made_for_who_is_blocked(world, boris):
    for address in (reverse("messages", args=["Ana"]), reverse("team_match", args=[world["team"]["code"]])):
        blocked, stranger = answers(boris, address, method="get")
        assert blocked == stranger
