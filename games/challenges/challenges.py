"""Challenges: the same cards from the same seat against the same bots, for everybody who has the link.

The traveller lists all results: bridge players use this name for the sheet that goes with a deal from table to table.
Only people who have played the challenge see it.
"""

from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.catalog import get_game, get_rules, usual_bot
from games.challenges.beginning import Company, Place, Start, begin
from games.challenges.knowing import how_known, lateness, team_seats
from games.challenges.models import Challenge, ChallengePlay
from games.challenges.playing_on import bot_names, demand_over
from games.challenges.settling import points_of, settle_plays
from games.history.folding import deals, steps_of
from games.kit import shuffle
from games.kit.language import lazy, say
from games.models import Match, Seat
from games.play import store
from games.play.errors import NotAllowed, Refused
from games.play.origins import ANY_SEAT, SeatRequest
from games.play.seating import bots_of, leave_match
from games.play.snapshot import SeatSnapshot, Snapshot
from games.play.versions import rules_of

SHARED_SHUFFLES = "challenge"  # The shuffle_code of seeds that several matches share.
MAX_RESULTS = 200  # Results of a traveller.
GONE = lazy("The match behind this challenge was deleted, so it can’t be played. Choose another challenge.")
HIDDEN = lazy("You’ll see how others did with these cards once you have played them, or given up.")


def make(user: User, match: Match, seat: int, deal: int | None) -> Challenge:
    """Return a challenge: others may play the cards of a finished match from the same seat, to compare the results.

    deal: the number of the deal to play, None for the whole match. Create the challenge if nobody has made it yet.
    Raise Refused with a sentence that says why there can be none.
    """
    demand_over(match)  # Before the end its cards are secret.
    rules = rules_of(match)
    if not 0 <= seat < match.seat_count:
        raise Refused(lazy("Choose one of the seats of this match."))
    if deal is not None and not 1 <= deal <= len(list(deals(steps_of(match, rules)))):
        raise Refused(
            lazy("This match has no such {deal}. Choose one in the replay.", deal=get_game(match.game).deal_word)
        )
    if match.aside:  # It repeats the cards of another match, and so counts for nothing.
        raise Refused(lazy("This match was played with the cards of another one. Make the challenge of that one."))
    if deal is None and not match.seed:
        raise Refused(
            lazy(
                "The seed of this match is not known here, so only single deals of it can be played again. "
                "Choose one of them."
            )
        )
    bots_of_game, usual = bots_of(match.game), usual_bot(match.game)
    seats = match.seats.order_by("number").values_list("bot", "user")
    # The usual bot plays for people, and for bots that the site no longer has.
    bots = [bot if bot in bots_of_game and user is None else usual for bot, user in seats]
    key = {"original": match, "deal": deal, "seat": seat}
    defaults = {
        "game": match.game,
        "bots": bots,
        "rules_version": match.rules_version,
        "options": match.options,
        "seed": match.seed or shuffle.new_seed(),
        "shuffle_code": match.shuffle_code or SHARED_SHUFFLES,
        "made_by": user,
    }
    return Challenge.objects.get_or_create(**key, defaults=defaults)[0]


@transaction.atomic
def play(user: User, seat: SeatRequest = ANY_SEAT, *, challenge: Challenge) -> Snapshot:
    """Return the running match of a user who plays a challenge. If there is none, begin one.

    Everybody plays a challenge with the same cards, each in a match of their own. A user may know the cards already,
    at the latest from their first play. Then store how they knew: their result will not be ranked.
    seat: what the browser sends for the user's seat. Raise Refused.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # Handle two clicks one after the other.
    plays = plays_of(user, challenge)
    if running := next(filter(_is_running, plays), None):
        return store.read(running.match.code)
    # "" if the user can't know the cards. `lateness` is about a past day: from its public seed they can be computed.
    knew = ChallengePlay.Knew.PLAYED if plays else how_known(user, challenge) or lateness(challenge, timezone.now())
    company = Company(user, {challenge.seat: user}, challenge.bots, seat.form_key)
    snapshot = begin(start_of(challenge), company, Match.Aside.CHALLENGE, one_deal=challenge.deal is not None)
    try:
        with transaction.atomic():
            ChallengePlay.objects.create(challenge=challenge, match_id=snapshot.pk, user=user, knew=knew)
    except IntegrityError:
        raise Refused(lazy("You are already playing this in another window. Go on there.")) from None
    return snapshot


def give_up(user: User, challenge: Challenge) -> None:
    """End the match of a user who plays a challenge. They may then see the results of others, but get none.

    Raise Refused if no such match is running.
    """
    running = next(filter(_is_running, plays_of(user, challenge)), None)
    if running is None:
        raise Refused(lazy("You aren’t playing this challenge at the moment. Open it to play it."))
    leave_match(user, running.match.code)


def plays_of(user: User, challenge: Challenge) -> list[ChallengePlay]:
    """Return a user's plays (matches with the cards) of a challenge, the oldest first."""
    return list(challenge.plays.filter(user=user.pk).select_related("match").order_by("pk"))


