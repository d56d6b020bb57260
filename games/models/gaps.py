"""When the site works, and when it did not."""

from django.db import models


class Heartbeat(models.Model):
    """When processes of one kind last said that they work: one row for web processes, one for clocks."""

    class Kind(models.TextChoices):
        WEB = "web"
        CLOCK = "clock"

    kind = models.CharField(max_length=8, choices=Kind, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self):
        return self.kind


class Gap(models.Model):
    """A time without a working web process, or without a clock. Running matches get it back: see games.play.gaps."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="Empty while it lasts.")
    is_settled = models.BooleanField(default=False, help_text="Every running match has its time back.")

    def __str__(self):
        return f"from {self.began_at:%Y-%m-%d %H:%M:%S}"
