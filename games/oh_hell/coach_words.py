"""What the coach of Oh Hell says, in whole sentences."""

from games.kit.words import CARD_NAMES, RANK_WORDS, SUIT_WORDS, counted, joined, said

UNIT = "Points on average"
MEANING = "The points are those of this hand."


def bid(tricks):
    return said("Bid {tricks}.", tricks=tricks)


def play(card):
    return said("Play the {card}.", card=CARD_NAMES[card])


def a_bid(tricks):
    return said("a bid of {tricks}", tricks=tricks)


def the_card(card):
    return said("the {card}", card=CARD_NAMES[card])


def points(number):
    return said("1 point" if number == "1.0" else "{number} points", number=number)


# What speaks for a move


def worth_of_hand(tricks):
    """tricks: on average, in figures."""
    one = "Your hand is worth about 1 trick on average."
    return one if tricks == "1.0" else said("Your hand is worth about {tricks} tricks on average.", tricks=tricks)


def needs(need, left):
    """need: the tricks that the bid lacks, at least one. left: the cards in hand."""
    if need == left:
        return counted(need, "You need this last trick.", "You need every trick that is left.")
    return counted(need, "You need one more trick.", "You need {number} more tricks.")


HAS_BID = "You have all the tricks that you bid: one more costs you the bid."
LOST = {
    "positive": "Your bid can’t be made any more, but every trick still counts a point.",
    "neutral": "Your bid can’t be made any more: what is left is to spoil the others’.",
    "negative": "Your bid can’t be made any more, and every trick that it is off by costs.",
}

CANT_TAKE = "It can’t take this trick."
TAKES = "It takes this trick: nobody plays after you."
UNBEATEN = "Nothing that is still out beats it."
ONLY_RUFFED = "Only a trump can beat it."


def still_out(higher):
    """higher: the cards that are out and beat one of their suit, highest first."""
    suit = SUIT_WORDS[higher[0][1]]
    ranks = joined([said("the {rank}", rank=RANK_WORDS[card[0]]) for card in higher])
    if len(higher) > 3:
        return said("{number} higher {suit} are still out.", number=len(higher), suit=suit)
    one, many = "{ranks} of {suit} is still out.", "{ranks} of {suit} are still out."
    sentence = counted(len(higher), one, many, ranks=ranks, suit=suit)
    return sentence[0].upper() + sentence[1:]


# What a bot knew


def knew_of_bid(cards, tricks, worlds):
    """worlds: ways in which the others' cards were dealt; 0 for none."""
    one = "It knew its own card, the trump and the bids before its own; it expected {tricks} tricks on average."
    many = (
        "It knew its own {number} cards, the trump and the bids before its own; it expected {tricks} tricks on average."
    )
    knew = counted(cards, one, many, tricks=tricks)
    dealt = "It dealt the other cards in {worlds} ways that fit those bids, and played each of them out."
    return f"{knew} {said(dealt, worlds=worlds)}" if worlds else knew


def knew(cards, unseen, worlds):
    """worlds: ways in which the unseen cards were dealt; 0 for none."""
    if not worlds:
        one, many = (
            "It knew its last card, the bids and every card played.",
            ("It knew its own {number} cards, the bids and every card played."),
        )
        return counted(cards, one, many)
    return counted(
        cards,
        "It knew its own card, the bids and every card played. It dealt the {unseen} cards that it could not see in "
        "{worlds} ways that fit all that.",
        "It knew its own {number} cards, the bids and every card played. It dealt the {unseen} cards that it could not "
        "see in {worlds} ways that fit all that.",
        unseen=unseen,
        worlds=worlds,
    )
