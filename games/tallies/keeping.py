"""Begin a tally and write its entries. Each write is one transaction with the row of the tally locked."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from accounts.people.blocks import is_apart
from accounts.sanctions import why_suspended
from games.catalog import find_rules, get_game
from games.chat.posting import demand_voice
from games.chat.wording import clean_text
from games.kit.language import lazy, lazy_count, say
from games.kit.tallies import Body, CannotBe
from games.play.errors import NotAllowed, Refused, StaleMove
from games.play.opening import Setup, check_setup
from games.tallies.folding import KINDS, OF_DEALS, STEP, Entry, Ledger, Setting, counted, fold, standings_of
from games.tallies.models import LONGEST_NAME, Tally, TallyEntry, TallyPlayer

MAX_ENTRIES = 1000  # per tally
KEEPS, WRITES, READS = 3, 2, 1  # rights
SESSION_KEY = "tally_keys"  # of the session: the keys of links that were opened, by the code of the tally
NO_SUCH_TALLY = lazy("There is no such tally. Check the link.")
UNKNOWN_ENTRY = lazy("We don’t understand that entry. Load the page again.")
GONE_ON = lazy("Somebody has changed that since. Look at it again.")

tally_changed = Signal()  # After the commit, with the `code` of a tally whose entries, names or rights have changed.


class Person(NamedTuple):
    """A player of a new tally. user: the member that the name is linked with, if any."""

    name: str
    user: User | None = None


class Start(NamedTuple):
    """What a new tally begins with. people: in the order of play, the first dealer last. form_key: "" for none."""

    game: str
    options: Mapping[str, object]
    people: Sequence[Person]
    club_id: int | None = None
    form_key: str = ""


@transaction.atomic
def begin(user: User, start: Start) -> Tally:
    """Begin a tally. Raise Refused. The same form makes one tally."""
    demand_voice(user)
    if not re.fullmatch(r"[\w-]{0,32}", start.form_key, re.ASCII):
        raise Refused(UNKNOWN_ENTRY)
    if start.form_key and (earlier := Tally.objects.filter(keeper=user, form_key=start.form_key).first()):
        return earlier
    names = clean_names([person.name for person in start.people])
    rules, seats, options = check_setup(Setup(start.game, len(names), dict(start.options)))
    if get_game(start.game).scorer is None:
        raise Refused(lazy("No score can be kept of this game here. Choose another one."))
    tally = Tally.objects.create(
        game=rules.slug,
        rules_version=rules.version,
        seat_count=seats,
        options=options,
        keeper=user,
        club_id=start.club_id,
        form_key=start.form_key,
    )
    now = timezone.now()
    TallyPlayer.objects.bulk_create(
        TallyPlayer(
            tally=tally,
            seat=seat,
            team=rules.team_of(seat, seats),
            name=name,
            user=person.user,
            confirmed_at=now if person.user == user else None,
        )
        for seat, (name, person) in enumerate(zip(names, start.people, strict=True))
    )
    return tally


def clean_names(names: Sequence[object]) -> list[str]:
    """Return names without invisible characters. Raise Refused for one that is missing, forbidden or there twice."""
    if not all(isinstance(name, str) and name.strip() for name in names):
        raise Refused(lazy("Type a name for each player."))
    cleaned = [clean_text(str(name), LONGEST_NAME) for name in names]
    if len({name.casefold() for name in cleaned}) < len(cleaned):
        raise Refused(lazy("Two players have the same name. Add a letter to one of them."))
    return cleaned


# Reading


def setting_of(tally: Tally) -> Setting:
    """Return what a tally is kept of. Raise Refused if this site cannot count it."""
    rules = find_rules(tally.game, tally.rules_version)
    scorer = get_game(tally.game).scorer if rules else None
    if rules is None or scorer is None:
        raise Refused(lazy("This site cannot count this tally: it lacks the game, or that version of its rules."))
    return Setting(scorer(rules), tally.seat_count, tally.options)


def names_of(tally: Tally) -> list[str]:
    """Return the names by seat. A removed name becomes "Player 3"."""
    return [player.name or say("Player {number}", number=player.seat + 1) for player in tally.players.all()]


def entries_of(tally: Tally) -> list[Entry]:
    rows = TallyEntry.objects.filter(tally=tally).order_by("number")
    return [Entry(str(row.uuid), row.kind, row.deal, row.body, row.seen, row.by_id, row.at.isoformat()) for row in rows]


def ledger_of(tally: Tally) -> tuple[Setting, Ledger]:
    """Return the ledger of a tally. Raise Refused if it does not fit the rules, as after damage."""
    return _fold(tally, entries_of(tally))


def _fold(tally: Tally, entries: Sequence[Entry]) -> tuple[Setting, Ledger]:
    setting = setting_of(tally)
    try:
        return setting, fold(setting, names_of(tally), entries)
    except CannotBe as error:
        raise Refused(error.args[0]) from None


def right_of(tally: Tally, user_id: int | None, key: str = "") -> int:
    """Return what a user, or a visitor (None), may do: KEEPS, WRITES, READS or 0. key: of the link that they opened."""
    if user_id is not None:
        if tally.keeper_id == user_id:
            return KEEPS
        if tally.writers.filter(user=user_id).exists():
            return WRITES
        if tally.players.filter(user=user_id).exists():
            return READS
        if tally.club_id and tally.club.closed_at is None and tally.club.memberships.filter(user=user_id).exists():
            return READS
    if not key or key not in (tally.read_key, tally.write_key):
        return 0
    return 0 if is_apart(user_id, [tally.keeper_id]) else READS


# Writing


@contextmanager
def locked(code: str, user: User, right: int, key: str = "") -> Iterator[Tally]:
    """Provide a locked tally to a user with this right, in a transaction. key: of the link that they opened."""
    with transaction.atomic():
        tally = Tally.objects.select_for_update(of=("self",)).filter(code=code).first()
        if tally is None or not (own := right_of(tally, user.pk, key)):
            raise NotAllowed(NO_SUCH_TALLY)
        if own < right:
            raise NotAllowed(lazy("You can only read this tally. Ask its keeper."))
        if why := why_suspended(user.pk):
            raise NotAllowed(why)
        yield tally


def announce(tally: Tally) -> None:
    """Count a change, and announce it after the commit."""
    tally.revision += 1
    tally.changed_at = timezone.now()
    tally.save()
    transaction.on_commit(lambda: tally_changed.send(Tally, code=tally.code), robust=True)


def write(user: User, code: str, entry: Entry, *, is_late: bool = False) -> Tally:
    """Write an entry of a user. An entry with a known id changes nothing. Raise Refused if it cannot be.

    is_late: whether a device kept the entry while it had no network. Then raise StaleMove if its writer has changed the
    same deal from another device since: they decide, not the order of arrival. Entries of others wait on the sheet.
    """
    entry = clean_entry(entry)._replace(by=user.pk)
    if entry.kind == "undo":
        return take_back(user, code, entry.id, str(entry.body["entry"]))
    with locked(code, user, WRITES) as tally:
        entries = entries_of(tally)
        if not any(earlier.id == entry.id for earlier in entries):
            deal = _fold(tally, entries)[1].find(entry.deal) if is_late else None
            if deal and deal.last.by == user.pk and deal.last.id != entry.seen:
                raise StaleMove(GONE_ON)
            add_entries(tally, [entry])
    return tally


def add_entries(tally: Tally, new: Sequence[Entry]) -> None:
    """Store entries after the others, if all of them fit together, and announce them. The tally must be locked."""
    entries = entries_of(tally)
    if len(entries) + len(new) > MAX_ENTRIES:
        one, many = "A tally has at most {number} entry.", "A tally has at most {number} entries. Begin a new one."
        raise Refused(lazy_count(MAX_ENTRIES, one, many))
    if any(entry.deal > STEP * number for number, entry in enumerate(new, len(entries) + 1)):
        raise Refused(UNKNOWN_ENTRY)  # Such a key would leave none for the deals after it.
    setting, ledger = _fold(tally, [*entries, *new])
    TallyEntry.objects.bulk_create(
        TallyEntry(
            tally=tally,
            number=number,
            uuid=entry.id,
            kind=entry.kind,
            deal=entry.deal,
            body=dict(entry.body),
            seen=entry.seen,
            by_id=entry.by,
        )
        for number, entry in enumerate(new, len(entries) + 1)
    )
    _store_result(tally, setting, ledger)
    announce(tally)


def _store_result(tally: Tally, setting: Setting, ledger: Ledger) -> None:
    tally.deal_count = len(ledger.deals)
    tally.ended_at = (tally.ended_at or timezone.now()) if ledger.is_ended else None
    by_seat = {line["seat"]: line for line in standings_of(setting, ledger)} if ledger.is_ended else {}
    players = list(tally.players.all())
    for player in players:
        line = by_seat.get(player.seat)
        player.score, player.finish = (line["score"], line["place"]) if line else (None, None)
    TallyPlayer.objects.bulk_update(players, ["score", "finish"])


def clean_entry(entry: Entry) -> Entry:
    """Return an entry of a device whose values have the right types. Raise Refused."""
    try:
        is_valid = entry.kind in KINDS and type(entry.deal) is int and isinstance(entry.body, dict)
        is_valid = is_valid and 0 <= entry.deal <= MAX_ENTRIES * STEP
        seen = str(UUID(entry.seen)) if entry.seen else ""
        if is_valid and (entry.kind not in OF_DEALS or entry.deal):
            return entry._replace(id=str(UUID(entry.id)), seen=seen, body=_clean_body(entry.kind, entry.body))
    except (ValueError, TypeError, AttributeError, KeyError):
        pass
    raise Refused(UNKNOWN_ENTRY)


def _clean_body(kind: str, body: Body) -> dict[str, Any]:
    """Return the body of an entry. Raise ValueError or KeyError. The rules check the answers about a deal."""
    if kind in ("undo", "choose"):
        reference = {"entry": str(UUID(str(body["entry"])))}
        return reference | ({"take": bool(body["take"])} if kind == "choose" else {})
    if kind in ("delete", "finish", "reopen"):
        return {}
    if len(body) > 100 or not all(_is_answer(name, answer) for name, answer in body.items()):
        raise ValueError
    return dict(body)


def _is_answer(name: object, answer: object) -> bool:
    texts = answer if isinstance(answer, list) else [answer]
    is_short = len(texts) <= 20 and all(len(str(text)) <= 20 for text in texts)
    return is_short and isinstance(name, str) and len(name) <= 20 and all(type(text) in (int, str) for text in texts)


def take_back(user: User, code: str, entry_id: str, target: str = "") -> Tally:
    """Take back the user's last entry, or the one with the id `target`. Nobody may have changed the same deal since.

    entry_id: the id of the new entry, which says so.
    """
    with locked(code, user, WRITES) as tally:
        if tally.entries.filter(uuid=clean_entry(Entry(entry_id, "finish")).id).exists():
            return tally
        standing = counted(entries_of(tally))
        own_entries = [entry for entry in standing if entry.by == user.pk and entry.kind != "choose"]
        own = next((entry for entry in reversed(own_entries) if target in ("", entry.id)), None)
        if own is None:
            raise Refused(lazy("You have written nothing that could be taken back."))
        later = standing[standing.index(own) + 1 :]
        if any(entry.deal == own.deal for entry in later):
            raise StaleMove(GONE_ON)
        add_entries(tally, [Entry(entry_id, "undo", body={"entry": own.id}, by=user.pk)])
    return tally
