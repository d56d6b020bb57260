"""The part of a table of Oh Hell that everybody sees."""

from functools import partial

from games.kit.drawing import DASH, caption, draw_felt, draw_tricks, slots, visible_trick
from games.kit.language import cache_by_language, say_count
from games.kit.markup import COINS, FACES, NOTHING, SMALL_FACES, SUIT_SIGNS, Markup, personal_markup
from games.kit.words import SUIT_TITLES, capital, deals, leads, takes, winners_words, with_sign
from games.oh_hell.table import words

NO_COIN = (Markup("slot bid"), NOTHING)
COIN = Markup("slot bid filled")


def felt(table, players):
    last = table["last_hand"]
    hand = last or table
    phase = table["phase"]
    names = [player["name"] for player in players]
    tricks = hand["tricks"]
    plays, winner = visible_trick(table, tricks)
    if phase == "bid":
        trick = [NO_COIN if bid is None else (COIN, COINS[bid]) for bid in table["bids"]]
    else:
        trick = slots(table["seats"], plays, winner)
    seats = [
        {"state": state, "tally": tally, "total": Markup(with_sign(total)), "slot": slot, "face": face}
        for (state, tally), total, (slot, face) in zip(_tallies(table, hand), table["totals"], trick, strict=True)
    ]
    return draw_felt(table, players, seats, hand["dealer"]) | {
        "contract": _contract(table, hand, last),
        "stock": FACES[table["turned"]] if phase == "bid" else "",
        "caption": _caption(table, winner, names),
        "tricks": draw_tricks(tricks, names),
    }


def _tallies(table, hand):
    """Return for each seat the state of its bid ("made", "missed" or "") and its tally in words."""
    phase = table["phase"]
    bids, taken = hand["bids"], hand["taken"]
    if phase == "bid":
        waiting = [("", Markup(words.TO_BID) if seat == table["to_act"] else DASH) for seat in range(table["seats"])]
        return [other if bid is None else ("", _bid_words(bid)) for bid, other in zip(bids, waiting, strict=True)]
    if phase == "play":
        left = table["cards"] - len(table["tricks"])
        return [_tally(bid, has, left) for bid, has in zip(bids, taken, strict=True)]
    if table["last_hand"]:
        return [_result_words(*line) for line in zip(bids, taken, hand["points"], strict=True)]
    return [("", DASH)] * table["seats"]


@cache_by_language()
def _bid_words(bid):
    return Markup(words.bid_label(bid))


@cache_by_language()
def _tally(bid, has, left):
    """Return the state and the tally of a seat during the play. left: the number of tricks to come."""
    state = "missed" if has > bid or has + left < bid else ""  # Nothing is made before the last trick.
    return state, Markup(words.tally(bid, has))


@cache_by_language()
def _result_words(bid, has, points):
    return "made" if has == bid else "missed", Markup(words.scored(bid, has, points))


def _contract(table, hand, last):
    number = last["hand"] if last else table["hand_number"]
    return _contract_of(number, table["hands_total"], hand["turned"], tuple(hand["bids"]), hand["cards"])


@cache_by_language(1024)
def _contract_of(number, hands, turned, bids, cards):
    """Return the dict for the contract. bids: by seat, None before a bid. cards: the number for each seat."""
    bid = [tricks for tricks in bids if tricks is not None]
    total, closed = sum(bid), len(bid) == len(bids)
    off = total - cards
    in_full, in_short = words.bid_in_all(cards, total, closed) if bid else (words.cards_each(cards),) * 2
    return {
        "deal": words.hand_of(number, hands),
        "length": say_count(cards, "{number} card", "{number} cards"),
        "emblem": SMALL_FACES[turned] if turned else "",
        "sign": SUIT_SIGNS[turned[1]] if turned else "",
        "trump": SUIT_TITLES[turned[1]] if turned else "",
        "bids": in_full,
        "bids_in_short": in_short,
        "margin": words.over_or_under(off) if closed else "",
        "state": ("over" if off > 0 else "under") if closed else "",
    }


def _caption(table, winner, names):
    """Return the text in the middle of the table, if there is any."""
    phase = table["phase"]
    if phase == "over":
        winners = personal_markup(partial(winners_words, table["totals"]), names, range(len(names)))
        return caption(winners, classes="winner")
    if winner is not None:
        last = phase != "play"
        return _caption_of(partial(takes, winner, last), names, winner, classes="winner")
    if phase == "deal":
        return _caption_of(partial(deals, table["dealer"]), names, table["dealer"])
    if phase == "play" and not table["trick"]["plays"]:
        margin = capital(words.over_or_under(sum(table["bids"]) - table["cards"]))
        return _caption_of(partial(leads, table["to_act"]), names, table["to_act"], margin)
    return None


def _caption_of(describe, names, seat, large="", classes=""):
    """Return a caption about a seat. describe: returns the words for a reader's Names."""
    return caption(personal_markup(describe, names, [seat]), large, classes)
