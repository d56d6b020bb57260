"""Help for newcomers: a glossary, phrases for the chat, and a first deal with notes."""

from games.belot.rules.declarations import SEQUENCES, SQUARES
from games.belot.rules.pack import BELOT, LAST_TRICK, TRUMP_POINTS
from games.belot.rules.scoring import KIRTIK, VALAT
from games.belot.rules.types import View
from games.belot.rules.view import scored_deal, seat_of
from games.kit.cards import SUITS
from games.kit.contract import Card, Move
from games.kit.guide import (
    DEALER,
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
from games.kit.language import lazy

GLOSSARY = (
    word(
        "contract",
        lazy("Contract"),
        "What is played: a trump suit, no trumps or all trumps. The side that bid it must take more points.",
    ),
    TRUMP,
    TRICK,
    LEAD,
    DEALER,
    word(
        "double",
        lazy("Double"),
        "The other side doubts the contract: the deal counts twice, and the winner takes everything.",
    ),
    word(
        "declaration",
        lazy("Declaration"),
        "Cards that are worth extra points together, a run or four alike. They are declared in the first trick.",
        "declarations",
    ),
    word(
        "tierce",
        lazy("Tierce"),
        "Three cards of a suit in sequence, worth {points} points.",
        "declarations",
        points=SEQUENCES[3][1],
    ),
    word(
        "quarte",
        lazy("Quarte"),
        "Four cards of a suit in sequence, worth {points} points.",
        "declarations",
        points=SEQUENCES[4][1],
    ),
    word(
        "quint",
        lazy("Quint"),
        "Five cards of a suit in sequence, worth {points} points.",
        "declarations",
        points=SEQUENCES[5][1],
    ),
    word(
        "square",
        lazy("Square"),
        "All four of a rank: jacks {jacks}, nines {nines}, aces, kings, queens or tens {others}.",
        "declarations",
        jacks=SQUARES["J"],
        nines=SQUARES["9"],
        others=SQUARES["A"],
    ),
    word(
        "belot",
        lazy("Belot"),
        "The king and queen of trumps in one hand, worth {points} points when one of them is played.",
        points=BELOT,
    ),
    word(
        "inside",
        lazy("Inside"),
        "The side that bid took fewer points than the other, and scores nothing: the other side scores all.",
    ),
    word(
        "hanging",
        lazy("Hanging"),
        "Both sides took the same: the winners of the next deal get the points of the bidding side.",
    ),
    word("valat", lazy("Valat"), "One side has taken every trick, and scores {points} more.", points=VALAT),
    word(
        "kirtik",
        lazy("Kirtik"),
        "Where a table plays with it, a side that bid or was doubled and did not win loses {points} from its score.",
        points=-KIRTIK,
    ),
    word(
        "last-ten",
        lazy("Last ten"),
        "The last trick of a deal counts {points} points more than its cards.",
        "cards",
        points=LAST_TRICK,
    ),
)


PHRASES = (
    Phrase("bravo", lazy("Bravo!")),
    Phrase("capot", lazy("What a capot!")),
    Phrase("hung", lazy("It hangs!")),
)


def _trump_suit(table: View) -> str:
    """Return the trump suit, or "" if the contract is no suit."""
    contract = table["contract"]
    return contract["contract"] if contract and contract["contract"] in SUITS else ""


def _playable_cards(moves: list[Move]) -> set[Card]:
    return {move["card"] for move in moves if move["type"] == "play"}


def _is_restricted(table: View, moves: list[Move]) -> bool:
    return len(_playable_cards(moves)) < len(table["hand"])


def _must_trump(table: View, moves: list[Move]) -> bool:
    """Return whether the player has no card of the suit led, and may play only trumps."""
    if not is_playing(table, moves) or not suit_led(table) or follows(table, moves):
        return False
    return _is_restricted(table, moves) and all(card[1] == _trump_suit(table) for card in _playable_cards(moves))


def _side_has_trick(table: View, moves: list[Move]) -> bool:
    return is_playing(table, moves) and table["tricks_won"][seat_of(table) % len(table["sides"])] > 0


def _is_scored(table: View, moves: list[Move]) -> bool:
    return scored_deal(table) is not None


HAND, CONTRACT, RESULT = ("#hand .card",), ("#contract",), ("#mine .result table",)

NOTES: tuple[Note[View], ...] = (
    note(
        "cards",
        HAND,
        is_bidding,
        "You first get five cards and bid on these; three more follow. Your partner sits opposite; "
        "your opponents sit left and right.",
    ),
    note(
        "bid",
        ("#bid-box",),
        is_bidding,
        "A bid names trumps, the suit that beats the others. Bid a suit if you hold its jack, or its "
        "nine and an ace. If you have none, pass.",
    ),
    note(
        "promise",
        ("#bid-box",),
        is_bidding,
        "The highest bid stands, and is a promise: that side must take more points than the other, or the other "
        "scores everything.",
    ),
    note("contract", CONTRACT, is_playing, "The bidding is over. Here you see what is trumps and who bid it."),
    note(
        "order",
        HAND,
        lambda table, moves: is_playing(table, moves) and bool(_trump_suit(table)),
        "Trumps rank jack, nine, ace, ten, king, queen, eight, seven; the jack counts {jack} and the nine {nine}. "
        "In other suits the ace is highest, then the ten.",
        jack=TRUMP_POINTS["J"],
        nine=TRUMP_POINTS["9"],
    ),
    note(
        "declare",
        ("#offers .offer", "#hand .card"),
        lambda table, moves: any(move["type"] == "declare" for move in moves),
        "You hold a declaration: cards that are worth extra points together. It is ticked, so it is announced with "
        "your first card. Later it would not count.",
    ),
    note(
        "lead",
        HAND,
        leads,
        "You lead: play any card. An ace often takes the trick, unless somebody has none of its suit and trumps it.",
    ),
    note(
        "follow",
        HAND,
        lambda table, moves: (
            follows(table, moves) and _is_restricted(table, moves) and suit_led(table) != _trump_suit(table)
        ),
        "You hold the suit that was led, so you must play it. The raised cards are the ones you may choose from.",
    ),
    note(
        "higher",
        HAND,
        lambda table, moves: follows(table, moves) and suit_led(table) == _trump_suit(table),
        "Trumps were led. You must follow with a trump, and with one that is higher than all before it if you can.",
    ),
    note(
        "trump",
        HAND,
        _must_trump,
        "You have none of the suit that was led, so you must trump: a trump beats every card of the other suits.",
    ),
    note(
        "belot",
        HAND,
        lambda table, moves: any("belot" in move for move in moves),
        "King and queen of trumps in one hand are belot, worth {points} points. Play one of them to announce it.",
        points=BELOT,
    ),
    note(
        "taken",
        CONTRACT,
        _side_has_trick,
        "Your side has taken a trick. The points of its cards count for you and your partner together.",
    ),
    note(
        "last",
        HAND,
        lambda table, moves: is_playing(table, moves) and len(table["hand"]) == 1,
        "The last trick is worth {points} extra points.",
        points=LAST_TRICK,
    ),
    note(
        "points",
        RESULT,
        _is_scored,
        "The points of both sides are compared, and then divided by ten for the sheet: 81 points become about 8.",
    ),
    note(
        "end",
        ("#guide-play",),
        _is_scored,
        "That was one deal. A match goes on until a side has enough points: 51 in a short match, 151 in a full one.",
    ),
)

GUIDE = Guide(seats=4, seed="7de43aa6b16fcce1a8a8f59566954d42d6865bc83ae30f8fdcc341a26610c71a", notes=NOTES)
