"""Cards in templates: {% load cards %} and {{ "TH"|face }}. The drawings of a table have their faces already.

The rules pages show hands and tricks: {% shown_hand "7C AC QD" may="7C AC" trick="TC" %}.
"""

from django import template

from games.catalog import UnknownGame, get_game
from games.kit.language import lazy_all
from games.kit.markup import FACES, SMALL_FACES, back
from games.kit.words import CARD_NAMES

register = template.Library()

EXAMPLE_NAMES = lazy_all({"Ana": "Ana", "Boris": "Boris", "Vera": "Vera", "Goran": "Goran"})


@register.filter
def face(card: object) -> str:
    """Return the picture of a card, or the back for anything else."""
    return FACES[card] if card in CARD_NAMES else back()


@register.filter
def small_face(card: object) -> str:
    return SMALL_FACES[card] if card in CARD_NAMES else back()


@register.filter
def stylesheet(slug: str) -> str:
    """Return the path of a game's style sheet in the static files, or "" for an unknown game."""
    try:
        room = get_game(slug).room
    except UnknownGame:
        return ""
    return f"{room}/{room}.css"


@register.inclusion_tag("match/glossary.html")
def glossary(slug: str) -> dict[str, object]:
    """Render the glossary of a game: a popover for each term, which opens from the term at the table."""
    try:
        return {"slug": slug, "words": get_game(slug).glossary}
    except UnknownGame:
        return {}


@register.inclusion_tag("site/shown_hand.html")
def shown_hand(cards: str, may: str = "", trick: str = "", words: str = "", contract: str = "") -> dict[str, object]:
    """Render a hand as a picture, with marks on its playable cards.

    cards, may, trick: texts of cards, "7C AC": the hand, its playable cards, and the trick in the order of play. words:
    the caption. contract: the trumps, which only tests read.
    """
    playable = may.split()
    return {
        "cards": [{"face": face(card), "may": card in playable} for card in cards.split()],
        "marked": bool(playable),
        "trick": [small_face(card) for card in trick.split()],
        "words": words,
        "contract": contract,
    }


@register.inclusion_tag("site/shown_hand.html")
def small_hand(cards: str) -> dict[str, object]:
    """Render a hand with small cards, so that several fit in a row."""
    return {"cards": [{"face": small_face(card)} for card in cards.split()]}


@register.inclusion_tag("site/shown_trick.html")
def shown_trick(plays: str, centre: str = "") -> dict[str, object]:
    """Render a trick, with the lead first.

    plays: "Ana:9D Boris:QH* Vera:TD", with a star after the winning card. centre: the card for which they play, in
    games that have one.
    """
    faces: list[dict[str, object]] = []
    for play in plays.split():
        name, card = play.split(":")
        faces.append({"name": EXAMPLE_NAMES[name], "face": small_face(card.rstrip("*")), "won": card.endswith("*")})
    return {"plays": faces, "centre": small_face(centre) if centre else ""}
