"""The true answers of each deal of a match, encoded as a text that both databases search quickly.

A deal is "/", its number, its own answers, and then the answers of each seat. The player's own seat starts with "=", a
partner's with "+", an opponent's with "-". An answer is two letters, one for the question and one for the answer:
"/3Aa=Bc+Bd-Bc-B0".
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from operator import ge, gt, le, lt
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from games.catalog import get_game
from games.kit.facts import Answer, DealFacts, Question
from games.kit.game import Game

ANSWERS = digits + ascii_lowercase
COMPARED = {"gt": gt, "gte": ge, "lt": lt, "lte": le}
WITHIN = "[^/=+-]*"  # Other answers of the same deal or seat.
ROLES = {"": "=", "partner": "[+]", "opponent": "-", "anybody": "[=+-]"}


@cache
def definition(slug: str) -> str:
    """Return a hash of a game's questions. Texts with another hash answer other questions."""
    questions = [
        (question.fact, question.of_seat, [(answer.value, answer.compared) for answer in question.answers])
        for question in get_game(slug).questions
    ]
    return sha256(repr(questions).encode()).hexdigest()[:8]


def text_of(game: Game, deals: Mapping[int, DealFacts], roles: Mapping[int, str]) -> str:
    """Encode a match for one of its seats. deals: by number. roles: {seat: "=", "+" or "-"}."""
    return "".join(
        f"/{number}"
        + "".join(_true_answers(game, False, facts.deal))
        + "".join(role + "".join(_true_answers(game, True, facts.seats[seat])) for seat, role in roles.items())
        for number, facts in deals.items()
    )


def _true_answers(game: Game, of_seat: bool, facts: Mapping[str, Any]) -> Iterator[str]:
    for question in game.questions:
        if question.of_seat == of_seat:
            for answer in question.answers:
                if _holds(answer, facts.get(question.fact)):
                    yield _letters(game, question, answer)


def _letters(game: Game, question: Question, answer: Answer) -> str:
    return ascii_uppercase[game.questions.index(question)] + ANSWERS[question.answers.index(answer)]


def _holds(answer: Answer, fact: Any) -> bool:
    if answer.compared == "exact":
        return fact == answer.value and isinstance(fact, bool) == isinstance(answer.value, bool)
    return fact is not None and COMPARED[answer.compared](fact, answer.value)


def pattern(game: Game, answers: Iterable[tuple[Question, Answer]], who: str) -> tuple[list[str], str]:
    """Return the letters that a matching text contains, and the regular expression that finds its deals."""
    pairs = sorted(answers, key=lambda pair: game.questions.index(pair[0]))
    of_deal, of_seat = ([_letters(game, *pair) for pair in pairs if pair[0].of_seat is kind] for kind in (False, True))
    expression = "/([0-9]+)" + "".join(WITHIN + letters for letters in of_deal)
    if of_seat:
        expression += "[^/]*" + ROLES[who] + "".join(WITHIN + letters for letters in of_seat)
    return of_deal + of_seat, expression


def deals_in(text: str, expression: str) -> list[int]:
    """Return the numbers of the deals that the expression finds, in descending order."""
    return [int(number) for number in re.findall(expression, text)][::-1]
