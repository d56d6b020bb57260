"""Template tags for moments."""

from datetime import datetime

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import time_zones

register = template.Library()


@register.filter
def moment(value: datetime, form: str = "moment") -> SafeString:
    """Format a moment in the reader's zone. form: a key of `time_zones.FORMS`.

    If the reader's zone is not known, the site's zone is named, and a script changes the text to the browser's time.
    """
    return format_html(
        '<time datetime="{}" title="{}" data-{}="{}">{}</time>',
        value.isoformat(),
        time_zones.in_full(value),
        "moment" if time_zones.is_known() else "local",
        form,
        time_zones.in_words(value, form),
    )


@register.simple_tag
def zone_of_days() -> str:
    """Return the site's zone if filters use its days, or "" if they use the reader's days."""
    return "" if time_zones.is_known() else settings.TIME_ZONE


@register.simple_tag
def site_zone() -> str:
    return settings.TIME_ZONE
