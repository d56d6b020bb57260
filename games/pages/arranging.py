"""What a host arranges before the start: who sits on which side, and when the match begins; for calendars, too."""

from datetime import UTC, timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from accounts.limits import limited
from games.catalog import game_name
from games.history import lengths
from games.kit.language import lazily, said
from games.models import Match
from games.pages.forms import StartForm
from games.pages.looking import act_of_player, seen_snapshot
from games.pages.refusals import NotHere
from games.play import hosting
from games.play.errors import NotAllowed, Refused
from games.play.requests import KEY_LIMIT, clean_count

USUAL_MINUTES = 30  # in calendars, of a match whose length nobody knows


@act_of_player()
def arrange(request, code):
    """Put who has the seat "seat" on the other side, or in the place of who has the seat "other"; "seat:other"."""
    keys = [clean_count(key, KEY_LIMIT) for key in request.POST.get("seat", "").split(":")]
    if None in keys or len(keys) > 2:
        raise Refused(lazily("Choose whom to move."))
    act = hosting.move_across if len(keys) == 1 else hosting.change_sides
    act(request.user, code, *keys)
    return redirect("match", code)


@act_of_player("GET", "HEAD", "POST")
def start_time(request, code):
    """The page on which the host sets the time of the start, in the time zone that the browser names."""
    snapshot = seen_snapshot(request, code)
    if snapshot.host_id != request.user.pk:
        raise NotAllowed(lazily("Only the host of this table can do that."))
    if request.method == "POST" and "none" in request.POST:
        hosting.set_start(request.user, code, None)
        messages.success(request, said("No time is set any more."))
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


@require_safe
@limited("history")
def calendar(request, code):
    """The start of a table as a file for calendars, with nothing in it but what its page shows."""
    snapshot = seen_snapshot(request, code)
    if snapshot.starts_at is None or snapshot.status != Match.Status.OPEN:
        raise NotHere(lazily("No time is set for the start of this table."))
    rules, link = snapshot.rules, request.build_absolute_uri(reverse("match", args=[code]))
    minutes = rules and lengths.minutes_of(rules, snapshot.seat_count, rules.format_of(snapshot.options))
    start = snapshot.starts_at.astimezone(UTC)
    event = Event.new(
        uid=f"{code}@{request.get_host()}",
        summary=said("{game} on Valat", game=game_name(snapshot.game)),
        start=start,
        end=start + timedelta(minutes=minutes or USUAL_MINUTES),
        stamp=timezone.now(),
        sequence=snapshot.revision,
        url=link,
        description=said("The table: {link}", link=link),
    )
    file = Calendar.new(subcomponents=[event], prodid="-//Valat//Valat//EN")
    response = HttpResponse(file.to_ical(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="valat-{code}.ics"'
    return response
