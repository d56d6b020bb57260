"""A wire to Redis on which messages are lost, come twice, or come late and so after those that were sent after them."""

import asyncio
import random
from collections import Counter
from contextlib import suppress

from tests.faults.services import Proxy

LATEST = 0.3  # seconds


class Meddler(Proxy):
    """What processes publish by way of it is meddled with; all else gets through."""

    def __init__(self, port, rng):
        self.done = Counter()  # what was done with so many messages
        self._rng = random.Random(rng.random())
        self._late = set()  # tasks
        super().__init__(port)
        self.url = f"redis://127.0.0.1:{self.port}/0"

    async def _carry_up(self, reader, writer, back):
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                command, name = await _command(reader)
                fate = "carried"
                if name == b"PUBLISH":
                    fate = self._rng.choice(["carried"] * 5 + ["lost", "late", "twice"])
                    self.done[fate] += 1
                if fate in ("late", "twice"):
                    task = asyncio.create_task(self._send_late(command))
                    self._late.add(task)
                    task.add_done_callback(self._late.discard)
                if fate in ("lost", "late"):
                    back.write(b":0\r\n")
                else:
                    writer.write(command)
                    await writer.drain()

    async def _send_late(self, command):
        await asyncio.sleep(self._rng.uniform(0, LATEST))
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(*self._to)
            writer.write(command)
            await reader.readline()
            writer.close()


async def _command(reader):
    """The next command of a client: all its bytes, and its name."""
    said = await reader.readuntil(b"\r\n")
    words = []
    for _ in range(int(said[1:])):
        size = await reader.readuntil(b"\r\n")
        words.append(await reader.readexactly(int(size[1:]) + 2))
        said += size + words[-1]
    return said, words[0].strip().upper()
