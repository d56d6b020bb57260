"""Draws the icons of the installed site from static/img/favicon.svg, by Chromium: static/img/icon-*.png.

    python -m tools.draw_icons

The plain ones are the drawing as it is. Where the system cuts its own shape out of an icon, the ground fills it all,
and the cards lie within the middle four fifths, which no shape cuts into.
"""

import re
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parents[1] / "static/img"
SIDE = 64  # of the drawing
STYLE = "<style>body { margin: 0 } svg { display: block }</style>"
ICONS = {  # by file: pixels, and how large the drawing is on its ground
    "icon-192.png": (192, 1),
    "icon-512.png": (512, 1),
    "icon-maskable-192.png": (192, 0.8),
    "icon-maskable-512.png": (512, 0.8),
    "icon-apple-180.png": (180, 0.9),
}


def main():
    drawing = (IMAGES / "favicon.svg").read_text()
    with sync_playwright() as playwright:
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (pixels, scale) in ICONS.items():
            page = browser.new_page(viewport={"width": pixels, "height": pixels})
            page.set_content(STYLE + icon(drawing, pixels, scale))
            page.screenshot(path=IMAGES / name, omit_background=True)
            page.close()
        browser.close()


def icon(drawing, pixels, scale):
    """The drawing as an <svg> of so many pixels; smaller than its ground, that has no corners cut off."""
    inside = re.search(r"<svg.*?>(.*)</svg>", drawing, re.DOTALL)[1]
    if scale < 1:
        ground, cards = re.fullmatch(r"\s*(<rect.*?/>)(.*)", inside, re.DOTALL).groups()
        edge = SIDE * (1 - scale) / 2
        square = re.sub(r' rx="\d+"', "", ground)
        inside = f'{square}<g transform="translate({edge} {edge}) scale({scale})">{cards}</g>'
    size = f'width="{pixels}" height="{pixels}" viewBox="0 0 {SIDE} {SIDE}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{inside}</svg>'


if __name__ == "__main__":
    main()
