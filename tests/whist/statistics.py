"""What is told of somebody's deals of Whist."""

from games.kit.statistics import Breakdown, Feat, Statistics, lines, mean, number
from games.kit.words import SUIT_WORDS

STATISTICS = Statistics(
    facts=("deal_trump",),
    sums=("points", "tricks"),
    breakdowns=(
        Breakdown(
            "Tricks by trumps",
            "Trumps",
            lines("deal_trump", SUIT_WORDS),
            (number("Deals"), mean("Tricks a deal", "tricks")),
            drawn=1,
        ),
    ),
    feats=(Feat("Most tricks in a deal", "most", fact="tricks", unit="trick"),),
    with_partner=(number("Deals"), mean("Tricks a deal", "tricks")),
)
