"""Render the chat of a match, for its page and for pushes to open pages."""

from django.template import Context
from django.template.loader import get_template

from games.chat.phrases import phrases_of
from games.chat.reading import Talk
from games.play.snapshot import Snapshot


def talk_html(talk: Talk) -> str:
    """Return the HTML of the lines, the watchers and the phrases on offer."""
    return get_template("chat/told.html").template.render(Context({"talk": talk}))


def panel(snapshot: Snapshot, talk: Talk) -> dict[str, object]:
    """Return the template context of the chat panel."""
    return {"talk": talk, "told": talk_html(talk), "phrases": phrases_of(snapshot.game).values()}
