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
    """Return how a seat is doing during the play: a CSS class, and a text with its bid and its tricks so far.

    A bid is the exact number of tricks that the seat has to take. It can be missed early, but it cannot be made before
    the last trick: another trick would be too many. left: the number of tricks to come.
    """
    is_missed = tricks > bid or tricks + left < bid
    return "missed" if is_missed else "", Markup(words.tally(bid, tricks))


@cache_by_language()
def _result_words(bid: int, tricks: int, points: int) -> Tally:
    return "made" if tricks == bid else "missed", Markup(words.scored(bid, tricks, points))


def _contract_slip(table: View) -> TemplateData:
    last, hands = table["last_hand"], table["hands_total"]
    if last:
        return _draw_slip(last["hand"], hands, last["turned"], tuple(last["bids"]), last["cards"])
    return _draw_slip(table["hand_number"], hands, table["turned"], tuple(table["bids"]), table["cards"])


@cache_by_language(1024)
def _draw_slip(number: int, hands: int, turned: Card | None, bids: tuple[int | None, ...], cards: int) -> TemplateData:
    """Return the texts of the slip that says which hand it is, what is trumps, and how many tricks are bid in all.

    number: of the hand, out of `hands` in the match. turned: the card that was turned up for trumps, None before the
    deal. bids: by seat, None before the seat has bid. cards: the number of cards for each seat, and so of tricks.
    """
    bids_so_far = bids_made(bids)
    total, bidding_is_over = sum(bids_so_far), len(bids_so_far) == len(bids)
    off = total - cards  # Not 0 in the end: the last bid must not make the bids equal to the tricks.
    in_full, in_short = (
        words.bid_in_all(cards, total, bidding_is_over) if bids_so_far else (words.cards_each(cards),) * 2
    )
    return {
        "deal": words.hand_of(number, hands),
        "length": say_count(cards, "{number} card", "{number} cards"),
        "emblem": SMALL_FACES[turned] if turned else "",
        "sign": SUIT_SIGNS[turned[1]] if turned else "",
        "trump": SUIT_TITLES[turned[1]] if turned else "",
        "bids": in_full,
        "bids_in_short": in_short,
        "margin": words.over_or_under(off) if bidding_is_over else "",
        "state": ("over" if off > 0 else "under") if bidding_is_over else "",
    }


def _caption(table: View, winner: Seat | None, names: list[str]) -> TemplateData | None:
    """Return the text in the middle of the table, or None: who has won the match or a trick, who deals or who leads.

    winner: of the trick that has just ended and is still on the table, or None.
    """
    phase = table["phase"]
    if phase == "over":
        winners = personal_markup(partial(winners_words, table["totals"]), names, range(len(names)))
        return caption(winners, classes="winner")
    if winner is not None:
        is_last_trick = phase != "play"
        return _caption_about(partial(takes, winner, is_last_trick), names, winner, classes="winner")
    if phase == "deal":
        return _caption_about(partial(deals, table["dealer"]), names, table["dealer"])
    leader = table["trick"]["leader"]
    if phase == "play" and leader is not None and not table["trick"]["plays"]:
        # The first lead is a good moment to say by how much the bids exceed or miss the number of tricks.
        margin = capital(words.over_or_under(sum(bids_made(table["bids"])) - table["cards"]))
        return _caption_about(partial(leads, leader), names, leader, margin)
    return None


def _caption_about(
    describe: Callable[[Names], str], names: list[str], seat: Seat, large: str = "", classes: str = ""
) -> TemplateData:
    """Return a text about one seat for the middle of the table: "Ana leads", which that seat reads as "You lead".

    describe: a function that returns the text, from the names as a reader sees them. large: words in large type above
    the text. classes: its CSS classes.
    """
    return caption(personal_markup(describe, names, [seat]), large, classes)
