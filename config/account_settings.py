"""The settings of accounts, for Django, django-allauth and our own views."""

import environ

env = environ.Env()
HAS_MAIL = bool(env.str("EMAIL_URL", default=""))  # Without mail, hosts issue reset links.

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
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # Guests are authenticated too, and may sign up and log in.
ACCOUNT_CHANGE_EMAIL = True  # An account has one address.
ACCOUNT_EMAIL_VERIFICATION = "optional" if HAS_MAIL else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = HAS_MAIL
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # It protects changes of the address. Other views have a decorator.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 5 * 60
ACCOUNT_PREVENT_ENUMERATION = "strict"  # Forms never reveal whether an address has an account.
ACCOUNT_RATE_LIMITS = {
    "signup": "",  # Our own views count these, see RATE_LIMITS.
    "login": "",
    "login_failed": "20/m/ip,5/5m/key",  # key: network and name, or the user for second factors
    # Only our adapter uses these. It applies the last one after the limit for a name is exceeded.
    "login_failed_known": "5/5m/key",  # key: browser and name
    "login_failed_anywhere": "100/h/key",  # key: name
    "login_failed_besieged": "3/h/key",  # key: network and name
}

# A user is new for this many hours, and until they have finished this many matches. 0 means no limit.
NEWCOMER_HOURS = env.int("NEWCOMER_HOURS", default=24)
NEWCOMER_MATCHES = env.int("NEWCOMER_MATCHES", default=3)

# Limits of our own views, written as above. Rates by user only apply to users who are logged in. Rates by address are
# high enough for a school behind one address. The limits that end in "_new" are for new users.
RATE_LIMITS = {
    "guest": "60/m/ip,600/h/ip",  # new guests
    "sign_up": "20/m/ip,200/d/ip",
    "log_in": "120/m/ip",
    "name": "30/h/user,300/h/ip",  # choices of a name, including refused ones
    "open_table": "60/h/user,600/h/ip",  # new tables, quick play and rematches
    "sit": "120/h/user,1200/h/ip",
    "queue": "120/h/user,1200/h/ip",  # entering the queue for players
    "queue_look": "600/m/user,6000/m/ip",  # pages of users who wait there: each asks every two seconds
    "act": "300/m/user,3000/m/ip",  # moves and other acts at a table by POST (sockets have a limit of their own)
    "history": "120/m/user,600/m/ip",
    "replay": "240/m/user,600/m/ip",  # views that replay a match's moves: replays, sheets, checks of the shuffles
    "invite": "120/h/user,1200/h/ip",  # invitations to a table
    "find_people": "60/m/user,600/h/user,3000/h/ip",  # searches for members, one for each pause in typing
    "people": "120/h/user,1200/h/ip",  # friend requests, follows, blocks
    "talk": "6/20s/user,30/5m/user,200/h/user",  # chat at tables, by socket or POST
    "clubs": "120/h/user,1200/h/ip",  # changes of clubs and memberships
    "club_notice": "5/10m/user,20/d/user",  # each rings the bells of all members
    "message": "10/m/user,200/h/user",  # messages to friends
    "talk_new": "4/20s/user,15/5m/user,60/h/user",
    "message_new": "5/m/user,30/d/user",
    "comment": "10/m/user,100/h/user,300/d/user",  # comments on moves of finished matches
    "comment_new": "4/m/user,30/d/user",
    "invite_new": "10/h/user",
    "report": "5/10m/user,20/d/user",
    "correction": "10/d/user",  # wrong words on pages
    "coach": "30/m/user,120/m/ip",  # hints, and reasons of a bot's move: each needs a bot to think
    "analysis": "30/h/user,120/h/ip",  # analyses of finished matches
    "claim_address": "120/m/ip",  # claims by POST (sockets have a limit of their own)
    "claim": "20/m/user",  # claims, which take some tenths of a second to prove
    "bots": "30/h/user,300/h/ip",  # new bots of members, and new tokens
    "picture": "20/m/user,60/m/ip",  # pictures of sheets
    "card": "60/m/ip,600/h/ip",  # preview pictures for links on other sites
    "together": "30/h/user,300/h/ip",  # new rooms for watching a replay together
    "tally": "30/d/user,300/d/ip",  # new tallies, copies of files among them
    "entry": "60/m/user,3000/d/user,600/m/ip",  # entries of tallies
    "download": "6/h/user,60/h/ip",
    "notices": "60/h/user,600/h/ip",  # settings of notifications, and browsers for push
    "notices_test": "10/h/user,60/h/ip",  # test messages
    "bell": "120/m/user,2400/m/ip",  # the list, which an open page reads again after each event
    "waiting": "20/m/user,400/m/ip",  # pages without a socket that poll the number of waiting tables
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
MFA_TOTP_TOLERANCE = 1  # Accept the code before and the code after, because clocks are not exact.

# The number of our own reverse proxies. We trust this many of the last addresses in X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)
