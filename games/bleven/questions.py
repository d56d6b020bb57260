"""What rounds of Bleven are searched by."""

from games.kit.questions import Answer, Question, numbers, points, yes

RESULTS = {
    "played": ("Played out", "The round was played out."),
    "left": ("All of a side left", "All of a side left."),
    "out": ("Somebody went out", "A side lost by going out."),
    "under15": ("Less than 15", "A side lost with less than 15."),
    "void": ("Void", "The round was void."),
}

QUESTIONS = (
    Question("predicted", "Prediction", numbers(range(4), "{who} predicted {amount}.", "trick")),
    Question(
        "right",
        "Prediction right",
        (
            Answer("yes", "Right", "{who} predicted right.", True),
            Answer("no", "Wrong", "{who} predicted wrong.", False),
        ),
    ),
    Question("deduced", "Deduced", yes("Yes", "{who} deduced.")),
    Question("suspected", "Suspected", yes("Yes", "{who} suspected.")),
    Question("raised", "Raised", yes("Yes", "{who} raised.")),
    Question("countered", "Made a better prediction", yes("Yes", "{who} answered with a prediction.")),
    Question("side_bet", "Side bet", yes("Made one", "{who} made a side bet.")),
    Question("out", "Went out", yes("Yes", "{who} went out.")),
    points("{who} got {points} stones or more.", (1, 5, 10, 15, 20, 30)),
    Question(
        "result",
        "Round",
        tuple(Answer(slug, words, sentence, slug) for slug, (words, sentence) in RESULTS.items()),
        of_seat=False,
    ),
    Question(
        "bet",
        "Main bet",
        tuple(
            Answer(str(count), f"{count} or more", f"The main bet was {count} stones or more.", count, "gte")
            for count in (5, 10, 15, 20, 30)
        ),
        of_seat=False,
    ),
)
