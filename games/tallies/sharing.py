"""Links to a tally, its other writers, and the names in it."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.people import ties
from accounts.people.blocks import apart_from
from games.kit.language import lazy
from games.play.errors import NotAllowed, Refused
from games.tallies.keeping import KEEPS, READS, WRITES, announce, clean_names, locked, right_of
from games.tallies.models import CONFIRMED, Tally, TallyPlayer, TallyWriter, new_key

MAX_WRITERS = 8
REMOVAL_AFTER = timedelta(days=7)  # A name is removed so long after a request, if the keeper does nothing.
DEAD_LINK = lazy("This link doesn’t work any more. Ask the keeper for a new one.")
KEYS = {"read": "read_key", "write": "write_key"}


def set_link(user: User, code: str, link: str, *, on: bool) -> None:
    """Make a new link to read or to write a tally, or switch it off. The old one stops working."""
    if link not in KEYS:
        raise Refused(lazy("Choose a link."))
    with locked(code, user, KEEPS) as tally:
        setattr(tally, KEYS[link], new_key() if on else "")
        announce(tally)


def let_write(user: User, code: str, key: str) -> None:
    """Let the user write entries, because they have the link for writers."""
    with locked(code, user, READS, key) as tally:
        if not key or key != tally.write_key:
            raise NotAllowed(DEAD_LINK)
        if right_of(tally, user.pk) < WRITES:
            if tally.writers.count() >= MAX_WRITERS:
                raise Refused(lazy("As many people as possible write in this tally already."))
            TallyWriter.objects.create(tally=tally, user=user)
            announce(tally)


def revoke(user: User, code: str, writer_id: int | None) -> None:
    """Let a writer only read from now on. The link for writers is switched off, so that they cannot come back."""
    with locked(code, user, KEEPS) as tally:
        if not tally.writers.filter(user=writer_id).delete()[0]:
            raise Refused(lazy("They do not write in this tally any more. Load the page again."))
        tally.write_key = ""
        announce(tally)


def delete(user: User, code: str) -> None:
    with locked(code, user, KEEPS) as tally:
        announce(tally)
        tally.delete()


def part(sender: object, *, user: User, other: User, **_: object) -> None:
    """After a block, let neither write in tallies of the other, or be asked about a name. Receives `parted`."""
    for one, two in ((user, other), (other, user)):
        TallyWriter.objects.filter(tally__keeper=one, user=two).delete()
        TallyPlayer.objects.filter(tally__keeper=one, user=two, confirmed_at=None).update(user=None)
        Tally.objects.filter(keeper=one).update(revision=F("revision") + 1)  # Open pages check their right again.


# Names


def linkable(user: User, tally: Tally | None = None) -> QuerySet[User]:
    """Return the members that the keeper may link a name with: themselves, friends, and members of the club."""
    friends = [friend.pk for friend in ties.friends_of(user)]
    people = Q(pk__in=[user.pk, *friends])
    if tally is None or tally.club_id:
        clubs = Q(club_memberships__club=tally.club_id) if tally else Q(club_memberships__club__memberships__user=user)
        people |= clubs
    apart = apart_from(user)
    return User.objects.filter(people, is_active=True).exclude(pk__in=apart).distinct().order_by("casefolded_name")


def name_seat(user: User, code: str, seat: int | None, name: str, member_id: int | None) -> None:
    """Change the name of a seat, and the member that it is linked with. Members must confirm a link again."""
    with locked(code, user, KEEPS) as tally:
        player = _player(tally, seat)
        others = [each.name for each in tally.players.exclude(pk=player.pk) if each.name]
        player.name = clean_names([name, *others])[0]
        if member_id != player.user_id:
            member = linkable(user, tally).filter(pk=member_id).first()
            if member_id is not None and member is None:
                raise Refused(lazy("You can choose yourself, your friends and members of the club."))
            if member and tally.players.filter(user=member).exists():
                raise Refused(lazy("They have another seat in this tally."))
            player.user = member
            player.confirmed_at = timezone.now() if member == user else None
        player.removal_asked_at = None
        player.save()
        announce(tally)


def answer_link(user: User, code: str, *, confirms: bool) -> None:
    """Confirm that a name in a tally is the user, or unlink it, also later."""
    with locked(code, user, READS) as tally:
        player = tally.players.filter(user=user).first()
        if player is None:
            raise Refused(lazy("Your name is not linked with this tally any more."))
        player.user, player.confirmed_at = (user, timezone.now()) if confirms else (None, None)
        player.save()
        announce(tally)


def ask_removal(tally: Tally, seat: int | None, user_id: int | None) -> bool:
    """Ask to have a name removed. Return whether it is removed at once: members remove their own."""
    with transaction.atomic():
        tally = Tally.objects.select_for_update(of=("self",)).get(pk=tally.pk)
        player = _player(tally, seat)
        is_own = user_id is not None and user_id in (player.user_id, tally.keeper_id)
        if is_own:
            remove_names(tally.players.filter(pk=player.pk))
        elif player.removal_asked_at is None:
            player.removal_asked_at = timezone.now()
            player.save()
        announce(tally)
    return is_own


def _player(tally: Tally, seat: int | None) -> TallyPlayer:
    player = tally.players.filter(seat=seat).first()
    if player is None:
        raise Refused(lazy("Choose a player of this tally."))
    return player


def due_removals() -> QuerySet[TallyPlayer]:
    """Return the names whose removal the keeper has not decided in time."""
    return TallyPlayer.objects.filter(removal_asked_at__lt=timezone.now() - REMOVAL_AFTER)


def remove_names(players: QuerySet[TallyPlayer]) -> None:
    """Remove names and their links with members. Open pages follow soon: they compare revisions."""
    Tally.objects.filter(players__in=players).update(revision=F("revision") + 1)
    players.update(name="", user=None, confirmed_at=None, removal_asked_at=None)


def abandoned(since: datetime) -> QuerySet[Tally]:
    """Return the tallies without a deal since then, and tallies that belong to nobody any more."""
    confirmed = TallyPlayer.objects.filter(CONFIRMED, tally=OuterRef("pk"))
    return Tally.objects.filter(Q(deal_count=0, changed_at__lt=since) | Q(~Exists(confirmed), keeper=None))


def forget(sender: object, *, instance: User, **_: object) -> None:
    """Delete the tallies of a user who is being deleted. Those with other confirmed players stay, without typed names.

    Receives `pre_delete`.
    """
    own = Tally.objects.filter(keeper=instance)
    others = TallyPlayer.objects.filter(CONFIRMED).exclude(user=instance)
    shared = own.filter(pk__in=others.values("tally"))
    own.exclude(pk__in=shared.values("pk")).delete()
    TallyPlayer.objects.filter(tally__in=shared).filter(Q(user=None) | Q(user=instance)).update(name="")
