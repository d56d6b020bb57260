"""Draw the part of a Belot table for one seat: its hand, calls, announcements, and the result of a deal."""

from games.belot.rules.declarations import open_declarations
from games.belot.rules.pack import BELOT, CONTRACTS, points_factor, trump_suits, winning_index
from games.belot.rules.scoring import last_trick_points
from games.belot.rules.state import Declaration
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
from games.kit.contract import rank_seats
from games.kit.drawing import Column, draw_result, own_part
from games.kit.hands import Order, draw_hand, sort_hand
from games.kit.language import cache_by_language, say, say_in
from games.kit.markup import CardAction, Markup, as_markup, call_button, crown, figure, side_by_side
from games.kit.tricks import played_by
from games.kit.words import CARD_NAMES, Names, with_sign


def _trump_of(table):
    """Return the trump suit, or None. There is none during the bidding, so that hands keep their order."""
    contract = _final_contract(table)
    return contract if contract and contract in SUITS else None


def suits_of(table):
    return sort_hand(table["hand"], _trump_of(table), *ranks_in(_final_contract(table)))


def _final_contract(table):
    return table["contract"]["contract"] if table["phase"] == "play" else None


def mine(table, moves, players):
    phase, seat = table["phase"], table["seat"]
    names = Names([player["name"] for player in players], seat)
    sides = Sides(table["sides"], names)
    row = _scored(table)
    mine = own_part(words.stage(table), table, moves, players, _sentence(table, row, moves, names, sides))
    mine |= {"classes": f"mine in-{phase}", "offers": None, "values": []}
    if table["hand"]:
        legal = {move["card"] for move in moves if move["type"] == "play"} if phase == "play" and moves else None
        belots = [move["card"] for move in moves if "belot" in move]
        actions = {card: CardAction(_belot_move(card), str(words.BELOT)) for card in belots}
        order = Order(_trump_of(table), ranks_in(_final_contract(table)))
        dealt = [*table["hand"], *played_by(seat, [*table["tricks"], table["trick"]])]
        mine["hand"] = draw_hand(table["hand"], order, legal, dealt, actions)
    if phase == "bid" and seat is not None:
        mine["box"] = _bid_box(table, moves, names)
    if phase == "play" and seat is not None:
        mine["offers"] = _offers(table, moves)
        mine["values"] = card_values(table["contract"]["contract"], table["seats"])
    if row:
        mine["result"] = _result(table, row, names, sides)
    return mine


def _scored(table):
    """Return the result of the last deal, unless everybody passed."""
    last = table["last_hand"]
    return last if last and last["outcome"] != "passed" else None


# What is expected of a seat


def _sentence(table, row, moves, names, sides):
    phase = table["phase"]
    if phase == "over":
        return words.end(sides, rank_seats(table["totals"]), table["last_hand"]["deal"])
    if phase == "deal" and row:
        return " ".join(words.came_to(row, sides))
    if phase == "deal":
        return words.next_deal(table["dealer"], names, passed=bool(table["last_hand"]))
    if not moves:
        return words.waiting(phase, table["to_act"], names)
    if phase == "bid":
        return words.calling([move["type"] for move in moves], table["contract"])
    return _duty(table, {move["card"] for move in moves if move["type"] == "play"})


def _duty(table, legal):
    """Return the sentence that says what the seat must play, and why."""
    plays, hand, contract = table["trick"]["plays"], set(table["hand"]), table["contract"]["contract"]
    if not plays:
        return words.lead(bool(table["tricks"]) and table["tricks"][-1]["winner"] == table["seat"])
    trick = [play["card"] for play in plays]
    led, best = trick[0][1], trick[winning_index(contract, trick)]
    if all(card[1] != led for card in hand):
        if legal == hand:
            return words.play_any_card(led)
        return words.ruff(led, higher=legal < {card for card in hand if card[1] == contract})
    if led not in trump_suits(contract) or best[1] != led:
        return words.follow_suit(led)
    return words.play_higher(led, best) if _beat(contract, trick, legal) else words.too_low(led, best)


