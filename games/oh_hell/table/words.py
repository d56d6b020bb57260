"""The sentences and labels of a table of Oh Hell."""

from collections.abc import Iterator, Mapping, Sequence

from games.kit.contract import Event, Move, Seat
from games.kit.drawing import Sentences
from games.kit.language import lazy, lazy_all, say, say_count, say_in
from games.kit.words import (
    SUIT_TITLES,
    SUIT_WORDS,
    THE_CARDS,
    Names,
    card_played,
    join_words,
    match_over,
    number_title,
    plays,
    sentence_of,
    trick_won,
    with_sign,
)
from games.oh_hell.types import BiddingClosed, BidMade, HandDealt, HandScored, LastHand


def describe_move(move: Move | Event, seat: Seat | None, names: Names) -> str:
    if move["type"] == "deal" or seat is None:
        return say("The cards are dealt")
    if move["type"] == "bid":
        return names.say_of(seat, "You bid {tricks}", "{name} bids {tricks}", tricks=move["tricks"])
    return plays(move["card"], seat, names)


# Events


def _hand_dealt(event: HandDealt, names: Names) -> Iterator[str]:
    yield say_count(event["cards"], "Hand {hand}, 1 card.", "Hand {hand}, {number} cards.", hand=event["hand"])
    yield names.say_of(event["dealer"], "You deal.", "{name} deals.")
    turned, trump = THE_CARDS[event["turned"]], SUIT_WORDS[event["trump"]]
    yield say("The {turned} is turned up: {trump} are trumps.", turned=turned, trump=trump)


def _bid(event: BidMade, names: Names) -> Iterator[str]:
    yield sentence_of(describe_move(event, event["seat"], names))


def _bidding_closed(event: BiddingClosed, names: Names) -> Iterator[str]:
    yield say("Bids: {bids}.", bids=_by_seat(event["bids"], names))
    off = event["over_under"]
    yield say("Over by {tricks}." if off > 0 else "Under by {tricks}.", tricks=abs(off))


def _hand_scored(event: HandScored, names: Names) -> Iterator[str]:
    successes: dict[Seat, int] = {}
    failures: dict[Seat, int] = {}
    results = zip(event["bids"], event["taken"], event["points"], strict=True)
    for seat, (bid, tricks, points) in enumerate(results):
        (successes if bid == tricks else failures)[seat] = points
    if successes:
        yield say("Made: {points}.", points=_points_by_seat(successes, names))
    if failures:
        yield say("Missed: {points}.", points=_points_by_seat(failures, names))
    yield say("Totals: {totals}.", totals=_by_seat(event["totals"], names))


def _by_seat(figures: Sequence[int], names: Names) -> str:
    """Return "Ana 3, you −2". figures: by seat."""
    return ", ".join(f"{names.of(seat)} {with_sign(figure)}" for seat, figure in enumerate(figures))


def _points_by_seat(points: Mapping[Seat, int], names: Names) -> str:
    """Return the points of some players as text: "Ana 3 points, you 1 point". points: by seat."""
    one, many = "{name} {points} point", "{name} {points} points"
    return ", ".join(
        say_count(abs(number), one, many, name=names.of(seat), points=with_sign(number))
        for seat, number in points.items()
    )


SENTENCES: Sentences = {
    "hand_dealt": _hand_dealt,
    "bid": _bid,
    "bidding_closed": _bidding_closed,
    "card_played": card_played,
    "trick_won": trick_won,
    "hand_scored": _hand_scored,
    "match_over": match_over,
}


# The next step of a seat


def waiting(phase: str, actor: Seat, names: Names) -> str:
    name = names[actor]
    if phase == "bid":
        return names.with_watching_note(say_in("how many tricks", "Waiting for {name} to bid.", name=name))
    return names.with_watching_note(say("Waiting for {name} to play.", name=name))


def your_bid(hook: int | None) -> str:
    """Return the prompt for a bid. hook: the bid that is forbidden to the dealer, or None.

    It is the one that would make the sum of all bids equal to the number of tricks.
    """
    if hook is None:
        return say("Your bid: how many tricks will you take?")
    return say("Your bid: anything but {tricks}, or the bids would be even.", tricks=hook)


def claim_note(bid: int, taken: int, left: int) -> str:
    """Return the sentence on what a claim of all remaining tricks, or of none, means for the bid."""
    return say(
        "Your bid is {bid}. All the rest makes {most}, none of it {taken}.", bid=bid, most=taken + left, taken=taken
    )


def your_lead(won: bool) -> str:
    """Return the prompt for a lead. won: whether the seat has just taken a trick."""
    return say("You took the trick. Lead any card." if won else "Your turn. Lead any card.")


def your_card(suit: str, has_suit: bool) -> str:
    """Return the prompt to play a card after another player's lead. has_suit: whether the seat can follow suit.

    suit: the letter of the suit led.
    """
    if has_suit:
        return say("Your turn. {suit} were led: follow suit.", suit=SUIT_TITLES[suit])
    return say("Your turn. You have no {suit}: play any card.", suit=SUIT_WORDS[suit])


def dealing(dealer: Seat, names: Names) -> str:
    return names.say_of(dealer, "You are dealing.", "{name} is dealing.")


