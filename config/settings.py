"""All settings of the site. They come from the environment or from `.env` and have working defaults.

docs/hosting.md lists them for hosts.
"""

import os
import tempfile
from pathlib import Path

import environ
from django.utils.csp import CSP

from config.secret_key import load_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / ".env")

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="")
if not SECRET_KEY:
    SECRET_KEY = "for-development-only-because-everybody-can-read-it" if DEBUG else load_secret_key(BASE_DIR / ".env")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# Set HTTPS if browsers reach the site over https, usually through a proxy that ends TLS.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
if HTTPS:
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=365 * 24 * 3600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=False)
    SECURE_REDIRECT_EXEMPT = [r"^metrics$"]  # Monitoring reads it without the proxy.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

INSTALLED_APPS = [
    "daphne",
    "channels",
    "accounts",
    "accounts.people",
    "accounts.site",
    "games",
    "games.deal_index",
    "games.notes",
    "games.comments",
    "games.challenges",
    "games.statistics",
    "games.chat",
    "games.notifications",
    "games.ratings",
    "games.clubs",
    "games.analysis",
    "games.queue",
    "games.tallies",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "django.forms",
]

# No middleware here is sync-only: that would cost every async view two switches of thread.
MIDDLEWARE = [
    "games.pages.health.probe_middleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "config.middleware.private_pages_middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "games.pages.language.language_middleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.time_zones.time_zone_middleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.suspension.suspension_middleware",
    "accounts.confirming.AskToConfirm",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.people.online.presence_middleware",
    "games.pages.refusals.Refusals",
]

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

FORM_RENDERER = "accounts.form_fields.FormRenderer"  # Our own templates can replace the templates of widgets.

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.pages.language.languages",
                "accounts.site.views.context",
            ],
            "builtins": ["django.templatetags.i18n", "accounts.templatetags.moments", "accounts.templatetags.names"],
            "libraries": {
                "cards": "games.pages.templatetags.cards",
                "loading": "games.pages.templatetags.loading",
                "seats": "games.pages.templatetags.seats",
                "site": "games.pages.templatetags.site",
            },
        },
    },
]

# PostgreSQL if DATABASE_URL is set, else an SQLite file next to manage.py. If the database is away, visitors see so
# within five seconds, so all timeouts are shorter.
DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'db.sqlite3'}")}
DATABASE = DATABASES["default"]
OPTIONS = DATABASE.setdefault("OPTIONS", {})
if DATABASE["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE: otherwise a transaction that reads before it writes would fail at once while another writes.
    # NORMAL: a killed process loses nothing, but a power cut may lose the last moments.
    OPTIONS.update(
        transaction_mode="IMMEDIATE",
        timeout=4,
        init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-8000;",
    )
    # The threads of a test run share the database, so it must be a file. Each run has its own.
    DATABASE["TEST"] = {"NAME": Path(tempfile.gettempdir()) / f"valat-test-{os.getpid()}.sqlite3"}
else:
    DATABASE["CONN_HEALTH_CHECKS"] = True  # Check a pooled connection before it is used.
    OPTIONS.setdefault("connect_timeout", 3)
    OPTIONS.setdefault("tcp_user_timeout", 5_000)  # milliseconds without an acknowledgement by the server
    # Our queries are too short for the JIT compiler: with it a search took twice as long.
    OPTIONS.setdefault("options", "-c lock_timeout=4s -c idle_in_transaction_session_timeout=60s -c jit=off")
    # Under ASGI every request has its own thread, so connections are in a pool, not in threads.
    pool_size = env.int("DATABASE_POOL", default=12)  # 0: no pool
    if pool_size:
        # The pool retries for two seconds only. The next request starts it again.
        OPTIONS.setdefault("pool", {"min_size": 1, "max_size": pool_size, "timeout": 3, "reconnect_timeout": 2})
del OPTIONS

SILENCED_SYSTEM_CHECKS = ["models.W040"]  # SQLite ignores the included columns of an index, and is fast enough.

REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": "valat", "capacity": 10_000},
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "config.cache.PatientRedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},  # seconds
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"capacity": 10_000}}}
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 100_000},  # The rate limits are here.
        }
    }

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = env.path("STATIC_ROOT", default=str(BASE_DIR / "staticfiles"))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static.ModuleStaticFilesStorage",
        # The proxy must be able to read the files.
        "OPTIONS": {"file_permissions_mode": 0o644, "directory_permissions_mode": 0o755},
    },
}

# A factor for the pauses of bots and results, which let people follow the game: 0.5 is twice as fast.
PACE = env.float("PACE", default=1.0)

