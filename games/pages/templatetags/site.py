"""What pages of all kinds show: {% load site %}."""

from django import template
from django.utils.html import json_script

from games.chat.letters import unread_count
from games.kit import facts
from games.notifications import waiting
from games.pages.sentences import SENTENCES, spoken

register = template.Library()


@register.simple_tag
def unread_messages(user):
    """How many messages of friends wait to be read: 0 for guests and visitors, whom nobody can write to."""
    return 0 if not user.is_authenticated or user.is_guest else unread_count(user)


@register.simple_tag(takes_context=True)
def waiting_count(context):
    """How many tables wait for the user of a page; 0 where nobody is known."""
    user = context.get("user")
    return waiting.count(user) if user is not None else 0


@register.simple_tag
def sentences(part):
    """The sentences that scripts say in a part of the site, for static/site/sentences.js. Once a page for each part."""
    return json_script(spoken(SENTENCES[part]), f"sentences-{part}")


@register.filter
def of_unit(figure, unit):
    """A figure, as it is to be written, with what it counts: of games.kit.facts.COUNTED."""
    return facts.of_unit(int(figure) if str(figure).isdecimal() else 0.5, unit, str(figure))
