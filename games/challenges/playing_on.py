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
    """Let a user play on from a move of a finished match, in a new match against bots. Return the state of the new one.

    We call the new match a variation. seat_request: what the browser sends for the user's seat. choice: the move, the
    seat, the level of the bots, whether the match ends with the deal, and whether to deal the hidden cards anew.
    Raise Refused.
    """
    move, seat, level, one_deal, anew = choice
    demand_over(match)  # Before the end its cards are secret.
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
    seen.note_seen(user.pk, match)  # The user sees its cards. In a challenge with these cards they are not ranked.
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
    """Return the moves, where the last deal has other cards in place of the ones that the seat can't see.

    So a user who has seen all cards in the replay gains nothing. steps: of the whole match. moves: the first ones, as
    they are stored: (seat that moved, move, actor, time). Raise Refused if no other cards fit.
    """
    first = deal_at(steps, len(moves) - 1).first  # The index of the first move of the last deal.
    before = steps[first - 1].state if first else rules.new_match(match.seat_count, match.options)
    old_moves = [move for _, move, *_ in moves[first:]]
    try:
        new_moves = dealt_anew(rules, before, old_moves, seat, random.SystemRandom())
    except NoOtherDeal:
        raise Refused(
            lazy("No other cards would fit what this seat has seen. Play on with the cards as they were dealt.")
        ) from None
    pairs = zip(moves[first:], new_moves, strict=True)
    return moves[:first] + [(mover, new_move, actor, at) for (mover, _, actor, at), new_move in pairs]
