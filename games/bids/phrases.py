"""What players of Bids say to each other, besides what is said at every table."""

from games.kit.language import lazily
from games.kit.phrases import Phrase

PHRASES = (
    Phrase("burnt", lazily("Burnt!")),
    Phrase("same-idea", lazily("We had the same idea!")),
    Phrase("outbid", lazily("Outbid!")),
)
