"""The facts of a round of Bids, the questions for searches, and the statistics. Source: "Facts"."""

from collections.abc import Sequence
from itertools import pairwise

from games.bids.rules.pack import LOWEST, MINUS_5
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.rules.state import TRICKS
from games.bids.types import Alliance, ScoreSheet
from games.kit.contract import Event, Seat
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
    card_won,
    every,
    has,
    mean,
    number,
    numbers,
    points,
    question,
    share,
    yes,
)
from games.kit.language import lazy, lazy_in

SECOND_NULL = 2 * min(LUCKY_LOSER.values())  # the fewest points for a second null round
SHEET_COLUMNS = (SheetColumn(lazy("Tricks"), "tricks"),)


def facts(sheet: ScoreSheet, events: Sequence[Event]) -> DealFacts:
    """Return what searches and statistics need to know about the last scored round, and about each seat in it.

    sheet: the score sheet after the round. events: all that happened in it, as dicts with a "type".
    """
    row = sheet["rounds"][-1]
    deal = {
        "leader": next(event["leader"] for event in events if event["type"] == "dealt"),
        # A special card makes the lowest number win in place of the highest. This is the first trick with that rule.
        "lowest": next((event["trick"] for event in events if event["type"] == "lowest"), None),
        "surprise": any(event["type"] == "revealed" for event in events),
        "double": any(event["type"] == "doubled" for event in events),
        "allied": row["ally"] is not None,
        "burnt": sum(event["type"] == "trick_burnt" for event in events),  # the tricks that nobody won, for a tie
        "nulls": sum(row["null"]),  # the seats that won no trick
    }
    return DealFacts(deal, tuple(_seat_facts(seat, sheet, events) for seat in range(len(row["total"]))))


def _seat_facts(seat: Seat, sheet: ScoreSheet, events: Sequence[Event]) -> dict[str, object]:
    row = sheet["rounds"][-1]
    own_events = [event for event in events if event.get("seat") == seat]
    black_cards = [card for event in own_events if event["type"] == "trick_won" for card in event["black"]]
    return {
        "points": row["total"][seat],
        "score": sum(scored["total"][seat] for scored in sheet["rounds"]),
        "tricks": sum(event["type"] == "trick_won" for event in own_events),
        "trick_points": row["trick_points"][seat],
        "black_cards": row["black_cards"][seat],
        "doubling": row["doubling"][seat],
        "doubled": any(event["type"] == "doubled" for event in own_events),
        "null": row["null"][seat],
        "lucky_loser": row["lucky_loser"][seat],
        "lowest": LOWEST in black_cards,
        "surprise": _surprise_winner(events) == seat,
        "minus5": MINUS_5 in black_cards,
        "ally": _role_in_alliance(seat, row["ally"]),
        "ally_change": row["ally_change"][seat],
    }


def _surprise_winner(events: Sequence[Event]) -> Seat | None:
    """Return the seat that won the Surprise card, which hides another one, or None if nobody did.

    When a trick for it ends, the hidden card is revealed first. The next event says who wins both cards.
    """
    for event, following in pairwise(events):
        if event["type"] == "revealed" and following["type"] == "trick_won":
            return following["seat"]
    return None


def _role_in_alliance(seat: Seat, ally: Alliance | None) -> str | None:
    if ally is None:
        return None
    return {ally["seat"]: "player", ally["partner"]: "partner"}.get(seat)


QUESTIONS = (
    points(lazy("{who} scored {points} or more."), (10, 20, 30, 40, 60), lazy("{who} scored less than nothing.")),
    question(
        "tricks",
        lazy("Tricks taken"),
        *numbers(range(TRICKS), "{who} took {number} trick.", "{who} took {number} tricks."),
    ),
    question("null", lazy("No black card"), yes(lazy("Won none"), lazy("{who} won no black card."))),
    question(
        "lucky_loser",
        lazy("Lucky Loser"),
        Answer("yes", lazy_in("any number of points", "Any"), lazy("{who} was a Lucky Loser."), 0, "gt"),
        Answer(
            "second",
            lazy("{points} points or more", points=SECOND_NULL),
            lazy("{who} was a Lucky Loser for {points} points or more.", who=WHO, points=SECOND_NULL),
            SECOND_NULL,
            "gte",
        ),
    ),
    question(
        "lowest",
        lazy("Lowest card"),
        *card_won(lazy("{who} won the Lowest card."), lazy("{who} did not win the Lowest card.")),
    ),
    question(
        "surprise",
        lazy("Surprise card"),
        *card_won(lazy("{who} won the Surprise card."), lazy("{who} did not win the Surprise card.")),
    ),
    question(
        "doubled", lazy("2× card"), *card_won(lazy("{who} won the 2× card."), lazy("{who} did not win the 2× card."))
    ),
    question(
        "minus5", lazy("−5 card"), *card_won(lazy("{who} won the −5 card."), lazy("{who} did not win the −5 card."))
    ),
    question(
        "ally",
        lazy("Ally"),
        Answer("played", lazy("Played it"), lazy("{who} played the Ally."), "player"),
        Answer("won", lazy("Won its trick"), lazy("{who} won the trick with the Ally."), "partner"),
        Answer("none", lazy("Had no part in it"), lazy("{who} had no part in an alliance."), None),
    ),
    question(
        "burnt",
        lazy("Burnt tricks"),
        Answer("yes", lazy("Some"), lazy("A trick was burnt."), 0, "gt"),
        of_seat=False,
    ),
    EACH_DEAL,
)


CARDS_TO_WIN = ("lowest", "surprise", "doubled", "minus5")
FIGURES = (number(lazy("Rounds")), mean(lazy("Points a round")), share(lazy("Null rounds"), has("null", True)))

STATISTICS = Statistics(
    facts=("lowest", "surprise", "doubled", "minus5", "ally", "null", "tricks"),
    sums=("points", "tricks"),
    breakdowns=(
        Breakdown(
            lazy("Rounds"),
            "",
            (Line(lazy("All rounds"), every), Line(lazy("Null rounds"), has("null", True))),
            (number(lazy("Rounds")), mean(lazy("Points a round")), mean(lazy("Tricks a round"), "tricks")),
            drawn=1,
        ),
        Breakdown(
            lazy("Points by special card"),
            lazy("Card won"),
            (
                Line(lazy_in("card won", "Lowest"), has("lowest", True)),
                Line(lazy_in("card won", "Surprise"), has("surprise", True)),
                Line("2×", has("doubled", True)),
                Line("−5", has("minus5", True)),
                Line(lazy("Ally, played"), has("ally", "player")),
                Line(lazy("Ally, won its trick"), has("ally", "partner")),
                Line(
                    lazy("None of them"),
                    Has(
                        (
                            Term("ally", None),
                            *(Term(card, False) for card in CARDS_TO_WIN),
                        )
                    ),
                ),
            ),
            FIGURES,
            drawn=1,
            note=lazy("A round with two of the cards counts for both."),
        ),
        Breakdown(
            lazy("Points by tricks"),
            lazy("Tricks"),
            (*(Line(str(tricks), has("tricks", tricks)) for tricks in range(TRICKS)),),
            FIGURES,
            drawn=1,
        ),
    ),
    feats=(
        Feat(lazy("Most points in a round"), "most", fact="points", unit="point"),
        Feat(lazy("Most as a lucky loser"), "most", fact="lucky_loser", unit="point"),
        Feat(lazy("First null round"), "first", {"null": True}),
        Feat(lazy("Longest run without a null round"), "run", {"null": False}, unit="round"),
    ),
)
