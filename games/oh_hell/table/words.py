"""The sentences and labels of a table of Oh Hell."""

from games.kit.language import lazy, lazy_all, say, say_count, say_in
from games.kit.words import (
    SUIT_TITLES,
    SUIT_WORDS,
    THE_CARDS,
    card_played,
    join_words,
    match_over,
    number_title,
    plays,
    sentence_of,
    trick_won,
    with_sign,
)


def deed(move, seat, names):
    if move["type"] == "deal":
        return say("The cards are dealt")
    if move["type"] == "bid":
        return names.say_of(seat, "You bid {tricks}", "{name} bids {tricks}", tricks=move["tricks"])
    return plays(move["card"], seat, names)


# Events


def _hand_dealt(event, names):
    yield say_count(event["cards"], "Hand {hand}, 1 card.", "Hand {hand}, {number} cards.", hand=event["hand"])
    yield names.say_of(event["dealer"], "You deal.", "{name} deals.")
    turned, trump = THE_CARDS[event["turned"]], SUIT_WORDS[event["trump"]]
    yield say("The {turned} is turned up: {trump} are trumps.", turned=turned, trump=trump)


def _bid(event, names):
    yield sentence_of(deed(event, event["seat"], names))


def _bidding_closed(event, names):
    yield say("Bids: {bids}.", bids=_by_seat(event["bids"], names))
    off = event["over_under"]
    yield say("Over by {tricks}." if off > 0 else "Under by {tricks}.", tricks=abs(off))


def _hand_scored(event, names):
    points, made, missed = event["points"], {}, {}
    for seat, (bid, has) in enumerate(zip(event["bids"], event["taken"], strict=True)):
        (made if bid == has else missed)[seat] = points[seat]
    if made:
        yield say("Made: {points}.", points=_points_by_seat(made, names))
    if missed:
        yield say("Missed: {points}.", points=_points_by_seat(missed, names))
    yield say("Totals: {totals}.", totals=_by_seat(event["totals"], names))


def _by_seat(figures, names):
    """Return "Ana 3, you −2". figures: by seat."""
    return ", ".join(f"{names.of(seat)} {with_sign(figure)}" for seat, figure in enumerate(figures))


def _points_by_seat(points, names):
    """Return "Ana 3 points, you 1 point". points: by seat, a dict."""
    return ", ".join(
        say_count(
            abs(each), "{name} {points} point", "{name} {points} points", name=names.of(seat), points=with_sign(each)
        )
        for seat, each in points.items()
    )


SENTENCES = {
    "hand_dealt": _hand_dealt,
    "bid": _bid,
    "bidding_closed": _bidding_closed,
    "card_played": card_played,
    "trick_won": trick_won,
    "hand_scored": _hand_scored,
    "match_over": match_over,
}


# What a seat does next


def waiting(phase, actor, names):
    sentence = "Waiting for {name} to bid." if phase == "bid" else "Waiting for {name} to play."
    return names.with_watching_note(say(sentence, name=names[actor]))


def your_bid(hook):
    """Return what the seat to bid does. hook: the forbidden bid, or None."""
    if hook is None:
        return say("Your bid: how many tricks will you take?")
    return say("Your bid: anything but {tricks}, or the bids would be even.", tricks=hook)


def your_lead(won):
    """Return what the leader does. won: whether the seat has just taken a trick."""
    return say("You took the trick. Lead any card." if won else "Your turn. Lead any card.")


def your_card(suit, has):
    """Return what the seat to play does. suit: the suit led. has: whether the seat has cards of it."""
    if has:
        return say("Your turn. {suit} were led: follow suit.", suit=SUIT_TITLES[suit])
    return say("Your turn. You have no {suit}: play any card.", suit=SUIT_WORDS[suit])


def dealing(dealer, names):
    return names.say_of(dealer, "You are dealing.", "{name} is dealing.")


