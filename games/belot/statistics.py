"""What is told of somebody's deals of Belot: which contracts are made, and what doubles bring."""

from games.belot.luck import LUCK
from games.belot.table.terms import CONTRACT_TITLES
from games.kit.language import lazily, lazily_in
from games.kit.statistics import Breakdown, Feat, Line, Statistics, has, lines, luck, mean, number, share

LEVELS = {1: lazily("Not doubled"), 2: lazily("Doubled"), 4: lazily("Redoubled"), 8: lazily("Doubled a third time")}


def bid_it(facts):
    """Whether the contract was one's own, or a partner's."""
    return facts["role"] in ("bidder", "partner")


def _bid(head, key, value):
    return Line(head, lambda facts: bid_it(facts) and facts[key] == value)


def _defended(head, level):
    return Line(head, lambda facts: facts["role"] == "defender" and facts["deal_level"] == level)


ROLES = {"bidder": lazily("Bid it"), "partner": lazily("Partner bid it"), "defender": lazily("Defended")}
FIGURES = (
    number(lazily("Deals")),
    share(lazily("Made"), has("deal_outcome", "made")),
    share(lazily("Inside"), has("deal_outcome", "inside")),
    share(lazily("Hanging"), has("deal_outcome", "hanging")),
    mean(lazily("Points a deal")),
)

STATISTICS = Statistics(
    facts=("deal_contract", "deal_level", "deal_outcome", "role", "doubled"),
    sums=("points", "worth", "beyond"),
    breakdowns=(
        Breakdown(
            lazily("All deals"),
            lazily("Part in it"),
            lines("role", ROLES),
            FIGURES,
            drawn=1,
            note=lazily("Made, inside and hanging are said of the contract, whoever bid it."),
        ),
        Breakdown(
            lazily("Contracts bid, alone or with a partner"),
            lazily("Contract"),
            tuple(_bid(words, "deal_contract", contract) for contract, words in CONTRACT_TITLES.items()),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazily("Own contracts, by doubles"),
            lazily_in("doubled or not", "Level"),
            tuple(_bid(words, "deal_level", level) for level, words in LEVELS.items()),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazily("Defence, by doubles"),
            lazily_in("doubled or not", "Level"),
            tuple(_defended(words, level) for level, words in LEVELS.items()),
            FIGURES,
            drawn=2,
        ),
        Breakdown(lazily("Doubles said"), "", (Line(lazily("Said double"), has("doubled", True)),), FIGURES, drawn=2),
        luck(
            lazily("Deals"),
            lazily("Points a deal"),
            lazily("All deals"),
            LUCK,
            lazily("Part in it"),
            lines("role", ROLES),
        ),
    ),
    feats=(
        Feat(lazily("Most points in a deal"), "most", fact="points", unit="point"),
        Feat(lazily("First valat"), "first", {"valat": True}),
        Feat(lazily("First square declared"), "first", {"declaration": "square"}),
        Feat(
            lazily("Longest run of own contracts made"),
            "run",
            {"deal_outcome": "made"},
            unit="contract",
            among={"role": ("bidder",)},
        ),
        Feat(
            lazily("First contract made although doubled"),
            "first",
            {"role": "bidder", "deal_outcome": "made", "deal_level": 2},
        ),
    ),
    with_partner=FIGURES,
)
