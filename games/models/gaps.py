"""Signs of life from the processes of the site, and its outages."""

from django.db import models


class Heartbeat(models.Model):
    """The last sign of life from processes of one kind: one row for web processes, one for clocks."""

    class Kind(models.TextChoices):
        WEB = "web"
        CLOCK = "clock"

    kind = models.CharField(max_length=8, choices=Kind, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.kind


class Gap(models.Model):
    """An outage of all web processes or of the clock. Running matches get that time back: see games.play.gaps."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="Empty while it lasts.")
    is_settled = models.BooleanField(default=False, help_text="Every running match has its time back.")

    def __str__(self) -> str:
        return f"from {self.began_at:%Y-%m-%d %H:%M:%S}"
