"""How pages show moments."""

from django import template
from django.conf import settings
from django.utils.html import format_html

from accounts import time_zones

register = template.Library()


@register.filter
def moment(when, form="moment"):
    """Write a moment on the reader's clock, in one of the forms of `time_zones.FORMS`.

    Where that clock is not known, the zone is named. A script then replaces it by the browser's time.
    """
    known = time_zones.is_known()
    return format_html(
        '<time datetime="{}" title="{}" data-{}="{}">{}</time>',
        when.isoformat(),
        time_zones.in_full(when),
        "moment" if known else "local",
        form,
        time_zones.in_words(when, form),
    )


@register.simple_tag
def zone_of_days():
    """Return the name of the site's zone if days in filters are the site's: the reader's zone is not known. Else ""."""
    return "" if time_zones.is_known() else settings.TIME_ZONE


@register.simple_tag
def site_zone():
    """Return the name of the site's time zone."""
    return settings.TIME_ZONE
