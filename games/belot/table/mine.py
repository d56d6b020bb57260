"""Draw the part of a Belot table for one seat: its hand, calls, announcements, and the result of a deal."""

from collections.abc import Sequence, Set

from games.belot.rules.declarations import counting_side, open_declarations
from games.belot.rules.pack import ALL_TRUMPS, BELOT, CONTRACTS, NO_TRUMPS, points_factor, trump_suits, winning_index
from games.belot.rules.scoring import last_trick_points
from games.belot.rules.state import Declaration
from games.belot.rules.types import PlayedDeal, SheetRow, View
from games.belot.rules.view import scored_deal
from games.belot.table import words
from games.belot.table.terms import (
    CONTRACT_TITLES,
    DOUBLES,
    KIND_WORDS,
    KINDS,
    SHORT_CALLS,
    SIGNS,
    Sides,
    at_stake,
    call_words,
    card_values,
    declaration_words,
    ranks_in,
    small_cards,
)
from games.kit.cards import SUITS
from games.kit.contract import Card, Move, Seat, rank_seats
from games.kit.drawing import Column, Players, TemplateData, draw_result, own_part
from games.kit.hands import Order, draw_hand, sort_hand
from games.kit.language import Lazy, cache_by_language, say, say_in
from games.kit.markup import CardAction, Markup, as_markup, call_button, crown, figure, side_by_side
from games.kit.tricks import played_by
from games.kit.words import CARD_NAMES, Names, with_sign


def suits_of(table: View) -> list[list[Card]]:
    order = _order(table)
    return sort_hand(table["hand"], order.trump, *order.ranks)


def _order(table: View) -> Order:
    """Return the order of a hand. There are no trumps during the bidding, so that its cards do not move."""
    contract = _final_contract(table)
    return Order(contract if contract and contract in SUITS else None, ranks_in(contract))


def _final_contract(table: View) -> str | None:
    """Return the contract that is played, or None outside the play."""
    contract = table["contract"]
    return contract["contract"] if contract and table["phase"] == "play" else None


def mine(table: View, moves: list[Move], players: Players) -> TemplateData:
    phase, seat, contract = table["phase"], table["seat"], _final_contract(table)
    names = Names([player["name"] for player in players], seat)
    sides, row = Sides(table["sides"], names), scored_deal(table)
    part = own_part(words.stage(table), table, moves, players, _sentence(table, contract, moves, names, sides))
    part |= {"classes": f"mine in-{phase}", "offers": None, "values": []}
    if seat is not None and table["hand"]:
        legal = {move["card"] for move in moves if move["type"] == "play"} if phase == "play" and moves else None
        belots = [move["card"] for move in moves if "belot" in move]
        actions = {card: CardAction(_belot_move(card), str(words.BELOT)) for card in belots}
        dealt = [*table["hand"], *played_by(seat, [*table["tricks"], table["trick"]])]
        part["hand"] = draw_hand(table["hand"], _order(table), legal, dealt, actions)
    if phase == "bid" and seat is not None:
        part["box"] = _bid_box(table, seat, moves, names)
    if contract and seat is not None:
        part["offers"] = _offers(table, seat, contract, moves)
        part["values"] = card_values(contract, table["seats"])
    if row:
        part["result"] = _result(table, row, names, sides)
    return part


# What to do


def _sentence(table: View, contract: str | None, moves: list[Move], names: Names, sides: Sides) -> str:
    """Return the sentence above the hand: what to do, whom to wait for, or the result.

    contract: None outside the play. moves: the legal moves, empty if another seat is to act.
    """
    phase, actor, row = table["phase"], table["to_act"], scored_deal(table)
    if row:
        if phase == "over":
            return words.end(sides, rank_seats(table["totals"]), row["deal"])
        return " ".join(words.outcome_sentences(row, sides))
    if phase == "deal":
        return words.next_deal(table["dealer"], names, passed=bool(table["last_hand"]))
    if not moves and actor is not None:
        return words.waiting(phase, actor, names)
    if not contract:
        return words.calling([move["type"] for move in moves], table["contract"])
    return _duty_sentence(table, contract, {move["card"] for move in moves if move["type"] == "play"})


