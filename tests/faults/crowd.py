"""A crowd that plays all the time, at tables of several games, alone with bots and together."""

import asyncio
import random
import time

from tests.faults.players import Ledger, Player

WELL_AFTER = 30  # seconds after a fault, until everything must work again; a busy machine needs ten


class Crowd:
    """People at several tables, who start one match after another. Use it as `async with Crowd(webs) as crowd`."""

    def __init__(self, webs, rng=None, tables=5, thinks_for=0.0):
        """thinks_for: seconds, before each move."""
        self.ledger = Ledger()
        self._webs = webs
        self._rng = rng or random.Random()
        self._tables = tables
        self._thinks_for = thinks_for
        self._people = []
        self._played = set()  # codes of the tables that somebody plays at now

    async def __aenter__(self):
        self._people = [asyncio.create_task(self._keep_playing()) for _ in range(self._tables)]
        return self

    async def __aexit__(self, *_):
        for person in self._people:
            person.cancel()
        await asyncio.gather(*self._people, return_exceptions=True)

    async def _keep_playing(self):
        """Match after match, alone with bots or two together, by new people: nobody may open tables without end."""
        while True:
            async with self._somebody() as player, self._somebody() as other:
                game = self._rng.choice(["oh-hell", "oh-hell", "belot", "bids"])
                if game == "oh-hell":
                    code = await player.open_table(game, seats=3, bots=1)
                    if not await other.sit_down(code):
                        continue
                    at_table = [player, other]
                else:
                    code = await player.quick_play(game)
                    at_table = [player]
                self._played.add(code)
                await asyncio.gather(*(each.play(code, by_form=0.2) for each in at_table))
                self._played.remove(code)

    def _somebody(self):
        player = Player(self._webs, self.ledger, random.Random(self._rng.random()))
        player.thinks_for = self._thinks_for
        return player

    async def makes_moves(self, count):
        """Wait until so many more moves have been shown, at whichever tables."""
        shown = self.ledger.shown
        before = sum(shown.values())
        await self._until(lambda: sum(shown.values()) - before >= count, lambda: "Nobody can play.")

    async def goes_on(self):
        """Wait until a move has been made at every table that is played at, or it is over."""
        shown, before = self.ledger.shown, dict(self.ledger.shown)

        def still():
            return [code for code in self._played if shown[code] == before.get(code)]

        await self._until(
            lambda: not still(), lambda: f"Nothing happens at {[(code, shown[code]) for code in still()]}."
        )

    async def _until(self, question, complaint):
        deadline = time.monotonic() + WELL_AFTER
        while not question():
            for person in self._people:
                if person.done():
                    person.result()  # raises what has ended it
            assert time.monotonic() < deadline, f"Within {WELL_AFTER} seconds: {complaint()}"
            await asyncio.sleep(0.02)