def _beat(contract, trick, cards):
    return any(winning_index(contract, [*trick, card]) == len(trick) for card in cards)


# The bid box


def _bid_box(table, moves, names):
    """Return the auction and a button for every call. All are closed when it is not the seat's turn."""
    calls, contract = table["calls"], table["contract"]
    open_calls = frozenset(move.get("contract", move["type"]) for move in moves)
    return {
        "classes": "bid-box auction-box",
        "label": say("Bidding"),
        "heading": _heading(table) if moves else words.calls_before((table["seat"] - table["to_act"]) % table["seats"]),
        "auction": ", ".join(f"{names.of(call['seat'])} {call_words(call)}" for call in calls),
        "calls": _calls(open_calls, contract["level"] if contract else 1, table["options"]["third_double"]),
    }


def _heading(table):
    """Return the partner's last call in words, or else the values of the contracts."""
    partner = (table["seat"] + 2) % 4 if table["seats"] == 4 else None
    partner_calls = [call for call in table["calls"] if call["seat"] == partner]
    if partner_calls:
        return words.partner_called(partner_calls[-1])
    suit, no_trumps, all_trumps = (at_stake(contract, 1, table["options"]) for contract in ("S", "NT", "AT"))
    return words.bids_worth(suit, no_trumps, all_trumps, at_most=table["seats"] == 2)


@cache_by_language()
def _calls(open_calls, level, third_double):
    """Return the buttons of all calls. The doubles share one, because only one of them is ever open."""
    contracts = [_contract_button(contract, contract not in open_calls) for contract in CONTRACTS]
    double = next((call for call in DOUBLES if call in open_calls), None)
    shown = double or ("surcontre" if level == 4 and third_double else "double" if level == 1 else "redouble")
    heard = f"<b>{SHORT_CALLS[shown]}</b> <small>{DOUBLES[shown]}</small>"
    others = [
        call_button("call-pass", '{"type":"pass"}', figure(say_in("a call", "Pass")), closed="pass" not in open_calls),
        call_button("call-double", f'{{"type":"{shown}"}}', heard, "call double", closed=double is None),
    ]
    return Markup(side_by_side(*contracts, classes="calls contracts") + side_by_side(*others, classes="calls others"))


def _contract_button(contract, closed):
    name = CONTRACT_TITLES[contract]
    heard = say('<span class="hidden-text">Bid </span>{sign}<b>{contract}</b>', sign=SIGNS[contract], contract=name)
    return call_button(f"call-{contract}", f'{{"type":"bid","contract":"{contract}"}}', heard, closed=closed)


# What is announced with a card


def _offers(table, moves):
    """Return the declarations to make with the first card, and those already made.

    "without" holds buttons that play a king or queen without announcing belot.
    """
    made, declarations = [], []
    if _is_first_card(table) and table["contract"]["contract"] != "NT":
        made = [each for each in table["declared"] if each["seat"] == table["seat"]]
        declarations = _declarations(table, made)
    return {
        "declarations": declarations,
        "without": [_plain_button(move["card"]) for move in moves if "belot" in move],
        "made": [
            {"kind": KINDS[each["kind"]], "words": declaration_words(each), "cards": small_cards(tuple(each["cards"]))}
            for each in made
        ],
    }


def _is_first_card(table):
    """Whether the seat has not played a card yet."""
    return not table["tricks"] and all(play["seat"] != table["seat"] for play in table["trick"]["plays"])


def _declarations(table, made):
    """Return a box for each possible declaration. The most valuable ones that go together are ticked."""
    done = [Declaration(each["seat"], each["kind"], each["points"], tuple(each["cards"])) for each in made]

    def still_open(made):
        return open_declarations(table["seat"], table["hand"], made, table["options"]["shared_cards"])

    others = still_open(done)
    chosen = []
    while found := still_open([*done, *chosen]):
        chosen.append(found[0])  # Squares come first: they are worth more than the sequences they break up.
    return [_declare_box(each, ticked=True) for each in chosen] + [
        _declare_box(each, ticked=False) for each in others if each not in chosen
    ]


