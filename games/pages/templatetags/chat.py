"""How many messages of friends wait to be read."""

from django import template

from games.chat.letters import unread_count

register = template.Library()


@register.simple_tag
def unread_messages(user):
    """How many, 0 for guests and visitors, whom nobody can write to."""
    return 0 if not user.is_authenticated or user.is_guest else unread_count(user)
