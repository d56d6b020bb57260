"""Arrangements before the start: invitations, the two sides, and the time of the start."""

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
from accounts.site import current
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

STRANGER = lazy("You can only invite friends and people you have played with recently. Choose one of them.")
USUAL_MINUTES = 30  # The length in calendars of a match whose length we can't estimate.


@act_at_match
def arrange(request: HttpRequest, code: str) -> HttpResponse:
    """Move a player of a table to the other side (the other pair of partners), or swap two players.

    The field "seat" is the primary key of a seat, or the keys of two seats: "12:15".
    """
    keys = [clean_count(key, KEY_LIMIT) for key in request.POST.get("seat", "").split(":")]  # None if no number.
    match keys:
        case [int(seat)]:
            hosting.move_across(request.user, code, seat)
        case [int(seat), int(other)]:
            hosting.swap_sides(request.user, code, seat, other)
        case _:
            raise Refused(lazy("Choose whom to move."))
    return redirect("match", code)


@page("act", needs_login=True, posts=True)
@at_match
def start_time(request: HttpRequest, code: str) -> HttpResponse:
    """Show the host the form for the time when a table starts. By POST, save it, or remove it with the button "none".

    The time is in the time zone that the browser names. The host also chooses whether bots fill the free seats then.
    """
    snapshot = visible_snapshot(request, code)
    if snapshot.host_id != request.user.pk:
        raise NotAllowed(lazy("Only the host of this table can do that. Ask them."))
    if request.method == "POST" and "none" in request.POST:
        hosting.set_start(request.user, code, None)
        messages.success(request, say("No time is set any more."))
        return redirect("match", code)
    if snapshot.status != Match.Status.OPEN or snapshot.full_at:
        return redirect("match", code)  # It has started, or does so now, because its last seat is taken.
    form = StartForm(request.POST if request.method == "POST" else None, snapshot=snapshot)
    if form.is_valid():
        try:
            fills_with_bots = form.cleaned_data.get("fills_with_bots", False)
            hosting.set_start(request.user, code, form.cleaned_data["starts_at"], fills_with_bots=fills_with_bots)
            return redirect("match", code)
        except Refused as refusal:
            form.add_error("starts_at", str(refusal))
    context = {"form": form, "snapshot": snapshot, "game_name": game_name(snapshot.game)}
    return render(request, "lobby/start_time.html", context, status=400 if form.errors else 200)


@page("history")
def calendar(request: HttpRequest, code: str) -> HttpResponse:
    """Send the start of a table as a file for calendars. The file has no more than the page of the table shows.

    A calendar that has the event already replaces it if the number `sequence` is higher.
    """
    snapshot = visible_snapshot(request, code)
    if snapshot.starts_at is None or snapshot.status != Match.Status.OPEN:
        raise NotHere(lazy("No time is set for the start of this table. Set one first."))
    rules, link = snapshot.rules, request.build_absolute_uri(reverse("match", args=[code]))
    # The length of the match, None if it is unknown.
    minutes = rules and lengths.minutes_of(rules, snapshot.seat_count, rules.format_of(snapshot.options))
    start = snapshot.starts_at.astimezone(UTC)
    event = Event.new(
        uid=f"{code}@{request.get_host()}",
        summary=say("{game} on {site}", game=game_name(snapshot.game), site=current.settings().name),
        start=start,
        end=start + timedelta(minutes=minutes or USUAL_MINUTES),
        stamp=timezone.now(),
        sequence=snapshot.revision,
        url=link,
        description=say("The table: {link}", link=link),
    )
    return calendar_file(event, code)


def calendar_file(event: Event, name: str) -> HttpResponse:
    """Send an event as a file for calendars."""
    file = Calendar.new(subcomponents=[event], prodid="-//Valat//Valat//EN")
    response = HttpResponse(file.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="valat-{name}.ics"'
    return response


@page("history", needs_login=True, posts=True)
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """Show a player at a table how to invite others. By POST, the host invites one of the people on the page."""
    snapshot = visible_snapshot(request, code)
    seat = snapshot.seat_of(request.user.pk)
    if seat is None:
        raise NotAllowed(lazy("Only players at a table can invite others to it. Take a seat first."))
    if request.method == "POST":
        return _invite_chosen_person(request, snapshot)
    if snapshot.status != Match.Status.OPEN or snapshot.full_at:
        return redirect("match", code)  # There is no seat to offer.
    link = request.build_absolute_uri(reverse("match", args=[code]))
    # People who have a seat, or for whom a seat is kept.
    present = {seat.user_id for seat in snapshot.seats} | {reserved.user_id for reserved in snapshot.reservations}
    is_host = snapshot.host_id == request.user.pk
    people_to_invite = _people_to_invite(request.user, snapshot) if is_host else ()  # Others only see the link.
    context = {
        "snapshot": snapshot,
        "game_name": game_name(snapshot.game),
        "link": link,
        "qr_code": qr_code(link),
        "is_host": is_host,
        "team": seat.team,
        "free": snapshot.seat_count - len(snapshot.seats) - len(snapshot.reservations),
        "people": [row for row in people_to_invite if row["user"].pk not in present],
    }
    return render(request, "lobby/invite.html", context)


def _invite_chosen_person(request: HttpRequest, snapshot: Snapshot) -> HttpResponse:
    """Let the host invite the person whose primary key is in the field "user". Raises Refused.

    Nobody can invite strangers. There are limits for the rate of invitations, with a lower one for new users.
    """
    if not allow(request, "invite"):
        return too_many(request)
    chosen = clean_count(request.POST.get("user"), KEY_LIMIT)
    invited = next((row for row in _people_to_invite(request.user, snapshot) if row["user"].pk == chosen), None)
    if invited is None:
        members = "You can only invite members of the club. Choose one of them."
        raise Refused(lazy(members) if snapshot.club else STRANGER)
    newcomers.demand_pace(request.user, "invite")
    hosting.invite(request.user, snapshot.code, invited["user"], team=chosen_team(request))
    messages.success(request, say("{name} is invited, and a seat is kept for them.", name=invited["user"]))
    return redirect("invite", snapshot.code)


def _people_to_invite(user: User, snapshot: Snapshot) -> list[people.InviteRow]:
    """Return the people whom a host may invite: members at a club's table, friends and recent players elsewhere."""
    return members_to_invite(snapshot.club.pk, user) if snapshot.club else people.to_invite(user)


def qr_code(text: str) -> str:
    """Draw a text as a QR code: SVG, black on a transparent ground, with the white border that scanners need."""
    code = QRCode(image_factory=SvgPathImage)
    code.add_data(text)
    return code.make_image().to_string(encoding="unicode")


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
