"""Lists of a user's variations and plays of challenges, and the description of such a match on its page."""

from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q
from django.urls import reverse

from accounts.models import User
from games.catalog import game_name
from games.challenges import days
from games.challenges.models import Challenge, ChallengePlay, TeamTable, Variation
from games.challenges.settling import settle_plays
from games.history.lists import match_line
from games.kit.facts import of_unit
from games.kit.language import say
from games.models import Match

SHOWN = 100
PLAYED = Q(points__isnull=False) | Q(match__status=Match.Status.OVER)  # A finished play.


class About(NamedTuple):
    """The description of a match that does not count, with a link to its other line."""

    words: str
    url: str
    link: str


def about(match: Match) -> About | None:
    """Return words and a link that explain a match with the cards of another match. Return None for all other matches.

    It is a variation (somebody plays on from a move of a match), the play of a challenge (everybody plays the same
    cards), or one of the two tables of a team match. Return None too for a variation whose original was deleted.
    """
    if match.aside == Match.Aside.VARIATION:
        variation = Variation.objects.filter(match=match).select_related("original").first()
        if variation and variation.original:
            return _about_variation(variation)
    if match.aside == Match.Aside.CHALLENGE:
        play = ChallengePlay.objects.filter(match=match).select_related("challenge").first()
        if play:
            words = say("The play of a challenge: everybody has these cards, in this seat, against these bots.")
            link = say("All results" if match.status == Match.Status.OVER else "The challenge")
            return About(words, play.challenge.get_absolute_url(), link)
        if table := TeamTable.objects.filter(match=match).select_related("team_match").first():
            words = say("One table of a team match; the other table plays the same cards with the seats swapped.")
            return About(words, table.team_match.get_absolute_url(), say("The team match"))
    return None


def _about_variation(variation: Variation) -> About:
    sentence = (
        "A variation of another match from move {move} on. The cards that this seat could not see were dealt again."
        if variation.anew
        else "A variation of another match from move {move} on, with the cards as they were."
    )
    words = say(sentence, move=variation.move)
    if variation.match.status == Match.Status.OVER:
        return About(words, reverse("beside", args=[variation.match.code]), say("Both lines side by side"))
    original = f"{reverse('replay', args=[variation.original.code])}?move={variation.move}"
    return About(words, original, say("The match it was made of"))


def variations_of(user: User, original: Match | None = None) -> list[dict[str, object]]:
    """Return a dict for each variation of a user, the newest first: a match that plays on from another match.

    A page lists them. original: return only variations of this match, None for all. "move" is the last common move,
    and "anew" says whether the hidden cards were dealt again.
    """
    variations = Variation.objects.filter(match__host=user.pk).exclude(match__status=Match.Status.CLOSED)
    if original is not None:
        variations = variations.filter(original=original)
    rows = variations.select_related("match", "original").prefetch_related("match__seats__user").order_by("-pk")[:SHOWN]
    return [
        _own_match_line(row.match, user) | {"original": row.original, "move": row.move, "anew": row.anew}
        for row in rows
    ]


def plays_of(user: User) -> list[dict[str, object]]:
    """Return a dict for each match in which a user plays a challenge, the newest first. A page lists them.

    In a challenge everybody plays the same cards. "points" is None until the points are computed, after the match.
    """
    plays = ChallengePlay.objects.filter(user=user.pk, match__isnull=False).exclude(match__status=Match.Status.CLOSED)
    plays = plays.select_related("match", "challenge").prefetch_related("match__seats__user").order_by("-pk")[:SHOWN]
    return [
        _own_match_line(play.match, user)
        | {"challenge": play.challenge, "points": play.points}
        | {"points_words": "" if play.points is None else of_unit(play.points, "point")}
        for play in plays
    ]


def _own_match_line(match: Match, user: User) -> dict[str, object]:
    return match_line(match, user) | {"one_deal": match.one_deal}


class DayLine(NamedTuple):
    """A deal of the day, as its page lists it for a user."""

    name: str
    challenge: Challenge
    playing: Match | None = None
    has_played: bool = False
    points: float | None = None  # of the user's first try
    place: int | None = None  # of these among first tries; None for users who knew the cards
    players: int = 0


def day_lines(deals: Iterable[Challenge], user: User | AnonymousUser) -> list[DayLine]:
    """Return a line for each of these deals of the day, without results."""
    plays: dict[int, list[ChallengePlay]] = {}
    if user.is_authenticated:
        for play in ChallengePlay.objects.filter(challenge__in=deals, user=user).select_related("match").order_by("pk"):
            plays.setdefault(play.challenge_id, []).append(play)
    lines = []
    for challenge in deals:
        own = plays.get(challenge.pk, [])
        running = next((play.match for play in own if play.match and play.match.status in Match.RUNNING), None)
        lines.append(DayLine(game_name(challenge.game), challenge, running, any(play.match != running for play in own)))
    return lines


def day_results(deals: Iterable[Challenge], user: User | AnonymousUser) -> list[DayLine]:
    """Return a line for each of these deals of the day, with its number of players and the user's result."""
    deals = list(deals)
    finished = Count("plays__user", filter=Q(plays__match__status=Match.Status.OVER), distinct=True)
    rows = Challenge.objects.filter(pk__in=[deal.pk for deal in deals]).annotate(players=finished)
    counts = dict(rows.values_list("pk", "players"))
    lines = []
    for line in day_lines(deals, user):
        line = line._replace(players=counts[line.challenge.pk])
        if line.has_played:
            settle_plays(line.challenge)
            first = line.challenge.plays.filter(user=user.pk, points__isnull=False).order_by("pk").first()
            if first:
                better = line.challenge.plays.filter(knew="", points__gt=first.points).count()
                line = line._replace(points=first.points, place=None if first.knew else better + 1)
        lines.append(line)
    return lines


def streak_of(user: User | AnonymousUser) -> int:
    """Return on how many days in a row a user has played a deal of the day in time, at most SHOWN.

    A day without a deal ends the streak, but they may still play today.
    """
    plays = ChallengePlay.objects.filter(PLAYED, user=user.pk, challenge__day__isnull=False)
    in_time = plays.exclude(knew=ChallengePlay.Knew.LATE).order_by("-challenge__day")
    played = set(in_time.values_list("challenge__day", flat=True).distinct()[:SHOWN])
    day = days.today()
    if day not in played:
        day -= timedelta(days=1)
    streak = 0
    while day in played:
        streak, day = streak + 1, day - timedelta(days=1)
    return streak
