"""Draw the part of a Belot table that everybody sees."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from games.belot.rules.types import Call, FinishedTrick, HighestBid, PlayedDeal, SheetRow, View
from games.belot.rules.view import scored_deal
from games.belot.table import words
from games.belot.table.terms import (
    CONTRACT_TITLES,
    SHORT_CALLS,
    SIGNS,
    TIMES,
    Sides,
    at_stake,
    call_words,
    card_values,
    contract_words,
    short_contract,
)
from games.kit.contract import Seat
from games.kit.drawing import DASH, Players, TemplateData, caption, draw_felt, draw_tricks, slots, visible_trick
from games.kit.language import cache_by_language
from games.kit.markup import NOTHING, Markup, name_or_you, personal_markup
from games.kit.tricks import Play
from games.kit.words import Names, deals, leads, takes, with_sign


class Slot(NamedTuple):
    """The place in front of a seat, with the card it has played or the slip with its call."""

    classes: Markup
    face: Markup
    slip: TemplateData | None


class Tally(NamedTuple):
    """The words below a seat's name."""

    classes: str
    words: Markup
    is_new: bool  # whether the words are an announcement that has just been made


NO_CALL = Slot(Markup("slot said"), NOTHING, None)
CALL_CLASSES = Markup("slot said filled")
MARK_CLASSES = {"number": "", "dash": "missed", "hanging": ""}


def felt(table: View, players: Players) -> TemplateData:
    """Return the data of the table that everybody sees: seats, cards, contract and announcements.

    Between deals the table still shows the deal that has just ended.
    """
    phase, count = table["phase"], table["seats"]
    names = Names([player["name"] for player in players])
    last, row = table["last_hand"], scored_deal(table)
    calls = last["calls"] if last else table["calls"]
    contract = row or table["contract"]
    tricks = row["played"] if row else table["tricks"]
    plays, winner = visible_trick(table, tricks)
    if row or phase == "play":
        seat_slots = [Slot(classes, face, None) for classes, face in slots(count, plays, winner)]
    else:
        seat_slots = _call_slots(count, calls)
    tallies = _tallies(table, row, calls, tricks, plays)
    seats = []
    for seat, (tally, slot) in enumerate(zip(tallies, seat_slots, strict=True)):
        side = seat % len(table["sides"])
        seats.append(
            {
                "state": f"side-{side} {tally.classes}",
                "tally": tally.words,
                "fresh": tally.is_new,
                "slot": slot.classes,
                "face": slot.face,
                "slip": slot.slip,
                "total": Markup(with_sign(table["totals"][side])),
                "bidder": contract is not None and seat == contract["bidder"],
            }
        )
    return draw_felt(table, players, seats, (last or table)["dealer"], "counter-clockwise") | {
        "contract": _contract_slip(table, row, contract, tricks, names),
        "stock": phase == "bid",
        "caption": _caption(table, winner, names),
        "tricks": draw_tricks(tricks[-1:], names),  # As at a real table, only the last trick is open to view.
        "announced": _announced(table, row, names),
        "auction": [_words_about(partial(words.called, call), names, call["seat"]) for call in calls],
        "values": card_values(contract["contract"], count) if contract else [],
    }


# Before the seats


def _call_slots(count: int, calls: Sequence[Call]) -> list[Slot]:
    """Return each seat's slot during the bidding, with its last call on a slip."""
    slips = {call["seat"]: _call_slip(call["call"], call.get("contract")) for call in calls}
    return [Slot(CALL_CLASSES, NOTHING, slips[seat]) if seat in slips else NO_CALL for seat in range(count)]


@cache_by_language()
def _call_slip(call: str, contract: str | None) -> TemplateData:
    name = CONTRACT_TITLES[contract] if contract else SHORT_CALLS[call]
    return {"call": Markup(call), "sign": SIGNS[contract] if contract else NOTHING, "words": Markup(name)}


def _tallies(
    table: View,
    row: PlayedDeal | None,
    calls: Sequence[Call],
    tricks: Sequence[FinishedTrick],
    plays: Sequence[Play],
) -> list[Tally]:
    """Return the words below the name of each seat, a tally: in the bidding its last call, in the play its tricks.

    A new announcement takes the place of the tricks for a moment. After the deal the tally is the score. row: the row
    of the score sheet, if the deal is over. tricks: the finished ones. plays: the cards on the table.
    """
    seats = range(table["seats"])
    if row:
        return [_score_tally(row, seat % len(table["sides"])) for seat in seats]
    if table["phase"] != "play":
        last_calls = {call["seat"]: call_words(call) for call in calls}
        defaults = [words.TO_CALL if seat == table["to_act"] else DASH for seat in seats]
        return [Tally("", Markup(last_calls.get(seat, defaults[seat])), False) for seat in seats]
    winners = [trick["winner"] for trick in tricks]
    tallies = []
    for seat in seats:
        announcements = _new_announcements(table, tricks, plays, seat)
        tally = Markup(", ".join(announcements) or words.tricks(winners.count(seat)))
        tallies.append(Tally("", tally, bool(announcements)))
    return tallies


