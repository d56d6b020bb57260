"""The view, the score sheet and the events of a move, as plain JSON.

Source: "Score sheet", "View" and "Events" on the rules page.
"""

from collections.abc import Iterable

from games.belot.rules.declarations import counting_side
from games.belot.rules.pack import CONTRACTS, OTHER_ROYAL
from games.belot.rules.scoring import standings
from games.belot.rules.state import BelotPair, CallPair, Contract, Declaration, Match, State
from games.belot.rules.types import (
    BelotEntry,
    Call,
    DeclarationEntry,
    HighestBid,
    PassedDeal,
    PlayedDeal,
    ScoredDeclaration,
    ScoreSheet,
    View,
)
from games.kit.contract import Card, Event, Move, Seat
from games.kit.positions import as_dict
from games.kit.tricks import as_dicts, as_plays, card_events, count_tricks, visible_cards

BETWEEN = ("deal", "over")  # the phases without a deal in progress

# View


def private_view(state: State, seat: Seat) -> dict[str, object]:
    assert 0 <= seat < state.deal.match.seats
    own: dict[str, object] = {"seat": seat}
    if state.phase not in BETWEEN:
        own["hand"] = list(state.hands[seat])
        if any(declaration.seat == seat for declaration in state.declared):
            own["declared"] = [
                _declaration_entry(declaration, is_visible=declaration.seat == seat) for declaration in state.declared
            ]
    return own


def public_view(state: State) -> View:
    deal, phase, to_act, hands, leader, trick, tricks, declared, belots = state
    match = deal.match
    is_between = phase in BETWEEN
    if is_between:
        hands, tricks, declared, belots = ((),) * match.seats, (), (), ()
    return {
        "game": "belot",
        "seat": None,
        "seats": match.seats,
        "sides": _seats_by_side(match),
        "options": dict(zip(Match._fields[1:], match[1:], strict=True)),
        "phase": phase,
        "to_act": to_act,
        "deal_number": deal.number,
        "dealer": deal.dealer,
        "pack": len(deal.pack),
        "hand": [],
        "hand_counts": [len(hand) for hand in hands],
        "calls": [] if is_between else _call_entries(deal.calls),
        "contract": deal.contract and _contract_entry(deal.contract),
        "trick": {"leader": leader, "plays": as_plays(match.seats, leader, trick)},
        "tricks": as_dicts(match.seats, tricks),
        "tricks_won": count_tricks(tricks, match.sides),
        "declared": [_declaration_entry(declaration, is_visible=False) for declaration in declared],
        "belots": _belot_entries(belots),
        "hanging": deal.hanging,
        "totals": list(deal.totals),
        "last_hand": _last_deal(state) if is_between and deal.calls else None,
    }


def hidden_from(state: State, seat: Seat | None) -> set[Card]:
    """Return the cards that `seat`, or a spectator (None), must not see, so that its view must not contain them."""
    if not state.deal.calls and state.phase == "deal":
        return set()  # Nothing has been dealt yet.
    visible = visible_cards(state, seat)
    for _, suit in state.belots:  # With one of the two cards the seat has announced that it holds the other.
        visible.update(("K" + suit, "Q" + suit))
    for declaration in state.declared:
        if declaration.points >= 150:  # Only four nines or four jacks have these points, so everybody knows the cards.
            visible.update(declaration.cards)
    return set(state.deal.match.pack) - visible


def _call_entries(calls: Iterable[CallPair]) -> list[Call]:
    return [_call_entry(seat, call) for seat, call in calls]


def _call_entry(seat: Seat, call: str) -> Call:
    return {"seat": seat, "call": "bid", "contract": call} if call in CONTRACTS else {"seat": seat, "call": call}


def _contract_entry(contract: Contract) -> HighestBid:
    return {"contract": contract.contract, "bidder": contract.bidder, "level": contract.level}


def _declaration_entry(declaration: Declaration, is_visible: bool) -> DeclarationEntry:
    seat, kind, points, cards = declaration
    return {"seat": seat, "kind": kind, "points": points, "cards": list(cards) if is_visible else None}


