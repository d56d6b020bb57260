"""What Belot shows: the table as a seat may know it, the score sheet, and what happens at a move. All plain JSON.

Source: "Score sheet", "View" and "Events" on the rules page.
"""

from games.belot.rules.declarations import counting_side
from games.belot.rules.pack import CONTRACTS, OTHER_OF_BELOT
from games.belot.rules.scoring import standings
from games.belot.rules.state import Match
from games.kit.positions import as_dict
from games.kit.tricks import as_dicts, as_plays, card_events, seen_cards, tricks_taken

BETWEEN = ("deal", "over")  # the phases in which no deal is in progress

# View


def private_view(state, seat):
    assert 0 <= seat < state.deal.match.seats
    own = {"seat": seat}
    if state.phase not in BETWEEN:
        own["hand"] = list(state.hands[seat])
        if any(each.seat == seat for each in state.declared):
            own["declared"] = [_declaration(each, shown=each.seat == seat) for each in state.declared]
    return own


def public_view(state):
    deal, phase, to_act, hands, leader, trick, tricks, declared, belots = state
    match = deal.match
    between = phase in BETWEEN
    if between:
        hands, tricks, declared, belots = ((),) * match.seats, (), (), ()
    return {
        "game": "belot",
        "seat": None,
        "seats": match.seats,
        "sides": _sides(match),
        "options": dict(zip(Match._fields[1:], match[1:], strict=True)),
        "phase": phase,
        "to_act": to_act,
        "deal_number": deal.number,
        "dealer": deal.dealer,
        "pack": len(deal.pack),
        "hand": [],
        "hand_counts": [len(hand) for hand in hands],
        "calls": [] if between else _calls(deal),
        "contract": deal.contract and deal.contract._asdict(),
        "trick": {"leader": leader, "plays": as_plays(match.seats, leader, trick)},
        "tricks": as_dicts(match.seats, tricks),
        "tricks_won": tricks_taken(tricks, match.sides),
        "declared": [_declaration(each, shown=False) for each in declared],
        "belots": _belots(belots),
        "hanging": deal.hanging,
        "totals": list(deal.totals),
        "last_hand": _last_hand(state) if between and deal.calls else None,
    }


def hidden_from(state, seat):
    if not state.deal.calls and state.phase == "deal":
        return set()  # nothing has been dealt yet
    known = seen_cards(state, seat)
    for _, suit in state.belots:
        known.update(("K" + suit, "Q" + suit))
    for declaration in state.declared:
        if declaration.points >= 150:  # there is but one such square
            known.update(declaration.cards)
    return set(state.deal.match.pack) - known


def _calls(deal):
    return [_as_call(seat, call) for seat, call in deal.calls]


def _as_call(seat, call):
    return {"seat": seat, "call": "bid", "contract": call} if call in CONTRACTS else {"seat": seat, "call": call}


def _declaration(declaration, shown):
    """A declaration as a view tells it. shown: whether its cards may be seen."""
    seat, kind, points, cards = declaration
    return {"seat": seat, "kind": kind, "points": points, "cards": list(cards) if shown else None}


def _belots(belots):
    return [{"seat": seat, "suit": suit} for seat, suit in belots]


def _last_hand(state):
    """The deal just ended, as everybody may see it."""
    deal, seats = state.deal, state.deal.match.seats
    if not state.tricks:
        passed = {"deal": deal.number - 1, "dealer": (deal.dealer - 1) % seats, "outcome": "passed"}
        return passed | {"calls": _calls(deal)}
    return as_dict(deal.lines[-1]) | {
        "calls": _calls(deal),
        "declared": _declared_and_shown(state),
        "announced": _belots(state.belots),
        "played": as_dicts(seats, state.tricks),
    }


def _declared_and_shown(state):
    """The declarations of the deal just scored, with their cards and whether they counted."""
    line, sides = state.deal.lines[-1], state.deal.match.sides
    counting = counting_side(state.declared, line.tricks, sides)
    return [_declaration(each, shown=True) | {"counted": each.seat % sides == counting} for each in state.declared]


# Score sheet


def score_sheet(state):
    deal = state.deal
    return {
        "game": "belot",
        "seats": deal.match.seats,
        "sides": _sides(deal.match),
        "target": deal.match.target,
        "rows": [as_dict(line) for line in deal.lines],
        "hanging": deal.hanging,
        "totals": list(deal.totals),
    }


def _sides(match):
    return [list(range(side, match.seats, match.sides)) for side in range(match.sides)]


# Events


def events(before, move, after):
    deal = before.deal
    if before.phase == "deal":
        return [{"type": "hand_dealt", "deal": deal.number, "dealer": deal.dealer}]
    seat = before.to_act
    if before.phase == "bid":
        happened = [{"type": "called", **_as_call(seat, move.get("contract", move["type"]))}]
        if after.phase == "play":
            happened.append({"type": "bidding_closed", **after.deal.contract._asdict()})
        if after.phase == "deal":
            happened.append({"type": "passed_out", "deal": deal.number, "dealer": deal.dealer})
        return happened
    if move["type"] == "declare":
        *_, declaration = after.declared
        return [{"type": "declared", "seat": seat, "kind": declaration.kind, "points": declaration.points}]

    card, happened = move["card"], []
    if "belot" in move:
        happened.append({"type": "belot", "seat": seat, "suit": card[1]})
    elif card in OTHER_OF_BELOT and (seat, card[1]) in before.belots:
        happened.append({"type": "rebelot", "seat": seat, "suit": card[1]})
    return happened + card_events(before, card, after, _hand_scored, standings)


def _hand_scored(state):
    return {"type": "hand_scored", **as_dict(state.deal.lines[-1]), "declared": _declared_and_shown(state)}
