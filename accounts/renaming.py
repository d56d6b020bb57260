"""Another name for an account: so seldom that people know each other again, and the old one leads to the new."""

from contextlib import contextmanager
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts import names
from accounts.models import PastName, User
from accounts.signals import renamed
from accounts.time_zones import in_words

PAUSE = timedelta(days=30)  # between two changes
HELD = timedelta(days=365)  # in which nobody else may take an old name


class NameTaken(Exception):
    """The name was free when the form was checked, and is not any more."""


@contextmanager
def claiming():
    """A transaction in which a user gets a name. Raises NameTaken if another user was quicker by a moment."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise NameTaken from None


class TooSoon(Exception):
    """The last change is not long ago enough. Its text is shown to the player."""


def next_change(user):
    """The moment from which a user may change their name again, or None where they may now."""
    latest = user.past_names.order_by("-changed_at").first()
    moment = latest.changed_at + PAUSE if latest else None
    return moment if moment and moment > timezone.now() else None


def rename(user, name):
    """Let an account go by another name. name: clean, as NameForm gives it. Raises TooSoon, NameTaken."""
    with claiming():
        user = User.objects.select_for_update().get(pk=user.pk)
        if user.username == name:
            return
        if moment := next_change(user):
            date = in_words(moment, "start")
            raise TooSoon(gettext("You can change your name again on {date}.").format(date=date))
        PastName.objects.filter(user=user, casefolded_name=names.casefold(name)).delete()
        PastName.objects.create(
            user=user, name=user.username, casefolded_name=user.casefolded_name, skeleton=user.skeleton
        )
        user.username = name
        user.save(update_fields=["username"])
        demand_unheld(user)
    renamed.send(User, user=user)


def is_held(name, *, by_other_than=None):
    """Whether a user other than the one with this primary key has lately given up `name`, or one that looks like it."""
    alike = PastName.objects.filter(Q(casefolded_name=names.casefold(name)) | Q(skeleton=names.skeleton(name)))
    return alike.filter(changed_at__gt=timezone.now() - HELD).exclude(user=by_other_than).exists()


def demand_unheld(user):
    """Raises NameTaken if a user has just been saved with a name that another gave up at the same moment."""
    if is_held(user.username, by_other_than=user.pk):
        raise NameTaken


def now_called(name):
    """The account that went by `name` before, the last one to do so, or None."""
    past = PastName.objects.filter(casefolded_name=names.casefold(name), user__is_guest=False, user__is_active=True)
    latest = past.select_related("user").order_by("-changed_at").first()
    return latest and latest.user
