"""The part of a table of Oh Hell that one seat sees: its hand, its bid box, its next step, the result."""

from games.kit.contract import Move
from games.kit.drawing import Column, Players, TemplateData, draw_result, own_part, result_lines, round_table
from games.kit.hands import Order, draw_hand
from games.kit.language import cache_by_language, say, say_in
from games.kit.markup import Markup, call_button, side_by_side
from games.kit.tricks import played_by
from games.kit.words import Names, end_sentence, with_sign
from games.oh_hell.bot import seat_of
from games.oh_hell.rules import bids_made
from games.oh_hell.table import words
from games.oh_hell.types import LastHand, View


def mine(table: View, moves: list[Move], players: Players) -> TemplateData:
    phase, seat = table["phase"], table["seat"]
    names = Names([player["name"] for player in players], seat)
    stage = say("Final result") if phase == "over" else say("Hand {number}", number=table["hand_number"])
    mine = own_part(stage, table, moves, players, _sentence(table, moves, names))
    if table["hand"]:
        legal = {move["card"] for move in moves} if phase == "play" and moves else None
        dealt = [*table["hand"], *played_by(seat, [*table["tricks"], table["trick"]])]
        mine["hand"] = draw_hand(table["hand"], Order(table["trump"]), legal, dealt)
    if phase == "play" and seat is not None and (bid := table["bids"][seat]) is not None:
        mine["claim_note"] = words.claim_note(bid, table["taken"][seat], len(table["hand"]))
    if phase == "bid" and seat is not None:
        mine["box"] = _bid_box(table, moves, names)
    if table["last_hand"]:
        mine["result"] = _result(table, table["last_hand"], names)
    return mine


# The next step of the seat


def _sentence(table: View, moves: list[Move], names: Names) -> str:
    """Return the sentence above the hand: what to do, whom to wait for, or the result of the hand or the match.

    moves: the legal moves of this seat, empty if another seat is to move.
    """
    phase, seat, actor = table["phase"], table["seat"], table["to_act"]
    if phase == "over":
        return end_sentence(table["totals"], table["seat"], names)
    if phase == "deal":
        last = table["last_hand"]
        return words.hand_over(last, names) if last else words.dealing(table["dealer"], names)
    if not moves:
        assert actor is not None
        return words.waiting(phase, actor, names)
    if phase == "bid":
        return words.your_bid(table["hook"])
    plays = table["trick"]["plays"]
    if not plays:
        return words.your_lead(bool(table["tricks"]) and table["tricks"][-1]["winner"] == seat)
    suit_led = plays[0]["card"][1]
    return words.your_card(suit_led, any(card[1] == suit_led for card in table["hand"]))


# The bid box


def _bid_box(table: View, moves: list[Move], names: Names) -> TemplateData:
    """Return the dict for the bid box: the bids so far, and a button for every number if it is this seat's turn.

    A bid is the number of tricks that a seat will take. The dealer bids last, and one number is forbidden to it:
    table["hook"], or None. moves: the legal moves of this seat, empty if another seat is to bid.
    """
    seat, bids, cards = seat_of(table), table["bids"], table["cards"]
    count = table["seats"]
    order = [(table["dealer"] + step) % count for step in range(1, count + 1)]  # of bidding
    you = say_in("what a player is called", "You")
    labels = [you if other == seat else name for other, name in enumerate(names)]
    so_far = [words.bid_of(labels[other], bid) for other in order if (bid := bids[other]) is not None]
    total = sum(bids_made(bids))
    bids_last = seat == table["dealer"]
    box: dict[str, object] = {
        "classes": "bid-box many" if cards > 5 else "bid-box",
        "label": say_in("a number of tricks", "Bidding"),
        "heading": words.bids_so_far(cards, total if so_far else None),
        "auction": ", ".join(so_far),
    }
    if moves:
        box["calls"] = _bid_buttons(cards, total if bids_last else None, table["hook"])
        box["note"] = words.closed(table["hook"]) if table["hook"] is not None else ""
    elif (bid := bids[seat]) is not None:
        box["wait"] = words.has_bid(bid)
    else:
        players_before = sum(bids[other] is None for other in order[: order.index(seat)])
        box["wait"] = words.waits_to_bid(players_before, bids_last)
    return box


@cache_by_language()
def _bid_buttons(cards: int, total: int | None, hook: int | None) -> Markup:
    """Return a button for every bid: a number of tricks, from 0 to the number of cards in a hand.

    total: the sum of all other bids if this seat bids last, or None. Then each button also says how far the bids would
    be over or under the number of tricks. hook: the bid that is forbidden to the last seat, or None.
    """
    calls = []
    for tricks in range(cards + 1):
        label = say('<span class="hidden-text">Bid </span><b>{tricks}</b>', tricks=tricks)
        label += "" if total is None else f"<small>{words.off_by(total + tricks - cards)}</small>"
        move = f'{{"type":"bid","tricks":{tricks}}}'
        calls.append(call_button(f"bid-{tricks}", move, label, closed="box-note" if tricks == hook else ""))
    return side_by_side(*calls)


# The result of a hand, and of the match


def _result(table: View, last: LastHand, names: Names) -> TemplateData:
    """Return the table for the result of a hand or the match: a line for every seat with its bid, tricks and points.

    After a hand the reader's line comes first. After the match the lines are in the order of places.
    last: the hand just scored. names: of the players, by seat, with the reader's seat.
    """
    over, totals = table["phase"] == "over", table["totals"]
    # A bid is made only with exactly that number of tricks.
    exact = [bid == tricks for bid, tricks in zip(last["bids"], last["taken"], strict=True)]
    columns = [
        Column(
            say_in("noun", "Bid"),
            [_bid_and_verdict(bid, is_exact) for bid, is_exact in zip(last["bids"], exact, strict=True)],
        ),
        Column(say_in("tricks", "Took"), [str(tricks) for tricks in last["taken"]]),
        Column(say("Points"), [with_sign(points, plus=True) for points in last["points"]]),
        Column(say("Total"), [with_sign(total) for total in totals], "sum"),
    ]
    lines = result_lines(totals, names, over, ["made" if is_exact else "missed" for is_exact in exact])
    if not over:
        order = round_table(len(names), table["seat"])
        lines = sorted((line | {"place": ""} for line in lines), key=lambda line: order.index(line["who"]))
    head = say_in("in the result", "Place") if over else say("Player")
    return draw_result(words.hand_of(last["hand"], table["hands_total"]), over, head, columns, lines)


def _bid_and_verdict(bid: int, exact: bool) -> Markup:
    verdict = words.made() if exact else say_in("the bid", "missed")
    return Markup(f'<span class="blot">{bid}</span><span class="hidden-text"> {verdict}</span>')
