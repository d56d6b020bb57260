"""The options of a match of Bids and how they are put to players. Source: "Options" on the rules page."""

from functools import cache

from games.bids.rules.pack import MINUS_5, NUMBER
from games.kit.contract import Choice, Format, OptionField, Preset
from games.kit.language import lazily, lazily_counted

PRESETS = (
    Preset(
        "plain", lazily("Plain"), lazily("The highest number wins, and you always see what you are bidding for."), {}
    ),
    Preset(
        "turnabout",
        lazily("Lowest and Surprise"),
        lazily("With the Lowest card, after which the lowest number wins, and the Surprise card, which hides another."),
        {"lowest": True, "surprise": True},
    ),
    Preset(
        "colours",
        lazily("Colour bids"),
        lazily("Only the colours bid most often can win, and the card in the centre counts as a bid."),
        {"colour_bids": True},
    ),
)


FORMATS = (
    Format(
        "short",
        lazily("Short"),
        lazily_counted(2, "{number} round", "{number} rounds"),
        {"rounds": 2},
        {3: 3, 4: 3, 5: 3, 6: 4},
        dict.fromkeys(range(3, 7), 18),
    ),
    Format(
        "full",
        lazily("Full"),
        lazily_counted(5, "{number} round", "{number} rounds"),
        {"rounds": 5},
        {3: 7, 4: 8, 5: 9, 6: 9},
        dict.fromkeys(range(3, 7), 45),
    ),
)


@cache  # lists ask for them line by line
def option_fields(seats=None):
    return (
        OptionField(
            "rounds",
            lazily("Rounds"),
            lazily("Each round has ten tricks."),
            tuple(Choice(count, lazily_counted(count, "{number} round", "{number} rounds")) for count in range(2, 9)),
            5,
        ),
        _with_or_without(
            "ally",
            lazily("Ally"),
            lazily("Without the Ally"),
            lazily("With the Ally"),
            lazily(
                "A white card that can’t win: whoever plays it and whoever wins that trick share their points of the "
                "round. Never with three players."
            ),
            values=(False,) if seats == 3 else (False, True),
            default=seats in (5, 6),
        ),
        _with_or_without(
            "minus5_2x",
            lazily("Black −5 and black 2×"),
            lazily("Without black −5 and 2×"),
            lazily("With black −5 and 2×"),
            lazily(
                "Two more black cards: one takes off {points} points, the other doubles what its winner has in the "
                "round so far. Always with three or four players.",
                points=-NUMBER[MINUS_5],
            ),
            values=(True,) if seats in (3, 4) else (False, True),
            default=seats != 5,
        ),
        _with_or_without(
            "lowest",
            lazily("Lowest card"),
            lazily("Without the Lowest card"),
            lazily("With the Lowest card"),
            lazily("A black card worth 0: once it is turned up, the lowest number wins until the end of the round."),
        ),
        _with_or_without(
            "surprise",
            lazily("Surprise card"),
            lazily("Without the Surprise card"),
            lazily("With the Surprise card"),
            lazily("A black card with another face down under it: you bid without knowing what for."),
        ),
        _with_or_without(
            "colour_bids",
            lazily("Colour bids"),
            lazily("Without colour bids"),
            lazily("With colour bids"),
            lazily(
                "Only the colours bid most often can win. The card in the centre counts as a black bid, "
                "and it may beat all the others."
            ),
        ),
    )


def _with_or_without(name, label, without, with_it, explanation, values=(False, True), default=False):
    # A choice says what it is about, for it also stands alone beside the name of a match.
    choices = tuple(Choice(value, with_it if value else without) for value in values)
    return OptionField(name, label, explanation, choices, default)
