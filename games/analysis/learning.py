"""The mistakes of a player in analysed matches, as positions to try again until they are solved."""

from random import Random
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from accounts.models import User
from games.analysis.models import Analysis, SolvedMistake, Verdict
from games.catalog import IllegalMove, get_game
from games.history.replay import Replay
from games.kit.analysis import BLUNDER, INACCURACY, MISTAKE
from games.kit.coach import Hint, Thought, hint
from games.kit.contract import Move
from games.kit.language import lazy
from games.kit.search import Option
from games.models import Match
from games.models import Move as MoveRow
from games.play.errors import Refused
from games.play.versions import playable_here

LAST_MATCHES = 10  # The latest analysed matches of a player, whose mistakes make one exercise.


GONE = lazy("This position is none of your mistakes, or its analysis was deleted. Go on with another one.")


class Gone(Refused):
    """The position is no mistake of the player, or no longer one."""

    status = 404


class Mistake(NamedTuple):
    """A mistake of a player. verdict: the key of the row. code: of the match. move: its index."""

    verdict: int
    code: str
    move: int
    is_solved: bool


class Trial(NamedTuple):
    """A player's new move in the position of a mistake. lost: points, None for a move that was not compared."""

    move: Move
    is_right: bool
    lost: float | None


def mistakes_in(user: User, match: Match) -> list[Mistake]:
    """Return the mistakes of a player in a match, the costliest first. There are none before its analysis is done."""
    return _mistakes(user, Match.objects.filter(pk=match.pk))


def recent_mistakes(user: User) -> list[Mistake]:
    """Return the mistakes of a player in their latest analysed matches, the costliest first."""
    matches = Match.objects.filter(playable_here(), seats__user=user, analysis__status=Analysis.Status.DONE)
    return _mistakes(user, matches.order_by("-pk")[:LAST_MATCHES])


def _mistakes(user: User, matches: QuerySet[Match]) -> list[Mistake]:
    """Return the mistakes of a player in these matches, the costliest first.

    Moves that a bot made in the player's seat are none of their mistakes.
    """
    own_moves = MoveRow.objects.filter(
        match=OuterRef("analysis__match"), index=OuterRef("move"), actor=MoveRow.Actor.PLAYER
    )
    rows = Verdict.objects.filter(
        Exists(own_moves),
        analysis__match__in=matches,
        analysis__status=Analysis.Status.DONE,
        analysis__match__seats__user=user,
        analysis__match__seats__number=F("seat"),
        mark__in=[INACCURACY, MISTAKE, BLUNDER],
    )
    is_solved = Exists(SolvedMistake.objects.filter(user=user, verdict=OuterRef("pk")))
    columns = rows.order_by("-lost", "-analysis__match", "move").values_list("pk", "analysis__match__code", "move")
    return [Mistake(*row) for row in columns.annotate(is_solved=is_solved)]


def open_puzzle(user: User, mistake: Mistake) -> "Puzzle":
    """Return the position of a mistake of this player. Raises Gone, and Unreadable if the match can't be read here."""
    row = Verdict.objects.filter(pk=mistake.verdict).select_related("analysis__match").first()
    if row is None:
        raise Gone(GONE)
    return Puzzle(Replay(row.analysis.match, user.pk), row)


class Puzzle:
    """The position of a mistake, with what the player's seat saw and no other cards."""

    def __init__(self, replay: Replay, row: Verdict) -> None:
        """replay: of the match. row: the verdict on the mistake."""
        game = get_game(replay.match.game)
        assert game.analyst
        assert game.coach
        self.replay, self.row, self.verdict = replay, row, row.as_kit()
        self.rules, self.analyst, self.coach = replay.rules, game.analyst, game.coach
        self._state = replay.steps[row.move - 1].state  # A shuffle comes before each decision.
        self.public_table = self.rules.view(self._state, None)
        self.table = self.rules.view(self._state, row.seat)
        self.moves = self.rules.legal_moves(self._state)

    @property
    def best_move(self) -> Move:
        return self._best.move

    @property
    def _best(self) -> Option:
        """The option that was better than the player's move."""
        return min(self.verdict.known, key=lambda option: abs(option.gain - self.row.lost))

    def advice(self, move: Move) -> Hint:
        """Return the coach's words about one of the moves that were compared, with the stored figures."""
        return hint(self.coach, Thought(self.table, self.moves, move, self.verdict.known))

    def reasons(self, move: Move) -> list[str]:
        """Return why a move is better than the player's, as sentences of the coach."""
        contrast = self.coach.contrast(self.table, self.verdict.known[0].move, move)
        return [contrast] if contrast else self.coach.reasons(self.table, move)

    def try_move(self, move: Move) -> Trial:
        """Judge a new move. It is right if it loses less than an inaccuracy. Raises Refused if it is not legal."""
        try:
            self.rules.apply(self._state, move)
        except IllegalMove as illegal:
            raise Refused(str(illegal)) from None
        option = self._compared(move)
        if option is None:
            return Trial(move, is_right=False, lost=None)
        lost = max(0.0, self.row.lost - option.gain)
        return Trial(move, is_right=not self.analyst.scale.mark(lost), lost=lost)

    def _compared(self, move: Move) -> Option | None:
        """Return the option of a move, or the option of an equal move that was compared instead, or None."""
        same = next((option for option in self.verdict.known if option.move == move), None)
        return same or self._equal(move)

    def _equal(self, move: Move) -> Option | None:
        """Return the option that the analyst takes for equal to a move that was not compared, or None.

        The analyst compares one of several equal moves: the move in question if it is one of them. So an option that is
        compared with others, but not with this move, is its equal.
        """
        usual = self.analyst.brain(self.table).rule_move(self.table, self.moves, Random(f"move {self.row.move}:rule"))

        def compared_with(other: Move) -> list[Move]:
            return self.analyst.candidates(self.table, self.moves, other, usual)

        candidates = compared_with(move)
        for option in self.verdict.known:
            others = (other for other in self.verdict.known if other is not option)
            if option.move not in candidates and any(option.move in compared_with(other.move) for other in others):
                return option
        return None


def solve(user: User, mistakes: list[Mistake], solved: Mistake) -> list[Mistake]:
    """Record that a player has solved one of their mistakes. Return these with the change. Raises Gone."""
    try:
        with transaction.atomic():
            if not Verdict.objects.filter(pk=solved.verdict).exists():
                raise Gone(GONE)
            SolvedMistake.objects.get_or_create(user=user, verdict_id=solved.verdict)
    except IntegrityError:  # Somebody deletes the analysis at this moment.
        raise Gone(GONE) from None
    return [mistake._replace(is_solved=True) if mistake == solved else mistake for mistake in mistakes]
