"""Rounds of Bids at a real table: what each seat has won, or trick by trick."""

from collections.abc import Sequence
from functools import partial

from games.bids.rules.pack import HIGHEST, MINUS_5, NUMBER, black_in_hands
from games.bids.rules.scoring import line_of, totals
from games.bids.rules.state import TRICKS, Match, State, between_rounds
from games.kit.contract import Score
from games.kit.language import lazy, say
from games.kit.tallies import NOBODY, Body, CannotBe, Field, Names, Option, Scorer, chosen, number_of, seat_options


class BidsScorer(Scorer[State]):
    def fields(self, state: State, answers: Body, names: Names) -> list[Field]:
        match = state.round.match
        ways = Option("totals", lazy("After the round")), Option("tricks", lazy("Trick by trick"))
        fields = [Field("way", lazy("Enter"), ways, default="totals")]
        if answers.get("way") == "tricks":
            fields += _trick_fields(match, answers, names)
            if f"won{TRICKS}" not in answers:
                return fields
        else:
            fields += _total_fields(match, answers, names)
        if match.ally:
            seats = seat_options(names, nobody=True)
            fields.append(Field("ally", lazy("The Ally was played by"), seats, default=NOBODY))
            if answers.get("ally", NOBODY) != NOBODY:
                partners = tuple(each for each in seat_options(names) if each.value != answers["ally"])
                fields.append(Field("partner", lazy("Its trick was won by"), partners))
        return fields

    def add(self, state: State, body: Body) -> State:
        round_, match = state.round, state.round.match
        points, doubling, black = (_by_trick if body["way"] == "tricks" else _by_seat)(match, body)
        _check(match, points, doubling, black)
        ally = None
        if number_of(body, "ally") != NOBODY and match.ally:
            ally = number_of(body, "ally"), number_of(body, "partner")
            if not black[ally[1]]:
                raise CannotBe(lazy("Who won the trick of the Ally has a black card. Check the alliance."))
        line = line_of(round_, points, doubling, black, ally)
        return between_rounds(match, (*round_.lines, line), (), None)

    def totals(self, state: State) -> Sequence[Score]:
        return totals(state.round)


SCORER = BidsScorer


def _black_values(match: Match) -> list[int]:
    """Return the numbers of all black cards, 0 for those without one."""
    numbers = [*range(1, HIGHEST[match.seats] + 1), *([NUMBER[MINUS_5], 0] if match.minus5_2x else [])]
    return sorted([*numbers, *[0] * (match.lowest + match.surprise)])


def _worth(match: Match) -> tuple[int, int]:
    """Return the least and the most points that black cards can bring."""
    values = _black_values(match)
    return min(values[0], 0), sum(each for each in values if each > 0)


def _most_black(match: Match) -> int:
    """Return how many black cards can be won in a round."""
    return TRICKS + match.surprise + black_in_hands(match.seats, match.ally)


def _total_fields(match: Match, answers: Body, names: Names) -> list[Field]:
    least, most = _worth(match)
    fields = []
    for seat, name in enumerate(names):
        fields.append(Field(f"black{seat}", lazy("Black cards"), most=_most_black(match), default=0, group=name))
        fields.append(Field(f"points{seat}", lazy("Their points"), least=least, most=most, default=0))
    if match.minus5_2x:
        winners = seat_options(names, nobody=True)
        fields.append(Field("doubled", lazy("2× was won by"), winners, default=NOBODY, group=" "))
        if answers.get("doubled", NOBODY) != NOBODY:
            fields.append(Field("double", lazy("Points that it added"), least=least, most=most))
    return fields


def _trick_fields(match: Match, answers: Body, names: Names) -> list[Field]:
    """Return the fields of the tricks so far and of the next one."""
    fields, early = list[Field](), partial(Field, early=True, folded=True)
    least, most = _worth(match)
    for number in range(1, TRICKS + 1):
        group = say("Trick {number}", number=number)
        winners = seat_options(names, nobody=True)
        fields.append(early(f"won{number}", lazy("Won by"), winners, group=group))
        if f"won{number}" not in answers:
            break
        if answers[f"won{number}"] != NOBODY:
            fields.append(early(f"worth{number}", lazy("Points"), least=least, most=most))
            fields.append(early(f"cards{number}", lazy("Black cards"), least=1, most=_most_black(match), default=1))
            if match.minus5_2x:
                fields.append(early(f"twice{number}", "", (Option("2x", lazy("2× was won")),), "many"))
            if f"worth{number}" not in answers:
                break
    return fields


def _by_seat(match: Match, body: Body) -> tuple[list[int], list[int], list[int]]:
    """Return the points of tricks, those by 2× and the black cards, by seat."""
    points, black = ([number_of(body, f"{name}{seat}") for seat in range(match.seats)] for name in ("points", "black"))
    doubling = [0] * match.seats
    if number_of(body, "doubled") != NOBODY and match.minus5_2x:
        doubling[number_of(body, "doubled")] = number_of(body, "double")
    return points, doubling, black


def _by_trick(match: Match, body: Body) -> tuple[list[int], list[int], list[int]]:
    points, doubling, black = ([0] * match.seats for _ in range(3))
    for number in range(1, TRICKS + 1):
        winner = number_of(body, f"won{number}")
        if winner == NOBODY:
            continue
        points[winner] += number_of(body, f"worth{number}")
        black[winner] += number_of(body, f"cards{number}")
        if chosen(body, f"twice{number}"):
            if any(doubling):
                raise CannotBe(lazy("2× is only once in the pack. Check the tricks."))
            doubling[winner] = points[winner]
    return points, doubling, black


def _check(match: Match, points: Sequence[int], doubling: Sequence[int], black: Sequence[int]) -> None:
    """Raise CannotBe if no black cards of the pack could bring these points."""
    values, most = _black_values(match), _most_black(match)
    if sum(black) > most:
        sentence = "These are {number} black cards, but in a round at most {most} can be won."
        raise CannotBe(lazy(sentence, number=sum(black), most=most))
    for own, cards in [*zip(points, black, strict=True), (sum(points), sum(black))]:
        least, best = sum(values[:cards]), sum(values[len(values) - cards :])
        if not least <= own <= best:
            sentence = "{cards} black cards are worth from {least} to {best} points together, not {points}."
            raise CannotBe(lazy(sentence, cards=cards, least=least, best=best, points=own))
    for own, more, cards in zip(points, doubling, black, strict=True):
        if more and (not cards or not NUMBER[MINUS_5] <= more <= own - NUMBER[MINUS_5]):
            sentence = "2× adds what its winner has in the round so far. It cannot be {points} points."
            raise CannotBe(lazy(sentence, points=more))
