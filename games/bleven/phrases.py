"""What players of Bleven say to each other, besides what is said at every table."""

from games.kit.language import lazily
from games.kit.phrases import Phrase

PHRASES = (
    Phrase("daring", lazily("How daring!")),
    Phrase("paid", lazily("That paid!")),
    Phrase("lost-it", lazily("There go my points!")),
)
