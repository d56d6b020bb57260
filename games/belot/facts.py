"""The facts of a deal, the questions of the deal search, and statistics. Source: "Facts" on the rules page.

The worth of a side's cards is the number of match points that they bring on average. It is computed in two steps. The
bots' evaluator values every contract with all cards of the hands. A regression then predicts the match points from the
best contract of each side; tools/fit_luck.py fits it to matches of bots. The weights of both steps are in luck.json, so
that the facts of old deals stay the same when the bots improve.
"""

import json
from collections.abc import Sequence
from math import sumprod
from pathlib import Path

from games.belot.bot import Auction, features
from games.belot.rules.declarations import SEQUENCES
from games.belot.rules.pack import CONTRACTS
from games.belot.rules.types import ScoreSheet, SheetRow
from games.belot.table.terms import A_KIND, CONTRACT_TITLES, CONTRACT_WORDS, KINDS, TIMES
from games.belot.table.words import TIMES_WORDS
from games.kit.cards import SUITS
from games.kit.contract import Card, Event, Seat
from games.kit.facts import (
    EACH_DEAL,
    WHO,
    Answer,
    Breakdown,
    DealFacts,
    Feat,
    Has,
    Line,
    SheetColumn,
    Statistics,
    Term,
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

WEIGHTS = json.loads(Path(__file__).with_name("luck.json").read_text())
LUCK = lazy(
    "What the cards were worth is what a side of our bots scores on average when the sides hold such cards. "
    "It knows nothing of the calls and the play: one deal says little, hundreds say how well you play."
)


def worths(sheet: ScoreSheet, row: SheetRow, events: Sequence[Event]) -> list[float]:
    """Return by side what its cards were worth: the match points that such cards bring on average, with one decimal.

    So players can tell luck from skill: calls and plays do not count here. row: the deal on the score sheet. events:
    all of the deal, to read the hands from.
    """
    seats, sides = sheet["seats"], len(sheet["sides"])
    hands = cards_played(events, seats)
    best_worths = best_contract_worths(sides, row["dealer"], hands)
    weights = WEIGHTS[str(seats)]["points"]
    dealing_side = row["dealer"] % sides
    return [
        # Multiply each number by its weight, and add them up. `+ 0.0` makes 0.0 of -0.0.
        round(sumprod(weights, luck_features(best_worths, side, side == dealing_side)), 1) + 0.0
        for side in range(sides)
    ]


def luck_features(best_worths: Sequence[float], side: int, is_dealer: bool) -> list[float]:
    """Return the numbers that predict the match points of a side from its cards. Each has a weight, in the same order.

    best_worths: by side, the worth of the best contract that its cards allow. is_dealer: whether the side deals.
    """
    own, other = best_worths[side], max(worth for index, worth in enumerate(best_worths) if index != side)
    return [1.0, is_dealer, own, other, max(own, other), own * own, other * other]


def best_contract_worths(sides: int, dealer: Seat, hands: Sequence[Sequence[Card]]) -> list[float]:
    """Return by side the worth of its best contract: by how many match points it can expect to win the deal.

    sides: their number. hands: by seat. The seats of a side are every `sides`-th one, and each of them may bid.
    """
    return [
        max(
            _contract_worth(sides, dealer, hands, bidder, contract)
            for bidder in range(side, len(hands), sides)
            for contract in CONTRACTS
        )
        for side in range(sides)
    ]


def _contract_worth(sides: int, dealer: Seat, hands: Sequence[Sequence[Card]], bidder: Seat, contract: str) -> float:
    """Return by how many match points the bidder's side can expect to win a deal with this contract.

    Numbers describe each hand of the side, and their weighted sum is the result. The bidder has other weights than its
    partner. The hands are judged as if nobody had called before.
    """
    kind, seats = "suit" if contract in SUITS else contract, len(hands)
    total = 0.0
    for seat in range(bidder % sides, seats, sides):  # the bidder and a partner, if any
        auction = Auction(
            seats=seats,
            hand=tuple(hands[seat]),
            contract=None,
            level=1,
            role="own",
            is_leader=(dealer + 1) % seats == seat,
            partner_has_bid=False,
            rival_has_bid=False,
        )
        weights = WEIGHTS[str(seats)]["own" if seat == bidder else "support"][kind]
        total += sumprod(weights, features(auction, contract))
    return total


RANKED_KINDS = (*dict(SEQUENCES.values()), "square")  # the best last
BIDDING_SIDE = ("bidder", "partner")
OUTCOMES = lazy_all_in("outcome of a contract", {"made": "made", "inside": "inside", "hanging": "hanging"})

SHEET_COLUMNS = (
    SheetColumn(lazy("Contract"), "deal_contract", CONTRACT_WORDS),
    SheetColumn(lazy_in("doubled or not", "Level"), "deal_level", TIMES),
    SheetColumn(lazy("Outcome"), "deal_outcome", OUTCOMES),
)


def facts(sheet: ScoreSheet, events: list[Event]) -> DealFacts:
    """Return the facts of the deal in the last row of the score sheet, which searches and statistics use.

    They are about the deal itself, and then about each seat. events: all of the deal.
    """
    row = sheet["rows"][-1]
    bidders_points = row["points"][_side_of(row["bidder"], sheet)]
    deal = {
        "dealer": row["dealer"],
        "contract": row["contract"],
        "bidder": row["bidder"],
        "level": row["level"],
        "outcome": row["outcome"],
        "hanging": row["hanging"],  # match points left for the winners of the next deal, because points were level
        "by": 2 * bidders_points - sum(row["points"]),  # the lead of the bidding side over all others
        "valat": row["valat"] is not None,  # whether one side took all tricks
        "pot": sum(row["pot"]),  # match points left from earlier deals
        "kirtik": any(row["kirtik"]),  # whether a side paid a penalty
    }
    worth_by_side = worths(sheet, row, events)
    return DealFacts(deal, tuple(_seat_facts(seat, sheet, events, worth_by_side) for seat in range(sheet["seats"])))


def _seat_facts(
    seat: Seat, sheet: ScoreSheet, events: Sequence[Event], worth_by_side: Sequence[float]
) -> dict[str, object]:
    row, side = sheet["rows"][-1], _side_of(seat, sheet)
    own = [event for event in events if event.get("seat") == seat]
    kinds = [event["kind"] for event in own if event["type"] == "declared"]
    calls = {event["call"] for event in own if event["type"] == "called"}
    return {
        "points": row["mp"][side],
        "score": row["totals"][side],
        "role": _role(seat, row, sheet),
        "tricks": row["tricks"][side],
        "card_points": row["points"][side],
        "doubled": "double" in calls,
        "redoubled": bool(calls & {"redouble", "surcontre"}),
        "declared": sum(event["points"] for event in own if event["type"] == "declared"),
        "declaration": max(kinds, key=RANKED_KINDS.index, default=None),
        "belots": sum(event["type"] == "belot" for event in own),
        "valat": row["valat"] == side,
        "kirtik": row["kirtik"][side] != 0,
        "worth": worth_by_side[side],
        "beyond": round(row["mp"][side] - worth_by_side[side], 1) + 0.0,
    }


def _role(seat: Seat, row: SheetRow, sheet: ScoreSheet) -> str:
    if seat == row["bidder"]:
        return "bidder"
    return "partner" if _side_of(seat, sheet) == _side_of(row["bidder"], sheet) else "defender"


def _side_of(seat: Seat, sheet: ScoreSheet) -> int:
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
        Answer("doubled-only", lazy("Doubled, not redoubled"), lazy("It was doubled and not redoubled."), 2),
        Answer(
            "redoubled-only",
            lazy("Redoubled, not doubled again"),
            lazy("It was redoubled and not doubled a third time."),
            4,
        ),
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
        Answer("side", lazy("Own side bid it"), lazy("{who} or a partner bid the contract."), BIDDING_SIDE, "in"),
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
    EACH_DEAL,
)


LEVELS = {1: lazy("Not doubled")} | TIMES_WORDS


def _line_of_bids(head: str, key: str, value: object) -> Line:
    """Return the line of the deals that the player or a partner bid and that have this fact."""
    return Line(head, Has((Term("role", BIDDING_SIDE, "in"), Term(key, value))))


def _line_of_defences(head: str, level: int) -> Line:
    """Return the line of the deals that the player defended at this level of doubling."""
    return Line(head, Has((Term("role", "defender"), Term("deal_level", level))))


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
            tuple(_line_of_bids(words, "deal_contract", contract) for contract, words in CONTRACT_TITLES.items()),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazy("Own contracts, by doubles"),
            lazy_in("doubled or not", "Level"),
            tuple(_line_of_bids(words, "deal_level", level) for level, words in LEVELS.items()),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazy("Defence, by doubles"),
            lazy_in("doubled or not", "Level"),
            tuple(_line_of_defences(words, level) for level, words in LEVELS.items()),
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
