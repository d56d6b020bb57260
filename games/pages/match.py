"""The page of a table and of the match played at it, and what people do there."""

from contextlib import suppress
from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import allow, limited, too_many
from accounts.programs import usable_programs
from games.catalog import IllegalMove, deal_words, game_name, get_game, levels_of
from games.challenges.lists import about, variations_of
from games.chat.drawing import panel
from games.chat.reading import talks_at
from games.deal_index import taking
from games.deal_index.luck import luck_of
from games.deal_index.picture import picture
from games.deal_index.sheets import plain_sheet
from games.fragments import Fragments, result_html
from games.history import lengths, lists
from games.history.explanations import explainable_in_last_deal
from games.history.folding import extend_latest
from games.history.sheet import last_result, sheet_of
from games.kit.language import lazy, say
from games.models import Match
from games.pages.looking import (
    act_at_match,
    chosen_team,
    opened_match,
    opened_snapshot,
    seen_match,
    seen_snapshot,
    snapshot_at,
    unchanging,
)
from games.pages.outage import going_without
from games.pages.refusals import NotHere, act, page
from games.pages.seats import LEVELS, last_level, remember, remember_seat, seat_for, seat_request
from games.pages.social import social
from games.play import claims, moves, opening, presence, seating, starting, waiting
from games.play.coach import offers_hints
from games.play.errors import AlreadyPlayed, Refused
from games.play.requests import KEY_LIMIT, MoveRequest, clean_count, clean_first, clean_move
from games.ratings.boards import changes_of
from games.statistics.together import met_before


@require_safe
def match(request, code):
    snapshot = opened_snapshot(request, code)
    with going_without():
        snapshot = presence.note_visit(request.user.pk, snapshot)
    if snapshot.status == Match.Status.OVER and not allow(request, "replay"):
        return too_many(request)  # its sheet is folded from the moves
    return match_page(request, snapshot)


@require_POST
def sit(request, code):
    seen_snapshot(request, code)
    team = chosen_team(request)
    with seat_for(request, "sit", code) as user:
        seating.sit_down(user, code, seat_request(request, team))
    return remember_seat(request, redirect("match", code), code=code)


@act_at_match
def bot(request, code):
    level = request.POST.get("level", "")
    seated = seating.seat_bot(request.user, code, level=level, team=chosen_team(request))
    remember(request, LEVELS, seated.game, level)
    return redirect("match", code)


@act_at_match
def program(request, code):
    """The host gives a free seat to a bot that they run elsewhere."""
    program_user = clean_count(request.POST.get("program"), KEY_LIMIT)
    chosen = usable_programs().filter(owner=request.user, user=program_user).first()
    if chosen is None:
        raise Refused(lazy("Choose one of your bots."))
    seating.seat_program(chosen, code, team=chosen_team(request))
    return redirect("match", code)


@act_at_match
def free(request, code):
    seat = clean_count(request.POST.get("seat"), KEY_LIMIT)
    if seat is None:
        raise Refused(lazy("Choose the seat to free."))
    seating.free_seat(request.user, code, seat)
    return redirect("match", code)


@act_at_match
def stand(request, code):
    seating.stand_up(request.user, code)
    messages.success(request, say("You have left the table."))
    return redirect("lobby")


def _act(service, *, seen=False):
    """Return the view of `service(user_id, code)`, by POST, which leads back to the match.

    seen: the service also takes how many moves the user had seen.
    """

    @act_at_match
    def view(request, code):
        with suppress(AlreadyPlayed):  # what was asked for is so
            service(request.user.pk, code, *([clean_count(request.POST.get("seen"))] if seen else []))
        return redirect("match", code)

    return view


here = _act(waiting.confirm_presence)
ready = _act(moves.set_ready)
pause = _act(waiting.ask_for_pause)
go_on = _act(waiting.end_pause)
resume = _act(presence.resume)
vote = _act(waiting.vote_for_stand_in, seen=True)
ask = _act(waiting.ask_if_present, seen=True)


