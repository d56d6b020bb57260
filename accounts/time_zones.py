"""The clock of the reader. Pages show moments on it; where we don't know it, on the site's, with its zone named.

The reader's zone is the one they have chosen in the settings, else the browser's, which a script writes into a
cookie. What is the same for everybody, as the deal of the day or a month's standings, keeps to the site's clock.
"""

from datetime import date, datetime, time, timedelta
from functools import cache, partial
from itertools import groupby
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.formats import date_format
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext, gettext_lazy

from config.middleware import around

COOKIE = "timezone"
LONGEST_NAME = 64

# The forms that a moment is written in. static/site/times.js has the same.
FORMS = {
    "moment": gettext_lazy("j M Y, H:i"),
    "message": gettext_lazy("j M, H:i"),
    "end": gettext_lazy("j F, H:i"),
    "start": gettext_lazy("l j F Y, H:i"),
    "day": gettext_lazy("j F Y"),
    "day_of_year": gettext_lazy("j F"),
}
IN_FULL = gettext_lazy("l j F Y, H:i T")

# Zones to choose from are called after a place in one of these; the others are older names of the same.
REGIONS = {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}


@cache
def names() -> frozenset[str]:
    """Return the name of every zone."""
    return frozenset(available_timezones()) - {"Factory", "localtime"}


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo.no_cache(name)  # never the object of the site's zone: see `is_known`


def find(name: str) -> ZoneInfo | None:
    """Return the zone of that name, None if there is none."""
    return _zone(name) if name in names() else None


def choices(*first: str) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Return the zones to choose from: these first, then the others by region."""
    front = [name for name in dict.fromkeys(first) if name in names()]
    others = sorted(name for name in names() - set(front) if name.partition("/")[0] in REGIONS)
    return front, [(region, list(group)) for region, group in groupby(others, lambda name: name.partition("/")[0])]


# The reader's clock


def is_known() -> bool:
    """Whether the zone that moments are written in is the reader's own."""
    return timezone.get_current_timezone() is not timezone.get_default_timezone()


def in_words(moment: datetime, form: str = "moment") -> str:
    """Write a moment by the reader's clock, or by the site's with its zone: "26 Nov 2026, 15:52 UTC"."""
    local = timezone.localtime(moment)
    words = date_format(local, str(FORMS[form]))
    return words if is_known() else gettext("{moment} {zone}").format(moment=words, zone=date_format(local, "T"))


def in_full(moment: datetime) -> str:
    """Write a moment with its day and zone: "Thursday 26 November 2026, 15:52 UTC"."""
    return date_format(timezone.localtime(moment), str(IN_FULL))


def of_user(user) -> ZoneInfo | None:
    """Return the zone that a user has chosen, None if they have not."""
    return find(getattr(user, "time_zone", ""))


def reading(user):
    """Return a context that goes by the clock that a user has chosen, else by the site's."""
    return timezone.override(of_user(user))


def _begin(request):
    """Go by the zone of the browser, and by that of the user as soon as the view or a template asks for the user.

    To ask here would cost every answer a query.
    """
    if zone := find(request.COOKIES.get(COOKIE, "")):
        timezone.activate(zone)
    request.user = SimpleLazyObject(partial(_with_zone, request.user))
    request.auser = partial(_with_zone_later, request.auser)


def _with_zone(user):
    if zone := of_user(user):
        timezone.activate(zone)
    return user


async def _with_zone_later(find_user):
    return _with_zone(await find_user())


def _end(request, response):
    timezone.deactivate()
    if "text/html" in response.get("Content-Type", ""):
        patch_vary_headers(response, ["Cookie"])
    return response


middleware = around(_end, _begin)  # of each request; below the one that finds the user


def start_of(day: date) -> datetime:
    """Return the first moment of the reader's day."""
    return timezone.make_aware(datetime.combine(day, time.min))


# The site's clock


def site_day(moment: datetime | None = None) -> date:
    """Return the day of a moment, by default of now, on the site's clock."""
    return timezone.localdate(moment, timezone.get_default_timezone())


def site_start_of(day: date) -> datetime:
    """Return the first moment of a day on the site's clock."""
    return timezone.make_aware(datetime.combine(day, time.min), timezone.get_default_timezone())


def site_month(day: date) -> tuple[datetime, datetime]:
    """Return when the month of a day begins and ends on the site's clock."""
    first = day.replace(day=1)
    return site_start_of(first), site_start_of((first + timedelta(days=31)).replace(day=1))
