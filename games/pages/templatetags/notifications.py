"""How many tables wait for who looks at a page: {% load notices %} and {% waiting_count as waiting %}."""

from django import template

from games.notifications import waiting

register = template.Library()


@register.simple_tag(takes_context=True)
def waiting_count(context):
    """How many tables wait for the user of a page; 0 where nobody is known."""
    user = context.get("user")
    return waiting.count(user) if user is not None else 0
