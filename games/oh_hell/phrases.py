"""What players of Oh Hell say to each other, besides what is said at every table."""

from games.kit.phrases import Phrase

PHRASES = (
    Phrase("oh-hell", "Oh hell!"),
    Phrase("so-close", "So close!"),
    Phrase("just-so", "Just as bid!"),
)
