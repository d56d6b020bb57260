"""What one seat of Oh Hell sees besides the felt: its hand, its bid box, what is expected of it, the result."""

from games.kit.contract import placed
from games.kit.drawing import own_part, round_table
from games.kit.hands import drawn_hand
from games.kit.language import kept, said, said_in
from games.kit.markup import Markup, crown
from games.kit.tricks import played_by
from games.kit.words import Names, end_sentence, signed
from games.oh_hell.table import words


def mine(table, moves, players):
    phase, seat = table["phase"], table["seat"]
    names = Names([player["name"] for player in players], seat)
    stage = said("Final result") if phase == "over" else said("Hand {number}", number=table["hand_number"])
    mine = own_part(stage, table, moves, players, _sentence(table, moves, names))
    if table["hand"]:
        legal = {move["card"] for move in moves} if phase == "play" and moves else None
        dealt = [*table["hand"], *played_by(seat, [*table["tricks"], table["trick"]])]
        mine["hand"] = drawn_hand(table["hand"], table["trump"], legal, dealt=dealt)
    if phase == "bid" and seat is not None:
        mine["bids"] = _bid_box(table, moves, names)
    if table["last_hand"]:
        mine["result"] = _result(table, names)
    return mine


# What is expected of a seat


def _sentence(table, moves, names):
    phase, seat, actor = table["phase"], table["seat"], table["to_act"]
    if phase == "over":
        return end_sentence(table["totals"], table["seat"], names)
    if phase == "deal":
        last = table["last_hand"]
        return words.hand_over(last, names) if last else words.dealing(table["dealer"], names)
    if not moves:
        return words.waiting(phase, actor, names)
    if phase == "bid":
        return words.your_bid(table["hook"])
    plays = table["trick"]["plays"]
    if not plays:
        return words.your_lead(bool(table["tricks"]) and table["tricks"][-1]["winner"] == seat)
    led = plays[0]["card"][1]
    return words.your_card(led, any(card[1] == led for card in table["hand"]))


# The bid box


def _bid_box(table, moves, names):
    """The bids so far in order, and a button for every number once it is this seat's turn."""
    seat, bids, cards = table["seat"], table["bids"], table["cards"]
    count = table["seats"]
    order = [(table["dealer"] + place) % count for place in range(1, count + 1)]
    you = said_in("what a player is called", "You")
    called = [you if other == seat else name for other, name in enumerate(names)]
    so_far = [words.bid_of(called[other], bids[other]) for other in order if bids[other] is not None]
    total = sum(bid for bid in bids if bid is not None)
    last = seat == table["dealer"]
    box = {
        "classes": "bid-box many" if cards > 5 else "bid-box",
        "heading": words.bids_so_far(cards, total if so_far else None),
        "auction": ", ".join(so_far),
        "wait": "",
        "calls": (),
        "count": str(cards + 1),
    }
    if moves:
        box["calls"] = _calls(cards, total if last else None, table["hook"])
        box["note"] = words.closed(table["hook"]) if table["hook"] is not None else ""
    elif bids[seat] is not None:
        box["wait"] = words.has_bid(bids[seat])
    else:
        box["wait"] = words.waits_to_bid(order.index(seat) - order.index(table["to_act"]), last)
    return box


@kept()
def _calls(cards, total, hook):
    """A button for every bid. total: what the others bid, for the dealer; None for a seat that bids before."""
    calls = []
    for tricks in range(cards + 1):
        small = "" if total is None else words.off_by(total + tricks - cards)
        calls.append({"tricks": Markup(tricks), "closed": tricks == hook, "small": Markup(small)})
    return calls


# The result of a hand, and of the match


def _result(table, names):
    """A line for every seat, the viewer's first: its bid, its tricks, its points; by place when the match is over."""
    last, over = table["last_hand"], table["phase"] == "over"
    lines = []
    for seat, total, place in placed(table["totals"]):
        bid, has, points = last["bids"][seat], last["taken"][seat], last["points"][seat]
        lines.append(
            {
                "seat": seat,
                "classes": " ".join(
                    filter(None, ["made" if bid == has else "missed", "me" if seat == table["seat"] else ""])
                ),
                "place": str(place),
                "crown": crown() if over and place == 1 else "",
                "name": said_in("what a player is called", "You") if seat == table["seat"] else names[seat],
                "bid": str(bid),
                "taken": str(has),
                "verdict": words.made() if bid == has else said_in("the bid", "missed"),
                "points": signed(points, plus=True),
                "total": signed(total),
            }
        )
    if not over:
        lines.sort(key=lambda line: round_table(len(names), table["seat"]).index(line["seat"]))
    return {
        "over": over,
        "heading": said("Final result") if over else words.hand_of(last["hand"], table["hands_total"]),
        "lines": lines,
    }
