"""A tally as data for templates: the sheet, the totals, and the form for a deal."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, cast
from uuid import uuid4

from django.template.loader import render_to_string
from django.urls import reverse

from accounts.sanctions import moment
from games.catalog import deal_words, game_name, get_game
from games.kit.drawing import Player, SheetReader, TemplateData
from games.kit.language import say, say_in
from games.kit.tallies import Answer, Body, Field, Reading, as_data, read
from games.kit.words import with_sign
from games.tallies.folding import Deal, Entry, Ledger, Setting, sheet_of, standings_of
from games.tallies.keeping import KEEPS, WRITES, ledger_of
from games.tallies.models import Tally


class Place(NamedTuple):
    """A deal that is entered or corrected. position: how many deals come before it. seen: its last entry."""

    key: int
    position: int
    seen: str
    body: Body
    is_new: bool


def next_place(ledger: Ledger) -> Place:
    """Return the place of the next deal, with its answers from before the play."""
    if deal := ledger.open:
        index = sum(other.key < deal.key for other in ledger.deals)
        return Place(deal.key, index, deal.last.id, deal.early or {}, True)
    return Place(ledger.next_key, len(ledger.deals), "", {}, True)


def place_of(ledger: Ledger, key: int) -> Place | None:
    """Return the place of a finished deal, or None if there is none with this key."""
    deals = ((index, deal) for index, deal in enumerate(ledger.deals) if deal.key == key)
    return next((Place(key, index, deal.last.id, deal.body or {}, False) for index, deal in deals), None)


def place_before(ledger: Ledger, key: int) -> Place | None:
    """Return the place for a forgotten deal before the one with this key, or None if there is no room."""
    place = place_of(ledger, key)
    earlier = ledger.deals[place.position - 1].key if place and place.position else 0
    return Place((earlier + key) // 2, place.position, "", {}, True) if place and key - earlier > 1 else None


def live_context(tally: Tally, right: int) -> dict[str, Any]:
    """Return the context of what everybody sees of a tally, and the ledger with its setting."""
    setting, ledger = ledger_of(tally)
    game, scorer = get_game(tally.game), setting.scorer
    writers = dict(tally.entries.order_by().values_list("by", "by__username").distinct())
    rows = scorer.rows([deal.body for deal in ledger.deals if deal.body is not None])

    def link(deal: int, at: str = "start") -> str:
        """Return the address where a deal is corrected. Only its number on the sheet is a link."""
        if right < WRITES or at != "start" or deal > len(rows):
            return ""
        return reverse("tally_deal", args=[tally.code, ledger.deals[rows[deal - 1]].key])

    changes = {number: _change_words(deal.last, writers) for number, deal in ledger.changes.items()}
    standings = standings_of(setting, ledger) if ledger.is_ended else []
    reader = SheetReader(link=link, standings=standings, changes=changes)
    totals = scorer.totals(ledger.state)
    best = max(totals)
    sides = scorer.side_names(ledger.names)
    players = [cast(Player, {"name": name}) for name in ledger.names]  # Sheets show nothing else of them.
    return {
        "tally": tally,
        "ledger": ledger,
        "setting": setting,
        "writers": writers,
        "may_write": right >= WRITES,
        "keeps": right >= KEEPS,
        "game_name": game_name(tally.game),
        "deal_word": deal_words(tally.game).one,
        "sheet": game.drawing.sheet(sheet_of(setting, ledger), players, reader),
        "sheet_template": f"{game.room}/sheet.html",
        "totals": [
            {"name": name, "total": with_sign(total), "leads": bool(ledger.deals) and total == best}
            for name, total in zip(sides, totals, strict=True)
        ],
        "dealer": ledger.names[ledger.dealer],
        "number": len(ledger.deals) + 1,
        "heading": "" if ledger.is_ended else scorer.heading(ledger.state),
        "winners": [ledger.names[line["seat"]] for line in standings if line["place"] == 1],
        "undecided": [_draw_waiting(setting, ledger, entry, writers) for entry in ledger.waiting],
        "changes": [{"number": number, "words": words} for number, words in sorted(changes.items())],
        "deletions": [_change_words(deal.last._replace(kind="delete"), writers) for deal in ledger.deleted],
        "new_id": str(uuid4()),  # of the next entry that is no deal
    }


def live_html(tally: Tally, right: int) -> str:
    """Return the parts of the page that change while somebody writes."""
    return render_to_string("tallies/live.html", live_context(tally, right))


def _change_words(entry: Entry, writers: Mapping[int | None, str]) -> str:
    """Return who has changed or deleted a deal and when."""
    sentence = "Deleted by {name}, {moment}" if entry.kind == "delete" else "Changed by {name}, {moment}"
    name = writers.get(entry.by) or say("somebody")
    return say(sentence, name=name, moment=moment(datetime.fromisoformat(entry.at)))


def _draw_waiting(setting: Setting, ledger: Ledger, entry: Entry, writers: Mapping[int | None, str]) -> TemplateData:
    """Return an entry that waits for a decision, and the entry that counts until then: the answers that differ."""
    deal = ledger.find(entry.deal)
    place = place_of(ledger, entry.deal)
    index = place.position if place else len(ledger.deals)
    answers = describe(setting, ledger, index, entry.body)
    others = describe(setting, ledger, index, (deal and (deal.body or deal.early)) or {})
    return {
        "id": entry.id,
        "deal": entry.deal,
        "seen": deal.last.id if deal else "",
        "number": index + 1,
        "name": writers.get(entry.by) or say("somebody"),
        "answers": [each for each in answers if each not in others] or answers,
        "other": (deal and writers.get(deal.last.by)) or say("somebody"),
        "other_answers": [each for each in others if each not in answers] or others,
        "deletes": entry.kind == "delete",
    }


def describe(setting: Setting, ledger: Ledger, index: int, body: Body) -> list[TemplateData]:
    """Return the answers about a deal in words: pairs of a label and an answer."""
    state = ledger.states[min(index, len(ledger.states) - 1)]
    fields = setting.scorer.fields(state, body, ledger.names)
    return [
        {"label": f"{field.group} · {field.label}" if str(field.group).strip() else str(field.label)}
        | {"words": _answer_words(field, body[field.name])}
        for field in fields
        if field.name and field.name in body
    ]


def _answer_words(field: Field, answer: Answer) -> str:
    words = {option.value: str(option.title or option.words) for option in field.options}
    if isinstance(answer, list):
        return ", ".join(words.get(each, each) for each in answer) or say_in("no answers", "none")
    return words.get(answer, str(answer))


def history_of(live: Mapping[str, Any], deal: Deal, index: int) -> list[TemplateData]:
    """Return the entries of a deal in words, the newest first. live: from `live_context`."""
    setting, ledger, writers = live["setting"], live["ledger"], live["writers"]
    return [
        {
            "name": writers.get(entry.by) or say("somebody"),
            "moment": moment(datetime.fromisoformat(entry.at)),
            "deletes": entry.kind == "delete",
            "answers": [] if entry.kind == "choose" else describe(setting, ledger, index, entry.body),
        }
        for entry in reversed(deal.history)
    ]


# The form


def read_form(setting: Setting, ledger: Ledger, place: Place, data: Mapping[str, Sequence[str]] | None) -> Reading:
    """Read a form about a deal. data: None for a form that nobody has changed."""
    values = as_data(place.body) if data is None else data
    return read(setting.scorer, ledger.states[place.position], values, ledger.names)


def form_context(reading: Reading, place: Place) -> dict[str, Any]:
    """Return the context for drawing the form of a deal."""
    fields = [_draw_field(field, reading.answers) for field in reading.fields]
    ends = [field for field in fields if field["kind"] == "end"]
    early = [field for field in reading.fields if field.early and field.name]
    return {
        "fields": [field for field in fields if field["kind"] != "end"],
        "ends": ends,
        "place": place,
        "has_early": place.is_new and bool(reading.missing) and all(field.name in reading.answers for field in early),
        "is_early_only": bool(reading.missing) and len(early) == len([each for each in reading.fields if each.name]),
        "has_numbers": any(field["kind"] == "number" for field in fields),
        "may_be_negative": any(field.least < 0 for field in reading.fields),
    }


def _draw_field(field: Field, answers: Mapping[str, Answer]) -> TemplateData:
    answer = answers.get(field.name)
    chosen = {str(each) for each in (answer if isinstance(answer, list) else [answer])}
    return field._asdict() | {
        "kind": "note" if not field.name else "number" if not field.options else field.kind,
        "value": "" if answer is None else answer,
        "folded": field.folded and answer is not None,
        "options": [option._asdict() | {"checked": str(option.value) in chosen} for option in field.options],
    }
