"""What deals of Whist are searched by."""

from games.kit.questions import TRUMP, Question, numbers

QUESTIONS = (
    TRUMP,
    Question("tricks", "Tricks", numbers(range(7), "{who} took {number} trick.", "{who} took {number} tricks.")),
)