def hand_over(hand, names):
    """Return the result of a hand in a sentence. hand: "last_hand" of a view."""
    seat, number = names.viewer, hand["hand"]
    if seat is None:
        made = [name for name, bid, has in zip(names, hand["bids"], hand["taken"], strict=True) if bid == has]
        if not made:
            return say("Nobody made their bid in hand {hand}.", hand=number)
        one, many = "Only {names} made the bid in hand {hand}.", "{names} made their bids in hand {hand}."
        return say_count(len(made), one, many, names=join_words(made), hand=number)
    bid, has = hand["bids"][seat], hand["taken"][seat]
    places = {"bid": bid, "tricks": has, "points": with_sign(hand["points"][seat])}
    one, many = "You bid {bid}, took {tricks}: {points} point.", "You bid {bid}, took {tricks}: {points} points."
    if bid == has:
        one, many = "You bid {bid} and made it: {points} point.", "You bid {bid} and made it: {points} points."
    return say_count(abs(hand["points"][seat]), one, many, **places)


# The bid box


def bids_so_far(tricks, bid):
    """Return the heading of the bid box. bid: the sum of the bids, or None before the first."""
    if bid is None:
        return say_count(tricks, "1 trick, no bid yet", "{number} tricks, no bid yet")
    return say_count(tricks, "1 trick, {bid} bid so far", "{number} tricks, {bid} bid so far", bid=bid)


def bid_of(name, tricks):
    return say("{name} {tricks}", name=name, tricks=tricks)


def waits_to_bid(before, last):
    """Return how long the seat waits. before: the number of bids up to its own. last: whether it bids last."""
    if before == 1:
        return say("You bid next, and last." if last else "You bid next.")
    one, many = "{players} player bids before you.", "{players} players bid before you."
    if last:
        one = "{players} player bids before you. You bid last."
        many = "{players} players bid before you. You bid last."
    return say_count(before, one, many, players=number_title(before))


def has_bid(tricks):
    return say("You bid {tricks}.", tricks=tricks)


def closed(hook):
    return say("{tricks} is closed: the bids would be even.", tricks=hook)


def off_by(off):
    """Return the label below a bid: how far all bids would be over or under the number of tricks."""
    if off == 0:
        return say_in("the bids", "even")
    return say("over {tricks}" if off > 0 else "under {tricks}", tricks=abs(off))


# What everybody sees


def hand_of(number, hands):
    return say("Hand {number} of {hands}", number=number, hands=hands)


def cards_each(cards):
    return say_count(cards, "1 card each", "{number} cards each")


def bid_in_all(tricks, bid, closed):
    """Return the sum of the bids in full and in short. closed: whether the bidding is over."""
    if closed:
        return (
            say_count(tricks, "{bid} bid for 1 trick:", "{bid} bid for {number} tricks:", bid=bid),
            say("{bid} bid for {tricks}:", bid=bid, tricks=tricks),
        )
    return (
        say_count(tricks, "So far {bid} bid for 1 trick", "So far {bid} bid for {number} tricks", bid=bid),
        say("So far {bid} bid for {tricks}", bid=bid, tricks=tricks),
    )


def over_or_under(off):
    """off: the sum of the bids minus the number of tricks."""
    return say("over by {tricks}" if off > 0 else "under by {tricks}", tricks=abs(off))


TO_BID = lazy("to bid")


def bid_label(bid):
    return say("bid {bid}", bid=bid)


def tally(bid, has):
    return say("bid {bid}, has {tricks}", bid=bid, tricks=has)


def scored(bid, has, points):
    return say("{tricks} of {bid}: {points}", bid=bid, tricks=has, points=with_sign(points, plus=True))


# The sheet


SEQUENCES = {
    "long": lazy("long sequence"),
    "long-inverted": lazy("long sequence, inverted"),
    "short-up-and-down": lazy("short sequence, down and up"),
    "short-up": lazy("short sequence, up"),
    "short-down": lazy("short sequence, down"),
}
SCORINGS = lazy_all({"positive": "positive scoring", "neutral": "neutral scoring", "negative": "negative scoring"})


def missed(has):
    return say("missed, took {tricks}", tricks=has)


def made():
    return say_in("the bid", "made")


def has_so_far(has):
    return say("has {tricks}", tricks=has)


def points_in_hand(points):
    return say("{points} in this hand", points=with_sign(points, plus=True))
