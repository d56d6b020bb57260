"""A user's settings of notifications: subscriptions, browsers, mail and webhook."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.http import HttpRequest

from accounts.models import User
from games.kit.language import lazy, lazy_count
from games.notifications import guard, outbox, push
from games.notifications.models import DeliveryMethod, Medium, NotificationKind, Subscription
from games.notifications.validity import mail_address
from games.notifications.webhook import Form
from games.play.errors import NotAllowed, Refused

KINDS = [NotificationKind(value) for value in NotificationKind.values if value != NotificationKind.TEST]
DEFAULT_KINDS: Mapping[object, Sequence[object]] = {  # Users who turn on a medium are subscribed to these.
    Medium.PUSH: KINDS,
    Medium.WEBHOOK: KINDS,
    Medium.MAIL: [NotificationKind.TURN, NotificationKind.INVITATION, NotificationKind.FRIEND],
}
MAX_BROWSERS = 10


def subscriptions_of(user: User) -> dict[str, set[str]]:
    """Return the kinds of notifications that a user wants, by medium (push, mail or webhook)."""
    subscriptions: dict[str, set[str]] = {medium: set() for medium in Medium.values}
    for medium, kind in Subscription.objects.filter(user=user).values_list("medium", "kind"):
        subscriptions[medium].add(kind)
    return subscriptions


@transaction.atomic
def set_subscriptions(user: User, subscriptions: Mapping[str, Iterable[str]], origin: str) -> None:
    """Replace a user's choice of notifications: the kinds that they want, by medium (push, mail or webhook).

    Ignore unknown kinds. A user who wants any kind by mail gets a delivery method (an address to send to) for it.
    origin: the URL of the site as the user reached it, for links. Raise Refused.
    """
    _lock_user(user)  # Two changes at once would mix their rows.
    kinds = {medium: set(subscriptions.get(medium, ())) & set(KINDS) for medium in Medium.values}
    if kinds[Medium.MAIL] and not mail_address(user):
        raise Refused(lazy("Email needs an account with a confirmed address. Confirm yours in the settings."))
    Subscription.objects.filter(user=user).delete()
    Subscription.objects.bulk_create(
        Subscription(user=user, medium=medium, kind=kind) for medium in Medium.values for kind in sorted(kinds[medium])
    )
    for medium in Medium.values:
        outbox.drop_pending(user, medium, set(KINDS) - kinds[medium])
    if kinds[Medium.MAIL]:
        DeliveryMethod.objects.update_or_create(user=user, medium=Medium.MAIL, defaults={"origin": origin})
    else:
        DeliveryMethod.objects.filter(user=user, medium=Medium.MAIL).delete()


class Browser(NamedTuple):
    """A browser's push subscription, as the browser sends it."""

    endpoint: str
    public_key: str
    secret: str
    name: str


@transaction.atomic
def subscribe(user: User, session: UserSession | None, browser: Browser, origin: str) -> DeliveryMethod:
    """Start to send push messages to a browser of a user. Return its delivery method. Raise Refused.

    session: the login there. The messages end with it. browser: the URL to send to (its endpoint), keys and a name.
    origin: the URL of the site, for links. If another user had this browser, it is now this user's: only somebody at
    the browser can know its keys.
    """
    endpoint, public_key, secret, name = browser
    _lock_user(user)
    if not push.is_offered():
        raise Refused(lazy("This site has no push messages. Choose another way to be notified."))
    if not push.are_keys(public_key, secret):
        raise Refused(lazy("That doesn’t come from a browser. Turn push messages on in the settings."))
    _check_url(endpoint)
    browsers = DeliveryMethod.objects.select_for_update(no_key=True).filter(medium=Medium.PUSH)
    existing = browsers.filter(address=endpoint).first()
    if existing and (existing.public_key, existing.secret) != (public_key, secret):
        raise NotAllowed(lazy("Another browser has this subscription. Turn push messages off and on again."))
    if existing and existing.user_id != user.pk:
        existing.delete()  # This also deletes the other user's pending notifications.
        existing = None
    if existing is None and DeliveryMethod.objects.filter(user=user, medium=Medium.PUSH).count() >= MAX_BROWSERS:
        one = "You have {number} browser with push, as many as we allow. Remove it."
        many = "You have {number} browsers with push, as many as we allow. Remove one of them."
        raise Refused(lazy_count(MAX_BROWSERS, one, many))
    values = {"session": session, "name": name[:60], "origin": origin, "failures": 0, "trouble": ""}
    method, is_new = DeliveryMethod.objects.update_or_create(
        user=user, medium=Medium.PUSH, address=endpoint, public_key=public_key, secret=secret, defaults=values
    )
    if is_new:
        _subscribe_by_default(user, Medium.PUSH)
    return method


@transaction.atomic
def set_webhook(user: User, url: str, form: str, origin: str) -> None:
    """Set or replace a user's webhook, a URL for notifications by POST. Raise Refused.

    form: the format of the body, a value of Form. origin: the URL of the site, for links.
    """
    _lock_user(user)
    if user.is_guest or user.is_program:
        raise NotAllowed(lazy("A webhook needs an account. Sign up first."))
    if form not in Form.values:
        raise Refused(lazy("Choose what the webhook is for."))
    _check_url(url)
    # The new row has no failures and no pending notifications.
    DeliveryMethod.objects.filter(user=user, medium=Medium.WEBHOOK).delete()
    DeliveryMethod.objects.create(user=user, medium=Medium.WEBHOOK, address=url, form=form, origin=origin)
    _subscribe_by_default(user, Medium.WEBHOOK)


def remove(user: User, pk: int) -> bool:
    """Delete a delivery method of a user. Return whether there was one."""
    return bool(DeliveryMethod.objects.filter(user=user, pk=pk).delete()[0])


@transaction.atomic
def stop_mail(user_id: int) -> None:
    Subscription.objects.filter(user=user_id, medium=Medium.MAIL).delete()
    DeliveryMethod.objects.filter(user=user_id, medium=Medium.MAIL).delete()


def forget(user: User, **_: object) -> None:
    """Receive `account_closing`: delete the user's delivery methods."""
    DeliveryMethod.objects.filter(user=user).delete()


def forget_browser(request: HttpRequest | None, user: User | None, **_: object) -> None:
    """Send no more push messages to a browser when its user logs out: a receiver of the signal `user_logged_out`."""
    if user is not None and request is not None and request.session.session_key:
        DeliveryMethod.objects.filter(user=user, session__session_key=request.session.session_key).delete()


@transaction.atomic
def send_test(user: User, pk: int) -> bool:
    """Send a test message by a delivery method: a browser, address or webhook of a user.

    pk: its primary key. Return False if the user has no such method. One that was disabled after too many failures is
    enabled again.
    """
    method = DeliveryMethod.objects.select_for_update(no_key=True).filter(user=user, pk=pk).first()
    if method is None:
        return False
    if method.disabled_at:
        method.disabled_at, method.failures = None, 0
        method.save(update_fields=["disabled_at", "failures"])
    outbox.write(method, outbox.News(NotificationKind.TEST, secrets.token_hex(8)))  # A unique key: each test is sent.
    return True


def _lock_user(user: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _check_url(url: str) -> None:
    try:
        guard.parse_url(url)
    except guard.Forbidden as reason:
        raise Refused(*reason.args) from None


def _subscribe_by_default(user: User, medium: object) -> None:
    if not Subscription.objects.filter(user=user, medium=medium).exists():
        Subscription.objects.bulk_create(
            Subscription(user=user, medium=medium, kind=kind) for kind in DEFAULT_KINDS[medium]
        )
