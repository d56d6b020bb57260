"""Guests who log in to an account: their matches move to it, once they have said that the guest was them.

A browser may be shared, so nothing moves before. The session holds the guest until its user answers or logs out. Until
then the guest is away from their tables, like anybody who has left the page.
"""

from collections.abc import Iterator
from contextlib import suppress

from django.db import IntegrityError, models, transaction
from django.http import HttpRequest

from accounts import sanctions
from accounts.export import has_data_of_guests
from accounts.models import User
from accounts.people import ties
from accounts.signals import account_closing, guest_adopted, guest_moving

SESSION_KEY = "guest_to_adopt"  # The primary key of the guest.
# First tries at a challenge stay with the guest: what the account knew of the cards was not asked then. A vacation is
# of a user, not of a seat.
MODELS_THAT_STAY = {"challenges.challengeplay", "challenges.teamseat", "games.vacation"}


def ask_about(request: HttpRequest, guest: User) -> None:
    """Ask the user of a session on each page whether this guest was them. A guest without data is only closed.

    So is a suspended guest, who could otherwise leave the suspension behind.
    """
    if (match_count(guest) or has_data_of_guests(guest)) and not sanctions.why_suspended(guest.pk):
        request.session[SESSION_KEY] = guest.pk
    else:
        account_closing.send(User, user=guest)


def match_count(guest: User) -> int:
    """Return at how many tables a guest has a seat. Lessons do not count."""
    return guest.seats.filter(match__guide=False).count()


def guest_in_question(request: HttpRequest) -> User | None:
    """Return the guest who played in this browser before its user logged in, while we ask whether both are the same.

    Return None if there was no such guest, or if the user has answered.
    """
    if not request.user.is_authenticated or SESSION_KEY not in request.session:
        return None
    return User.objects.filter(pk=request.session[SESSION_KEY], is_guest=True).first()


def adopt(request: HttpRequest, guest: User) -> bool:
    """Move what a guest has in the games to the user of the request. Return whether all their matches could be moved.

    A match where both have a seat stays with the guest, and a bot plays on for them.
    """
    with transaction.atomic():
        # In the order of keys, so that two processes never deadlock.
        list(User.objects.select_for_update().filter(pk__in=[guest.pk, request.user.pk]).order_by("pk"))
        guest_moving.send(User, guest=guest, user=request.user)
        for field in _references():
            _move(field, guest, request.user)
    for other in User.objects.filter(blocked_by__blocker=guest):
        with suppress(ties.NotPossible):
            ties.block(request.user, other)
    guest_adopted.send(User, user=request.user)
    has_moved_all = not guest.seats.exists()
    dismiss(request, guest)
    return has_moved_all


def dismiss(request: HttpRequest, guest: User) -> None:
    """Ask no more about a guest, and let them leave their tables. Nobody can log in as them again."""
    request.session.pop(SESSION_KEY, None)
    account_closing.send(User, user=guest)


def _references() -> Iterator[models.ForeignKey]:
    """Yield the foreign keys to users in the models of games."""
    for relation in User._meta.get_fields(include_hidden=True):
        if relation.auto_created and (relation.one_to_many or relation.one_to_one):
            model = relation.related_model._meta
            if model.app_config.name.startswith("games") and model.label_lower not in MODELS_THAT_STAY:
                yield relation.field


def _move(field: models.ForeignKey, guest: User, user: User) -> None:
    """Let the rows that refer to a guest by this field refer to the user, except where the user has such a row."""
    rows = field.model._base_manager.filter(**{field.name: guest})
    try:
        with transaction.atomic():
            rows.update(**{field.name: user})
    except IntegrityError:  # The user has such a row already. Move the others one by one.
        for key in list(rows.values_list("pk", flat=True)):
            with suppress(IntegrityError), transaction.atomic():
                rows.filter(pk=key).update(**{field.name: user})