def _duty_sentence(table: View, contract: str, legal: Set[Card]) -> str:
    """Return the sentence that says what the rules ask the seat to play. legal: the cards that it may play."""
    plays, hand = table["trick"]["plays"], set(table["hand"])
    if not plays:
        return words.lead(bool(table["tricks"]) and table["tricks"][-1]["winner"] == table["seat"])
    trick = [play["card"] for play in plays]
    led, best = trick[0][1], trick[winning_index(contract, trick)]
    if all(card[1] != led for card in hand):  # The seat cannot follow suit.
        if legal == hand:
            return words.play_any_card(led)
        must_overtrump = legal < {card for card in hand if card[1] == contract}  # not any trump will do
        return words.ruff(led, higher=must_overtrump)
    if led not in trump_suits(contract):
        return words.follow_suit(led)
    # A trump was led. The seat must beat the best one if it can.
    return words.play_higher(led, best) if _any_beats(contract, trick, legal) else words.too_low(led, best)


def _any_beats(contract: str, trick: Sequence[Card], cards: Set[Card]) -> bool:
    return any(winning_index(contract, [*trick, card]) == len(trick) for card in cards)


# The bid box


def _bid_box(table: View, seat: Seat, moves: list[Move], names: Names) -> TemplateData:
    """Return the data of the box for calls: the auction so far, and a button for every call.

    moves: the legal calls of this seat. Before its turn there are none, and all buttons are closed.
    """
    calls, contract, actor = table["calls"], table["contract"], table["to_act"]
    # How many seats call before this one, or None if it is its turn.
    seats_before = None if moves or actor is None else (seat - actor) % table["seats"]
    open_calls = frozenset([move.get("contract") or move["type"] for move in moves])
    return {
        "classes": "bid-box auction-box",
        "label": say("Bidding"),
        "heading": _bid_box_heading(table, seat) if seats_before is None else words.calls_before(seats_before),
        "auction": ", ".join(f"{names.of(call['seat'])} {call_words(call)}" for call in calls),
        "calls": _call_buttons(open_calls, contract["level"] if contract else 1, table["options"]["third_double"]),
    }


def _bid_box_heading(table: View, seat: Seat) -> str:
    """Return the heading of the box for calls: the partner's last call, or without one what the contracts are worth."""
    partner = (seat + 2) % 4 if table["seats"] == 4 else None
    partner_calls = [call for call in table["calls"] if call["seat"] == partner]
    if partner_calls:
        return words.partner_called(partner_calls[-1])
    suit, no_trumps, all_trumps = (at_stake(contract, 1, table["options"]) for contract in ("S", NO_TRUMPS, ALL_TRUMPS))
    return words.bids_worth(suit, no_trumps, all_trumps, at_most=table["seats"] == 2)


def _next_double(level: int, third_double: bool) -> str:
    """Return the kind of double that could come next, for a closed button. Arguments as in `_call_buttons`."""
    if level == 4 and third_double:
        return "surcontre"
    return "double" if level == 1 else "redouble"


@cache_by_language()
def _call_buttons(open_calls: frozenset[str], level: int, third_double: bool) -> Markup:
    """Return the HTML of the buttons for all calls: a bid of each contract, a pass, and a double.

    Double, redouble and third double ("surcontre") share a button, because only one of them is ever open. open_calls:
    the legal calls; the other buttons are closed. level: 1, or 2, 4 or 8 if the highest bid was doubled. third_double:
    whether a redouble may be doubled again.
    """
    contracts = [_contract_button(contract, contract not in open_calls) for contract in CONTRACTS]
    double = next((call for call in DOUBLES if call in open_calls), None)
    offered = double or _next_double(level, third_double)  # If none is open, the button is closed.
    label = f"<b>{SHORT_CALLS[offered]}</b> <small>{DOUBLES[offered]}</small>"
    others = [
        call_button("call-pass", '{"type":"pass"}', figure(say_in("a call", "Pass")), closed="pass" not in open_calls),
        call_button("call-double", f'{{"type":"{offered}"}}', label, "call double", closed=double is None),
    ]
    return Markup(side_by_side(*contracts, classes="calls contracts") + side_by_side(*others, classes="calls others"))


