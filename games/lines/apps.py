from django.apps import AppConfig


class LinesConfig(AppConfig):
    """Other lines of play: from a position of a finished match on, and of the same deal at other tables."""

    name = "games.lines"
    label = "lines"
    verbose_name = "other lines of play"

    def ready(self):
        from accounts.belongings import register
        from games.lines.belongings import LINES

        register(LINES)
