"""What everybody sees of a table of Oh Hell: bids and tricks at each seat, the turned card."""

from functools import cache, partial

from games.kit.drawing import DASH, caption, drawn_seat, past_tricks, shown_trick, slots
from games.kit.markup import COINS, FACES, NOTHING, SMALL_FACES, SUIT_SIGNS, Markup, told_apart
from games.kit.words import SUIT_WORDS, plural, signed, winners_words

TO_BID = Markup("to bid")
NO_COIN = (Markup("slot bid"), NOTHING)
COIN = Markup("slot bid filled")


def felt(table, players):
    last = table["last_hand"]
    hand = last or table
    phase, count, actor = table["phase"], table["seats"], table["to_act"]
    names = [player["name"] for player in players]
    tricks = hand["tricks"]
    shown, winner = shown_trick(table, tricks)
    if phase == "bid":
        trick = [NO_COIN if bid is None else (COIN, COINS[bid]) for bid in table["bids"]]
    else:
        trick = slots(count, shown, winner)
    tallies = _tallies(table, hand)

    seats = []
    for number, player in enumerate(players):
        seat = drawn_seat(player, number == actor, number == hand["dealer"], table["hand_counts"][number])
        state, seat["tally"] = tallies[number]
        seat["classes"] = Markup(f"{seat['classes']} {state}")
        seat["total"] = Markup(signed(table["totals"][number]))
        seat["slot"], seat["face"] = trick[number]
        seats.append(seat)

    return {
        "classes": Markup(f"felt clockwise players-{count} phase-{phase}"),
        "players": Markup(count),
        "phase": Markup(phase),
        "contract": _contract(table, hand, last),
        "seats": seats,
        "stock": FACES[table["turned"]] if phase == "bid" else "",
        "caption": _caption(table, winner, names),
        "tricks": past_tricks(tricks, names),
    }


def _tallies(table, hand):
    """For each seat how its bid stands, "made", "missed" or "", and what it has bid and taken, in words."""
    phase = table["phase"]
    bids, taken = hand["bids"], hand["taken"]
    if phase == "bid":
        waiting = [("", TO_BID if seat == table["to_act"] else DASH) for seat in range(table["seats"])]
        return [other if bid is None else ("", _bid_words(bid)) for bid, other in zip(bids, waiting, strict=True)]
    if phase == "play":
        left = table["cards"] - len(table["tricks"])
        return [_tally(bid, has, left) for bid, has in zip(bids, taken, strict=True)]
    if table["last_hand"]:
        return [_result_words(*line) for line in zip(bids, taken, hand["points"], strict=True)]
    return [("", DASH)] * table["seats"]


@cache
def _bid_words(bid):
    return Markup(f"bid {bid}")


@cache
def _tally(bid, has, left):
    """left: how many tricks are still to be played."""
    state = "missed" if has > bid or has + left < bid else ""  # made is what it may still become
    return state, Markup(f"bid {bid}, has {has}")


@cache
def _result_words(bid, has, points):
    return "made" if has == bid else "missed", Markup(f"{has} of {bid}: {signed(points, plus=True)}")


def _contract(table, hand, last):
    number = last["hand"] if last else table["hand_number"]
    turned = hand["turned"]
    bids = [bid for bid in hand["bids"] if bid is not None]
    total, cards = sum(bids), hand["cards"]
    margin, state = "", ""
    if not bids:
        bid_line = plural(cards, "card") + " each"
    elif len(bids) < table["seats"]:
        bid_line = f"Bid {total} so far for {cards}"
    else:
        bid_line = f"Bid {total} for {cards}:"
        state = "under" if total < cards else "over"
        margin = f"{state} by {abs(total - cards)}"
    return {
        "hand": f"Hand {number} of {table['hands_total']}",
        "cards": plural(cards, "card"),
        "turned": SMALL_FACES[turned] if turned else "",
        "sign": SUIT_SIGNS[turned[1]] if turned else "",
        "trump": SUIT_WORDS[turned[1]].capitalize() if turned else "",
        "bids": bid_line,
        "margin": margin,
        "state": state,
    }


def _caption(table, winner, names):
    """What the middle of the table says, or None."""
    phase = table["phase"]
    if phase == "over":
        words = told_apart(partial(winners_words, table["totals"]), names, range(len(names)))
        return caption(words, classes="winner")
    if winner is not None:
        if phase == "play":
            return _caption_of(winner, "You take it", "{name} takes it", names, classes="winner")
        yours, theirs = "You take the last trick", "{name} takes the last trick"
        return _caption_of(winner, yours, theirs, names, classes="winner")
    if phase == "deal":
        return _caption_of(table["dealer"], "You deal", "{name} deals", names)
    if phase == "play" and not table["trick"]["plays"]:
        margin = _margin(table["bids"], table["cards"]).capitalize()
        return _caption_of(table["to_act"], "You lead", "{name} leads", names, margin)
    return None


def _caption_of(seat, yours, theirs, names, large="", classes=""):
    """What the middle of the table says of a player."""
    return caption(told_apart(lambda each: each.said_of(seat, yours, theirs), names, [seat]), large, classes)


def _margin(bids, cards):
    total = sum(bids)
    return f"under by {cards - total}" if total < cards else f"over by {total - cards}"
