"""Asking people to a table: friends and those played with, for whom seats are kept; all others by link or QR code."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST
from qrcode import QRCode
from qrcode.image.svg import SvgPathImage

from accounts.limits import allow, limited, too_many
from games.catalog import game_name
from games.clubs.playing import members_to_invite
from games.history import people
from games.kit.language import lazily, said
from games.models import Match
from games.pages.looking import chosen_team, seen_snapshot
from games.play import hosting, newcomers
from games.play.errors import NotAllowed, Refused
from games.play.requests import KEY_LIMIT, clean_count


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("history")
def invite(request, code):
    """The page on which somebody at a table asks others to it; by POST the host keeps a seat for one of those shown."""
    snapshot = seen_snapshot(request, code)
    if snapshot.seat_of(request.user.pk) is None:
        raise NotAllowed(lazily("Only players at a table can invite others to it."))
    if request.method == "POST":
        if not allow(request, "invite"):
            return too_many(request)
        chosen = clean_count(request.POST.get("user"), KEY_LIMIT)
        invited = next((each for each in _to_invite(request.user, snapshot) if each["user"].pk == chosen), None)
        if invited is None:
            members = "You can only invite members of the club."
            friends = "You can only invite friends and people you have played with recently."
            raise Refused(lazily(members if snapshot.club else friends))
        newcomers.demand_pace(request.user, "invite")
        hosting.invite(request.user, code, invited["user"], team=chosen_team(request))
        messages.success(request, said("{name} is invited, and a seat is kept for them.", name=invited["user"]))
        return redirect("invite", code)
    if snapshot.status != Match.Status.OPEN or snapshot.full_at:
        return redirect("match", code)
    link = request.build_absolute_uri(reverse("match", args=[code]))
    there = {seat.user_id for seat in snapshot.seats} | {reserved.user_id for reserved in snapshot.reserved}
    is_host = snapshot.host_id == request.user.pk
    context = {
        "snapshot": snapshot,
        "game_name": game_name(snapshot.game),
        "link": link,
        "code_drawn": qr_code(link),
        "is_host": is_host,
        "team": snapshot.seat_of(request.user.pk).team,
        "free": snapshot.seat_count - len(snapshot.seats) - len(snapshot.reserved),
        "people": [each for each in _to_invite(request.user, snapshot) if each["user"].pk not in there]
        if is_host
        else (),
    }
    return render(request, "lobby/invite.html", context)


def _to_invite(user, snapshot):
    """For whom the host of a table may keep a seat, as `people.to_invite`: at a club's, its members."""
    return members_to_invite(snapshot.club.pk, user) if snapshot.club else people.to_invite(user)


def qr_code(text):
    """A text as a QR code: SVG, black on nothing, with the white border that readers want."""
    drawn = QRCode(image_factory=SvgPathImage)
    drawn.add_data(text)
    return drawn.make_image().to_string(encoding="unicode")


@require_POST
@login_required
@limited("act")
def take_back(request, code):
    seen_snapshot(request, code)
    invited = clean_count(request.POST.get("user"), KEY_LIMIT)
    if invited is None:
        raise Refused(lazily("Choose the invitation to take back."))
    hosting.take_back(request.user, code, invited)
    return redirect("match", code)


@require_POST
@login_required
@limited("act")
def decline(request, code):
    seen_snapshot(request, code)
    hosting.decline(request.user, code)
    messages.success(request, said("You have declined the invitation."))
    return redirect("lobby")
