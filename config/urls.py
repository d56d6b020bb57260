"""The URLs of the site."""

from django.contrib import admin
from django.urls import include, path

from games.pages.overview import overview

urlpatterns = [
    path("admin/overview/", admin.site.admin_view(overview), name="overview"),
    path("admin/", admin.site.urls),
    path("", include("accounts.site.urls")),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("games.pages.urls")),
]

handler404 = "games.pages.refusals.not_found"
handler500 = "games.pages.outage.server_error"
