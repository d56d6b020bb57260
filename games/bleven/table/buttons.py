"""The buttons by which a seat of Bleven says what it does: each says what the whole round would come to.

They are drawn for every seat after every move, several at a time, so they are made by the kit and not by templates.
"""

from functools import lru_cache
from html import escape

from games.kit.language import said_in
from games.kit.markup import as_markup, call_button, case_line, changing_figure, figure
from games.kit.words import signed

AWAY, GO = "call away", "call go"  # the classes of one that ends the round for the seat, and of one to press


def button(kind, label, small="", closed=False, classes="call", field="", lines=()):
    """One button.

    kind: the type of its move. label: words of our own. small: more of them below. closed: the move may not be made.
    field: of the stones, if they are chosen. lines: what the whole round comes to by it, as by `line`.
    """
    stones = f',"{field}":{{"field":"{field}"}}' if field else ""
    name = f"raise-{kind}" if field == "plus" else f"call-{kind}"
    words = f"<b>{label}</b>" + (f"<small>{escape(str(small))}</small>" if small else "")
    words += "".join([f'<small class="if">{line}</small>' for line in lines])
    return call_button(name, f'{{"type":"{kind}"{stones}}}', words, classes, closed)


def predicting_button(name, kind, label, key, stones, positions):
    """One that makes a prediction of what is chosen in its fields.

    key: under which the move has the stones. stones, positions: whether they can be chosen; there are no stones if not.
    """
    added = '{"field":"stones"}' if stones else "0"
    named = ',"positions":[{"field":"positions"}]' if positions else ""
    move = f'{{"type":"{kind}","{key}":{added},"tricks":{{"field":"tricks"}}{named}}}'
    return call_button(name, move, figure(label), GO)


def line(when, totals, field=""):
    """What the round comes to in one case. totals: as in `stakes.Totals`. field: of the stones added, if any."""
    shown = totals if len(totals) < 3 else [totals[0], totals[-1]]
    joint = said_in("between two figures", "or" if len(totals) < 3 else "to")
    return case_line(when, [_figure(total, more, field) for total, more in shown], joint)


def fixed_line(when, total):
    """What the round comes to in a case in which it is one total."""
    return line(when, [(total, 0)])


@lru_cache(4096)
def _figure(total, more, field=""):
    """A total in stones, which the stones in a field may change; it begins with one of them."""
    if not (field and more):
        return figure(stones_signed(total))
    return changing_figure(stones_signed(total + more), field, more, total)


def stones_signed(total):
    """A total with its sign."""
    return as_markup(signed(total, plus=True))
