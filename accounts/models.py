"""The user, our own model from the first migration."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """An account."""
