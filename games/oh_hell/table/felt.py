"""The part of a table of Oh Hell that everybody sees."""

from collections.abc import Callable
from functools import partial

from games.kit.contract import Card, Seat
from games.kit.drawing import DASH, Players, TemplateData, caption, draw_felt, draw_tricks, slots, visible_trick
from games.kit.language import cache_by_language, say_count
from games.kit.markup import COINS, FACES, NOTHING, SMALL_FACES, SUIT_SIGNS, Markup, personal_markup
from games.kit.words import SUIT_TITLES, Names, capital, deals, leads, takes, winners_words, with_sign
from games.oh_hell.rules import bids_made
from games.oh_hell.table import words
from games.oh_hell.types import View

NO_COIN = (Markup("slot bid"), NOTHING)
COIN = Markup("slot bid filled")


type Tally = tuple[str, Markup]  # the state of a bid, "made", "missed" or "", and the tally in words


def felt(table: View, players: Players) -> TemplateData:
    last = table["last_hand"]
    hand = last or table
    phase, turned = table["phase"], table["turned"]
    names = [player["name"] for player in players]
    tricks = hand["tricks"]
    plays, winner = visible_trick(table, tricks)
    if phase == "bid":
        trick = [NO_COIN if bid is None else (COIN, COINS[bid]) for bid in table["bids"]]
    else:
        trick = slots(table["seats"], plays, winner)
    seats = [
        {"state": state, "tally": tally, "total": Markup(with_sign(total)), "slot": slot, "face": face}
        for (state, tally), total, (slot, face) in zip(_tallies(table), table["totals"], trick, strict=True)
    ]
    return draw_felt(table, players, seats, hand["dealer"]) | {
        "contract": _contract_slip(table),
        "stock": FACES[turned] if phase == "bid" and turned else "",
        "caption": _caption(table, winner, names),
        "tricks": draw_tricks(tricks, names),
    }


def _tallies(table: View) -> list[Tally]:
    """Return the tallies by seat."""
    phase, last = table["phase"], table["last_hand"]
    if phase == "bid":
        waiting = [("", Markup(words.TO_BID) if seat == table["to_act"] else DASH) for seat in range(table["seats"])]
        return [
            other if bid is None else ("", _bid_words(bid)) for bid, other in zip(table["bids"], waiting, strict=True)
        ]
    if phase == "play":
        left = table["cards"] - len(table["tricks"])
        return [
            _tally_in_play(bid or 0, tricks, left) for bid, tricks in zip(table["bids"], table["taken"], strict=True)
        ]
    if last:
        return [_result_words(*result) for result in zip(last["bids"], last["taken"], last["points"], strict=True)]
    return [("", DASH)] * table["seats"]


@cache_by_language()
def _bid_words(bid: int) -> Markup:
    return Markup(words.bid_label(bid))


@cache_by_language()
def _tally_in_play(bid: int, tricks: int, left: int) -> Tally:
    """Return the tally of a seat during the play. left: the number of tricks to come."""
    state = "missed" if tricks > bid or tricks + left < bid else ""  # Nothing is made before the last trick.
    return state, Markup(words.tally(bid, tricks))


@cache_by_language()
def _result_words(bid: int, tricks: int, points: int) -> Tally:
    return "made" if tricks == bid else "missed", Markup(words.scored(bid, tricks, points))


def _contract_slip(table: View) -> TemplateData:
    last, hands = table["last_hand"], table["hands_total"]
    if last:
        return _draw_contract(last["hand"], hands, last["turned"], tuple(last["bids"]), last["cards"])
    return _draw_contract(table["hand_number"], hands, table["turned"], tuple(table["bids"]), table["cards"])


@cache_by_language(1024)
def _draw_contract(
    number: int, hands: int, turned: Card | None, bids: tuple[int | None, ...], cards: int
) -> TemplateData:
    """Return the slip that says which hand it is, what is trumps, and how the bids compare with the tricks.

    cards: the number for each seat.
    """
    made = bids_made(bids)
    total, closed = sum(made), len(made) == len(bids)
    off = total - cards
    in_full, in_short = words.bid_in_all(cards, total, closed) if made else (words.cards_each(cards),) * 2
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


def _caption(table: View, winner: Seat | None, names: list[str]) -> TemplateData | None:
    """Return the text in the middle of the table, if there is any."""
    phase = table["phase"]
    if phase == "over":
        winners = personal_markup(partial(winners_words, table["totals"]), names, range(len(names)))
        return caption(winners, classes="winner")
    if winner is not None:
        last = phase != "play"
        return _caption_about(partial(takes, winner, last), names, winner, classes="winner")
    if phase == "deal":
        return _caption_about(partial(deals, table["dealer"]), names, table["dealer"])
    leader = table["trick"]["leader"]
    if phase == "play" and leader is not None and not table["trick"]["plays"]:
        margin = capital(words.over_or_under(sum(bids_made(table["bids"])) - table["cards"]))
        return _caption_about(partial(leads, leader), names, leader, margin)
    return None


def _caption_about(
    describe: Callable[[Names], str], names: list[str], seat: Seat, large: str = "", classes: str = ""
) -> TemplateData:
    """Return a caption about a seat. describe: returns the words for a reader's Names."""
    return caption(personal_markup(describe, names, [seat]), large, classes)
