"""The words of Oh Hell."""

from games.kit.glossary import LEAD, TRICK, TRUMP, Word
from games.kit.language import lazily, lazily_in

GLOSSARY = (
    TRUMP,
    TRICK,
    LEAD,
    Word(
        "dealer",
        lazily_in("role", "Dealer"),
        lazily("Whoever dealt this hand. The dealer bids last, and may not make the bids come out even."),
        "deal",
    ),
    Word(
        "over",
        lazily_in("the bids", "Over"),
        lazily("More tricks were bid than there are: somebody will be left short, so players fight for tricks."),
    ),
    Word(
        "under",
        lazily_in("the bids", "Under"),
        lazily("Fewer tricks were bid than there are: somebody will get one that they didn’t want."),
    ),
    Word(
        "hook",
        lazily("Hook"),
        lazily(
            "The one number that the dealer may not bid, because all the bids would add up to the number of tricks."
        ),
    ),
)
