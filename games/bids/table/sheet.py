"""The score sheet of Bids, with the workings behind each figure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from games.bids.rules.scoring import lucky_loser_points
from games.bids.table import words
from games.bids.types import RoundInProgress, ScoredRound, ScoreSheet
from games.kit.contract import Event, Score, Seat
from games.kit.drawing import ANY_READER, Players, SheetReader, TemplateData, draw_totals, round_table
from games.kit.language import lazy, say, say_in
from games.kit.words import Names, sentence_of, with_sign

HEADINGS = {
    "tricks": lazy("Trick points"),
    "2x": "2×",
    "lucky-loser": lazy("Lucky Loser"),
    "ally": lazy("Ally"),
    "round": lazy("Round"),
}


class _SheetContext(NamedTuple):
    """The values that all rows of a sheet need."""

    names: Names
    order: list[Seat]  # the seats in the order of the columns
    tricks: Sequence[TemplateData]  # of the whole match, as `SheetReader.tricks` returns them
    link: Callable[..., str]


def sheet(score_sheet: ScoreSheet, players: Players, reader: SheetReader = ANY_READER) -> TemplateData:
    """Return the data that draw the score sheet: a row for each round with its points by seat, and the totals.

    players: dicts by seat. reader: the reader's seat, and functions that return the tricks of the match and links to
    them. The columns begin with the reader's seat.
    """
    names = Names([player["name"] for player in players], reader.viewer)
    context = _SheetContext(names, round_table(len(names), reader.viewer), [*reader.tricks()], reader.link)
    rounds, current = score_sheet["rounds"], score_sheet["current"]
    # By round, lists by seat: the total, and the number of null rounds (without a black card), after that round.
    scores = list(accumulate((row["total"] for row in rounds), _add_lists))
    nulls = list(accumulate(([int(null) for null in row["null"]] for row in rounds), _add_lists))
    rows: list[TemplateData] = [
        {**_scored_row(context, *scored), "changed": reader.changes.get(scored[0]["round"], "")}
        for scored in zip(rounds, scores, nulls, strict=True)
    ]
    if current:
        rows.append(_current_row(context, current, score_sheet["null_rounds"]))
    if rows:  # Every row but the last says how the match stands after it. The totals below it say the same.
        rows[-1] = {**rows[-1], "after": ()}
    you = say_in("what a player is called", "You")
    return {
        "players": [{"name": you if seat == reader.viewer else names[seat]} for seat in context.order],
        "columns": str(1 + len(names)),
        "rows": rows,
        "totals": draw_totals(score_sheet["totals"], context.order, bool(rounds), not current),
    }


def _add_lists[T: (int, Score)](left: list[T], right: list[T]) -> list[T]:
    return [first + second for first, second in zip(left, right, strict=True)]


def _scored_row(context: _SheetContext, row: ScoredRound, scores: list[Score], null_rounds: list[int]) -> TemplateData:
    """Return the row of a finished round: a line for each part of its points that anybody has, and their sum.

    context: the values that all rows of the sheet need. scores: the totals by seat after this round. null_rounds: by
    seat, how many rounds up to this one it had without a black card; such rounds earn points too.
    """
    names, number = context.names, row["round"]
    # A seat that won black cards has trick points, even if they add up to 0.
    parts = [_draw_figures("tricks", row["trick_points"], row["black_cards"])]
    parts += [_draw_figures("2x", row["doubling"])] if any(row["doubling"]) else []
    parts += [_draw_figures("lucky-loser", row["lucky_loser"])] if any(row["null"]) else []
    parts += [_draw_figures("ally", row["ally_change"])] if row["ally"] else []
    points = _draw_figures("round", row["total"], [True] * len(names))
    steps = [_explain_points(row, seat, names, null_rounds[seat], scores[seat]) for seat in range(len(names))]
    return {
        **_draw_row(context, number, parts, steps, over=True),
        "points": _link_figures(points, number, context.order)["figures"],
        "after": [with_sign(scores[seat]) for seat in context.order],
    }


def _current_row(context: _SheetContext, current: RoundInProgress, null_rounds: list[int]) -> TemplateData:
    """Return the row of the round in progress. Its points are not in the totals yet.

    A seat that wins no black card in a round is a Lucky Loser, who gets points for that, more for each such round
    before. These points are in brackets until then. null_rounds: by seat, the number of such rounds before this one.
    """
    names, ally = context.names, current["ally"]
    lucky_loser_prospects = [
        0 if black else lucky_loser_points(len(names), nulls)
        for black, nulls in zip(current["black_cards"], null_rounds, strict=True)
    ]
    parts = [_draw_figures("tricks", current["trick_points"], current["black_cards"])]
    parts += [_draw_figures("2x", current["doubling"])] if any(current["doubling"]) else []
    lucky_loser = _draw_figures("lucky-loser", lucky_loser_prospects)
    for figure in lucky_loser["figures"]:
        if figure["text"] != "–":  # The seat has no black card so far.
            figure |= {"text": f"({figure['text']})", "words": words.IF_IT_STAYS_SO}
    parts.append(lucky_loser)
    steps = [
        [words.black_so_far(black) if black else sentence_of(words.prospect(prospect))]
        for black, prospect in zip(current["black_cards"], lucky_loser_prospects, strict=True)
    ]
    if ally:
        pair = (ally["seat"], ally["partner"])
        for seat in pair:
            steps[seat].append(sentence_of(words.are_allied(pair, names)))
    return {**_draw_row(context, current["round"], parts, steps, over=False), "points": (), "after": ()}


def _draw_row(
    context: _SheetContext, number: int, parts: list[TemplateData], sentences: list[list[str]], over: bool
) -> TemplateData:
    """Return the data of a row, of a finished round or the current one (`over`): figures, and their explanations.

    An explanation ("workings") opens at the figures of a seat. It has the tricks that the seat won, and sentences on
    its other points. context: the values that all rows need. number: of the round. parts: the lines of figures, one for
    each kind of points. sentences: lists by seat.
    """
    tricks = _tricks_by_winner(number, context.tricks)
    return {
        "number": str(number),
        "classes": "scored" if over else "current",
        "parts": [_link_figures(part, number, context.order) for part in parts],
        "workings": [
            {
                "id": _workings_id(number, seat),
                "heading": words.workings_heading(seat, number, context.names, over=over),
                "tricks": [_draw_trick(context.link, number, *trick) for trick in tricks.get(seat, ())],
                "steps": sentences[seat],
            }
            for seat in context.order
        ],
        "url": context.link(number),
    }


def _draw_figures(name: str, figures: Sequence[Score], show_zeros: Sequence[object] = ()) -> TemplateData:
    """Return the dict for a line of figures. name: the key of its heading. figures: points by seat.

    show_zeros: by seat, whether to write 0 points as "0". Otherwise 0 is a dash.
    """
    show_zeros = show_zeros or [False] * len(figures)
    texts = [with_sign(points) if points or zero else "–" for points, zero in zip(figures, show_zeros, strict=True)]
    return {"name": name, "heading": HEADINGS[name], "figures": [{"text": text, "words": ""} for text in texts]}


def _link_figures(line: TemplateData, number: int, order: list[Seat]) -> TemplateData:
    """Return a line of the sheet with its figures in the order of the columns, each as a link to its explanation.

    line: a dict with the figures by seat. number: of the round. order: the seats in the order of the columns.
    """
    for seat, figure in enumerate(line["figures"]):
        figure |= {"id": f"figure-{number}-{seat}-{line['name']}", "opens": _workings_id(number, seat)}
    return {**line, "figures": [line["figures"][seat] for seat in order]}


def _workings_id(number: int, seat: Seat) -> str:
    return f"workings-{number}-{seat}"


# The workings of a seat: its tricks, and sentences on everything else


def _tricks_by_winner(number: int, tricks: Iterable[TemplateData]) -> dict[Seat, list[tuple[int, Mapping[str, Event]]]]:
    """Return a dict by seat with the tricks that it won in a round, as pairs of the trick's number and its events.

    number: of the round. tricks: all tricks of the match, as dicts. The events are a dict by type.
    """
    by_winner: dict[Seat, list[tuple[int, Mapping[str, Event]]]] = {}
    for trick in tricks:
        if trick["deal"] != number:
            continue
        events = {event["type"]: event for event in trick["events"]}
        if "trick_won" in events:  # Nobody wins a tie.
            by_winner.setdefault(events["trick_won"]["seat"], []).append((trick["trick"], events))
    return by_winner


def _draw_trick(link: Callable[..., str], number: int, trick: int, events: Mapping[str, Event]) -> dict[str, str]:
    return {
        "trick": say("Trick {number}", number=trick),
        "words": " ".join(words.won_trick(events)),
        "url": link(number, f"trick-{trick}"),
    }


def _explain_points(row: ScoredRound, seat: Seat, names: Names, null_rounds: int, score: Score) -> list[str]:
    """Return the sentences that explain the points of a seat in a finished round.

    A round without a black card is a null round, and earns points too. Two allies share their points of the round.
    null_rounds: the number of null rounds of the seat up to this one. score: its total after the round.
    """
    is_null, ally = row["null"][seat], row["ally"]
    sentences = [words.lucky_loser_workings(len(names), null_rounds) if is_null else words.tricks_of(row, seat)]
    if row["doubling"][seat]:
        sentences.append(words.doubled_by(row["doubling"][seat]))
    if ally and seat in (ally["seat"], ally["partner"]):
        sentences += [words.explain_alliance(row, names), words.change_by_ally(row["ally_change"][seat])]
    return [*sentences, words.round_and_total(row["round"], row["total"][seat], score)]
