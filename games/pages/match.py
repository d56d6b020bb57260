"""The page of a match, and the actions of its players."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import View, allow, limited, too_many
from accounts.models import User
from accounts.programs import usable_programs
from games.catalog import IllegalMove, deal_words, game_name, get_game, levels_of
from games.challenges.lists import about, variations_of
from games.chat.drawing import panel
from games.chat.reading import talks_at
from games.deal_index import taking
from games.deal_index.luck import luck_of
from games.deal_index.picture import picture
from games.deal_index.sheets import PlainSheet, plain_sheet
from games.fragments import Fragments, result_html
from games.history import lengths, lists
from games.history.explanations import explainable_in_last_deal
from games.history.folding import extend_latest
from games.history.sheet import last_result, sheet_of
from games.kit.language import lazy, say
from games.models import Match
from games.notifications import bell
from games.pages.looking import (
    act_at_match,
    chosen_team,
    opened_match,
    opened_snapshot,
    snapshot_at,
    unchanging,
    visible_match,
    visible_snapshot,
)
from games.pages.outage import going_without
from games.pages.refusals import NotHere, act, page
from games.pages.seats import LEVELS, last_level, remember, remember_seat, seat_for, seat_request
from games.pages.social import preview
from games.play import claims, moves, opening, presence, seating, starting, waiting
from games.play.coach import offers_hints
from games.play.errors import AlreadyPlayed, Refused
from games.play.requests import KEY_LIMIT, MoveRequest, clean_count, clean_first, clean_move
from games.play.snapshot import Snapshot
from games.ratings.boards import changes_of
from games.statistics.together import met_before


@require_safe
def match(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table of a match. Without the database, the player's presence is not stored."""
    snapshot = opened_snapshot(request, code)
    seat = snapshot.seat_of(request.user.pk)
    with going_without():
        snapshot = presence.note_visit(request.user.pk, snapshot)
        # With a socket they have seen it before, and a write would let them wait for others.
        if seat and (not seat.connected or snapshot.status == Match.Status.OVER):
            bell.mark_read(request.user.pk, *bell.AT_TABLE, match=snapshot.pk)
    if snapshot.status == Match.Status.OVER and not allow(request, "replay"):
        return too_many(request)  # The score sheet has to replay all moves.
    return match_page(request, snapshot)


@require_POST
def sit(request: HttpRequest, code: str) -> HttpResponse:
    visible_snapshot(request, code)
    team = chosen_team(request)
    with seat_for(request, "sit", code) as user:
        seating.sit_down(user, code, seat_request(request, team))
    return remember_seat(request, redirect("match", code), code=code)


@act_at_match
def bot(request: HttpRequest, code: str) -> HttpResponse:
    level = request.POST.get("level", "")
    snapshot = seating.seat_bot(request.user, code, level=level, team=chosen_team(request))
    remember(request, LEVELS, snapshot.game, level)
    return redirect("match", code)


@act_at_match
def program(request: HttpRequest, code: str) -> HttpResponse:
    """Seat one of the host's own programs: bots that users run themselves and connect to this site.

    A program has a user account of its own. The field "program" is its primary key.
    """
    program_user = clean_count(request.POST.get("program"), KEY_LIMIT)
    chosen_program = usable_programs().filter(owner=request.user, user=program_user).first()
    if chosen_program is None:
        raise Refused(lazy("Choose one of your bots."))
    seating.seat_program(chosen_program, code, team=chosen_team(request))
    return redirect("match", code)


@act_at_match
def free(request: HttpRequest, code: str) -> HttpResponse:
    seat = clean_count(request.POST.get("seat"), KEY_LIMIT)
    if seat is None:
        raise Refused(lazy("Choose the seat to free."))
    seating.free_seat(request.user, code, seat)
    return redirect("match", code)


@act_at_match
def stand(request: HttpRequest, code: str) -> HttpResponse:
    seating.stand_up(request.user, code)
    messages.success(request, say("You have left the table."))
    return redirect("lobby")


def _action_view(service: Callable[..., object], *, takes_seen_count: bool = False) -> View:
    """Return a view that calls `service(user_id, code)` by POST and redirects to the match.

    takes_seen_count: whether the service also takes the number of moves that the user had seen, to refuse an action
    that came too late.
    """

    @act_at_match
    def view(request: HttpRequest, code: str) -> HttpResponse:
        arguments = [clean_count(request.POST.get("seen"))] if takes_seen_count else []
        with suppress(AlreadyPlayed):  # The user has the result that they wanted.
            service(request.user.pk, code, *arguments)
        return redirect("match", code)

    return view


