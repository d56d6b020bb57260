"""What is told of somebody's hands of Oh Hell: how well they bid, by what they held and when they bid."""

from games.kit.statistics import Breakdown, Feat, Line, Statistics, every, lines, luck, mean, number, share
from games.kit.words import PLACES
from games.oh_hell.luck import LUCK

HANDS = tuple(range(1, 11))


def made(facts):
    return facts["off"] == 0


def over(facts):
    return facts["off"] is not None and facts["off"] > 0


def under(facts):
    return facts["off"] is not None and facts["off"] < 0


FIGURES = (
    number("Hands"),
    share("Made", made),
    share("Over", over),
    share("Under", under),
    mean("Points a hand"),
)

STATISTICS = Statistics(
    facts=("deal_cards", "turn", "bid", "off"),
    sums=("points", "worth", "beyond"),
    breakdowns=(
        Breakdown("Bids", "", (Line("All hands", every),), FIGURES, drawn=1),
        Breakdown("Bids by hand size", "Cards", lines("deal_cards", {n: str(n) for n in HANDS}), FIGURES, drawn=1),
        Breakdown(
            "Bids by seat",
            "Bid",
            lines("turn", {turn: words.capitalize() for turn, words in enumerate(PLACES[:7], 1)}),
            FIGURES,
            drawn=1,
            note="Who bids first sits after the dealer; the dealer bids last.",
        ),
        Breakdown("Bids by what was bid", "Bid", lines("bid", {n: str(n) for n in (0, *HANDS)}), FIGURES, drawn=1),
        Breakdown(
            "Tricks over and under the bid",
            "Tricks",
            (
                Line("3 or more under", lambda facts: under(facts) and facts["off"] <= -3),
                *lines("off", {-2: "2 under", -1: "1 under", 0: "As bid", 1: "1 over", 2: "2 over"}),
                Line("3 or more over", lambda facts: over(facts) and facts["off"] >= 3),
            ),
            (number("Hands"), mean("Points a hand")),
            drawn=0,
        ),
        luck("hand", LUCK),
    ),
    feats=(
        Feat("Most points in a hand", "most", fact="points", unit="point"),
        Feat("Highest bid made", "most", {"made": True}, fact="bid", unit="trick"),
        Feat("Longest run of made bids", "run", {"made": True}, unit="bid"),
        Feat("First zero bid made", "first", {"made": True, "bid": 0}),
        Feat("First bid of ten made", "first", {"made": True, "bid": 10}),
    ),
)
