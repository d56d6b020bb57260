"""What the coach of Bids says, in whole sentences."""

from games.bids.rules.pack import ALLY
from games.bids.table.terms import points_words
from games.kit.language import counted, lazily, said, said_in
from games.kit.words import CARD_NAMES, THE_CARDS

UNIT = lazily("Lead on average")
MEANING = lazily(
    "The lead is in points of this round: how many more the player is expected to get than the others do on average, "
    "Lucky Loser points included."
)


def bid(card):
    return said("Play the Ally.") if card == ALLY else said("Bid the {card}.", card=THE_CARDS[card])


def the_card(card):
    return said_in("a move", "the {card}", card=CARD_NAMES[card])


def lead_of(number, is_behind):
    return said("a loss of {number} points" if is_behind else "a lead of {number} points", number=number)


def points(number):
    return said("{number} points", number=number)


def may_take(points, percent):
    """points: that the trick would bring, a whole number or a half. percent: how often the card takes it."""
    return said(
        "The trick would bring you {points}, and this card takes it about {percent}% of the time.",
        points=points_words(points),
        percent=percent,
    )


def lets_go(points):
    """points: that the trick would bring."""
    return said("It leaves the trick, which would bring you {points}, to others.", points=points_words(points))


def knew(cards, worlds):
    """cards: in its hand. worlds: ways in which the unseen cards were dealt; 0 for none."""
    if not worlds:
        one, many = (
            "It knew its last card and every card that had been turned up or bid.",
            "It knew its own {number} cards and every card that had been turned up or bid.",
        )
        return counted(cards, one, many)
    return said(
        "It knew its own {number} cards and every card that had been turned up or bid. It dealt the others in {worlds} "
        "ways that fit all that.",
        number=cards,
        worlds=worlds,
    )
