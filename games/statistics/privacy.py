"""Which parts of somebody's statistics a reader may see."""

from django import forms

from games.kit.language import lazy
from games.models import Seat, counting
from games.statistics.models import Audience, StatisticsPrivacy

PARTS = ("results", "people", "deals", "bests")


def seen_by(reader, owner):
    """The set of the parts of `owner`'s statistics that `reader`, who may be nobody, may see. Two queries at most."""
    if reader.pk == owner.pk:
        return set(PARTS)
    shown = StatisticsPrivacy.objects.filter(user=owner).first() or StatisticsPrivacy()
    audiences = {part: getattr(shown, part) for part in PARTS}
    allowed = {Audience.EVERYBODY}
    if Audience.PLAYED_WITH in audiences.values() and reader.pk and have_played(reader, owner):
        allowed.add(Audience.PLAYED_WITH)
    return {part for part, audience in audiences.items() if audience in allowed}


def have_played(user, other):
    """Whether two users have finished a match together."""
    return Seat.objects.filter(counting("match__"), user=user, finish__isnull=False, match__seats__user=other).exists()


class ShownForm(forms.ModelForm):
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
    def of(cls, user, data=None):
        """The form of a user, as they have chosen it."""
        chosen = StatisticsPrivacy.objects.filter(user=user).first() or StatisticsPrivacy(user=user)
        return cls(data, instance=chosen, label_suffix="")
