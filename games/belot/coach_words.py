"""What the coach of Belot says, in whole sentences."""

from games.belot.table.terms import CONTRACT_WORDS, KINDS
from games.kit.words import CARD_NAMES, RANK_WORDS, SUIT_WORDS, counted, joined, number_word, said

UNIT = "Match points"
MEANING = (
    "For a card: by how many match points the side is expected to come out ahead in this deal, plus a little for "
    "every point. For a call: how many more match points it promises than a pass on the same cards, less a margin for "
    "the risk."
)
JUDGED = "A move is worth as many match points as its side comes out ahead in the deal, plus a little for every point."


def advice(move):
    """What to do."""
    match move:
        case {"type": "play", "card": card, "belot": True}:
            return said("Play the {card} and announce belot.", card=CARD_NAMES[card])
        case {"type": "play", "card": card}:
            return said("Play the {card}.", card=CARD_NAMES[card])
        case {"type": "declare", "kind": kind}:
            return said("Declare the {kind}.", kind=KINDS[kind].lower())
        case {"type": "bid", "contract": contract}:
            return said("Bid {contract}.", contract=CONTRACT_WORDS[contract])
    return f"{CALLS[move['type']][0]}."


CALLS = {  # to somebody who makes it, and within a sentence
    "pass": ("Pass", "a pass"),
    "double": ("Double", "a double"),
    "redouble": ("Redouble", "a redouble"),
    "surcontre": ("Double a third time", "a third double"),
}


def name(move):
    """A move within a sentence."""
    match move:
        case {"type": "play", "card": card, "belot": True}:
            return said("the {card} with belot", card=CARD_NAMES[card])
        case {"type": "play", "card": card}:
            return said("the {card}", card=CARD_NAMES[card])
        case {"type": "declare", "kind": kind}:
            return said("declaring the {kind}", kind=KINDS[kind].lower())
        case {"type": "bid", "contract": contract}:
            return said("a bid of {contract}", contract=CONTRACT_WORDS[contract])
    return CALLS[move["type"]][1]


def lead_of(number, is_behind):
    return said("a loss of {number} match points" if is_behind else "a lead of {number} match points", number=number)


def match_points(number):
    return said("1 match point" if number == "1.0" else "{number} match points", number=number)


# What speaks for a call


def holds_trumps(suit, number, ranks):
    """ranks: of the jack, the nine and the ace those that are held."""
    places = {"suit": SUIT_WORDS[suit], "count": number_word(number)}
    if not ranks:
        return said("You hold {count} {suit}.", **places)
    told = joined([said("the {rank}", rank=RANK_WORDS[rank]) for rank in ranks])
    return said("You hold {count} {suit} with {ranks}.", ranks=told, **places)


def holds(number, rank):
    """rank: "A" or "J"."""
    one, many = "You hold {count} {rank}.", "You hold {count} {rank}s."
    return counted(number, one, many, count=number_word(number), rank=RANK_WORDS[rank])


def promise(gain, other):
    return said("It promises {gain} match points more than {other}.", gain=gain, other=other)


# What speaks for a card

DECLARE = "Declaring costs nothing, and it counts unless somebody declares higher."
UNBEATEN = "No card that is still out in its suit beats it."
TRUMPED = "Only a trump can beat it."


def still_out(higher):
    """higher: the cards that are out and beat one of their suit, best first."""
    suit = SUIT_WORDS[higher[0][1]]
    if len(higher) > 3:
        return said(
            "{number} {suit} that beat it are still out.", number=number_word(len(higher)).capitalize(), suit=suit
        )
    ranks = joined([said("the {rank}", rank=RANK_WORDS[card[0]]) for card in higher])
    one, many = "{ranks} of {suit} is still out.", "{ranks} of {suit} are still out."
    sentence = counted(len(higher), one, many, ranks=ranks, suit=suit)
    return sentence[0].upper() + sentence[1:]


def takes(points):
    """points: of all cards of the trick, which nobody plays to any more."""
    return counted(points, "It takes this trick of 1 point.", "It takes this trick of {number} points.")


def for_partner(points):
    """points: of the card."""
    if not points:
        return "Your partner has this trick so far, and it adds nothing."
    one = "Your partner has this trick so far, and it adds 1 point."
    return counted(points, one, "Your partner has this trick so far, and it adds {number} points.")


def for_others(points):
    """points: of the card."""
    if not points:
        return "It can’t take this trick, and gives nothing away."
    one = "It can’t take this trick, and gives 1 point away."
    return counted(points, one, "It can’t take this trick, and gives {number} points away.")


# What a bot knew


def knew_of_call(cards):
    return said("It knew its own {number} cards and the calls before its own.", number=cards)


def knew(cards, worlds):
    """worlds: ways in which the unseen cards were dealt; 0 for none."""
    if not worlds:
        return "It knew its own cards, the calls, what was declared and every card played."
    return said(
        "It knew its own {number} cards, the calls, what was declared and every card played. It dealt the cards that "
        "it could not see in {worlds} ways that fit all that.",
        number=cards,
        worlds=worlds,
    )
