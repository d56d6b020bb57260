"""Tallies: the score of a game at a real table, its sheet for everybody there, and what can be done with it."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.guests import guest_for
from accounts.limits import allow, too_many
from accounts.models import User
from accounts.names import casefold
from accounts.suspension import open_to_suspended
from games.catalog import games_with_scores
from games.deal_index import taking
from games.deal_index.picture import picture
from games.kit.contract import Rules
from games.kit.language import lazy, say
from games.kit.tallies import CannotBe
from games.pages.arranging import qr_code
from games.pages.forms import OpenTableForm
from games.pages.match import file_response
from games.pages.refusals import NotHere, act, first_of, game_at, page
from games.play.errors import Refused
from games.play.requests import KEY_LIMIT, clean_count
from games.tallies import drawing, files, keeping, lists, sharing
from games.tallies.drawing import Place, place_of
from games.tallies.folding import Entry
from games.tallies.keeping import KEEPS, READS, SESSION_KEY, WRITES, Person, Start
from games.tallies.models import Tally

MAX_KEYS = 50
RULES = ("seats", "preset", "drawn_seats", "drawn_preset")  # Other fields of a table are about matches on this site.


class TallyForm(OpenTableForm):
    """The rules of a tally: the fields of a table that are about these."""

    def __init__(self, data: Mapping[str, str], *, rules: Rules, is_submitted: bool) -> None:
        super().__init__(data, rules=rules, is_submitted=is_submitted)
        for name in self.base_fields.keys() - set(RULES):
            self.fields.pop(name, None)
        self.fields["seats"].help_text = ""


def _key(request: HttpRequest, code: str) -> str:
    return str(request.session.get(SESSION_KEY, {}).get(code, ""))


def tally_for(request: HttpRequest, code: str, right: int = READS) -> tuple[Tally, int]:
    """Return a tally that the user may see, and their right. Raises NotHere."""
    tally = first_of(Tally.objects.filter(code=code).select_related("club", "keeper"), keeping.NO_SUCH_TALLY)
    own = keeping.right_of(tally, request.user.pk, _key(request, code))
    if own < right:
        raise NotHere(keeping.NO_SUCH_TALLY)
    return tally, own


# Begin


@page("history", needs_login=True)
def tallies(request: HttpRequest) -> HttpResponse:
    """List the user's tallies, and the names that they are asked about."""
    context = {"lines": lists.of_user(request.user, request.GET.get("before", "")), "asked": lists.asked(request.user)}
    return render(request, "tallies/tallies.html", context | {"games": games_with_scores()})


@require_http_methods(["GET", "HEAD", "POST"])
def new_tally(request: HttpRequest, game: str) -> HttpResponse:
    """Show the form of a new tally: players, rules and the first dealer. By POST, begin it."""
    rules = game_at(game).newest
    is_submitted = request.method == "POST" and "redraw" not in request.POST
    before = lists.latest(request.user, game, request.GET.get("again", ""))
    data = request.POST or (request.GET if "seats" in request.GET or before is None else _fields_of(before))
    form = TallyForm(data, rules=rules, is_submitted=is_submitted)
    refusal: object = ""
    if is_submitted and form.is_valid():
        if not allow(request, "tally"):
            return too_many(request)
        try:
            return redirect(_begin(request, form, guest_for(request)))
        except Refused as error:
            refusal = error
    context = {
        "form": form,
        "rules": rules,
        "games": games_with_scores(),
        "error": str(refusal),
        "form_key": data.get("form_key") or uuid4().hex,
        "names": _name_fields(request, form.settled.seats, data, before),
        "club": data.get("club", ""),
        **lists.suggestions(request.user),
    }
    status = 400 if refusal or form.errors else 200
    template = "tallies/new.html#fields" if request.htmx and not is_submitted else "tallies/new.html"
    return render(request, template, context, status=status)


def _fields_of(tally: Tally) -> dict[str, str]:
    """Return the fields of a form that begins another tally by the same rules."""
    options = {f"option_{name}": str(value) for name, value in tally.options.items()}
    return {"seats": str(tally.seat_count), "club": str(tally.club_id or ""), **options}


def _name_fields(request: HttpRequest, seats: int, data: Mapping[str, str], before: Tally | None) -> list[dict]:
    """Return the fields for names: as posted, or from an earlier tally, or with the user's own name."""
    names = [player.name for player in before.players.all()] if before and before.seat_count == seats else []
    if not names and request.user.is_authenticated:
        names = [request.user.username]
    names += [""] * seats
    dealer = clean_count(data.get("dealer", str(seats - 1)))
    return [
        {"seat": seat, "value": data.get(f"name{seat}", names[seat]), "deals": seat == dealer} for seat in range(seats)
    ]


