"""Time zones of readers and of the site.

Pages show moments in the reader's zone: the one chosen in the settings, or else the browser's, which a script writes
into a cookie. If neither is known, they show moments in the site's zone and name it. Days that are the same for
everybody, such as the deal of the day or a month's standings, are days of the site's zone.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from datetime import date, datetime, time, timedelta
from functools import cache, partial
from itertools import groupby
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.formats import date_format
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext, gettext_lazy

from config.asgi_types import Scope
from config.middleware import make_middleware

COOKIE = "timezone"
LONGEST_NAME = 64

# Formats of moments. static/site/times.js has the same.
FORMS = {
    "moment": gettext_lazy("j M Y, H:i"),
    "message": gettext_lazy("j M, H:i"),
    "end": gettext_lazy("j F, H:i"),
    "start": gettext_lazy("l j F Y, H:i"),
    "day": gettext_lazy("j F Y"),
    "day_of_year": gettext_lazy("j F"),
}
IN_FULL = gettext_lazy("l j F Y, H:i T")

# Django has messages of the same names. Ours come first, because its Bulgarian and Croatian ones have capitals, which
# are wrong inside of a date.
MONTHS = (
    *(gettext_lazy("January"), gettext_lazy("February"), gettext_lazy("March"), gettext_lazy("April")),
    *(gettext_lazy("May"), gettext_lazy("June"), gettext_lazy("July"), gettext_lazy("August")),
    *(gettext_lazy("September"), gettext_lazy("October"), gettext_lazy("November"), gettext_lazy("December")),
)
WEEKDAYS = (
    *(gettext_lazy("Monday"), gettext_lazy("Tuesday"), gettext_lazy("Wednesday"), gettext_lazy("Thursday")),
    *(gettext_lazy("Friday"), gettext_lazy("Saturday"), gettext_lazy("Sunday")),
)

# Users choose from the zones of these regions. The other names are aliases.
REGIONS = {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}


@cache
def names() -> frozenset[str]:
    return frozenset(available_timezones()) - {"Factory", "localtime"}


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo.no_cache(name)  # `is_known` needs another object than the site's zone.


def find(name: str) -> ZoneInfo | None:
    return _zone(name) if name in names() else None


def choices(*suggestions: str) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the zones for a menu: the suggested ones that exist, and all others in groups by region.

    The groups are pairs of a region and its zones, such as "Europe" and ["Europe/Amsterdam", …].
    """

    def region_of(name: str) -> str:
        return name.partition("/")[0]

    front = [name for name in dict.fromkeys(suggestions) if name in names()]
    others = sorted(name for name in names() - set(front) if region_of(name) in REGIONS)
    return front, [(region, list(group)) for region, group in groupby(others, region_of)]


# The reader's zone


def is_known() -> bool:
    """Return whether we know the reader's zone. Otherwise the site's zone is active."""
    return timezone.get_current_timezone() is not timezone.get_default_timezone()


def in_words(moment: datetime, form: str = "moment") -> str:
    """Format a moment in the reader's zone, or in the site's with its name if that is unknown.

    The default is "26 Nov 2026, 15:52 UTC". form: a key of FORMS.
    """
    local = timezone.localtime(moment)
    words = date_format(local, str(FORMS[form]))
    return words if is_known() else gettext("{moment} {zone}").format(moment=words, zone=date_format(local, "T"))


def in_full(moment: datetime) -> str:
    """Format a moment with its weekday and zone: "Thursday 26 November 2026, 15:52 UTC"."""
    return date_format(timezone.localtime(moment), str(IN_FULL))


def zone_of_user(user: object) -> ZoneInfo | None:
    """Return the zone that a user has chosen, or None. Anonymous users have none."""
    return find(getattr(user, "time_zone", ""))


def zone_of_scope(scope: Scope) -> ZoneInfo | None:
    """Return the zone of a socket's user, or else of its browser, or None. scope: of ASGI."""
    return zone_of_user(scope.get("user")) or find(scope.get("cookies", {}).get(COOKIE, ""))


def in_zone_of(user: object) -> AbstractContextManager:
    """Return a context manager that activates a user's zone, or the site's."""
    return timezone.override(zone_of_user(user))


def _activate(request: HttpRequest) -> None:
    """Activate the time zone of the browser, and that of the user as soon as a view or template reads the user.

    To read the user here would cost every request a query. So we replace `request.user` by an object that activates
    the zone when it is read.
    """
    if zone := find(request.COOKIES.get(COOKIE, "")):
        timezone.activate(zone)
    request.user = SimpleLazyObject(partial(_activate_user_zone, request.user))
    request.auser = partial(_activate_user_zone_async, request.auser)


def _activate_user_zone[U](user: U) -> U:
    if zone := zone_of_user(user):
        timezone.activate(zone)
    return user


async def _activate_user_zone_async[U](get_user: Callable[[], Awaitable[U]]) -> U:
    return _activate_user_zone(await get_user())


def _deactivate(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Activate the site's zone again after a request, because the thread answers other users next."""
    timezone.deactivate()
    if "text/html" in response.get("Content-Type", ""):
        patch_vary_headers(response, ["Cookie"])  # So that no cache gives the page to browsers in other zones.
    return response


# It needs Django's AuthenticationMiddleware before it.
time_zone_middleware = make_middleware(_deactivate, before_view=_activate)


def start_of(day: date) -> datetime:
    """Return the first moment of a day in the reader's zone."""
    return timezone.make_aware(datetime.combine(day, time.min))


# The site's zone


def site_day(moment: datetime | None = None) -> date:
    """Return the day of a moment, or today, in the site's zone."""
    return timezone.localdate(moment, timezone.get_default_timezone())


def site_start_of(day: date) -> datetime:
    """Return the first moment of a day in the site's zone."""
    return timezone.make_aware(datetime.combine(day, time.min), timezone.get_default_timezone())


def site_month(day: date) -> tuple[datetime, datetime]:
    """Return when the month of a day begins and ends in the site's zone."""
    first = day.replace(day=1)
    return site_start_of(first), site_start_of((first + timedelta(days=31)).replace(day=1))
