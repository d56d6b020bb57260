"""Tags for all pages: {% load site %}."""

from collections.abc import Mapping

from django import template
from django.contrib.auth.models import AnonymousUser
from django.utils.html import json_script
from django.utils.safestring import SafeString

from accounts.models import User
from games.chat.letters import unread_count
from games.kit import facts
from games.notifications import waiting
from games.pages.sentences import SENTENCES, in_language

register = template.Library()


@register.simple_tag
def unread_messages(user: User | AnonymousUser) -> int:
    """Return the number of unread messages from friends. Guests and visitors get none."""
    return 0 if not user.is_authenticated or user.is_guest else unread_count(user)


@register.simple_tag(takes_context=True)
def waiting_count(context: Mapping[str, User]) -> int:
    """Return the number of tables that wait for the user of a page, or 0 without a user."""
    user = context.get("user")
    return waiting.count(user) if user is not None else 0


@register.simple_tag
def sentences(part: str) -> SafeString:
    """Render the sentences of scripts for static/site/sentences.js. part: a key of SENTENCES, used once per page."""
    return json_script(in_language(SENTENCES[part]), f"sentences-{part}")


@register.filter
def of_unit(figure: object, unit: str) -> str:
    """Return a formatted figure with its unit: "7 bids", "10½ points". unit: a key of games.kit.facts.COUNTED."""
    text = str(figure)
    # The number only decides between singular and plural. So any fraction will do for a figure like "10½".
    number = int(text) if text.isdecimal() else 0.5
    return facts.of_unit(number, unit, text)