# The number of processes for bots. 0: bots think in a thread of the process that runs the clock.
BOT_PROCESSES = env.int("BOT_PROCESSES", default=min(os.cpu_count() or 1, 4))
ANALYSES = env.int("ANALYSES", default=1)  # The number of matches that each clock analyses at the same time.
# The number of people's matches a day that are analysed before anybody asks, while the machine has little else to do.
ANALYSES_AHEAD = env.int("ANALYSES_AHEAD", default=20)

# The number of open tables of a user, and of all users who logged in from an address. A school has one address.
TABLES_A_USER = env.int("TABLES_A_USER", default=20)
TABLES_AN_ADDRESS = env.int("TABLES_AN_ADDRESS", default=200)

# The number of open sockets of a user and of an address, and of their messages a second (three times as many in a
# burst). Each process counts its own.
SOCKETS_A_USER = env.int("SOCKETS_A_USER", default=30)
SOCKETS_AN_ADDRESS = env.int("SOCKETS_AN_ADDRESS", default=400)
MESSAGES_A_USER = env.float("MESSAGES_A_USER", default=10)
MESSAGES_AN_ADDRESS = env.float("MESSAGES_AN_ADDRESS", default=200)

# The chat: "free" (free text among friends and where a host allows it), "phrases" (only fixed phrases) or "off".
TALK = env.str("TALK", default="free")

# Addresses or networks that may read /metrics.
METRICS_ALLOWED = env.list("METRICS_ALLOWED", default=["127.0.0.1", "::1"])

# The key that signs push messages. `manage.py vapid_keys` generates one. Without it the site has no push.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")

# Private addresses or networks that webhooks and push may use, also over http.
NOTICES_INSIDE = env.list("NOTICES_INSIDE", default=[])

LANGUAGE_CODE = "en"
LANGUAGE_COOKIE_NAME = "language"
LOCALE_PATHS = [*map(Path, env.list("LOCALE_PATHS", default=[])), BASE_DIR / "locale"]
TRANSLATED = sorted(
    {
        path.parts[-3].replace("_", "-").lower()
        for folder in LOCALE_PATHS
        for path in folder.glob("*/LC_MESSAGES/django.mo")
    }
)
# The site offers English and the languages that it has been translated to.
LANGUAGES = [(code, code) for code in env.list("LANGUAGES", default=["en", *TRANSLATED])]
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_I18N = True
USE_TZ = True

# Without a mail server, mails are printed, and the staff issue reset links.
EMAIL = env.email("EMAIL_URL", default="consolemail://")
if not env.str("EMAIL_URL", default=""):
    SILENCED_SYSTEM_CHECKS.append("mail.E001")  # Mail is optional.
if HTTPS and not SECURE_HSTS_INCLUDE_SUBDOMAINS:
    SILENCED_SYSTEM_CHECKS += ["security.W005", "security.W021"]  # Subdomains may have no https.
MAILERS = {
    "default": {
        "BACKEND": EMAIL["EMAIL_BACKEND"],
        "OPTIONS": {
            option: EMAIL[name]
            for option, name in [
                ("host", "EMAIL_HOST"),
                ("port", "EMAIL_PORT"),
                ("username", "EMAIL_HOST_USER"),
                ("password", "EMAIL_HOST_PASSWORD"),
                ("use_tls", "EMAIL_USE_TLS"),
                ("use_ssl", "EMAIL_USE_SSL"),
                ("file_path", "EMAIL_FILE_PATH"),
            ]
            if EMAIL.get(name)
        },
    }
}
if "smtp" in EMAIL["EMAIL_BACKEND"]:
    MAILERS["default"]["BACKEND"] = "config.mail.EmailBackend"
    MAILERS["default"]["OPTIONS"]["timeout"] = 10  # seconds
del EMAIL
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="valat@localhost")

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
BODY_SIZE = 100_000  # The largest body of a request, in bytes.
REQUEST_WITHIN = env.int("REQUEST_WITHIN", default=30)  # Seconds for receiving the body of a request, under uvicorn.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100

from config.account_settings import *  # noqa: E402, F403

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"once_a_minute": {"()": "config.logs.OnceAMinute"}, "no_probe": {"()": "config.logs.NoProbe"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["once_a_minute"]}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {
        # Anybody can send a wrong Host header, so it needs no traceback.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "django.request": {"filters": ["no_probe"]},
        "uvicorn.error": {"filters": ["once_a_minute"]},  # It has its own handler.
        "valat": {"level": env.str("LOG_LEVEL", default="INFO")},
    },
}
