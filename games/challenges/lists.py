"""Somebody's variations and plays of challenges, which are in no other list; and what a table of theirs is."""

from typing import NamedTuple

from django.urls import reverse

from games.challenges.models import ChallengePlay, TeamTable, Variation
from games.history.lists import match_line
from games.kit.facts import of_unit
from games.kit.language import say
from games.models import Match

SHOWN = 100


class About(NamedTuple):
    """What a match is that counts for nothing, for its own page: a sentence, and where its other line can be seen."""

    words: str
    url: str
    link: str


def about(match: Match) -> About | None:
    """What is told at a match of its own kind; None for one that counts, or whose other line is no more."""
    if match.aside == Match.Aside.VARIATION:
        made = Variation.objects.filter(match=match).select_related("original").first()
        if made and made.original:
            return _about_variation(made)
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


def _about_variation(made: Variation) -> About:
    sentence = (
        "A variation of another match from move {move} on. The cards that this seat could not see were dealt again."
        if made.anew
        else "A variation of another match from move {move} on, with the cards as they were."
    )
    words = say(sentence, move=made.move)
    if made.match.status == Match.Status.OVER:
        return About(words, reverse("beside", args=[made.match.code]), say("Both lines side by side"))
    original = f"{reverse('replay', args=[made.original.code])}?move={made.move}"
    return About(words, original, say("The match it was made of"))


def variations_of(user, original: Match | None = None) -> list[dict]:
    """Lines of somebody's variations, of one match if it is given, the newest first: each with its "original"."""
    made = Variation.objects.filter(match__host=user.pk).exclude(match__status=Match.Status.CLOSED)
    if original is not None:
        made = made.filter(original=original)
    rows = made.select_related("match", "original").prefetch_related("match__seats__user").order_by("-pk")[:SHOWN]
    return [
        _line(each.match, user) | {"original": each.original, "move": each.move, "anew": each.anew} for each in rows
    ]


def plays_of(user) -> list[dict]:
    """Lines of somebody's plays of challenges, the newest first: each with its "challenge"."""
    plays = ChallengePlay.objects.filter(user=user.pk, match__isnull=False).exclude(match__status=Match.Status.CLOSED)
    plays = plays.select_related("match", "challenge").prefetch_related("match__seats__user").order_by("-pk")[:SHOWN]
    return [
        _line(each.match, user)
        | {"challenge": each.challenge, "points": each.points}
        | {"points_words": "" if each.points is None else of_unit(each.points, "point")}
        for each in plays
    ]


def _line(match: Match, user) -> dict:
    return match_line(match, user) | {"one_deal": match.one_deal}
