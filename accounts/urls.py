"""The pages of accounts that django-allauth does not have."""

urlpatterns = []
