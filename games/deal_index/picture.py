"""A plain score sheet as a picture."""

from functools import lru_cache
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

from django.contrib.staticfiles import finders
from PIL import Image, ImageDraw, ImageFont

from games.deal_index.sheets import PlainSheet
from games.kit.language import lazy, say
from games.kit.words import with_sign
from games.play.errors import Refused

type Draw = ImageDraw.ImageDraw

MOST_ROWS = 120  # More rows would make an unreadable picture.
ROW, PAD, EDGE = 46, 16, 40  # Row height, cell padding and margin, in pixels.
PAPER, SHEET, INK, SOFT, LINE, BRASS = "#f6f1e5", "#fffdf7", "#221f1a", "#5f574a", "#dccfb6", "#80590f"


def picture(sheet: PlainSheet, footer: str = "") -> bytes:
    """Draw a PlainSheet as a PNG. footer: a line below it. Raises Refused if the sheet is too long."""
    if len(sheet.rows) > MOST_ROWS:
        raise Refused(lazy("This sheet is too long for a picture. Take it as CSV, or print it."))
    lines = [[_text(value) for value in line] for line in sheet.lines]
    heads = [*sheet.heads, *(head for side in sheet.sides for head in side["heads"])]
    totals = _totals(sheet)
    widths = [
        2 * PAD
        + max(
            width_of(cell, weight) for cell, weight in [(head, 600), (total, 700), *((line[at], 450) for line in lines)]
        )
        for at, (head, total) in enumerate(zip(heads, totals, strict=True))
    ]
    _widen(widths, sheet)
    inside = max(sum(widths), width_of(footer, 450), width_of(sheet.title, 700))
    top = EDGE + int(ROW * 1.4)
    bottom = top + ROW * (len(lines) + 3)
    image = Image.new("RGB", (inside + 2 * EDGE, bottom + ROW + EDGE), PAPER)
    draw = ImageDraw.Draw(image)
    write(draw, (EDGE, EDGE), sheet.title, Style(700, INK, SIZE + 10))
    draw.rectangle((EDGE, top, EDGE + sum(widths), bottom), fill=SHEET, outline=LINE)
    _draw_names(draw, sheet, widths, top)
    rows = [(heads, 600, SOFT), *((line, 450, INK) for line in lines), (totals, 700, INK)]
    for place, (cells, weight, colour) in enumerate(rows, 1):
        y = top + ROW * place
        draw.line((EDGE, y, EDGE + sum(widths), y), fill=BRASS if place == len(rows) else LINE, width=2)
        x = EDGE
        for cell, width in zip(cells, widths, strict=True):
            write(draw, (x + width - PAD - width_of(cell, weight), y + 8), cell, Style(weight, colour))
            x += width
    write(draw, (EDGE, bottom + 14), footer, Style(450, SOFT))
    return png_of(image)


def png_of(image: Image.Image) -> bytes:
    """Return an image as the bytes of a PNG."""
    buffer = BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _totals(sheet: PlainSheet) -> list[str]:
    """Return the cells of the last line: each side's score under its last column."""
    cells = [say("Total"), *[""] * (len(sheet.heads) - 1)]
    for side in sheet.sides:
        cells += [*[""] * (len(side["heads"]) - 1), _text(side["score"])]
    return cells


def _widen(widths: list[int], sheet: PlainSheet) -> None:
    """Widen the columns of each side to fit its name above them."""
    at = len(sheet.heads)
    for side in sheet.sides:
        count = len(side["heads"])
        excess = width_of(side["name"], 700) + 2 * PAD - sum(widths[at : at + count])
        if excess > 0:
            for place in range(at, at + count):
                widths[place] += -(-excess // count)
        at += count


def _draw_names(draw: Draw, sheet: PlainSheet, widths: list[int], top: int) -> None:
    at = len(sheet.heads)
    x = EDGE + sum(widths[:at])
    for side in sheet.sides:
        count = len(side["heads"])
        width = sum(widths[at : at + count])
        draw.line((x, top, x, top + ROW * (len(sheet.rows) + 3)), fill=LINE, width=2)
        write(draw, (x + (width - width_of(side["name"], 700)) // 2, top + 8), side["name"], Style(700, INK))
        at, x = at + count, x + width


def _text(value: Any) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else with_sign(value)


SIZE = 26  # The default size, in pixels.
FONTS = {"latin": "inter-latin", "wide": "inter-latin-ext", "cyrillic": "inter-cyrillic"}


class Style(NamedTuple):
    """The look of a text: weight as in CSS, size in pixels."""

    weight: int
    colour: str
    size: int = SIZE


def write(draw: Draw, at: tuple[float, float], text: str, style: Style) -> None:
    """Write a line of text with its upper left corner at (x, y)."""
    x, y = at
    for kind, letters in groupby(text, _kind):
        run = "".join(letters)
        font = _font(kind, style.weight, style.size)
        draw.text((x, y), run, font=font, fill=style.colour)
        x += font.getlength(run)


def width_of(text: str, weight: int, size: int = SIZE) -> int:
    """Return the width of a line of text, in pixels."""
    runs = ((kind, "".join(letters)) for kind, letters in groupby(text, _kind))
    return int(sum(_font(kind, weight, size).getlength(run) for kind, run in runs)) + 1


def _kind(letter: str) -> str:
    code = ord(letter)
    if 0x400 <= code < 0x500:
        return "cyrillic"
    return "wide" if 0x100 <= code < 0x300 or 0x1E00 <= code < 0x1F00 else "latin"


@lru_cache(32)
def _font(kind: str, weight: int, size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(finders.find(f"fonts/{FONTS[kind]}.woff2"), size)
    font.set_variation_by_axes([weight])
    return font
