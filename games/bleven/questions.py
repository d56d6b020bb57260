"""What rounds of Bleven are searched by."""

from games.kit.language import lazily, lazily_in
from games.kit.questions import Answer, Question, numbers, points, yes

RESULTS = {
    "played": (lazily("Played out"), lazily("The round was played out.")),
    "left": (lazily("All of a side left"), lazily("All of a side left.")),
    "out": (lazily("Somebody went out"), lazily("A side lost by going out.")),
    "under15": (lazily("Less than 15"), lazily("A side lost with less than 15.")),
    "void": (lazily("Void"), lazily("The round was void.")),
}

QUESTIONS = (
    Question(
        "predicted",
        lazily("Prediction"),
        numbers(range(4), "{who} predicted {number} trick.", "{who} predicted {number} tricks."),
    ),
    Question(
        "right",
        lazily("Prediction right"),
        (
            Answer("yes", lazily_in("of a prediction", "Right"), lazily("{who} predicted right."), True),
            Answer("no", lazily_in("of a prediction", "Wrong"), lazily("{who} predicted wrong."), False),
        ),
    ),
    Question("deduced", lazily("Deduced"), yes(lazily("Yes"), lazily("{who} deduced."))),
    Question("suspected", lazily("Suspected"), yes(lazily("Yes"), lazily("{who} suspected."))),
    Question("raised", lazily("Raised"), yes(lazily("Yes"), lazily("{who} raised."))),
    Question(
        "countered", lazily("Made a better prediction"), yes(lazily("Yes"), lazily("{who} answered with a prediction."))
    ),
    Question("side_bet", lazily("Side bet"), yes(lazily("Made one"), lazily("{who} made a side bet."))),
    Question("out", lazily("Went out"), yes(lazily("Yes"), lazily("{who} went out."))),
    points(lazily("{who} got {points} stones or more."), (1, 5, 10, 15, 20, 30)),
    Question(
        "result",
        lazily("Round"),
        tuple(Answer(slug, words, sentence, slug) for slug, (words, sentence) in RESULTS.items()),
        of_seat=False,
    ),
    Question(
        "bet",
        lazily("Main bet"),
        tuple(
            Answer(
                str(count),
                lazily("{points} or more", points=count),
                lazily("The main bet was {stones} stones or more.", stones=count),
                count,
                "gte",
            )
            for count in (5, 10, 15, 20, 30)
        ),
        of_seat=False,
    ),
)
