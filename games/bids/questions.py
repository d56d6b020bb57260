"""What rounds of Bids are searched by."""

from games.kit.language import lazily, lazily_in
from games.kit.questions import Answer, Question, points, yes

QUESTIONS = (
    points(lazily("{who} scored {points} or more."), (10, 20, 30, 40, 60), lazily("{who} scored less than nothing.")),
    Question("null", lazily("No black card"), yes(lazily("Won none"), lazily("{who} won no black card."))),
    Question(
        "lucky_loser",
        lazily("Lucky Loser"),
        (
            Answer("yes", lazily_in("any number of points", "Any"), lazily("{who} was a Lucky Loser."), 0, "gt"),
            Answer(
                "second",
                lazily("14 points or more"),
                lazily("{who} was a Lucky Loser for 14 points or more."),
                14,
                "gte",
            ),
        ),
    ),
    Question("lowest", lazily("Lowest card"), yes(lazily("Won it"), lazily("{who} won the Lowest card."))),
    Question("surprise", lazily("Surprise card"), yes(lazily("Won it"), lazily("{who} won the Surprise card."))),
    Question(
        "doubled",
        lazily("2× card"),
        yes(lazily("Won it"), lazily("{who} won the 2× card.")),
    ),
    Question("minus5", lazily("−5 card"), yes(lazily("Won it"), lazily("{who} won the −5 card."))),
    Question(
        "ally",
        lazily("Ally"),
        (
            Answer("played", lazily("Played it"), lazily("{who} played the Ally."), "player"),
            Answer("won", lazily("Won its trick"), lazily("{who} won the trick with the Ally."), "partner"),
        ),
    ),
    Question(
        "burnt",
        lazily("Burnt tricks"),
        (Answer("yes", lazily("Some"), lazily("A trick was burnt."), 0, "gt"),),
        of_seat=False,
    ),
)
