"""What forms that take a seat have in common: {% load seats %} and {% seat_fields %} within the form."""

import secrets

from django import template

register = template.Library()


@register.simple_tag
def form_key():
    """A form's own key, so that sent twice it takes one seat."""
    return secrets.token_urlsafe(12)


@register.inclusion_tag("lobby/seat_fields.html")
def seat_fields():
    """Hidden fields: the commitment of the browser's share in the shuffles, and the form's own key."""
    return {"form_key": form_key()}
