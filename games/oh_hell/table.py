"""Oh Hell as it is drawn: bids and tricks at each seat, the turned card, the bid box, the sheet with its blots."""

from functools import cache

from games.kit.contract import placed
from games.kit.drawing import (
    CROWN,
    DASH,
    LEADER,
    Drawing,
    card_played,
    end_sentence,
    hand_of,
    joined,
    match_over,
    mine_of,
    number_word,
    past_tricks,
    plural,
    seat_of,
    shown_trick,
    signed,
    slots,
    trick_won,
    winners_words,
)
from games.kit.markup import FACES, NAMES, NOTHING, SMALL_FACES, SUIT_SIGNS, SUIT_WORDS, Markup

STYLES = {
    "long": "long",
    "long-inverted": "long, inverted",
    "short-up-and-down": "short, down and up",
    "short-up": "short, up",
    "short-down": "short, down",
}
CLOSED = Markup(' aria-disabled="true" aria-describedby="closed-bid"')
TO_BID = Markup("to bid")
COIN_SLOTS = {None: (Markup("slot bid"), NOTHING)} | {  # by bid: a coin before the seat while the others bid
    bid: (Markup("slot bid filled"), Markup(f'<span class="token" aria-hidden="true">{bid}</span>'))
    for bid in range(11)
}


class OhHellDrawing(Drawing):
    """Source: the rules page of Oh Hell for what is on the table, and our own taste for how."""

    slug = "oh-hell"
    name = "Oh Hell"

    def trump_of(self, table):
        return table["trump"]

    # The felt

    def felt(self, table, players):
        last = table["last_hand"]
        hand = last or table
        phase, count, actor = table["phase"], table["seats"], table["to_act"]
        names = [player["name"] for player in players]
        tricks = hand["tricks"]
        shown, winner = shown_trick(table, tricks)
        if phase == "bid":
            trick = [COIN_SLOTS[bid] for bid in table["bids"]]
        else:
            trick = slots(count, shown, winner)
        tallies = _tallies(table, hand)

        seats = []
        for number, player in enumerate(players):
            seat = seat_of(player, number == actor, number == hand["dealer"], table["hand_counts"][number])
            state, seat["tally"] = tallies[number]
            seat["classes"] = Markup(f"{seat['classes']} {state}")
            seat["total"] = Markup(signed(table["totals"][number]))
            seat["slot"], seat["face"] = trick[number]
            seats.append(seat)

        return {
            "classes": Markup(f"felt clockwise players-{count} phase-{phase}"),
            "players": str(count),
            "phase": phase,
            "contract": _contract(table, hand, last),
            "seats": seats,
            "stock": FACES[table["turned"]] if phase == "bid" else "",
            "caption": _caption(table, winner, names),
            "tricks": past_tricks(tricks, names),
        }

    # One seat's own part

    def mine(self, table, moves, players):
        phase, seat = table["phase"], table["seat"]
        names = [player["name"] for player in players]
        stage = "Final result" if phase == "over" else f"Hand {table['hand_number']}"
        mine = mine_of(self.name, stage, table, moves, players, _sentence(table, moves, names))
        if table["hand"]:
            legal = {move["card"] for move in moves} if phase == "play" and moves else None
            mine["hand"] = hand_of(table["hand"], table["trump"], legal)
        if phase == "bid" and seat is not None:
            mine["bids"] = _bid_box(table, moves, names)
        if table["last_hand"]:
            mine["result"] = _result(table, players)
        return mine

    # The sheet

    def sheet(self, score_sheet, players, viewer=None, tricks=()):
        totals = score_sheet["totals"]
        played = score_sheet["hands_played"]
        best = max(totals)
        rows = score_sheet["hands"]
        over = played == len(rows)
        return {
            "caption": f"{self.name}, {STYLES[score_sheet['game_style']]}, {score_sheet['scoring_style']} scoring",
            "players": [{"name": player["name"]} for player in players],
            "rows": [_sheet_row(row, row["hand"] == played + 1, players) for row in rows],
            "totals": [
                {"total": signed(total), "crown": (CROWN if over else LEADER) if played and total == best else ""}
                for total in totals
            ],
            "over": over,
        }

    # Words

    def sentences(self, events, players):
        names = [player["name"] for player in players]
        return [sentence for event in events for sentence in _SENTENCES[event["type"]](event, names)]

    def move_words(self, move, players, seat=None):
        name = players[seat]["name"] if seat is not None else ""
        if move["type"] == "deal":
            return "The cards are dealt"
        if move["type"] == "bid":
            return f"{name} bids {move['tricks']}"
        return f"{name} plays the {NAMES[move['card']]}"


