"""A webhook: a JSON document by POST, as a program of the reader's own takes it, or as Discord, Slack or Matrix do."""

import json
import re

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from games.kit.language import lazy
from games.notifications import guard
from games.notifications.models import DeliveryMethod
from games.notifications.words import Message

SIGNS_OF_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<:@-])")


class Form(TextChoices):
    """What the body is like."""

    JSON = "json", gettext_lazy("JSON, for a program of your own")
    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    MATRIX = "matrix", "Matrix (hookshot)"


def send(method: DeliveryMethod, message: Message) -> None:
    """Post a message. Raises guard.Failure."""
    body = json.dumps(body_of(Form(method.form), message, method.origin), ensure_ascii=False).encode()
    answer = guard.post(method.address, body, {"Content-Type": "application/json"})
    if not 200 <= answer.status_code < 300:
        words = lazy("The server answered {status}. Check that it accepts POST requests.", status=answer.status_code)
        raise guard.NotTaken(words, answer.status_code)


def body_of(form: Form, message: Message, origin: str) -> dict:
    """The document that is posted. origin: of the site, for links."""
    url, text = origin + message.path, " ".join(message.sentences)
    if form == Form.DISCORD:
        return {"content": f"{_plain_in_markdown(text)}\n{url}", "allowed_mentions": {"parse": []}}
    if form == Form.SLACK:
        return {"text": f"{_escaped_for_slack(text)}\n<{url}>", "mrkdwn": False, "link_names": False}
    if form == Form.MATRIX:
        return {"text": f"{_plain_in_markdown(text)}\n{url}"}
    return {
        "id": message.number,
        "text": text,
        "url": url,
        "waiting": message.waiting,
        "events": [
            {"kind": event.kind, "game": event.game, "people": event.people, "url": origin + event.path}
            for event in message.events
        ],
    }


def _plain_in_markdown(text: str) -> str:
    """A name with an underscore or a star in it stays one."""
    return SIGNS_OF_MARKDOWN.sub(r"\\\1", text)


def _escaped_for_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
