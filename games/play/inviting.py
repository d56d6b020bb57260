"""Invitations: the host of an open table keeps seats for people, who take them or decline."""

from django.utils import timezone

from accounts.models import User
from accounts.people.blocks import has_blocked
from accounts.sanctions import why_barred
from games.kit.language import lazily
from games.models import Invitation
from games.play.changes import locked, save_change
from games.play.company import is_member
from games.play.errors import NotAllowed, Refused
from games.play.seating import demand_free_seat, demand_host, demand_waiting
from games.play.snapshot import Snapshot
from games.play.versions import rules_of


def invite(user: User, code: str, invited: User, *, team: int | None = None) -> Snapshot:
    """The host keeps a free seat for `invited`, who may have been removed before. Raises Refused.

    team: the side where partners play, 0 or 1; None for either. Who has declined is not asked again. Of a block by
    `invited` nobody is told: they don't see the invitation.
    """
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        if why := why_barred(user.pk):
            raise NotAllowed(why)
        if invited.is_program or not invited.is_active:
            raise Refused(lazily("Only people can be invited."))
        if match.club_id and not is_member(invited.pk, match.club_id):
            raise Refused(lazily("{name} isn’t a member of the club.", name=invited))
        if match.seats.filter(user=invited).exists():
            raise Refused(lazily("{name} is already at this table.", name=invited))
        if has_blocked(user.pk, [invited.pk]):
            raise Refused(lazily("You have blocked {name}. Unblock them first.", name=invited))
        sent = match.invitations.filter(user=invited).first()
        if sent and sent.declined_at:
            raise Refused(lazily("{name} has declined. They can still come by the link.", name=invited))
        if match.seat_count not in rules_of(match).partners_at:
            team = None  # nobody has a partner
        if sent is None:
            demand_free_seat(match, team=team)
            Invitation.objects.create(match=match, user=invited, team=team)
        match.removed = [key for key in match.removed if key != invited.pk]
        match.save(update_fields=["removed"])
        return save_change(match)


def take_back(user: User, code: str, invited_id: int) -> Snapshot:
    """The host no longer keeps a seat for the user of this key."""
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        match.invitations.filter(user=invited_id, declined_at=None).delete()
        return save_change(match)


def decline(user: User, code: str) -> Snapshot:
    """Who is invited won't come: the seat is for anybody again."""
    with locked(code) as match:
        if not match.invitations.filter(user=user, declined_at=None).update(declined_at=timezone.now()):
            raise Refused(lazily("You aren’t invited to this table any more."))
        return save_change(match)
