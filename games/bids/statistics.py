"""What is told of somebody's rounds of Bids: what each special card brings, and the rounds without a trick point."""

from games.kit.language import lazily, lazily_in
from games.kit.statistics import Breakdown, Feat, Line, Statistics, every, has, mean, number, share

FIGURES = (number(lazily("Rounds")), mean(lazily("Points a round")), share(lazily("Null rounds"), has("null", True)))

STATISTICS = Statistics(
    facts=("lowest", "surprise", "doubled", "minus5", "ally", "null", "tricks"),
    sums=("points", "tricks"),
    breakdowns=(
        Breakdown(
            lazily("Rounds"),
            "",
            (
                Line(lazily("All rounds"), every),
                Line(lazily("Null rounds"), has("null", True)),
            ),
            (number(lazily("Rounds")), mean(lazily("Points a round")), mean(lazily("Tricks a round"), "tricks")),
            drawn=1,
        ),
        Breakdown(
            lazily("Points by special card"),
            lazily("Card won"),
            (
                Line(lazily_in("card won", "Lowest"), has("lowest", True)),
                Line(lazily_in("card won", "Surprise"), has("surprise", True)),
                Line("2×", has("doubled", True)),
                Line("−5", has("minus5", True)),
                Line(lazily("Ally, played"), has("ally", "player")),
                Line(lazily("Ally, won its trick"), has("ally", "partner")),
                Line(
                    lazily("None of them"),
                    lambda facts: (
                        facts["ally"] is None
                        and not (facts["lowest"] or facts["surprise"] or facts["doubled"] or facts["minus5"])
                    ),
                ),
            ),
            FIGURES,
            drawn=1,
            note=lazily("A round with two of the cards counts for both."),
        ),
        Breakdown(
            lazily("Points by tricks"),
            lazily("Tricks"),
            (*(Line(str(tricks), has("tricks", tricks)) for tricks in range(10)),),
            FIGURES,
            drawn=1,
        ),
    ),
    feats=(
        Feat(lazily("Most points in a round"), "most", fact="points", unit="point"),
        Feat(
            lazily("Most as a lucky loser"),
            "most",
            fact="lucky_loser",
            unit="point",
        ),
        Feat(lazily("First null round"), "first", {"null": True}),
        Feat(
            lazily("Longest run without a null round"),
            "run",
            {"null": False},
            unit="round",
        ),
    ),
)
