"""Draw the live part of a club's page: its next date, notices, tables and chat, once per group of equal readers."""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.template import Context
from django.template.loader import get_template

from accounts.models import User
from accounts.people.blocks import apart_by_user
from accounts.time_zones import in_zone_of
from games.chat.models import ChatMessage
from games.chat.reading import SHOWN, phrases_only, unwanted_by_user
from games.clubs import board, playing
from games.clubs.models import Club, Membership
from games.languages import using_language

type Viewer = tuple[int | None, str]  # the key of a user and the code of a language
NOBODY: frozenset[int] = frozenset()


def pages(code: str, viewers: Collection[Viewer]) -> dict[Viewer, str]:
    """Return the live part of a club's page as HTML, for each viewer who is a member. Leave out the others."""
    club = Club.objects.filter(code=code, closed_at=None).first()
    users = {user_id for user_id, _ in viewers if user_id is not None}
    members = {
        membership.user_id: membership
        for membership in Membership.objects.filter(club=club, user__in=users).select_related("user")
    }
    if club is None or not members:
        return {}
    content = _Content(club, members.keys())
    return {
        (user_id, language): content.html_for(members[user_id], language)
        for user_id, language in viewers
        if user_id in members
    }


class _Content:
    """What is on the page of a club, and who must not see which of it."""

    def __init__(self, club: Club, user_ids: Collection[int]):
        self._club = club
        self._tables = playing.tables_of(club)
        self._notices = list(club.notices.filter(hidden=False).select_related("author").order_by("-pk"))
        lines = ChatMessage.objects.filter(club=club, hidden=False).select_related("user").order_by("-pk")[:SHOWN]
        self._lines = list(reversed(lines))
        self._apart = apart_by_user(user_ids)
        self._unwanted = unwanted_by_user(user_ids)
        self._phrase_users = phrases_only(user_ids)
        self._speakers = {line.user_id for line in self._lines} | {notice.author_id for notice in self._notices}
        self._html: dict[tuple[object, ...], str] = {}  # by all that it depends on

    def html_for(self, membership: Membership, language: str) -> str:
        user: User = membership.user
        apart = self._apart.get(user.pk, NOBODY)
        tables = {
            kind: [line | {"own": user.pk in line["people"]} for line in lines if not line["people"] & apart]
            for kind, lines in self._tables.items()
        }
        codes = tuple((line["code"], line["own"]) for lines in tables.values() for line in lines)
        unwanted = self._unwanted.get(user.pk, NOBODY) & self._speakers
        reads = user.pk not in self._phrase_users
        key = language, user.time_zone, membership.leads, codes, unwanted, reads
        if key not in self._html:
            with using_language(language), in_zone_of(user):
                self._html[key] = self._draw(tables, unwanted, reads=reads, leads=membership.leads)
        return self._html[key]

    def _draw(self, tables: dict[str, Any], unwanted: frozenset[int], *, reads: bool, leads: bool) -> str:
        notices = [notice for notice in self._notices if notice.author_id not in unwanted]
        context = {
            "club": self._club,
            "leads": leads,
            "next": board.next_date(notices),
            "notices": notices,
            "lines": [line for line in self._lines if line.user_id not in unwanted] if reads else (),
            "reads": reads,
            "has_chat": settings.TALK == "free",
            **tables,
        }
        html: str = get_template("clubs/live.html").template.render(Context(context))
        return html
