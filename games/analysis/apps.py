from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "games.analysis"
    verbose_name = "analyses"

    def ready(self) -> None:
        from games.analysis.reading import MISTAKES
        from games.history import marks

        marks.register("analysis", MISTAKES)
