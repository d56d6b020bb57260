from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class CommentsConfig(AppConfig):
    """What players and members write beside the moves of finished matches."""

    name = "games.comments"
    verbose_name = gettext_lazy("comments")

    def ready(self):
        from games.chat.reporting import taken_back
        from games.comments import reading, writing
        from games.history import marks, records

        marks.register("comments", marks.Source(reading.marks, reading.version))
        records.register("comments", reading.documents)
        taken_back.connect(writing.take_back)
