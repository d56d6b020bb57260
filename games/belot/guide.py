"""What Belot has for newcomers: its words, what players say, and a first deal with notes."""

from games.kit.cards import SUITS
from games.kit.guide import DEALER, LEAD, TRICK, TRUMP, Guide, Note, Phrase, Word
from games.kit.language import lazily

GLOSSARY = (
    Word(
        "contract",
        lazily("Contract"),
        lazily("What is played: a trump suit, no trumps or all trumps. The side that bid it must take more points."),
    ),
    TRUMP,
    TRICK,
    LEAD,
    DEALER,
    Word(
        "double",
        lazily("Double"),
        lazily("The other side doubts the contract: the deal counts twice, and the winner takes everything."),
    ),
    Word(
        "declaration",
        lazily("Declaration"),
        lazily(
            "Cards that are worth extra points together, a run or four alike. They are declared in the first trick."
        ),
        "declarations",
    ),
    Word("tierce", lazily("Tierce"), lazily("Three cards of a suit in sequence, worth 20 points."), "declarations"),
    Word("quarte", lazily("Quarte"), lazily("Four cards of a suit in sequence, worth 50 points."), "declarations"),
    Word("quint", lazily("Quint"), lazily("Five cards of a suit in sequence, worth 100 points."), "declarations"),
    Word(
        "square",
        lazily("Square"),
        lazily("All four of a rank: jacks 200, nines 150, aces, kings, queens or tens 100."),
        "declarations",
    ),
    Word(
        "belot",
        lazily("Belot"),
        lazily("The king and queen of trumps in one hand, worth 20 points when one of them is played."),
    ),
    Word(
        "inside",
        lazily("Inside"),
        lazily("The side that bid took fewer points than the other, and scores nothing: the other side scores all."),
    ),
    Word(
        "hanging",
        lazily("Hanging"),
        lazily("Both sides took the same: the points of the bidding side wait for whoever wins the next deal."),
    ),
    Word("valat", lazily("Valat"), lazily("One side has taken every trick, and scores 9 more.")),
    Word(
        "kirtik",
        lazily("Kirtik"),
        lazily("Where a table plays with it, a side that bid or was doubled and did not win loses 10 from its score."),
    ),
    Word(
        "last-ten", lazily("Last ten"), lazily("The last trick of a deal counts 10 points besides its cards."), "cards"
    ),
)


PHRASES = (
    Phrase("bravo", lazily("Bravo!")),
    Phrase("capot", lazily("What a capot!")),
    Phrase("hung", lazily("It hangs!")),
)


def _bidding(table, moves):
    return table["phase"] == "bid" and bool(moves)


def _playing(table, moves):
    return table["phase"] == "play" and bool(moves)


def _trump(table):
    """The trump suit, or "" where there is none, or all are."""
    contract = table["contract"]
    return contract["contract"] if contract and contract["contract"] in SUITS else ""


def _led(table):
    plays = table["trick"]["plays"]
    return plays[0]["card"][1] if plays else ""


def _follows(table, moves):
    return _playing(table, moves) and any(card[1] == _led(table) for card in table["hand"])


def _cards(moves):
    return {move["card"] for move in moves if move["type"] == "play"}


def _is_restricted(table, moves):
    return len(_cards(moves)) < len(table["hand"])


def _must_trump(table, moves):
    held = _playing(table, moves) and bool(_led(table)) and not _follows(table, moves) and _is_restricted(table, moves)
    return held and all(card[1] == _trump(table) for card in _cards(moves))


def _side_has_taken(table, moves):
    return _playing(table, moves) and table["tricks_won"][table["seat"] % len(table["sides"])] > 0


def _scored(table, moves):
    return table["last_hand"] is not None and table["last_hand"]["outcome"] != "passed"


HAND, CONTRACT, RESULT = ("#hand .card",), ("#contract",), ("#mine .result table",)

NOTES = (
    Note(
        "cards",
        HAND,
        lazily(
            "You first get five cards and bid on these; three more follow. You play with the partner opposite, against "
            "the two beside you."
        ),
        _bidding,
    ),
    Note(
        "bid",
        ("#bid-box",),
        lazily(
            "A bid names trumps, the suit that beats the others. Bid a suit in which you hold the jack, or the nine and"
            " an ace. If you have none, pass."
        ),
        _bidding,
    ),
    Note(
        "promise",
        ("#bid-box",),
        lazily(
            "The highest bid stands, and is a promise: that side must take more points than the other, or the other "
            "scores everything."
        ),
        _bidding,
    ),
    Note(
        "contract",
        CONTRACT,
        lazily("The bidding is over. Here you see what is trumps and who bid it."),
        _playing,
    ),
    Note(
        "order",
        HAND,
        lazily(
            "Trumps rank jack, nine, ace, ten, king, queen, eight, seven; the jack counts 20 and the nine 14. In other "
            "suits the ace is highest, then the ten."
        ),
        lambda table, moves: _playing(table, moves) and bool(_trump(table)),
    ),
    Note(
        "declare",
        ("#offers .offer", "#hand .card"),
        lazily(
            "You hold a declaration: cards that are worth extra points together. It is ticked, so it is announced with "
            "your first card. Later it would not count."
        ),
        lambda table, moves: any(move["type"] == "declare" for move in moves),
    ),
    Note(
        "lead",
        HAND,
        lazily(
            "You lead: play any card. An ace often takes the trick, unless somebody has none of its suit and trumps it."
        ),
        lambda table, moves: _playing(table, moves) and not _led(table),
    ),
    Note(
        "follow",
        HAND,
        lazily(
            "You hold the suit that was led, so you must play it. The raised cards are the ones you may choose from."
        ),
        lambda table, moves: _follows(table, moves) and _is_restricted(table, moves) and _led(table) != _trump(table),
    ),
    Note(
        "higher",
        HAND,
        lazily(
            "Trumps were led. You must follow with a trump, and with one that is higher than all before it if you can."
        ),
        lambda table, moves: _follows(table, moves) and _led(table) == _trump(table),
    ),
    Note(
        "trump",
        HAND,
        lazily(
            "You have none of the suit that was led, so you must trump: a trump beats every card of the other suits."
        ),
        _must_trump,
    ),
    Note(
        "belot",
        HAND,
        lazily("King and queen of trumps in one hand are belot, worth 20 points. Play one of them to announce it."),
        lambda table, moves: any("belot" in move for move in moves),
    ),
    Note(
        "taken",
        CONTRACT,
        lazily("Your side has taken a trick. The points of its cards count for you and your partner together."),
        _side_has_taken,
    ),
    Note(
        "last",
        HAND,
        lazily("The last trick is worth 10 points by itself."),
        lambda table, moves: _playing(table, moves) and len(table["hand"]) == 1,
    ),
    Note(
        "points",
        RESULT,
        lazily(
            "The points of both sides are compared, and then divided by ten for the sheet: 81 points become about 8."
        ),
        _scored,
    ),
    Note(
        "end",
        ("#guide-play",),
        lazily(
            "That was one deal. A match goes on until a side has enough points: 51 in a short match, 151 in a full one."
        ),
        _scored,
    ),
)

GUIDE = Guide(
    seats=4,
    seed="7de43aa6b16fcce1a8a8f59566954d42d6865bc83ae30f8fdcc341a26610c71a",
    notes=NOTES,
)
