"""Guests: players without an account, whom only their browser's session knows."""

import secrets

from allauth.account.adapter import get_adapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.usersessions.models import UserSession
from django.db import IntegrityError, transaction

from accounts.devices import demand_admission
from accounts.export import all_exports
from accounts.limits import allow, too_many
from accounts.models import User

# At most nine letters each, so that a bird and a number make a name that a seat at a table has room for.
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


def guest_for(request):
    """The user of `request`; a new guest, logged in by this, when it has nobody.

    Raises ImmediateHttpResponse, which allauth's middleware answers, where somebody who used
    this browser is kept out, or too many guests came from its address.
    """
    if request.user.is_authenticated:
        return request.user
    demand_admission(request)
    if not allow(request, "guest"):
        raise ImmediateHttpResponse(too_many(request))
    guest = new_guest()
    get_adapter(request).login(request, guest)
    UserSession.objects.create_from_request(request)
    return guest


def new_guest():
    """A new guest with a name of ours, "Heron 42": the space in it keeps it apart from all that people may choose."""
    for highest in (99, 99, 99, 999, 999, *[9999] * 45):
        name = f"{secrets.choice(BIRDS)} {2 + secrets.randbelow(highest - 1)}"
        guest = User(username=name, is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            continue  # taken: another bird
        return guest
    raise RuntimeError("Every name for a guest that was tried is taken: run manage.py tidy.")


def has_chosen_name(guest):
    """Whether a guest goes by a name of their own, and not by one of ours."""
    return " " not in guest.username


def lost_guests(since):
    """The guests who came before `since` and have nothing here that is kept, nor did anything since then."""
    lost = User.objects.filter(is_guest=True, date_joined__lt=since)
    for kind in all_exports():
        lost = lost.exclude(kind.is_owner(since))
    return lost
