from django.urls import path

from accounts.site import views

urlpatterns = [
    path("robots.txt", views.robots, name="robots"),
    path("imprint/", views.imprint, name="imprint"),
    path("privacy/", views.privacy, name="privacy"),
    path("terms/", views.terms, name="terms"),
    path("announcements/", views.announcements, name="announcements"),
    path("site/logo-<slug:version>.png", views.logo, name="site_logo"),
    path("site/colour-<slug:version>.css", views.colour, name="site_colour"),
    path("accounts/invitation/<slug:token>/", views.accept_invitation, name="accept_invitation"),
]