def _begin(request: HttpRequest, form: TallyForm, user: User) -> Tally:
    """Begin the tally of a form. Names of the user, of friends and of members of their clubs are linked with these."""
    data, seats = request.POST, form.cleaned_data["seats"]
    names = [data.get(f"name{seat}", "") for seat in range(seats)]
    members = {member.casefolded_name: member for member in sharing.linkable(user)}
    people = [Person(name, members.get(casefold(name.strip()))) for name in names]
    dealer = clean_count(data.get("dealer", "")) or 0
    people = people[dealer + 1 :] + people[: dealer + 1]  # The first dealer has the last seat.
    club = clean_count(data.get("club") or None, KEY_LIMIT)
    if club is not None and not user.club_memberships.filter(club=club, club__closed_at=None).exists():
        raise Refused(lazy("You do not belong to this club any more."))
    return keeping.begin(user, Start(form.rules.slug, form.options, people, club, data.get("form_key", "")))


@act("tally")
def import_tally(request: HttpRequest) -> HttpResponse:
    upload = request.FILES.get("file")
    return redirect(files.read_file(request.user, upload.read(files.MAX_FILE + 1) if upload else b""))


# The table


@page("history", posts=True)
def tally(request: HttpRequest, code: str) -> HttpResponse:
    """Show the sheet of a tally. Writers also see the form for the next deal. By POST, enter it."""
    tally, right = tally_for(request, code, WRITES if request.method == "POST" else READS)
    return _deal_page(request, tally, right, None)


@page("history", posts=True, needs_login=True)
def tally_deal(request: HttpRequest, code: str, key: int, *, inserts: bool = False) -> HttpResponse:
    """Show a deal with its history, and the form to correct it. By POST, correct or delete it.

    inserts: whether the form is about a forgotten deal before this one.
    """
    tally, right = tally_for(request, code, WRITES)
    return _deal_page(request, tally, right, key, drawing.place_before if inserts else drawing.place_of)


def _deal_page(
    request: HttpRequest, tally: Tally, right: int, key: int | None, find: Callable[..., Place | None] = place_of
) -> HttpResponse:
    """Show a form for a deal, or carry it out. key: of the deal, or None for the next one. find: returns the place."""
    live = drawing.live_context(tally, right)
    setting, ledger = live["setting"], live["ledger"]
    place = drawing.next_place(ledger) if key is None else find(ledger, key)
    if place is None:
        raise NotHere(lazy("There is no such deal in this tally. Load the sheet again."))
    posted = request.method == "POST"
    data = {name: request.POST.getlist(name) for name in request.POST} if posted else None
    reading = drawing.read_form(setting, ledger, place, data)
    error = ""
    if posted and "redraw" not in request.POST:
        if not allow(request, "entry"):
            return too_many(request)
        try:
            keeping.write(request.user, tally.code, _entry_of(request, reading, place))
            return redirect(tally)
        except (Refused, CannotBe) as refusal:
            error = str(refusal)
    context = live | drawing.form_context(reading, place)
    context["own_seat"] = tally.players.filter(user=request.user.pk).first() if request.user.pk else None
    context |= {"error": error, "entry_id": request.POST.get("entry") or str(uuid4())}
    context["refusals"] = reading.refusals if posted and not error else []
    if request.htmx and posted and not error:
        return render(request, "tallies/entry.html", context)
    template = "tallies/tally.html"
    if key is not None:
        template = "tallies/deal.html"
        context["history"] = drawing.history_of(live, ledger.deals[place.position], place.position)
        context |= {"number": place.position + 1, "key": key}
    return render(request, template, context, status=400 if error else 200)


def _entry_of(request: HttpRequest, reading: Any, place: Place) -> Entry:
    """Return the entry that a form makes. Raise CannotBe if it is not complete."""
    data = request.POST
    entry = Entry(data.get("entry", ""), "", clean_count(data.get("deal")) or 0, seen=data.get("seen", ""))
    if data.get("act") == "delete":
        return entry._replace(kind="delete")
    if reading.refusals:
        raise CannotBe(reading.refusals[0])
    if data.get("act") == "early":
        early = {field.name for field in reading.fields if field.early and field.name in reading.answers}
        return entry._replace(kind="bid", body={name: reading.answers[name] for name in early})
    if reading.missing:
        raise CannotBe(lazy("{label}: choose or enter something.", label=reading.missing[0].label))
    return entry._replace(kind="result" if place.is_new else "correct", body=reading.answers)


@act("entry")
def act_on_tally(request: HttpRequest, code: str) -> HttpResponse:
    """Do what the field "act" says: take back the last entry, choose between two, or end the tally."""
    data, user = request.POST, request.user
    entry = data.get("entry", "")
    match data.get("act"):
        case "undo":
            keeping.take_back(user, code, entry)
            messages.success(request, say("Your last entry is taken back."))
        case "choose":
            body = {"entry": data.get("chosen", ""), "take": data.get("take") == "yes"}
            deal = clean_count(data.get("deal")) or 0
            keeping.write(user, code, Entry(entry, "choose", deal, body, data.get("seen", "")))
        case "finish" | "reopen" as kind:
            keeping.write(user, code, Entry(entry, kind))
        case _:
            raise Refused(lazy("Choose what to do."))
    return redirect("tally", code)


