"""Names in templates."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def as_name(value: object) -> SafeString:
    """Return a name as HTML that browsers do not translate. For a name within a translated sentence."""
    return format_html('<span translate="no">{}</span>', value)
