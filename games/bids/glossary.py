"""The words of Bids."""

from games.kit.glossary import Word

GLOSSARY = (
    Word("trick", "Trick", "One black card in the centre, and one bid for it from everybody."),
    Word(
        "bid", "Bid", "The card that you play for the black card. Any card will do, and all bids are gone afterwards."
    ),
    Word(
        "burnt", "Burnt", "The highest number was bid twice or more, so nobody wins the trick and its cards are gone."
    ),
    Word("lucky-loser", "Lucky Loser", "Whoever wins no black card in a whole round gets points for that instead."),
    Word("double", "2×", "A black card that doubles all the points its winner has in this round so far.", "special"),
    Word(
        "ally",
        "Ally",
        "A white card. Whoever wins its trick shares the points of the round with whoever played it.",
        "special",
    ),
    Word(
        "lowest",
        "Lowest wins",
        "The Lowest card has been turned up: to the end of the round the lowest number wins.",
        "special",
    ),
)