# Sharing


@page("history")
def open_link(request: HttpRequest, code: str, key: str) -> HttpResponse:
    """Remember the key of a link, and show its tally."""
    tally = first_of(Tally.objects.filter(code=code), keeping.NO_SUCH_TALLY)
    if key not in (tally.read_key, tally.write_key):
        raise NotHere(sharing.DEAD_LINK)
    keys = {each: value for each, value in request.session.get(SESSION_KEY, {}).items() if each != code}
    request.session[SESSION_KEY] = dict([*keys.items(), (code, key)][-MAX_KEYS:])
    if key == tally.write_key and keeping.right_of(tally, request.user.pk) < WRITES:
        return render(request, "tallies/join.html", {"tally": tally})
    return redirect(tally)


@require_http_methods(["POST"])
def join_tally(request: HttpRequest, code: str) -> HttpResponse:
    """Let the user write, because they have opened the link for writers. A visitor becomes a guest."""
    key = _key(request, code)
    sharing.let_write(guest_for(request), code, key)
    return redirect("tally", code)


@page("history", needs_login=True)
def share_tally(request: HttpRequest, code: str) -> HttpResponse:
    """Show the links of a tally, its writers and its names to its keeper."""
    tally, _ = tally_for(request, code, KEEPS)
    context = {
        "tally": tally,
        "links": [_draw_link(request, tally, kind) for kind in sharing.KEYS],
        "writers": tally.writers.select_related("user").order_by("pk"),
        "players": tally.players.select_related("user"),
        "linkable": sharing.linkable(request.user, tally),
    }
    return render(request, "tallies/share.html", context)


@act("entry")
def change_sharing(request: HttpRequest, code: str) -> HttpResponse:
    """Do what the field "act" says: switch a link on or off, revoke the right of a writer, or change a name."""
    data, user = request.POST, request.user
    match data.get("act"):
        case "on" | "off" as switch:
            sharing.set_link(user, code, data.get("link", ""), on=switch == "on")
        case "revoke":
            sharing.revoke(user, code, clean_count(data.get("user"), KEY_LIMIT))
        case "name":
            member = clean_count(data.get("member") or None, KEY_LIMIT)
            sharing.name_seat(user, code, clean_count(data.get("seat")), data.get("name", ""), member)
        case _:
            raise Refused(lazy("Choose what to do."))
    return redirect("share_tally", code)


def _draw_link(request: HttpRequest, tally: Tally, kind: str) -> dict[str, str]:
    """Return a link to the tally for the template. url: "" while it is off."""
    key = getattr(tally, sharing.KEYS[kind])
    url = request.build_absolute_uri(reverse("tally_link", args=[tally.code, key])) if key else ""
    return {"kind": kind, "url": url, "code_picture": qr_code(url) if url else ""}


@open_to_suspended
@act("entry")
def answer_name(request: HttpRequest, code: str) -> HttpResponse:
    """Confirm that a name in a tally is the user, or unlink it."""
    confirms = request.POST.get("answer") == "yes"
    sharing.answer_link(request.user, code, confirms=confirms)
    sentence = "It is in your history now." if confirms else "Your name is not linked with it any more."
    messages.success(request, say(sentence))
    return redirect("tally", code) if confirms else redirect("tallies")


@open_to_suspended
@page("entry", posts=True)
def remove_name(request: HttpRequest, code: str) -> HttpResponse:
    """Ask to have a name removed. Anybody who sees the tally may ask."""
    tally, _ = tally_for(request, code)
    if request.method == "POST":
        removed = sharing.ask_removal(tally, clean_count(request.POST.get("seat")), request.user.pk)
        later = "The keeper is asked. After a week the name is removed anyway."
        messages.success(request, say("The name is removed." if removed else later))
        return redirect(tally)
    names = enumerate(keeping.names_of(tally))
    return render(request, "tallies/remove.html", {"tally": tally, "names": names})


@act("entry")
def delete_tally(request: HttpRequest, code: str) -> HttpResponse:
    sharing.delete(request.user, code)
    messages.success(request, say("The tally is deleted."))
    return redirect("tallies")


# Files


@page("history")
def tally_csv(request: HttpRequest, code: str) -> HttpResponse:
    tally, _ = tally_for(request, code)
    text = taking.sheet_csv(files.plain_sheet(tally), taking.csv_form(request.GET.get("csv", "")))
    return file_response(text, taking.CSV, f"valat-{code}.csv")


@page("picture")
def tally_picture(request: HttpRequest, code: str) -> HttpResponse:
    tally, _ = tally_for(request, code)
    return file_response(picture(files.plain_sheet(tally), request.get_host()), "image/png", f"valat-{code}.png")


@page("history")
def tally_json(request: HttpRequest, code: str) -> HttpResponse:
    tally, _ = tally_for(request, code, WRITES)
    text = json.dumps(files.document(tally), ensure_ascii=False, indent=1)
    return file_response(text, "application/json", f"valat-{code}.json")
