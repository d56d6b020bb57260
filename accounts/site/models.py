"""What the staff decide about their site: its name and looks, who may come, its legal pages, and announcements."""

import re
import secrets

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

PAPER = (0xF5, 0xEF, 0xDF)  # --felt-ink in tokens.css: the colour of text on the colour of the site
LEAST_CONTRAST = 6.0  # The lighter shades of the colour then have at least the 4.5 of WCAG 1.4.3.


def _luminance(colour: tuple[int, ...]) -> float:
    """Return the relative luminance of red, green and blue in 0..255 (WCAG 2.2)."""
    shares = [value / 255 for value in colour]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def validate_colour(text: str) -> None:
    """Raise ValidationError unless this is a colour like #0f3b2e, dark enough for the light text of the bar."""
    if not re.fullmatch("#[0-9a-fA-F]{6}", text):
        raise ValidationError(gettext("Write a colour like #0f3b2e."))
    colour = tuple(bytes.fromhex(text[1:]))
    if (_luminance(PAPER) + 0.05) / (_luminance(colour) + 0.05) < LEAST_CONTRAST:
        raise ValidationError(gettext("Light text can’t be read on this colour. Choose a darker one."))


class SiteSettings(models.Model):
    """The settings of the site that its staff change in the admin. One row; without it, the defaults hold."""

    class SignUps(models.TextChoices):
        OPEN = "open", gettext_lazy("open to everybody")
        INVITATION = "invitation", gettext_lazy("by invitation")
        CLOSED = "closed", gettext_lazy("closed")

    DEFAULT_NAME = "Valat"

    name = models.CharField(max_length=30, default=DEFAULT_NAME)
    logo = models.BinaryField(null=True, blank=True)  # a PNG
    colour = models.CharField(max_length=7, blank=True, default="", validators=[validate_colour])
    welcome = models.TextField(max_length=1000, blank=True, default="")
    sign_ups = models.CharField(max_length=10, choices=SignUps, default=SignUps.OPEN)
    guests = models.BooleanField(default=True)
    imprint = models.TextField(max_length=20_000, blank=True, default="")
    privacy = models.TextField(max_length=20_000, blank=True, default="")
    terms = models.TextField(max_length=20_000, blank=True, default="")
    indexed = models.BooleanField(default=True)
    address_factor = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    address_factor_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(name="one_row_of_settings", condition=Q(pk=1))]

    def __str__(self) -> str:
        return gettext("settings of the site")


def _new_token() -> str:
    return secrets.token_urlsafe(16)


class SignupInvitation(models.Model):
    """A link that lets a number of people sign up while sign-ups are by invitation."""

    token = models.CharField(max_length=32, unique=True, default=_new_token, editable=False)
    note = models.CharField(max_length=100, blank=True, default="")
    uses_left = models.PositiveIntegerField(default=1)
    expires_at = models.DateTimeField(null=True, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )

    def __str__(self) -> str:
        return self.note or gettext("invitation {number}").format(number=self.pk)


class Announcement(models.Model):
    """A notice on every page, for a time. break_at: when a short stop of the site begins."""

    text = models.TextField(max_length=500)
    begins_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()
    break_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(name="announcement_has_time", condition=Q(ends_at__gt=F("begins_at")))]

    def __str__(self) -> str:
        return self.text[:60]

    def clean(self) -> None:
        if self.begins_at and self.ends_at and self.ends_at <= self.begins_at:  # The constraint has no words of ours.
            raise ValidationError({"ends_at": gettext("It must end after it begins.")})


class PageFailure(models.Model):
    """How often pages have failed at one place in the code. It holds no data of the request."""

    view = models.CharField(max_length=100)
    place = models.CharField(max_length=200)  # "KeyError at games/pages/lobby.py:120"
    times = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(name="page_failure_once", fields=["view", "place"])]

    def __str__(self) -> str:
        return self.place
