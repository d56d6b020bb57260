"""Beside the clock: looks for what somebody is to be told, and sends it. Nobody who plays waits for any of it.

Any number of processes may do this: see games.notifications.outbox for how each message is taken by one of them.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from games.live.threads import DatabaseThread
from games.notifications import finding, outbox, sending
from games.notifications.outbox import Lane
from games.play import metrics

log = logging.getLogger("valat.notices")

# Seconds
LOOK_EVERY = 5.0
HOLD_EVERY = 60.0  # between looks for those who are here, whose mails wait
SEND_EVERY = 2.0  # where nothing was due
PATIENCE = 5.0  # after a failure
# Threads of each lane: a slow server holds up few others, and from its next message on only slow ones.
SENDERS = {Lane.QUICK: 3, Lane.NEW: 1, Lane.SLOW: 1}


async def run() -> None:
    """Look and send until cancelled."""
    await asyncio.gather(
        _again_and_again("notices", finding.look, LOOK_EVERY),
        _again_and_again("held mail", outbox.hold_mail_for_those_here, HOLD_EVERY),
        *(
            _again_and_again(f"{lane} sender {number}", partial(sending.send_next, lane), SEND_EVERY)
            for lane, count in SENDERS.items()
            for number in range(count)
        ),
    )


async def _again_and_again(name: str, act: Callable[[], object], pause: float) -> None:
    """Do something in a thread of its own: at once again where there was something to do, else after a pause."""
    thread = DatabaseThread(name, keeps=False)
    try:
        while True:
            try:
                busy = await thread.run(act)
            except Exception:
                log.exception("What people are to be told could not be looked after (%s).", name)
                metrics.ERRORS.labels("notices").inc()
                await asyncio.sleep(PATIENCE)
                continue
            await asyncio.sleep(0.05 if busy is True else pause)
    finally:
        thread.close()
