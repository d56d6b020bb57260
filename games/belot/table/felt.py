"""Draw the part of a Belot table that everybody sees."""

from collections.abc import Callable, Sequence
from functools import partial

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

type Slot = tuple[Markup, Markup, TemplateData | None]  # classes, the face of a card, the slip of a call

NO_CALL: Slot = (Markup("slot said"), NOTHING, None)
CALL_CLASSES = Markup("slot said filled")
MARK_CLASSES = {"number": "", "dash": "missed", "hanging": ""}


def felt(table: View, players: Players) -> TemplateData:
    phase, count = table["phase"], table["seats"]
    names = Names([player["name"] for player in players])
    last, row = table["last_hand"], scored_deal(table)
    calls = last["calls"] if last else table["calls"]
    contract = row or table["contract"]
    tricks = row["played"] if row else table["tricks"]
    plays, winner = visible_trick(table, tricks)
    if row or phase == "play":
        places: list[Slot] = [(classes, face, None) for classes, face in slots(count, plays, winner)]
    else:
        places = _call_slots(count, calls)
    tallies = _tallies(table, row, calls, tricks, plays)
    seats = []
    for seat, ((state, tally, fresh), (slot, face, slip)) in enumerate(zip(tallies, places, strict=True)):
        side = seat % len(table["sides"])
        seats.append(
            {
                "state": f"side-{side} {state}",
                "tally": tally,
                "fresh": fresh,
                "slot": slot,
                "face": face,
                "slip": slip,
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
    return [(CALL_CLASSES, NOTHING, slips[seat]) if seat in slips else NO_CALL for seat in range(count)]


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
) -> list[tuple[str, Markup, bool]]:
    """Return (class, words, fresh) for each seat: its call, new announcement, tricks, or its side's score.

    fresh: whether the words are a new announcement.
    """
    seats = range(table["seats"])
    if row:
        return [(*_score_tally(row, seat % len(table["sides"])), False) for seat in seats]
    if table["phase"] != "play":
        last_calls = {call["seat"]: call_words(call) for call in calls}
        defaults = [words.TO_CALL if seat == table["to_act"] else DASH for seat in seats]
        return [("", Markup(last_calls.get(seat, defaults[seat])), False) for seat in seats]
    winners = [trick["winner"] for trick in tricks]
    first_trick = len(tricks) == (not table["trick"]["plays"] and bool(tricks))
    tallies = []
    for seat in seats:
        fresh = []
        if first_trick:
            fresh += [words.declared(each) for each in table["declared"] if each["seat"] == seat]
        royal = {play["card"][1] for play in plays if play["seat"] == seat and play["card"][0] in "KQ"}
        fresh += [str(words.BELOT) for each in table["belots"] if each["seat"] == seat and each["suit"] in royal]
        tallies.append(("", Markup(", ".join(fresh) or words.tricks(winners.count(seat))), bool(fresh)))
    return tallies


def _score_tally(row: SheetRow, side: int) -> tuple[str, Markup]:
    """Return the class and the words of a side's score for a deal."""
    won = row["marks"][side] == "number" and row["outcome"] != "hanging" and row["mp"][side] > 0
    return "made" if won else MARK_CLASSES[row["marks"][side]], Markup(words.result_of(row, side))


# Around and inside the ring


def _contract_slip(
    table: View,
    row: PlayedDeal | None,
    contract: HighestBid | PlayedDeal | None,
    tricks: Sequence[FinishedTrick],
    names: Names,
) -> TemplateData:
    """Return the slip with the contract, its bidder and stake, and the score of the match."""
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
        "deal": words.deal(row["deal"] if row else table["deal_number"]),
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
    """Return a phrase for every announcement of this deal."""
    phrases = [(each["seat"], words.declared(each)) for each in (row or table)["declared"]]
    phrases += [(each["seat"], words.belot_in(each["suit"])) for each in (row["announced"] if row else table["belots"])]
    return [_words_about(partial(words.announced, seat, phrase), names, seat) for seat, phrase in phrases]


def _caption(table: View, winner: Seat | None, names: Names) -> TemplateData | None:
    """Return the caption in the middle of the table, or None."""
    phase, last = table["phase"], table["last_hand"]
    if phase == "over":
        best = table["totals"].index(max(table["totals"]))
        wins = personal_markup(lambda each: words.wins(best, Sides(table["sides"], each)), names, table["sides"][best])
        return caption(wins, classes="winner")
    if winner is not None:
        return caption(_words_about(partial(takes, winner, phase != "play"), names, winner), classes="winner")
    if phase == "deal":
        dealer = table["dealer"]
        return caption(_words_about(partial(deals, dealer), names, dealer), words.EVERYBODY_PASSED if last else "")
    contract, leader = table["contract"], table["to_act"]
    if phase == "play" and contract and leader is not None and not table["trick"]["plays"]:
        return caption(_words_about(partial(leads, leader), names, leader), short_contract(contract))
    return None


def _words_about(words_of: Callable[[Names], str], names: Names, seat: Seat) -> Markup:
    """Return words about one player, in the second person for that player."""
    return personal_markup(words_of, names, [seat])
