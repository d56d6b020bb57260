"""What somebody is told by push, email and webhook: the page where they say so, and how they stop it."""

from pathlib import Path

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.confirming import confirmed
from accounts.limits import limited
from accounts.suspension import open_to_suspended
from games.kit.language import lazy, say
from games.notifications import delivery_methods, mail, push, waiting
from games.notifications.models import Medium, NotificationKind
from games.notifications.validity import mail_address
from games.notifications.webhook import Form
from games.pages.refusals import NotHere, act, page
from games.play.errors import Refused

ADDED = lazy("This browser will show messages from now on, even when no page is open.")


@open_to_suspended
@login_required
@limited("notices")
def notices(request):
    """Of what the user is told by which medium: fields like "push", once for each kind."""
    error = ""
    if request.method == "POST":
        try:
            delivery_methods.set_subscriptions(
                request.user, {name: request.POST.getlist(name) for name in Medium}, _origin(request)
            )
            messages.success(request, say("Your choices are saved."))
            return redirect("notices")
        except Refused as refusal:
            error = str(refusal)
    return _page(request, error=error)


@act("notices")
def add_browser(request):
    """Send push messages to the browser that says so: "endpoint", "public_key", "secret" and a "name" for it."""
    asked = {field: request.POST.get(field, "") for field in ("endpoint", "public_key", "secret")}
    browser = delivery_methods.Browser(**asked, name=_name_of(request))
    delivery_methods.subscribe(request.user, _session(request), browser, _origin(request))
    if request.POST.get("again"):  # a page makes sure of what has been said before
        return HttpResponse(status=204)
    messages.success(request, str(ADDED))
    return redirect("notices")


@require_POST
@login_required
@confirmed(return_to="notices")
@limited("notices")
def webhook(request):
    """Post what happens to "url", in the "form" that is chosen there."""
    url, form = request.POST.get("url", "").strip(), request.POST.get("form", "")
    try:
        delivery_methods.set_webhook(request.user, url, form, _origin(request))
    except Refused as refusal:
        return _page(request, url=url, form=form, webhook_error=str(refusal))
    messages.success(request, say("The webhook is saved. Send a test to see whether it arrives."))
    return redirect("notices")


@open_to_suspended
@act("notices")
def remove_delivery_method(request, pk):
    if not delivery_methods.remove(request.user, pk):
        raise Refused(lazy("That is no longer here. Load the page again."))
    messages.success(request, say("It’s removed."))
    return redirect("notices")


@act("notices_test")
def test_delivery_method(request, pk):
    if not delivery_methods.send_test(request.user, pk):
        raise Refused(lazy("That is no longer here. Load the page again."))
    messages.success(request, say("A test is on its way. It may take a minute."))
    return redirect("notices")


@page("waiting", known=True)
def count(request):
    """How many tables wait for the user, for pages that have no socket: {"waiting"}."""
    return JsonResponse({"waiting": waiting.count(request.user)})


@open_to_suspended
@csrf_exempt  # mail programs post it, and the address itself says who is meant
@limited("notices")
def unsubscribe(request, token):
    """No more mails, by a button on the page or at once by the mail program (RFC 8058). Nobody need be logged in."""
    user_id = mail.user_id_of(token)
    if user_id is None:
        raise NotHere(lazy("This link is damaged. You can turn off all emails under Settings, Notifications."))
    done = request.method == "POST"
    if done:
        delivery_methods.stop_mail(user_id)
    return render(request, "notifications/unsubscribe.html", {"done": done})


@require_safe
def service_worker(request):
    """The script that shows push messages: for the whole site, so it lies at its root."""
    path = Path(finders.find("notifications/service_worker.js"))
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(path.read_bytes(), content_type="text/javascript; charset=utf-8", headers=headers)


def _page(request, *, error="", url="", form="", webhook_error=""):
    user = request.user
    subscriptions = delivery_methods.subscriptions_of(user)
    own = list(user.delivery_methods.order_by("pk"))
    hook = next((method for method in own if method.medium == Medium.WEBHOOK), None)
    address = mail_address(user)
    offered = {
        Medium.PUSH: push.is_offered(),
        Medium.MAIL: settings.HAS_MAIL and bool(address),
        Medium.WEBHOOK: not user.is_guest,
    }
    media = [medium for medium in Medium if offered[medium]]
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
            for kind in NotificationKind
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
        "url": url or (hook.address if hook else ""),
        "form": form or (hook.form if hook else Form.JSON),
        "error": error,
        "webhook_error": webhook_error,
    }
    return render(request, "notifications/notifications.html", context, status=400 if error or webhook_error else 200)


def _origin(request):
    return request.build_absolute_uri("/").rstrip("/")


def _session(request):
    """The log-in of the browser that asks."""
    known = UserSession.objects.filter(session_key=request.session.session_key)
    if not known.exists():
        UserSession.objects.create_from_request(request)
    return known.first()


def _name_of(request):
    """What to call a browser in a list, from what it says of itself: "Firefox on Android"."""
    agent = request.headers.get("User-Agent", "")
    browsers = [("Edg", "Edge"), ("Firefox", "Firefox"), ("OPR", "Opera"), ("Chrom", "Chrome"), ("Safari", "Safari")]
    systems = [("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac", "Mac")]
    browser = next((name for sign, name in browsers if sign in agent), say("A browser"))
    system = next((name for sign, name in [*systems, ("Linux", "Linux")] if sign in agent), "")
    return say("{browser} on {system}", browser=browser, system=system) if system else browser