def _contract_button(contract: str, closed: bool) -> Markup:
    name = CONTRACT_TITLES[contract]
    label = say('<span class="hidden-text">Bid </span>{sign}<b>{contract}</b>', sign=SIGNS[contract], contract=name)
    return call_button(f"call-{contract}", f'{{"type":"bid","contract":"{contract}"}}', label, closed=closed)


# What is announced with a card


def _offers(table: View, seat: Seat, contract: str, moves: list[Move]) -> TemplateData:
    """Return the data of what the seat may announce with its next card, as a dict of lists.

    "declarations" are tick boxes for sequences and squares (four of a rank), which can be declared with the first card.
    "declared" has what the seat has declared already. "without" has buttons that play a king or queen of trumps
    without announcing both (a belot).
    """
    earlier: list[Declaration] = []
    boxes: list[TemplateData] = []
    if _is_first_card(table, seat) and contract != NO_TRUMPS:
        own = [entry for entry in table["declared"] if entry["seat"] == seat]
        earlier = [Declaration(seat, entry["kind"], entry["points"], tuple(entry["cards"] or ())) for entry in own]
        boxes = _declare_boxes(table, seat, earlier)
    return {
        "declarations": boxes,
        "without": [_plain_button(move["card"]) for move in moves if "belot" in move],
        "declared": [
            {"kind": KINDS[item.kind], "words": _words_for(item), "cards": small_cards(item.cards)} for item in earlier
        ],
    }


def _is_first_card(table: View, seat: Seat) -> bool:
    """Return whether the seat has not played a card yet."""
    return not table["tricks"] and all(play["seat"] != seat for play in table["trick"]["plays"])


def _declare_boxes(table: View, seat: Seat, earlier: Sequence[Declaration]) -> list[TemplateData]:
    """Return a tick box for each possible declaration (a sequence or a square). Those worth most together are ticked.

    Two declarations may exclude each other, because they need the same card. earlier: the declarations that the seat
    has already made.
    """

    def possible(earlier: Sequence[Declaration]) -> list[Declaration]:
        return open_declarations(seat, table["hand"], earlier, table["options"]["shared_cards"])

    chosen: list[Declaration] = []
    while remaining := possible([*earlier, *chosen]):
        chosen.append(remaining[0])  # Squares come first: they are worth more than the sequences they break up.
    others = [item for item in possible(earlier) if item not in chosen]
    return [_declare_box(item, ticked=True) for item in chosen] + [_declare_box(item, ticked=False) for item in others]


def _words_for(declaration: Declaration) -> str:
    return declaration_words(declaration.kind, declaration.cards)


def _declare_box(declaration: Declaration, ticked: bool) -> TemplateData:
    cards = ",".join(f'"{card}"' for card in declaration.cards)
    return {
        "id": Markup(f"declare-{declaration.kind}-{declaration.cards[-1]}"),
        "value": Markup(f'{{"type":"declare","kind":"{declaration.kind}","cards":[{cards}]}}'),
        "name": KINDS[declaration.kind],
        "words": _words_for(declaration),
        "cards": small_cards(declaration.cards),
        "points": str(declaration.points),
        "ticked": ticked,
    }


def _plain_button(card: Card) -> TemplateData:
    return {
        "id": Markup(f"plain-{card}"),
        "value": Markup(f'{{"type":"play","card":"{card}"}}'),
        "words": words.without_belot(CARD_NAMES[card]),
        "cards": small_cards((card,)),
    }


def _belot_move(card: Card) -> str:
    """Return the move that plays a card and announces belot, as JSON."""
    return f'{{"type":"play","card":"{card}","belot":true}}'


# The result of a deal, and of the match


