"""Cards in templates: {% load cards %} and {{ "TH"|face }}. Felt and hand need none of it: their cards come drawn."""

from django import template

from games.catalog import UnknownGame, get_game
from games.kit.markup import BACK, FACES, SMALL_FACES

register = template.Library()


@register.filter
def face(card):
    """The picture of a card, or the back for anything that is none."""
    return FACES.get(card, BACK)


@register.filter
def small_face(card):
    return SMALL_FACES.get(card, BACK)


@register.filter
def stylesheet(slug):
    """The style sheet of a game, below the static files; "" for a game that is not here."""
    try:
        room = get_game(slug).room
    except UnknownGame:
        return ""
    return f"{room}/{room}.css"
