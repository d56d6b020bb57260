"""What the coach of Belot says, in whole sentences."""

from games.belot.table.terms import CONTRACT_WORDS
from games.kit.coach import decimal, listed_still_out
from games.kit.language import counted, lazily, said, said_in
from games.kit.words import (
    SUBJECT_CARDS,
    SUIT_CARDS,
    SUIT_WORDS,
    THE_CARDS,
    THE_RANKS,
    joined,
    number_title,
    number_word,
)

UNIT = lazily("Match points")
MEANING = lazily(
    "For a card: by how many match points the side is expected to come out ahead in this deal, plus a little for "
    "every point. For a call: how many more match points it promises than a pass on the same cards, less a margin for "
    "the risk."
)
JUDGED = lazily(
    "A move is worth as many match points as its side comes out ahead in the deal, plus a little for every point."
)

THE_KIND = {
    "tierce": lazily("the tierce"),
    "quarte": lazily("the quarte"),
    "quint": lazily("the quint"),
    "square": lazily("the square"),
}
CALL = {
    "pass": lazily("Pass."),
    "double": lazily("Double."),
    "redouble": lazily("Redouble."),
    "surcontre": lazily("Double a third time."),
}
A_CALL = {
    "pass": lazily("a pass"),
    "double": lazily("a double"),
    "redouble": lazily("a redouble"),
    "surcontre": lazily("a third double"),
}


def advice(move):
    """What to do."""
    match move:
        case {"type": "play", "card": card, "belot": True}:
            return said("Play the {card} and announce belot.", card=THE_CARDS[card])
        case {"type": "play", "card": card}:
            return said("Play the {card}.", card=THE_CARDS[card])
        case {"type": "declare", "kind": kind}:
            return said("Declare {kind}.", kind=THE_KIND[kind])
        case {"type": "bid", "contract": contract}:
            return said("Bid {contract}.", contract=CONTRACT_WORDS[contract])
    return str(CALL[move["type"]])


def name(move):
    """A move within a sentence."""
    match move:
        case {"type": "play", "card": card, "belot": True}:
            return said_in("a move", "the {card} with belot", card=SUBJECT_CARDS[card])
        case {"type": "play", "card": card}:
            return said_in("a move", "the {card}", card=SUBJECT_CARDS[card])
        case {"type": "declare", "kind": kind}:
            return said("declaring {kind}", kind=THE_KIND[kind])
        case {"type": "bid", "contract": contract}:
            return said("a bid of {contract}", contract=CONTRACT_WORDS[contract])
    return str(A_CALL[move["type"]])


def lead_of(number, is_behind):
    return said("a loss of {number} match points" if is_behind else "a lead of {number} match points", number=number)


def match_points(number):
    """number: with one decimal."""
    if round(number, 1) == 1:
        return said_in("on average", "1 match point")
    return said_in("on average", "{number} match points", number=decimal(number))


# What speaks for a call


def holds_trumps(suit, number, ranks):
    """ranks: of the jack, the nine and the ace those that are held."""
    if not number:
        return said("You hold no {suit}.", suit=SUIT_WORDS[suit])
    places = {"suit": SUIT_WORDS[suit], "card": SUIT_CARDS[suit], "count": number_word(number)}
    if not ranks:
        return counted(number, "You hold {count} {card}.", "You hold {count} {suit}.", **places)
    told = joined([said_in("which you hold", "the {rank}", rank=THE_RANKS[rank]) for rank in ranks])
    if number == 1:
        return said("You hold {ranks} of {suit} alone.", ranks=told, **places)
    one, many = "You hold {count} {card} with {ranks}.", "You hold {count} {suit} with {ranks}."
    return counted(number, one, many, ranks=told, **places)


def holds(number, rank):
    """rank: "A" or "J"."""
    if not number:
        return said("You hold no aces.") if rank == "A" else said("You hold no jacks.")
    one, many = "You hold {count} ace.", "You hold {count} aces."
    if rank == "J":
        one, many = "You hold {count} jack.", "You hold {count} jacks."
    return counted(number, one, many, count=number_word(number))


def promise(gain, other):
    return said("It promises {gain} match points more than {other}.", gain=gain, other=other)


# What speaks for a card

DECLARE = lazily("Declaring costs nothing, and it counts unless somebody declares higher.")
UNBEATEN = lazily("No card that is still out in its suit beats it.")
TRUMPED = lazily("Only a trump can beat it.")
ALWAYS_DECLARES = lazily("It always declares: that costs nothing.")


def still_out(higher):
    """higher: the cards that are out and beat one of their suit, best first."""
    if len(higher) <= 3:
        return listed_still_out(higher)
    one, many = "{word} {suit} that beats it is still out.", "{word} {suit} that beat it are still out."
    return counted(len(higher), one, many, word=number_title(len(higher)), suit=SUIT_WORDS[higher[0][1]])


def takes(points):
    """points: of all cards of the trick, which nobody plays to any more."""
    return counted(points, "It takes this trick of 1 point.", "It takes this trick of {number} points.")


def for_partner(points):
    """points: of the card."""
    if not points:
        return said("Your partner has this trick so far, and it adds nothing.")
    one = "Your partner has this trick so far, and it adds 1 point."
    many = "Your partner has this trick so far, and it adds {number} points."
    return counted(points, one, many)


def for_others(points):
    """points: of the card."""
    if not points:
        return said("It can’t take this trick, and gives nothing away.")
    one = "It can’t take this trick, and gives 1 point away."
    return counted(points, one, "It can’t take this trick, and gives {number} points away.")


# What a bot knew


def knew_of_call(cards):
    one = "It knew its own card and the calls before its own."
    return counted(cards, one, "It knew its own {number} cards and the calls before its own.")


def knew(cards, worlds):
    """worlds: ways in which the unseen cards were dealt; 0 for none."""
    if not worlds:
        return said("It knew its own cards, the calls, what was declared and every card played.")
    one, many = (
        "It knew its own card, the calls, what was declared and every card played.",
        "It knew its own {number} cards, the calls, what was declared and every card played.",
    )
    way, ways = (
        "It dealt the cards that it could not see in {number} way that fits all that.",
        "It dealt the cards that it could not see in {number} ways that fit all that.",
    )
    return f"{counted(cards, one, many)} {counted(worlds, way, ways)}"
