"""Make the small fonts that pages load, with the letters of English or Bulgarian, from the fonts with all letters.

    python tools/basic_fonts.py

They have the weights of our style sheets. If a page has another letter, browsers load the large font too, according to
the unicode ranges in static/site/tokens.css.
"""

from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).parents[1] / "static/fonts"
ENGLISH = [*range(0x20, 0x7F), 0xA0, *map(ord, "±·½×÷\u2009–—‘’“”…↑↓−")]
BULGARIAN = [letter for letter in [0x40D, *range(0x410, 0x450), 0x45D] if chr(letter) not in "ЫЭыэ"]
FEATURES = ["kern", "liga", "lnum", "tnum", "calt", "ccmp", "locl", "mark"]
WEIGHTS = (400, 800)
BOLD = 700  # Our only weight of Bulgarian headings: a range would double the file.


def main() -> None:
    for family, bulgarian_weights in (("inter", WEIGHTS), ("vollkorn", BOLD)):
        make(f"{family}-latin", f"{family}-basic", ENGLISH, WEIGHTS)
        make(f"{family}-cyrillic", f"{family}-bulgarian", BULGARIAN, bulgarian_weights)


def make(large: str, small: str, letters: list[int], weights: tuple[int, int] | int) -> None:
    """Write the small font. weights: the first and the last, or the only one."""
    large_font = TTFont(FONTS / f"{large}.woff2", recalcTimestamp=False)
    font = TTFont(_save(instantiateVariableFont(large_font, {"wght": weights})), recalcTimestamp=False)
    options = Options()
    options.layout_features, options.flavor = FEATURES, "woff2"
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(FONTS / f"{small}.woff2")


def _save(font: TTFont) -> BytesIO:
    file = BytesIO()
    font.save(file)
    file.seek(0)
    return file


if __name__ == "__main__":
    main()