def hand_over(hand: LastHand, names: Names) -> str:
    """Return the result of a hand in a sentence: the reader's own, or for spectators the players who made their bids.

    A bid is made by taking exactly that number of tricks. hand: its result, with lists by seat. names: with the
    reader's seat as `viewer`, which is None for spectators.
    """
    seat, number = names.viewer, hand["hand"]
    if seat is None:
        results = zip(names, hand["bids"], hand["taken"], strict=True)
        winners = [name for name, bid, tricks in results if bid == tricks]
        if not winners:
            return say("Nobody made their bid in hand {hand}.", hand=number)
        one, many = "Only {names} made the bid in hand {hand}.", "{names} made their bids in hand {hand}."
        return say_count(len(winners), one, many, names=join_words(winners), hand=number)
    bid, tricks, points = hand["bids"][seat], hand["taken"][seat], hand["points"][seat]
    one, many = "You bid {bid}, took {tricks}: {points} point.", "You bid {bid}, took {tricks}: {points} points."
    if bid == tricks:
        one, many = "You bid {bid} and made it: {points} point.", "You bid {bid} and made it: {points} points."
    return say_count(abs(points), one, many, bid=bid, tricks=tricks, points=with_sign(points))


# The bid box


def bids_so_far(tricks: int, bid: int | None) -> str:
    """Return the heading of the bid box: the number of tricks in the hand, and how many were bid so far.

    bid: the sum of the bids, or None before the first.
    """
    if bid is None:
        return say_count(tricks, "1 trick, no bid yet", "{number} tricks, no bid yet")
    return say_count(tricks, "1 trick, {bid} bid so far", "{number} tricks, {bid} bid so far", bid=bid)


def bid_of(name: str, tricks: int) -> str:
    return say("{name} {tricks}", name=name, tricks=tricks)


def waits_to_bid(before: int, last: bool) -> str:
    """Return a text that says when a seat will bid.

    before: the number of players that have to bid before it. last: whether it bids last.
    """
    if before == 1:  # This player is bidding now.
        return say("You bid next, and last." if last else "You bid next.")
    one, many = "{players} player bids before you.", "{players} players bid before you."
    if last:
        one = "{players} player bids before you. You bid last."
        many = "{players} players bid before you. You bid last."
    return say_count(before, one, many, players=number_title(before))


def has_bid(tricks: int) -> str:
    return say("You bid {tricks}.", tricks=tricks)


def closed(hook: int) -> str:
    return say("{tricks} is closed: the bids would be even.", tricks=hook)


def off_by(off: int) -> str:
    """Return the label below the button of a bid: by how much the sum of all bids would be over or under the tricks.

    off: the sum of the bids with this one, minus the number of tricks.
    """
    if off == 0:
        return say_in("the bids", "even")
    return say("over {tricks}" if off > 0 else "under {tricks}", tricks=abs(off))


# The part that everybody sees


def hand_of(number: int, hands: int) -> str:
    return say("Hand {number} of {hands}", number=number, hands=hands)


def cards_each(cards: int) -> str:
    return say_count(cards, "1 card each", "{number} cards each")


def bid_in_all(tricks: int, bid: int, closed: bool) -> tuple[str, str]:
    """Return a text about the sum of all bids, in full and in short. bid: this sum. closed: whether all have bid.

    tricks: the number of tricks in the hand.
    """
    if closed:
        return (
            say_count(tricks, "{bid} bid for 1 trick:", "{bid} bid for {number} tricks:", bid=bid),
            say("{bid} bid for {tricks}:", bid=bid, tricks=tricks),
        )
    return (
        say_count(tricks, "So far {bid} bid for 1 trick", "So far {bid} bid for {number} tricks", bid=bid),
        say("So far {bid} bid for {tricks}", bid=bid, tricks=tricks),
    )


def over_or_under(off: int) -> str:
    """off: the sum of the bids minus the number of tricks."""
    return say("over by {tricks}" if off > 0 else "under by {tricks}", tricks=abs(off))


TO_BID = lazy("to bid")


def bid_label(bid: int) -> str:
    return say("bid {bid}", bid=bid)


def tally(bid: int, tricks: int) -> str:
    return say("bid {bid}, has {tricks}", bid=bid, tricks=tricks)


def scored(bid: int, tricks: int, points: int) -> str:
    return say("{tricks} of {bid}: {points}", bid=bid, tricks=tricks, points=with_sign(points, plus=True))


# The sheet


SEQUENCES = {
    "long": lazy("long sequence"),
    "long-inverted": lazy("long sequence, inverted"),
    "short-up-and-down": lazy("short sequence, down and up"),
    "short-up": lazy("short sequence, up"),
    "short-down": lazy("short sequence, down"),
}
SCORINGS = lazy_all({"positive": "positive scoring", "neutral": "neutral scoring", "negative": "negative scoring"})


def missed(tricks: int) -> str:
    return say("missed, took {tricks}", tricks=tricks)


def made() -> str:
    return say_in("the bid", "made")


def has_so_far(tricks: int) -> str:
    return say("has {tricks}", tricks=tricks)


def points_in_hand(points: int) -> str:
    return say("{points} in this hand", points=with_sign(points, plus=True))
