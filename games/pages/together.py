"""HTTP: rooms in which the replay of a finished match is watched together."""

from urllib.parse import urlencode

from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.people.blocks import is_apart
from games.history import together
from games.kit.language import lazily
from games.models import Match
from games.pages import replay_parts as parts
from games.pages.decorators import act, page
from games.pages.looking import seen_match
from games.pages.refusals import NotHere
from games.pages.replay import whole_page
from games.play.errors import NotAllowed, Refused


@act("together")
def open_room(request, code):
    """Open a room at the position that the form names, and go there."""
    match = seen_match(request, code)
    if match.status != Match.Status.OVER:
        raise NotAllowed(lazily("You can watch the replay together once the match is over."))
    named = {name: parts.clean_number(request.POST.get(name, ""), name) for name in ("move", "seat")}
    position = {name: number or 0 for name, number in named.items()} | {"open": request.POST.get("open") == "1"}
    room = together.open_room(request.user, match.code, match.move_count, match.seat_count, position)
    return redirect("watch_together", match.code, room.code)


@page("replay")
def watch(request, code, room):
    """The replay in a room. Where the address names no move, it is that of who steers."""
    match = seen_match(request, code)
    try:
        there = together.read(room)
    except Refused as refusal:
        raise NotHere(str(refusal)) from None
    if there.match != match.code or is_apart(request.user.pk, [there.steerer.user_id]):
        raise NotHere(together.NO_SUCH_ROOM)
    if not request.GET.get("move"):
        position = there.position
        asked = {"move": position["move"], "seat": position["seat"]} | ({"open": 1} if position["open"] else {})
        return redirect(f"{request.path}?{urlencode(asked)}")
    link = request.build_absolute_uri(reverse("watch_together", args=[match.code, there.code]))
    return render(request, "replay/replay.html", whole_page(request, code) | {"room": there, "room_link": link})
