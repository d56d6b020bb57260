"""What there is to know of a round of Bids, what rounds are searched by, and statistics of them. Source: "Facts"."""

from itertools import pairwise

from games.bids.rules.pack import LOWEST, MINUS_5
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.rules.state import TRICKS
from games.kit.facts import (
    WHO,
    Answer,
    Breakdown,
    DealFacts,
    Feat,
    Line,
    SheetColumn,
    Statistics,
    every,
    has,
    mean,
    number,
    points,
    question,
    share,
    yes,
)
from games.kit.language import lazily, lazily_in

SECOND = 2 * min(LUCKY_LOSER.values())  # the least that a second null round brings
SHEET_COLUMNS = (SheetColumn(lazily("Tricks"), "tricks"),)


def facts(sheet, events):
    """The DealFacts of the round scored last. sheet: the score sheet after it. events: all of the round."""
    row = sheet["rounds"][-1]
    lowest = next((event["trick"] for event in events if event["type"] == "lowest"), None)
    deal = {
        "leader": next(event["leader"] for event in events if event["type"] == "dealt"),
        "lowest": lowest,
        "surprise": any(event["type"] == "revealed" for event in events),
        "double": any(event["type"] == "doubled" for event in events),
        "allied": row["ally"] is not None,
        "burnt": sum(event["type"] == "trick_burnt" for event in events),
        "nulls": sum(row["null"]),
    }
    surprised = _winner_of_surprise(events)
    return DealFacts(deal, tuple(_of_seat(seat, row, sheet, events, surprised) for seat in range(len(row["total"]))))


def _of_seat(seat, row, sheet, events, surprised):
    won = [event for event in events if event["type"] == "trick_won" and event["seat"] == seat]
    doubled = [event for event in events if event["type"] == "doubled" and event["seat"] == seat]
    return {
        "points": row["total"][seat],
        "score": sum(done["total"][seat] for done in sheet["rounds"]),
        "tricks": len(won),
        "trick_points": row["trick_points"][seat],
        "black_cards": row["black_cards"][seat],
        "doubling": row["doubling"][seat],
        "doubled": bool(doubled),
        "null": row["null"][seat],
        "lucky_loser": row["lucky_loser"][seat],
        "lowest": any(LOWEST in event["black"] for event in won),
        "surprise": surprised == seat,
        "minus5": any(MINUS_5 in event["black"] for event in won),
        "ally": _part_in_alliance(seat, row["ally"]),
        "ally_change": row["ally_change"][seat],
    }


def _winner_of_surprise(events):
    """The seat that won the trick with the card under the Surprise card, or None."""
    for revealed, finished in pairwise(events):
        if revealed["type"] == "revealed":
            return finished["seat"] if finished["type"] == "trick_won" else None
    return None


def _part_in_alliance(seat, ally):
    if ally is None:
        return None
    return {ally["seat"]: "player", ally["partner"]: "partner"}.get(seat)


QUESTIONS = (
    points(lazily("{who} scored {points} or more."), (10, 20, 30, 40, 60), lazily("{who} scored less than nothing.")),
    question("null", lazily("No black card"), yes(lazily("Won none"), lazily("{who} won no black card."))),
    question(
        "lucky_loser",
        lazily("Lucky Loser"),
        Answer("yes", lazily_in("any number of points", "Any"), lazily("{who} was a Lucky Loser."), 0, "gt"),
        Answer(
            "second",
            lazily("{points} points or more", points=SECOND),
            lazily("{who} was a Lucky Loser for {points} points or more.", who=WHO, points=SECOND),
            SECOND,
            "gte",
        ),
    ),
    question("lowest", lazily("Lowest card"), yes(lazily("Won it"), lazily("{who} won the Lowest card."))),
    question("surprise", lazily("Surprise card"), yes(lazily("Won it"), lazily("{who} won the Surprise card."))),
    question("doubled", lazily("2× card"), yes(lazily("Won it"), lazily("{who} won the 2× card."))),
    question("minus5", lazily("−5 card"), yes(lazily("Won it"), lazily("{who} won the −5 card."))),
    question(
        "ally",
        lazily("Ally"),
        Answer("played", lazily("Played it"), lazily("{who} played the Ally."), "player"),
        Answer("won", lazily("Won its trick"), lazily("{who} won the trick with the Ally."), "partner"),
    ),
    question(
        "burnt",
        lazily("Burnt tricks"),
        Answer("yes", lazily("Some"), lazily("A trick was burnt."), 0, "gt"),
        of_seat=False,
    ),
)


FIGURES = (number(lazily("Rounds")), mean(lazily("Points a round")), share(lazily("Null rounds"), has("null", True)))

STATISTICS = Statistics(
    facts=("lowest", "surprise", "doubled", "minus5", "ally", "null", "tricks"),
    sums=("points", "tricks"),
    breakdowns=(
        Breakdown(
            lazily("Rounds"),
            "",
            (Line(lazily("All rounds"), every), Line(lazily("Null rounds"), has("null", True))),
            (number(lazily("Rounds")), mean(lazily("Points a round")), mean(lazily("Tricks a round"), "tricks")),
            drawn=1,
        ),
        Breakdown(
            lazily("Points by special card"),
            lazily("Card won"),
            (
                Line(lazily_in("card won", "Lowest"), has("lowest", True)),
                Line(lazily_in("card won", "Surprise"), has("surprise", True)),
                Line("2×", has("doubled", True)),
                Line("−5", has("minus5", True)),
                Line(lazily("Ally, played"), has("ally", "player")),
                Line(lazily("Ally, won its trick"), has("ally", "partner")),
                Line(
                    lazily("None of them"),
                    lambda facts: (
                        facts["ally"] is None
                        and not (facts["lowest"] or facts["surprise"] or facts["doubled"] or facts["minus5"])
                    ),
                ),
            ),
            FIGURES,
            drawn=1,
            note=lazily("A round with two of the cards counts for both."),
        ),
        Breakdown(
            lazily("Points by tricks"),
            lazily("Tricks"),
            (*(Line(str(tricks), has("tricks", tricks)) for tricks in range(TRICKS)),),
            FIGURES,
            drawn=1,
        ),
    ),
    feats=(
        Feat(lazily("Most points in a round"), "most", fact="points", unit="point"),
        Feat(lazily("Most as a lucky loser"), "most", fact="lucky_loser", unit="point"),
        Feat(lazily("First null round"), "first", {"null": True}),
        Feat(lazily("Longest run without a null round"), "run", {"null": False}, unit="round"),
    ),
)
