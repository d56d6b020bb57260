"""What players of Bleven say to each other, besides what is said at every table."""

from games.kit.phrases import Phrase

PHRASES = (
    Phrase("daring", "How daring!"),
    Phrase("paid", "That paid!"),
    Phrase("lost-it", "There go my points!"),
)
