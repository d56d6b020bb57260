from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """What each decision of a finished match was worth, worked out once somebody asks, and stored."""

    name = "games.analysis"
    verbose_name = "analyses"

    def ready(self):
        from games.analysis.reading import MISTAKES
        from games.history import marks

        marks.register("analysis", MISTAKES)
