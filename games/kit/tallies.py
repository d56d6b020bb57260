"""The score of a game at a real table: what players enter of a deal, and how a game counts it.

Each game has a Scorer in its module `tally`. It asks for a deal in fields, refuses what cannot be, and scores the rest
with the functions of the rules.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.kit.contract import Rules, Sheet, State
from games.kit.language import lazy
from games.kit.words import join_words

type Answer = int | str | list[str]
type Body = Mapping[str, Answer]  # the answers about a deal, by the name of the field
type Names = Sequence[str]  # by seat

UNFIT = lazy("These answers do not fit together. Enter the deal again.")
OVER = lazy("The match is over. Finish the tally, or correct a deal first.")
NOBODY = -1  # an answer in place of a seat
DIGITS = 4  # Nobody types a longer number.


class CannotBe(ValueError):
    """A deal that cannot be. str() is a sentence for players."""


class Option(NamedTuple):
    """An answer to choose. title: longer words, for screen readers. closed: why the rules forbid it, or "".

    row: a heading if a new line of options begins here.
    """

    value: int | str
    words: object
    title: object = ""
    closed: object = ""
    row: object = ""


def seat_options(names: Names, *, nobody: bool = False) -> tuple[Option, ...]:
    """Return an option for each seat, or for each side. nobody: whether there is one for nobody before them."""
    seats = [Option(seat, name) for seat, name in enumerate(names)]
    return tuple([Option(NOBODY, lazy("Nobody")), *seats] if nobody else seats)


class Field(NamedTuple):
    """A question about a deal. Without options the answer is a number. Without a name it is only a text.

    kind: "one" of the options, "many" of them, or "end": the chosen option also stores the deal, and the note says so.
    early: whether it is known before the cards are played. group: a heading for this field and those after it. folded:
    whether to hide it once it is answered.
    """

    name: str
    label: object
    options: tuple[Option, ...] = ()
    kind: str = "one"
    least: int = 0
    most: int = 0
    early: bool = False
    default: Answer | None = None
    group: object = ""
    note: object = ""
    folded: bool = False


class Scorer[S: State](ABC):
    """How a game counts deals of a real table. The state is a state of its rules, between two deals.

    The first dealer has the last seat, as in all rules.
    """

    def __init__(self, rules: Rules[Any, Any]) -> None:
        self.rules = rules

    @abstractmethod
    def fields(self, state: S, answers: Body, names: Names) -> list[Field]:
        """Return what to ask of the next deal. It may depend on the answers so far."""

    @abstractmethod
    def add(self, state: S, body: Body) -> S:
        """Return the state after a deal. Raise CannotBe. body: an answer to each of the fields."""

    @abstractmethod
    def totals(self, state: S) -> Sequence[float]:
        """Return the scores by seat."""

    def heading(self, state: S) -> str:
        """Return what else to say of the next deal, such as its number of cards."""
        return ""

    def sheet(self, state: S, bodies: Sequence[Body]) -> Sheet:
        """Return the score sheet. bodies: of all deals."""
        return self.rules.score_sheet(state)

    def rows(self, bodies: Sequence[Body]) -> list[int]:
        """Return the indices of the deals that have a row on the sheet."""
        return list(range(len(bodies)))

    def side_names(self, names: Names) -> list[str]:
        """Return the names of the two sides, or of the seats if everybody plays alone."""
        if len(names) not in self.rules.partners_at:
            return list(names)
        return [join_words(names[side::2]) for side in (0, 1)]


class Reading(NamedTuple):
    """What a form says about a deal. missing: the fields without an answer. refusals: why some answers cannot be."""

    answers: dict[str, Answer]
    fields: list[Field]
    missing: list[Field]
    refusals: list[object]


def read(scorer: Scorer[Any], state: State, data: Mapping[str, Sequence[str]], names: Names) -> Reading:
    """Read the answers about the next deal from the values of a form: lists of texts by the name of the field.

    Fields may depend on answers, so ask until there are no new ones.
    """
    answers: dict[str, Answer] = {}
    while True:
        fields = scorer.fields(state, answers, names)
        valid = {field.name: answers[field.name] for field in fields if field.name in answers}
        refusals: list[object] = []
        for field in fields:
            if field.name and (field.name not in valid or field.kind == "many"):
                answer, refusal = _answer(field, data.get(field.name, ()))
                refusals += [refusal] if refusal else []
                if answer is not None and answer != valid.get(field.name):
                    valid[field.name] = answer
                    break  # It may change the fields after it, and its own options.
        if valid == answers:
            missing = [field for field in fields if field.name and field.name not in answers]
            return Reading(answers, fields, missing, refusals)
        answers = valid


def _answer(field: Field, texts: Sequence[str]) -> tuple[Answer | None, object]:
    """Return the answer to a field and the reason of a refusal. Either may be None."""
    texts = [text.strip() for text in texts if text.strip()]
    if field.kind == "many":
        values = {str(option.value) for option in field.options}
        return [text for text in dict.fromkeys(texts) if text in values], None
    if not texts:
        return field.default, None
    if not field.options:
        return _number(field, texts[-1])
    chosen = next((option for option in field.options if str(option.value) == texts[-1]), None)
    if chosen is None or chosen.closed:
        return None, chosen and chosen.closed
    return chosen.value, None


def _number(field: Field, text: str) -> tuple[int | None, object]:
    digits = text.removeprefix("-")
    number = int(text) if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS else None
    if number is None or not field.least <= number <= field.most:
        sentence = "{label}: enter a whole number from {least} to {most}."
        return None, lazy(sentence, label=field.label, least=field.least, most=field.most)
    return number, None


def as_data(body: Body) -> dict[str, list[str]]:
    """Return answers as the values of a form."""
    lists = {name: answer if isinstance(answer, list) else [answer] for name, answer in body.items()}
    return {name: [str(each) for each in answers] for name, answers in lists.items()}


def number_of(body: Body, name: str) -> int:
    """Return an answer that is a number, 0 if there is none."""
    return int(str(body.get(name) or 0))


def chosen(body: Body, name: str) -> list[str]:
    """Return the answers to a field of the kind "many"."""
    answer = body.get(name, [])
    return [str(each) for each in answer] if isinstance(answer, list) else []


def add_deal(scorer: Scorer[Any], state: State, body: Body, names: Names) -> State:
    """Return the state after a deal. Raise CannotBe if a question is open, an answer unknown, or the deal cannot be."""
    if scorer.rules.to_act(state) is None:
        raise CannotBe(OVER)
    data = as_data(body)
    try:
        fields = [field for field in scorer.fields(state, body, names) if field.name]
    except (ValueError, LookupError, TypeError):  # Of a file or a device: no form has such answers.
        raise CannotBe(UNFIT) from None
    for field in fields:
        answer, refusal = _answer(field, data.get(field.name, ()))
        if refusal:
            raise CannotBe(refusal)
        if field.name not in body:
            raise CannotBe(lazy("{label}: choose or enter something.", label=field.label))
        if answer != body[field.name]:
            raise CannotBe(UNFIT)
    if len(body) > len(fields):
        raise CannotBe(UNFIT)
    return scorer.add(state, body)
