"""What somebody sets: of what they are told by which medium, in which browsers, at which address."""

import secrets
from collections.abc import Iterable
from typing import NamedTuple

from allauth.usersessions.models import UserSession
from django.db import transaction

from accounts.models import User
from games.kit.language import lazy, lazy_count
from games.notifications import guard, outbox, push
from games.notifications.models import DeliveryMethod, Medium, NotificationKind, Subscription
from games.notifications.standing import address_of_mail
from games.notifications.webhook import Form
from games.play.errors import NotAllowed, Refused

KINDS = [kind for kind in NotificationKind if kind != NotificationKind.TEST]  # that may be wished for
AT_FIRST = {  # of what somebody is told by a medium that they have just turned on
    Medium.PUSH: KINDS,
    Medium.WEBHOOK: KINDS,
    Medium.MAIL: [NotificationKind.TURN, NotificationKind.INVITATION, NotificationKind.FRIEND],
}
MOST_BROWSERS = 10


def subscriptions_of(user: User) -> dict[str, set[str]]:
    """{medium: kinds} of what a user subscriptions to be told."""
    found: dict[str, set[str]] = {medium: set() for medium in Medium}
    for medium, kind in Subscription.objects.filter(user=user).values_list("medium", "kind"):
        found[medium].add(kind)
    return found


@transaction.atomic
def set_subscriptions(user: User, wished: dict[str, Iterable[str]], origin: str) -> None:
    """Wish for these kinds by these channels, and no others. What is not offered is left out. Raises Refused.

    Mail comes from the first wish for it on, and ends with the last one. origin: of the site, for links.
    """
    _hold(user)
    kinds = {medium: set(wished.get(medium, ())) & set(KINDS) for medium in Medium}
    if kinds[Medium.MAIL] and not address_of_mail(user):
        raise Refused(lazy("Email needs an account with a confirmed address. Confirm yours in the settings."))
    Subscription.objects.filter(user=user).delete()
    Subscription.objects.bulk_create(
        Subscription(user=user, medium=medium, kind=kind) for medium in Medium for kind in sorted(kinds[medium])
    )
    for medium in Medium:
        outbox.unwanted(user, medium, set(KINDS) - kinds[medium])
    if kinds[Medium.MAIL]:
        DeliveryMethod.objects.update_or_create(user=user, medium=Medium.MAIL, defaults={"origin": origin})
    else:
        DeliveryMethod.objects.filter(user=user, medium=Medium.MAIL).delete()


class Browser(NamedTuple):
    """What a browser says of itself that takes push messages."""

    endpoint: str
    public_key: str
    secret: str
    name: str


@transaction.atomic
def subscribe(user: User, session: UserSession | None, browser: Browser, origin: str) -> DeliveryMethod:
    """Send push messages to a browser from now on. Raises Refused.

    Whoever knows the keys of a browser that another user had is at that browser, and takes it over.
    """
    endpoint, public_key, secret, name = browser
    _hold(user)
    if not push.is_offered():
        raise Refused(lazy("This site has no push messages. Choose another way to be notified."))
    if not push.are_keys(public_key, secret):
        raise Refused(lazy("That doesn’t come from a browser. Turn push messages on in the settings."))
    _demand_usable(endpoint)
    known = DeliveryMethod.objects.select_for_update(no_key=True).filter(medium=Medium.PUSH, address=endpoint).first()
    if known and (known.public_key, known.secret) != (public_key, secret):
        raise NotAllowed(lazy("Another browser has this subscription. Turn push messages off and on again."))
    if known and known.user_id != user.pk:
        known.delete()  # with all that waits for the other user
        known = None
    if known is None and DeliveryMethod.objects.filter(user=user, medium=Medium.PUSH).count() >= MOST_BROWSERS:
        one = "You have {number} browser with push, as many as we allow. Remove it."
        many = "You have {number} browsers with push, as many as we allow. Remove one of them."
        raise Refused(lazy_count(MOST_BROWSERS, one, many))
    values = {"session": session, "name": name[:60], "origin": origin, "failures": 0, "trouble": ""}
    method, new = DeliveryMethod.objects.update_or_create(
        user=user, medium=Medium.PUSH, address=endpoint, public_key=public_key, secret=secret, defaults=values
    )
    if new:
        _wish_at_first(user, Medium.PUSH)
    return method


@transaction.atomic
def set_webhook(user: User, url: str, form: str, origin: str) -> None:
    """Post to this address from now on, in this form. Raises Refused."""
    _hold(user)
    if user.is_guest or user.is_program:
        raise NotAllowed(lazy("A webhook needs an account. Sign up first."))
    if form not in Form.values:
        raise Refused(lazy("Choose what the webhook is for."))
    _demand_usable(url)
    # A new row: what failed or waited at another address is gone with it.
    DeliveryMethod.objects.filter(user=user, medium=Medium.WEBHOOK).delete()
    DeliveryMethod.objects.create(user=user, medium=Medium.WEBHOOK, address=url, form=form, origin=origin)
    _wish_at_first(user, Medium.WEBHOOK)


def remove(user: User, pk: int) -> bool:
    """Send nothing more by one of a user's ways. Returns whether it was theirs."""
    return bool(DeliveryMethod.objects.filter(user=user, pk=pk).delete()[0])


@transaction.atomic
def stop_mail(user_id: int) -> None:
    """Send no more mails to a user."""
    Subscription.objects.filter(user=user_id, medium=Medium.MAIL).delete()
    DeliveryMethod.objects.filter(user=user_id, medium=Medium.MAIL).delete()


def forget(user: User, **_) -> None:
    """Send nothing more to a user, who is leaving: a receiver of `account_closing`."""
    DeliveryMethod.objects.filter(user=user).delete()


def signed_out(request, user, **_) -> None:
    """Send nothing more to a browser in which somebody logs out: a receiver of `user_logged_out`."""
    if user is not None and request is not None and request.session.session_key:
        DeliveryMethod.objects.filter(user=user, session__session_key=request.session.session_key).delete()


@transaction.atomic
def send_test(user: User, pk: int) -> bool:
    """Send a message by one of a user's ways, to see whether it arrives. Returns whether it is theirs."""
    method = DeliveryMethod.objects.select_for_update(no_key=True).filter(user=user, pk=pk).first()
    if method is None:
        return False
    if method.disabled_at:
        method.disabled_at, method.failures = None, 0
        method.save(update_fields=["disabled_at", "failures"])
    outbox.write(method, outbox.News(NotificationKind.TEST, secrets.token_hex(8)))  # each test is another
    return True


def _hold(user: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two clicks come one after the other


def _demand_usable(url: str) -> None:
    try:
        guard.taken_apart(url)
    except guard.Forbidden as reason:
        raise Refused(*reason.args) from None


def _wish_at_first(user: User, medium: Medium) -> None:
    if not Subscription.objects.filter(user=user, medium=medium).exists():
        Subscription.objects.bulk_create(Subscription(user=user, medium=medium, kind=kind) for kind in AT_FIRST[medium])
