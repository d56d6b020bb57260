"""What there is to know of a deal of Whist, what deals are searched by, and statistics of them."""

from games.kit.facts import TRUMP, Breakdown, DealFacts, Feat, Statistics, lines, mean, number, numbers, question
from games.kit.words import SUIT_WORDS


def facts(sheet, events):
    """The DealFacts of the deal scored last. sheet: the score sheet after it. events: all of the deal."""
    row = sheet["deals"][-1]
    scores = [sum(deal["points"][side] for deal in sheet["deals"]) for side in (0, 1)]
    return DealFacts(
        {"trump": row["trump"]},
        tuple(
            {"points": row["points"][seat % 2], "score": scores[seat % 2], "tricks": row["tricks"][seat % 2]}
            for seat in range(4)
        ),
    )


QUESTIONS = (
    TRUMP,
    question("tricks", "Tricks", *numbers(range(7), "{who} took {number} trick.", "{who} took {number} tricks.")),
)


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
