"""Who sees somebody's statistics, as a form."""

from django import forms

from games.kit.language import lazily
from games.statistics.models import StatisticsPrivacy


class ShownForm(forms.ModelForm):
    class Meta:
        model = StatisticsPrivacy
        fields = ["results", "people", "deals", "bests"]
        labels = {
            "results": lazily("Results"),
            "people": lazily("Partners and opponents"),
            "deals": lazily("How deals went"),
            "bests": lazily("Bests"),
        }

    @classmethod
    def of(cls, user, data=None):
        """The form of a user, as they have chosen it."""
        chosen = StatisticsPrivacy.objects.filter(user=user).first() or StatisticsPrivacy(user=user)
        return cls(data, instance=chosen, label_suffix="")
