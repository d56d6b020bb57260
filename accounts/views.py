"""The pages of accounts: django-allauth's where guests change them, and our own."""

from functools import wraps

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.account.utils import get_login_redirect_url
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import addresses, avatars, programs, renaming, sanctions, services, time_zones
from accounts.adapter import TAKEN
from accounts.archive import stream
from accounts.confirming import confirmed
from accounts.export import counts, has_any
from accounts.forms import DeleteAccountForm, GuestNameForm, NameForm
from accounts.guests import guest_for, has_chosen_name
from accounts.limits import limited
from accounts.models import FormerAddress, User
from accounts.next_page import next_url
from accounts.renaming import NameTaken
from accounts.signals import account_closing, rights_changed
from accounts.suspension import open_to_suspended

BOT_NAME = gettext_lazy("Name of a new bot")


def members_only(view):
    """The view for people with an account; guests are sent to sign up first."""

    @wraps(view)
    @login_required
    def wrapped(request, *args, **kwargs):
        if request.user.is_guest:
            said = gettext("You need an account for that. Sign up first: your matches come along.")
            messages.info(request, said)
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return wrapped


class SignupView(allauth_views.SignupView):
    """Makes an account, for nobody yet or out of a guest."""

    def dispatch(self, request, *args, **kwargs):
        if request.user.is_authenticated and not request.user.is_guest:
            return HttpResponseRedirect(get_login_redirect_url(request))
        return super().dispatch(request, *args, **kwargs)

    def get_initial(self):
        user = self.request.user
        chosen = user.is_authenticated and has_chosen_name(user)
        return super().get_initial() | ({"username": user.username} if chosen else {})

    def form_valid(self, form):
        user = self.request.user
        guest_name = user.username if user.is_authenticated and counts(user)["matches"] else ""
        try:
            response = super().form_valid(form)
        except NameTaken:
            form.add_error("username", TAKEN)
            return self.form_invalid(form)
        if guest_name:
            sentence = gettext("Your matches as {name} came along: you’ll find them under My matches.")
            messages.success(self.request, sentence.format(name=guest_name))
        return response


@method_decorator(open_to_suspended, name="dispatch")
class LogoutView(allauth_views.LogoutView):
    """Logs out; a guest, who can't come back, only when they have been told so."""

    def post(self, *args, **kwargs):
        user = self.request.user
        if user.is_authenticated and user.is_guest:
            if "sure" not in self.request.POST and has_any(user):
                return self.render_to_response(self.get_context_data())
            account_closing.send(User, user=user)
        response = super().post(*args, **kwargs)
        if user.is_authenticated:
            rights_changed.send(User, user_ids=[user.pk])  # only now is the session gone
        return response


@require_POST
def guest(request):
    """Log in as a new guest and go on to `next`."""
    guest_for(request)
    return HttpResponseRedirect(next_url(request) or resolve_url("lobby"))


@limited("name", method="POST")
def name(request):
    """Let somebody choose a name, a visitor too, who becomes a guest by it, and go on to `next`."""
    if request.user.is_authenticated and not request.user.is_guest:
        return _member_name(request)
    form = GuestNameForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            form.save(guest_for(request))
            return HttpResponseRedirect(next_url(request) or resolve_url("settings"))
        except NameTaken:
            form.add_error("name", TAKEN)
    context = {"form": form, "next": next_url(request)}
    return render(request, "accounts/name.html", context, status=400 if form.errors else 200)


@confirmed()
def _member_name(request):
    """Another name for an account, so often as names may change."""
    user, moment = request.user, renaming.next_change(request.user)
    form = NameForm(request.POST or None, label=gettext("Your new name"), autocomplete="nickname", user_pk=user.pk)
    if request.method == "POST" and form.is_valid():
        try:
            renaming.rename(user, form.cleaned_data["name"])
            said = gettext("You are {name} now. Log in with that name.")
            messages.success(request, said.format(name=form.cleaned_data["name"]))
            return HttpResponseRedirect(next_url(request) or resolve_url("settings"))
        except NameTaken:
            form.add_error("name", TAKEN)
        except renaming.TooSoon as refusal:
            form.add_error(None, str(refusal))
    context = {"form": form, "next": next_url(request), "moment": moment}
    return render(request, "accounts/name.html", context, status=400 if form.errors else 200)


@login_required
@limited("name", method="POST")
def avatar(request):
    """Let somebody choose their picture."""
    error = ""
    if request.method == "POST":
        if request.POST.get("avatar") in avatars.all_avatars():
            request.user.avatar = request.POST["avatar"]
            request.user.save(update_fields=["avatar"])
            messages.success(request, gettext("This is your picture now."))
            return redirect("settings")
        error = gettext("Choose one of the pictures.")
    context = {"avatars": avatars.all_avatars(), "mine": "-".join(avatars.avatar_of(request.user)), "error": error}
    return render(request, "accounts/avatar_choice.html", context, status=400 if error else 200)


