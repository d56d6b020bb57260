"""The score sheet on the page of a match, as its game draws it, with links into the replay."""

import json

from django.urls import reverse

from games.catalog import Meaning, get_game
from games.history.folding import finished_tricks, steps_of
from games.kit.drawing import ReplayTrick, SheetReader, TemplateData, mark_names
from games.kit.language import say
from games.models import Match
from games.play.snapshot import Snapshot
from games.play.versions import Unreadable

PLAIN = "match/plain_sheet.html"


def sheet_of(snapshot: Snapshot, match: Match, viewer: int | None) -> dict[str, object] | None:
    """Return the score sheet of a match and the name of its template, for a template context.

    Return None if nothing can be shown yet. A finished match that can't be replayed gets a plain sheet of its stored
    result. A running one raises Unreadable. viewer: the seat of the reader, None for a spectator.
    """
    rules = snapshot.rules
    if rules is None or snapshot.state is None:
        return _plain_sheet(match, snapshot) if match.score_sheet is not None else None
    game = get_game(snapshot.game)
    replay_url = reverse("replay", args=[snapshot.code])
    # In a running match the sheet only has scored deals. The host may allow players to see all their cards.
    shows_all_cards = snapshot.terms.open_deals and snapshot.status == Match.Status.PLAYING

    def link(deal: int, at: str = "start") -> str:
        """Return the URL of a moment of a deal in the replay."""
        if deal > snapshot.deal_count:
            return ""  # This deal has not been dealt yet.
        url = f"{replay_url}?deal={deal}" if at == "start" else f"{replay_url}?deal={deal}&at={at}"
        return f"{url}&open=1" if shows_all_cards else url

    def tricks() -> list[ReplayTrick]:
        """Return the finished tricks. Only some games call this, because it must apply all moves of the match."""
        return finished_tricks(rules, steps_of(match, rules))

    score_sheet = rules.score_sheet(snapshot.state)
    standings = rules.standings(snapshot.state)
    try:
        is_over = snapshot.status == Match.Status.OVER
        reader = SheetReader(viewer, tricks, link, standings, is_over=is_over)
        sheet = game.drawing.sheet(score_sheet, snapshot.players(), reader)
    except Unreadable:  # `tricks` could not apply the moves.
        if match.score_sheet is None:
            raise
        return _plain_sheet(match, snapshot)
    return {"sheet": sheet, "sheet_template": f"{game.room}/sheet.html"}


def _plain_sheet(match: Match, snapshot: Snapshot) -> dict[str, object]:
    """Return the stored result and score sheet for a template that any game can use."""
    names = {seat.number: seat.name for seat in snapshot.seats}
    results = [
        {"name": names.get(line["seat"], say("somebody")), "place": line["place"], "score": line["score"]}
        for line in match.standings
    ]
    text = json.dumps(match.score_sheet, indent=1, ensure_ascii=False)
    return {"sheet": {"results": results, "text": text}, "sheet_template": PLAIN}


def last_result(snapshot: Snapshot, match: Match, viewer: int | None) -> TemplateData | None:
    """Draw what a player saw right after the latest scored deal of a match. Return None if no deal is scored yet.

    viewer: the player's seat, None for spectators. Raises Unreadable.
    """
    rules = snapshot.rules
    if rules is None or snapshot.state is None:
        return None
    for step in reversed(steps_of(match, rules)):
        if any(rules.meaning(event) is Meaning.DEAL_SCORED for event in step.events):
            table, players = rules.view(step.state, viewer), snapshot.players()
            return mark_names(get_game(snapshot.game).drawing.mine(table, [], players), players)
    return None
