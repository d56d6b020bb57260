"""The overview for the staff in the admin: people, tables, failures, reports and space in figures."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from django.contrib import admin
from django.db import connection
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.people import online
from accounts.site.models import PageFailure
from games.chat.models import Correction, Report
from games.models import Match
from games.pages.health import late_matches

DAY, WEEK = timedelta(days=1), timedelta(days=7)


class Figure(NamedTuple):
    """A figure of the overview. address: the admin's list of what it counts, or ""."""

    label: str
    value: object
    address: str = ""


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show the figures. Only for staff: the admin wraps this view."""
    sections = [
        (gettext("People"), list(_people())),
        (gettext("Tables"), list(_tables())),
        (gettext("To do"), list(_duties())),
        (pgettext("on a disk", "Space"), list(_space())),
    ]
    context = admin.site.each_context(request) | {"title": gettext("Overview"), "sections": sections}
    return render(request, "admin/overview.html", context)


def _people() -> Iterator[Figure]:
    now = timezone.now()
    members = Q(is_guest=False, is_program=False)
    counts = User.objects.aggregate(
        members=Count("pk", filter=members),
        new=Count("pk", filter=members & Q(date_joined__gt=now - WEEK)),
        guests=Count("pk", filter=Q(is_guest=True)),
        new_guests=Count("pk", filter=Q(is_guest=True, date_joined__gt=now - DAY)),
    )
    users = reverse("admin:accounts_user_changelist")
    yield Figure(gettext("Members"), counts["members"], f"{users}?is_guest__exact=0&is_program__exact=0")
    yield Figure(gettext("Members who joined in the last seven days"), counts["new"])
    yield Figure(gettext("Guests"), counts["guests"], f"{users}?is_guest__exact=1")
    yield Figure(gettext("Guests who came in the last 24 hours"), counts["new_guests"])
    recent = User.objects.filter(last_login__gt=now - 90 * DAY).values_list("pk", flat=True)
    yield Figure(gettext("Online now"), len(online.here(list(recent))))


def _tables() -> Iterator[Figure]:
    matches = reverse("admin:games_match_changelist")
    status = Match.Status
    running = dict(
        Match.objects.filter(status__in=Match.RUNNING).order_by().values_list("status").annotate(count=Count("pk"))
    )
    ended = Match.objects.filter(ended_at__gt=timezone.now() - DAY, status=status.OVER).count()
    yield Figure(gettext("Open tables"), running.get(status.OPEN, 0), f"{matches}?status__exact={status.OPEN}")
    yield Figure(gettext("Being played"), running.get(status.PLAYING, 0), f"{matches}?status__exact={status.PLAYING}")
    yield Figure(gettext("Finished in the last 24 hours"), ended)
    yield Figure(gettext("Waiting for a clock for more than a minute"), late_matches())


def _duties() -> Iterator[Figure]:
    reports = Report.objects.filter(state=Report.State.OPEN).count()
    failures = PageFailure.objects.filter(last_at__gt=timezone.now() - WEEK).aggregate(sum=Sum("times"))["sum"] or 0
    yield Figure(gettext("Open reports"), reports, f"{reverse('admin:chat_report_changelist')}?state__exact=open")
    corrections = Correction.objects.filter(done_at=None).count()
    address = f"{reverse('admin:chat_correction_changelist')}?done_at__isempty=1"
    yield Figure(gettext("Corrections of words that wait"), corrections, address)
    address = reverse("admin:site_pagefailure_changelist")
    yield Figure(gettext("Failures of pages that came again in the last seven days"), failures, address)


def _space() -> Iterator[Figure]:
    yield Figure(gettext("Database"), filesizeformat(_database_size()))
    if connection.vendor == "sqlite":
        folder = Path(connection.settings_dict["NAME"]).parent
        yield Figure(gettext("Free on its disk"), filesizeformat(shutil.disk_usage(folder).free))


def _database_size() -> int:
    """Return the size of the database in bytes."""
    query = "SELECT pg_database_size(current_database())"
    if connection.vendor == "sqlite":
        query = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()[0]
