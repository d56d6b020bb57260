"""What deals of Whist are searched by."""

from games.kit.contract import Question
from games.kit.questions import TRUMP, numbers

QUESTIONS = (TRUMP, Question("tricks", "Tricks", numbers(range(7), "{who} took {amount}.", "trick")))
