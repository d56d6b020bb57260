from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class CommentsConfig(AppConfig):
    """What players and members write beside the moves of finished matches."""

    name = "games.comments"
    label = "comments"
    verbose_name = gettext_lazy("comments")

    def ready(self):
        from accounts import belongings
        from games.comments import reading, writing
        from games.comments.belongings import COMMENTS
        from games.history import marks, records
        from games.talk.reporting import taken_back

        belongings.register(COMMENTS)
        marks.register("comments", marks.Source(reading.marks, reading.version))
        records.register("comments", reading.documents)
        taken_back.connect(writing.take_back)