def _declare_box(declaration, ticked):
    cards = ",".join(f'"{card}"' for card in declaration.cards)
    return {
        "id": Markup(f"declare-{declaration.kind}-{declaration.cards[-1]}"),
        "value": Markup(f'{{"type":"declare","kind":"{declaration.kind}","cards":[{cards}]}}'),
        "name": KINDS[declaration.kind],
        "words": declaration_words(declaration._asdict()),
        "cards": small_cards(declaration.cards),
        "points": str(declaration.points),
        "ticked": ticked,
    }


def _plain_button(card):
    return {
        "id": Markup(f"plain-{card}"),
        "value": Markup(f'{{"type":"play","card":"{card}"}}'),
        "words": words.without_belot(CARD_NAMES[card]),
        "cards": small_cards((card,)),
    }


def _belot_move(card):
    """Return the move that plays a card and announces belot, as JSON."""
    return f'{{"type":"play","card":"{card}","belot":true}}'


# The result of a deal, and of the match


def _result(table, row, names, sides):
    """Return a line for every side with its points and score, ordered by place when the match is over."""
    over, count = table["phase"] == "over", range(len(sides.order))
    places = {side: place for side, _, place in rank_seats(row["totals"])}
    extras = [declared + belots for declared, belots in zip(row["declarations"], row["belots"], strict=True)]
    points = say_in("of the cards", "Points")
    if points_factor(row["contract"]) == 2:
        why = say_in("why points are doubled", "no trumps")
        points = as_markup(f'{points} <small>×2<span class="wide"> · {why}</span></small>')
    columns = [
        Column(say("Tricks"), list(map(str, row["tricks"])), "wide"),
        Column(say("Cards"), [str(row["cards"][side] + last_trick_points(row, side)) for side in count]),
        Column(say("Announced"), [str(each) if each else "–" for each in extras]),
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
    reasons = [*words.reason(row, sides), *words.besides(row, sides)]
    if row["hanging"] and not over:
        reasons.append(words.hang(row))
    heading = words.contract_by(row, names.of(row["bidder"]))
    return draw_result(heading, over, say("Final result") if over else say("Side"), columns, lines) | {
        "heading": heading,
        "outcome": words.OUTCOMES[row["outcome"]],
        "state": row["outcome"],
        "word": "" if row["outcome"] == "made" else row["outcome"],
        "reasons": reasons,
        "announced": _announcements(row, names),
    }


def _score_mark(row, side):
    """Return the score of a side as written on the sheet: "16", "–", "hang", "– (−10)"."""
    mark, kirtik = words.mark_of(row, side), row["kirtik"][side]
    return f"{mark} ({with_sign(kirtik)})" if kirtik and row["marks"][side] != "number" else mark


def _who(seat, names):
    return say_in("what a player is called", "You") if seat == names.viewer else names[seat]


def _announcements(row, names):
    """Return a line for each declaration and each belot of the deal."""
    lines = [
        {
            "who": _who(each["seat"], names),
            "words": declaration_words(each),
            "cards": small_cards(tuple(each["cards"])),
            "kind": KIND_WORDS[each["kind"]],
            "points": str(each["points"]),
            "verdict": words.COUNTS if each["counted"] else words.DOES_NOT_COUNT,
            "classes": "counted" if each["counted"] else "lost",
        }
        for each in row["declared"]
    ]
    return lines + [
        {
            "who": _who(each["seat"], names),
            "words": words.belot_in(each["suit"]),
            "cards": small_cards(("K" + each["suit"], "Q" + each["suit"])),
            "kind": words.BELOT,
            "points": str(BELOT),
            "verdict": words.COUNTS,
            "classes": "counted",
        }
        for each in row["announced"]
    ]