def _result(table: View, row: PlayedDeal, names: Names, sides: Sides) -> TemplateData:
    """Return the result of a deal as a table, with a line for every side and sentences that explain it.

    row: the deal, as on the score sheet. When the match is over, the sides are ordered by place.
    """
    over, count = table["phase"] == "over", range(len(sides.order))
    places = {side: place for side, _, place in rank_seats(row["totals"])}
    announced = [declarations + belots for declarations, belots in zip(row["declarations"], row["belots"], strict=True)]
    points = say_in("of the cards", "Points")
    if points_factor(row["contract"]) == 2:
        why = say_in("why points are doubled", "no trumps")
        points = as_markup(f'{points} <small>×2<span class="wide"> · {why}</span></small>')
    columns = [
        Column(say("Tricks"), list(map(str, row["tricks"])), "wide"),
        Column(say("Cards"), [str(row["cards"][side] + last_trick_points(row, side)) for side in count]),
        Column(say_in("what was declared", "Announced"), [str(amount) if amount else "–" for amount in announced]),
        Column(points, list(map(str, row["points"]))),
        Column(say_in("written on the sheet", "Score"), [_score_mark(row, side) for side in count], "score-mark"),
        Column(say("Total"), list(map(with_sign, row["totals"])), "sum"),
    ]
    lines = [
        {
            "who": side,
            "classes": " ".join(["me"] * (side == sides.own) + ["hang"] * (row["marks"][side] == "hanging")),
            "crown": crown() if over and places[side] == 1 else "",
            "name": sides.heads[side],
            "mates": sides.mates[side],
        }
        for side in (list(places) if over and not sides.pairs else sides.order)
    ]
    reasons = [*words.outcome_reasons(row, sides), *words.extra_sentences(row, sides)]
    if row["hanging"] and not over:
        reasons.append(words.hanging_note(row))
    heading = words.contract_by(row, names)
    return draw_result(heading, over, say("Final result") if over else say("Side"), columns, lines) | {
        "heading": heading,
        "outcome": words.OUTCOMES[row["outcome"]],
        "state": row["outcome"],
        "word": "" if row["outcome"] == "made" else row["outcome"],
        "reasons": reasons,
        "announced": _announcements(row, names),
    }


def _score_mark(row: SheetRow, side: int) -> str:
    """Return the score of a side as written on the sheet: "16", "–", "hang", "– (−10)"."""
    mark, kirtik = words.mark_of(row, side), row["kirtik"][side]
    return f"{mark} ({with_sign(kirtik)})" if kirtik and row["marks"][side] != "number" else mark


def _name_or_you(seat: Seat, names: Names) -> str:
    return say_in("what a player is called", "You") if seat == names.viewer else names[seat]


def _why_not_counted(row: PlayedDeal, sides: int) -> Lazy:
    """Return why declarations of a deal did not count: lower than others, equal to others, or no trick was taken."""
    if any(entry["counted"] for entry in row["declared"]):
        return words.LOWER
    declarations = [
        Declaration(entry["seat"], entry["kind"], entry["points"], tuple(entry["cards"])) for entry in row["declared"]
    ]
    return words.EQUAL if counting_side(declarations, [1] * sides, sides) is None else words.NO_TRICK


def _announcements(row: PlayedDeal, names: Names) -> list[dict[str, str]]:
    """Return a line for each declaration (sequence or square) and each belot (king and queen of trumps) of the deal."""
    reason = _why_not_counted(row, len(row["points"]))
    lines = [
        {
            "who": _name_or_you(entry["seat"], names),
            "words": declaration_words(entry["kind"], entry["cards"]),
            "cards": small_cards(tuple(entry["cards"])),
            "kind": KIND_WORDS[entry["kind"]],
            "points": str(entry["points"]),
            "verdict": words.COUNTS if entry["counted"] else reason,
            "classes": "counted" if entry["counted"] else "lost",
        }
        for entry in row["declared"]
    ]
    return lines + [
        {
            "who": _name_or_you(belot["seat"], names),
            "words": words.belot_in(belot["suit"]),
            "cards": small_cards(("K" + belot["suit"], "Q" + belot["suit"])),
            "kind": words.BELOT,
            "points": str(BELOT),
            "verdict": words.COUNTS,
            "classes": "counted",
        }
        for belot in row["announced"]
    ]
