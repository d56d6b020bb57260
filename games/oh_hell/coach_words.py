"""What the coach of Oh Hell says, in whole sentences."""

from games.kit.coach import decimal, listed_still_out
from games.kit.language import counted, lazily, said, said_in
from games.kit.words import SUBJECT_CARDS, SUIT_WORDS, THE_CARDS

UNIT = lazily("Lead on average")
MEANING = lazily(
    "The lead is in points of this hand: how many more the player is expected to get than the others do on average."
)
PROMISED_UNIT = lazily("Points on average")
PROMISED_MEANING = lazily("The points are those of this hand.")


def bid(tricks):
    return said("Bid {tricks}.", tricks=tricks)


def play(card):
    return said("Play the {card}.", card=THE_CARDS[card])


def a_bid(tricks):
    return said("a bid of {tricks}", tricks=tricks)


def the_card(card):
    return said_in("a move", "the {card}", card=SUBJECT_CARDS[card])


def lead_of(number, is_behind):
    return said("a loss of {number} points" if is_behind else "a lead of {number} points", number=number)


def points(number):
    """number: with one decimal."""
    if round(number, 1) == 1:
        return said_in("on average", "1 point")
    return said_in("on average", "{number} points", number=decimal(number))


# What speaks for a move


def worth_of_hand(tricks):
    """tricks: on average."""
    if round(tricks, 1) == 1:
        return said("Your hand is worth about 1 trick on average.")
    return said("Your hand is worth about {tricks} tricks on average.", tricks=decimal(tricks))


def needs(need, left):
    """need: the tricks that the bid lacks, at least one. left: the cards in hand."""
    if need == left:
        return counted(need, "You need this last trick.", "You need every trick that is left.")
    return counted(need, "You need one more trick.", "You need {number} more tricks.")


HAS_BID = lazily("You have all the tricks that you bid: one more costs you the bid.")
LOST = {
    "positive": lazily("Your bid can’t be made any more, but every trick still counts a point."),
    "neutral": lazily("Your bid can’t be made any more: what is left is to spoil the others’."),
    "negative": lazily("Your bid can’t be made any more, and every trick that it is off by costs."),
}

CANT_TAKE = lazily("It can’t take this trick.")
TAKES = lazily("It takes this trick: nobody plays after you.")
UNBEATEN = lazily("Nothing that is still out beats it.")
ONLY_RUFFED = lazily("Only a trump can beat it.")


def still_out(higher):
    """higher: the cards that are out and beat one of their suit, highest first."""
    if len(higher) <= 3:
        return listed_still_out(higher)
    one, many = "{number} higher {suit} is still out.", "{number} higher {suit} are still out."
    return counted(len(higher), one, many, suit=SUIT_WORDS[higher[0][1]])


# What a bot knew


def knew_of_bid(cards, tricks, worlds):
    """worlds: ways in which the others' cards were dealt; 0 for none."""
    one = "It knew its own card, the trump and the bids before its own; it expected {tricks} tricks on average."
    many = (
        "It knew its own {number} cards, the trump and the bids before its own; it expected {tricks} tricks on average."
    )
    knew = counted(cards, one, many, tricks=tricks)
    way = "It dealt the other cards in {number} way that fits those bids, and played it out."
    ways = "It dealt the other cards in {number} ways that fit those bids, and played each of them out."
    return f"{knew} {counted(worlds, way, ways)}" if worlds else knew


def knew(cards, unseen, worlds):
    """worlds: ways in which the unseen cards were dealt; 0 for none."""
    if not worlds:
        one, many = (
            "It knew its last card, the bids and every card played.",
            "It knew its own {number} cards, the bids and every card played.",
        )
        return counted(cards, one, many)
    one, many = (
        "It knew its own card, the bids and every card played.",
        "It knew its own {number} cards, the bids and every card played.",
    )
    way, ways = (
        "It dealt the {unseen} cards that it could not see in {number} way that fits all that.",
        "It dealt the {unseen} cards that it could not see in {number} ways that fit all that.",
    )
    return f"{counted(cards, one, many)} {counted(worlds, way, ways, unseen=unseen)}"
