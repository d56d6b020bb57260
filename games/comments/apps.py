from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class CommentsConfig(AppConfig):
    name = "games.comments"
    verbose_name = gettext_lazy("comments")

    def ready(self) -> None:
        from games.chat.reporting import taken_back
        from games.comments import reading, writing
        from games.history import marks, records

        marks.register("comments", marks.Source(reading.marks, reading.version))
        records.register("comments", reading.documents)
        taken_back.connect(writing.set_hidden)
