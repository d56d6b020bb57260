"""What a replay of a long match costs: its page, its frames, and a step in the browser.

    .venv/bin/python tests/benchmarks/replay_speed.py [--moves 1000]

Plays a match of so many moves on a SQLite file of its own, by bots that choose at random: those last. Server
times are of the answer to Django's test client, the first in a process that has folded nothing, the others of one that
has; those in the page are between the key and the next drawn frame, of steps through three deals.
"""

import argparse
import os
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
TRIES = [
    ("bleven", 2, {"crowns": 3, "rounds": 100}),
    ("belot", 3, {"kirtik": True}),
]
STEP = """async () => {
    const begun = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    return performance.now() - begun;
}"""


def long_match(moves):
    """The code and the number of moves of a match of at least so many moves, or of the longest that was found.

    Its bots choose at random: such matches last.
    """
    from games.play import opening
    from tests.matches import play_on

    best = (0, "")
    for seed in range(1, 9):
        for game, seats, options in TRIES:
            chance = random.Random(seed)
            opened = opening.open_table(
                None, game, seats=seats, bots=seats, options=options, seed=f"{seed:064x}", speed="untimed"
            )
            over = play_on(opened, lambda at: chance.choice(at.rules.legal_moves(at.state)))
            best = max(best, (over.move_count, over.code))
            if best[0] >= moves:
                return best
    return best


def server(code):
    """Milliseconds of the page and of the frames of a deal: (first, median of ten) each."""
    from django.test import Client

    client = Client(headers={"host": "localhost"})
    for name, path in [
        ("page", f"/matches/{code}/replay/?move=500"),
        ("frames", f"/matches/{code}/replay/frames/?deal=9"),
    ]:
        times = []
        for _ in range(11):
            begun = perf_counter()
            answer = client.get(path)
            times.append(1000 * (perf_counter() - begun))
            assert answer.status_code == 200, answer
        size = len(answer.content) / 1000
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
        browser.close()
    taken.sort()
    print(f"step: median {statistics.median(taken):.0f} ms, 95 % within {taken[int(0.95 * len(taken))]:.0f} ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=1000)
    asked = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    folder = Path(tempfile.mkdtemp())
    os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'db.sqlite3'}"
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "off", "SECRET_KEY": "x" * 50}
    import django

    django.setup()
    from tests.browser.site import Site

    site = Site(folder)
    site.start()
    try:
        moves, code = long_match(asked.moves)
        print(f"{code}: {moves} moves")
        server(code)
        steps(site.url, code)
    finally:
        site.kill()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