@limited("claim_address")
@act_at_match
def claim(request, code):
    """Claim the rest of the deal, or none of it. A refused claim is answered by the table and the reason."""
    try:
        with suppress(AlreadyPlayed):
            claims.claim(
                request.user.pk, code, request.POST.get("claim"), seen_count=clean_count(request.POST.get("seen"))
            )
    except Refused as refusal:
        return match_page(request, snapshot_at(code), str(refusal), status=refusal.status)
    return redirect("match", code)


@act_at_match
def start(request, code):
    """Start with bots in the free seats, of the level that the host chose last."""
    seating.start_match(request.user, code, level=last_level(request, snapshot_at(code).game))
    return redirect("match", code)


@act_at_match
def leave(request, code):
    """Leave for good, and go back to the tables."""
    left = seating.leave_match(request.user, code)
    if left.counts:
        plays_on = "You have left the match. A bot plays on in your seat."
        closed = "You have left the match. Nobody had played yet, so the table is closed."
        messages.success(request, say(plays_on if left.status in Match.RUNNING else closed))
    return redirect("lobby")


@act_at_match
def entropy(request, code):
    """A browser's share in the shuffles, once all seats are taken: by a script."""
    starting.give_entropy(request.user, code, request.POST.get("entropy", ""))
    return HttpResponse(status=204)


@require_POST
@login_required
def rematch(request, code):
    seen_match(request, code)
    with seat_for(request, "open_table") as user:
        seat = replace(seat_request(request), form_key="")
        opened = opening.rematch(user, code, seat)
    return remember_seat(request, redirect("match", opened.code), code=opened.code)


@act()
def move(request, code):
    """The way to move without a socket. A refused move is answered by the table and what was wrong."""
    snapshot = seen_snapshot(request, code)
    try:
        wanted, position = clean_move(request.POST)
        number = snapshot.player_number(request.user.pk)
        moves.play(MoveRequest(code, number, wanted, position, first=clean_first(request.POST)))
    except IllegalMove as refusal:
        return match_page(request, snapshot_at(code), str(refusal), status=400)
    except Refused as refusal:
        return match_page(request, snapshot_at(code), str(refusal), status=refusal.status)
    return redirect("match", code)


@page("replay")
@unchanging
def sheet(request, code):
    """The score sheet so far: the inside of the table's sheet panel, or a page of its own."""
    snapshot = opened_snapshot(request, code)
    stored = Match.objects.get(pk=snapshot.pk)
    context = sheet_of(snapshot, stored, snapshot.player_number(request.user.pk))
    if context is None:
        raise NotHere(lazy("This match has no score sheet yet. Come back after the first deal."))
    context["snapshot"] = snapshot
    if request.htmx:
        context["within"] = "dialog-"  # the page may hold a sheet already, with the same ids
    return render(request, "match/sheet.html#sheet" if request.htmx else "match/sheet.html", context)


@page("replay")
def sheet_csv(request, code):
    """The score sheet of a finished match as a plain table."""
    return _file(taking.sheet_csv(_plain_sheet(request, code)), "text/csv; charset=utf-8", f"valat-{code}.csv")


@page("picture")
def sheet_picture(request, code):
    """The same as a picture."""
    sheet = _plain_sheet(request, code)
    return _file(picture(sheet, f"{request.get_host()}, match {code}"), "image/png", f"valat-{code}.png")


@page("replay")
def luck(request, code):
    """What the cards of a match were worth: the part of its page that is asked for until it is known."""
    found = luck_of(opened_match(request, code))
    if found is None:
        raise NotHere(lazy("Nothing is known of what the cards of this match were worth."))
    template = "history/luck.html" if request.htmx else "history/luck_page.html"
    return render(request, template, {"code": code, "luck": found})


def _plain_sheet(request, code):
    return plain_sheet(opened_match(request, code))


