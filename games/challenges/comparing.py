"""Compare a variation with its original match."""

from django.urls import reverse

from games.catalog import get_game
from games.challenges.models import Variation
from games.history.replay import Replay
from games.kit.language import lazy, say
from games.models import Match
from games.play.errors import Refused


def both_lines(variation: Variation, user_id: int | None) -> dict[str, object]:
    """Return a template context that compares the original match and a variation, from their last common move on.

    Its "lines" are two dicts, the original first. "url" leads to the replay at that move. "moves" are the later moves
    of the deal. "sheet" is the score sheet at the end of the comparison. Raises Refused.
    """
    if variation.match.status != Match.Status.OVER:
        raise Refused(lazy("Play this to its end first: then you can see both lines."))
    if variation.original is None:
        raise Refused(lazy("The match behind this variation was deleted, so there is nothing to compare it with."))
    # Without a viewer, both replays have the seats in the same order.
    original, variant = Replay(variation.original), Replay(variation.match)
    deal = variant.steps[min(variation.move + 1, variant.last)].deal  # The deal of the next move.
    ends = [_end(replay, deal, variation.match) for replay in (original, variant)]
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
                variant,
                variation,
                deal,
                ends[1],
            ),
        ],
    }


def _end(replay: Replay, deal: int, variation: Match) -> int:
    """Return the last move to compare: the end of the deal, or of the match."""
    if not variation.one_deal or deal > len(replay.deals):
        return replay.last
    return replay.deals[deal - 1].last


def _line(title: str, replay: Replay, variation: Variation, deal: int, end: int) -> dict[str, object]:
    path = reverse("replay", args=[replay.match.code])

    def address(move: int) -> str:
        return f"{path}?move={move}&seat={variation.seat}"

    last = replay.deals[deal - 1].last if deal <= len(replay.deals) else end
    return {
        "title": title,
        "within": f"line-{replay.match.code}-",
        "match": replay.match,
        "url": address(variation.move),
        "players": replay.players,
        "sheet": replay.sheet(end, address),
        "moves": [
            {"url": address(move), "words": replay.words(move), "seat": replay.steps[move].seat}
            for move in range(variation.move + 1, last + 1)
        ],
    }