def _belot_entries(belots: Iterable[BelotPair]) -> list[BelotEntry]:
    return [{"seat": seat, "suit": suit} for seat, suit in belots]


def _last_deal(state: State) -> PlayedDeal | PassedDeal:
    """Return the deal that has just ended, with all cards of its tricks and declarations."""
    deal, seats = state.deal, state.deal.match.seats
    calls = _call_entries(deal.calls)
    if not state.tricks:  # Everybody has passed. The state is already about the next deal, so go back by one.
        dealer = (deal.dealer - 1) % seats
        return {"deal": deal.number - 1, "dealer": dealer, "outcome": "passed", "calls": calls}
    return as_dict(deal.lines[-1]) | {
        "calls": calls,
        "declared": _scored_declarations(state),
        "announced": _belot_entries(state.belots),
        "played": as_dicts(seats, state.tricks),
    }


def _scored_declarations(state: State) -> list[ScoredDeclaration]:
    """Return the declarations of the deal that has just been scored, and whether each has counted.

    Only one side counts its declarations, or none. A seat is on the side `seat % sides`.
    """
    row, sides = state.deal.lines[-1], state.deal.match.sides
    counting = counting_side(state.declared, row.tricks, sides)
    return [
        {
            "seat": seat,
            "kind": kind,
            "points": points,
            "cards": list(cards),
            "counted": seat % sides == counting,
        }
        for seat, kind, points, cards in state.declared
    ]


# Reading a view


def seat_of(view: View) -> Seat:
    """Return the seat of a view that is no spectator's."""
    assert view["seat"] is not None
    return view["seat"]


def match_of(view: View) -> Match:
    return Match(view["seats"], **view["options"])


def contract_of(view: View) -> Contract:
    """Return the highest bid in the bidding, and then the contract."""
    assert view["contract"]
    return Contract(**view["contract"])


def scored_deal(view: View) -> PlayedDeal | None:
    """Return the deal that has just been scored. None during a deal, or if everybody passed."""
    last = view["last_hand"]
    return last if last and last["outcome"] != "passed" else None


# Score sheet


def score_sheet(state: State) -> ScoreSheet:
    deal = state.deal
    return {
        "game": "belot",
        "seats": deal.match.seats,
        "sides": _seats_by_side(deal.match),
        "target": deal.match.target,
        "rows": [as_dict(row) for row in deal.lines],
        "hanging": deal.hanging,
        "totals": list(deal.totals),
    }


def _seats_by_side(match: Match) -> list[list[Seat]]:
    return [list(range(side, match.seats, match.sides)) for side in range(match.sides)]


# Events


def events(before: State, move: Move, after: State) -> list[Event]:
    deal, seat = before.deal, before.to_act
    if before.phase == "deal":
        return [{"type": "hand_dealt", "deal": deal.number, "dealer": deal.dealer}]
    assert seat is not None
    if before.phase == "bid":
        events: list[Event] = [{"type": "called", **_call_entry(seat, move.get("contract") or move["type"])}]
        if after.phase == "play" and after.deal.contract:
            events.append({"type": "bidding_closed", **_contract_entry(after.deal.contract)})
        if after.phase == "deal":
            events.append({"type": "passed_out", "deal": deal.number, "dealer": deal.dealer})
        return events
    if move["type"] == "declare":
        *_, declaration = after.declared
        return [{"type": "declared", "seat": seat, "kind": declaration.kind, "points": declaration.points}]

    card = move["card"]
    events = []
    if "belot" in move:
        events.append({"type": "belot", "seat": seat, "suit": card[1]})
    elif card in OTHER_ROYAL and (seat, card[1]) in before.belots:
        events.append({"type": "rebelot", "seat": seat, "suit": card[1]})
    return events + card_events(before, card, after, _scored_event, standings)


def _scored_event(state: State) -> Event:
    return {"type": "hand_scored", **as_dict(state.deal.lines[-1]), "declared": _scored_declarations(state)}
