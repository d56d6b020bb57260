"""The score sheet of a match, for its page: as its game draws it, with its figures linked into the replay."""

import json
from typing import Any

from django.urls import reverse

from games.catalog import Meaning, get_game
from games.history.folding import finished_tricks, steps_of
from games.kit.drawing import Reader
from games.kit.language import say
from games.models import Match
from games.play.snapshot import Snapshot
from games.play.versions import Unreadable

PLAIN = "match/plain_sheet.html"


def sheet_of(snapshot: Snapshot, stored: Match, viewer: int | None):
    """{"sheet", "sheet_template"}: the sheet so far, or that of the end; None where there is none yet.

    stored: the match's row. viewer: the seat of who reads it. Of a finished match that can't be read it is the result
    as it was stored; of a running one Unreadable is raised.
    """
    rules = snapshot.rules
    if rules is None or snapshot.state is None:
        return _plain_sheet(stored, snapshot) if stored.score_sheet is not None else None
    game = get_game(snapshot.game)
    replay = reverse("replay", args=[snapshot.code])
    opens = snapshot.terms.open_deals and snapshot.status == Match.Status.PLAYING  # the deals that are scored by then

    def link(deal, at="start"):
        if deal > snapshot.deal_count:
            return ""  # it is still to come
        moment = f"{replay}?deal={deal}" if at == "start" else f"{replay}?deal={deal}&at={at}"
        return f"{moment}&open=1" if opens else moment

    def tricks():
        return finished_tricks(rules, steps_of(stored, rules))

    score_sheet = rules.score_sheet(snapshot.state)
    standings = rules.standings(snapshot.state)
    try:
        sheet = game.drawing.sheet(score_sheet, snapshot.players(), Reader(viewer, tricks, link, standings))
    except Unreadable:  # its moves, out of which the tricks come
        if stored.score_sheet is None:
            raise
        return _plain_sheet(stored, snapshot)
    return {"sheet": sheet, "sheet_template": f"{game.room}/sheet.html"}


def _plain_sheet(stored, snapshot):
    names = {seat.number: seat.name for seat in snapshot.seats}
    results = [
        {"name": names.get(line["seat"], say("somebody")), "place": line["place"], "score": line["score"]}
        for line in stored.standings
    ]
    text = json.dumps(stored.score_sheet, indent=1, ensure_ascii=False)
    return {"sheet": {"results": results, "text": text}, "sheet_template": PLAIN}


def last_result(snapshot: Snapshot, stored: Match, viewer: int | None) -> dict[str, Any] | None:
    """A seat's own part of the table as it was at that result, as drawings make it; None where no deal is scored yet.

    stored: the match's row. viewer: the seat of who looks, or None. It holds what that seat was shown then, no more.
    Raises Unreadable.
    """
    rules = snapshot.rules
    if rules is None or snapshot.state is None:
        return None
    for step in reversed(steps_of(stored, rules)):
        if any(rules.meaning(event) is Meaning.DEAL_SCORED for event in step.events):
            table = rules.view(step.state, viewer)
            return get_game(snapshot.game).drawing.mine(table, [], snapshot.players())
    return None