def _is_running(play: ChallengePlay) -> bool:
    return play.match is not None and play.match.status in Match.RUNNING


def has_played(user: User, challenge: Challenge) -> bool:
    """Return whether a user has played the cards of a challenge to the end, or has given up.

    Only then may they see how others did with these cards. They may have played them in a match of the challenge, in a
    team match (where two teams play them), or in the original match that the challenge was made of.
    """
    if user.pk is None:  # A visitor.
        return False
    if any(not _is_running(play) for play in plays_of(user, challenge)):
        return True
    if team_seats(user, [challenge]).exclude(match__status__in=Match.RUNNING).exists():
        return True
    return bool(challenge.original_id) and Seat.objects.filter(match=challenge.original_id, user=user.pk).exists()


class Result(NamedTuple):
    """A line of a traveller. place: among the players who didn't know the cards; None for the others."""

    place: int | None
    name: str
    profile: str
    points: float
    match: str  # The code of the match.
    knew: str  # How the player knew the cards, in words, or "".
    own: bool


class Traveller(NamedTuple):
    """All results of a challenge. apart: the players who knew the cards. given_up: the number of users who gave up."""

    results: list[Result]
    apart: list[Result]
    given_up: int


def traveller(challenge: Challenge, user: User) -> Traveller:
    """Return the results of all who have played the cards of a challenge. Bridge players call such a sheet a traveller.

    Players who knew the cards are in a list apart, without a place. user: the reader. Raise NotAllowed if they have
    not played the cards yet: the results would help them.
    """
    if not has_played(user, challenge):
        raise NotAllowed(HIDDEN)
    settle_plays(challenge)  # Compute the points of matches that have just ended.
    plays = (
        challenge.plays.filter(points__isnull=False, match__isnull=False)
        .select_related("user", "match")
        .order_by("-points", "pk")
    )
    ranked = list(plays.filter(knew="")[:MAX_RESULTS])
    points = [play.points for play in ranked]
    # Equal points share a place: `index` finds the first of them.
    results = [_result(play, user, 1 + points.index(play.points)) for play in ranked]
    apart = [_result(play, user, None) for play in plays.exclude(knew="")[:MAX_RESULTS]]
    if original := _original_result(challenge, user):
        apart = [original, *apart]
    # A match that was given up is closed, and may have been deleted since.
    given_up = challenge.plays.filter(Q(match=None) | Q(match__status=Match.Status.CLOSED))
    return Traveller(results, apart, given_up.values("user").distinct().count())


def _result(play: ChallengePlay, user: User, place: int | None) -> Result:
    profile = "" if play.user.is_guest else play.user.get_absolute_url()
    knew = ChallengePlay.Knew(play.knew).label if play.knew else ""
    return Result(place, play.user.username, profile, play.points, play.match.code, knew, play.user_id == user.pk)


def _original_result(challenge: Challenge, user: User) -> Result | None:
    """Return the result of the match that a challenge was made of, for the sheet of all results. None without one.

    user: the reader. The result of their own seat is marked.
    """
    if challenge.original is None:  # It was deleted, or this is a deal of the day, which no match has.
        return None
    seat = challenge.original.seats.select_related("user").filter(number=challenge.seat).first()
    points = points_of(challenge.original, challenge)
    if seat is None or points is None:
        return None
    player, is_own = SeatSnapshot.from_seat(seat), seat.user_id == user.pk
    code, score = challenge.original.code, points[challenge.seat]
    return Result(None, player.name, player.profile, points=score, match=code, knew=say("first played it"), own=is_own)


def start_of(challenge: Challenge) -> Start:
    """Return how every match of a challenge begins: with the same first moves and the same seed for later shuffles.

    So all players have the same cards. The moves are copied from the match that the challenge was made of, up to the
    shuffle of its deal. A deal of the day is made of no match: it begins without moves. Raise Refused if the match was
    deleted.
    """
    shuffles = {"seed": challenge.seed, "shuffle_code": challenge.shuffle_code}
    if challenge.day:
        rules = get_rules(challenge.game, challenge.rules_version)
        return Start(rules, challenge.options, [], [Place(number) for number in range(len(challenge.bots))], **shuffles)
    match = challenge.original
    if match is None:
        raise Refused(GONE)
    rules = rules_of(match)
    seats = match.seats.order_by("number").values_list("place", "entropy_hash", "entropy")
    moves: list[store.StoredMove] = []
    if challenge.deal is not None:
        steps = steps_of(match, rules)
        shuffle_index = list(deals(steps))[challenge.deal - 1].start  # Of the shuffle of this deal.
        moves = [step.stored for step in steps[: shuffle_index + 1]]
    return Start(rules, match.options, moves, [Place(*seat) for seat in seats], **shuffles, names=bot_names(match))
