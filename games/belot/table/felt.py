"""Draw the part of a Belot table that everybody sees."""

from functools import partial

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
from games.kit.drawing import DASH, caption, draw_felt, draw_tricks, slots, visible_trick
from games.kit.language import cache_by_language
from games.kit.markup import NOTHING, Markup, called, told_apart
from games.kit.words import Names, deals, leads, takes, with_sign

NOTHING_SAID = (Markup("slot said"), NOTHING, None)
SAID = Markup("slot said filled")
SCORED = {"number": "", "dash": "missed", "hanging": ""}


def felt(table, players):
    phase, count = table["phase"], table["seats"]
    names = Names([player["name"] for player in players])
    last = table["last_hand"]
    row = last if last and last["outcome"] != "passed" else None
    calls = last["calls"] if last else table["calls"]
    contract = row or table["contract"]
    tricks = row["played"] if row else table["tricks"]
    shown, winner = visible_trick(table, tricks)
    if row or phase == "play":
        places = [(classes, face, None) for classes, face in slots(count, shown, winner)]
    else:
        places = _said(count, calls)
    tallies = _tallies(table, row, calls, tricks, shown)
    seats = []
    for seat, ((state, tally, fresh), (slot, face, slip)) in enumerate(zip(tallies, places, strict=True)):
        side = seat % len(table["sides"])
        drawn = {"state": f"side-{side} {state}", "tally": tally, "fresh": fresh, "slot": slot, "face": face}
        drawn["total"] = Markup(with_sign(table["totals"][side]))
        drawn["bidder"] = bool(contract) and seat == contract["bidder"]
        seats.append(drawn | {"slip": slip})
    return draw_felt(table, players, seats, (last or table)["dealer"], "counter-clockwise") | {
        "contract": _contract(table, row, contract, tricks, names),
        "stock": phase == "bid",
        "caption": _caption(table, winner, names),
        "tricks": draw_tricks(tricks[-1:], names),  # As at a real table, only the last trick is open to view.
        "announced": _announced(table, row, names),
        "auction": [_told(partial(words.called, call), names, call["seat"]) for call in calls],
        "values": card_values(contract["contract"], count) if contract else [],
    }


# Before the seats


def _said(count, calls):
    """Return (classes, no face, slip) for every seat: its last call on a slip, in the place of its card."""
    slips = {call["seat"]: _slip(call["call"], call.get("contract")) for call in calls}
    return [(SAID, NOTHING, slips[seat]) if seat in slips else NOTHING_SAID for seat in range(count)]


@cache_by_language()
def _slip(call, contract):
    name = CONTRACT_TITLES[contract] if contract else SHORT_CALLS[call]
    return {"call": Markup(call), "sign": SIGNS[contract] if contract else NOTHING, "words": Markup(name)}


def _tallies(table, row, calls, tricks, shown):
    """Return (class, words, fresh) for each seat: its call, new announcement, tricks, or its side's score.

    fresh: whether the words are a new announcement.
    """
    seats = range(table["seats"])
    if row:
        return [(*_scored(row, seat % len(table["sides"])), False) for seat in seats]
    if table["phase"] != "play":
        said = {call["seat"]: call_words(call) for call in calls}
        waiting = [words.TO_CALL if seat == table["to_act"] else DASH for seat in seats]
        return [("", Markup(said.get(seat, waiting[seat])), False) for seat in seats]
    winners = [trick["winner"] for trick in tricks]
    first_trick = len(tricks) == (not table["trick"]["plays"] and bool(tricks))
    lines = []
    for seat in seats:
        fresh = []
        if first_trick:
            fresh += [words.declared(each) for each in table["declared"] if each["seat"] == seat]
        royal = {play["card"][1] for play in shown if play["seat"] == seat and play["card"][0] in "KQ"}
        fresh += [str(words.BELOT) for each in table["belots"] if each["seat"] == seat and each["suit"] in royal]
        lines.append(("", Markup(", ".join(fresh) or words.tricks(winners.count(seat))), bool(fresh)))
    return lines


def _scored(row, side):
    won = row["marks"][side] == "number" and row["outcome"] != "hanging" and row["mp"][side] > 0
    return "made" if won else SCORED[row["marks"][side]], Markup(words.result_of(row, side))


# Around and inside the ring


def _contract(table, row, contract, tricks, names):
    """Return the slip with the contract, its bidder and stake, and the score of the match."""
    sides = Sides(table["sides"], names)
    winners = [trick["winner"] % len(sides.names) for trick in tricks]
    taken = row["tricks"] if row else [winners.count(side) for side in sides.order]
    playing = bool(row) or table["phase"] == "play"
    drawn = {
        "emblem": SIGNS[contract["contract"]] if contract else "",
        "name": CONTRACT_TITLES[contract["contract"]] if contract else words.NO_BID,
        "times": TIMES[contract["level"]] if contract else "",
        "words": words.bid_of(contract_words(contract)) if contract else "",
        "by": _told(partial(words.by, contract["bidder"]), names, contract["bidder"]) if contract else "",
        "deal": words.deal(row["deal"] if row else table["deal_number"]),
        "stake": "",
        "takes": "",
        "hanging": words.hanging(table["hanging"]) if table["hanging"] else "",
        "length": words.to(table["options"]["target"]),
        "score": [
            {
                "classes": f"side side-{side}" if sides.pairs else f"side seat-{side}",
                "pair": sides.pairs,
                "names": sides.names[side] if sides.pairs else called(sides.names[side]),
                "total": with_sign(table["totals"][side]),
                "tricks": words.tricks(taken[side]) if playing else "",
            }
            for side in sides.order
        ],
    }
    if row:
        drawn["stake"] = words.OUTCOMES[row["outcome"]]
    elif contract:
        mp = at_stake(contract["contract"], contract["level"], table["options"])
        drawn["stake"] = words.worth(mp, at_most=table["seats"] == 2)
        drawn["takes"] = words.WINNER_TAKES_ALL if contract["level"] > 1 else ""
    return drawn


def _announced(table, row, names):
    """Return a phrase for every announcement of this deal."""
    declared = row["declared"] if row else table["declared"]
    belots = row["announced"] if row else table["belots"]
    return [_told(partial(words.announced, each), names, each["seat"]) for each in [*declared, *belots]]


def _caption(table, winner, names):
    """Return the caption in the middle of the table, or None."""
    phase, last = table["phase"], table["last_hand"]
    if phase == "over":
        best = table["totals"].index(max(table["totals"]))
        wins = told_apart(lambda each: words.wins(best, Sides(table["sides"], each)), names, table["sides"][best])
        return caption(wins, classes="winner")
    if winner is not None:
        return caption(_told(partial(takes, winner, phase != "play"), names, winner), classes="winner")
    if phase == "deal":
        dealer = table["dealer"]
        return caption(_told(partial(deals, dealer), names, dealer), words.EVERYBODY_PASSED if last else "")
    if phase == "play" and not table["trick"]["plays"]:
        leader = table["to_act"]
        return caption(_told(partial(leads, leader), names, leader), short_contract(table["contract"]))
    return None


def _told(words_of, names, seat):
    """Return words about one player, in the second person for that player. words_of: a function of `Names`."""
    return told_apart(words_of, names, [seat])
