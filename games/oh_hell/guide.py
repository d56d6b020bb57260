"""The help for newcomers to Oh Hell: a glossary, phrases for the chat, and a first hand with notes."""

from games.kit.contract import Move
from games.kit.guide import (
    LEAD,
    TRICK,
    TRUMP,
    Guide,
    Note,
    Phrase,
    follows,
    is_bidding,
    is_playing,
    leads,
    note,
    suit_led,
    word,
)
from games.kit.language import lazy, lazy_in
from games.oh_hell.bot import seat_of
from games.oh_hell.rules import MADE
from games.oh_hell.types import View

GLOSSARY = (
    TRUMP,
    TRICK,
    LEAD,
    word(
        "dealer",
        lazy_in("role", "Dealer"),
        "The player who dealt this hand. The dealer bids last, and must not make the sum of the bids "
        "equal the number of tricks.",
        "deal",
    ),
    word(
        "over",
        lazy_in("the bids", "Over"),
        "More tricks were bid than there are: somebody will be left short, so players fight for tricks.",
    ),
    word(
        "under",
        lazy_in("the bids", "Under"),
        "Fewer tricks were bid than there are: somebody will get one that they didn’t want.",
    ),
    word(
        "hook",
        lazy("Hook"),
        "The one number that the dealer may not bid, because all the bids would add up to the number of tricks.",
    ),
)


PHRASES = (
    Phrase("oh-hell", lazy("Oh hell!")),
    Phrase("so-close", lazy("So close!")),
    Phrase("just-so", lazy("Just as bid!")),
)


def _is_following(table: View, moves: list[Move]) -> bool:
    return is_playing(table, moves) and suit_led(table) != ""


def _is_void(table: View, moves: list[Move]) -> bool:
    return _is_following(table, moves) and not follows(table, moves)


def _has_trick(table: View, moves: list[Move]) -> bool:
    return is_playing(table, moves) and table["taken"][seat_of(table)] > 0


def _has_enough(table: View, moves: list[Move]) -> bool:
    seat = seat_of(table)
    return is_playing(table, moves) and len(moves) > 1 and table["taken"][seat] == table["bids"][seat]


def _is_scored(table: View, moves: list[Move]) -> bool:
    return table["last_hand"] is not None


def _is_exact(table: View, moves: list[Move]) -> bool:
    last, seat = table["last_hand"], seat_of(table)
    return last is not None and last["bids"][seat] == last["taken"][seat]


def _is_missed(table: View, moves: list[Move]) -> bool:
    return _is_scored(table, moves) and not _is_exact(table, moves)


AT_SEAT, AT_TRICK = ("#seat-{seat}",), ("#felt .slot.lead", "#caption")

NOTES: tuple[Note[View], ...] = (
    note(
        "cards",
        ("#hand .card",),
        is_bidding,
        "These cards are yours; nobody else sees them. In each trick everybody plays one card, and the best card "
        "takes it.",
    ),
    note(
        "trump",
        ("#contract",),
        is_bidding,
        "The card turned up makes its suit trumps: any trump beats any card of another suit. Within a suit, aces "
        "are high and twos are low.",
    ),
    note(
        "bid",
        ("#bid-box",),
        is_bidding,
        "Say how many tricks you will take. You want exactly that many, no more and no fewer. Count on aces, kings "
        "and high trumps.",
    ),
    note(
        "tally",
        AT_SEAT,
        is_playing,
        "Here are your bid and the tricks you have taken so far. Everybody sees them.",
    ),
    note(
        "trick",
        AT_TRICK,
        _is_following,
        "This card was led. The highest card of its suit takes the trick, unless somebody plays a trump.",
    ),
    note(
        "follow",
        ("#hand .card",),
        lambda table, moves: follows(table, moves) and len(moves) < len(table["hand"]),
        "You hold the suit that was led, so you must play it. The raised cards are the ones you may choose from.",
    ),
    note(
        "void",
        ("#hand .card",),
        _is_void,
        "You have none of the suit that was led, so you may play anything: a trump to take the trick, or a card you"
        " would rather lose.",
    ),
    note(
        "lead",
        ("#hand .card",),
        leads,
        "You lead, so you may play any card, and the others must follow its suit if they can. High cards take "
        "tricks, low ones lose them.",
    ),
    note("taken", AT_SEAT, _has_trick, "You have taken a trick. The winner of a trick leads to the next one."),
    note(
        "enough",
        ("#hand .card",),
        _has_enough,
        "You have just what you bid. From now on, try to lose: play low cards while somebody else plays higher ones.",
    ),
    note(
        "made",
        ("#mine .result table",),
        _is_exact,
        "You took exactly what you bid: {points} points, and 1 more for each trick.",
        points=MADE,
    ),
    note(
        "missed",
        ("#mine .result table",),
        _is_missed,
        "You didn’t take exactly what you bid, so you score only 1 point for each trick. A bid that is made scores "
        "{points} more.",
        points=MADE,
    ),
    note(
        "end",
        ("#guide-play",),
        _is_scored,
        "That is the whole game. In a match the number of cards changes from hand to hand, and the most points win.",
    ),
)

GUIDE = Guide(seats=4, seed="fa265657079c9e80a06eae528ca311b7c264d5fc18ae29cc2115d5f702615780", notes=NOTES)
