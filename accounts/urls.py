"""URLs of accounts: our own views, and views of django-allauth that we change. allauth.urls has the others."""

from allauth.account import views as account_views
from allauth.mfa.base import views as mfa_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as totp_views
from allauth.mfa.webauthn import views as webauthn_views
from django.conf import settings
from django.urls import include, path

from accounts import views
from accounts.confirming import confirmed
from accounts.limits import limited

MAIL = {"has_mail": settings.HAS_MAIL}
email = account_views.EmailView.as_view(extra_context=MAIL)

urlpatterns = [
    path("guest/", views.guest, name="guest"),
    path("guest/matches/", views.guest_matches, name="guest_matches"),
    path("name/", views.name, name="name"),
    path("avatar/", views.avatar, name="avatar"),
    path("time-zone/", views.time_zone, name="time_zone"),
    path("people/", include("accounts.people.urls")),
    path("sanctions/<int:pk>/read/", views.sanction_read, name="sanction_read"),
    path("settings/", views.settings, name="settings"),
    path("download/", views.download, name="download"),
    path("delete/", views.delete, name="delete"),
    path("bots/", views.bots, name="bots"),
    path("bots/<int:pk>/token/", views.bot_token, name="bot_token"),
    path("bots/<int:pk>/delete/", views.delete_bot, name="delete_bot"),
    path("signup/", limited("sign_up", method="POST")(views.SignupView.as_view()), name="account_signup"),
    path("login/", limited("log_in", method="POST")(account_views.login), name="account_login"),
    path("logout/", views.LogoutView.as_view(), name="account_logout"),
    path("password/reset/", account_views.PasswordResetView.as_view(extra_context=MAIL), name="account_reset_password"),
    # Guests have no address, password or passkey. They need an account for these.
    path("email/", views.members_only(confirmed()(email)), name="account_email"),
    path("email/restore/<str:key>/", views.restore_address, name="restore_address"),
    path("password/change/", views.members_only(account_views.password_change), name="account_change_password"),
    path("password/set/", views.members_only(confirmed()(account_views.password_set)), name="account_set_password"),
    path("2fa/", views.members_only(mfa_views.index), name="mfa_index"),
    path("2fa/totp/activate/", views.members_only(totp_views.activate_totp), name="mfa_activate_totp"),
    path(
        "2fa/recovery-codes/generate/",
        views.members_only(recovery_views.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "2fa/recovery-codes/download/",
        views.members_only(confirmed(return_to="mfa_view_recovery_codes")(recovery_views.download_recovery_codes)),
        name="mfa_download_recovery_codes",
    ),
    path("2fa/webauthn/", views.members_only(webauthn_views.list_webauthn), name="mfa_list_webauthn"),
    path("2fa/webauthn/add/", views.members_only(webauthn_views.add_webauthn), name="mfa_add_webauthn"),
]
