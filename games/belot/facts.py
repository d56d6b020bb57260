"""What there is to know of a deal of Belot, what deals are searched by, and statistics of them. Source: "Facts".

What the cards were worth to a side is the match points that they bring on average: of every contract the bots’
evaluator says what it promises to the side that would bid it, from all the cards that a seat was dealt; the best of
these, put right by what bots then really scored with such cards (tools/fit_luck.py), is what they were worth. Its
weights are its own: facts of old matches stay as they are when the bots learn more.
"""

import json
from math import sumprod
from pathlib import Path

from games.belot.bot import Auction, features
from games.belot.rules.declarations import SEQUENCES
from games.belot.rules.pack import CONTRACTS
from games.belot.table.terms import A_KIND, CONTRACT_TITLES, CONTRACT_WORDS, KINDS, TIMES
from games.belot.table.words import TIMES_WORDS
from games.kit.cards import SUITS
from games.kit.facts import (
    WHO,
    Answer,
    Breakdown,
    DealFacts,
    Feat,
    Line,
    SheetColumn,
    Statistics,
    cards_played,
    has,
    lines,
    luck,
    mean,
    number,
    points,
    question,
    share,
    yes,
)
from games.kit.language import lazy, lazy_all, lazy_all_in, lazy_in

WEIGHTS = json.loads(Path(__file__).with_name("luck.json").read_text())  # made by tools/fit_luck.py
LUCK = lazy(
    "What the cards were worth is what a side of our bots scores on average when the sides hold such cards. "
    "It knows nothing of the calls and the play: one deal says little, hundreds say how well you play."
)


def worths(sheet, row, events):
    """By side, in match points with one decimal. row: of the deal on the sheet. events: all of the deal."""
    seats, sides = sheet["seats"], len(sheet["sides"])
    hands = cards_played(events, seats)
    promised = promises(sides, row["dealer"], hands)
    weights = WEIGHTS[str(seats)]["points"]
    dealing = row["dealer"] % sides
    return [round(sumprod(weights, numbers_of(promised, side, side == dealing)), 1) + 0.0 for side in range(sides)]


def numbers_of(promised, side, deals):
    """What points are fitted to: 1, whether the side deals, what is promised to it and to the best of the others.

    promised: as `promises` returns it.
    """
    own, other = promised[side], max(each for place, each in enumerate(promised) if place != side)
    return [1.0, deals, own, other, max(own, other), own * own, other * other]


def promises(sides, dealer, hands):
    """By side what its best contract promises it. hands: by seat."""
    return [
        max(
            _promise(sides, dealer, hands, bidder, contract)
            for bidder in range(side, len(hands), sides)
            for contract in CONTRACTS
        )
        for side in range(sides)
    ]


def _promise(sides, dealer, hands, bidder, contract):
    """By how many match points a contract promises to put its side ahead: its bidder’s hand, and its partners’."""
    kind, seats = "suit" if contract in SUITS else contract, len(hands)
    total = 0.0
    for seat in range(bidder % sides, seats, sides):
        auction = Auction(seats, tuple(hands[seat]), None, 1, "own", (dealer + 1) % seats == seat, False, False)
        weights = WEIGHTS[str(seats)]["own" if seat == bidder else "support"][kind]
        total += sumprod(weights, features(auction, contract))
    return total


RANKED_KINDS = (*dict(SEQUENCES.values()), "square")  # the better, the later
OUTCOMES = lazy_all_in("outcome of a contract", {"made": "made", "inside": "inside", "hanging": "hanging"})

SHEET_COLUMNS = (
    SheetColumn(lazy("Contract"), "deal_contract", CONTRACT_WORDS),
    SheetColumn(lazy_in("doubled or not", "Level"), "deal_level", TIMES),
    SheetColumn(lazy("Outcome"), "deal_outcome", OUTCOMES),
)


def facts(sheet, events):
    """The DealFacts of the deal scored last. sheet: the score sheet after it. events: all of the deal."""
    row = sheet["rows"][-1]
    bidding = row["points"][_side_of(row["bidder"], sheet)]
    deal = {key: row[key] for key in ("dealer", "contract", "bidder", "level", "outcome", "hanging")}
    deal |= {
        "by": 2 * bidding - sum(row["points"]),
        "valat": row["valat"] is not None,
        "pot": sum(row["pot"]),
        "kirtik": any(row["kirtik"]),
    }
    by_side = worths(sheet, row, events)
    return DealFacts(deal, tuple(_of_seat(seat, row, sheet, events, by_side) for seat in range(sheet["seats"])))


def _of_seat(seat, row, sheet, events, by_side):
    side = _side_of(seat, sheet)
    own = [event for event in events if event.get("seat") == seat]
    kinds = [event["kind"] for event in own if event["type"] == "declared"]
    calls = {event["call"] for event in own if event["type"] == "called"}
    return {
        "points": row["mp"][side],
        "score": row["totals"][side],
        "role": _role(seat, side, row, sheet),
        "tricks": row["tricks"][side],
        "card_points": row["points"][side],
        "doubled": "double" in calls,
        "redoubled": bool(calls & {"redouble", "surcontre"}),
        "declared": sum(event["points"] for event in own if event["type"] == "declared"),
        "declaration": max(kinds, key=RANKED_KINDS.index, default=None),
        "belots": sum(event["type"] == "belot" for event in own),
        "valat": row["valat"] == side,
        "kirtik": row["kirtik"][side] != 0,
        "worth": by_side[side],
        "beyond": round(row["mp"][side] - by_side[side], 1) + 0.0,
    }


