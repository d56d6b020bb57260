"""Clubs: founding one, joining it by its link, its tables, members and standings, and what those do who lead it."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.limits import allow, too_many
from accounts.models import User
from accounts.people.online import hides_presence
from accounts.suspension import open_to_suspended
from games.catalog import all_games, game_name
from games.chat.models import Report
from games.clubs import joining, leading, leaving, playing, standings
from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Membership
from games.kit.language import lazy, lazy_in, say
from games.models import Match
from games.pages.forms import OpenTableForm, rules_asked
from games.pages.refusals import NotHere, act, first_of, page
from games.pages.seats import remember_seat, seat_for, seat_request
from games.play import newcomers, opening
from games.play.errors import NotAllowed, Refused
from games.play.requests import KEY_LIMIT, clean_count


def membership_of(request, code):
    """The Membership of the user in the club of that code, with both. Raises NotHere for everybody else, NotAllowed."""
    memberships = Membership.objects.filter(club__code=code, user=request.user.pk).select_related("club", "user")
    membership = first_of(memberships, lazy("There is no such club. Check the link."))
    if membership.club.closed_at:
        raise NotAllowed(lazy("A moderator has closed this club. Join another one."))
    return membership


def _of_member(view):
    """Return a view that is given the Membership of who asks, in place of the code of a club."""

    def wrapped(request, code, **kwargs):
        return view(request, membership_of(request, code), **kwargs)

    return wrapped


def _page(*, posts=False):
    return lambda view: page("history", known=True, posts=posts)(_of_member(view))


def _act(view):
    return act("clubs")(_of_member(view))


@page("history", known=True, posts=True)
def clubs(request):
    """The clubs that somebody belongs to; by POST they found one."""
    error, status = "", 200
    if request.method == "POST":
        if not allow(request, "clubs"):
            return too_many(request)
        try:
            founded = joining.found(request.user, request.POST.get("name"), request.POST.get("text"))
        except Refused as refusal:
            error, status = str(refusal), refusal.status
        else:
            messages.success(request, say("The club is founded. Send your friends its link."))
            return redirect("club_settings", founded.code)
    memberships = request.user.club_memberships.select_related("club").order_by("club__name", "pk")
    context = {"memberships": memberships, "error": error, **_words_fields(request.POST)}
    return render(request, "clubs/clubs.html", context, status=status)


@page("history", posts=True)
def join(request, invitation):
    """What a club tells those whom its link leads to: its name and text. By POST they join."""
    found = joining.find_by_invitation(request.user, invitation)
    if found is None:
        raise NotHere(joining.DEAD_LINK)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect(f"{reverse('account_login')}?next={request.path}")
        if not allow(request, "clubs"):
            return too_many(request)
        joined = joining.join(request.user, invitation)
        messages.success(request, say("You are a member of {club} now.", club=joined))
        return redirect(joined)
    if request.user.is_authenticated and found.memberships.filter(user=request.user).exists():
        return redirect(found)
    return render(request, "clubs/join.html", {"club": found, "invitation": invitation})


@_page()
def club(request, membership):
    """A club's ways to play, and its tables."""
    context = playing.tables_of(membership.club, request.user) | {"presets": playing.presets_of(membership.club)}
    return render(request, "clubs/club.html", _page_of(membership, "tables") | context)


@_page()
def members(request, membership):
    found = membership.club
    removed = User.objects.filter(pk__in=found.removed).order_by("casefolded_name") if membership.leads else ()
    context = {
        "members": playing.members_of(found.pk, request.user),
        "removed": removed,
        "hides_presence": hides_presence(request.user),
        "can_play": found.table_presets.exists(),
    }
    return render(request, "clubs/members.html", _page_of(membership, "members") | context)


@_page()
def play_with(request, membership, name):
    """The ways in which a member may open a table and keep a seat for another."""
    other = _other_of(request, membership, name)
    context = _page_of(membership, "") | {"other": other, "presets": playing.presets_of(membership.club)}
    return render(request, "clubs/play_with.html", context)


@_page()
def club_standings(request, membership):
    """Who does how well at a game, ?game=belot, or at that which the club has played and comes first."""
    played = standings.games_of(membership.club)
    game = request.GET.get("game") or next(iter(played), "")
    if game and game not in played:
        raise NotHere(lazy("This club has finished no match of that game. Choose another game."))
    context = {
        "games": [{"slug": slug, "name": game_name(slug), "matches": count} for slug, count in played.items()],
        "game": game,
        "tables": standings.standings(membership.club, game, request.user) if game else None,
    }
    return render(request, "clubs/standings.html", _page_of(membership, "standings") | context)


@_page(posts=True)
def club_settings(request, membership):
    """The club's name, text and link, and the ways out of it; by POST who leads it writes name and text."""
    error, status, written = "", 200, {"name": membership.club.name, "text": membership.club.text}
    if request.method == "POST":
        if not allow(request, "clubs"):
            return too_many(request)
        try:
            leading.write(membership, request.POST.get("name"), request.POST.get("text"))
        except Refused as refusal:
            error, status, written = str(refusal), refusal.status, request.POST
        else:
            messages.success(request, say("Saved."))
            return redirect("club_settings", membership.club.code)
    link = membership.club.invitation and request.build_absolute_uri(
        reverse("join_club", args=[membership.club.invitation])
    )
    context = {"link": link, "error": error, "heir": leaving.heir_of(membership.club), **_words_fields(written)}
    return render(request, "clubs/settings.html", _page_of(membership, "settings") | context, status=status)


