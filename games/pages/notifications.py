"""Settings of notifications by push, email and webhook, and how to stop them."""

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.confirming import confirmed
from accounts.limits import limited
from accounts.suspension import open_to_suspended
from games.history.lists import match_line
from games.kit.language import lazy, lazy_all, say
from games.notifications import bell, delivery_methods, mail, push, waiting, words
from games.notifications.models import Medium, NotificationKind
from games.notifications.models import NotificationKind as Kind
from games.notifications.validity import mail_address
from games.notifications.webhook import Form
from games.pages.refusals import NotHere, act, page
from games.play.errors import Refused

ACTS = lazy_all(  # what the link of an event says, by kind
    {
        Kind.TURN: "Play",
        Kind.READY: "Play",
        Kind.MESSAGE: "Answer",
        Kind.REPLY: "Read",
        Kind.COMMENT: "Read",
        Kind.CHALLENGE: "Results",
        Kind.CLUB_NEWS: "Read",
        Kind.OVER: "Result",
    }
)
OPEN = lazy("Open")
ADDED = lazy("This browser will show messages from now on, even when no page is open.")


@page("bell", needs_login=True)
def bell_page(request: HttpRequest) -> HttpResponse:
    """List what is new for the user, which then counts as read."""
    groups = bell.groups(request.user)
    for item in [item for group in groups for item in (*group.events, *group.earlier)]:
        item.sentence, item.path = words.sentence(item, request.user.pk), words.path(item)
        item.names = words.names_in(item, request.user.pk)
        item.act = ACTS.get(item.kind, OPEN)
        item.line = match_line(item.match, request.user) if item.kind == Kind.OVER else None
    bell.mark_read(request.user.pk)
    return render(request, "notifications/bell_page.html", {"groups": groups})


@open_to_suspended
@login_required
@limited("notices")
def notices(request: HttpRequest) -> HttpResponse:
    """Show the settings of notifications. By POST, save them: a field for each medium lists the kinds that it sends."""
    error = ""
    if request.method == "POST":
        try:
            delivery_methods.set_subscriptions(
                request.user, {name: request.POST.getlist(name) for name in Medium.values}, _site_origin(request)
            )
            messages.success(request, say("Your choices are saved."))
            return redirect("notices")
        except Refused as refusal:
            error = str(refusal)
    return _settings_page(request, error=error)


@act("notices")
def add_browser(request: HttpRequest) -> HttpResponse:
    """Add the browser that posts its "endpoint", "public_key" and "secret" for push messages."""
    fields = {field: request.POST.get(field, "") for field in ("endpoint", "public_key", "secret")}
    browser = delivery_methods.Browser(**fields, name=_browser_name(request))
    delivery_methods.subscribe(request.user, _browser_session(request), browser, _site_origin(request))
    if request.POST.get("again"):  # A page renews the subscription of its browser.
        return HttpResponse(status=204)
    messages.success(request, str(ADDED))
    return redirect("notices")


@require_POST
@login_required
@confirmed(return_to="notices")
@limited("notices")
def webhook(request: HttpRequest) -> HttpResponse:
    """Set the webhook: its "url" and the "form" of its messages."""
    url, form = request.POST.get("url", "").strip(), request.POST.get("form", "")
    try:
        delivery_methods.set_webhook(request.user, url, form, _site_origin(request))
    except Refused as refusal:
        return _settings_page(request, url=url, form=form, webhook_error=str(refusal))
    messages.success(request, say("The webhook is saved. Send a test to see whether it arrives."))
    return redirect("notices")


@open_to_suspended
@act("notices")
def remove_delivery_method(request: HttpRequest, pk: int) -> HttpResponse:
    if not delivery_methods.remove(request.user, pk):
        raise Refused(lazy("That is no longer here. Load the page again."))
    messages.success(request, say("It’s removed."))
    return redirect("notices")


