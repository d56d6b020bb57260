"""What hands of Oh Hell are searched by."""

from games.kit.questions import TRUMP, Answer, Question, numbers

TRICKS = range(11)

QUESTIONS = (
    Question(
        "bid",
        "Bid",
        (Answer("0", "Zero", "{who} bid zero.", 0), *numbers(TRICKS[1:], "{who} bid {amount}.", "trick")),
    ),
    Question("tricks", "Tricks taken", numbers(TRICKS, "{who} took {amount}.", "trick")),
    Question(
        "off",
        "Outcome of the bid",
        (
            Answer("made", "Made", "{who} made the bid.", 0),
            Answer("over-by-2", "Over by two or more", "{who} took two tricks too many, or more.", 2, "gte"),
            Answer("over", "Over", "{who} took too many tricks.", 0, "gt"),
            Answer("under", "Under", "{who} took too few tricks.", 0, "lt"),
            Answer("under-by-2", "Under by two or more", "{who} took two tricks too few, or fewer.", -2, "lte"),
        ),
    ),
    Question("cards", "Cards in hand", numbers(TRICKS[1:], "Everybody held {amount}.", "card"), of_seat=False),
    TRUMP,
    Question(
        "over_under",
        "All bids together",
        (
            Answer("over", "More than the tricks", "The bids came to more than the tricks.", 0, "gt"),
            Answer("under", "Fewer than the tricks", "The bids came to fewer than the tricks.", 0, "lt"),
        ),
        of_seat=False,
    ),
)
