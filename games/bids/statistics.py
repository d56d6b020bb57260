"""What is told of somebody's rounds of Bids: what each special card brings, and the rounds without a trick point."""

from games.kit.statistics import Breakdown, Feat, Line, Statistics, every, has, mean, number, share

FIGURES = (number("Rounds"), mean("Points a round"), share("Null rounds", has("null", True)))

STATISTICS = Statistics(
    facts=("lowest", "surprise", "doubled", "minus5", "ally", "null", "tricks"),
    sums=("points", "tricks"),
    breakdowns=(
        Breakdown(
            "Rounds",
            "",
            (
                Line("All rounds", every),
                Line("Null rounds", has("null", True)),
            ),
            (number("Rounds"), mean("Points a round"), mean("Tricks a round", "tricks")),
            drawn=1,
        ),
        Breakdown(
            "Points by special card",
            "Card won",
            (
                Line("Lowest", has("lowest", True)),
                Line("Surprise", has("surprise", True)),
                Line("2×", has("doubled", True)),
                Line("−5", has("minus5", True)),
                Line("Ally, played", has("ally", "player")),
                Line("Ally, won its trick", has("ally", "partner")),
                Line(
                    "None of them",
                    lambda facts: (
                        facts["ally"] is None
                        and not (facts["lowest"] or facts["surprise"] or facts["doubled"] or facts["minus5"])
                    ),
                ),
            ),
            FIGURES,
            drawn=1,
            note="A round with two of the cards counts for both.",
        ),
        Breakdown(
            "Points by tricks",
            "Tricks",
            (*(Line(str(tricks), has("tricks", tricks)) for tricks in range(10)),),
            FIGURES,
            drawn=1,
        ),
    ),
    feats=(
        Feat("Most points in a round", "most", fact="points", unit="point"),
        Feat("Most as a lucky loser", "most", fact="lucky_loser", unit="point"),
        Feat("First null round", "first", {"null": True}),
        Feat("Longest run without a null round", "run", {"null": False}, unit="round"),
    ),
)
