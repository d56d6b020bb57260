"""Users, their former names and addresses, programs that play, and sanctions."""

from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import get_language, gettext, gettext_lazy

from accounts import names, time_zones


def language_spoken() -> str:
    """Return the code of the language of the current page, or "" if the site has only one language."""
    return get_language() or settings.LANGUAGE_CODE if len(settings.LANGUAGES) > 1 else ""


class UserManager(DjangoUserManager):
    """Logins find users by their name in any case."""

    def get_by_natural_key(self, username: str) -> "User":
        return self.get(casefolded_name=names.casefold(username))


class User(AbstractUser):
    """A person or program that plays: an account, a guest, or a program of a member.

    `username` is the name as its owner wrote it. Each save computes three keys from it. `casefolded_name` and
    `skeleton` are unique, so that no two names differ only in case or look alike. `search_name` has no accents either.
    A banned user is not active.
    """

    first_name = None
    last_name = None
    username = models.CharField(
        gettext_lazy("name"),
        max_length=names.LONGEST,
        unique=True,
        error_messages={"unique": gettext_lazy("This name is taken.")},
    )
    casefolded_name = models.CharField(max_length=4 * names.LONGEST, unique=True, editable=False)
    skeleton = models.CharField(max_length=8 * names.LONGEST, unique=True, editable=False)
    search_name = models.CharField(max_length=4 * names.LONGEST, db_index=True, db_default="", editable=False)
    is_guest = models.BooleanField(gettext_lazy("guest"), default=False)
    is_program = models.BooleanField(
        gettext_lazy("program"),
        default=False,
        help_text=gettext_lazy("A program that its owner runs elsewhere."),
    )
    avatar = models.CharField(
        max_length=24,
        blank=True,
        default="",
        help_text=gettext_lazy("Pattern and colour; empty: as its key gives."),
    )
    language = models.CharField(
        max_length=12,
        blank=True,
        default=language_spoken,
        help_text=gettext_lazy("Of mails and notices, as a code: en. Empty: not known before the next login."),
    )
    time_zone = models.CharField(
        max_length=time_zones.LONGEST_NAME,
        blank=True,
        default="",
        help_text=gettext_lazy("A name like Europe/Sofia. Empty: the browser’s."),
    )

    REQUIRED_FIELDS: list[str] = []

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

    def save(self, *, update_fields: Iterable[str] | None = None, **kwargs: object) -> None:
        self._normalize_name()
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "casefolded_name", "skeleton", "search_name"}
        super().save(update_fields=update_fields, **kwargs)

    def clean(self) -> None:
        super().clean()
        self._normalize_name()

    @property
    def language_read(self) -> str:
        """The code of the language of mails and notices to this user."""
        return self.language if self.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE

    def has_perm(self, perm: str, obj: models.Model | None = None) -> bool:
        """Return whether a user has a permission. Suspended staff have none."""
        return super().has_perm(perm, obj) and not self._is_suspended

    def has_module_perms(self, app_label: str) -> bool:
        return super().has_module_perms(app_label) and not self._is_suspended

    @cached_property
    def _is_suspended(self) -> bool:
        return self.sanctions.filter(in_force(Sanction.Kind.SUSPENSION)).exists()

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.username])

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    def _normalize_name(self) -> None:
        self.username = names.normalize(self.username)
        self.casefolded_name = names.casefold(self.username)
        self.skeleton = names.skeleton(self.username)
        self.search_name = names.search_key(self.username)


class PastName(models.Model):
    """A former name of a user. Links to it still work, and nobody else may take it for a while."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="past_names")
    name = models.CharField(max_length=names.LONGEST)
    casefolded_name = models.CharField(max_length=4 * names.LONGEST, db_index=True)
    skeleton = models.CharField(max_length=8 * names.LONGEST, db_index=True)
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class FormerAddress(models.Model):
    """A verified email address that an account had until recently. A link sent there undoes the change."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="former_addresses")
    email = models.EmailField()
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.email


class Program(models.Model):
    """The owner and the login token of a user that is a program."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="program")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="programs")
    token_hash = models.CharField(
        max_length=64, unique=True, help_text=gettext_lazy("SHA-256 of its token, which only it knows.")
    )

    def __str__(self) -> str:
        return gettext("{name} of {owner}").format(name=self.user, owner=self.owner)


class Sanction(models.Model):
    """A warning, a suspension or a ban. Sanctions are lifted, but never rewritten or deleted."""

    class Kind(models.TextChoices):
        WARNING = "warning", gettext_lazy("Warning")
        SUSPENSION = "suspension", gettext_lazy("Suspension")
        BAN = "ban", gettext_lazy("Ban")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.CharField(max_length=200, help_text=gettext_lazy("Shown to them, as plain text."))
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True, help_text=gettext_lazy("Empty: until somebody lifts it."))
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    read_at = models.DateTimeField(
        null=True, blank=True, help_text=gettext_lazy("When they said that they have read a warning.")
    )
    lifted_at = models.DateTimeField(
        null=True, blank=True, help_text=gettext_lazy("Before its end, or when a ban came to it.")
    )
    lifted_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="sanction_of_a_kind", condition=models.Q(kind__in=["warning", "suspension", "ban"])
            )
        ]
        indexes = [
            models.Index(
                name="ban_to_end", fields=["until"], condition=models.Q(kind="ban", lifted_at=None, until__isnull=False)
            )
        ]

    def __str__(self) -> str:
        match self.kind:
            case self.Kind.WARNING:
                words = gettext("warning of {name}")
            case self.Kind.SUSPENSION:
                words = gettext("suspension of {name}")
            case _:
                words = gettext("ban of {name}")
        return words.format(name=self.user)


def in_force(kind: object) -> models.Q:
    """Return a condition for sanctions of this kind that are in force now."""
    return models.Q(kind=kind, lifted_at=None) & (models.Q(until=None) | models.Q(until__gt=timezone.now()))


class Exclusion(models.Model):
    """A suspension or ban of a deleted account. No new user may come from the browsers that the account has used."""

    account = models.CharField(max_length=64, unique=True, help_text=gettext_lazy("A keyed hash, which names nobody."))
    until = models.DateTimeField()

    def __str__(self) -> str:
        return gettext("exclusion {number}").format(number=self.pk)
