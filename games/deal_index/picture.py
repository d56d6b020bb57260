"""A plain score sheet as a picture."""

from functools import lru_cache
from io import BytesIO
from itertools import groupby
from math import ceil
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
    """Draw a score sheet as a PNG. It has a title, a line of names, a line of headings, a line per deal and the totals.

    A side (a player or a team) has several columns, with its name above them. footer: a line of text below the
    sheet. Raise Refused if the sheet has too many lines.
    """
    if len(sheet.rows) > MOST_ROWS:
        raise Refused(lazy("This sheet is too long for a picture. Take it as CSV, or print it."))
    lines = [[_cell_text(value) for value in line] for line in sheet.lines]
    heads = [*sheet.heads, *(head for side in sheet.sides for head in side["heads"])]
    # Rows of cells, with the weight of their letters, as in CSS, and their colour.
    rows = [(heads, 600, SOFT), *((line, 450, INK) for line in lines), (_totals(sheet), 700, INK)]
    widths = [
        2 * PAD + max(width_of(cells[column], weight) for cells, weight, _ in rows) for column in range(len(heads))
    ]
    _widen(widths, sheet)
    inner_width = max(sum(widths), width_of(footer, 450), width_of(sheet.title, 700))
    top = EDGE + int(ROW * 1.4)  # Of the table, below the title.
    bottom = top + ROW * (1 + len(rows))  # The names of the sides take one more row.
    image = Image.new("RGB", (inner_width + 2 * EDGE, bottom + ROW + EDGE), PAPER)
    draw = ImageDraw.Draw(image)
    write(draw, (EDGE, EDGE), sheet.title, Style(700, INK, SIZE + 10))
    draw.rectangle((EDGE, top, EDGE + sum(widths), bottom), fill=SHEET, outline=LINE)
    _draw_names(draw, sheet, widths, top)
    for row, (cells, weight, colour) in enumerate(rows, 1):
        y = top + ROW * row
        draw.line((EDGE, y, EDGE + sum(widths), y), fill=BRASS if row == len(rows) else LINE, width=2)
        x = EDGE
        for cell, width in zip(cells, widths, strict=True):
            right_aligned = x + width - PAD - width_of(cell, weight)
            write(draw, (right_aligned, y + 8), cell, Style(weight, colour))
            x += width
    write(draw, (EDGE, bottom + 14), footer, Style(450, SOFT))
    return png_of(image)


def png_of(image: Image.Image) -> bytes:
    """Return an image as the bytes of a PNG."""
    buffer = BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _totals(sheet: PlainSheet) -> list[str]:
    """Return the cells of the last line of a sheet: the score of each side in its last column.

    The first cell says "Total", the others have no text.
    """
    cells = [say("Total"), *[""] * (len(sheet.heads) - 1)]
    for side in sheet.sides:
        cells += [*[""] * (len(side["heads"]) - 1), _cell_text(side["score"])]
    return cells


def _widen(widths: list[int], sheet: PlainSheet) -> None:
    """Widen the columns of each side until its name fits above them. widths: of all columns. They change in place."""
    first = len(sheet.heads)  # The first column of a side.
    for side in sheet.sides:
        count = len(side["heads"])
        excess = width_of(side["name"], 700) + 2 * PAD - sum(widths[first : first + count])
        if excess > 0:
            for column in range(first, first + count):
                widths[column] += ceil(excess / count)
        first += count


def _draw_names(draw: Draw, sheet: PlainSheet, widths: list[int], top: int) -> None:
    """Write the name of each side above the middle of its columns, and draw a vertical line to the left of them.

    widths: of all columns, in pixels. top: the y of the line of names.
    """
    first = len(sheet.heads)  # The first column of a side.
    x = EDGE + sum(widths[:first])
    for side in sheet.sides:
        count = len(side["heads"])
        width = sum(widths[first : first + count])
        # Names, headings and totals take three more rows.
        draw.line((x, top, x, top + ROW * (len(sheet.rows) + 3)), fill=LINE, width=2)
        write(draw, (x + (width - width_of(side["name"], 700)) // 2, top + 8), side["name"], Style(700, INK))
        first, x = first + count, x + width


def _cell_text(value: Any) -> str:
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
    """Write a line of text. at: the (x, y) of its upper left corner. style: the weight, size and colour.

    No font file has the letters of all alphabets, so write each part of the text in a font that has its letters.
    """
    x, y = at
    for font_key, letters in groupby(text, _font_key):
        part = "".join(letters)
        font = _font(font_key, style.weight, style.size)
        draw.text((x, y), part, font=font, fill=style.colour)
        x += font.getlength(part)


def width_of(text: str, weight: int, size: int = SIZE) -> int:
    """Return the width of a line of text, in pixels. weight: of the font, as in CSS. size: of the font, in pixels.

    No font file has the letters of all alphabets, so each part of the text is measured in a font that has its letters.
    """
    parts = ((font_key, "".join(letters)) for font_key, letters in groupby(text, _font_key))
    return int(sum(_font(font_key, weight, size).getlength(part) for font_key, part in parts)) + 1


def _font_key(letter: str) -> str:
    """Return the key in FONTS of the font file that has a letter. "wide" has Latin letters with rarer accents."""
    code = ord(letter)
    is_cyrillic = 0x400 <= code < 0x500  # These ranges are blocks of Unicode.
    is_rare_latin = 0x100 <= code < 0x300 or 0x1E00 <= code < 0x1F00
    return "cyrillic" if is_cyrillic else "wide" if is_rare_latin else "latin"


@lru_cache(32)
def _font(font_key: str, weight: int, size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(finders.find(f"fonts/{FONTS[font_key]}.woff2"), size)
    font.set_variation_by_axes([weight])
    return font
