"""Two lines of play beside each other: a variation, and the match that it was made of."""

from typing import Any

from django.urls import reverse

from games.catalog import get_game
from games.challenges.models import Variation
from games.history.replay import Replay
from games.kit.language import lazy, say
from games.models import Match
from games.play.errors import Refused


def both_lines(variation: Variation, user_id: int | None) -> dict[str, Any]:
    """{"lines": two of them, "where", "words"}: how the match was and how it went here, from the same move on.

    Each line has "title", "match", "url" of its replay at that move, "moves" of the deal that follow it, and "sheet" as
    it stood at the end of what was played here. Raises Refused.
    """
    if variation.match.status != Match.Status.OVER:
        raise Refused(lazy("Play this to its end first: then you can see both lines."))
    if variation.original is None:
        raise Refused(lazy("The match behind this variation was deleted, so there is nothing to compare it with."))
    original, played = Replay(variation.original), Replay(variation.match)  # nobody is “you”: seats stand in one order
    deal = played.steps[min(variation.move + 1, played.last)].deal  # of the move that follows
    ends = [_end(shown, deal, variation.match) for shown in (original, played)]
    return {
        "sheet_template": f"{get_game(original.match.game).room}/sheet.html",
        "where": original.label(variation.move),
        "words": original.words(variation.move),
        "deal": deal,
        "deal_word": original.deal_word,
        "seat": original.players[variation.seat]["name"],
        "lines": [
            _line(say("As it was played"), original, variation, deal, ends[0]),
            _line(
                say("As you played on" if variation.match.host_id == user_id else "The variation"),
                played,
                variation,
                deal,
                ends[1],
            ),
        ],
    }


def _end(shown: Replay, deal: int, variation: Match) -> int:
    """The move to which lines are compared: the end of the deal, or of the match."""
    if not variation.one_deal or deal > len(shown.deals):
        return shown.last
    return shown.deals[deal - 1].last


def _line(title: str, shown: Replay, variation: Variation, deal: int, end: int) -> dict[str, Any]:
    replay = reverse("replay", args=[shown.match.code])

    def address(move: int) -> str:
        return f"{replay}?move={move}&seat={variation.seat}"

    last = shown.deals[deal - 1].last if deal <= len(shown.deals) else end
    return {
        "title": title,
        "within": f"line-{shown.match.code}-",
        "match": shown.match,
        "url": address(variation.move),
        "players": shown.players,
        "sheet": shown.sheet(end, address),
        "moves": [
            {"url": address(move), "words": shown.words(move), "seat": shown.steps[move].seat}
            for move in range(variation.move + 1, last + 1)
        ],
    }
