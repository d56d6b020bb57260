"""What players of Belot say to each other, besides what is said at every table."""

from games.kit.phrases import Phrase

PHRASES = (
    Phrase("bravo", "Bravo!"),
    Phrase("capot", "What a capot!"),
    Phrase("hung", "It hangs!"),
)
