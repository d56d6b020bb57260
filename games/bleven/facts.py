"""The facts of a round of Bleven, the questions for searches, and the statistics. Source: "Facts"."""

from collections.abc import Sequence

from games.bleven.rules.shapes import Round, Sheet
from games.bleven.rules.state import side_of
from games.kit.contract import Event, Seat
from games.kit.facts import (
    EACH_DEAL,
    Answer,
    Breakdown,
    DealFacts,
    Feat,
    Has,
    Line,
    Question,
    SheetColumn,
    Statistics,
    Term,
    every,
    has,
    lines,
    mean,
    number,
    numbers,
    points,
    question,
    share,
    yes,
)
from games.kit.language import lazy, lazy_in

SHEET_COLUMNS = (
    SheetColumn(lazy("Predicted"), "deal_predicted"),
    SheetColumn(lazy_in("of a prediction", "Right"), "deal_right", {True: lazy("yes"), False: lazy_in("answer", "no")}),
    SheetColumn(lazy("Bet"), "deal_bet"),
)
ROW_FACTS = ("dealer", "result", "declarer", "replier", "answer", "right", "offered", "bet", "side_bets")


def facts(sheet: Sheet, events: Sequence[Event]) -> DealFacts:
    """Return the facts of the round scored last: values that statistics count and searches ask for.

    There are facts of the round and facts of each seat. None means that a fact does not apply. sheet: the score sheet
    after the round. events: of the round.
    """
    row = sheet["rounds"][-1]
    prediction = row["prediction"]
    spoken = [event for event in events if event["type"] == "said"]  # moves that are said aloud, like bets
    facts_of_round = {key: value for key, value in row.items() if key in ROW_FACTS} | {
        "predicted": prediction["tricks"] if prediction else None,
        "positions": len(prediction["positions"]) if prediction else 0,
        "raised": any(map(_is_raise, spoken)),
        "stones": sum(row["stones"]),  # of both sides
    }
    seats = range(sum(len(side["seats"]) for side in sheet["sides"]))
    return DealFacts(facts_of_round, tuple(_seat_facts(seat, row, spoken) for seat in seats))


def _seat_facts(seat: Seat, row: Round, spoken: Sequence[Event]) -> dict[str, object]:
    """Return the facts of one seat in a round: its side's stones (points), and what the seat itself has done.

    row: the round on the score sheet. spoken: the events of the moves that are said aloud, like bets. A
    prediction is a fact only of the seat that made the last one. None means that a fact does not apply.
    """
    own_events, side = [event for event in spoken if event["seat"] == seat], side_of(seat)
    kinds = {event["move"]["type"] for event in own_events}
    is_declarer = seat == row["declarer"]  # the seat that made the last prediction, or took it over from its partner
    return {
        "points": row["stones"][side],
        "score": row["totals"][side],
        "won": row["winner"] == side,
        "tricks": sum(trick["winner"] == seat for trick in row["tricks"]),
        "predicted": row["prediction"]["tricks"] if is_declarer and row["prediction"] else None,
        "right": row["right"] if is_declarer else None,
        "declared": "declare" in kinds,
        "deduced": "deduce" in kinds,
        "suspected": "suspect" in kinds,
        "raised": any(map(_is_raise, own_events)),
        "countered": any("plus" in event["move"] and "tricks" in event["move"] for event in own_events),
        "side_bet": "side_bet" in kinds,
        "out": seat in row["out"],
        "left": seat in row["left"],
        "faced": seat in row["faced"],
    }


def _is_raise(event: Event) -> bool:
    """Return whether the move adds stones to an answer, with or without a new prediction."""
    return event["move"].get("plus", 0) > 0


RESULTS = {
    "played": (lazy("Played out"), lazy("The round was played out.")),
    "left": (lazy("All of a side left"), lazy("All of a side left.")),
    "out": (lazy("Somebody went out"), lazy("A side lost by going out.")),
    "under15": (lazy("Less than 15"), lazy("A side lost with less than 15.")),
    "void": (lazy("Void"), lazy("The round was void.")),
}

