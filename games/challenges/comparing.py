"""Compare a variation with its original match."""

from django.urls import reverse

from games.catalog import get_game
from games.challenges.models import Variation
from games.history.replay import Replay
from games.kit.language import lazy, say
from games.models import Match
from games.play.errors import Refused


def both_lines(variation: Variation, user_id: int | None) -> dict[str, object]:
    """Return the context of a page that shows a variation beside its original match, from their last common move on.

    In a variation, somebody plays on from a move of a finished match. "lines" has a dict for the original and one for
    the variation: see `_line_context`. "where" and "words" describe the last common move. user_id: the reader, None
    for a visitor. Raise Refused if there is nothing to compare.
    """
    if variation.match.status != Match.Status.OVER:
        raise Refused(lazy("Play this to its end first: then you can see both lines."))
    if variation.original is None:
        raise Refused(
            lazy(
                "The match behind this variation was deleted, so there is nothing to compare it with. "
                "Open its own replay instead."
            )
        )
    # Without a viewer, both replays have the seats in the same order.
    original, variant = Replay(variation.original), Replay(variation.match)
    next_move = min(variation.move + 1, variant.last)
    deal = variant.steps[next_move].deal
    own_title = say("As you played on" if variation.match.host_id == user_id else "The variation")
    return {
        "sheet_template": f"{get_game(original.match.game).room}/sheet.html",
        "where": original.label(variation.move),
        "words": original.words(variation.move),
        "deal": deal,
        "deal_word": original.deal_word,
        "seat": original.players[variation.seat]["name"],
        "lines": [
            _line_context(say("As it was played"), original, variation, deal),
            _line_context(own_title, variant, variation, deal),
        ],
    }


def _last_move_to_compare(replay: Replay, deal: int, variation: Match) -> int:
    """Return the index of the move where a comparison ends, in the replay of the original or of the variation.

    If the variation ends with the deal, it is the last move of this deal, else of the match. deal: its number, from 1.
    """
    has_deal = deal <= len(replay.deals)  # The replay may end before that deal.
    return replay.deals[deal - 1].last if variation.one_deal and has_deal else replay.last


def _line_context(title: str, replay: Replay, variation: Variation, deal: int) -> dict[str, object]:
    """Return the template context of one of two compared matches.

    "url" leads to the replay at the last common move. "moves" are the later moves of the deal. "sheet" is the score
    sheet where the comparison ends.
    """
    end = _last_move_to_compare(replay, deal, variation.match)
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
