from django.apps import AppConfig
from django.core.signals import got_request_exception
from django.db.models.signals import post_delete, post_save


class SiteConfig(AppConfig):
    name = "accounts.site"

    def ready(self) -> None:
        from accounts.site import current, failures
        from accounts.site.models import Announcement, SiteSettings

        for model in (SiteSettings, Announcement):
            post_save.connect(current.refresh, sender=model)
            post_delete.connect(current.refresh, sender=model)
        got_request_exception.connect(failures.record)
