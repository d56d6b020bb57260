"""Every address, by every role, at matches in every state: the status that it answers with, and never an error of ours.

The expected statuses are in tests/data/routes/, one file for each state of a match and one for all other addresses.
After a change that is meant, write them anew, then read the diff: WRITE=1 .venv/bin/pytest tests/pages/test_routes.py
"""

import json
import os
import re
from collections import defaultdict
from pathlib import Path

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.programs import make_program
from games.challenges import challenges, teams
from games.challenges.seen import why_hidden
from games.chat import posting
from games.chat.models import ChatMessage
from games.clubs import joining, playing
from games.comments import writing
from games.history import folding, together
from games.models import Match
from games.notifications.models import BellItem, DeliveryMethod
from games.play import memory, store
from games.tallies import keeping
from tests.pages import world

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

EXPECTED = Path(__file__).parents[1] / "data" / "routes"
PART = re.compile(r"<(?:\w+:)?(\w+)>")
OF_MATCH = "matches/<slug:code>/"

# The states that differ most; each takes a quarter of a minute.
OFTEN = {"open", "playing", "playing, friends watch", "club, playing", "over"}

# What may be seen of a match whose table one may not see: pictures and frames that show what strangers see.
FOR_ALL = {"card", "embed"}


def routes():
    """Return all addresses of the site as {pattern: name}."""
    return dict(_routes(get_resolver(), ""))


def _routes(resolver, prefix):
    for each in resolver.url_patterns:
        pattern = prefix + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from _routes(each, pattern)
        else:
            yield pattern, each.name or pattern


@pytest.fixture
def cast(db, settings):
    settings.RATE_LIMITS = {act: re.sub(r"\d+(?=/)", "1000000", rates) for act, rates in settings.RATE_LIMITS.items()}
    settings.ACCOUNT_RATE_LIMITS = settings.MFA_RATE_LIMITS = False
    settings.TABLES_A_USER = settings.TABLES_AN_ADDRESS = 1000
    return world.people()


class Walker:
    """Asks the site for pages as each of some people. What a request changes is taken back."""

    def __init__(self, cast, roles):
        self._cookies = {role: self._session_of(cast[role]) for role in roles}

    @staticmethod
    def _session_of(user):
        client = Client()
        if user:
            client.force_login(user)
        return {name: morsel.value for name, morsel in client.cookies.items()}

    def status(self, role, method, address, fields=None):
        """Return the status of an answer as a word: "in" where it leads to the log-in."""
        client = Client(raise_request_exception=False)
        client.cookies.load(self._cookies[role])
        memory.forget()
        folding.forget()
        with transaction.atomic():
            answer = getattr(client, method.lower())(address, fields or {})
            if answer.streaming and not answer.is_async:
                answer.getvalue()  # what goes wrong on the way is raised here
            transaction.set_rollback(True)
        leads_to_login = answer.status_code == 302 and "/accounts/login/" in answer["Location"]
        return "in" if leads_to_login else str(answer.status_code)


def walked(walker, roles, requests):
    """Ask for addresses as these roles. requests: {key: (method, address, fields)}. Return {key: statuses, by role}."""
    return {key: _statuses(walker, roles, request) for key, request in requests.items()}


def _statuses(walker, roles, request):
    first = walker.status(roles[0], *request)
    if first == "405":  # whether an address takes a method is asked before anything else
        return [first] * len(roles)
    return [first, *(walker.status(role, *request) for role in roles[1:])]


def check(name, roles, rows):
    """Compare statuses with those that are expected. rows: {key: statuses, by role}."""
    file = EXPECTED / f"{re.sub(r'[^a-z]+', '-', name)}.txt"
    text = _written(roles, rows)
    if os.environ.get("WRITE"):
        EXPECTED.mkdir(exist_ok=True)
        file.write_text(text)
    assert text.splitlines() == file.read_text().splitlines()
    broken = {key: row for key, row in rows.items() if any(status.startswith("5") for status in row)}
    assert broken == {}


