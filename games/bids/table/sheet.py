"""The sheet of Bids, and how every figure on it came about."""

from collections.abc import Callable
from itertools import accumulate
from typing import NamedTuple

from games.bids.rules.scoring import lucky_loser_points
from games.bids.table import words
from games.kit.drawing import ANYBODY, draw_totals, round_table
from games.kit.language import lazy, say, say_in
from games.kit.words import Names, sentence_of, with_sign


class _Sheet(NamedTuple):
    """What all rows of a sheet are drawn by."""

    names: Names
    order: list  # the seats, by column
    tricks: list
    link: Callable


def sheet(score_sheet, players, reader=ANYBODY):
    names = Names([player["name"] for player in players], reader.viewer)
    drawn = _Sheet(names, round_table(len(names), reader.viewer), reader.tricks(), reader.link)
    rounds, current = score_sheet["rounds"], score_sheet["current"]
    running = list(accumulate((row["total"] for row in rounds), _added))
    nulls = list(accumulate(([int(null) for null in row["null"]] for row in rounds), _added))
    rows = [_sheet_row(drawn, *scored) for scored in zip(rounds, running, nulls, strict=True)]
    if current:
        rows.append(_current_row(drawn, current, score_sheet["null_rounds"]))
    if rows:
        rows[-1] |= {"after": ()}  # the totals below say it
    you = say_in("what a player is called", "You")
    return {
        "players": [{"name": you if seat == reader.viewer else names[seat]} for seat in drawn.order],
        "columns": str(1 + len(names)),
        "rows": rows,
        "totals": draw_totals(score_sheet["totals"], drawn.order, rounds, not current),
    }


def _added(left, right):
    return [one + other for one, other in zip(left, right, strict=True)]


def _by_seat(number, tricks):
    """By seat the tricks it won in a round: the number of each, and its events by type."""
    won = {}
    for trick in tricks:
        if trick["deal"] != number:
            continue
        events = {event["type"]: event for event in trick["events"]}
        if "trick_won" in events:
            won.setdefault(events["trick_won"]["seat"], []).append((trick["trick"], events))
    return won


def _sheet_row(drawn, row, after, null_rounds):
    """A finished round: a line of figures for each part of it, and for each seat how its figures came about."""
    parts = [_line("tricks", row["trick_points"], row["black_cards"])]
    parts += [_line("2x", row["doubling"])] if any(row["doubling"]) else []
    parts += [_line("lucky-loser", row["lucky_loser"])] if any(row["null"]) else []
    parts += [_line("ally", row["ally_change"])] if row["ally"] else []
    points = _line("round", row["total"], [True] * len(drawn.names))
    steps = [_steps(row, seat, drawn.names, null_rounds[seat], after[seat]) for seat in range(len(drawn.names))]
    return _row(drawn, row["round"], parts, steps, over=True) | {
        "points": _laid_out(points, row["round"], drawn.order)["figures"],
        "after": [with_sign(after[seat]) for seat in drawn.order],
    }


def _current_row(drawn, current, null_rounds):
    """The round that is being played: nothing in it is in the totals yet."""
    names, ally = drawn.names, current["ally"]
    prospects = [
        0 if black else lucky_loser_points(len(names), nulls)
        for black, nulls in zip(current["black_cards"], null_rounds, strict=True)
    ]
    parts = [_line("tricks", current["trick_points"], current["black_cards"])]
    parts += [_line("2x", current["doubling"])] if any(current["doubling"]) else []
    lucky_loser = _line("lucky-loser", prospects)
    for figure in lucky_loser["figures"]:
        if figure["text"] != "–":
            figure |= {"text": f"({figure['text']})", "words": words.IF_IT_STAYS_SO}
    parts.append(lucky_loser)
    steps = [
        [words.black_so_far(black) if black else sentence_of(words.prospect(prospect))]
        for black, prospect in zip(current["black_cards"], prospects, strict=True)
    ]
    for seat in ally.values() if ally else ():
        steps[seat].append(sentence_of(words.are_allied((ally["seat"], ally["partner"]), names)))
    return _row(drawn, current["round"], parts, steps, over=False) | {"points": (), "after": ()}


def _row(drawn, number, parts, steps, over):
    """What a finished round and the present one have in common. steps: sentences by seat."""
    names, won = drawn.names, _by_seat(number, drawn.tricks)
    return {
        "number": str(number),
        "classes": "scored" if over else "current",
        "parts": [_laid_out(part, number, drawn.order) for part in parts],
        "workings": [
            {
                "id": _workings_id(number, seat),
                "heading": words.workings_heading(seat, number, names, over=over),
                "tricks": _trick_steps(number, won.get(seat, ()), drawn.link),
                "steps": steps[seat],
            }
            for seat in drawn.order
        ],
        "url": drawn.link(number),
    }


HEADINGS = {
    "tricks": lazy("Tricks"),
    "2x": "2×",
    "lucky-loser": lazy("Lucky Loser"),
    "ally": lazy("Ally"),
    "round": lazy("Round"),
}


def _line(name, figures, shown=()):
    """name: of HEADINGS. figures: by seat. shown: by seat whether nothing is written as 0; otherwise as a dash."""
    shown = shown or [False] * len(figures)
    texts = [with_sign(points) if points or zero else "–" for points, zero in zip(figures, shown, strict=True)]
    return {"name": name, "heading": HEADINGS[name], "figures": [{"text": text, "words": ""} for text in texts]}


def _laid_out(line, number, order):
    """The line, its figures in the order of the columns, each with what it opens."""
    for seat, figure in enumerate(line["figures"]):
        figure |= {"id": f"figure-{number}-{seat}-{line['name']}", "opens": _workings_id(number, seat)}
    return line | {"figures": [line["figures"][seat] for seat in order]}


def _workings_id(number, seat):
    return f"workings-{number}-{seat}"


def _trick_steps(number, won, link):
    """The tricks that a seat won in a round: what each was worth, and where it is seen."""
    return [
        {
            "trick": say("Trick {number}", number=trick),
            "words": " ".join(words.won_trick(events)),
            "url": link(number, f"trick-{trick}"),
        }
        for trick, events in won
    ]


def _steps(row, seat, names, null_rounds, after):
    """How the points of a seat in a finished round came about, from its tricks on: a list of sentences."""
    null, ally = row["null"][seat], row["ally"]
    steps = [words.lucky_loser_workings(len(names), null_rounds) if null else words.tricks_of(row, seat)]
    if row["doubling"][seat]:
        steps.append(words.doubled_by(row["doubling"][seat]))
    if ally and seat in ally.values():
        steps += [words.alliance(row, names), words.change_by_ally(row["ally_change"][seat])]
    return [*steps, words.round_and_total(row["round"], row["total"][seat], after)]
