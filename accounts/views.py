"""Views of accounts: our own, and changed views of django-allauth."""

from functools import wraps

from allauth.account import views as allauth_views
from allauth.account.adapter import get_adapter
from allauth.account.utils import get_login_redirect_url
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import addresses, adoption, avatars, programs, renaming, sanctions, services, time_zones
from accounts.adapter import NAME_TAKEN
from accounts.archive import stream
from accounts.confirming import confirmed
from accounts.export import counts, has_data
from accounts.forms import DeleteAccountForm, GuestNameForm, NameForm, SignupForm
from accounts.guests import guest_for, has_chosen_name
from accounts.limits import View, limited
from accounts.models import FormerAddress, User
from accounts.next_page import next_url
from accounts.people import finding, online
from accounts.renaming import NameTaken
from accounts.signals import account_closing, rights_changed
from accounts.suspension import open_to_suspended

BOT_NAME = gettext_lazy("Name of a new bot")


def members_only(view: View) -> View:
    """Decorate a view that needs an account. Guests are redirected to the sign-up."""

    @wraps(view)
    @login_required
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.user.is_guest:
            sentence = gettext("You need an account for that. Sign up first: your matches come along.")
            messages.info(request, sentence)
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return wrapped


class SignupView(allauth_views.SignupView):
    """Guests may sign up too. Their guest becomes the account."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated and not request.user.is_guest:
            return HttpResponseRedirect(get_login_redirect_url(request))
        return super().dispatch(request, *args, **kwargs)

    def get_initial(self) -> dict[str, object]:
        user = self.request.user
        keeps_name = user.is_authenticated and has_chosen_name(user)
        return super().get_initial() | ({"username": user.username} if keeps_name else {})

    def form_valid(self, form: SignupForm) -> HttpResponse:
        user = self.request.user
        guest_name = user.username if user.is_authenticated and counts(user)["matches"] else ""
        try:
            response = super().form_valid(form)
        except NameTaken:
            form.add_error("username", NAME_TAKEN)
            return self.form_invalid(form)
        except ValidationError as error:  # Somebody else has used the invitation up since.
            form.add_error(None, error)
            return self.form_invalid(form)
        if guest_name:
            sentence = gettext("Your matches as {name} came along: you’ll find them under My matches.")
            messages.success(self.request, sentence.format(name=guest_name))
        return response


@method_decorator(open_to_suspended, name="dispatch")
class LogoutView(allauth_views.LogoutView):
    """A guest cannot log in again, so they must confirm that they leave their matches behind."""

    def post(self, *args: object, **kwargs: object) -> HttpResponse:
        """Log out. A guest can't log in again, so one with data must confirm it, and then leaves their tables."""
        user = self.request.user
        if user.is_authenticated and user.is_guest:
            if "sure" not in self.request.POST and has_data(user):
                return self.render_to_response(self.get_context_data())
            account_closing.send(User, user=user)
        elif guest := adoption.guest_in_question(self.request):
            adoption.dismiss(self.request, guest)
        response = super().post(*args, **kwargs)
        if user.is_authenticated:
            # For the sockets of open pages. The session is deleted by now.
            rights_changed.send(User, user_ids=[user.pk])
        return response


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Log in as a new guest and redirect to `next`."""
    guest_for(request)
    return HttpResponseRedirect(next_url(request) or resolve_url("lobby"))


@require_POST
@open_to_suspended
@login_required
def guest_matches(request: HttpRequest) -> HttpResponse:
    """Take the answer of a user who was asked whether the guest of this browser was them: "answer" is "yes" or "no"."""
    guest = adoption.guest_in_question(request)
    if guest is None:
        messages.info(request, gettext("That question has been answered already."))
    elif request.POST.get("answer") == "yes" and not sanctions.why_suspended(request.user.pk):
        has_moved_all = adoption.adopt(request, guest)
        sentence = gettext("The matches of {guest} are yours now. You find them under My matches.")
        if not has_moved_all:
            sentence = gettext("The matches of {guest} are yours now, except where both of you had a seat.")
        messages.success(request, sentence.format(guest=guest))
    else:
        adoption.dismiss(request, guest)
        sentence = gettext("The matches of {guest} stay under that name. Where one was running, a bot plays on.")
        messages.info(request, sentence.format(guest=guest))
    return HttpResponseRedirect(next_url(request) or resolve_url("lobby"))


@limited("name", method="POST")
def name(request: HttpRequest) -> HttpResponse:
    """Let a user choose a name. A visitor who is not logged in becomes a guest with this name."""
    if request.user.is_authenticated and not request.user.is_guest:
        return _member_name(request)
    form = GuestNameForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            form.save(guest_for(request))
            return HttpResponseRedirect(next_url(request) or resolve_url("settings"))
        except NameTaken:
            form.add_error("name", NAME_TAKEN)
    context = {"form": form, "next": next_url(request)}
    return render(request, "accounts/name.html", context, status=400 if form.errors else 200)


@confirmed()
def _member_name(request: HttpRequest) -> HttpResponse:
    """Let a member change their name, if their last change is long enough ago."""
    user, moment = request.user, renaming.next_change(request.user)
    form = NameForm(request.POST or None, label=gettext("Your new name"), autocomplete="nickname", user_pk=user.pk)
    if request.method == "POST" and form.is_valid():
        try:
            renaming.rename(user, form.cleaned_data["name"])
            sentence = gettext("You are {name} now. Log in with that name.")
            messages.success(request, sentence.format(name=form.cleaned_data["name"]))
            return HttpResponseRedirect(next_url(request) or resolve_url("settings"))
        except NameTaken:
            form.add_error("name", NAME_TAKEN)
        except renaming.TooSoon as refusal:
            form.add_error(None, str(refusal))
    context = {"form": form, "next": next_url(request), "moment": moment}
    return render(request, "accounts/name.html", context, status=400 if form.errors else 200)


@login_required
@limited("name", method="POST")
def avatar(request: HttpRequest) -> HttpResponse:
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
def time_zone(request: HttpRequest) -> HttpResponse:
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
def sanction_read(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a warning of the user as read."""
    sanctions.mark_read(request.user, pk)
    return HttpResponseRedirect(next_url(request) or resolve_url("lobby"))


