"""Who may see the cards of a match, and who has seen them: by watching it, by its replay, or by playing on."""

from collections.abc import Iterator

from games.challenges.models import SeenMatch, TeamTable, Variation
from games.kit.language import lazy
from games.models import Match, Seat
from games.play import access, store
from games.play.snapshot import Snapshot

OTHER_TABLE_PLAYS = lazy("You can see this table once the other table of the team match has finished, too.")


def why_hidden(user_id: int | None, match: Match | Snapshot, cookie: str = "") -> str:
    """Return why a user (None for a visitor) may not see the cards of a match, as a sentence. Return "" if they may.

    Everybody may see a finished match, with one exception. In a team match the same cards are played at two tables.
    While the other table still plays, a visitor could tell a player there what the cards are. The players of the
    finished table have seen them anyway. cookie: decides who may watch a running match.
    """
    if match.status in Match.RUNNING:
        snapshot = match if isinstance(match, Snapshot) else store.read(match.code)
        return access.why_hidden(user_id, snapshot, cookie)
    if not match.aside:  # It was played with new cards, not with the cards of another match.
        return ""
    tables = TeamTable.objects.filter(match__in=list(own_and_original_keys(match)))
    # The tables of team matches whose cards this match shows, while a table of the same team match still plays.
    spoilers = tables.filter(team_match__tables__match__status__in=Match.RUNNING).values_list("match", flat=True)
    if not spoilers or (user_id and Seat.objects.filter(match__in=spoilers, user=user_id).exists()):
        return ""
    return OTHER_TABLE_PLAYS


def note_seen(user_id: int | None, match: Match | Snapshot) -> None:
    """Store that a user (None for a visitor) has seen the cards of a match, unless that is stored already.

    Others may play these cards in a challenge. There a user who knew them is not ranked. The players of the match need
    no record. A variation, which plays on from another match, shows the cards of that match too.
    """
    if user_id is None or match.status == Match.Status.OPEN:  # An open match has not started, so it has no cards.
        return
    if isinstance(match, Snapshot) and match.seat_of(user_id):
        return  # This saves the queries below while the match is played.
    how = SeenMatch.How.WATCHED if match.status == Match.Status.PLAYING else SeenMatch.How.REPLAYED
    for key in own_and_original_keys(match):
        if SeenMatch.objects.filter(user=user_id, match=key, how=how).exists():
            continue
        if not Seat.objects.filter(user=user_id, match=key).exists():
            SeenMatch.objects.bulk_create([SeenMatch(user_id=user_id, match_id=key, how=how)], ignore_conflicts=True)


def own_and_original_keys(match: Match | Snapshot) -> Iterator[int]:
    """Yield the key of a match. For a variation, which plays on from another match, yield the key of that one too.

    The other match may be a variation itself, and so on.
    """
    yield match.pk
    if match.aside == Match.Aside.VARIATION:
        variation = Variation.objects.filter(match=match.pk).select_related("original").first()
        if variation and variation.original:
            yield from own_and_original_keys(variation.original)
