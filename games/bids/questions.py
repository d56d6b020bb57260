"""What rounds of Bids are searched by."""

from games.kit.questions import Answer, Question, points, yes

QUESTIONS = (
    points("{who} scored {points} or more.", (10, 20, 30, 40, 60), "{who} scored less than nothing."),
    Question("null", "No black card", yes("Won none", "{who} won no black card.")),
    Question(
        "lucky_loser",
        "Lucky Loser",
        (
            Answer("yes", "Any", "{who} was a Lucky Loser.", 0, "gt"),
            Answer("second", "14 points or more", "{who} was a Lucky Loser for 14 points or more.", 14, "gte"),
        ),
    ),
    Question("lowest", "Lowest card", yes("Won it", "{who} won the Lowest card.")),
    Question("surprise", "Surprise card", yes("Won it", "{who} won the Surprise card.")),
    Question(
        "doubled",
        "2× card",
        yes("Won it", "{who} won the 2× card."),
    ),
    Question("minus5", "−5 card", yes("Won it", "{who} won the −5 card.")),
    Question(
        "ally",
        "Ally",
        (
            Answer("played", "Played it", "{who} played the Ally.", "player"),
            Answer("won", "Won its trick", "{who} won the trick with the Ally.", "partner"),
        ),
    ),
    Question("burnt", "Burnt tricks", (Answer("yes", "Some", "A trick was burnt.", 0, "gt"),), of_seat=False),
)
