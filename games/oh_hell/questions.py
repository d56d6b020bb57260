"""What hands of Oh Hell are searched by."""

from games.kit.language import lazily, lazily_in
from games.kit.questions import TRUMP, Answer, Question, numbers

TRICKS = range(11)

QUESTIONS = (
    Question(
        "bid",
        lazily_in("noun", "Bid"),
        (
            Answer("0", lazily("Zero"), lazily("{who} bid zero."), 0),
            *numbers(TRICKS[1:], "{who} bid {number} trick.", "{who} bid {number} tricks."),
        ),
    ),
    Question(
        "tricks", lazily("Tricks taken"), numbers(TRICKS, "{who} took {number} trick.", "{who} took {number} tricks.")
    ),
    Question(
        "off",
        lazily("Outcome of the bid"),
        (
            Answer("made", lazily_in("a bid", "Made"), lazily("{who} made the bid."), 0),
            Answer(
                "over-by-2", lazily("Over by two or more"), lazily("{who} took two tricks too many, or more."), 2, "gte"
            ),
            Answer("over", lazily_in("the bid", "Over"), lazily("{who} took too many tricks."), 0, "gt"),
            Answer("under", lazily_in("the bid", "Under"), lazily("{who} took too few tricks."), 0, "lt"),
            Answer(
                "under-by-2",
                lazily("Under by two or more"),
                lazily("{who} took two tricks too few, or fewer."),
                -2,
                "lte",
            ),
        ),
    ),
    Question(
        "cards",
        lazily("Cards in hand"),
        numbers(TRICKS[1:], "Everybody held {number} card.", "Everybody held {number} cards."),
        of_seat=False,
    ),
    TRUMP,
    Question(
        "over_under",
        lazily("All bids together"),
        (
            Answer("over", lazily("More than the tricks"), lazily("The bids came to more than the tricks."), 0, "gt"),
            Answer(
                "under", lazily("Fewer than the tricks"), lazily("The bids came to fewer than the tricks."), 0, "lt"
            ),
        ),
        of_seat=False,
    ),
)
