"""The options of a match of Bids. Source: "Options" on the rules page."""

from functools import cache

from games.bids.rules.pack import MINUS_5, NUMBER
from games.kit.contract import Choice, Format, OptionField, Preset, choice, option
from games.kit.language import lazy, lazy_count

PRESETS = (
    Preset("plain", lazy("Plain"), lazy("The highest number wins, and you always see what you are bidding for."), {}),
    Preset(
        "turnabout",
        lazy("Lowest and Surprise"),
        lazy("With the Lowest card, after which the lowest number wins, and the Surprise card, which hides another."),
        {"lowest": True, "surprise": True},
    ),
    Preset(
        "colours",
        lazy("Colour bids"),
        lazy("Only the colours bid most often can win, and the card in the centre counts as a bid."),
        {"colour_bids": True},
    ),
)


FORMATS = (
    Format(
        "short",
        lazy("Short"),
        lazy_count(2, "{number} round", "{number} rounds"),
        {"rounds": 2},
        {3: 3, 4: 3, 5: 3, 6: 4},
        dict.fromkeys(range(3, 7), 18),
    ),
    Format(
        "full",
        lazy("Full"),
        lazy_count(5, "{number} round", "{number} rounds"),
        {"rounds": 5},
        {3: 7, 4: 8, 5: 9, 6: 9},
        dict.fromkeys(range(3, 7), 45),
    ),
)


# The words of a choice name the option too, because pages also show them alone.
ALLY = choice(False, "Without the Ally"), choice(True, "With the Ally")
PAIR = choice(False, "Without black −5 and 2×"), choice(True, "With black −5 and 2×")


@cache  # Lists of matches need the fields for each line.
def option_fields(seats: int | None = None) -> tuple[OptionField, ...]:
    return (
        option(
            "rounds",
            "Rounds",
            "Each round has ten tricks.",
            5,
            *[Choice(count, lazy_count(count, "{number} round", "{number} rounds")) for count in range(2, 9)],
        ),
        option(
            "ally",
            "Ally",
            "A white card that can’t win: its player and the winner of that trick share their points of "
            "the round. Never with three players.",
            seats in (5, 6),
            *(ALLY[:1] if seats == 3 else ALLY),
        ),
        option(
            "minus5_2x",
            "Black −5 and black 2×",
            "Two more black cards: one takes off {points} points, the other doubles what its winner has in the "
            "round so far. Always with three or four players.",
            seats != 5,
            *(PAIR[1:] if seats in (3, 4) else PAIR),
            points=-NUMBER[MINUS_5],
        ),
        option(
            "lowest",
            "Lowest card",
            "A black card worth 0: once it is turned up, the lowest number wins until the end of the round.",
            False,
            choice(False, "Without the Lowest card"),
            choice(True, "With the Lowest card"),
        ),
        option(
            "surprise",
            "Surprise card",
            "A black card with another face down under it: you bid without knowing what for.",
            False,
            choice(False, "Without the Surprise card"),
            choice(True, "With the Surprise card"),
        ),
        option(
            "colour_bids",
            "Colour bids",
            "Only the colours bid most often can win. The card in the centre counts as a black bid, "
            "and it may beat all the others.",
            False,
            choice(False, "Without colour bids"),
            choice(True, "With colour bids"),
        ),
    )
