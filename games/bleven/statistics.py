"""What is told of somebody's rounds of Bleven: predictions kept, bluffs, suspicions that were right."""

from games.kit.language import lazily, lazily_in
from games.kit.statistics import Breakdown, Feat, Line, Statistics, every, has, lines, mean, number, share

FIGURES = (
    number(lazily("Rounds")),
    share(lazily_in("share of rounds won", "Won"), has("won", True)),
    mean(lazily("Stones a round")),
)


def _of_wrong(facts):
    """Whether the prediction was wrong, which a suspicion says."""
    return facts["deal_right"] is False


STATISTICS = Statistics(
    facts=("predicted", "right", "won", "deduced", "suspected", "raised", "countered", "deal_result", "deal_right"),
    sums=("points",),
    breakdowns=(
        Breakdown(
            lazily("Rounds"),
            "",
            (
                Line(lazily("All rounds"), every),
                Line(lazily("Played out"), has("deal_result", "played")),
            ),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazily("Predictions"),
            lazily("Tricks"),
            lines("predicted", {0: lazily_in("no tricks", "None"), 1: "1", 2: "2", 3: "3"}),
            (
                number(lazily("Rounds")),
                share(lazily_in("of predictions", "Kept"), has("right", True)),
                share(lazily_in("share of rounds won", "Won"), has("won", True)),
                mean(lazily("Stones a round")),
            ),
            drawn=1,
            note=lazily("Of rounds in which one’s own prediction stood last."),
        ),
        Breakdown(
            lazily("Bluffs"),
            lazily("A wrong prediction"),
            (
                Line(lazily("Won all the same"), lambda facts: facts["right"] is False and bool(facts["won"])),
                Line(lazily("Lost"), lambda facts: facts["right"] is False and not facts["won"]),
            ),
            (number(lazily("Rounds")), mean(lazily("Stones a round"))),
            drawn=0,
        ),
        Breakdown(
            lazily("Answers"),
            lazily_in("what was said", "Said"),
            (
                Line(lazily_in("word of Bleven", "Suspect"), has("suspected", True)),
                Line(lazily_in("word of Bleven", "Deduce"), has("deduced", True)),
                Line(lazily("A prediction of one’s own"), has("countered", True)),
                Line(lazily("More stones"), has("raised", True)),
            ),
            (
                number(lazily("Rounds")),
                share(lazily("Prediction was wrong"), _of_wrong),
                share(lazily_in("share of rounds won", "Won"), has("won", True)),
                mean(lazily("Stones a round")),
            ),
            drawn=2,
            note=lazily("A suspicion is right when the prediction was wrong."),
        ),
    ),
    feats=(
        Feat(lazily("Most stones in a round"), "most", fact="points", unit="stone"),
        Feat(
            lazily("Longest run of predictions kept"),
            "run",
            {"right": True},
            unit="prediction",
            among={"right": (True, False)},
        ),
        Feat(lazily("First prediction of three kept"), "first", {"right": True, "predicted": 3}),
        Feat(lazily("First win of a wrong prediction"), "first", {"right": False, "won": True}),
    ),
)
