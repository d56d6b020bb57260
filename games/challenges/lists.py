"""Lists of a user's variations and plays of challenges, and the description of such a match on its page."""

from typing import NamedTuple

from django.urls import reverse

from accounts.models import User
from games.challenges.models import ChallengePlay, TeamTable, Variation
from games.history.lists import match_line
from games.kit.facts import of_unit
from games.kit.language import say
from games.models import Match

SHOWN = 100


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
