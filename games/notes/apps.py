from django.apps import AppConfig


class NotesConfig(AppConfig):
    """What players note of their matches for themselves, and the searches that they keep."""

    name = "games.notes"
    label = "notes"
    verbose_name = "notes"

    def ready(self):
        from accounts.belongings import register
        from games.notes.belongings import NOTES

        register(NOTES)
