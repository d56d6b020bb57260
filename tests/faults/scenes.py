"""People, tables and a bot, written into the database of a running site: for `manage.py shell -c`."""

import itertools
import json
import os
from datetime import timedelta

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.usersessions.models import UserSession
from django.test import Client
from django.utils import timezone

from accounts import sanctions
from accounts.models import User
from accounts.people.models import Friendship
from accounts.programs import make_program
from accounts.site.models import Announcement
from games.clubs import joining, leading, playing
from games.clubs.models import Club
from games.models import Match
from games.play import seating
from games.tallies import keeping, sharing
from games.tallies.keeping import Person, Start
from games.tallies.models import Tally
from tests import opening

TERMS = {"seats": 3, "options": {"game_style": "short-up"}, "speed": "untimed"}
_numbers = itertools.count(os.getpid())


def show_scene(password):
    """Print a new scene as JSON: Ana plays at tables that Boris watches, and watches one of Vera's.

    password: of Ana.
    """
    number = next(_numbers)
    ana, boris, vera = (User(username=f"{name}{number}") for name in ("Ana", "Boris", "Vera"))
    ana.set_password(password)
    for user in (ana, boris, vera):
        user.save()
    Friendship.objects.create(asker=ana, asked=boris, accepted_at=timezone.now())
    club = joining.found(ana, "Card Corner")
    joining.join(boris, club.invitation)
    bot, token = make_program(ana, f"Clockwork{number}")
    scene = {
        "names": {"ana": ana.username, "boris": boris.username, "vera": vera.username},
        "ana": ana.pk,
        "boris": boris.pk,
        "sessions": {"ana": session_of(ana), "boris": session_of(boris), "vera": session_of(vera)},
        "tables": {
            "open": table_of(ana, vera),
            "friends": table_of(ana, vera, watching="friends"),
            "club": club_table_of(ana, club),
            "vera": table_of(vera),
            "over": finished_match_of(vera),
        },
        "club": club.code,
        "tally": tally_of(ana, boris),
        "bot": {"pk": bot.program.pk, "token": token},
    }
    print(json.dumps(scene))


def session_of(user):
    """Return the session cookie of a new browser of a user."""
    client = Client()
    client.force_login(user)
    key = client.cookies["sessionid"].value
    UserSession.objects.get_or_create(session_key=key, defaults={"user": user, "ip": "127.0.0.1"})
    return key


def table_of(host, *others, watching="anyone"):
    """Return the code of a match that has just begun."""
    opened = opening.open_table(host, "oh-hell", listed=False, watching=watching, **TERMS)
    for user in others:
        seating.sit_down(user, opened.code)
    return seating.start_match(host, opened.code).code


def club_table_of(owner, club):
    way = {"game": "oh-hell", "seats": 3, "options": TERMS["options"], "terms": {"speed": "untimed"}}
    membership = club.memberships.get(user=owner)
    opened = playing.open_preset(owner, preset=playing.add_preset(membership, "Friday", way))
    return seating.start_match(owner, opened.code).code


def tally_of(keeper, writer):
    """Return the code of a tally of Belot with another writer."""
    tally = keeping.begin(keeper, Start("belot", {}, [Person(name) for name in ("Ana", "Ben", "Cora", "Dan")]))
    sharing.set_link(keeper, tally.code, "write", on=True)
    sharing.let_write(writer, tally.code, Tally.objects.get(pk=tally.pk).write_key)
    return tally.code


def finished_match_of(host):
    code = table_of(host)
    over = {"status": "over", "score_sheet": {}, "standings": [], "ended_at": timezone.now(), "wake_at": None}
    Match.objects.filter(code=code).update(**over)
    return code


def impose(name, kind):
    sanctions.impose(User.objects.get(username=name), kind, "Cheated.")


def close_club(code):
    """Close a club as a moderator does."""
    leading.set_closed(Club.objects.get(code=code), True)


def announce(text):
    """Announce something for a minute, as the staff do."""
    Announcement.objects.create(text=text, ends_at=timezone.now() + timedelta(minutes=1))


def show_reset_path(name):
    """Print the address that a mail about a lost password leads to."""
    user = User.objects.get(username=name)
    token = default_token_generator.make_token(user)
    print(json.dumps(f"/accounts/password/reset/key/{user_pk_to_url_str(user)}-{token}/"))
