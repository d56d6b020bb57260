"""Which parts of somebody's statistics a reader may see."""

from typing import Self

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from accounts.models import User
from games.kit.language import lazy
from games.models import Seat, counting
from games.statistics.models import Audience, StatisticsPrivacy

PARTS = ("results", "people", "deals", "bests")


def visible_parts(reader: User | AnonymousUser, owner: User) -> set[str]:
    """Return the parts of a user's statistics that a reader may see, such as "results".

    owner: the user whose statistics they are. For each part they choose an audience: everybody, the users they have
    played with, or nobody. This takes at most two queries.
    """
    if reader.pk == owner.pk:
        return set(PARTS)
    privacy = StatisticsPrivacy.objects.filter(user=owner).first() or StatisticsPrivacy()
    audiences = {part: getattr(privacy, part) for part in PARTS}
    allowed = {Audience.EVERYBODY}
    # A visitor, without a key, has played with nobody. The query is only needed if a part has this audience.
    if Audience.PLAYED_WITH in audiences.values() and reader.pk and have_played(reader, owner):
        allowed.add(Audience.PLAYED_WITH)
    return {part for part, audience in audiences.items() if audience in allowed}


def have_played(user: User | AnonymousUser, other: User) -> bool:
    """Return whether two users have finished a match together."""
    return Seat.objects.filter(counting("match__"), user=user, finish__isnull=False, match__seats__user=other).exists()


class PrivacyForm(forms.ModelForm):
    class Meta:
        model = StatisticsPrivacy
        fields = ["results", "people", "deals", "bests"]
        labels = {
            "results": lazy("Results"),
            "people": lazy("Partners and opponents"),
            "deals": lazy("How deals went"),
            "bests": lazy("Bests"),
        }

    @classmethod
    def of(cls, user: User, data: QueryDict | None = None) -> Self:
        """Return the form with a user's current choices."""
        privacy = StatisticsPrivacy.objects.filter(user=user).first() or StatisticsPrivacy(user=user)
        return cls(data, instance=privacy, label_suffix="")
