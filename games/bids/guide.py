"""The help for newcomers to Bids: a glossary, phrases for the chat, and a first round with notes."""

from collections.abc import Callable

from games.bids.rules.pack import DOUBLE, MINUS_5, NUMBER
from games.bids.rules.scoring import LUCKY_LOSER, lucky_loser_points
from games.bids.types import View
from games.kit.contract import Card, Move
from games.kit.guide import Guide, Phrase, note, word
from games.kit.language import lazy, lazy_in

GLOSSARY = (
    word("trick", lazy("Trick"), "One black card in the centre, and one bid for it from everybody."),
    word(
        "bid",
        lazy("Bid"),
        "The card that you play for the black card. Any card will do, and all bids are gone afterwards.",
    ),
    word(
        "burnt",
        lazy_in("of a trick", "Burnt"),
        "The highest number was bid twice or more, so nobody wins the trick and its cards are gone.",
    ),
    word(
        "lucky-loser",
        lazy("Lucky Loser"),
        "A player who wins no black card in a whole round gets points for that.",
    ),
    word("double", "2×", "A black card that doubles all the points its winner has in this round so far.", "special"),
    word(
        "ally",
        lazy("Ally"),
        "A white card. The winner of its trick and the player of this card share their points of the round.",
        "special",
    ),
    word(
        "lowest",
        lazy("Lowest wins"),
        "The Lowest card has been turned up: to the end of the round the lowest number wins.",
        "special",
    ),
)


PHRASES = (
    Phrase("burnt", lazy("Burnt!")),
    Phrase("same-idea", lazy("We had the same idea!")),
    Phrase("outbid", lazy("Outbid!")),
)


SEATS = 4
LOW, HIGH = 3, 8  # Black cards up to LOW are cheap, and from HIGH on they are dear.
LATE = 5  # From this trick on a seat without black cards may aim for a null round.


def _is_turn(table: View, moves: list[Move]) -> bool:
    return table["phase"] == "play" and bool(moves)


def _follows(table: View, moves: list[Move]) -> bool:
    return _is_turn(table, moves) and bool(table["plays"])


def _leads(table: View, moves: list[Move]) -> bool:
    return _is_turn(table, moves) and not table["plays"] and table["trick"] > 1


def _is_centre(*cards: Card) -> Callable[[View, list[Move]], bool]:
    return lambda table, moves: _is_turn(table, moves) and table["centre"] in cards


def _is_first_trick(table: View, moves: list[Move]) -> bool:
    return _is_turn(table, moves) and table["trick"] == 1


def _holds_black(table: View, moves: list[Move]) -> bool:
    return _is_turn(table, moves) and any(card.startswith("K") for card in table["hand"])


def _black_count(table: View) -> int:
    """Return how many black cards the reader has won in this round."""
    current, seat = table["score_sheet"]["current"], table["seat"]
    return current["black_cards"][seat] if current and seat is not None else 0


def _has_black(table: View, moves: list[Move]) -> bool:
    return _is_turn(table, moves) and _black_count(table) > 0


def _may_be_null(table: View, moves: list[Move]) -> bool:
    return _is_turn(table, moves) and table["trick"] >= LATE and not _black_count(table)


def _was_burnt(table: View, moves: list[Move]) -> bool:
    return _is_turn(table, moves) and bool(table["tricks"]) and table["tricks"][-1]["winner"] is None


def _is_scored(table: View, moves: list[Move]) -> bool:
    return table["phase"] in ("deal", "over") and bool(table["score_sheet"]["rounds"])


def _had_null_round(table: View, moves: list[Move]) -> bool:
    seat = table["seat"]
    return _is_scored(table, moves) and seat is not None and table["score_sheet"]["rounds"][-1]["null"][seat]


def _had_no_null_round(table: View, moves: list[Move]) -> bool:
    return _is_scored(table, moves) and not _had_null_round(table, moves)


CENTRE, HAND, SEAT = ("#felt .centre",), ("#hand .card",), ("#seat-{seat}",)

NOTES = (
    note(
        "centre",
        CENTRE,
        _is_first_trick,
        "Everybody bids for this black card. Its number is the points that it brings its winner.",
    ),
    note(
        "hand",
        HAND,
        _is_first_trick,
        "You bid with one of these cards, whichever you like. The highest number wins the black card; then all the "
        "cards that were bid are gone.",
    ),
    note(
        "tie",
        ("#felt .slot.ahead", "#felt .slot.lead"),
        _follows,
        "Look at what others have bid. Beat the highest number or stay below it: if you match it and nobody goes "
        "higher, the trick burns and nobody wins.",
    ),
    note(
        "cheap",
        CENTRE,
        _is_centre(*(f"K{number}" for number in range(1, LOW + 1))),
        "This one is worth little. A good moment to get rid of a low card.",
    ),
    note(
        "dear",
        CENTRE,
        _is_centre(*(f"K{number}" for number in range(HIGH, 11))),
        "This one is worth a lot, and everybody wants it. A 9 or a 10 may win it, unless somebody matches your number.",
    ),
    note(
        "minus",
        CENTRE,
        _is_centre(MINUS_5),
        "Careful: this card costs its winner {points} points. Bid low.",
        points=-NUMBER[MINUS_5],
    ),
    note(
        "double",
        CENTRE,
        _is_centre(DOUBLE),
        "This card doubles all the points that its winner has in this round so far. It is best for "
        "the player with the most.",
    ),
    note(
        "black",
        ("#hand .card[id^='card-K']",),
        _holds_black,
        "You can bid with this black card, like any other. But its points join the prize, so the "
        "winner of the trick gets them too.",
    ),
    note(
        "burnt",
        ("#caption",),
        _was_burnt,
        "The highest number had been bid twice, so the trick burnt: all its cards are gone, and nobody has won them.",
    ),
    note(
        "won",
        SEAT,
        _has_black,
        "You have won a black card. Here are the points that you have in this round.",
    ),
    note(
        "lead",
        HAND,
        _leads,
        "You lead to this trick: the others see your card before they bid. A middling number is easily beaten.",
    ),
    note(
        "loser",
        SEAT,
        _may_be_null,
        "You have no black card yet. If it stays so to the end of the round, you are the Lucky Loser and get "
        "{points} points.",
        points=LUCKY_LOSER[SEATS],
    ),
    note(
        "points",
        ("#mine .result table",),
        _had_no_null_round,
        "Black cards count their numbers for their winner. A player who has won none gets {points} points instead.",
        points=LUCKY_LOSER[SEATS],
    ),
    note(
        "lost-all",
        ("#mine .result table",),
        _had_null_round,
        "You have won no black card at all, and that is worth {first} points. The next time in a match it is worth "
        "{second}.",
        first=LUCKY_LOSER[SEATS],
        second=lucky_loser_points(SEATS, 1),
    ),
    note(
        "end",
        ("#guide-play",),
        _is_scored,
        "That was a whole round. A short match has two, a full one five, and the most points win.",
    ),
)

GUIDE = Guide(seats=SEATS, seed="ff4fd69208a7081d5a67c8c1798509a3e88ab4b825845d5c665ae324c18411bb", notes=NOTES)
