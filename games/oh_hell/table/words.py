"""What happens in Oh Hell, in whole sentences."""

from games.kit.words import CARD_NAMES, SUIT_WORDS, card_played, counted, match_over, said, signed, trick_won


def move_words(move, name):
    if move["type"] == "deal":
        return "The cards are dealt"
    if move["type"] == "bid":
        return said("{name} bids {tricks}", name=name, tricks=move["tricks"])
    return said("{name} plays the {card}", name=name, card=CARD_NAMES[move["card"]])


# Events


def _hand_dealt(event, names):
    yield counted(event["cards"], "Hand {hand}, 1 card.", "Hand {hand}, {number} cards.", hand=event["hand"])
    yield names.said_of(event["dealer"], "You deal.", "{name} deals.")
    turned, trump = CARD_NAMES[event["turned"]], SUIT_WORDS[event["trump"]]
    yield said("The {turned} is turned up: {trump} are trumps.", turned=turned, trump=trump)


def _bid(event, names):
    yield names.said_of(event["seat"], "You bid {tricks}.", "{name} bids {tricks}.", tricks=event["tricks"])


def _bidding_closed(event, names):
    yield said("Bids: {bids}.", bids=_by_seat(event["bids"], names))
    off = event["over_under"]
    yield said("Over by {tricks}." if off > 0 else "Under by {tricks}.", tricks=abs(off))


def _hand_scored(event, names):
    points, made, missed = event["points"], {}, {}
    for seat, (bid, has) in enumerate(zip(event["bids"], event["taken"], strict=True)):
        (made if bid == has else missed)[seat] = points[seat]
    if made:
        yield said("Made: {points}.", points=_points_by_seat(made, names))
    if missed:
        yield said("Missed: {points}.", points=_points_by_seat(missed, names))
    yield said("Totals: {totals}.", totals=_by_seat(event["totals"], names))


def _by_seat(figures, names):
    """ "Ana 3, you −2". figures: by seat."""
    return ", ".join(f"{names.of(seat)} {signed(figure)}" for seat, figure in enumerate(figures))


def _points_by_seat(points, names):
    """ "Ana 3 points, you 1 point". points: by seat, a dict."""
    return ", ".join(
        counted(abs(each), "{name} {points} point", "{name} {points} points", name=names.of(seat), points=signed(each))
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
