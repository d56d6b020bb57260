"""What Bids has for newcomers: its words, what players say, and a first round of ten tricks with notes."""

from games.kit.guide import Guide, Note, Phrase, Word
from games.kit.language import lazily, lazily_in

GLOSSARY = (
    Word("trick", lazily("Trick"), lazily("One black card in the centre, and one bid for it from everybody.")),
    Word(
        "bid",
        lazily("Bid"),
        lazily("The card that you play for the black card. Any card will do, and all bids are gone afterwards."),
    ),
    Word(
        "burnt",
        lazily_in("of a trick", "Burnt"),
        lazily("The highest number was bid twice or more, so nobody wins the trick and its cards are gone."),
    ),
    Word(
        "lucky-loser",
        lazily("Lucky Loser"),
        lazily("Whoever wins no black card in a whole round gets points for that instead."),
    ),
    Word(
        "double",
        "2×",
        lazily("A black card that doubles all the points its winner has in this round so far."),
        "special",
    ),
    Word(
        "ally",
        lazily("Ally"),
        lazily("A white card. Whoever wins its trick shares the points of the round with whoever played it."),
        "special",
    ),
    Word(
        "lowest",
        lazily("Lowest wins"),
        lazily("The Lowest card has been turned up: to the end of the round the lowest number wins."),
        "special",
    ),
)


PHRASES = (
    Phrase("burnt", lazily("Burnt!")),
    Phrase("same-idea", lazily("We had the same idea!")),
    Phrase("outbid", lazily("Outbid!")),
)


LOW, HIGH = 3, 8  # numbers of a black card that is worth little, and much
LATE = 5  # the trick from which a seat without a black card may think of staying without


def _turn(table, moves):
    return table["phase"] == "play" and bool(moves)


def _answers(table, moves):
    return _turn(table, moves) and bool(table["plays"])


def _leads(table, moves):
    return _turn(table, moves) and not table["plays"] and table["trick"] > 1


def _centre_is(*cards):
    return lambda table, moves: _turn(table, moves) and table["centre"] in cards


def _first(table, moves):
    return _turn(table, moves) and table["trick"] == 1


def _holds_black(table, moves):
    return _turn(table, moves) and any(card.startswith("K") for card in table["hand"])


def _black_won(table):
    current = table["score_sheet"]["current"]
    return current["black_cards"][table["seat"]] if current else 0


def _burnt(table, moves):
    return _turn(table, moves) and bool(table["tricks"]) and table["tricks"][-1]["winner"] is None


def _scored(table, moves):
    return table["phase"] in ("deal", "over") and bool(table["score_sheet"]["rounds"])


def _lost_all(table, moves):
    return _scored(table, moves) and table["score_sheet"]["rounds"][-1]["null"][table["seat"]]


CENTRE, HAND, SEAT = ("#felt .centre",), ("#hand .card",), ("#seat-{seat}",)

NOTES = (
    Note(
        "centre",
        CENTRE,
        lazily("Everybody bids for this black card. It is worth its number of points to whoever wins it."),
        _first,
    ),
    Note(
        "hand",
        HAND,
        lazily(
            "You bid with one of these cards, whichever you like. The highest number wins the black card; then all the "
            "cards that were bid are gone."
        ),
        _first,
    ),
    Note(
        "tie",
        ("#felt .slot.ahead", "#felt .slot.lead"),
        lazily(
            "Look at what others have bid. Beat the highest number or stay below it: if you match it and nobody goes "
            "higher, the trick burns and nobody wins."
        ),
        _answers,
    ),
    Note(
        "cheap",
        CENTRE,
        lazily("This one is worth little. A good moment to get rid of a low card."),
        _centre_is(*(f"K{number}" for number in range(1, LOW + 1))),
    ),
    Note(
        "dear",
        CENTRE,
        lazily(
            "This one is worth a lot, and everybody wants it. A 9 or a 10 may win it, unless somebody matches your "
            "number."
        ),
        _centre_is(*(f"K{number}" for number in range(HIGH, 11))),
    ),
    Note(
        "minus",
        CENTRE,
        lazily("Careful: this card takes 5 points away from whoever wins it. Bid low."),
        _centre_is("K-5"),
    ),
    Note(
        "double",
        CENTRE,
        lazily(
            "This card doubles all the points that its winner has in this round so far. It is best for whoever has "
            "most."
        ),
        _centre_is("Kx2"),
    ),
    Note(
        "black",
        ("#hand .card[id^='card-K']",),
        lazily(
            "This black card is yours to bid with, like any other. But its points join the prize, so whoever wins the "
            "trick gets them too."
        ),
        _holds_black,
    ),
    Note(
        "burnt",
        ("#caption",),
        lazily(
            "The highest number had been bid twice, so the trick burnt: all its cards are gone, and nobody has won "
            "them."
        ),
        _burnt,
    ),
    Note(
        "won",
        SEAT,
        lazily("You have won a black card. Here are the points that you have in this round."),
        lambda table, moves: _turn(table, moves) and _black_won(table) > 0,
    ),
    Note(
        "lead",
        HAND,
        lazily("You lead to this trick: the others see your card before they bid. A middling number is easily beaten."),
        _leads,
    ),
    Note(
        "loser",
        SEAT,
        lazily(
            "You have no black card yet. If it stays so to the end of the round, you are the Lucky Loser and get 8 "
            "points."
        ),
        lambda table, moves: _turn(table, moves) and table["trick"] >= LATE and not _black_won(table),
    ),
    Note(
        "points",
        ("#mine .result table",),
        lazily(
            "Black cards count their numbers for whoever has won them. Whoever has won none at all gets 8 points "
            "instead."
        ),
        lambda table, moves: _scored(table, moves) and not _lost_all(table, moves),
    ),
    Note(
        "lost-all",
        ("#mine .result table",),
        lazily(
            "You have won no black card at all, and that is worth 8 points. The next time in a match it is worth 16."
        ),
        _lost_all,
    ),
    Note(
        "end",
        ("#guide-play",),
        lazily("That was a whole round. A short match has two, a full one five, and the most points win."),
        _scored,
    ),
)

GUIDE = Guide(seats=4, seed="ff4fd69208a7081d5a67c8c1798509a3e88ab4b825845d5c665ae324c18411bb", notes=NOTES)
