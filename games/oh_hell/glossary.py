"""The words of Oh Hell."""

from games.kit.glossary import LEAD, TRICK, TRUMP, Word

GLOSSARY = (
    TRUMP,
    TRICK,
    LEAD,
    Word(
        "dealer",
        "Dealer",
        "Whoever dealt this hand. The dealer bids last, and may not make the bids come out even.",
        "deal",
    ),
    Word(
        "over", "Over", "More tricks were bid than there are: somebody will be left short, so players fight for tricks."
    ),
    Word("under", "Under", "Fewer tricks were bid than there are: somebody will get one that they didn’t want."),
    Word(
        "hook",
        "Hook",
        "The one number that the dealer may not bid, because all the bids would add up to the number of tricks.",
    ),
)
