"""What a replay of a long match costs: its page, its frames, and a step in the browser.

    .venv/bin/python tests/benchmarks/replay_speed.py [--moves 1000]

Plays a match of so many moves on a SQLite file of its own. The first answer is of a process that has folded nothing,
the others of one that has. Times in the page are between the key and the next drawn frame, of 60 steps.
"""

import argparse
import random
import shutil
import statistics
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter
from urllib.request import urlopen

from own_site import set_up

STEP = """async () => {
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    return performance.now() - begun;
}"""


def long_match(moves):
    """The code and the number of moves of a match of Belot of at least so many moves.

    Its bots pass where others would bid, so that many deals are played before somebody has won.
    """
    from tests import opening
    from tests.matches import play_on

    for seed in range(1, 99):
        chance = random.Random(seed)
        opened = opening.open_table(None, "belot", seats=4, bots=4, seed=f"{seed:064x}", speed="untimed")
        over = play_on(opened, partial(hesitant, chance))
        if over.move_count >= moves:
            return over.move_count, over.code
    raise SystemExit("No match was so long.")


def hesitant(chance, snapshot):
    """The move of a bot that passes, where it may, nineteen times of twenty."""
    from tests.matches import sensible

    passes = [move for move in snapshot.rules.legal_moves(snapshot.state) if move["type"] == "pass"]
    return passes[0] if passes and chance.random() < 0.95 else sensible(snapshot)


def server(url, code):
    """Print the milliseconds of the page and of the frames of a deal."""
    for name, path in [("page", "?move=500"), ("frames", "frames/?deal=9")]:
        times = []
        for _ in range(11):
            begun = perf_counter()
            with urlopen(f"{url}/matches/{code}/replay/{path}") as answer:
                size = len(answer.read()) / 1000
            times.append(1000 * (perf_counter() - begun))
        print(f"{name}: first {times[0]:.0f} ms, then {statistics.median(times[1:]):.0f} ms; {size:.0f} kB")


def steps(url, code):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        shell = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=shell, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{url}/matches/{code}/replay/?move=500")
        page.locator("#play").wait_for()
        page.wait_for_load_state("networkidle")
        taken = []
        for _ in range(60):
            taken.append(page.evaluate(STEP))
            page.wait_for_timeout(30)
        assert page.locator("#moves [aria-current]").get_attribute("data-move") == "560"
        browser.close()
    taken.sort()
    print(f"step: median {statistics.median(taken):.0f} ms, 95 % within {taken[int(0.95 * len(taken))]:.0f} ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=1000)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    from tests.browser.site import Site

    site = Site(folder)
    (database,) = folder.glob("*.sqlite3")
    set_up(f"sqlite:///{database}")
    site.start()
    try:
        moves, code = long_match(asked.moves)
        print(f"{code}: {moves} moves")
        server(site.url, code)
        steps(site.url, code)
    finally:
        site.kill()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
