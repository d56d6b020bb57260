"""Rounds of Bleven at a real table: how the round ended, the prediction, the bets and the tricks."""

from collections.abc import Sequence

from games.bleven.rules.scoring import score_lost, score_tricks, score_void
from games.bleven.rules.state import FIELD_SIZE, Prediction, State, empty_state, seats_of, side_of
from games.bleven.table.words import ORDINALS
from games.kit.contract import CHANCE, Seat, Sheet
from games.kit.language import lazy, lazy_in
from games.kit.tallies import NOBODY, Body, CannotBe, Field, Names, Option, Scorer, chosen, number_of, seat_options

PLAYED, VOID = "played", "void"
LOST = {"left": "{side} left", "out": "{side} went out", "under15": "{side}: less than 15"}


class BlevenScorer(Scorer[State]):
    def fields(self, state: State, answers: Body, names: Names) -> list[Field]:
        match, sides = state.match, self.side_names(names)
        results = ["left", "out", *(["under15"] if match.seats == 4 else [])]
        lost = [
            Option(f"{result}{side}", lazy(LOST[result], side=name))
            for result in results
            for side, name in enumerate(sides)
        ]
        ends = (Option(PLAYED, lazy("Three tricks")), *lost, Option(VOID, lazy("Nobody has 15")))
        end = str(answers.get("end", PLAYED))
        fields = [Field("end", lazy("How it ended"), ends, default=PLAYED, early=True)]
        seats = seat_options(names)
        if end.startswith("left"):
            fields.append(Field("declarer", lazy("Declared by"), seat_options(names, nobody=True), default=NOBODY))
        elif end != VOID:
            fields += _prediction(match.max_bet, answers, seats)
            if end == PLAYED or end.startswith("under15"):
                answered = (Option("suspect", lazy("doubted")), Option("deduce", lazy("believed")))
                fields.append(Field("answer", lazy_in("of a prediction", "Answer"), answered))
            fields.append(Field("side_bets", lazy("Side bets"), most=match.max_bet, default=0))
        if match.seats == 4 and end != VOID:
            fields.append(Field("left", lazy("Left before the prediction"), seats, "many"))
        if end == PLAYED:
            fields += _tricks(answers, names, sides)
        return fields

    def add(self, state: State, body: Body) -> State:
        end, left = str(body["end"]), [int(seat) for seat in chosen(body, "left")]
        begun = empty_state(state.match, "deal", CHANCE, state.lines, state.totals)
        if end == VOID:
            return score_void(begun)
        result, loser = (end, None) if end == PLAYED else (end[:-1], int(end[-1]))
        if result == "left":
            left = sorted({*left, *seats_of(int(end[-1]), state.match.seats)})
        begun = _with_answers(begun, body, left)
        _check(begun, body, result, loser)
        if loser is not None:
            return score_lost(begun, result, loser)
        short = number_of(body, "short") if state.match.seats == 2 else NOBODY
        won = tuple([int(position) for position in chosen(body, "won")])
        return score_tricks(begun, won, None if short == NOBODY else short)

    def totals(self, state: State) -> Sequence[float]:
        return state.totals

    def sheet(self, state: State, bodies: Sequence[Body]) -> Sheet:
        sheet = self.rules.score_sheet(state)
        for row, body in zip(sheet["rounds"], bodies, strict=True):
            if body["end"] == PLAYED:
                declaring, won = side_of(row["declarer"]), chosen(body, "won")
                winners = [declaring if str(number) in won else 1 - declaring for number in range(1, FIELD_SIZE + 1)]
                row["tricks"] = [{"leader": None, "plays": [], "winner": None, "side": side} for side in winners]
        return sheet


SCORER = BlevenScorer


def _prediction(max_bet: int, answers: Body, seats: tuple[Option, ...]) -> list[Field]:
    numbers = tuple([Option(number, str(number)) for number in range(FIELD_SIZE + 1)])
    fields = [
        Field("declarer", lazy("Prediction by"), seats, early=True),
        Field("tricks", lazy("Tricks"), numbers, early=True),
    ]
    if number_of(answers, "tricks"):
        fields.append(Field("positions", lazy("Named"), _positions(), "many", early=True))
    return [*fields, Field("bet", lazy("Stones agreed"), most=max_bet, early=True)]


def _tricks(answers: Body, names: Names, sides: Sequence[str]) -> list[Field]:
    declarer = answers.get("declarer")
    name = sides[side_of(declarer)] if isinstance(declarer, int) else ""
    fields = [Field("won", lazy("Tricks won by {side}", side=name), _positions(), "many")] if name else []
    if len(names) == 2:
        fields.append(Field("short", lazy("Less than 15"), seat_options(names, nobody=True), default=NOBODY))
    return fields


def _positions() -> tuple[Option, ...]:
    return tuple([Option(str(number), ORDINALS[number]) for number in range(1, FIELD_SIZE + 1)])


def _with_answers(state: State, body: Body, left: Sequence[Seat]) -> State:
    """Return the state before the score of a round, with all that the entry tells."""
    replies = tuple([(seat, (("type", "leave"),)) for seat in left])
    declarer, end = number_of({"declarer": NOBODY, **body}, "declarer"), str(body["end"])
    if end.startswith("left"):
        return state._replace(declarer=None if declarer == NOBODY else declarer, said=replies)
    if end.startswith("out") and state.match.seats == 2:
        replies = (*replies, (int(end[-1]), (("type", "out"),)))
    prediction = Prediction(number_of(body, "tricks"), tuple(map(int, chosen(body, "positions"))))
    bet, answer = number_of(body, "bet"), body.get("answer")
    return state._replace(
        declarer=declarer,
        prediction=prediction,
        replier=(declarer + 1) % state.match.seats,
        answer=str(answer) if answer else None,
        offered=bet,
        accepted=bet,
        side_bets=number_of(body, "side_bets"),
        said=replies,
    )


def _check(state: State, body: Body, result: str, loser: int | None) -> None:
    """Raise CannotBe if a round cannot have gone so."""
    at_stake, most = state.accepted + state.side_bets, state.match.max_bet
    if at_stake > most:
        sentence = "These are {stones} stones, but at most {most} can be at stake."
        raise CannotBe(lazy(sentence, stones=at_stake, most=most))
    if state.prediction and len(state.prediction.positions) > state.prediction.tricks:
        raise CannotBe(lazy("More tricks are named than predicted."))
    if result in (PLAYED, "under15") and not state.accepted:
        raise CannotBe(lazy("A bet is of one stone or more."))
    if result == "left" and state.declarer is not None and side_of(state.declarer) == loser:
        raise CannotBe(lazy("Who has declared has stayed in the round. Check who left."))
    left = {seat for seat, _ in state.said if state.match.seats == 4}
    if result != "left" and any(left.issuperset(seats_of(side, 4)) for side in (0, 1)):
        raise CannotBe(lazy("If both partners left, the round ended with it. Check who left."))
