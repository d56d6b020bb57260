"""The settings and announcements of the site as this process knows them.

Every page shows them, so each process holds them in memory. The job "site" reads them again every two seconds, and a
change in this process takes effect at once.
"""

from typing import NamedTuple

from django.utils import timezone

from accounts.site.models import Announcement, SiteSettings


class Site(NamedTuple):
    """The settings, and the announcements that have not ended."""

    settings: SiteSettings
    announcements: list[Announcement]


_site: Site | None = None


def refresh(**_: object) -> None:
    """Read the settings and the announcements again: a job, and a receiver of `post_save` and `post_delete`."""
    settings = SiteSettings.objects.first() or SiteSettings()
    remember(Site(settings, list(Announcement.objects.filter(ends_at__gt=timezone.now()).order_by("begins_at"))))


def remember(site: Site | None) -> None:
    """Store what `settings` and `announcements` return. None: nothing is known, as at the start of a process."""
    global _site
    _site = site


def _read() -> Site:
    if _site is None:
        refresh()
        assert _site is not None
    return _site


def settings() -> SiteSettings:
    """Return the settings of the site. Only the first call in a process may make a query."""
    return _read().settings


def announcements() -> list[Announcement]:
    """Return the announcements for now, the earliest first."""
    return _shown_now(_read())


def _shown_now(site: Site) -> list[Announcement]:
    now = timezone.now()
    return [each for each in site.announcements if each.begins_at <= now < each.ends_at]


def announcements_in_memory() -> list[tuple[object, ...]]:
    """Return what announcements say now, without a query, for the event loop: to notice when they change."""
    return [(each.pk, each.text, each.break_at) for each in _shown_now(_site)] if _site else []


def address_factor() -> int:
    """Return the factor for limits by address: the staff raise it when many people come from one address.

    It makes no query, so that the event loop can call it: before the first reading it is 1.
    """
    if _site is None:
        return 1
    until = _site.settings.address_factor_until
    return _site.settings.address_factor if until is None or until > timezone.now() else 1
