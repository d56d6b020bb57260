"""Keeping score without a network: the page that devices keep, its worker, and what these two send.

The page is the same for everybody: nothing personal is in it. Scripts in static/tallies draw the tallies that a device
has, count them, and send entries later. docs/formats.md describes the messages.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guests import guest_for
from accounts.limits import allow, limited
from accounts.models import User
from accounts.site import current
from accounts.site.views import icon, icon_data
from games.catalog import deal_words, games_with_scores
from games.kit.contract import Rules
from games.kit.language import Lazy, language, lazy, say, say_in
from games.pages.refusals import NotHere
from games.pages.sentences import Forms
from games.pages.tallies import tally_for
from games.pages.templatetags.loading import with_imports
from games.play.errors import NotAllowed, Refused, StaleMove
from games.tallies import keeping
from games.tallies.folding import Entry
from games.tallies.keeping import WRITES, Person, Start
from games.tallies.models import Tally

PROTOCOL = 1  # of the messages. Raise it if an older page can no longer talk to this site.
BATCH = 50  # entries in a message
PAGE_SCRIPT = "tallies/offline.js"
TEXTS = re.compile(r'\b(?:say|word)\(\s*"([^"]+)"')
TEXTS_IN_CONTEXT = re.compile(r'\bsayIn\(\s*"([^"]+)",\s*"([^"]+)"')
TEXTS_WITH_FORMS = re.compile(r'\bsayCount\([^"]*"([^"]+)",\s*"([^"]+)"')
TOO_OLD = lazy("This page is older than the site. Load it again: what you have entered stays on this device.")


# The page


@require_safe
def offline_page(request: HttpRequest) -> HttpResponse:
    """Show the tallies of the device. The page has nothing of the session, so devices may keep it."""
    return HttpResponse(_page())


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Send the worker, which shows push messages and keeps the offline page.

    It names the files that the page needs and begins with a hash of the page. So browsers install it again after every
    change of the page, of its scripts, or of the language. Its address is at the root, because it must cover the site.
    """
    page = _page()
    files = set(re.findall(r'(?:href|src)="([^"]+\.(?:js|css|woff2|svg)|/site/[^"]+)"', page))
    files.discard(icon())  # Browsers ask for icons late, and leave pages before. Firefox reports that as a fault.
    shell = {
        "version": hashlib.sha256(page.encode()).hexdigest()[:16],
        "page": reverse("offline_tallies"),
        "files": sorted(files),
    }
    source = Path(finders.find("site/service_worker.js")).read_text()
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
    content = f"const SHELL = {json.dumps(shell)};\n{source}"
    return HttpResponse(content, content_type="text/javascript; charset=utf-8", headers=headers)


def _page() -> str:
    settings = current.settings()
    return _draw_page(language(), settings.name, settings.colour, icon_data(), icon())


@cache
def _draw_page(code: str, name: str, colour: str, logo: str, icon_url: str) -> str:
    """Return the HTML of the offline page. code: the active language, for the cache."""
    data = {
        "protocol": PROTOCOL,
        "batch": BATCH,
        "games": [_game(game.newest) for game in games_with_scores()],
        "words": _words(),
    }
    context = {"language": code, "name": name, "colour": colour, "logo": logo, "icon": icon_url, "data": data}
    return render_to_string("tallies/offline.html", context)


def _game(rules: Rules) -> dict[str, object]:
    """Return what a device needs to begin a tally of a game: {"options": {seats: [...]}, ...}."""
    return {
        "slug": rules.slug,
        "name": str(rules.name),
        "version": rules.version,
        "seats": rules.default_seats,
        "deal": str(deal_words(rules.slug).one),
        "options": {seats: _options(rules, seats) for seats in rules.seat_counts},
    }


def _options(rules: Rules, seats: int) -> list[dict[str, object]]:
    usual = rules.usual_options(seats)
    return [
        {
            "name": option.name,
            "label": str(option.label),
            "usual": usual[option.name],
            "choices": [[choice.value, str(choice.label)] for choice in option.choices],
            "length": option.name in rules.length_options,
        }
        for option in rules.option_fields(seats)
    ]


def _words() -> dict[str, object]:
    """Return the translations for static/tallies/words.js, except words that are the same in English."""
    words: dict[str, object] = {}
    for context, forms in texts():
        if len(forms) == 2:
            words[forms[1]] = Forms._make(forms).by_category()
        elif context:
            words[f"{context}|{forms[0]}"] = str(Lazy(say_in, context, forms[0]))
        else:
            words[forms[0]] = str(Lazy(say, forms[0]))
    return {text: translated for text, translated in words.items() if translated != text.rpartition("|")[2]}


@cache
def texts() -> list[tuple[str, tuple[str, ...]]]:
    """Return the texts of the scripts of the page: pairs of a context, or "", and the text or its forms."""
    sources = [Path(finders.find(path)).read_text() for path in with_imports((PAGE_SCRIPT,))]
    return sorted({text for source in sources for text in _texts_of(source)})


