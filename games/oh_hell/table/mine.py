"""What one seat of Oh Hell sees besides the felt: its hand, its bid box, what is expected of it, the result."""

from functools import cache

from games.kit.contract import placed
from games.kit.drawing import own_part
from games.kit.hands import drawn_hand
from games.kit.markup import CROWN, Markup
from games.kit.tricks import played_by
from games.kit.words import SUIT_WORDS, end_sentence, joined, number_word, plural, signed


def mine(table, moves, players):
    phase, seat = table["phase"], table["seat"]
    names = [player["name"] for player in players]
    stage = "Final result" if phase == "over" else f"Hand {table['hand_number']}"
    mine = own_part(stage, table, moves, players, _sentence(table, moves, names))
    if table["hand"]:
        legal = {move["card"] for move in moves} if phase == "play" and moves else None
        dealt = [*table["hand"], *played_by(seat, [*table["tricks"], table["trick"]])]
        mine["hand"] = drawn_hand(table["hand"], table["trump"], legal, dealt=dealt)
    if phase == "bid" and seat is not None:
        mine["bids"] = _bid_box(table, moves, names)
    if table["last_hand"]:
        mine["result"] = _result(table, players)
    return mine


# What is expected of a seat


def _sentence(table, moves, names):
    phase, seat, actor = table["phase"], table["seat"], table["to_act"]
    if phase == "over":
        return end_sentence(table["totals"], table["seat"], names)
    if phase == "deal":
        return _scored_sentence(table, names)
    if not moves:
        doing = "bid" if phase == "bid" else "play"
        watching = "You are watching. " if seat is None else ""
        return f"{watching}{names[actor]} is to {doing}."
    if phase == "bid":
        hook = table["hook"]
        if hook is None:
            return "Your bid: how many tricks will you take?"
        return f"Your bid, but not {hook}: it would come out even."
    plays = table["trick"]["plays"]
    if not plays:
        won = table["tricks"] and table["tricks"][-1]["winner"] == seat
        return "You took the trick. Lead any card." if won else "Your turn. Lead any card."
    led = plays[0]["card"][1]
    suit = SUIT_WORDS[led]
    if any(card[1] == led for card in table["hand"]):
        return f"Your turn. {suit.capitalize()} were led: follow suit."
    return f"Your turn. You have no {suit}: play any card."


def _scored_sentence(table, names):
    last, seat = table["last_hand"], table["seat"]
    if not last:
        return f"{names[table['dealer']]} is about to deal."
    if seat is None:
        made = [name for name, bid, has in zip(names, last["bids"], last["taken"], strict=True) if bid == has]
        return f"Hand {last['hand']}: {joined(made) or 'nobody'} made the bid."
    bid, has, points = last["bids"][seat], last["taken"][seat], last["points"][seat]
    if bid == has:
        return f"You bid {bid} and made it: {signed(points)}."
    return f"You bid {bid} and took {has}: {signed(points)}."


# The bid box


def _bid_box(table, moves, names):
    """The bids so far in order, and a button for every number once it is this seat's turn."""
    seat, bids, cards = table["seat"], table["bids"], table["cards"]
    count = table["seats"]
    order = [(table["dealer"] + place) % count for place in range(1, count + 1)]
    so_far = [f"{names[other]} {bids[other]}" for other in order if bids[other] is not None]
    total = sum(bid for bid in bids if bid is not None)
    last = seat == table["dealer"]
    box = {
        "classes": "bid-box many" if cards > 5 else "bid-box",
        "heading": f"{plural(cards, 'card')}, bid so far {total}" if so_far else f"{plural(cards, 'card')}, no bid yet",
        "auction": ", ".join(so_far),
        "wait": "",
        "calls": (),
        "count": str(cards + 1),
    }
    if moves:
        box["calls"] = _calls(cards, total if last else None, table["hook"])
        box["note"] = f"{table['hook']} is closed: the bids would come out even." if table["hook"] is not None else ""
    elif bids[seat] is not None:
        box["wait"] = f"You bid {bids[seat]}."
    else:
        before = order.index(seat) - order.index(table["to_act"])
        turn = "You bid next" if before == 1 else f"{number_word(before).capitalize()} bid before you"
        box["wait"] = f"{turn}, the last of all." if last else f"{turn}."
    return box


@cache
def _calls(cards, total, hook):
    """A button for every bid. total: what the others bid, for the dealer; None for a seat that bids before."""
    calls = []
    for tricks in range(cards + 1):
        small = ""
        if total is not None:
            off = total + tricks - cards
            small = "even" if off == 0 else f"over {off}" if off > 0 else f"under {-off}"
        calls.append(
            {
                "tricks": Markup(tricks),
                "closed": tricks == hook,
                "small": Markup(small),
            }
        )
    return calls


# The result of a hand, and of the match


def _result(table, players):
    """A line for every seat: its bid, its tricks, its points; by place when the match is over."""
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
                "crown": CROWN if over and place == 1 else "",
                "name": players[seat]["name"],
                "bid": str(bid),
                "taken": str(has),
                "verdict": "made" if bid == has else "missed",
                "points": signed(points, plus=True),
                "total": signed(total),
            }
        )
    if not over:
        lines.sort(key=lambda line: line["seat"])
    return {
        "over": over,
        "heading": "Final result" if over else f"Hand {last['hand']} of {table['hands_total']}",
        "lines": lines,
    }
