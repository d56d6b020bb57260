"""What Oh Hell has for newcomers: its words, what players say, and a first hand of six cards with notes."""

from games.kit.guide import LEAD, TRICK, TRUMP, Guide, Note, Phrase, Word
from games.kit.language import lazily, lazily_in

GLOSSARY = (
    TRUMP,
    TRICK,
    LEAD,
    Word(
        "dealer",
        lazily_in("role", "Dealer"),
        lazily("Whoever dealt this hand. The dealer bids last, and may not make the bids come out even."),
        "deal",
    ),
    Word(
        "over",
        lazily_in("the bids", "Over"),
        lazily("More tricks were bid than there are: somebody will be left short, so players fight for tricks."),
    ),
    Word(
        "under",
        lazily_in("the bids", "Under"),
        lazily("Fewer tricks were bid than there are: somebody will get one that they didn’t want."),
    ),
    Word(
        "hook",
        lazily("Hook"),
        lazily(
            "The one number that the dealer may not bid, because all the bids would add up to the number of tricks."
        ),
    ),
)


PHRASES = (
    Phrase("oh-hell", lazily("Oh hell!")),
    Phrase("so-close", lazily("So close!")),
    Phrase("just-so", lazily("Just as bid!")),
)


def _bidding(table, moves):
    return table["phase"] == "bid" and bool(moves)


def _playing(table, moves):
    return table["phase"] == "play" and bool(moves)


def _led(table):
    """The suit that was led to the trick in progress, or ""."""
    plays = table["trick"]["plays"]
    return plays[0]["card"][1] if plays else ""


def _follows(table, moves):
    return _playing(table, moves) and any(card[1] == _led(table) for card in table["hand"])


def _is_void(table, moves):
    return _playing(table, moves) and _led(table) != "" and not _follows(table, moves)


def _leads(table, moves):
    return _playing(table, moves) and not _led(table)


def _has_taken(table, moves):
    return _playing(table, moves) and table["taken"][table["seat"]] > 0


def _has_enough(table, moves):
    seat = table["seat"]
    return _playing(table, moves) and len(moves) > 1 and table["taken"][seat] == table["bids"][seat]


def _scored(table, moves):
    return table["last_hand"] is not None


def _made(table, moves):
    last, seat = table["last_hand"], table["seat"]
    return last is not None and last["bids"][seat] == last["taken"][seat]


def _missed(table, moves):
    return _scored(table, moves) and not _made(table, moves)


SEAT, TRICK = ("#seat-{seat}",), ("#felt .slot.lead", "#caption")

NOTES = (
    Note(
        "cards",
        ("#hand .card",),
        lazily(
            "These cards are yours; nobody else sees them. In each trick everybody plays one card, and the best card "
            "takes it."
        ),
        _bidding,
    ),
    Note(
        "trump",
        ("#contract",),
        lazily(
            "The card turned up makes its suit trumps: any trump beats any card of another suit. Within a suit, aces "
            "are high and twos are low."
        ),
        _bidding,
    ),
    Note(
        "bid",
        ("#bid-box",),
        lazily(
            "Say how many tricks you will take. You want exactly that many, no more and no fewer. Count on aces, kings "
            "and high trumps."
        ),
        _bidding,
    ),
    Note(
        "tally",
        SEAT,
        lazily("Your bid stands here, and beside it the tricks you have taken so far. Everybody sees it."),
        _playing,
    ),
    Note(
        "trick",
        TRICK,
        lazily("This card was led. The highest card of its suit takes the trick, unless somebody plays a trump."),
        lambda table, moves: _playing(table, moves) and _led(table) != "",
    ),
    Note(
        "follow",
        ("#hand .card",),
        lazily(
            "You hold the suit that was led, so you must play it. The raised cards are the ones you may choose from."
        ),
        lambda table, moves: _follows(table, moves) and len(moves) < len(table["hand"]),
    ),
    Note(
        "void",
        ("#hand .card",),
        lazily(
            "You have none of the suit that was led, so you may play anything: a trump to take the trick, or a card you"
            " would rather lose."
        ),
        _is_void,
    ),
    Note(
        "lead",
        ("#hand .card",),
        lazily(
            "You lead, so you may play any card, and the others must follow its suit if they can. High cards take "
            "tricks, low ones lose them."
        ),
        _leads,
    ),
    Note("taken", SEAT, lazily("You have taken a trick. Whoever takes a trick leads to the next one."), _has_taken),
    Note(
        "enough",
        ("#hand .card",),
        lazily(
            "You have just what you bid. From now on, try to lose: play low cards while somebody else plays higher "
            "ones."
        ),
        _has_enough,
    ),
    Note(
        "made",
        ("#mine .result table",),
        lazily("You took exactly what you bid: 10 points, and 1 more for each trick."),
        _made,
    ),
    Note(
        "missed",
        ("#mine .result table",),
        lazily(
            "You didn’t take exactly what you bid, so you score only 1 point for each trick. A bid that is made scores "
            "10 more."
        ),
        _missed,
    ),
    Note(
        "end",
        ("#guide-play",),
        lazily(
            "That is the whole game. In a match the number of cards changes from hand to hand, and the most points win."
        ),
        _scored,
    ),
)

GUIDE = Guide(
    seats=4,
    seed="fa265657079c9e80a06eae528ca311b7c264d5fc18ae29cc2115d5f702615780",
    notes=NOTES,
)
