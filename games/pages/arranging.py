"""What a host arranges before the start: who is invited, who sits on which side, and when the match begins."""

from datetime import UTC, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar, Event
from qrcode import QRCode
from qrcode.image.svg import SvgPathImage

from accounts.limits import allow, too_many
from accounts.models import User
from games.catalog import game_name
from games.clubs.playing import members_to_invite
from games.history import lengths, people
from games.kit.language import lazy, say
from games.models import Match
from games.pages.forms import StartForm
from games.pages.looking import act_at_match, at_match, chosen_team, visible_snapshot
from games.pages.refusals import NotHere, act, page
from games.play import hosting, newcomers
from games.play.errors import NotAllowed, Refused
from games.play.requests import KEY_LIMIT, clean_count
from games.play.snapshot import Snapshot

USUAL_MINUTES = 30  # in calendars, of a match whose length nobody knows


@act_at_match
def arrange(request: HttpRequest, code: str) -> HttpResponse:
    """Put who has the seat "seat" on the other side, or in the place of who has the seat "other"; "seat:other"."""
    keys = [clean_count(key, KEY_LIMIT) for key in request.POST.get("seat", "").split(":")]
    if None in keys or len(keys) > 2:
        raise Refused(lazy("Choose whom to move."))
    change = hosting.move_across if len(keys) == 1 else hosting.swap_sides
    change(request.user, code, *keys)
    return redirect("match", code)


@page("act", needs_user=True, posts=True)
@at_match
def start_time(request: HttpRequest, code: str) -> HttpResponse:
    """The page on which the host sets the time of the start, in the time zone that the browser names."""
    snapshot = visible_snapshot(request, code)
    if snapshot.host_id != request.user.pk:
        raise NotAllowed(lazy("Only the host of this table can do that. Ask them."))
    if request.method == "POST" and "none" in request.POST:
        hosting.set_start(request.user, code, None)
        messages.success(request, say("No time is set any more."))
        return redirect("match", code)
    if snapshot.status != Match.Status.OPEN or snapshot.full_at:
        return redirect("match", code)
    form = StartForm(request.POST if request.method == "POST" else None, snapshot=snapshot)
    if form.is_valid():
        try:
            fills = form.cleaned_data.get("fills_with_bots", False)
            hosting.set_start(request.user, code, form.cleaned_data["starts_at"], fills_with_bots=fills)
            return redirect("match", code)
        except Refused as refusal:
            form.add_error("starts_at", str(refusal))
    context = {"form": form, "snapshot": snapshot, "game_name": game_name(snapshot.game)}
    return render(request, "lobby/start_time.html", context, status=400 if form.errors else 200)


@page("history")
def calendar(request: HttpRequest, code: str) -> HttpResponse:
    """The start of a table as a file for calendars, with nothing in it but what its page shows."""
    snapshot = visible_snapshot(request, code)
    if snapshot.starts_at is None or snapshot.status != Match.Status.OPEN:
        raise NotHere(lazy("No time is set for the start of this table. Set one first."))
    rules, link = snapshot.rules, request.build_absolute_uri(reverse("match", args=[code]))
    minutes = rules and lengths.minutes_of(rules, snapshot.seat_count, rules.format_of(snapshot.options))
    start = snapshot.starts_at.astimezone(UTC)
    event = Event.new(
        uid=f"{code}@{request.get_host()}",
        summary=say("{game} on Valat", game=game_name(snapshot.game)),
        start=start,
        end=start + timedelta(minutes=minutes or USUAL_MINUTES),
        stamp=timezone.now(),
        sequence=snapshot.revision,
        url=link,
        description=say("The table: {link}", link=link),
    )
    file = Calendar.new(subcomponents=[event], prodid="-//Valat//Valat//EN")
    response = HttpResponse(file.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="valat-{code}.ics"'
    return response


@page("history", needs_user=True, posts=True)
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """The page on which somebody at a table asks others to it; by POST the host keeps a seat for one of those shown."""
    snapshot = visible_snapshot(request, code)
    if snapshot.seat_of(request.user.pk) is None:
        raise NotAllowed(lazy("Only players at a table can invite others to it. Take a seat first."))
    if request.method == "POST":
        if not allow(request, "invite"):
            return too_many(request)
        chosen = clean_count(request.POST.get("user"), KEY_LIMIT)
        invited = next((each for each in _to_invite(request.user, snapshot) if each["user"].pk == chosen), None)
        if invited is None:
            members = "You can only invite members of the club."
            friends = "You can only invite friends and people you have played with recently."
            raise Refused(lazy(members if snapshot.club else friends))
        newcomers.demand_pace(request.user, "invite")
        hosting.invite(request.user, code, invited["user"], team=chosen_team(request))
        messages.success(request, say("{name} is invited, and a seat is kept for them.", name=invited["user"]))
        return redirect("invite", code)
    if snapshot.status != Match.Status.OPEN or snapshot.full_at:
        return redirect("match", code)
    link = request.build_absolute_uri(reverse("match", args=[code]))
    there = {seat.user_id for seat in snapshot.seats} | {reserved.user_id for reserved in snapshot.reservations}
    is_host = snapshot.host_id == request.user.pk
    context = {
        "snapshot": snapshot,
        "game_name": game_name(snapshot.game),
        "link": link,
        "code_drawn": qr_code(link),
        "is_host": is_host,
        "team": snapshot.seat_of(request.user.pk).team,
        "free": snapshot.seat_count - len(snapshot.seats) - len(snapshot.reservations),
        "people": [each for each in _to_invite(request.user, snapshot) if each["user"].pk not in there]
        if is_host
        else (),
    }
    return render(request, "lobby/invite.html", context)


def _to_invite(user: User, snapshot: Snapshot):
    """For whom the host of a table may keep a seat, as `people.to_invite`: at a club's, its members."""
    return members_to_invite(snapshot.club.pk, user) if snapshot.club else people.to_invite(user)


def qr_code(text: str):
    """A text as a QR code: SVG, black on nothing, with the white border that readers want."""
    drawn = QRCode(image_factory=SvgPathImage)
    drawn.add_data(text)
    return drawn.make_image().to_string(encoding="unicode")


@act()
def take_back(request: HttpRequest, code: str) -> HttpResponse:
    visible_snapshot(request, code)
    invited = clean_count(request.POST.get("user"), KEY_LIMIT)
    if invited is None:
        raise Refused(lazy("Choose the invitation to take back."))
    hosting.cancel_invitation(request.user, code, invited)
    return redirect("match", code)


@act()
def decline(request: HttpRequest, code: str) -> HttpResponse:
    visible_snapshot(request, code)
    hosting.decline(request.user, code)
    messages.success(request, say("You have declined the invitation."))
    return redirect("lobby")
