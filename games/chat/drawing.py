"""The talk of a match as HTML: what its page holds, and what is pushed to pages that are open."""

from typing import Any

from django.template import Context
from django.template.loader import get_template

from games.chat.phrases import phrases_of
from games.chat.reading import Talk
from games.play.snapshot import Snapshot


def told_html(talk: Talk) -> str:
    """The lines, who watches, and what can be said now."""
    return get_template("chat/told.html").template.render(Context({"talk": talk}))


def panel(snapshot: Snapshot, talk: Talk) -> dict[str, Any]:
    """What the page's panel is drawn from."""
    return {"talk": talk, "told": told_html(talk), "phrases": phrases_of(snapshot.game).values()}
