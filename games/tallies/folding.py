"""From the entries of a tally to its deals, its score and its sheet. Pure functions: no Django, no clock.

An entry names the entry of the same deal that its writer saw last. If somebody else has written one since, both wait
for a decision. Nothing is dropped, and a correction is an entry too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.kit.contract import Options, Seat, Sheet, Standing, State, as_standings
from games.kit.language import lazy
from games.kit.tallies import Body, CannotBe, Scorer, add_deal

OF_DEALS = ("bid", "result", "correct", "delete", "choose")  # Other kinds are about the whole ledger.
KINDS = (*OF_DEALS, "undo", "finish", "reopen")
STEP = 1000  # between the keys of two deals, so that forgotten ones can be inserted


class Entry(NamedTuple):
    """An entry of a ledger.

    id: a UUID made by the device. An entry that comes twice counts once. deal: the key of the deal. Deals are in
    the order of their keys, which they keep. seen: the id of the deal's last entry that the writer saw, or "".
    by: the key of the writer. at: any text of the time.
    """

    id: str
    kind: str
    deal: int = 0
    body: Body = {}
    seen: str = ""
    by: int | None = None
    at: str = ""


@dataclass
class Deal:
    """A deal. early: its answers from before the play. body: all answers, or None before its end. history: entries."""

    key: int
    early: Body | None = None
    body: Body | None = None
    is_deleted: bool = False
    history: list[Entry] = field(default_factory=list)

    @property
    def last(self) -> Entry:
        return self.history[-1]


@dataclass
class Ledger:
    """All that follows from the entries. states: before each deal, and after the last. waiting: undecided entries."""

    names: list[str]
    deals: list[Deal] = field(default_factory=list)
    deleted: list[Deal] = field(default_factory=list)
    open: Deal | None = None  # the deal whose end is not known yet
    waiting: list[Entry] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    next_key: int = STEP
    is_closed: bool = False
    is_over: bool = False
    changes: dict[int, Deal] = field(default_factory=dict)  # corrected deals by their number on the sheet

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def dealer(self) -> Seat:
        """The dealer of the next deal. Everybody deals in turn."""
        return (len(self.deals) - 1) % len(self.names)

    @property
    def is_ended(self) -> bool:
        return bool(self.deals) and (self.is_over or self.is_closed)

    def find(self, key: int) -> Deal | None:
        deals = [*self.deals, self.open] if self.open else self.deals
        return next((deal for deal in deals if deal.key == key), None)


class Setting(NamedTuple):
    """What a tally is kept of: the game, the number of seats and the options."""

    scorer: Scorer[Any]
    seats: int
    options: Options


def fold(setting: Setting, names: Sequence[str], entries: Iterable[Entry]) -> Ledger:
    """Return what follows from the entries, in the order of the server. Raise CannotBe if a deal does not fit."""
    ledger, deals = Ledger(list(names)), dict[int, Deal]()
    for entry in counted(entries):
        if entry.kind in OF_DEALS:
            ledger.next_key = max(ledger.next_key, entry.deal + STEP)
            _note(ledger, deals, entry)
        else:
            ledger.is_closed = entry.kind == "finish"
    ordered = [deals[key] for key in sorted(deals) if not deals[key].is_deleted]
    ledger.deals = [deal for deal in ordered if deal.body is not None]
    ledger.deleted = [deal for deal in deals.values() if deal.is_deleted]
    ledger.open = next((deal for deal in reversed(ordered) if deal.body is None), None)
    _score(setting, ledger)
    return ledger


def counted(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that count: each id once, without entries that were taken back."""
    by_id: dict[str, Entry] = {}
    for entry in entries:
        by_id.setdefault(entry.id, entry)
    undone = {str(entry.body["entry"]) for entry in by_id.values() if entry.kind == "undo"}
    return [entry for entry in by_id.values() if entry.kind != "undo" and entry.id not in undone]


def _note(ledger: Ledger, deals: dict[int, Deal], entry: Entry) -> None:
    deal = deals.get(entry.deal)
    if entry.kind == "choose":
        chosen = next((other for other in ledger.waiting if other.id == entry.body["entry"]), None)
        if chosen is None:
            return  # It was taken back, or somebody has chosen before.
        ledger.waiting.remove(chosen)
        if entry.body["take"]:
            _apply(deals, chosen, [chosen, entry])
        elif deal and not deal.is_deleted:
            deal.history.append(entry)
        return
    if deal and deal.last.id != entry.seen and deal.last.by != entry.by:
        ledger.waiting.append(entry)
    else:
        _apply(deals, entry, [entry])


def _apply(deals: dict[int, Deal], entry: Entry, history: Sequence[Entry]) -> None:
    deal = deals.setdefault(entry.deal, Deal(entry.deal))
    deal.history += history
    deal.is_deleted = entry.kind == "delete"
    if deal.is_deleted:
        deal.early = deal.body = None
    elif entry.kind == "bid":
        deal.early = entry.body
    else:
        deal.body = entry.body


def _score(setting: Setting, ledger: Ledger) -> None:
    """Score the deals in turn."""
    scorer = setting.scorer
    ledger.states = [scorer.rules.new_match(setting.seats, setting.options)]
    bodies: list[Body] = []
    for number, deal in enumerate(ledger.deals, 1):
        assert deal.body is not None
        try:
            ledger.states.append(add_deal(scorer, ledger.state, deal.body, ledger.names))
        except CannotBe as refusal:
            if number == len(ledger.deals):
                raise
            sentence = "Then number {number} would not fit any more. {why}"
            raise CannotBe(lazy(sentence, number=number, why=refusal.args[0])) from None
        bodies.append(deal.body)
    ledger.is_over = bool(scorer.rules.standings(ledger.state))
    for number, index in enumerate(scorer.rows(bodies), 1):
        deal = ledger.deals[index]
        if any(entry.kind != "bid" for entry in deal.history[:-1]):
            ledger.changes[number] = deal


def sheet_of(setting: Setting, ledger: Ledger) -> Sheet:
    return setting.scorer.sheet(ledger.state, [deal.body for deal in ledger.deals if deal.body is not None])


def standings_of(setting: Setting, ledger: Ledger) -> list[Standing]:
    """Return the result: of the match, or as it stands if the tally was closed before."""
    if standings := setting.scorer.rules.standings(ledger.state):
        return standings
    return as_standings(setting.scorer.totals(ledger.state), setting.seats)
