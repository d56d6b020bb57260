"""What players of Belot say to each other, besides what is said at every table."""

from games.kit.language import lazily
from games.kit.phrases import Phrase

PHRASES = (
    Phrase("bravo", lazily("Bravo!")),
    Phrase("capot", lazily("What a capot!")),
    Phrase("hung", lazily("It hangs!")),
)
