"""The admin of what users hide from others. Their friends, follows and blocks are nobody else's business."""

from django.contrib import admin

from accounts.admin import RecordAdmin
from accounts.labels import label
from accounts.people.models import Privacy

label(Privacy, "privacy", "privacies", "user", "hides presence", "hides name")


@admin.register(Privacy)
class PrivacyAdmin(RecordAdmin):
    list_display = ["user", "hides_presence", "hides_name"]
    list_select_related = ["user"]
    list_filter = ["hides_presence", "hides_name"]
    search_fields = ["user__casefolded_name"]
    readonly_fields = ["user"]
