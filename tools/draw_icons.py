"""Draw the icons of the installed site (static/img/icon-*.png) from static/img/favicon.svg with Chromium.

    python -m tools.draw_icons

Plain icons are the unchanged drawing. Systems cut their own shape out of maskable icons. There the ground fills the
whole square, and the cards are within the middle four fifths, which every shape contains.
"""

import re
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parents[1] / "static/img"
SIDE = 64  # The width and height of the drawing.
STYLE = "<style>body { margin: 0 } svg { display: block }</style>"
ICONS = {  # The size in pixels, and the scale of the cards.
    "icon-192.png": (192, 1),
    "icon-512.png": (512, 1),
    "icon-maskable-192.png": (192, 0.8),
    "icon-maskable-512.png": (512, 0.8),
    "icon-apple-180.png": (180, 0.9),
}


def main() -> None:
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


def icon(drawing: str, pixels: int, scale: float) -> str:
    """Return an <svg> of the drawing. scale: below 1 the cards are smaller and the ground has no round corners."""
    document = re.search(r"<svg.*?>(.*)</svg>", drawing, re.DOTALL)
    assert document
    content = document[1]
    if scale < 1:
        parts = re.fullmatch(r"\s*(<rect.*?/>)(.*)", content, re.DOTALL)
        assert parts
        ground, cards = parts.groups()
        edge = SIDE * (1 - scale) / 2
        square = re.sub(r' rx="\d+"', "", ground)
        content = f'{square}<g transform="translate({edge} {edge}) scale({scale})">{cards}</g>'
    size = f'width="{pixels}" height="{pixels}" viewBox="0 0 {SIDE} {SIDE}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{content}</svg>'


if __name__ == "__main__":
    main()