QUESTIONS = (
    question(
        "predicted",
        lazy("Prediction"),
        *numbers(range(4), "{who} predicted {number} trick.", "{who} predicted {number} tricks."),
    ),
    question(
        "right",
        lazy("Prediction right"),
        Answer("yes", lazy_in("of a prediction", "Right"), lazy("{who} predicted right."), True),
        Answer("no", lazy_in("of a prediction", "Wrong"), lazy("{who} predicted wrong."), False),
    ),
    Question(
        "right",
        lazy("Last prediction"),
        (
            Answer("yes", lazy_in("of a prediction", "Right"), lazy("The last prediction was right."), True),
            Answer("no", lazy_in("of a prediction", "Wrong"), lazy("The last prediction was wrong."), False),
        ),
        of_seat=False,
        other_name="prediction",
    ),
    question("deduced", lazy("Deduced"), yes(lazy("Yes"), lazy("{who} deduced."))),
    question("suspected", lazy("Suspected"), yes(lazy("Yes"), lazy("{who} suspected."))),
    question("raised", lazy("Raised"), yes(lazy("Yes"), lazy("{who} raised."))),
    question(
        "countered", lazy("Made a better prediction"), yes(lazy("Yes"), lazy("{who} answered with a prediction."))
    ),
    question("side_bet", lazy("Side bet"), yes(lazy("Made one"), lazy("{who} made a side bet."))),
    question(
        "won",
        lazy("Outcome"),
        Answer("yes", lazy_in("a round", "Won"), lazy("{who} won the round."), True),
        Answer("no", lazy_in("a round", "Not won"), lazy("{who} did not win the round."), False),
    ),
    question("out", lazy("Went out"), yes(lazy("Yes"), lazy("{who} went out."))),
    points(lazy("{who} got {points} stones or more."), (1, 5, 10, 15, 20, 30)),
    question(
        "result",
        lazy("Round"),
        *[Answer(slug, words, sentence, slug) for slug, (words, sentence) in RESULTS.items()],
        of_seat=False,
    ),
    question(
        "bet",
        lazy("Main bet"),
        *[
            Answer(
                str(count),
                lazy("{points} or more", points=count),
                lazy("The main bet was {stones} stones or more.", stones=count),
                count,
                "gte",
            )
            for count in (5, 10, 15, 20, 30)
        ],
        of_seat=False,
    ),
    EACH_DEAL,
)


ROUNDS, STONES = number(lazy("Rounds")), mean(lazy("Stones a round"))
WON = share(lazy_in("share of rounds won", "Won"), has("won", True))

STATISTICS = Statistics(
    facts=("predicted", "right", "won", "deduced", "suspected", "raised", "countered", "deal_result", "deal_right"),
    sums=("points",),
    breakdowns=(
        Breakdown(
            lazy("Rounds"),
            "",
            (Line(lazy("All rounds"), every), Line(lazy("Played out"), has("deal_result", "played"))),
            (ROUNDS, WON, STONES),
            drawn=1,
        ),
        Breakdown(
            lazy("Predictions"),
            lazy("Tricks"),
            lines("predicted", {0: lazy_in("no tricks", "None"), 1: "1", 2: "2", 3: "3"}),
            (ROUNDS, share(lazy_in("of predictions", "Kept"), has("right", True)), WON, STONES),
            drawn=1,
            note=lazy("Counts rounds where one’s own prediction was the last."),
        ),
        Breakdown(
            lazy("Bluffs"),
            lazy("A wrong prediction"),
            (
                Line(lazy("Won all the same"), Has((Term("right", False), Term("won", True)))),
                Line(lazy("Lost"), Has((Term("right", False), Term("won", False)))),
            ),
            (ROUNDS, STONES),
            drawn=0,
        ),
        Breakdown(
            lazy("Answers"),
            lazy_in("what was said", "Said"),
            (
                Line(lazy_in("word of Bleven", "Suspect"), has("suspected", True)),
                Line(lazy_in("word of Bleven", "Deduce"), has("deduced", True)),
                Line(lazy("A prediction of one’s own"), has("countered", True)),
                Line(lazy("More stones"), has("raised", True)),
            ),
            (ROUNDS, share(lazy("Prediction was wrong"), has("deal_right", False)), WON, STONES),
            drawn=2,
            note=lazy("A suspicion is right when the prediction was wrong."),
        ),
    ),
    feats=(
        Feat(lazy("Most stones in a round"), "most", fact="points", unit="stone"),
        Feat(
            lazy("Longest run of predictions kept"),
            "run",
            {"right": True},
            unit="prediction",
            among={"right": (True, False)},
        ),
        Feat(lazy("First prediction of three kept"), "first", {"right": True, "predicted": 3}),
        Feat(lazy("First win of a wrong prediction"), "first", {"right": False, "won": True}),
    ),
)
