"""What is told of somebody's hands of Oh Hell: how well they bid, by what they held and when they bid."""

from games.kit.language import lazily, lazily_in
from games.kit.statistics import Breakdown, Feat, Line, Statistics, every, lines, luck, mean, number, share
from games.oh_hell.luck import LUCK

HANDS = tuple(range(1, 11))
TURNS = {
    1: lazily_in("to bid", "First"),
    2: lazily_in("to bid", "Second"),
    3: lazily_in("to bid", "Third"),
    4: lazily_in("to bid", "Fourth"),
    5: lazily_in("to bid", "Fifth"),
    6: lazily_in("to bid", "Sixth"),
    7: lazily_in("to bid", "Seventh"),
}
OFF = {
    -2: lazily("2 under"),
    -1: lazily("1 under"),
    0: lazily("As bid"),
    1: lazily("1 over"),
    2: lazily("2 over"),
}


def made(facts):
    return facts["off"] == 0


def over(facts):
    return facts["off"] is not None and facts["off"] > 0


def under(facts):
    return facts["off"] is not None and facts["off"] < 0


FIGURES = (
    number(lazily("Hands")),
    share(lazily_in("a bid", "Made"), made),
    share(lazily_in("the bid", "Over"), over),
    share(lazily_in("the bid", "Under"), under),
    mean(lazily("Points a hand")),
)

STATISTICS = Statistics(
    facts=("deal_cards", "turn", "bid", "off"),
    sums=("points", "worth", "beyond"),
    breakdowns=(
        Breakdown(lazily("Bids"), "", (Line(lazily("All hands"), every),), FIGURES, drawn=1),
        Breakdown(
            lazily("Bids by hand size"),
            lazily("Cards"),
            lines("deal_cards", {n: str(n) for n in HANDS}),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazily("Bids by seat"),
            lazily_in("noun", "Bid"),
            lines("turn", TURNS),
            FIGURES,
            drawn=1,
            note=lazily("Who bids first sits after the dealer; the dealer bids last."),
        ),
        Breakdown(
            lazily("Bids by what was bid"),
            lazily_in("noun", "Bid"),
            lines("bid", {n: str(n) for n in (0, *HANDS)}),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazily("Tricks over and under the bid"),
            lazily("Tricks"),
            (
                Line(lazily("3 or more under"), lambda facts: under(facts) and facts["off"] <= -3),
                *lines("off", OFF),
                Line(lazily("3 or more over"), lambda facts: over(facts) and facts["off"] >= 3),
            ),
            (number(lazily("Hands")), mean(lazily("Points a hand"))),
            drawn=0,
        ),
        luck(lazily("Hands"), lazily("Points a hand"), lazily("All hands"), LUCK),
    ),
    feats=(
        Feat(lazily("Most points in a hand"), "most", fact="points", unit="point"),
        Feat(
            lazily("Highest bid made"),
            "most",
            {"made": True},
            fact="bid",
            unit="trick",
        ),
        Feat(lazily("Longest run of made bids"), "run", {"made": True}, unit="bid"),
        Feat(lazily("First zero bid made"), "first", {"made": True, "bid": 0}),
        Feat(lazily("First bid of ten made"), "first", {"made": True, "bid": 10}),
    ),
)
