"""The words of Bids."""

from games.kit.glossary import Word
from games.kit.language import lazily, lazily_in

GLOSSARY = (
    Word("trick", lazily("Trick"), lazily("One black card in the centre, and one bid for it from everybody.")),
    Word(
        "bid",
        lazily("Bid"),
        lazily("The card that you play for the black card. Any card will do, and all bids are gone afterwards."),
    ),
    Word(
        "burnt",
        lazily_in("of a trick", "Burnt"),
        lazily("The highest number was bid twice or more, so nobody wins the trick and its cards are gone."),
    ),
    Word(
        "lucky-loser",
        lazily("Lucky Loser"),
        lazily("Whoever wins no black card in a whole round gets points for that instead."),
    ),
    Word(
        "double",
        "2×",
        lazily("A black card that doubles all the points its winner has in this round so far."),
        "special",
    ),
    Word(
        "ally",
        lazily("Ally"),
        lazily("A white card. Whoever wins its trick shares the points of the round with whoever played it."),
        "special",
    ),
    Word(
        "lowest",
        lazily("Lowest wins"),
        lazily("The Lowest card has been turned up: to the end of the round the lowest number wins."),
        "special",
    ),
)