def _new_announcements(
    table: View, tricks: Sequence[FinishedTrick], plays: Sequence[Play], seat: Seat
) -> Sequence[str]:
    """Return in words what the seat has just announced: sequences and squares, or king and queen of trumps (belot).

    tricks: the finished ones. plays: the cards on the table.
    """
    announcements = []
    # Declarations are made in the first trick. It stays on the table until the next lead.
    if not tricks or (len(tricks) == 1 and not table["trick"]["plays"]):
        announcements += [words.declared(entry) for entry in table["declared"] if entry["seat"] == seat]
    # A belot is new while its king or queen is on the table.
    royal_suits = {play["card"][1] for play in plays if play["seat"] == seat and play["card"][0] in "KQ"}
    belots = [belot for belot in table["belots"] if belot["seat"] == seat and belot["suit"] in royal_suits]
    return [*announcements, *(str(words.BELOT) for _ in belots)]


def _score_tally(row: SheetRow, side: int) -> Tally:
    """Return the words for a side's score in a deal."""
    won = row["marks"][side] == "number" and row["outcome"] != "hanging" and row["mp"][side] > 0
    return Tally("made" if won else MARK_CLASSES[row["marks"][side]], Markup(words.result_of(row, side)), False)


# Around and inside the ring


def _contract_slip(
    table: View,
    row: PlayedDeal | None,
    contract: HighestBid | PlayedDeal | None,
    tricks: Sequence[FinishedTrick],
    names: Names,
) -> TemplateData:
    """Return the slip with the contract, its bidder and stake, and the score of the match.

    row: the row of the score sheet, if the deal is over. contract: the highest bid so far, or None.
    """
    sides = Sides(table["sides"], names)
    winners = [trick["winner"] % len(sides.names) for trick in tricks]
    tricks_won = row["tricks"] if row else [winners.count(side) for side in sides.order]
    playing = bool(row) or table["phase"] == "play"
    slip = {
        "emblem": SIGNS[contract["contract"]] if contract else "",
        "name": CONTRACT_TITLES[contract["contract"]] if contract else words.NO_BID,
        "times": TIMES[contract["level"]] if contract else "",
        "words": words.bid_of(contract_words(contract)) if contract else "",
        "by": _words_about(partial(words.by, contract["bidder"]), names, contract["bidder"]) if contract else "",
        "deal": words.deal(table["last_hand"]["deal"] if table["last_hand"] else table["deal_number"]),
        "stake": "",
        "takes": "",
        "hanging": words.hanging(table["hanging"]) if table["hanging"] else "",
        "length": words.to(table["options"]["target"]),
        "score": [
            {
                "classes": f"side side-{side}" if sides.pairs else f"side seat-{side}",
                "pair": sides.pairs,
                "names": sides.names[side] if sides.pairs else name_or_you(sides.names[side]),
                "total": with_sign(table["totals"][side]),
                "tricks": words.tricks(tricks_won[side]) if playing else "",
            }
            for side in sides.order
        ],
    }
    if row:
        slip["stake"] = words.OUTCOMES[row["outcome"]]
    elif contract:
        mp = at_stake(contract["contract"], contract["level"], table["options"])
        slip["stake"] = words.worth(mp, at_most=table["seats"] == 2)
        slip["takes"] = words.WINNER_TAKES_ALL if contract["level"] > 1 else ""
    return slip


def _announced(table: View, row: PlayedDeal | None, names: Names) -> list[Markup]:
    """Return a phrase for every announcement of this deal: declarations, and kings with queens of trumps (belots).

    row: the deal that has just ended, or None during a deal.
    """
    phrases = [(entry["seat"], words.declared(entry)) for entry in (row or table)["declared"]]
    belots = row["announced"] if row else table["belots"]
    phrases += [(belot["seat"], words.belot_in(belot["suit"])) for belot in belots]
    return [_words_about(partial(words.announced, seat, phrase), names, seat) for seat, phrase in phrases]


def _caption(table: View, winner: Seat | None, names: Names) -> TemplateData | None:
    """Return the caption in the middle of the table: who has won, leads or deals. None if there is nothing to say.

    winner: the seat that has taken the trick on the table, or None. The caption has a version for every reader.
    """
    phase, last = table["phase"], table["last_hand"]
    if phase == "over":  # Name the side that has won the match.
        best = table["totals"].index(max(table["totals"]))
        winners = table["sides"][best]
        wins = personal_markup(lambda names: words.wins(best, Sides(table["sides"], names)), names, winners)
        return caption(wins, classes="winner")
    if winner is not None:
        return caption(_words_about(partial(takes, winner, phase != "play"), names, winner), classes="winner")
    if phase == "deal":  # No trick has been played: this is the first deal, or everybody has passed.
        dealer = table["dealer"]
        return caption(_words_about(partial(deals, dealer), names, dealer), words.EVERYBODY_PASSED if last else "")
    contract, leader = table["contract"], table["to_act"]
    if phase == "play" and contract and leader is not None and not table["trick"]["plays"]:  # before a lead
        return caption(_words_about(partial(leads, leader), names, leader), short_contract(contract))
    return None


def _words_about(words_of: Callable[[Names], str], names: Names, seat: Seat) -> Markup:
    """Return words about one player, in the second person for that player."""
    return personal_markup(words_of, names, [seat])
