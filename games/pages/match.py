"""The page of a table and of the match played at it, and what people do there."""

from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import allow, limited, too_many
from accounts.programs import usable_programs
from games.catalog import IllegalMove, game_name, get_game, levels_of
from games.fragments import Fragments, result_html
from games.history import lengths, lists
from games.history.folding import reaching_back
from games.history.result import last_result
from games.history.sheet import sheet_of
from games.models import Match
from games.pages.finished import unchanging
from games.pages.forms import seat_fields
from games.pages.refusals import NotHere, refusing
from games.pages.seats import seat_for
from games.play import moves, opening, presence, seating, starting, store, tables
from games.play.errors import AlreadyPlayed, Refused
from games.play.requests import KEY_LIMIT, clean_count, clean_first, clean_move


def _act_of_player(view):
    """The view of an act at a table: by POST, of somebody who is known here, so often as is allowed."""
    return require_POST(login_required(limited("act")(refusing(view))))


@require_safe
def match(request, code):
    snapshot = _snapshot(code)
    if snapshot.status == Match.Status.OVER and not allow(request, "replay"):
        return too_many(request)  # its sheet is folded from the moves
    return _match_page(request, snapshot)


@require_POST
@refusing
def sit(request, code):
    _snapshot(code)
    team = _chosen_team(request)
    with seat_for(request, "sit", code) as user:
        seating.sit_down(user, code, **seat_fields(request.POST), team=team)
    return redirect("match", code)


@_act_of_player
def bot(request, code):
    seating.seat_bot(request.user, code, level=request.POST.get("level", ""), team=_chosen_team(request))
    return redirect("match", code)


@_act_of_player
def program(request, code):
    """The host gives a free seat to a bot that they run elsewhere."""
    program_user = clean_count(request.POST.get("program"), KEY_LIMIT)
    chosen = usable_programs().filter(owner=request.user, user=program_user).first()
    if chosen is None:
        raise Refused("Choose one of your bots.")
    with tables.room_for(chosen.user, code):
        seating.seat_program(chosen, code)
    return redirect("match", code)


@_act_of_player
def free(request, code):
    seat = clean_count(request.POST.get("seat"), KEY_LIMIT)
    if seat is None:
        raise Refused("Choose the seat to free.")
    seating.free_seat(request.user, code, seat)
    return redirect("match", code)


def _chosen_team(request):
    """The side that a form asks for, 0 or 1, or None."""
    team = request.POST.get("team", "")
    if team not in ("", "0", "1"):
        raise Refused("Choose one of the two sides.")
    return int(team) if team else None


def _act(service, *, then="match", said=""):
    """The view that lets the user do `service(user, code)` by POST, and goes on to the match or the lobby.

    said: a sentence that the page says there.
    """

    @_act_of_player
    def view(request, code):
        with suppress(AlreadyPlayed):  # what was asked for is so
            service(request.user, code)
        if said:
            messages.success(request, said)
        return redirect(then, code) if then == "match" else redirect(then)

    return view


stand = _act(seating.stand_up, then="lobby", said="You have left the table.")
start = _act(seating.start_match)
ready = _act(lambda user, code: moves.set_ready(user.pk, code))
resume = _act(lambda user, code: presence.resume(user.pk, code))


@_act_of_player
def leave(request, code):
    """Leave for good, and go back to the tables."""
    left = seating.leave_match(request.user, code)
    if not left.guide:
        plays_on = left.status in Match.RUNNING
        then = "A bot plays on in your seat." if plays_on else "Nobody had played yet, so it is closed."
        messages.success(request, f"You have left the match. {then}")
    return redirect("lobby")


@_act_of_player
def entropy(request, code):
    """A browser's share in the shuffles, once all seats are taken: by a script, which wants no page."""
    starting.give_entropy(request.user, code, request.POST.get("entropy", ""))
    return HttpResponse(status=204)


@require_POST
@login_required
@refusing
def rematch(request, code):
    with seat_for(request, "open_table") as user:
        opened = opening.rematch(user, code, entropy_hash=seat_fields(request.POST)["entropy_hash"])
    return redirect("match", opened.code)


