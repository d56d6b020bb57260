"""Letters in pictures: each from the file that has it, as browsers take them by tokens.css."""

from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from django.contrib.staticfiles import finders
from PIL import ImageFont

SIZE = 26  # pixels, if nothing else is asked for
FONTS = {"latin": "inter-latin", "wide": "inter-latin-ext", "cyrillic": "inter-cyrillic"}


class Style(NamedTuple):
    """How letters look: their weight as in CSS, their size in pixels."""

    weight: int
    colour: str
    size: int = SIZE


def write(draw, at, text, style):
    """Write a line of text with its upper left corner at (x, y)."""
    x, y = at
    for kind, letters in groupby(text, _kind):
        run = "".join(letters)
        font = _font(kind, style.weight, style.size)
        draw.text((x, y), run, font=font, fill=style.colour)
        x += font.getlength(run)


def width_of(text, weight, size=SIZE):
    """How wide a line of text is, in pixels."""
    runs = ((kind, "".join(letters)) for kind, letters in groupby(text, _kind))
    return int(sum(_font(kind, weight, size).getlength(run) for kind, run in runs)) + 1


def _kind(letter):
    code = ord(letter)
    if 0x400 <= code < 0x500:
        return "cyrillic"
    return "wide" if 0x100 <= code < 0x300 or 0x1E00 <= code < 0x1F00 else "latin"


@lru_cache(32)
def _font(kind, weight, size):
    font = ImageFont.truetype(finders.find(f"fonts/{FONTS[kind]}.woff2"), size)
    font.set_variation_by_axes([weight])
    return font
