"""What players of Bids say to each other, besides what is said at every table."""

from games.kit.phrases import Phrase

PHRASES = (
    Phrase("burnt", "Burnt!"),
    Phrase("same-idea", "We had the same idea!"),
    Phrase("outbid", "Outbid!"),
)
