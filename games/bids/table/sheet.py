"""The sheet of Bids, and how every figure on it came about."""

from itertools import accumulate

from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.table.terms import points_words, sum_of
from games.kit.markup import CROWN, LEADER
from games.kit.words import CARD_NAMES, joined, plural, signed


def sheet(score_sheet, players, tricks, link):
    names = [player["name"] for player in players]
    rounds, current, totals = score_sheet["rounds"], score_sheet["current"], score_sheet["totals"]
    running = list(accumulate((row["total"] for row in rounds), _added))
    nulls = list(accumulate(([int(null) for null in row["null"]] for row in rounds), _added))
    rows = []
    for row, after, null_rounds in zip(rounds, running, nulls, strict=True):
        rows.append(_sheet_row(row, names, _by_seat(row["round"], tricks), after, null_rounds, link))
    if current:
        null_rounds = score_sheet["null_rounds"]
        rows.append(_current_row(current, names, _by_seat(current["round"], tricks), null_rounds, link))
    if rows:
        rows[-1] |= {"after": ()}  # the totals below say it
    best, over = max(totals), not current and bool(rounds)
    return {
        "players": [{"name": name} for name in names],
        "columns": str(1 + len(names)),
        "rows": rows,
        "totals": [
            {"total": signed(total), "crown": (CROWN if over else LEADER) if rounds and total == best else ""}
            for total in totals
        ],
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


def _sheet_row(row, names, won, after, null_rounds, link):
    """A finished round: a line of figures for each part of it, and for each seat how its figures came about."""
    number, seats = row["round"], range(len(names))
    parts = [_line("Tricks", row["trick_points"], row["black_cards"])]
    parts += [_line("2×", row["doubling"])] if any(row["doubling"]) else []
    parts += [_line("Lucky", row["lucky_loser"], more=" Loser")]
    parts += [_line("Ally", row["ally_change"])] if row["ally"] else []
    for part in parts:
        _name_figures(part, number)
    return {
        "number": str(number),
        "classes": "scored",
        "parts": parts,
        "points": _name_figures(_line("Round", row["total"], [True] * len(names)), number)["figures"],
        "after": [signed(total) for total in after],
        "workings": [
            {
                "id": _workings_id(number, seat),
                "heading": f"{names[seat]}, round {number}",
                "tricks": _trick_steps(number, won.get(seat, ()), link),
                "steps": _steps(row, seat, names, null_rounds[seat], after[seat]),
            }
            for seat in seats
        ],
        "url": link(number),
    }


def _current_row(current, names, won, null_rounds, link):
    """The round that is being played: nothing in it is in the totals yet."""
    number, seats = current["round"], range(len(names))
    prospects = [
        0 if black else LUCKY_LOSER[len(names)] * (nulls + 1)
        for black, nulls in zip(current["black_cards"], null_rounds, strict=True)
    ]
    parts = [_line("Tricks", current["trick_points"], current["black_cards"])]
    parts += [_line("2×", current["doubling"])] if any(current["doubling"]) else []
    lucky = _line("Lucky", prospects, more=" Loser")
    for figure in lucky["figures"]:
        if figure["text"] != "–":
            figure |= {"text": f"({figure['text']})", "words": "if it stays without a black card"}
    parts.append(lucky)
    for part in parts:
        _name_figures(part, number)
    ally = current["ally"]
    pair = f"{names[ally['seat']]} and {names[ally['partner']]} are allied." if ally else ""
    return {
        "number": str(number),
        "classes": "current",
        "parts": parts,
        "points": (),
        "after": (),
        "workings": [
            {
                "id": _workings_id(number, seat),
                "heading": f"{names[seat]}, round {number} so far",
                "tricks": _trick_steps(number, won.get(seat, ()), link),
                "steps": [
                    f"{plural(current['black_cards'][seat], 'black card')} so far."
                    if current["black_cards"][seat]
                    else f"No black card yet: this null round would pay {prospects[seat]}.",
                    *([pair] if ally and seat in ally.values() else []),
                ],
            }
            for seat in seats
        ],
        "url": link(number),
    }


def _line(heading, figures, shown=(), more=""):
    """shown: by seat whether nothing is to be written as 0; otherwise as a dash. more: of the heading, if it fits."""
    shown = shown or [False] * len(figures)
    texts = [signed(points) if points or zero else "–" for points, zero in zip(figures, shown, strict=True)]
    return {"heading": heading, "more": more, "figures": [{"text": text, "words": ""} for text in texts]}


def _name_figures(line, number):
    """The line, with what its every figure opens."""
    name = line["heading"].lower().replace("×", "x")
    for seat, figure in enumerate(line["figures"]):
        figure |= {"id": f"figure-{number}-{seat}-{name}", "opens": _workings_id(number, seat)}
    return line


def _workings_id(number, seat):
    return f"workings-{number}-{seat}"


def _trick_steps(number, won, link):
    """The tricks that a seat won in a round: what each was worth, and where it is seen."""
    steps = []
    for trick, events in won:
        event = events["trick_won"]
        numbers, total = sum_of(event["black"])
        cards = joined([CARD_NAMES[card] for card in event["black"]])
        sums = f" ({numbers})" if len(event["black"]) > 1 else ""
        words = f"{cards}: {points_words(total)}{sums}"
        if "doubled" in events:
            before, after = events["doubled"]["before"], events["doubled"]["after"]
            words += f", then {signed(before)} doubled to {signed(after)}"
        if "allied" in events:
            words += ", with the Ally"
        steps.append({"trick": f"Trick {trick}", "words": f"{words}.", "url": link(number, f"trick-{trick}")})
    return steps


def _steps(row, seat, names, null_rounds, after):
    """How the points of a seat in a finished round came about, from its tricks on: a list of sentences."""
    won, doubling, lucky, total = (row[part][seat] for part in ("trick_points", "doubling", "lucky_loser", "total"))
    steps = []
    if row["null"][seat]:
        base = LUCKY_LOSER[len(names)]
        steps.append(f"No black card: null round {null_rounds}, {base} × {null_rounds} = {lucky}.")
    else:
        steps.append(f"{plural(row['black_cards'][seat], 'black card')}: {points_words(won)}.")
    if doubling:
        steps.append(f"Doubled by the black 2×: {signed(doubling, plus=True)}.")
    ally = row["ally"]
    if ally and seat in ally.values():
        pair = [ally["seat"], ally["partner"]]
        own = [sum(row[part][other] for part in ("trick_points", "doubling", "lucky_loser")) for other in pair]
        steps.append(
            f"{names[pair[0]]} played the Ally and {names[pair[1]]} won that trick: "
            f"({signed(own[0])} + {_in_sum(own[1])}) ÷ 2 = {signed(total)} for each, "
            f"a change of {signed(row['ally_change'][seat], plus=True)}."
        )
    steps.append(f"Round {row['round']}: {points_words(total)}. After it: {signed(after)}.")
    return steps


def _in_sum(number):
    return f"({signed(number)})" if number < 0 else signed(number)
