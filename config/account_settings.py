"""The settings of accounts: Django's own and those of django-allauth."""

import environ

env = environ.Env()
HAS_MAIL = bool(env.str("EMAIL_URL", default=""))  # else nothing is sent, and hosts hand out reset links

AUTH_USER_MODEL = "accounts.User"
LOGIN_REDIRECT_URL = "lobby"
LOGOUT_REDIRECT_URL = "lobby"
LOGIN_URL = "account_login"
SESSION_COOKIE_AGE = 90 * 24 * 3600
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "login": "accounts.forms.LoginForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "signup": "accounts.forms.SignupForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "email"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # guests are authenticated too, and may sign up and log in
ACCOUNT_CHANGE_EMAIL = True  # one address an account
ACCOUNT_EMAIL_VERIFICATION = "optional" if HAS_MAIL else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = HAS_MAIL
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Valat: "
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # for changes of the address; what else needs it has a decorator
ACCOUNT_REAUTHENTICATION_TIMEOUT = 5 * 60
ACCOUNT_PREVENT_ENUMERATION = "strict"  # nobody learns from us whose address is known here
ACCOUNT_RATE_LIMITS = {
    "signup": "20/m/ip,200/d/ip",
    "login": "120/m/ip",
    "login_failed": "20/m/ip,5/5m/key",  # key: network and name; of second factors the user
    # What our adapter counts besides.
    "login_failed_known": "5/5m/key",  # by browser
    "login_failed_anywhere": "100/h/key",  # by name; when they are used up,
    "login_failed_besieged": "3/h/key",  # by network and name
}

# Who is new here: for so many hours, and until they have finished so many matches; 0 for none.
NEWCOMER_HOURS = env.int("NEWCOMER_HOURS", default=24)
NEWCOMER_MATCHES = env.int("NEWCOMER_MATCHES", default=3)

# How often our own pages may be asked, written as above. "/user" counts only those who are logged in; "/ip" is enough
# for a school behind one address.
RATE_LIMITS = {
    "guest": "60/m/ip,600/h/ip",  # new guests
    "name": "30/h/user,300/h/ip",  # names that guests choose, refused ones too
    "open_table": "60/h/user,600/h/ip",  # quick play and rematches too
    "sit": "120/h/user,1200/h/ip",
    "act": "300/m/user,3000/m/ip",  # moves and other acts at a table that come by post; sockets count their own
    "history": "120/m/user,600/m/ip",
    "replay": "240/m/user,600/m/ip",  # and what else is folded from a match's moves: sheets, checks of the shuffles
    "invite": "120/h/user,1200/h/ip",  # people asked to a table
    "people": "120/h/user,1200/h/ip",  # friends asked, follows, blocks
    "talk": "6/20s/user,30/5m/user,200/h/user",  # said at tables, by socket or by post
    "clubs": "120/h/user,1200/h/ip",  # clubs founded, joined and led
    "message": "10/m/user,200/h/user",  # written to friends
    "talk_new": "4/20s/user,15/5m/user,60/h/user",  # these, and comments, of who is new here
    "message_new": "5/m/user,30/d/user",
    "comment": "10/m/user,100/h/user,300/d/user",  # on moves of finished matches
    "comment_new": "4/m/user,30/d/user",
    "invite_new": "10/h/user",
    "report": "5/10m/user,20/d/user",
    "coach": "30/m/user,120/m/ip",  # hints, and why a bot played as it did: each makes a bot think
    "analysis": "30/h/user,120/h/ip",  # finished matches that somebody has analysed
    "claim_address": "120/m/ip",  # claims by post; sockets count their own
    "claim": "20/m/user",  # claims, each of which takes some tenths of a second to prove
    "bots": "30/h/user,300/h/ip",  # bots of members, and their tokens, that are made
    "picture": "20/m/user,60/m/ip",  # sheets drawn
    "card": "60/m/ip,600/h/ip",  # pictures of matches and moments for links elsewhere
    "together": "30/h/user,300/h/ip",  # rooms opened to watch a replay together
    "download": "6/h/user,60/h/ip",
    "notices": "60/h/user,600/h/ip",  # settings of what somebody is told, and browsers that take push
    "notices_test": "10/h/user,60/h/ip",  # messages to see whether they arrive
    "waiting": "20/m/user,400/m/ip",  # pages without a socket that ask how many tables wait
}

MFA_ADAPTER = "accounts.adapter.FactorAdapter"
MFA_FORMS = {
    "activate_totp": "accounts.forms.ActivateTotpForm",
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "authenticate": "accounts.forms.AuthenticateForm",
    "reauthenticate": "accounts.forms.ReauthenticateByCodeForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Valat"
MFA_TOTP_TOLERANCE = 1  # one code before and after, for clocks that are not exact

# How many reverse proxies of ours stand in front: as many of X-Forwarded-For's last addresses are believed.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)