# The felt


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
    state = "made" if has == bid else "missed" if has > bid or has + left < bid else ""
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
    """What the middle of the table says: (class, large words, small words), or None."""
    phase = table["phase"]
    if phase == "over":
        return "winner", "", winners_words(table["totals"], names)
    if winner is not None:
        which = "it" if phase == "play" else "the last trick"
        return "winner", "", f"{names[winner]} takes {which}"
    if phase == "deal":
        return "", "", f"{names[table['dealer']]} deals"
    if phase == "play" and not table["trick"]["plays"]:
        return "", _margin(table["bids"], table["cards"]).capitalize(), f"{names[table['to_act']]} leads"
    return None


def _margin(bids, cards):
    total = sum(bids)
    return f"under by {cards - total}" if total < cards else f"over by {total - cards}"


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
                "state": CLOSED if tricks == hook else NOTHING,
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


# The sheet


def _sheet_row(row, current, players):
    off = row["over_under"]
    scored = row["seats"][0]["points"] is not None
    return {
        "deal": row["hand"],
        "number": str(row["hand"]),
        "classes": "current" if current else "scored" if scored else "blank",
        "cards": str(row["cards"]),
        "sign": SUIT_SIGNS[row["trump"]] if row["trump"] else "",
        "trump": SUIT_WORDS[row["trump"]] if row["trump"] else "",
        "dealer": players[row["dealer"]]["name"],
        "off": "" if off is None else signed(off, plus=True),
        "off_words": "" if off is None else f"over by {off}" if off > 0 else f"under by {-off}",
        "cells": [_sheet_cell(cell) for cell in row["seats"]],
        "url": "",  # the page that shows the sheet knows where its deals are
    }


def _sheet_cell(cell):
    """One player's line of a hand: the bid, blotted when missed, and the running total."""
    bid, taken, points = cell["bid"], cell["taken"], cell["points"]
    if bid is None:
        return {"classes": "", "bid": "", "words": "", "total": "", "points": ""}
    if taken is None:
        return {"classes": "bid", "bid": str(bid), "words": "", "total": "", "points": ""}
    if points is None:
        return {"classes": "playing", "bid": str(bid), "words": f"has {taken}", "total": f"({taken})", "points": ""}
    return {
        "classes": "made" if bid == taken else "missed",
        "bid": str(bid),
        "words": "made" if bid == taken else f"missed, took {taken}",
        "total": signed(cell["total"]),
        "points": f"{signed(points, plus=True)} in this hand",
    }


# Sentences


def _hand_dealt(event, names):
    yield (
        f"Hand {event['hand']}, {plural(event['cards'], 'card')}. {names[event['dealer']]} deals, "
        f"the {NAMES[event['turned']]} is turned: {SUIT_WORDS[event['trump']]} are trumps."
    )


def _bid(event, names):
    yield f"{names[event['seat']]} bids {event['tricks']}."


def _bidding_closed(event, names):
    bids = ", ".join(f"{name} {bid}" for name, bid in zip(names, event["bids"], strict=True))
    off = event["over_under"]
    yield f"Bids: {bids}. {'Over' if off > 0 else 'Under'} by {abs(off)}."


def _hand_scored(event, names):
    made, missed = [], []
    for name, bid, has, points in zip(names, event["bids"], event["taken"], event["points"], strict=True):
        (made if bid == has else missed).append(f"{name} {signed(points)}")
    if made:
        yield f"Made: {', '.join(made)}."
    if missed:
        yield f"Missed: {', '.join(missed)}."
    totals = [f"{name} {signed(total)}" for name, total in zip(names, event["totals"], strict=True)]
    yield f"Totals: {', '.join(totals)}."


_SENTENCES = {
    "hand_dealt": _hand_dealt,
    "bid": _bid,
    "bidding_closed": _bidding_closed,
    "card_played": card_played,
    "trick_won": trick_won,
    "hand_scored": _hand_scored,
    "match_over": match_over,
}