def _file(content, content_type, name):
    return HttpResponse(content, content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@page("replay")
def last_deal(request, code):
    """The result of the last deal: the inside of the table's panel for it, or a page of its own."""
    snapshot = opened_snapshot(request, code)
    if snapshot.state is None:
        raise NotHere(lazy("This match has no results yet. Come back when it is over."))
    game = get_game(snapshot.game)
    stored = Match.objects.get(pk=snapshot.pk)
    shown = last_result(snapshot, stored, snapshot.player_number(request.user.pk))
    context = {
        "snapshot": snapshot,
        "deal_word": game.deal_word,
        "result": shown and result_html(game, shown),
        "bots_moves": explainable_in_last_deal(stored, request.user.pk) if shown else [],
    }
    return render(request, "match/last.html#last" if request.htmx else "match/last.html", context)


def _programs_to_seat(user, snapshot):
    """The users that are programs of the host of a table by link and don't sit at it; none for anybody else."""
    if snapshot.status != Match.Status.OPEN or snapshot.full_at or snapshot.terms.listed or snapshot.club:
        return ()
    if user.pk is None or user.pk != snapshot.host_id:
        return ()
    seated = [seat.user_id for seat in snapshot.seats if seat.user_id]
    programs = usable_programs().filter(owner=user).exclude(user__in=seated)
    return [each.user for each in programs.select_related("user").order_by("pk")]


def _sides_with_room(snapshot):
    """The sides of an open table that have a free seat, of 0 and 1; none where nobody has a partner."""
    if snapshot.rules is None or snapshot.seat_count not in snapshot.rules.partners_at:
        return ()
    taken = [seat.team for seat in snapshot.seats]
    return [team for team in (0, 1) if taken.count(team) < snapshot.seat_count // 2]


def match_page(request, snapshot, error="", status=200):
    """The page of a match, for who has just acted there, or may see it."""
    user_id = request.user.pk
    number = snapshot.player_number(user_id)
    known = clean_count(request.GET.get("seen"))  # moves, of a page that has been without a socket
    if known is not None and snapshot.moves_since(known) is None and allow(request, "replay"):
        snapshot = extend_latest(snapshot, known)  # folded from the moves
    if snapshot.status == Match.Status.OPEN:
        lengths.refresh()
    stored = Match.objects.get(pk=snapshot.pk)
    fragments = Fragments(snapshot)
    context = {
        "snapshot": snapshot,
        "game_name": game_name(snapshot.game),
        "deal_word": deal_words(snapshot.game).one,
        "options": lists.option_words(stored),
        "unusual": lists.unusual_options(stored),
        "names_club": snapshot.club and snapshot.status in Match.RUNNING,  # what is over is seen by strangers, too
        "unlike_usual": lists.differences_from_usual(request.user, stored)
        if user_id and snapshot.status in Match.RUNNING
        else None,
        "me": snapshot.seat_of(user_id),
        "number": number,
        "plays_elsewhere": number is not None and lists.plays_elsewhere(request.user, snapshot.code),
        "table": fragments.for_user(user_id, known),
        "rules_section": fragments.rules_section,
        "levels": levels_of(snapshot.game),
        "words": get_game(snapshot.game).glossary if snapshot.rules else (),
        "programs": (programs := _programs_to_seat(request.user, snapshot)),
        "program_sides": _sides_with_room(snapshot) if programs else (),
        "error": error,
        "about": about(stored) if stored.aside else None,
        "social": social(request, stored, [player["name"] for player in snapshot.players()]),
        "has_hints": offers_hints(snapshot),
        "may_claim": number is not None and claims.claims_at(snapshot) is not None,
        "hints": stored.hints,
    }
    if snapshot.status == Match.Status.OVER:
        context["met"] = met_before(snapshot, user_id) if snapshot.counts else []
        context["variations"] = variations_of(request.user, stored) if user_id and not snapshot.aside else []
        context["luck"] = luck_of(stored) if snapshot.rules else None
        context["rating_changes"] = changes_of(stored, request.user) if stored.rated else None
        context |= sheet_of(snapshot, stored, number)
    if settings.TALK != "off" and not snapshot.guide:
        context["talk_panel"] = panel(snapshot, talks_at(snapshot, [user_id])[user_id])
    response = render(request, "match/match.html", context, status=status)
    if snapshot.status in Match.RUNNING and context["me"] and not context["me"].left:
        return remember_seat(request, response, code=snapshot.code)
    return response
