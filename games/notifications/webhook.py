"""Webhooks: JSON documents by POST for the user's own program, or for Discord, Slack or Matrix."""

import json
import re

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from games.kit.language import lazy
from games.notifications import guard
from games.notifications.models import DeliveryMethod
from games.notifications.words import Message

MARKDOWN_CHARACTERS = re.compile(r"([\\*_~`|>#\[\]()<:@-])")


class Form(TextChoices):
    """The formats of the body."""

    JSON = "json", gettext_lazy("JSON, for a program of your own")
    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    MATRIX = "matrix", "Matrix (hookshot)"


def send(method: DeliveryMethod, message: Message) -> None:
    """Post a message with notifications to the webhook of a user. Raise guard.Failure if it does not accept it."""
    body = json.dumps(body_of(Form(method.form), message, method.origin), ensure_ascii=False).encode()
    answer = guard.post(method.address, body, {"Content-Type": "application/json"})
    if not 200 <= answer.status_code < 300:
        words = lazy("The server answered {status}. Check that it accepts POST requests.", status=answer.status_code)
        raise guard.Rejected(words, answer.status_code)


def body_of(form: Form, message: Message, origin: str) -> dict[str, object]:
    """Return the JSON document for a message, in the form that a service or a user's own program expects.

    Names of users must not become links, commands or mentions there. origin: the URL of the site, for links.
    """
    url, text = origin + message.path, " ".join(message.sentences)
    if form == Form.DISCORD:
        return {"content": f"{_escape_markdown(text)}\n{url}", "allowed_mentions": {"parse": []}}
    if form == Form.SLACK:
        return {"text": f"{_escape_for_slack(text)}\n<{url}>", "mrkdwn": False, "link_names": False}
    if form == Form.MATRIX:
        return {"text": f"{_escape_markdown(text)}\n{url}"}
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


def _escape_markdown(text: str) -> str:
    return MARKDOWN_CHARACTERS.sub(r"\\\1", text)


def _escape_for_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