def _written(roles, rows):
    """Return a table of statuses as text. Addresses that answer alike share a line; a dot is the status to its left."""
    alike = defaultdict(list)
    for key, row in sorted(rows.items()):
        alike[tuple(row)].append(key)
    heads = [f"# {number:2} {role}" for number, role in enumerate(roles)]
    lines = [f"{_shortened(row)}  {key}" for row, keys in alike.items() for key in keys]
    return "\n".join([*heads, *sorted(lines)]) + "\n"


def _shortened(row):
    before = (None, *row)
    return " ".join("  ." if status == left else f"{status:>3}" for left, status in zip(before, row, strict=False))


# Addresses of a match


def routes_of_match():
    return {name: pattern for pattern, name in routes().items() if pattern.startswith(OF_MATCH)}


def requests_of_match(snapshot, cast):
    """Return {"METHOD name": (method, address, fields)} of all addresses of a match."""
    keys = {
        "code": snapshot.code,
        "pk": _key_of_words(snapshot, cast),
        "move": 3,
        "room": together.open_room(cast["host"], snapshot.code, 3, snapshot.seat_count, {"move": 0, "seat": 0}).code,
    }
    requests = {}
    for name, pattern in routes_of_match().items():
        address = reverse(name, kwargs={key: keys[key] for key in PART.findall(pattern)})
        for method in ("GET", "POST"):
            requests[f"{method} {name}"] = method, address, fields_for(name, snapshot, cast) if method == "POST" else {}
    return requests


def _key_of_words(snapshot, cast):
    """Return the key of a comment and of a line of the match, which are the same."""
    match = Match.objects.get(pk=snapshot.pk)
    key = 1_000_000 + match.pk
    ChatMessage.objects.create(pk=key, match=match, user=cast["host"], text="Good luck.", watching=False, move_count=0)
    if match.status == Match.Status.OVER:
        comment = writing.write(cast["host"], match, writing.Draft(2, "A fine lead."))
        type(comment).objects.filter(pk=comment.pk).update(id=key)
        BellItem.objects.filter(comment=comment.pk).update(comment=key)
    return key


def fields_for(name, snapshot, cast):
    """Return the fields of a form that each address can take. Most need one or two of them."""
    fields = {"seat": "0", "deal": "1", "what": "deal", "move": "3", "text": "Good game", "reason": "abuse"}
    fields |= {"name": "Goran", "user": str(cast["friend"].pk), "invited": str(cast["friend"].pk), "kind": "all"}
    if name == "move" and snapshot.rules and snapshot.state is not None:
        legal = snapshot.rules.legal_moves(snapshot.state)
        return {"move": json.dumps(legal[0] if legal else {}), "seen": str(snapshot.move_count)}
    return fields | {"seen": str(snapshot.move_count)}


@pytest.mark.parametrize(
    "state", [state if state in OFTEN else pytest.param(state, marks=pytest.mark.thorough) for state in world.STATES]
)
def test_addresses_of_a_match(cast, state):
    snapshot = store.read(world.STATES[state](cast).code)
    requests = requests_of_match(snapshot, cast)

    rows = walked(Walker(cast, world.ROLES), world.ROLES, requests)

    check(state, world.ROLES, rows)
    unseen = {role for role in world.ROLES if why_hidden(cast[role] and cast[role].pk, snapshot)}
    shown = {
        (key, role)
        for key, row in rows.items()
        for role, status in zip(world.ROLES, row, strict=True)
        if role in unseen and status.isdigit() and int(status) < 400 and key.split()[1] not in FOR_ALL
    }
    assert shown == set()


# All other addresses

OTHER_ROLES = (*world.ROLES, "mate", "owner", "banned")  # mate, owner: of the host's team match and of another club

