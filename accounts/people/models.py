"""Relations between users: friendships, follows, blocks. Also what users hide from others."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils import timezone
from django.utils.translation import gettext_lazy


def _user_field(related_name: str, *, db_index: bool = True) -> models.ForeignKey:
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name=related_name, db_index=db_index
    )


def _different_users(name: str, field: str, other_field: str) -> models.CheckConstraint:
    """Return a constraint: the users in two fields are different."""
    return models.CheckConstraint(condition=~Q(**{field: F(other_field)}), name=f"{name}_of_two")


def _one_row_a_pair(name: str, field: str, other_field: str) -> list[models.BaseConstraint]:
    """Return the constraints of a relation in one direction: between two different users, at most once."""
    unique = models.UniqueConstraint(fields=[field, other_field], name=f"{name}_once")
    return [unique, _different_users(name, field, other_field)]


class Friendship(models.Model):
    """A request of one member to be friends with another. They are friends after it is accepted."""

    asker = _user_field("friendships_asked_for")
    asked = _user_field("friendships_offered")
    asked_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(Least("asker", "asked"), Greatest("asker", "asked"), name="friendship_once_a_pair"),
            _different_users("friendship", "asker", "asked"),
        ]

    def __str__(self) -> str:
        return f"{self.asker_id} and {self.asked_id}"


class Follow(models.Model):
    """A user wants to see the public tables of another user."""

    follower = _user_field("following", db_index=False)
    followed = _user_field("followers")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = _one_row_a_pair("follow", "follower", "followed")

    def __str__(self) -> str:
        return f"{self.follower_id} follows {self.followed_id}"


class Block(models.Model):
    """A user does not want to meet another user, who is not notified. It works in both directions."""

    blocker = _user_field("blocks", db_index=False)
    blocked = _user_field("blocked_by")
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = _one_row_a_pair("block", "blocker", "blocked")

    def __str__(self) -> str:
        return f"{self.blocker_id} has blocked {self.blocked_id}"


class Privacy(models.Model):
    """What a user hides from others. Users without a row hide nothing."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="privacy")
    hides_presence = models.BooleanField(
        default=False, help_text=gettext_lazy("Friends aren't told when they are here, nor where.")
    )
    hides_name = models.BooleanField(
        default=False, db_default=False, help_text=gettext_lazy("The search for members doesn’t find them.")
    )

    class Meta:
        verbose_name_plural = gettext_lazy("privacies")

    def __str__(self) -> str:
        return f"privacy of {self.user_id}"
