"""How people stand to each other: friends, whom they follow, whom they have blocked, who sees that they are here."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils import timezone
from django.utils.translation import gettext_lazy


def _user(related_name, *, db_index=True):
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name=related_name, db_index=db_index
    )


def _of_two(name, one, other):
    """The check that the two of a bond, by their fields, are not one and the same."""
    return models.CheckConstraint(condition=~Q(**{one: F(other)}), name=f"{name}_of_two")


def _once(name, one, other):
    """The constraints of a bond that goes one way: of two, and once a pair."""
    return [models.UniqueConstraint(fields=[one, other], name=f"{name}_once"), _of_two(name, one, other)]


class Friendship(models.Model):
    """One member has asked another to be friends; friends they are once that has been accepted."""

    asker = _user("friendships_asked_for")
    asked = _user("friendships_offered")
    asked_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(Least("asker", "asked"), Greatest("asker", "asked"), name="friendship_once_a_pair"),
            _of_two("friendship", "asker", "asked"),
        ]

    def __str__(self):
        return f"{self.asker_id} and {self.asked_id}"


class Follow(models.Model):
    """Somebody wants to see where somebody else plays, as far as everybody may."""

    follower = _user("following", db_index=False)
    followed = _user("followers")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = _once("follow", "follower", "followed")

    def __str__(self):
        return f"{self.follower_id} follows {self.followed_id}"


class Block(models.Model):
    """Somebody wants nothing more to do with somebody else, who isn't told. It holds in both directions."""

    blocker = _user("blocks", db_index=False)
    blocked = _user("blocked_by")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = _once("block", "blocker", "blocked")

    def __str__(self):
        return f"{self.blocker_id} has blocked {self.blocked_id}"


class Privacy(models.Model):
    """What somebody doesn't want to be seen. Who has none is seen."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="privacy")
    hides_presence = models.BooleanField(
        default=False, help_text=gettext_lazy("Friends aren't told when they are here, nor where.")
    )

    class Meta:
        verbose_name_plural = gettext_lazy("privacies")

    def __str__(self):
        return f"privacy of {self.user_id}"