def _role(seat, side, row, sheet):
    if seat == row["bidder"]:
        return "bidder"
    return "partner" if side == _side_of(row["bidder"], sheet) else "defender"


def _side_of(seat, sheet):
    return seat % len(sheet["sides"])


QUESTIONS = (
    question(
        "contract",
        lazy("Contract"),
        *[
            Answer(
                contract.lower(),
                CONTRACT_TITLES[contract],
                lazy("The contract was {contract}.", contract=words),
                contract,
            )
            for contract, words in CONTRACT_WORDS.items()
        ],
        of_seat=False,
    ),
    question(
        "level",
        lazy("Doubled"),
        Answer("no", lazy("Not doubled"), lazy("It was not doubled."), 1),
        Answer("yes", lazy("Doubled, at least"), lazy("It was doubled."), 2, "gte"),
        Answer("redoubled", lazy("Redoubled, at least"), lazy("It was redoubled."), 4, "gte"),
        Answer("third", lazy("Doubled a third time"), lazy("It was doubled a third time."), 8),
        of_seat=False,
    ),
    question(
        "outcome",
        lazy("Outcome"),
        Answer("made", lazy("Made"), lazy("The contract was made."), "made"),
        Answer("inside", lazy("Inside"), lazy("The bidders were inside."), "inside"),
        Answer("hanging", lazy("Hanging"), lazy("Points were left hanging."), "hanging"),
        of_seat=False,
    ),
    question(
        "role",
        lazy("Part in it"),
        Answer("bidder", lazy("Bid it"), lazy("{who} bid the contract."), "bidder"),
        Answer("partner", lazy("Partner bid it"), lazy("{who} had a partner who bid the contract."), "partner"),
        Answer("defender", lazy("Defended"), lazy("{who} defended."), "defender"),
    ),
    question("doubled", lazy("Said double"), yes(lazy("Yes"), lazy("{who} doubled."))),
    question(
        "declaration",
        lazy("Best declaration"),
        *[
            Answer(kind, KINDS[kind], lazy("The best that {who} declared was {kind}.", who=WHO, kind=words), kind)
            for kind, words in A_KIND.items()
        ],
    ),
    question("belots", lazy("Belot"), Answer("yes", lazy("Announced"), lazy("{who} announced a belot."), 1, "gte")),
    question("valat", lazy("Valat"), yes(lazy("Took every trick"), lazy("{who} took part in a valat."))),
    question("kirtik", lazy("Kirtik"), yes(lazy("Paid one"), lazy("{who} paid a kirtik."))),
    points(lazy("{who} scored {points} or more."), (10, 16, 20, 26, 30, 50), lazy("{who} scored less than nothing.")),
)


LEVELS = {1: lazy("Not doubled")} | TIMES_WORDS


def bid_it(facts):
    """Whether the contract was one's own, or a partner's."""
    return facts["role"] in ("bidder", "partner")


def _bid(head, key, value):
    return Line(head, lambda facts: bid_it(facts) and facts[key] == value)


def _defended(head, level):
    return Line(head, lambda facts: facts["role"] == "defender" and facts["deal_level"] == level)


ROLES = lazy_all({"bidder": "Bid it", "partner": "Partner bid it", "defender": "Defended"})
FIGURES = (
    number(lazy("Deals")),
    share(lazy("Made"), has("deal_outcome", "made")),
    share(lazy("Inside"), has("deal_outcome", "inside")),
    share(lazy("Hanging"), has("deal_outcome", "hanging")),
    mean(lazy("Points a deal")),
)

STATISTICS = Statistics(
    facts=("deal_contract", "deal_level", "deal_outcome", "role", "doubled"),
    sums=("points", "worth", "beyond"),
    breakdowns=(
        Breakdown(
            lazy("All deals"),
            lazy("Part in it"),
            lines("role", ROLES),
            FIGURES,
            drawn=1,
            note=lazy("“Made”, “inside” and “hanging” describe the contract, no matter who bid it."),
        ),
        Breakdown(
            lazy("Contracts bid, alone or with a partner"),
            lazy("Contract"),
            tuple(_bid(words, "deal_contract", contract) for contract, words in CONTRACT_TITLES.items()),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazy("Own contracts, by doubles"),
            lazy_in("doubled or not", "Level"),
            tuple(_bid(words, "deal_level", level) for level, words in LEVELS.items()),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazy("Defence, by doubles"),
            lazy_in("doubled or not", "Level"),
            tuple(_defended(words, level) for level, words in LEVELS.items()),
            FIGURES,
            drawn=2,
        ),
        Breakdown(lazy("Doubles said"), "", (Line(lazy("Said double"), has("doubled", True)),), FIGURES, drawn=2),
        luck(lazy("All deals"), (FIGURES[0], FIGURES[-1]), LUCK, lazy("Part in it"), lines("role", ROLES)),
    ),
    feats=(
        Feat(lazy("Most points in a deal"), "most", fact="points", unit="point"),
        Feat(lazy("First valat"), "first", {"valat": True}),
        Feat(lazy("First square declared"), "first", {"declaration": "square"}),
        Feat(
            lazy("Longest run of own contracts made"),
            "run",
            {"deal_outcome": "made"},
            unit="contract",
            among={"role": ("bidder",)},
        ),
        Feat(
            lazy("First contract made although doubled"),
            "first",
            {"role": "bidder", "deal_outcome": "made", "deal_level": 2},
        ),
    ),
    with_partner=FIGURES,
)
