from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """How strong people are at each game, by their rated matches."""

    name = "games.ratings"
    label = "ratings"
    verbose_name = "ratings"

    def ready(self):
        from accounts import belongings
        from games.ratings.belongings import RATINGS

        belongings.register(RATINGS)