@act("notices_test")
def test_delivery_method(request: HttpRequest, pk: int) -> HttpResponse:
    if not delivery_methods.send_test(request.user, pk):
        raise Refused(lazy("That is no longer here. Load the page again."))
    messages.success(request, say("A test is on its way. It may take a minute."))
    return redirect("notices")


@page("waiting", needs_login=True)
def count(request: HttpRequest) -> HttpResponse:
    """Send the number of tables that wait for the user, for pages without a socket."""
    return JsonResponse({"waiting": waiting.count(request.user)})


@open_to_suspended
@csrf_exempt  # Mail programs post here, and the token identifies the user.
@limited("notices")
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop all mails, by a button on the page or directly by the mail program (RFC 8058). It needs no log-in."""
    user_id = mail.user_of_token(token)
    if user_id is None:
        raise NotHere(lazy("This link is damaged. You can turn off all emails under Settings, Notifications."))
    is_unsubscribed = request.method == "POST"
    if is_unsubscribed:
        delivery_methods.stop_mail(user_id)
    return render(request, "notifications/unsubscribe.html", {"is_unsubscribed": is_unsubscribed})


def _settings_page(
    request: HttpRequest, *, error: str = "", url: str = "", form: str = "", webhook_error: str = ""
) -> HttpResponse:
    """Render the settings. url, form, webhook_error: a refused webhook, to correct, and the reason."""
    user = request.user
    subscriptions = delivery_methods.subscriptions_of(user)
    own = list(user.delivery_methods.order_by("pk"))
    hook = next((method for method in own if method.medium == Medium.WEBHOOK), None)
    address = mail_address(user)
    offered: dict[object, bool] = {
        Medium.PUSH: push.is_offered(),
        Medium.MAIL: settings.HAS_MAIL and bool(address),
        Medium.WEBHOOK: not user.is_guest,
    }
    media = [medium for medium in map(Medium, Medium.values) if offered[medium]]
    context = {
        "rows": [
            {
                "label": kind.label,
                "cells": [
                    {
                        "name": medium.value,
                        "kind": kind.value,
                        "label": medium.label,
                        "on": kind in subscriptions[medium],
                    }
                    for medium in media
                ],
            }
            for kind in map(NotificationKind, NotificationKind.values)
            if kind != NotificationKind.TEST
        ],
        "media": [medium.label for medium in media],
        "browsers": [method for method in own if method.medium == Medium.PUSH],
        "mail": next((method for method in own if method.medium == Medium.MAIL), None),
        "webhook": hook,
        "address": address,
        "has_mail": settings.HAS_MAIL,
        "public_key": push.public_key(),
        "forms": Form.choices,
        "webhook_url": url or (hook.address if hook else ""),
        "form": form or (hook.form if hook else Form.JSON),
        "error": error,
        "webhook_error": webhook_error,
    }
    return render(request, "notifications/notifications.html", context, status=400 if error or webhook_error else 200)


def _site_origin(request: HttpRequest) -> str:
    """Return the scheme, host and port of this site, for links in messages."""
    return request.build_absolute_uri("/").rstrip("/")


def _browser_session(request: HttpRequest) -> UserSession:
    """Return allauth's record of the browser's session. Create it if there is none yet."""
    sessions = UserSession.objects.filter(session_key=request.session.session_key)
    if not sessions.exists():
        UserSession.objects.create_from_request(request)
    return sessions.first()


def _browser_name(request: HttpRequest) -> str:
    """Return a name for a browser in lists, from its user agent: "Firefox on Android"."""
    agent = request.headers.get("User-Agent", "")
    browsers = [("Edg", "Edge"), ("Firefox", "Firefox"), ("OPR", "Opera"), ("Chrom", "Chrome"), ("Safari", "Safari")]
    systems = [("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac", "Mac")]
    browser = next((name for sign, name in browsers if sign in agent), say("A browser"))
    system = next((name for sign, name in [*systems, ("Linux", "Linux")] if sign in agent), "")
    return say("{browser} on {system}", browser=browser, system=system) if system else browser
