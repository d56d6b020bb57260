"""Corrections of the site's texts, which members send to the staff."""

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.limits import allow_user
from accounts.models import User
from games.chat.models import Correction
from games.chat.posting import TooFast, demand_voice
from games.chat.wording import clean_text
from games.kit.language import language, lazy
from games.play.errors import NotAllowed

LONGEST = 300  # Characters of the words and of the suggestion.
LONGEST_PAGE = 200
SECRETS = ("token", "invitation", "key")  # Parts of addresses. A key that is a number is none.
DONE_LIFETIME = timedelta(days=30)
LIFETIME = timedelta(days=365)


def page_of(address: object) -> str:
    """Return the path of an address if it leads to one of our pages, else "".

    Staff read it, so it leaves out the query, and pages whose path has a secret, such as the link to write a tally.
    """
    if not isinstance(address, str) or not url_has_allowed_host_and_scheme(address, None):
        return ""
    path = urlsplit(address).path
    try:
        parts = resolve(path).kwargs
    except Resolver404:
        return ""
    has_secret = any(isinstance(parts.get(name), str) for name in SECRETS)
    return path if len(path) <= LONGEST_PAGE and not has_secret else ""


def send(user: User, page: object, words: object, suggestion: object) -> Correction:
    """Store a correction in the active language, and return it. The same one twice is stored once. Raise Refused."""
    if user.is_guest or user.is_program:
        raise NotAllowed(lazy("Corrections need an account. Sign up first."))
    demand_voice(user)
    fields = {"page": page_of(page), "language": language()}
    fields |= {"words": clean_text(words, LONGEST), "suggestion": clean_text(suggestion, LONGEST)}
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # Two clicks count one after the other.
        if existing := user.corrections.filter(**fields).first():
            return existing
        if not allow_user(user, "correction"):
            raise TooFast(lazy("You have sent a lot of corrections today. Thank you! Send the next one tomorrow."))
        return user.corrections.create(**fields)


def old(now: datetime) -> QuerySet[Correction]:
    """Return the corrections that nobody needs any more."""
    return Correction.objects.filter(Q(done_at__lt=now - DONE_LIFETIME) | Q(sent_at__lt=now - LIFETIME))
