"""What scripts of a page say: {% load sentences %} and {% sentences "table" %}, once in a page for each part."""

from django import template
from django.utils.html import json_script

from games.pages.sentences import SENTENCES, spoken

register = template.Library()


@register.simple_tag
def sentences(part):
    """The sentences of a part of the site, where static/site/sentences.js finds them."""
    return json_script(spoken(SENTENCES[part]), f"sentences-{part}")
