"""How long a newcomer on a slow phone waits for cards: from the address to the front page, from *Play* to a dealt hand.

    .venv/bin/python tests/benchmarks/first_card.py [--runs 7] [--latency 400] [--rate 50000]

Each run is a browser that has never been here, 360 × 640, with so many milliseconds added to each request and so many
bytes a second, as Chromium's developer tools slow a connection down. Cards count as dealt when all of the hand has been
drawn. `at once`: Play is tapped as soon as the front page shows it; `after reading`: once it has loaded. Of all runs
the median, and of the cards the quickest and the slowest.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
PAINTED = "() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))"
STOPWATCH = """
addEventListener("click", () => (sessionStorage.tapped = Date.now()), true);
const look = () => {
  if (!document.querySelector("#hand [data-card]")?.checkVisibility()) requestAnimationFrame(look);
  else setTimeout(() => (sessionStorage.drawn = Date.now()));
};
requestAnimationFrame(look);
"""


def visit(playwright_browser, url, asked, game, *, reads):
    """Milliseconds to a front page with its *Play*, then from tapping it to a drawn hand; bytes of both."""
    context = playwright_browser.new_context(**PHONE)
    context.add_init_script(STOPWATCH)
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": asked.latency, "downloadThroughput": asked.rate, "uploadThroughput": asked.rate},
    )
    sizes = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    begun = perf_counter()
    page.goto(url, wait_until="commit")
    play = page.locator(f"#game-{game} .game-play button").first
    play.wait_for()
    page.evaluate(PAINTED)
    front = perf_counter() - begun
    if reads:
        page.wait_for_load_state("networkidle")
    before = sum(sizes)
    play.tap(no_wait_after=True)
    page.wait_for_function("() => sessionStorage.drawn")
    dealt = page.evaluate("() => sessionStorage.drawn - sessionStorage.tapped")
    page.wait_for_load_state("networkidle")
    context.close()
    return 1000 * front, dealt, before / 1000, (sum(sizes) - before) / 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--latency", type=int, default=400)
    parser.add_argument("--rate", type=int, default=50_000)
    parser.add_argument("--game", default="oh-hell")
    asked = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright

    from tests.browser.site import Site

    folder = Path(tempfile.mkdtemp())
    site = Site(folder)
    site.start()
    try:
        with sync_playwright() as playwright:
            shell = shutil.which("chromium-headless-shell") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=shell, args=["--no-sandbox", "--disable-gpu"])
            for name, reads in [("at once", False), ("after reading", True)]:
                runs = [visit(browser, site.url, asked, asked.game, reads=reads) for _ in range(asked.runs)]
                front, dealt, before, after = map(statistics.median, zip(*runs, strict=True))
                waits = [wait for _, wait, *_ in runs]
                spread = f"{min(waits):.0f} to {max(waits):.0f}"
                print(f"{name}: front page {front:.0f} ms, cards {dealt:.0f} ms ({spread}); ", end="")
                print(f"{before:.0f} kB, then {after:.0f} kB")
    finally:
        site.kill()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
