"""The user, our own model from the first migration, and what programs that play log in with."""

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual
from django.urls import reverse

from accounts import names


class UserManager(DjangoUserManager):
    """Users, found by their name in any case."""

    def get_by_natural_key(self, username):
        return self.get(casefolded_name=names.casefold(username))


class User(AbstractUser):
    """Somebody who plays: an account, a guest whom only this browser's session knows, or a program of somebody's.

    `username` is the name shown, as its owner wrote it. `casefolded_name` and `skeleton` follow from it
    whenever the user is saved, and keep a second name out that differs in case only or looks alike.
    A banned user is one that is not active.
    """

    first_name = None
    last_name = None
    username = models.CharField(
        "name", max_length=names.LONGEST, unique=True, error_messages={"unique": "This name is taken."}
    )
    casefolded_name = models.CharField(
        max_length=4 * names.LONGEST, unique=True, editable=False, db_column="folded_name"
    )
    skeleton = models.CharField(max_length=8 * names.LONGEST, unique=True, editable=False)
    is_guest = models.BooleanField("guest", default=False)
    is_program = models.BooleanField(
        "program", default=False, db_default=False, help_text="Plays by itself, run by its owner elsewhere."
    )
    ban_reason = models.CharField(max_length=200, blank=True, help_text="Shown to the banned user at log-in.")

    REQUIRED_FIELDS = []

    objects = UserManager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="name_not_short", condition=GreaterThanOrEqual(Length("username"), names.SHORTEST)
            ),
            models.CheckConstraint(name="name_not_long", condition=LessThanOrEqual(Length("username"), names.LONGEST)),
            models.CheckConstraint(
                name="guests_are_nobody_else",
                condition=models.Q(is_guest=False) | models.Q(email="", is_staff=False, is_superuser=False),
            ),
            models.CheckConstraint(
                name="programs_are_nobody_else",
                condition=models.Q(is_program=False)
                | models.Q(email="", is_guest=False, is_staff=False, is_superuser=False),
            ),
        ]

    def save(self, *, update_fields=None, **kwargs):
        self._name()
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "casefolded_name", "skeleton"}
        super().save(update_fields=update_fields, **kwargs)

    def clean(self):
        super().clean()
        self._name()

    def get_absolute_url(self):
        return reverse("profile", args=[self.username])

    def get_full_name(self):
        return self.username

    def get_short_name(self):
        return self.username

    def _name(self):
        self.username = names.normalize(self.username)
        self.casefolded_name = names.casefold(self.username)
        self.skeleton = names.skeleton(self.username)


class Program(models.Model):
    """A user that is a program: whose it is, and what it logs in with."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="program")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="programs")
    token_hash = models.CharField(max_length=64, unique=True, help_text="SHA-256 of its token, which only it knows.")

    def __str__(self):
        return f"{self.user} of {self.owner}"