def _texts_of(source: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for text in TEXTS.findall(source):
        yield "", (text,)
    for context, text in TEXTS_IN_CONTEXT.findall(source):
        yield context, (text,)
    for forms in TEXTS_WITH_FORMS.findall(source):
        yield "", forms


# Messages


def _answer(view: Callable[..., dict[str, Any]]) -> Callable[..., HttpResponse]:
    """Decorate a view so that it answers in JSON, refusals included. POST brings a JSON object, its last argument."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: object) -> HttpResponse:
        try:
            if request.method == "POST":
                kwargs["message"] = _message(request)
            answer, status = view(request, **kwargs), 200
        except Refused as refusal:
            answer, status = {"refusal": str(refusal)}, refusal.status
        except NotHere as missing:
            answer, status = {"refusal": str(missing), "gone": True}, 404
        headers = {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex"}
        reader = request.user.pk if request.user.is_authenticated else None
        return JsonResponse(answer | {"protocol": PROTOCOL, "reader": reader}, status=status, headers=headers)

    return wrapped


def _message(request: HttpRequest) -> Mapping[str, Any]:
    try:
        message = json.loads(request.body)
    except (ValueError, RecursionError):
        raise Refused(keeping.UNKNOWN_ENTRY) from None
    if not isinstance(message, dict):
        raise Refused(keeping.UNKNOWN_ENTRY)
    if message.get("protocol") != PROTOCOL:
        raise StaleMove(TOO_OLD)
    return message


@require_safe
@limited("history")
@_answer
def hello(request: HttpRequest) -> dict[str, Any]:
    """Say who reads, and give the token that messages by POST need."""
    return {"token": get_token(request)}


@require_POST
@limited("tally")
@_answer
def begin_later(request: HttpRequest, message: Mapping[str, Any]) -> dict[str, Any]:
    """Begin a tally that a device has begun before. The same message begins one."""
    if not request.user.is_authenticated and message.get("guest") is not True:
        raise NotAllowed(lazy("You are not logged in. What you have entered waits on this device."))
    names, options, key = message.get("names"), message.get("options"), message.get("key")
    if not isinstance(key, str) or not key or not isinstance(names, list) or not isinstance(options, dict):
        raise Refused(keeping.UNKNOWN_ENTRY)
    user = guest_for(request)
    people = [Person(name, user if name == user.username else None) for name in names]
    tally = keeping.begin(user, Start(str(message.get("game")), options, people, form_key=key))
    return {"state": _state(tally, user)}


@require_http_methods(["GET", "HEAD", "POST"])
@limited("entry")
@_answer
def entries_later(request: HttpRequest, code: str, message: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Send the entries of a tally to a device of a writer. By POST, write entries in their order before that.

    The first refusal ends it: later entries may be about the same deal. "known" has the ids of the entries that are
    written now or have been before.
    """
    tally, _ = tally_for(request, code, WRITES)
    user, ids, answer = request.user, [], {}
    if message is not None:
        entries = message.get("entries")
        if not isinstance(entries, list) or len(entries) > BATCH:
            raise Refused(keeping.UNKNOWN_ENTRY)
        for number, entry in enumerate([_entry(each) for each in entries]):
            if number and not allow(request, "entry"):  # The first one counts with the message.
                break  # The device sends the others later.
            try:
                tally = keeping.write(user, code, entry, is_late=True)
            except Refused as refusal:
                stale = isinstance(refusal, StaleMove)
                answer["problem"] = {"id": entry.id, "refusal": str(refusal), "stale": stale}
                break
            ids.append(entry.id)
    return answer | {"known": ids, "state": _state(tally, user)}


def _entry(data: object) -> Entry:
    if not isinstance(data, dict) or not {"id", "kind", "deal", "body", "seen"} <= data.keys():
        raise Refused(keeping.UNKNOWN_ENTRY)
    return keeping.clean_entry(Entry(*(data[name] for name in ("id", "kind", "deal", "body", "seen"))))


def _state(tally: Tally, user: User) -> dict[str, Any]:
    """Return a tally as a device keeps it. Writers are numbers: places in the list of their names."""
    setting, ledger = keeping.ledger_of(tally)
    entries = keeping.entries_of(tally)
    writers = list(dict.fromkeys([user.pk, *(entry.by for entry in entries)]))
    names = dict(User.objects.filter(pk__in=[writer for writer in writers if writer]).values_list("pk", "username"))
    return {
        "code": tally.code,
        "game": tally.game,
        "version": tally.rules_version,
        "options": tally.options,
        "names": ledger.names,
        "entries": [entry._asdict() | {"by": writers.index(entry.by)} for entry in entries],
        "writers": [names.get(writer, "") for writer in writers],  # The reader is the first.
        "totals": list(setting.scorer.totals(ledger.state)),
    }