# Addresses whose patterns are regular expressions.
WRITTEN_OUT = {
    "app_list": "/admin/games/",
    "admin/(?P<url>.*)$": "/admin/nowhere",
    "account_confirm_email": "/accounts/confirm-email/abc/",
    "account_reset_password_from_key": "/accounts/password/reset/key/1-abc/",
}


@pytest.fixture
def site(cast):
    """Return what the parts of addresses may be: {part: value}, and {pattern: {part: value}} where it depends."""
    cast["owner"], cast["banned"] = User.objects.create(username="Owner"), User.objects.create(username="Banned")
    joining.found(cast["owner"], "Other Corner", "")
    sanctions.impose(cast["banned"], "ban", "Cheated.", by=cast["administrator"])
    host, friend = cast["host"], cast["friend"]
    club = world.club_of(cast)
    owner = club.memberships.select_related("club", "user").get(user=host)
    preset = playing.add_preset(owner, "Friday", world.CLUB_TABLE)
    asked = challenges.make(host, world.row(world.over(cast, game="belot", seats=4, sit=(), bots=3)), 0, 1)
    bot, _ = make_program(host, "Robot")
    webhook = DeliveryMethod.objects.create(
        user=host, medium="webhook", address="https://hooks.example/", origin="https://a.example"
    )
    names = ("Host", "Ben", "Cora")
    tally = keeping.begin(host, keeping.Start("oh-hell", {}, [keeping.Person(name, None) for name in names]))
    return {
        "game": "oh-hell",
        "name": "Host",
        "names": "Host/Player",
        "invitation": club.invitation,
        "token": "abc",
        "key": "abc",
        "version": "abc",
        "pk": "1",
        "clubs": {"code": club.code, "pk": preset.pk},
        "challenges": {"code": asked.code},
        "tallies": {"code": tally.code, "key": 1},
        "teams": {"code": teams.make(host, asked).code},
        "chat/message": {"pk": posting.write(friend, host, "Hello.").pk},
        "notices": {"pk": webhook.pk},
        "accounts/bots": {"pk": bot.program.pk},
        "accounts/sanctions": {"pk": Sanction.objects.get(user=cast["suspended"]).pk},
    }


def address_of(pattern, name, site):
    """Return an address of a pattern, each part filled in by its name and by where the pattern begins."""
    parts = site | next((site[start] for start in site if pattern.startswith(start + "/")), {})
    return WRITTEN_OUT.get(name) or "/" + PART.sub(lambda found: str(parts[found[1]]), pattern)


def requests_for(patterns, site, cast):
    """Return {"METHOD pattern": (method, address, fields)}."""
    fields = {"name": "Goran", "user": str(cast["friend"].pk), "text": "Good game", "reason": "abuse", "team": "0"}
    fields |= {"table": "1", "act": "remove", "form_key": "", "language": "de"}
    return {
        f"{method} {pattern}": (method, address_of(pattern, name, site), fields if method == "POST" else {})
        for pattern, name in patterns.items()
        for method in ("GET", "POST")
    }


def test_all_other_addresses(cast, site):
    patterns = {pattern: name for pattern, name in routes().items() if not pattern.startswith(("admin/", OF_MATCH))}

    rows = walked(Walker(cast, OTHER_ROLES), OTHER_ROLES, requests_for(patterns, site, cast))

    check("other addresses", OTHER_ROLES, rows)


def test_addresses_of_the_admin_site(cast, site):
    roles = ("anonymous", "member", "moderator", "administrator", "suspended")
    patterns = {pattern: name for pattern, name in routes().items() if pattern.startswith("admin/")}
    site |= {"content_type_id": 1, "object_id": 1}
    for model in apps.get_models():
        row = model.objects.order_by("pk").first()
        meta = model._meta
        site[f"admin/{meta.app_label}/{meta.model_name}"] = dict.fromkeys(("object_id", "id"), row.pk if row else 1)

    rows = walked(Walker(cast, roles), roles, requests_for(patterns, site, cast))

    check("admin", roles, rows)