@open_to_suspended
@require_POST
@login_required
def time_zone(request):
    """Let a user choose the time zone of all pages, or "" for the browser's."""
    name = request.POST.get("time_zone", "")
    if name and time_zones.find(name) is None:
        sentence = gettext("We don’t know this time zone. Go back to the settings and choose one from the list.")
        return render(request, "site/refused.html", {"sentence": sentence}, status=400)
    request.user.time_zone = name
    request.user.save(update_fields=["time_zone"])
    messages.success(request, gettext("All pages show times in this zone now."))
    return redirect("settings")


@open_to_suspended
@require_POST
@login_required
def sanction_read(request, pk):
    """The user has read a warning, and isn't shown it any more."""
    sanctions.note_read(request.user, pk)
    return HttpResponseRedirect(next_url(request) or resolve_url("lobby"))


@require_GET
def settings(request):
    """What may be set: for this device by everybody, of their account by who has one."""
    return render(request, "accounts/settings.html", _account(request) if request.user.is_authenticated else {})


def _account(request):
    """What the page of settings says of an account, or of a guest."""
    factors = Authenticator.objects.filter(user=request.user)
    kinds = list(factors.values_list("type", flat=True))
    browser_zone = request.COOKIES.get(time_zones.COOKIE, "")
    front, regions = time_zones.choices(browser_zone, request.user.time_zone)
    return {
        "zones": front,
        "zone_regions": regions,
        "browser_zone": browser_zone if browser_zone in front else "",
        "now": timezone.now(),
        "has_app": Authenticator.Type.TOTP in kinds,
        "key_count": kinds.count(Authenticator.Type.WEBAUTHN),
        "session_count": UserSession.objects.filter(user=request.user).count(),
        "program_count": request.user.programs.count(),
        "exports": counts(request.user),
        "email_is_verified": request.user.emailaddress_set.filter(email=request.user.email, verified=True).exists(),
    }


@require_GET
@login_required
@confirmed(return_to="settings")
@limited("download")
def download(request):
    """Everything that we store about the user, as a zip file."""
    response = StreamingHttpResponse(stream(request.user, request.get_host()), content_type="application/zip")
    name = slugify(request.user.username) or "player"
    response["Content-Disposition"] = f'attachment; filename="valat-{name}.zip"'
    response["Content-Encoding"] = "identity"  # a zip file is not worth compressing again
    return response


@members_only
@confirmed()
@limited("bots", method="POST")
def bots(request):
    """The programs that the user runs, and a form that makes one more: its token is shown then, and never again."""
    form = NameForm(request.POST or None, label=BOT_NAME)
    if request.method == "POST" and form.is_valid():
        try:
            bot, token = programs.make_program(request.user, form.cleaned_data["name"])
            return _bots_page(request, NameForm(label=BOT_NAME), {"name": bot.username, "token": token})
        except NameTaken:
            form.add_error("name", TAKEN)
        except programs.TooManyPrograms as refusal:
            form.add_error(None, str(refusal))
    return _bots_page(request, form)


@require_POST
@members_only
@confirmed(return_to="bots")
@limited("bots")
def bot_token(request, pk):
    """Another token for a program of the user's, and no longer the old one."""
    program = get_object_or_404(request.user.programs, pk=pk)
    token = programs.new_token(program)
    return _bots_page(request, NameForm(label=BOT_NAME), {"name": program.user.username, "token": token})


@open_to_suspended
@require_POST
@members_only
@confirmed(return_to="bots")
def delete_bot(request, pk):
    program = get_object_or_404(request.user.programs, pk=pk)
    services.delete_account(program.user)
    messages.success(request, gettext("{name} has been deleted.").format(name=program.user))
    return redirect("bots")


def _bots_page(request, form, made=None):
    """made: {"name", "token"} of a program that has just got one."""
    mine = request.user.programs.select_related("user").order_by("pk")
    address = f"{'wss' if request.is_secure() else 'ws'}://{request.get_host()}/ws/bot/"
    context = {"form": form, "programs": mine, "made": made, "most": programs.MOST, "address": address}
    response = render(request, "accounts/bots.html", context, status=400 if form.errors else 200)
    add_never_cache_headers(response)  # there may be a secret in it
    return response


@open_to_suspended
@login_required
@confirmed()
def delete(request):
    """Delete the user's account, once they have confirmed it."""
    form = DeleteAccountForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        user = request.user
        get_adapter(request).logout(request)
        services.delete_account(user)
        messages.success(request, gettext("Your account has been deleted. Thank you for playing."))
        return redirect("lobby")
    context = {"form": form, "exports": counts(request.user)}
    return render(request, "accounts/delete.html", context, status=400 if form.errors else 200)


@open_to_suspended
@never_cache
def restore_address(request, key):
    """Set the address back that an account had before, by the link in the mail to it; then ask for a new password."""
    former = addresses.former_of(key)
    if former is None:
        return render(request, "accounts/restore_address.html", status=410)
    context = {"former": former, "since": former.changed_at - addresses.SUSPECT}
    if request.method != "POST":
        return render(request, "accounts/restore_address.html", context)
    try:
        user = addresses.restore(request, former)
    except FormerAddress.DoesNotExist:
        return render(request, "accounts/restore_address.html", status=410)
    except addresses.AddressTaken:
        return render(request, "accounts/restore_address.html", context | {"is_taken": True}, status=409)
    if request.user == user:
        get_adapter(request).logout(request)
    return redirect(services.reset_link(request, user))