@require_GET
def settings(request: HttpRequest) -> HttpResponse:
    """Show the settings of this device, and of the account if the user is logged in."""
    return render(request, "accounts/settings.html", _account_context(request) if request.user.is_authenticated else {})


def _account_context(request: HttpRequest) -> dict[str, object]:
    """Return the context of the settings page for a member or guest."""
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
        "hides_presence": online.hides_presence(request.user),
        "hides_name": finding.hides_name(request.user),
        "program_count": request.user.programs.count(),
        "exports": counts(request.user),
        "email_is_verified": request.user.emailaddress_set.filter(email=request.user.email, verified=True).exists(),
    }


@require_GET
@login_required
@confirmed(return_to="settings")
@limited("download")
def download(request: HttpRequest) -> StreamingHttpResponse:
    """Return the archive of everything that we store about the user."""
    response = StreamingHttpResponse(stream(request.user, request.get_host()), content_type="application/zip")
    name = slugify(request.user.username) or "player"
    response["Content-Disposition"] = f'attachment; filename="valat-{name}.zip"'
    response["Content-Encoding"] = "identity"  # A zip file must not be compressed again.
    return response


@members_only
@confirmed()
@limited("bots", method="POST")
def bots(request: HttpRequest) -> HttpResponse:
    """List the user's programs, with a form that creates one. The answer to the form shows its token, only once."""
    form = NameForm(request.POST or None, label=BOT_NAME)
    if request.method == "POST" and form.is_valid():
        try:
            bot, token = programs.make_program(request.user, form.cleaned_data["name"])
            return _bots_page(request, NameForm(label=BOT_NAME), {"name": bot.username, "token": token})
        except NameTaken:
            form.add_error("name", NAME_TAKEN)
        except programs.TooManyPrograms as refusal:
            form.add_error(None, str(refusal))
    return _bots_page(request, form)


@require_POST
@members_only
@confirmed(return_to="bots")
@limited("bots")
def bot_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Replace the token of a program of the user and show the new one."""
    program = get_object_or_404(request.user.programs, pk=pk)
    token = programs.new_token(program)
    return _bots_page(request, NameForm(label=BOT_NAME), {"name": program.user.username, "token": token})


@open_to_suspended
@require_POST
@members_only
@confirmed(return_to="bots")
def delete_bot(request: HttpRequest, pk: int) -> HttpResponse:
    program = get_object_or_404(request.user.programs, pk=pk)
    services.delete_account(program.user)
    messages.success(request, gettext("{name} has been deleted.").format(name=program.user))
    return redirect("bots")


def _bots_page(request: HttpRequest, form: NameForm, new: dict[str, str] | None = None) -> HttpResponse:
    """Render the list of the user's programs, with the form for another one.

    new: {"name", "token"} of a program whose token was just created, which is shown only now.
    """
    mine = request.user.programs.select_related("user").order_by("pk")
    address = f"{'wss' if request.is_secure() else 'ws'}://{request.get_host()}/ws/bot/"
    context = {"form": form, "programs": mine, "new": new, "most": programs.MAX_PROGRAMS, "address": address}
    response = render(request, "accounts/bots.html", context, status=400 if form.errors else 200)
    add_never_cache_headers(response)  # It may show a token.
    return response


@open_to_suspended
@login_required
@confirmed()
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the user's account after they have typed their name."""
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
def restore_address(request: HttpRequest, key: str) -> HttpResponse:
    """Restore a former email address by the link in the mail, and then ask for a new password."""
    former = addresses.find_former_address(key)
    if former is None:  # The link no longer works.
        return render(request, "accounts/restore_address.html", status=410)
    context = {"former": former, "since": former.changed_at - addresses.SUSPECT_PERIOD}
    if request.method != "POST":
        return render(request, "accounts/restore_address.html", context)
    try:
        user = addresses.restore(request, former)
    except FormerAddress.DoesNotExist:  # Another request has just used the link.
        return render(request, "accounts/restore_address.html", status=410)
    except addresses.AddressTaken:
        return render(request, "accounts/restore_address.html", context | {"is_taken": True}, status=409)
    if request.user == user:
        get_adapter(request).logout(request)
    return redirect(services.reset_link(request, user))