@require_POST
@login_required
@limited("act")
def move(request, code):
    """The way to move without a socket. A refused move is answered by the table and what was wrong."""
    snapshot = _snapshot(code)
    try:
        wanted, seen = clean_move(request.POST)
        number = snapshot.player_number(request.user.pk)
        moves.play_move(code, number, wanted, seen=seen, first=clean_first(request.POST))
    except IllegalMove as refusal:
        return _match_page(request, _snapshot(code), str(refusal), status=400)
    except Refused as refusal:
        return _match_page(request, _snapshot(code), str(refusal), status=refusal.status)
    return redirect("match", code)


@require_safe
@limited("replay")
@unchanging
@refusing
def sheet(request, code):
    """The score sheet so far: the inside of the table's sheet panel, or a page of its own."""
    snapshot = _snapshot(code)
    stored = Match.objects.get(pk=snapshot.pk)
    context = sheet_of(snapshot, stored, snapshot.player_number(request.user.pk))
    if context is None:
        raise NotHere("This match has no score sheet yet.")
    context["snapshot"] = snapshot
    if request.htmx:
        context["within"] = "dialog-"  # the page may hold a sheet already, with the same ids
    return render(request, "match/sheet.html#sheet" if request.htmx else "match/sheet.html", context)


@require_safe
@limited("replay")
@refusing
def last_deal(request, code):
    """The result of the last deal: the inside of the table's panel for it, or a page of its own."""
    snapshot = _snapshot(code)
    if snapshot.state is None:
        raise NotHere("This match has no results yet.")
    game = get_game(snapshot.game)
    shown = last_result(snapshot, Match.objects.get(pk=snapshot.pk), snapshot.player_number(request.user.pk))
    context = {
        "snapshot": snapshot,
        "deal_word": game.deal_word,
        "result": shown and result_html(game, shown),
    }
    return render(request, "match/last.html#last" if request.htmx else "match/last.html", context)


def _snapshot(code):
    try:
        return store.read(code)
    except Match.DoesNotExist:
        raise NotHere("There is no such match.") from None


def _programs_to_seat(user, snapshot):
    """The users that are programs of the host of a table by link and don't sit at it; none for anybody else."""
    if snapshot.status != Match.Status.OPEN or snapshot.full_at or snapshot.listed:
        return ()
    if user.pk is None or user.pk != snapshot.host_id:
        return ()
    seated = [seat.user_id for seat in snapshot.seats if seat.user_id]
    programs = usable_programs().filter(owner=user).exclude(user__in=seated)
    return [each.user for each in programs.select_related("user").order_by("pk")]


def _match_page(request, snapshot, error="", status=200):
    user_id = request.user.pk
    number = snapshot.player_number(user_id)
    seen = clean_count(request.GET.get("seen"))  # of a page that has been without a socket
    if seen is not None and snapshot.latest_since(seen) is None and allow(request, "replay"):
        snapshot = reaching_back(snapshot, seen)  # folded from the moves
    if snapshot.status == Match.Status.OPEN:
        lengths.refresh()
    stored = Match.objects.get(pk=snapshot.pk)
    fragments = Fragments(snapshot)
    context = {
        "snapshot": snapshot,
        "game_name": game_name(snapshot.game),
        "deal_word": get_game(snapshot.game).deal_word if snapshot.rules else "deal",
        "options": lists.option_words(stored),
        "unusual": lists.unusual_options(stored),
        "unlike_usual": lists.unlike_usual(request.user, stored)
        if user_id and snapshot.status in Match.RUNNING
        else None,
        "me": snapshot.seat_of(user_id),
        "number": number,
        "table": fragments.for_user(user_id, seen),
        "rules_section": fragments.rules_section,
        "levels": levels_of(snapshot.game),
        "words": get_game(snapshot.game).glossary if snapshot.rules else (),
        "programs": _programs_to_seat(request.user, snapshot),
        "error": error,
    }
    if snapshot.status == Match.Status.OVER:
        context |= sheet_of(snapshot, stored, number)
    return render(request, "match/match.html", context, status=status)
