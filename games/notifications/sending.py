"""Takes messages out of the outbox and sends them, one at a time: in threads of their own, never in an event loop."""

import logging
import time

from games.kit.language import said
from games.languages import speaking
from games.notifications import guard, mail, outbox, push, webhook
from games.notifications.models import Medium

log = logging.getLogger("valat.notices")

SEND = {Medium.PUSH: push.send, Medium.MAIL: mail.send, Medium.WEBHOOK: webhook.send}


def send_next(lane: outbox.Lane) -> bool:
    """Send the next message of a lane that is due. Return whether there was one."""
    taken = outbox.take(lane)
    if taken is None:
        return False
    began = time.monotonic()
    with speaking(taken.method.user.language_read):
        _send(taken)
    outbox.note_pace(taken, time.monotonic() - began)
    return True


def _send(taken: outbox.Taken) -> None:
    """Send a message, and note what has become of it, in the language spoken now."""
    try:
        SEND[Medium(taken.method.medium)](taken.method, taken.message)
    except push.Gone:
        outbox.drop(taken)
    except guard.Failure as failure:
        outbox.fail(taken, str(failure), again=failure.again)
    except Exception:
        log.exception("A message by way %s could not be sent.", taken.method.pk)
        outbox.fail(taken, said("Something went wrong on our side."), again=False)
    else:
        outbox.settle(taken)
