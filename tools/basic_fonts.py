"""Make the small fonts that every page waits for from those of all Latin letters.

    python tools/basic_fonts.py

What is neither English text nor a weight of our style sheets stays in the large files, which browsers fetch when a page
has such a letter: the unicode ranges in static/site/tokens.css say which.
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


def main():
    for family in ("inter", "vollkorn"):
        whole = TTFont(FONTS / f"{family}-latin.woff2", recalcTimestamp=False)
        font = TTFont(_saved(instantiateVariableFont(whole, {"wght": WEIGHTS})), recalcTimestamp=False)
        options = Options()
        options.layout_features, options.flavor = FEATURES, "woff2"
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=LETTERS)
        subsetter.subset(font)
        font.flavor = "woff2"
        font.save(FONTS / f"{family}-basic.woff2")


def _saved(font):
    file = BytesIO()
    font.save(file)
    file.seek(0)
    return file


if __name__ == "__main__":
    main()