here = _action_view(waiting.confirm_presence)
ready = _action_view(moves.set_ready)
pause = _action_view(waiting.ask_for_pause)
go_on = _action_view(waiting.end_pause)
resume = _action_view(presence.resume)
vote = _action_view(waiting.vote_for_stand_in, takes_seen_count=True)
ask = _action_view(waiting.ask_if_present, takes_seen_count=True)


@limited("claim_address")
@act_at_match
def claim(request: HttpRequest, code: str) -> HttpResponse:
    """Claim all tricks that are left in the deal, or none of them, so that nobody has to play them out.

    The field "seen" is the number of moves that the user had seen. If the claim is refused, answer with the table and
    the reason.
    """
    seen_count = clean_count(request.POST.get("seen"))
    try:
        with suppress(AlreadyPlayed):  # The form came twice.
            claims.claim(request.user.pk, code, request.POST.get("claim"), seen_count=seen_count)
    except Refused as refusal:
        return match_page(request, snapshot_at(code), str(refusal), status=refusal.status)
    return redirect("match", code)


@act_at_match
def start(request: HttpRequest, code: str) -> HttpResponse:
    """Start the match, with bots of the host's latest level in the free seats."""
    seating.start_match(request.user, code, level=last_level(request, snapshot_at(code).game))
    return redirect("match", code)


@act_at_match
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Leave the match for good, and redirect to the lobby."""
    snapshot = seating.leave_match(request.user, code)
    if snapshot.counts:  # Matches that count for nothing, such as a newcomer's guide, end without a message.
        plays_on = "You have left the match. A bot plays on in your seat."
        closed = "You have left the match. Nobody had played yet, so the table is closed."
        messages.success(request, say(plays_on if snapshot.status in Match.RUNNING else closed))
    return redirect("lobby")


@act_at_match
def entropy(request: HttpRequest, code: str) -> HttpResponse:
    """Store a random text that the player's browser adds to the shuffles. It comes once all seats are taken."""
    starting.give_entropy(request.user, code, request.POST.get("entropy", ""))
    return HttpResponse(status=204)


@require_POST
@login_required
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    visible_match(request, code)
    with seat_for(request, "open_table") as user:
        seat = replace(seat_request(request), form_key="")
        opened = opening.rematch(user, code, seat)
    return remember_seat(request, redirect("match", opened.code), code=opened.code)


@act()
def move(request: HttpRequest, code: str) -> HttpResponse:
    """Play a move, for browsers without a socket. If it is refused, answer with the table and the reason."""
    snapshot = visible_snapshot(request, code)
    try:
        played_move, seen_count = clean_move(request.POST)  # And the number of moves that the player had seen.
        number = snapshot.player_number(request.user.pk)  # Of their seat, None if they don't play.
        declarations = clean_first(request.POST)  # The moves that the player makes together with this one.
        moves.play(MoveRequest(code, number, played_move, seen_count, first=declarations))
    except IllegalMove as refusal:
        return match_page(request, snapshot_at(code), str(refusal), status=400)
    except Refused as refusal:
        return match_page(request, snapshot_at(code), str(refusal), status=refusal.status)
    return redirect("match", code)


@page("replay")
@unchanging
def sheet(request: HttpRequest, code: str) -> HttpResponse:
    """Show the score sheet so far: in the panel of the table, or on a page of its own."""
    snapshot = opened_snapshot(request, code)
    stored = Match.objects.get(pk=snapshot.pk)
    context = sheet_of(snapshot, stored, snapshot.player_number(request.user.pk))
    if context is None:
        raise NotHere(lazy("This match has no score sheet yet. Come back after the first deal."))
    context["snapshot"] = snapshot
    if request.htmx:
        context["within"] = "dialog-"  # A prefix for ids, because the page may have a sheet with the same ids.
    return render(request, "match/sheet.html#sheet" if request.htmx else "match/sheet.html", context)


@page("replay")
def sheet_csv(request: HttpRequest, code: str) -> HttpResponse:
    """Send the score sheet of a finished match as CSV."""
    text = taking.sheet_csv(_plain_sheet(request, code), taking.csv_form(request.GET.get("csv", "")))
    return file_response(text, taking.CSV, f"valat-{code}.csv")


@page("picture")
def sheet_picture(request: HttpRequest, code: str) -> HttpResponse:
    """Send the score sheet of a finished match as a picture."""
    sheet = _plain_sheet(request, code)
    return file_response(picture(sheet, f"{request.get_host()}, match {code}"), "image/png", f"valat-{code}.png")


@page("replay")
def luck(request: HttpRequest, code: str) -> HttpResponse:
    """Show how many points the cards of each player in a match were worth, and how many they scored.

    The page of the match asks for this part again until it is computed.
    """
    figures = luck_of(opened_match(request, code))
    if figures is None:
        raise NotHere(lazy("Nothing is known of what the cards of this match were worth."))
    template = "history/luck.html" if request.htmx else "history/luck_page.html"
    return render(request, template, {"code": code, "luck": figures})


