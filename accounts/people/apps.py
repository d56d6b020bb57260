from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "accounts.people"
    label = "people"

    def ready(self):
        from accounts.belongings import register
        from accounts.people.belongings import PEOPLE

        register(PEOPLE)
