"""How many clicks and seconds lead from the front page to what people come for, in Chromium on a site of its own.

    python tests/benchmarks/clicks.py

Seconds include the pages and no time to think. On 2026-11-29, on two cores that others used, too. The clicks of lichess
and BGA are from memory.

| from the front page to | clicks, seconds | lichess | BGA |
| --- | --- | --- | --- |
| the first card | 1, 0.6 s | 3 | needs an account |
| a friend who is invited to my table | 3, 0.9 s | 2 and a link | 5 |
| the last replay | 2, 1.1 s | 3 | 4 |
| a given deal, by four facts | 5, 0.8 s | impossible | impossible |
| its replay | 6, 1.1 s | impossible | impossible |
| a table of a club | 3, 1.2 s | | |
"""

import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import sync_playwright

from tests.browser.site import Player, Site

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
ARGUMENTS = ["--no-sandbox", "--disable-gpu"]
DESKTOP = {"viewport": {"width": 1280, "height": 800}}

SEED = """
from accounts.models import User
from accounts.people import ties
from games.clubs import joining
from games.deal_index import making
from games.models import Match
from tests import opening
from tests.matches import play_on

ana, boris = User.objects.get(username="Ana"), User.objects.get(username="Boris")
ties.ask(ana, boris)
ties.ask(boris, ana)
club = joining.found(ana, "Monday club")
joining.join(boris, club.invitation)
for seed in ("12", "34", "56"):
    opened = opening.open_table(ana, "belot", seats=4, bots=3, options={"target": 51}, seed=seed * 32, speed="untimed")
    match = Match.objects.get(code=play_on(opened).code)
    making.store_facts(match)
"""


class Walk:
    """A way from the front page, which counts its clicks."""

    def __init__(self, player, aim):
        self.player, self.page, self.aim = player, player.page, aim
        self.clicks = 0
        player.open()
        player.page.wait_for_load_state("load")
        player.wait_for_clock(700)  # Before that, controls that have just appeared ignore clicks.
        self._began = time.monotonic()

    def click(self, place):
        place.first.click()
        self.clicks += 1

    def arrive(self, place):
        place.first.wait_for()
        seconds = time.monotonic() - self._began
        print(f"{self.aim}: clicks {self.clicks}, {seconds:.1f} s", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, ExitStack() as end:
        site = Site(folder)
        end.callback(site.end)
        site.start()
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        guest, ana, boris = (Player(chromium.new_context(**DESKTOP), site) for _ in range(3))
        ana.sign_in("Ana")
        boris.sign_in("Boris")
        site.shell(SEED)

        walk = Walk(guest, "First card, as a guest")
        walk.click(walk.page.get_by_role("button", name="Play", exact=False).and_(walk.page.locator(".games button")))
        walk.arrive(walk.page.locator("#hand [data-card], #hand .card"))

        walk = Walk(ana, "A friend is invited to my table")
        walk.click(walk.page.get_by_role("link", name="Friends"))
        walk.click(walk.page.get_by_role("link", name="Play", exact=False).and_(walk.page.locator("main a")))
        walk.page.wait_for_load_state("load")
        if walk.page.get_by_role("button", name="Open the table").count():
            walk.click(walk.page.get_by_role("button", name="Open the table"))
        walk.arrive(walk.page.locator("main[data-match]"))

        walk = Walk(boris, "The friend sits there")
        walk.click(walk.page.locator("#invited-" + ana.code).get_by_role("button", name="Join"))
        walk.arrive(walk.page.locator("main[data-match]"))

        walk = Walk(ana, "The last replay")
        walk.click(walk.page.get_by_role("link", name="My matches"))
        walk.click(walk.page.locator("main").get_by_role("link", name="Replay"))
        walk.arrive(walk.page.locator("#play"))

        walk = Walk(ana, "A given deal: Belot, no trumps, not doubled, inside, defended by me")
        walk.click(walk.page.locator("#game-belot").get_by_text("Search my matches"))
        for answer in ("No trumps", "Not doubled", "Inside", "Defended"):
            walk.click(walk.page.get_by_role("radio", name=answer, exact=True))
        walk.arrive(walk.page.locator(".asked li:nth-child(5)"))
        walk.aim = "The same, opened in the replay"
        walk.click(walk.page.locator(".hits a"))
        walk.arrive(walk.page.locator("#play"))

        walk = Walk(ana, "That deal, for somebody who looks at the list after the contract")
        walk.click(walk.page.locator("#game-belot").get_by_text("Search my matches"))
        walk.click(walk.page.get_by_role("radio", name="No trumps", exact=True))
        walk.click(walk.page.locator(".hits a"))
        walk.arrive(walk.page.locator("#play"))

        walk = Walk(ana, "A table of a club")
        walk.click(walk.page.get_by_role("link", name="Clubs"))
        walk.click(walk.page.get_by_role("link", name="Monday club"))
        walk.click(
            walk.page.locator("main")
            .get_by_role("button", name="Open a table")
            .or_(walk.page.locator("main").get_by_role("link", name="Open a table"))
        )
        walk.page.wait_for_load_state("load")
        if walk.page.get_by_role("button", name="Open the table").count():
            walk.click(walk.page.get_by_role("button", name="Open the table"))
        walk.arrive(walk.page.locator("main[data-match]"))

        for player in (guest, ana, boris):
            for problem in player.problems:
                print(problem)


if __name__ == "__main__":
    main()
