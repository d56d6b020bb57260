"""What players of Oh Hell say to each other, besides what is said at every table."""

from games.kit.language import lazily
from games.kit.phrases import Phrase

PHRASES = (
    Phrase("oh-hell", lazily("Oh hell!")),
    Phrase("so-close", lazily("So close!")),
    Phrase("just-so", lazily("Just as bid!")),
)
