"""Request and cancel the analysis of a finished match."""

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.models import User
from games.analysis.models import Analysis
from games.catalog import UnknownGame, get_game
from games.kit.language import lazy
from games.models import Match
from games.play.errors import NotAllowed, Refused
from games.play.versions import rules_of

NOT_OVER = lazy("A match can be analysed once it is over: its hidden cards are secret until then.")
ONE_AT_A_TIME = lazy("You are having another match analysed. Wait until that is done, or cancel it.")


def objection(match: Match) -> str:
    """Return why a match can't be analysed, as a sentence, or ""."""
    if match.status != Match.Status.OVER:
        return NOT_OVER
    try:
        game = get_game(match.game)
    except UnknownGame as unknown:
        return str(unknown)
    if game.analyst is None:
        return lazy(
            "Matches of {game} can’t be analysed: its bots don’t compare moves by playing them out.", game=game.name
        )
    if match.guide:
        return lazy("The deal of the guide is prepared, and not analysed.")
    if not settings.ANALYSES:
        return lazy("This site doesn’t analyse matches.")
    return ""


def ask(user: User, match: Match) -> Analysis:
    """Request the analysis of a match: a bot will judge every move. Return it, or an existing one. Raises Refused."""
    if sentence := objection(match):
        raise NotAllowed(sentence)
    if user.is_guest and not match.seats.filter(user=user).exists():
        raise NotAllowed(lazy("As a guest you can analyse only matches you played in. Sign up to analyse others."))
    rules_of(match)
    try:
        with transaction.atomic():
            Analysis.objects.filter(match=match, status=Analysis.Status.FAILED).delete()
            # One that nobody asked for would wait until the machine is idle.
            Analysis.objects.filter(match=match, asked_by=None, finished_at=None).update(asked_by=user)
            analysis, _ = Analysis.objects.get_or_create(match=match, defaults={"asked_by": user})
    except IntegrityError:  # A constraint allows each user only one unfinished analysis.
        raise Refused(ONE_AT_A_TIME) from None
    return analysis


def cancel(user: User, match: Match) -> None:
    """Delete the unfinished analysis of a match, if there is one. Raises NotAllowed."""
    with transaction.atomic():  # The lock waits for a worker that is storing verdicts of this analysis.
        analysis = Analysis.objects.select_for_update().filter(match=match, finished_at=None).first()
        if analysis is None:
            return
        if analysis.asked_by_id != user.pk and not user.is_staff:
            raise NotAllowed(lazy("Only the person who asked for it can cancel it. Wait until it is done."))
        analysis.delete()
