"""What is told of somebody's rounds of Bleven: predictions kept, bluffs, suspicions that were right."""

from games.kit.statistics import Breakdown, Feat, Line, Statistics, every, has, lines, mean, number, share

FIGURES = (number("Rounds"), share("Won", has("won", True)), mean("Stones a round"))


def _of_wrong(facts):
    """Whether the prediction was wrong, which a suspicion says."""
    return facts["deal_right"] is False


STATISTICS = Statistics(
    facts=("predicted", "right", "won", "deduced", "suspected", "raised", "countered", "deal_result", "deal_right"),
    sums=("points",),
    breakdowns=(
        Breakdown(
            "Rounds",
            "",
            (
                Line("All rounds", every),
                Line("Played out", has("deal_result", "played")),
            ),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            "Predictions",
            "Tricks",
            lines("predicted", {0: "None", 1: "1", 2: "2", 3: "3"}),
            (
                number("Rounds"),
                share("Kept", has("right", True)),
                share("Won", has("won", True)),
                mean("Stones a round"),
            ),
            drawn=1,
            note="Of rounds in which one’s own prediction stood last.",
        ),
        Breakdown(
            "Bluffs",
            "A wrong prediction",
            (
                Line("Won all the same", lambda facts: facts["right"] is False and bool(facts["won"])),
                Line("Lost", lambda facts: facts["right"] is False and not facts["won"]),
            ),
            (number("Rounds"), mean("Stones a round")),
            drawn=0,
        ),
        Breakdown(
            "Answers",
            "Said",
            (
                Line("Suspect", has("suspected", True)),
                Line("Deduce", has("deduced", True)),
                Line("A prediction of one’s own", has("countered", True)),
                Line("More stones", has("raised", True)),
            ),
            (
                number("Rounds"),
                share("Prediction was wrong", _of_wrong),
                share("Won", has("won", True)),
                mean("Stones a round"),
            ),
            drawn=2,
            note="A suspicion is right when the prediction was wrong.",
        ),
    ),
    feats=(
        Feat("Most stones in a round", "most", fact="points", unit="stone"),
        Feat(
            "Longest run of predictions kept",
            "run",
            {"right": True},
            unit="prediction",
            among={"right": (True, False)},
        ),
        Feat("First prediction of three kept", "first", {"right": True, "predicted": 3}),
        Feat("First win of a wrong prediction", "first", {"right": False, "won": True}),
    ),
)
