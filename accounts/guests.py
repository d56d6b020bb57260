"""Guests: players without an account. Only the session of their browser can log them in."""

import secrets
from datetime import datetime

from allauth.account.adapter import get_adapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext

from accounts.devices import check_admission
from accounts.export import all_exports
from accounts.limits import allow, too_many
from accounts.models import User
from accounts.site import current

# At most nine letters each, so that a bird with a number fits into a seat at a table.
BIRD_NAMES = """
    Avocet Bittern Blackbird Bunting Bustard Buzzard Chaffinch Chough Condor Cormorant Crane Crossbill Curlew Dipper
    Dove Dunlin Dunnock Eagle Egret Eider Falcon Fieldfare Flamingo Gannet Godwit Goldfinch Goosander Goshawk Grebe
    Gull Harrier Hawk Heron Hoopoe Ibis Jackdaw Jay Kestrel Kingbird Kite Lapwing Lark Linnet Magpie Mallard Martin
    Merlin Nightjar Nuthatch Oriole Osprey Ouzel Owl Partridge Pelican Penguin Petrel Pheasant Pigeon Pipit Plover
    Puffin Quail Rail Raven Redpoll Redstart Robin Rook Ruff Sandpiper Shelduck Shrike Siskin Skua Skylark Snipe
    Sparrow Spoonbill Starling Stilt Stint Stonechat Stork Swallow Swan Swift Teal Tern Thrush Turnstone Wagtail
    Warbler Waxwing Whimbrel Whinchat Wigeon Wren Wryneck
"""
BIRDS = tuple(BIRD_NAMES.split())


def guest_for(request: HttpRequest) -> User:
    """Return the user of a request. If nobody is logged in, log in a new guest.

    Raises ImmediateHttpResponse, which allauth's middleware answers, if no new user may come from this browser or if
    too many guests have come from its address.
    """
    if request.user.is_authenticated:
        return request.user
    check_admission(request)
    if not current.settings().guests:
        messages.info(request, gettext("This site is for members only. Log in to play."))
        raise ImmediateHttpResponse(redirect("account_login"))
    if not allow(request, "guest"):
        raise ImmediateHttpResponse(too_many(request))
    guest = new_guest()
    get_adapter(request).login(request, guest)
    UserSession.objects.create_from_request(request)
    return guest


def new_guest() -> User:
    """Create a guest with a name like "Heron 42". Names that people choose have no space, so they never clash."""
    # The highest number in each of 50 attempts. Short numbers come first, while there are free ones.
    for highest in (99, 99, 99, 999, 999, *[9999] * 45):
        name = f"{secrets.choice(BIRDS)} {2 + secrets.randbelow(highest - 1)}"
        guest = User(username=name, is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:  # Another guest has this name.
            continue
        return guest
    raise RuntimeError("Every name for a guest that was tried is taken: run manage.py tidy.")


def has_chosen_name(guest: User) -> bool:
    """Return whether a guest has chosen a name, rather than kept the one from `new_guest`."""
    return " " not in guest.username


def abandoned_guests(since: datetime) -> QuerySet[User]:
    """Return the guests who joined before the moment `since`, have done nothing after it, and have no lasting data."""
    guests = User.objects.filter(is_guest=True, date_joined__lt=since)
    for kind in all_exports():  # The kinds of data that a user can have.
        guests = guests.exclude(kind.is_owner(since))
    return guests