def _plain_sheet(request: HttpRequest, code: str) -> PlainSheet:
    return plain_sheet(opened_match(request, code))


def file_response(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    return HttpResponse(content, content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@page("replay")
def last_deal(request: HttpRequest, code: str) -> HttpResponse:
    """Show the result of the last deal: in the panel of the table, or on a page of its own.

    It links to explanations of those moves by bots whose reasons the user may see.
    """
    snapshot = opened_snapshot(request, code)
    if snapshot.state is None:
        raise NotHere(lazy("This match has no results yet. Come back when it is over."))
    game = get_game(snapshot.game)
    stored = Match.objects.get(pk=snapshot.pk)
    result = last_result(snapshot, stored, snapshot.player_number(request.user.pk))
    context = {
        "snapshot": snapshot,
        "deal_word": game.deal_word,
        "result": result and result_html(game, result),
        "bots_moves": explainable_in_last_deal(stored, request.user.pk) if result else [],
    }
    return render(request, "match/last.html#last" if request.htmx else "match/last.html", context)


def _programs_to_seat(user: User, snapshot: Snapshot) -> Sequence[User]:
    """Return the programs of the user that they may seat at a table: as its host, and only if it is open by link."""
    has_free_seats = snapshot.status == Match.Status.OPEN and not snapshot.full_at
    is_by_link = not snapshot.terms.listed and not snapshot.club
    is_host = user.pk is not None and user.pk == snapshot.host_id
    if not (has_free_seats and is_by_link and is_host):
        return ()
    seated = [seat.user_id for seat in snapshot.seats if seat.user_id]
    programs = usable_programs().filter(owner=user).exclude(user__in=seated)
    return [program.user for program in programs.select_related("user").order_by("pk")]


def _sides_with_room(snapshot: Snapshot) -> Sequence[int]:
    """Return the sides, 0 and 1, that have a free seat at an open table. There are none without partners."""
    if snapshot.rules is None or snapshot.seat_count not in snapshot.rules.partners_at:
        return ()
    teams = [seat.team for seat in snapshot.seats]
    return [team for team in (0, 1) if teams.count(team) < snapshot.seat_count // 2]


def match_page(request: HttpRequest, snapshot: Snapshot, error: str = "", status: int = 200) -> HttpResponse:
    """Render the page of a match for a user who may see it.

    error: the reason why an action was refused.
    """
    user_id = request.user.pk
    number = snapshot.player_number(user_id)
    seen_count = clean_count(request.GET.get("seen"))  # Moves, from a page that had no socket.
    if seen_count is not None and snapshot.moves_since(seen_count) is None and allow(request, "replay"):
        snapshot = extend_latest(snapshot, seen_count)  # Takes a fold of all moves.
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
        "names_club": snapshot.club and snapshot.status in Match.RUNNING,  # Strangers may see finished matches.
        "unlike_usual": lists.differences_from_usual(request.user, stored)
        if user_id and snapshot.status in Match.RUNNING
        else None,
        "me": snapshot.seat_of(user_id),
        "number": number,
        "plays_elsewhere": number is not None and lists.plays_elsewhere(request.user, snapshot.code),
        "table": fragments.for_user(user_id, seen_count),
        "rules_section": fragments.rules_section,
        "levels": levels_of(snapshot.game),
        "words": get_game(snapshot.game).glossary if snapshot.rules else (),
        "programs": (programs := _programs_to_seat(request.user, snapshot)),
        "program_sides": _sides_with_room(snapshot) if programs else (),
        "error": error,
        "about": about(stored) if stored.aside else None,
        "social": preview(request, stored, [player["name"] for player in snapshot.players()]),
        "has_hints": offers_hints(snapshot),
        "may_claim": number is not None and claims.claims_at(snapshot) is not None,
        "hints": stored.hints,
    }
    if snapshot.status == Match.Status.OVER:
        context["met"] = met_before(snapshot, user_id) if snapshot.counts else []
        context["variations"] = variations_of(request.user, stored) if user_id and not snapshot.aside else []
        context["luck"] = luck_of(stored) if snapshot.rules else None
        context["rating_changes"] = changes_of(stored, request.user) if stored.rated else None
        context |= sheet_of(snapshot, stored, number) or {}
    if settings.TALK != "off" and not snapshot.guide:
        context["talk_panel"] = panel(snapshot, talks_at(snapshot, [user_id])[user_id])
    response = render(request, "match/match.html", context, status=status)
    if snapshot.status in Match.RUNNING and context["me"] and not context["me"].left:
        return remember_seat(request, response, code=snapshot.code)
    return response
