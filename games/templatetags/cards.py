"""Cards in templates: {% load cards %} and {{ "TH"|face }}. Felt and hand need none of it: their cards come drawn."""

from django import template

from games.tables.cards import BACK, FACES, NAMES, SMALL_FACES

register = template.Library()


@register.filter
def face(card):
    """The picture of a card, or the back for anything that is none."""
    return FACES.get(card, BACK)


@register.filter
def small_face(card):
    return SMALL_FACES.get(card, BACK)


@register.filter
def card_name(card):
    """ "ten of hearts"."""
    return NAMES.get(card, "card")
