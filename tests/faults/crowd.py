"""A crowd that plays all the time, at tables of several games, alone with bots and together."""

import asyncio
import random
import time

from tests.faults.players import Ledger, Player

WELL_AFTER = 10  # seconds after a fault, until everything must work again


class Crowd:
    """Players who start one match after another. Use it as `async with Crowd(webs) as crowd`."""

    def __init__(self, webs, rng=None, players=4, tables_each=2):
        self.ledger = Ledger()
        rng = rng or random.Random()
        self.players = [Player(webs, self.ledger, random.Random(rng.random())) for _ in range(players)]
        self._tables_each = tables_each
        self._tasks = asyncio.TaskGroup()
        self._people = []
        self._played = set()  # codes of the tables that somebody plays at now

    async def __aenter__(self):
        for player in self.players:
            await player.arrive()
        await self._tasks.__aenter__()
        for player, other in zip(self.players, self.players[1:] + self.players[:1], strict=True):
            for _ in range(self._tables_each):
                self._people.append(self._tasks.create_task(self._keep_playing(player, other)))
        return self

    async def __aexit__(self, *error):
        for person in self._people:
            person.cancel()
        await self._tasks.__aexit__(*error)
        for player in self.players:
            await player.client.aclose()

    async def _keep_playing(self, player, other):
        """Match after match: alone with bots, or with another, who sits at another process perhaps."""
        while True:
            game = player.rng.choice(["oh-hell", "oh-hell", "belot", "bids"])
            together = game == "oh-hell"
            code = await (player.open_table(game, seats=3, bots=1) if together else player.quick_play(game))
            if code is None:  # nobody may open tables without end
                await asyncio.sleep(1)
                continue
            at_table = [player]
            if together:
                await other.sit_down(code)
                at_table.append(other)
            self._played.add(code)
            await asyncio.gather(*(each.play(code, by_form=0.2) for each in at_table))
            self._played.remove(code)

    async def makes_moves(self, count):
        """Wait until so many more moves have been shown, at whichever tables."""
        shown = self.ledger.shown
        before = sum(shown.values())
        await _until(lambda: sum(shown.values()) - before >= count, lambda: "Nobody can play.")

    async def goes_on(self):
        """Wait until a move has been made at every table that is played at, or it is over."""
        shown, before = self.ledger.shown, dict(self.ledger.shown)

        def still():
            return [code for code in self._played if shown[code] == before.get(code)]

        await _until(lambda: not still(), lambda: f"Nothing happens at {[(code, shown[code]) for code in still()]}.")


async def _until(question, complaint, limit=WELL_AFTER):
    deadline = time.monotonic() + limit
    while not question():
        assert time.monotonic() < deadline, f"Within {limit} seconds: {complaint()}"
        await asyncio.sleep(0.02)
