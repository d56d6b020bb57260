"""What there is to know of a round of Bleven, what rounds are searched by, and statistics of them. Source: "Facts"."""

from games.kit.facts import (
    Answer,
    Breakdown,
    DealFacts,
    Feat,
    Line,
    SheetColumn,
    Statistics,
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
from games.kit.language import lazily, lazily_in

SHEET_COLUMNS = (
    SheetColumn(lazily("Predicted"), "deal_predicted"),
    SheetColumn(
        lazily_in("of a prediction", "Right"), "deal_right", {True: lazily("yes"), False: lazily_in("answer", "no")}
    ),
    SheetColumn(lazily("Bet"), "deal_bet"),
)


def facts(sheet, events):
    """The DealFacts of the round scored last. sheet: the score sheet after it. events: all of the round."""
    row = sheet["rounds"][-1]
    prediction = row["prediction"] or {"tricks": None, "positions": ()}
    said = [event for event in events if event["type"] == "said"]
    deal = {key: row[key] for key in ("dealer", "result", "declarer", "replier", "answer", "right")}
    deal |= {key: row[key] for key in ("offered", "bet", "side_bets")}
    deal |= {
        "predicted": prediction["tricks"],
        "positions": len(prediction["positions"]),
        "raised": any(map(_is_raise, said)),
        "stones": sum(row["stones"]),
    }
    sides = {seat: side for side in sheet["sides"] for seat in side["seats"]}
    return DealFacts(deal, tuple(_of_seat(seat, sides[seat]["side"], row, said) for seat in sorted(sides)))


def _of_seat(seat, side, row, said):
    own = [event for event in said if event["seat"] == seat]
    kinds = {event["move"]["type"] for event in own}
    declarer = seat == row["declarer"]
    return {
        "points": row["stones"][side],
        "score": row["totals"][side],
        "won": row["winner"] == side,
        "tricks": sum(trick["winner"] == seat for trick in row["tricks"]),
        "predicted": row["prediction"]["tricks"] if declarer and row["prediction"] else None,
        "right": row["right"] if declarer else None,
        "declared": "declare" in kinds,
        "deduced": "deduce" in kinds,
        "suspected": "suspect" in kinds,
        "raised": any(map(_is_raise, own)),
        "countered": any("plus" in event["move"] and "tricks" in event["move"] for event in own),
        "side_bet": "side_bet" in kinds,
        "out": seat in row["out"],
        "left": seat in row["left"],
        "faced": seat in row["faced"],
    }


def _is_raise(event):
    """Whether stones were added to an answer, with a better prediction or without."""
    return event["move"].get("plus", 0) > 0


RESULTS = {
    "played": (lazily("Played out"), lazily("The round was played out.")),
    "left": (lazily("All of a side left"), lazily("All of a side left.")),
    "out": (lazily("Somebody went out"), lazily("A side lost by going out.")),
    "under15": (lazily("Less than 15"), lazily("A side lost with less than 15.")),
    "void": (lazily("Void"), lazily("The round was void.")),
}

QUESTIONS = (
    question(
        "predicted",
        lazily("Prediction"),
        *numbers(range(4), "{who} predicted {number} trick.", "{who} predicted {number} tricks."),
    ),
    question(
        "right",
        lazily("Prediction right"),
        Answer("yes", lazily_in("of a prediction", "Right"), lazily("{who} predicted right."), True),
        Answer("no", lazily_in("of a prediction", "Wrong"), lazily("{who} predicted wrong."), False),
    ),
    question("deduced", lazily("Deduced"), yes(lazily("Yes"), lazily("{who} deduced."))),
    question("suspected", lazily("Suspected"), yes(lazily("Yes"), lazily("{who} suspected."))),
    question("raised", lazily("Raised"), yes(lazily("Yes"), lazily("{who} raised."))),
    question(
        "countered", lazily("Made a better prediction"), yes(lazily("Yes"), lazily("{who} answered with a prediction."))
    ),
    question("side_bet", lazily("Side bet"), yes(lazily("Made one"), lazily("{who} made a side bet."))),
    question("out", lazily("Went out"), yes(lazily("Yes"), lazily("{who} went out."))),
    points(lazily("{who} got {points} stones or more."), (1, 5, 10, 15, 20, 30)),
    question(
        "result",
        lazily("Round"),
        *[Answer(slug, words, sentence, slug) for slug, (words, sentence) in RESULTS.items()],
        of_seat=False,
    ),
    question(
        "bet",
        lazily("Main bet"),
        *[
            Answer(
                str(count),
                lazily("{points} or more", points=count),
                lazily("The main bet was {stones} stones or more.", stones=count),
                count,
                "gte",
            )
            for count in (5, 10, 15, 20, 30)
        ],
        of_seat=False,
    ),
)


FIGURES = (
    number(lazily("Rounds")),
    share(lazily_in("share of rounds won", "Won"), has("won", True)),
    mean(lazily("Stones a round")),
)


def _of_wrong(facts):
    """Whether the prediction was wrong, which a suspicion says."""
    return facts["deal_right"] is False


STATISTICS = Statistics(
    facts=("predicted", "right", "won", "deduced", "suspected", "raised", "countered", "deal_result", "deal_right"),
    sums=("points",),
    breakdowns=(
        Breakdown(
            lazily("Rounds"),
            "",
            (Line(lazily("All rounds"), every), Line(lazily("Played out"), has("deal_result", "played"))),
            FIGURES,
            drawn=1,
        ),
        Breakdown(
            lazily("Predictions"),
            lazily("Tricks"),
            lines("predicted", {0: lazily_in("no tricks", "None"), 1: "1", 2: "2", 3: "3"}),
            (
                number(lazily("Rounds")),
                share(lazily_in("of predictions", "Kept"), has("right", True)),
                share(lazily_in("share of rounds won", "Won"), has("won", True)),
                mean(lazily("Stones a round")),
            ),
            drawn=1,
            note=lazily("Of rounds in which one’s own prediction stood last."),
        ),
        Breakdown(
            lazily("Bluffs"),
            lazily("A wrong prediction"),
            (
                Line(lazily("Won all the same"), lambda facts: facts["right"] is False and bool(facts["won"])),
                Line(lazily("Lost"), lambda facts: facts["right"] is False and not facts["won"]),
            ),
            (number(lazily("Rounds")), mean(lazily("Stones a round"))),
            drawn=0,
        ),
        Breakdown(
            lazily("Answers"),
            lazily_in("what was said", "Said"),
            (
                Line(lazily_in("word of Bleven", "Suspect"), has("suspected", True)),
                Line(lazily_in("word of Bleven", "Deduce"), has("deduced", True)),
                Line(lazily("A prediction of one’s own"), has("countered", True)),
                Line(lazily("More stones"), has("raised", True)),
            ),
            (
                number(lazily("Rounds")),
                share(lazily("Prediction was wrong"), _of_wrong),
                share(lazily_in("share of rounds won", "Won"), has("won", True)),
                mean(lazily("Stones a round")),
            ),
            drawn=2,
            note=lazily("A suspicion is right when the prediction was wrong."),
        ),
    ),
    feats=(
        Feat(lazily("Most stones in a round"), "most", fact="points", unit="stone"),
        Feat(
            lazily("Longest run of predictions kept"),
            "run",
            {"right": True},
            unit="prediction",
            among={"right": (True, False)},
        ),
        Feat(lazily("First prediction of three kept"), "first", {"right": True, "predicted": 3}),
        Feat(lazily("First win of a wrong prediction"), "first", {"right": False, "won": True}),
    ),
)
