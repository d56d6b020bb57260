"""Clubs: founding and joining one, its tables, members and standings, and the actions of its leaders."""

from collections.abc import Callable, Mapping
from datetime import UTC
from functools import partial
from operator import attrgetter

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST
from icalendar import Event

from accounts.limits import View, allow, too_many
from accounts.models import User
from accounts.people.online import hides_presence
from accounts.sorting import by_name
from accounts.suspension import open_to_suspended
from games.catalog import all_games, game_name
from games.chat import reporting
from games.chat.models import Report
from games.chat.reading import phrases_only
from games.clubs import board, drawing, joining, leading, leaving, playing, standings
from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Club, Membership
from games.kit.contract import Rules
from games.kit.language import language, lazy, lazy_in, say
from games.pages.arranging import calendar_file
from games.pages.chat import about_author
from games.pages.forms import Host, NoticeForm, OpenTableForm, requested_rules
from games.pages.lobby import open_table
from games.pages.refusals import NotHere, act, first_of, page
from games.pages.seats import remember_seat, seat_for, seat_request
from games.play import newcomers, opening
from games.play.errors import NotAllowed, Refused
from games.play.pace import find_speed
from games.play.requests import KEY_LIMIT, clean_count


def membership_of(request: HttpRequest, code: str) -> Membership:
    """Return the user's membership in a club, with the club and the user.

    Raises NotHere if the user is no member, and NotAllowed if the club is closed.
    """
    memberships = Membership.objects.filter(club__code=code, user=request.user.pk).select_related("club", "user")
    membership = first_of(memberships, lazy("There is no such club. Check the link."))
    if membership.club.closed_at:
        raise NotAllowed(lazy("A moderator has closed this club. Join another one."))
    return membership


def _with_membership(view: View) -> View:
    """Decorate a view so that its argument is the user's membership, found by the code of the club in the address."""

    def wrapped(request: HttpRequest, code: str, **kwargs: object) -> HttpResponseBase:
        return view(request, membership_of(request, code), **kwargs)

    return wrapped


def _club_page(*, posts: bool = False) -> Callable[[View], View]:
    """Return a decorator for a page for members of a club. posts: as for `page`."""
    return lambda view: page("history", needs_login=True, posts=posts)(_with_membership(view))


def _club_action(view: View) -> View:
    """Decorate a view for an action by POST of a member of a club."""
    return act("clubs")(_with_membership(view))


@page("history", needs_login=True, posts=True)
def clubs(request: HttpRequest) -> HttpResponse:
    """List the user's clubs. By POST, found a new one with this name and text."""
    error, status = "", 200
    if request.method == "POST":
        if not allow(request, "clubs"):
            return too_many(request)
        try:
            new_club = joining.found(request.user, request.POST.get("name"), request.POST.get("text"))
        except Refused as refusal:
            error, status = str(refusal), refusal.status
        else:
            messages.success(request, say("The club is founded. Send your friends its link."))
            return redirect("club_settings", new_club.code)
    memberships = by_name(request.user.club_memberships.select_related("club").order_by("pk"), attrgetter("club.name"))
    context = {"memberships": memberships, "error": error, **_text_context(request.POST)}  # Keep refused words.
    return render(request, "clubs/clubs.html", context, status=status)


@page("history", posts=True)
def join(request: HttpRequest, invitation: str) -> HttpResponse:
    """Show the name and text of a club to visitors with its invitation link. By POST, join the club.

    invitation: the secret part of the link. Members go to the page of the club instead.
    """
    club = joining.find_by_invitation(request.user, invitation)
    if club is None:
        raise NotHere(joining.DEAD_LINK)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect(f"{reverse('account_login')}?next={request.path}")
        if not allow(request, "clubs"):
            return too_many(request)
        club = joining.join(request.user, invitation)
        messages.success(request, say("You are a member of {club} now.", club=club))
        return redirect(club)
    if request.user.is_authenticated and club.memberships.filter(user=request.user).exists():
        return redirect(club)
    return render(request, "clubs/join.html", {"club": club, "invitation": invitation})


