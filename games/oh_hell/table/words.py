"""What happens in Oh Hell, in whole sentences."""

from games.kit.words import CARD_NAMES, SUIT_WORDS, card_played, match_over, plural, signed, trick_won


def move_words(move, name):
    if move["type"] == "deal":
        return "The cards are dealt"
    if move["type"] == "bid":
        return f"{name} bids {move['tricks']}"
    return f"{name} plays the {CARD_NAMES[move['card']]}"


# Events


def _hand_dealt(event, names):
    yield (
        f"Hand {event['hand']}, {plural(event['cards'], 'card')}. {names[event['dealer']]} deals, "
        f"the {CARD_NAMES[event['turned']]} is turned: {SUIT_WORDS[event['trump']]} are trumps."
    )


def _bid(event, names):
    yield f"{names[event['seat']]} bids {event['tricks']}."


def _bidding_closed(event, names):
    bids = ", ".join(f"{name} {bid}" for name, bid in zip(names, event["bids"], strict=True))
    off = event["over_under"]
    yield f"Bids: {bids}. {'Over' if off > 0 else 'Under'} by {abs(off)}."


def _hand_scored(event, names):
    made, missed = [], []
    for name, bid, has, points in zip(names, event["bids"], event["taken"], event["points"], strict=True):
        (made if bid == has else missed).append(f"{name} {signed(points)}")
    if made:
        yield f"Made: {', '.join(made)}."
    if missed:
        yield f"Missed: {', '.join(missed)}."
    totals = [f"{name} {signed(total)}" for name, total in zip(names, event["totals"], strict=True)]
    yield f"Totals: {', '.join(totals)}."


SENTENCES = {
    "hand_dealt": _hand_dealt,
    "bid": _bid,
    "bidding_closed": _bidding_closed,
    "card_played": card_played,
    "trick_won": trick_won,
    "hand_scored": _hand_scored,
    "match_over": match_over,
}
