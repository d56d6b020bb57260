"""Make the small fonts that every page loads from the fonts with all Latin letters.

    python tools/basic_fonts.py

The small fonts have the letters of English and the weights of our style sheets. If a page has another letter, browsers
load the large font too, according to the unicode ranges in static/site/tokens.css.
"""

from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).parents[1] / "static/fonts"
LETTERS = [*range(0x20, 0x7F), 0xA0, *map(ord, "±·½×÷\u2009–—‘’“”…↑↓−")]
FEATURES = ["kern", "liga", "lnum", "tnum", "calt", "ccmp", "locl", "mark"]
WEIGHTS = (400, 800)


def main() -> None:
    for family in ("inter", "vollkorn"):
        large_font = TTFont(FONTS / f"{family}-latin.woff2", recalcTimestamp=False)
        font = TTFont(_save(instantiateVariableFont(large_font, {"wght": WEIGHTS})), recalcTimestamp=False)
        options = Options()
        options.layout_features, options.flavor = FEATURES, "woff2"
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=LETTERS)
        subsetter.subset(font)
        font.flavor = "woff2"
        font.save(FONTS / f"{family}-basic.woff2")


def _save(font: TTFont) -> BytesIO:
    file = BytesIO()
    font.save(file)
    file.seek(0)
    return file


if __name__ == "__main__":
    main()