@_act
def act_on_member(request, membership):
    """Do what the form names with the member, or former one, "user"."""
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


@_act
def link(request, membership):
    """Renew the invitation link, or switch it off."""
    on = request.POST.get("link") != "off"
    leading.set_invitation(membership, on=on)
    words = "This is the new link. No other works any more." if on else "The link is off: nobody can join."
    messages.success(request, say(words))
    return redirect("club_settings", membership.club.code)


@open_to_suspended
@_act
def leave(request, membership):
    leaving.leave(membership)
    messages.success(request, say("You have left {club}.", club=membership.club))
    return redirect("clubs")


@_act
def close(request, membership):
    leading.close(membership)
    messages.success(request, say("{club} is closed.", club=membership.club))
    return redirect("clubs")


@_act
def remove_preset(request, membership, pk):
    playing.remove_preset(membership, pk)
    return redirect(membership.club)


@require_POST
@login_required
def open_preset(request, code, pk):
    """Open a table of a club in one click, and keep a seat for the member "user" if one is named."""
    membership = membership_of(request, code)
    preset = first_of(membership.club.table_presets.filter(pk=pk), lazy("This club no longer plays that way."))
    name = request.POST.get("user")
    invited = _other_of(request, membership, name) if name else None
    if invited:
        if not allow(request, "invite"):
            return too_many(request)
        newcomers.demand_pace(request.user, "invite")
    seat = seat_request(request)
    with seat_for(request, "open_table") as user:
        opened = opening.open_once(user, playing.open_preset, seat, preset=preset, invitee=invited)
    return remember_seat(request, redirect("match", opened.code), code=opened.code)


@_page(posts=True)
def report(request, membership):
    """Report the name and the text of a club that one belongs to."""
    return _report(request, membership.club, back=membership.club.get_absolute_url())


@page("people", known=True, posts=True)
def report_invitation(request, invitation):
    """Report those of a club that one is invited to."""
    found = joining.find_by_invitation(request.user, invitation)
    if found is None:
        raise NotHere(joining.DEAD_LINK)
    return _report(request, found, back=reverse("join_club", args=[invitation]))


def _report(request, found, back):
    if request.method == "POST":
        leading.report(request.user, found, request.POST.get("reason"), request.POST.get("note", ""))
        messages.success(request, say("Thank you. A moderator will look at it."))
        return redirect(back)
    reasons = [(value, label) for value, label in Report.Reason.choices if value != Report.Reason.CHEATING]
    return render(request, "clubs/report.html", {"club": found, "reasons": reasons, "back": back})


def _other_of(request, membership, name):
    """Another member by name, whom no block keeps from the user. Raises NotHere."""
    lines = playing.members_to_invite(membership.club_id, request.user)
    other = next((line["user"] for line in lines if line["user"].username == name), None)
    if other is None:
        raise NotHere(lazy("They aren’t a member of this club. Choose a member."))
    return other


def _words_fields(written):
    """What the fields of a club's name and text hold and take."""
    return {
        "written": {"name": written.get("name", ""), "text": written.get("text", "")},
        "longest": {"name": LONGEST_NAME, "text": LONGEST_TEXT},
        "has_text": settings.TALK == "free",
    }


def _page_of(membership, page):
    """What every page of a club has. page: which of its tabs it is."""
    return {"membership": membership, "club": membership.club, "page": page}


class PresetForm(OpenTableForm):
    """A way to play of a club: its name, and what is chosen for a table."""

    name = forms.CharField(
        max_length=LONGEST_NAME, label=lazy_in("of a thing", "Name"), help_text=lazy("Such as “Friday evening”.")
    )

    def __init__(self, data, *, rules, sent):
        super().__init__(data, rules=rules, sent=sent)
        for name in ("bots", "listed"):
            del self.fields[name]
        watching = dict(Match.Watching.choices) | {Match.Watching.ANYONE.value: say("Members of the club")}
        self.fields["watching"].choices = list(watching.items())
        self.fields["seats"].help_text = say("Bots can be added at the table.")

    @property
    def chosen(self):
        """What a Way holds besides its name."""
        chosen = self.cleaned_data
        options = self.rules.clean_options(chosen["seats"], self.options)
        table = {"game": self.rules.slug, "seats": chosen["seats"], "options": options}
        return table | {"terms": self.terms.as_json()}


@page("history", known=True, posts=True)
def add_preset(request, code):
    """The page on which who leads a club adds a way to play, by POST: of ?game=belot."""
    membership = membership_of(request, code)
    if not membership.leads:
        raise NotAllowed(lazy("Only the owner and the officers of the club can do that. Ask one of them."))
    rules, sent = rules_asked(request)
    form = PresetForm(request.POST or request.GET, rules=rules, sent=sent)
    if sent and form.is_valid():
        try:
            playing.add_preset(membership, form.cleaned_data["name"], form.chosen)
            return redirect(membership.club)
        except Refused as refusal:
            form.add_error("name", str(refusal))
    template = "lobby/table_redrawn.html" if request.htmx and not sent else "clubs/preset.html"
    context = {"form": form, "rules": rules, "games": all_games(), "club": membership.club}
    return render(request, template, context, status=400 if form.errors else 200)
