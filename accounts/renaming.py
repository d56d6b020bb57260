"""Changes of an account's name. They are limited, so that people recognise each other. Links to old names work."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts import names
from accounts.models import PastName, User
from accounts.signals import renamed
from accounts.time_zones import in_words

MIN_INTERVAL = timedelta(days=30)  # between two changes
OLD_NAME_LIFETIME = timedelta(days=365)  # Until then nobody else may take an old name.


class NameTaken(Exception):
    """Somebody else has taken the name since the form was checked."""


@contextmanager
def claim_name() -> Iterator[None]:
    """Open a transaction that saves a user's name. Raises NameTaken if another user saved it at the same moment."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise NameTaken from None


class TooSoon(Exception):
    """The last change was too recent. The text is for the player."""


def next_change(user: User) -> datetime | None:
    """Return when a user may change their name again, or None if they may do so now."""
    latest = user.past_names.order_by("-changed_at").first()
    moment = latest.changed_at + MIN_INTERVAL if latest else None
    return moment if moment and moment > timezone.now() else None


def rename(user: User, name: str) -> None:
    """Change an account's name. name: cleaned by NameForm. Raises TooSoon, NameTaken."""
    with claim_name():
        user = User.objects.select_for_update().get(pk=user.pk)
        if user.username == name:
            return
        if moment := next_change(user):
            date = in_words(moment, "start")
            raise TooSoon(gettext("You can change your name again on {date}.").format(date=date))
        PastName.objects.filter(user=user, casefolded_name=names.casefold(name)).delete()  # They take back a past name.
        PastName.objects.create(
            user=user, name=user.username, casefolded_name=user.casefolded_name, skeleton=user.skeleton
        )
        user.username = name
        user.save(update_fields=["username"])
        check_not_recent(user)
    renamed.send(User, user=user)


def is_recent_name(name: str, *, except_pk: int | None = None) -> bool:
    """Return whether a user recently gave up this name, or one that looks like it.

    except_pk: the user who may take it back.
    """
    namesakes = PastName.objects.filter(Q(casefolded_name=names.casefold(name)) | Q(skeleton=names.skeleton(name)))
    return namesakes.filter(changed_at__gt=timezone.now() - OLD_NAME_LIFETIME).exclude(user=except_pk).exists()


def check_not_recent(user: User) -> None:
    """Raise NameTaken if another user gave up the name at the moment when this user was saved with it."""
    if is_recent_name(user.username, except_pk=user.pk):
        raise NameTaken


def find_by_past_name(name: str) -> User | None:
    """Return the account that gave up this name most recently, or None."""
    past = PastName.objects.filter(casefolded_name=names.casefold(name), user__is_guest=False, user__is_active=True)
    latest = past.select_related("user").order_by("-changed_at").first()
    return latest and latest.user
