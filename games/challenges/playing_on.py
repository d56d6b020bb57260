"""Variations: play on from a position of a finished match, with bots in the other seats."""

import random
from typing import NamedTuple

from django.db import transaction

from accounts.models import User
from games.catalog import Rules
from games.challenges import seen
from games.challenges.beginning import Company, Place, Start, begin
from games.challenges.dealing import NoOtherDeal, dealt_anew
from games.challenges.models import Variation
from games.history.folding import Deal, Step, deals, steps_of
from games.kit import shuffle
from games.kit.language import lazy
from games.models import Match
from games.play.errors import Refused
from games.play.origins import ANY_SEAT, SeatRequest
from games.play.seating import bot_of
from games.play.snapshot import Snapshot
from games.play.store import StoredMove
from games.play.versions import rules_of

UNFINISHED = lazy("You can play on from here once the match is over: until then some of its cards are hidden.")


class Choice(NamedTuple):
    """The position from which a user plays on, and the form of the variation."""

    move: int  # The index of the last common move.
    seat: int
    level: str  # The level of all bots, "" for the usual one.
    one_deal: bool  # Whether the match ends with the deal.
    anew: bool  # Whether to deal the cards again that the seat can't see.


@transaction.atomic
def play_on(user: User, seat_request: SeatRequest = ANY_SEAT, *, match: Match, choice: Choice) -> Snapshot:
    """Begin a variation of a finished match: the user plays on from one of its moves, against bots. Return its state.

    seat_request: what the browser sends for the user's seat. choice: the move, the seat and the form of the variation.
    Raise Refused.
    """
    move, seat, level, one_deal, anew = choice
    demand_over(match)
    rules = rules_of(match)
    steps = steps_of(match, rules)
    if not 0 <= move < len(steps):
        raise Refused(lazy("This match has no such move. Choose one in the replay."))
    if not 0 <= seat < match.seat_count:
        raise Refused(lazy("Choose one of the seats of this match."))
    moves = [step.stored for step in steps[: move + 1]]
    if anew:
        moves = _with_other_cards(rules, steps, moves, seat, match)
    bot = bot_of(match.game, level)
    places = [Place(number) for number in range(match.seat_count)]
    start = Start(rules, match.options, moves, places, shuffle.new_seed(), names=bot_names(match))
    company = Company(user, {seat: user}, [bot] * match.seat_count, seat_request.form_key)
    snapshot = begin(start, company, Match.Aside.VARIATION, one_deal=one_deal)
    Variation.objects.create(match_id=snapshot.pk, original=match, move=move, seat=seat, anew=anew)
    seen.note_seen(user.pk, match)  # Its position shows cards of the original, so a challenge with them must know.
    return snapshot


def bot_names(match: Match) -> list[str]:
    """Return the names of the bots of a match by number of seat, "" where a person sits."""
    return [name if user is None else "" for name, user in match.seats.order_by("number").values_list("name", "user")]


def demand_over(match: Match) -> None:
    """Raise Refused if a match is not over, because its cards are still secret."""
    if match.status != Match.Status.OVER:
        raise Refused(UNFINISHED)


def deal_at(steps: list[Step], move: int) -> Deal:
    """Return the deal that contains a move."""
    return next(deal for deal in deals(steps) if deal.first <= move <= deal.last)


def _with_other_cards(
    rules: Rules, steps: list[Step], moves: list[StoredMove], seat: int, match: Match
) -> list[StoredMove]:
    """Return the moves with other cards in the last deal, in place of the cards that the seat can't see.

    So the user can't gain from having seen all cards in the replay. Raise Refused if no other cards fit.
    """
    first = deal_at(steps, len(moves) - 1).first
    before = steps[first - 1].state if first else rules.new_match(match.seat_count, match.options)
    try:
        new_moves = dealt_anew(rules, before, [move for _, move, *_ in moves[first:]], seat, random.SystemRandom())
    except NoOtherDeal:
        raise Refused(
            lazy("No other cards would fit what this seat has seen. Play on with the cards as they were dealt.")
        ) from None
    pairs = zip(moves[first:], new_moves, strict=True)
    return moves[:first] + [(mover, move, actor, at) for (mover, _, actor, at), move in pairs]