@_club_page()
def club(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Show a club's notices, tables and chat, and the ways to open a table in one click."""
    code, viewer = membership.club.code, (request.user.pk, language())
    setup, terms = playing.latest_settings(membership.club, request.user)
    latest = {"slug": setup.game, "game": game_name(setup.game), "seats": setup.seats}
    context = {
        "presets": playing.presets_of(membership.club),
        "latest": latest | {"speed": find_speed(terms.speed).name},
        "leaders": membership.club.leaders,
        "live": drawing.pages(code, [viewer]).get(viewer, ""),
        "may_talk": settings.TALK == "free" and not phrases_only([request.user.pk]),
    }
    return render(request, "clubs/club.html", _club_context(membership, "tables") | context)


@_club_page(posts=True)
def open_club_table(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Show the form that opens a table, for one of the club's."""
    return open_table(request, membership.club)


@_club_page(posts=True)
def write_notice(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Show a leader the form of a notice, perhaps of a date. By POST, put it on the board."""
    if not membership.leads:
        raise NotAllowed(leading.LEADERS_ONLY)
    form = NoticeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if not allow(request, "club_notice"):
            return too_many(request)
        try:
            board.write_notice(membership, form.cleaned_data["text"], form.cleaned_data["starts_at"])
            return redirect(membership.club)
        except Refused as refusal:
            form.add_error("starts_at" if refusal.args[0] == board.PAST else "text", str(refusal))
    context = _club_context(membership, "") | {"form": form}
    return render(request, "clubs/notice.html", context, status=400 if form.errors else 200)


@_club_action
def delete_notice(request: HttpRequest, membership: Membership, pk: int) -> HttpResponse:
    board.delete_notice(membership, pk)
    return redirect(membership.club)


@act("talk")
def club_talk(request: HttpRequest, code: str) -> HttpResponse:
    """Say something in the chat of a club, for browsers without a socket."""
    board.write_line(request.user.pk, code, request.POST.get("text", ""))
    return redirect(f"{reverse('club', args=[code])}#talk-words")


@_club_page()
def club_calendar(request: HttpRequest, membership: Membership, pk: int) -> HttpResponse:
    """Send the date of a notice as a file for calendars."""
    notices = membership.club.notices.filter(pk=pk, hidden=False, starts_at__isnull=False)
    notice = first_of(notices, lazy("This notice was deleted. Load the page again."))
    start = notice.starts_at.astimezone(UTC)
    event = Event.new(
        uid=f"notice-{notice.pk}@{request.get_host()}",
        summary=f"{membership.club}: {notice.title}",
        start=start,
        end=start + board.HAPPENS_FOR,
        stamp=notice.written_at,
        url=request.build_absolute_uri(membership.club.get_absolute_url()),
        description=notice.text,
    )
    return calendar_file(event, f"club-{notice.pk}")


@_club_page(posts=True)
def club_notice(request: HttpRequest, membership: Membership, pk: int) -> HttpResponse:
    """Show a notice with the means to report it, or mute its author. By POST, report it."""
    notices = membership.club.notices.filter(pk=pk, hidden=False).select_related("author")
    notice = first_of(notices, lazy("This notice was deleted. Load the page again."))
    report = partial(board.report_notice, request.user, notice)
    return _about(request, membership, notice.author, notice.text, report)


@_club_page(posts=True)
def club_line(request: HttpRequest, membership: Membership, pk: int) -> HttpResponse:
    """Show what somebody said in a club with the means to report it, or mute them. By POST, report it."""
    lines = membership.club.chat_messages.filter(pk=pk, hidden=False).select_related("user", "club")
    line = first_of(lines, lazy("That was deleted, or you may not read it. Go back."))
    report = partial(reporting.report_line, request.user, line)
    return _about(request, membership, line.user, line.text, report)


def _about(
    request: HttpRequest, membership: Membership, author: User, text: str, report: Callable[[object, object], object]
) -> HttpResponse:
    """Show a text of a club's member with the means to report it. By POST, report it with a reason and a note."""
    if request.method == "POST":
        report(request.POST.get("reason"), request.POST.get("note", ""))
        messages.success(request, say("Thank you. A moderator will look at it."))
        return redirect(membership.club)
    back = membership.club.get_absolute_url()
    return about_author(request, author, [(author.username, text, True)], back=back, back_words=say("Back to the club"))


@_club_page()
def members(request: HttpRequest, membership: Membership) -> HttpResponse:
    club = membership.club
    removed = by_name(User.objects.filter(pk__in=club.removed)) if membership.leads else ()
    context = {
        "members": playing.members_of(club.pk, request.user),
        "removed": removed,
        "hides_presence": hides_presence(request.user),
        "can_play": club.table_presets.exists(),
    }
    return render(request, "clubs/members.html", _club_context(membership, "members") | context)


@_club_page()
def play_with(request: HttpRequest, membership: Membership, name: str) -> HttpResponse:
    """List the presets for opening a table with a seat reserved for another member."""
    other = _other_member(request, membership, name)
    context = _club_context(membership, "") | {"other": other, "presets": playing.presets_of(membership.club)}
    return render(request, "clubs/play_with.html", context)


@_club_page()
def club_standings(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Show the standings at a game, ?game=belot. The default is the first game that the club has played."""
    played = standings.games_of(membership.club)  # The number of matches by game.
    game = request.GET.get("game") or next(iter(played), "")  # "" if the club has finished no match yet.
    if game and game not in played:
        raise NotHere(lazy("This club has finished no match of that game. Choose another game."))
    context = {
        "games": [{"slug": slug, "name": game_name(slug), "matches": count} for slug, count in played.items()],
        "game": game,
        "tables": standings.standings(membership.club, game, request.user) if game else None,
    }
    return render(request, "clubs/standings.html", _club_context(membership, "standings") | context)


@_club_page(posts=True)
def club_settings(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Show the club's name, text and link, and how to leave or close it. By POST, leaders change name and text.

    If the change is refused, show the form again with the reason and the refused words. The heir is the member who owns
    the club if the owner leaves.
    """
    error, status, words = "", 200, {"name": membership.club.name, "text": membership.club.text}
    if request.method == "POST":
        if not allow(request, "clubs"):
            return too_many(request)
        try:
            leading.write(membership, request.POST.get("name"), request.POST.get("text"))
        except Refused as refusal:
            error, status, words = str(refusal), refusal.status, request.POST
        else:
            messages.success(request, say("Saved."))
            return redirect("club_settings", membership.club.code)
    invitation = membership.club.invitation  # "" if the leaders have switched the link off.
    link = invitation and request.build_absolute_uri(reverse("join_club", args=[invitation]))
    context = {"link": link, "error": error, "heir": leaving.heir_of(membership.club), **_text_context(words)}
    return render(request, "clubs/settings.html", _club_context(membership, "settings") | context, status=status)


@_club_action
def act_on_member(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Do what the field "act" says with the member of a club whose primary key is in "user".

    Remove them, let a former member back, change their role, or make them the owner of the club.
    """
    user_id = clean_count(request.POST.get("user"), KEY_LIMIT)
    if user_id is None:
        raise Refused(lazy("Choose a member."))
    match request.POST.get("act"):
        case "remove":
            removed = leading.remove(membership, user_id)
            messages.success(request, say("{name} has been removed from the club.", name=removed))
        case "let-back":
            leading.let_back(membership, user_id)
            messages.success(request, say("They can join again, by the link."))
        case "officer" | "member" as role:
            leading.set_officer(membership, user_id, officer=role == "officer")
        case "owner":
            leading.hand_over(membership, user_id)
            messages.success(request, say("The club is theirs now, and you are one of its officers."))
        case _:
            raise Refused(lazy("Choose what to do."))
    return redirect("club_members", membership.club.code)


@_club_action
def link(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Renew the invitation link, or switch it off."""
    on = request.POST.get("link") != "off"
    leading.set_invitation(membership, on=on)
    words = "This is the new link. No other works any more." if on else "The link is off: nobody can join."
    messages.success(request, say(words))
    return redirect("club_settings", membership.club.code)


@open_to_suspended
@_club_action
def leave(request: HttpRequest, membership: Membership) -> HttpResponse:
    leaving.leave(membership)
    messages.success(request, say("You have left {club}.", club=membership.club))
    return redirect("clubs")


@_club_action
def close(request: HttpRequest, membership: Membership) -> HttpResponse:
    leading.close(membership)
    messages.success(request, say("{club} is closed.", club=membership.club))
    return redirect("clubs")


@_club_action
def remove_preset(request: HttpRequest, membership: Membership, pk: int) -> HttpResponse:
    playing.remove_preset(membership, pk)
    return redirect(membership.club)


@require_POST
@login_required
def open_latest(request: HttpRequest, code: str) -> HttpResponse:
    """Open a table of a club in one click, with the settings of the user's latest there."""
    membership = membership_of(request, code)
    seat = seat_request(request)
    with seat_for(request, "open_table") as user:
        opened = opening.open_once(user, playing.open_latest, seat, club=membership.club)
    return remember_seat(request, redirect("match", opened.code), code=opened.code)


@require_POST
@login_required
def open_preset(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Open a table of a club in one click, by a preset: a stored choice of game and options.

    If the form names a member as "user", invite them and keep a seat for them. A form that comes twice opens one table.
    """
    membership = membership_of(request, code)
    preset = first_of(
        membership.club.table_presets.filter(pk=pk),
        lazy("This club no longer has that preset. Choose another one on its page."),
    )
    name = request.POST.get("user")
    invitee = _other_member(request, membership, name) if name else None
    if invitee:  # There are limits for the rate of invitations, with a lower one for new users.
        if not allow(request, "invite"):
            return too_many(request)
        newcomers.demand_pace(request.user, "invite")
    seat = seat_request(request)
    with seat_for(request, "open_table") as user:
        opened = opening.open_once(user, playing.open_preset, seat, preset=preset, invitee=invitee)
    return remember_seat(request, redirect("match", opened.code), code=opened.code)


@_club_page(posts=True)
def report(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Report the name and the text of a club, as a member."""
    return _report(request, membership.club, back=membership.club.get_absolute_url())


@page("people", needs_login=True, posts=True)
def report_invitation(request: HttpRequest, invitation: str) -> HttpResponse:
    """Let a person with a club's invitation link report its name and text to the moderators.

    They need not be a member. By POST, send the report.
    """
    club = joining.find_by_invitation(request.user, invitation)
    if club is None:
        raise NotHere(joining.DEAD_LINK)
    return _report(request, club, back=reverse("join_club", args=[invitation]))


def _report(request: HttpRequest, club: Club, back: str) -> HttpResponse:
    if request.method == "POST":
        leading.report(request.user, club, request.POST.get("reason"), request.POST.get("note", ""))
        messages.success(request, say("Thank you. A moderator will look at it."))
        return redirect(back)
    reasons = [(value, label) for value, label in Report.Reason.choices if value != Report.Reason.CHEATING]
    return render(request, "clubs/report.html", {"club": club, "reasons": reasons, "back": back})


def _other_member(request: HttpRequest, membership: Membership, name: str) -> User:
    """Return another member of the club by name. Raises NotHere if there is none, or the user has blocked them."""
    rows = playing.members_to_invite(membership.club_id, request.user)
    other = next((row["user"] for row in rows if row["user"].username == name), None)
    if other is None:
        raise NotHere(lazy("They aren’t a member of this club. Choose a member."))
    return other


def _text_context(words: Mapping[str, str]) -> dict[str, object]:
    """Return the context for the form of a club's name and text: their values and limits."""
    return {
        "words": {"name": words.get("name", ""), "text": words.get("text", "")},
        "longest": {"name": LONGEST_NAME, "text": LONGEST_TEXT},
        "has_text": settings.TALK == "free",
    }


def _club_context(membership: Membership, page: str) -> dict[str, object]:
    """Return the context that all pages of a club share. page: the name of the selected tab."""
    return {"membership": membership, "club": membership.club, "page": page}


class PresetForm(OpenTableForm):
    """The form of a club's preset: its name, and the choices for a table."""

    name = forms.CharField(
        max_length=LONGEST_NAME, label=lazy_in("of a thing", "Name"), help_text=lazy("Such as “Friday evening”.")
    )

    def __init__(self, data: Mapping[str, str], *, rules: Rules, is_submitted: bool, host: Host) -> None:
        super().__init__(data, rules=rules, is_submitted=is_submitted, host=host)
        del self.fields["bots"]
        self.fields["seats"].help_text = say("Bots can be added at the table.")

    @property
    def preset_fields(self) -> dict[str, object]:
        """The columns of the TablePreset that the form describes, except its name.

        A preset is a club's stored settings for a table. "options" are options of the game's rules. "terms" are the
        others: the speed, who may watch, and so on.
        """
        seats = self.cleaned_data["seats"]
        options = self.rules.clean_options(seats, self.options)
        table = {"game": self.rules.slug, "seats": seats, "options": options}
        return table | {"terms": self.terms.as_json()}


@page("history", needs_login=True, posts=True)
def add_preset(request: HttpRequest, code: str) -> HttpResponse:
    """Show a leader the form of a new preset, the settings of a table for ?game=belot. By POST, add the preset.

    Some choices change the fields of the form. Then its script posts it, only to draw the fields again.
    """
    membership = membership_of(request, code)
    if not membership.leads:
        raise NotAllowed(leading.LEADERS_ONLY)
    rules, is_submitted = requested_rules(request)
    host = Host(member=membership.user, club=membership.club)
    form = PresetForm(request.POST or request.GET, rules=rules, is_submitted=is_submitted, host=host)
    if is_submitted and form.is_valid():
        try:
            playing.add_preset(membership, form.cleaned_data["name"], form.preset_fields)
            return redirect(membership.club)
        except Refused as refusal:
            form.add_error("name", str(refusal))
    template = "lobby/table_redrawn.html" if request.htmx and not is_submitted else "clubs/preset.html"
    context = {"form": form, "rules": rules, "games": all_games(), "club": membership.club}
    return render(request, template, context, status=400 if form.errors else 200)
