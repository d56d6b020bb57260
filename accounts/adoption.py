"""Guests who log in to an account: their matches move to it, once they have said that the guest was them.

A browser may be shared, so nothing moves before. The session holds the guest until its user answers or logs out.
Meanwhile the guest is away from their tables, like anybody who has left the page.
"""

from collections.abc import Iterator

from django.db import IntegrityError, models, transaction
from django.http import HttpRequest

from accounts.export import has_data
from accounts.models import User
from accounts.signals import account_closing, guest_adopted

SESSION_KEY = "guest_to_adopt"  # The primary key of the guest.
APPS_THAT_MOVE = ("games", "accounts.people")  # Sessions, former names and sanctions stay with the guest.


def ask_about(request: HttpRequest, guest: User) -> None:
    """Ask the user of a session on each page whether this guest was them. If the guest has no data, just close it."""
    if has_data(guest):
        request.session[SESSION_KEY] = guest.pk
    else:
        account_closing.send(User, user=guest)


def guest_in_question(request: HttpRequest) -> User | None:
    """Return the guest who played in this browser before its user logged in, while we ask whether both are the same.

    Return None if there was no such guest, or if the user has answered.
    """
    if not request.user.is_authenticated or SESSION_KEY not in request.session:
        return None
    return User.objects.filter(pk=request.session[SESSION_KEY], is_guest=True).first()


def adopt(request: HttpRequest, guest: User) -> bool:
    """Move all data of a guest to the user of the request. Return whether all their matches could be moved.

    A match where both have a seat stays with the guest, and a bot plays on for them.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=guest.pk)
        for field in _references():
            _move(field, guest, request.user)
        guest_adopted.send(User, user=request.user)
    has_moved_all = not guest.seats.exists()
    dismiss(request, guest)
    return has_moved_all


def dismiss(request: HttpRequest, guest: User) -> None:
    """Ask no more about a guest, and let them leave their tables. Nobody can log in as them again."""
    request.session.pop(SESSION_KEY, None)
    account_closing.send(User, user=guest)


def _references() -> Iterator[models.ForeignKey]:
    """Yield the foreign keys to users in the models of games and people."""
    for relation in User._meta.get_fields(include_hidden=True):
        is_reference = relation.auto_created and (relation.one_to_many or relation.one_to_one)
        if is_reference and relation.related_model._meta.app_config.name.startswith(APPS_THAT_MOVE):
            yield relation.field


def _move(field: models.ForeignKey, guest: User, user: User) -> None:
    """Let the rows that refer to a guest by this field refer to the user, except where the user has such a row."""
    rows = field.model._base_manager.filter(**{field.name: guest})
    try:
        with transaction.atomic():
            rows.update(**{field.name: user})
    except IntegrityError:
        for key in list(rows.values_list("pk", flat=True)):
            try:
                with transaction.atomic():
                    rows.filter(pk=key).update(**{field.name: user})
            except IntegrityError:
                continue
