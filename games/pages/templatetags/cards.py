"""Cards in templates: {% load cards %} and {{ "TH"|face }}. Felt and hand need none of it: their cards come drawn.

The rules pages show hands and tricks: {% shown_hand "7C AC QD" may="7C AC" trick="TC" %}.
"""

from django import template

from games.catalog import UnknownGame, get_game
from games.kit.markup import FACES, SMALL_FACES, back
from games.kit.words import CARD_NAMES

register = template.Library()


@register.filter
def face(card):
    """The picture of a card, or the back for anything that is none."""
    return FACES[card] if card in CARD_NAMES else back()


@register.filter
def small_face(card):
    return SMALL_FACES[card] if card in CARD_NAMES else back()


@register.filter
def stylesheet(slug):
    """The style sheet of a game, below the static files; "" for a game that is not here."""
    try:
        room = get_game(slug).room
    except UnknownGame:
        return ""
    return f"{room}/{room}.css"


@register.inclusion_tag("match/glossary.html")
def glossary(slug):
    """What the words of a game mean: a popover each, which the words at its table open."""
    try:
        return {"slug": slug, "words": get_game(slug).glossary}
    except UnknownGame:
        return {}


@register.inclusion_tag("site/shown_hand.html")
def shown_hand(cards, may="", trick="", words="", contract=""):
    """A hand as a picture: of `cards` those in `may` are marked as the ones that may be played to `trick`.

    Each is a text with cards in it, "7C AC", and the trick is in the order played. words: the caption. contract: what
    is trumps, for tests.
    """
    allowed = may.split()
    return {
        "cards": [{"face": face(card), "may": card in allowed} for card in cards.split()],
        "marked": bool(allowed),
        "trick": [small_face(card) for card in trick.split()],
        "words": words,
        "contract": contract,
    }


@register.inclusion_tag("site/shown_hand.html")
def small_hand(cards):
    """A hand as a picture of small cards, for hands beside each other."""
    return {"cards": [{"face": small_face(card)} for card in cards.split()]}


@register.inclusion_tag("site/shown_trick.html")
def shown_trick(plays, centre=""):
    """A trick as a picture, the lead first: "Ana:9D Boris:QH* Vera:TD", a star after the card that takes it.

    centre: the card that is played for, in Bids.
    """
    drawn = []
    for play in plays.split():
        name, card = play.split(":")
        drawn.append({"name": name, "face": small_face(card.rstrip("*")), "won": card.endswith("*")})
    return {"plays": drawn, "centre": small_face(centre) if centre else ""}
