"""Whether others see somebody's ratings."""

from games.ratings.models import RatedPlayer


def hides_ratings(user) -> bool:
    """Whether a user hides their ratings; nobody known hides none."""
    return user.pk is not None and RatedPlayer.objects.filter(user=user, hides_ratings=True).exists()


def set_hides_ratings(user, hides: bool) -> None:
    RatedPlayer.objects.update_or_create(user=user, defaults={"hides_ratings": hides})
