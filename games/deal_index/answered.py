"""The true answers of each deal of a match, encoded as a text that both databases search quickly.

A deal is "/", its number, its own answers, and then the answers of each seat. The player's own seat starts with "=", a
partner's with "+", an opponent's with "-". An answer is two letters, one for the question and one for the answer:
"/3Aa=Bc+Bd-Bc-B0". After its answers a seat has its cards, a sign and a letter each.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from games.catalog import get_game
from games.kit.contract import Card
from games.kit.facts import HAND, Answer, DealFacts, Question, compare
from games.kit.game import Game
from games.kit.words import CARD_NAMES

ANSWERS = digits + ascii_lowercase
CARD_SIGNS = "!#&,:;<>@~"  # A card is one of these and one of ANSWERS.
OTHER_ANSWERS = "[^/=+-]*"  # Other answers of the same deal or seat.
ROLES = {"": "=", "partner": "[+]", "opponent": "-", "anybody": "[=+-]"}


@cache
def questions_hash(slug: str) -> str:
    """Return a short hash of all questions that a search can ask about the deals of a game, and of their answers.

    Each match is stored with the true answers and this hash. If the hash of the game is another one by now, the answers
    of the match are out of date. slug: of the game.
    """
    questions = [
        (question.fact, question.of_seat, [(answer.value, answer.compared) for answer in question.answers])
        for question in get_game(slug).questions
    ]
    return sha256(repr([questions, sorted(CARD_NAMES)]).encode()).hexdigest()[:8]


def encode_match(game: Game, deals: Mapping[int, DealFacts], roles: Mapping[int, str]) -> str:
    """Return a text that says what is true of each deal of a match. Searches look for deals in it with a pattern.

    An example is "/3Aa=Bc-Bd". In deal 3 the answer Aa is true of the whole deal, Bc of the player's own seat, and Bd
    of an opponent's. An answer is two letters: one for the question, one for the answer.
    deals: the facts by number. roles: for each seat "=" (the player's own), "+" (a partner) or "-" (an opponent).
    """
    text = ""
    for number, facts in deals.items():
        text += f"/{number}" + "".join(_true_answers(game, facts.deal, of_seat=False))
        for seat, role in roles.items():
            text += role + "".join(_true_answers(game, facts.seats[seat], of_seat=True))
    return text


def _true_answers(game: Game, facts: Mapping[str, Any], *, of_seat: bool) -> Iterator[str]:
    """Yield the two letters of each answer that is true of these facts, for all questions of a game about deals.

    of_seat: whether they are facts of a seat (such as its points) or of the whole deal (such as its trump suit). Each
    question is about one of the two.
    """
    for question in game.questions:
        if question.of_seat == of_seat:
            for answer in question.answers:
                if compare(facts.get(question.fact), answer.value, answer.compared):
                    yield _letters(game, question, answer)
    if of_seat:
        yield from sorted(_card_letters(card) for card in facts.get(HAND.fact, "").split())


def _letters(game: Game, question: Question, answer: Answer) -> str:
    """Return the code of an answer: a capital letter for its question, and a digit or small letter for the answer.

    A card in a hand begins with a sign in place of the capital letter.
    """
    if question is HAND:
        return _card_letters(str(answer.value))
    return ascii_uppercase[game.questions.index(question)] + ANSWERS[question.answers.index(answer)]


@cache
def _card_letters(card: Card) -> str:
    """Return the code of a card in a hand: two characters. Each card of any game has its own."""
    sign, letter = divmod(sorted(CARD_NAMES).index(card), len(ANSWERS))
    return CARD_SIGNS[sign] + ANSWERS[letter]


def pattern(game: Game, answers: Iterable[tuple[Question, Answer]], who: str) -> tuple[list[str], str]:
    """Return what finds the deals of which all these answers are true: the letters of each, and a regular expression.

    Both are for a text such as "/3Aa=Bc-Bd". In deal 3 the answer Aa is true of the whole deal, Bc of the player's own
    seat ("="), and Bd of an opponent's ("-"). A partner's seat has "+". Each answer has two letters.
    who: the role of the seat, such as "partner" (see ROLES). All answers about seats must be true of the same seat.
    """
    # The texts have their answers in the order of the questions, so the expression must too.
    order = [*game.questions, HAND]
    pairs = sorted(answers, key=lambda pair: (order.index(pair[0]), _letters(game, *pair)))
    of_deal = [_letters(game, question, answer) for question, answer in pairs if not question.of_seat]
    of_seat = [_letters(game, question, answer) for question, answer in pairs if question.of_seat]
    expression = "/([0-9]+)" + "".join(OTHER_ANSWERS + letters for letters in of_deal)
    if of_seat:
        to_seat = "[^/]*" + ROLES[who]  # Skip to a seat with this role, within the same deal.
        expression += to_seat + "".join(OTHER_ANSWERS + letters for letters in of_seat)
    return of_deal + of_seat, expression


def deals_in(text: str, expression: str) -> list[int]:
    """Return the numbers of the deals that a regular expression finds in the text of a match, the last deal first."""
    return [int(number) for number in re.findall(expression, text)][::-1]
