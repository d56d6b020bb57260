"""What is told of somebody's deals of Belot: which contracts are made, and what doubles bring."""

from games.belot.luck import LUCK
from games.belot.table.terms import CONTRACT_WORDS
from games.kit.statistics import Breakdown, Feat, Line, Statistics, has, lines, luck, mean, number, share

LEVELS = {1: "Not doubled", 2: "Doubled", 4: "Redoubled", 8: "Doubled a third time"}


def bid_it(facts):
    """Whether the contract was one's own, or a partner's."""
    return facts["role"] in ("bidder", "partner")


def _bid(head, key, value):
    return Line(head, lambda facts: bid_it(facts) and facts[key] == value)


def _defended(head, level):
    return Line(head, lambda facts: facts["role"] == "defender" and facts["deal_level"] == level)


ROLES = {"bidder": "Bid it", "partner": "Partner bid it", "defender": "Defended"}
FIGURES = (
    number("Deals"),
    share("Made", has("deal_outcome", "made")),
    share("Inside", has("deal_outcome", "inside")),
    share("Hanging", has("deal_outcome", "hanging")),
    mean("Points a deal"),
)

STATISTICS = Statistics(
    facts=("deal_contract", "deal_level", "deal_outcome", "role", "doubled"),
    sums=("points", "worth", "beyond"),
    breakdowns=(
        Breakdown(
            "All deals",
            "Part in it",
            lines("role", ROLES),
            FIGURES,
            drawn=1,
            note="Made, inside and hanging are said of the contract, whoever bid it.",
        ),
        Breakdown(
            "Contracts bid, alone or with a partner",
            "Contract",
            tuple(_bid(words.capitalize(), "deal_contract", contract) for contract, words in CONTRACT_WORDS.items()),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            "Own contracts, by doubles",
            "Level",
            tuple(_bid(words, "deal_level", level) for level, words in LEVELS.items()),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            "Defence, by doubles",
            "Level",
            tuple(_defended(words, level) for level, words in LEVELS.items()),
            FIGURES,
            drawn=2,
        ),
        Breakdown("Doubles said", "", (Line("Said double", has("doubled", True)),), FIGURES, drawn=2),
        luck("deal", LUCK, "Part in it", lines("role", ROLES)),
    ),
    feats=(
        Feat("Most points in a deal", "most", fact="points", unit="point"),
        Feat("First valat", "first", {"valat": True}),
        Feat("First square declared", "first", {"declaration": "square"}),
        Feat(
            "Longest run of own contracts made",
            "run",
            {"deal_outcome": "made"},
            unit="contract",
            among={"role": ("bidder",)},
        ),
        Feat(
            "First contract made although doubled", "first", {"role": "bidder", "deal_outcome": "made", "deal_level": 2}
        ),
    ),
    with_partner=FIGURES,
)
