"""What happens in Bids, in whole sentences."""

from games.bids.rules.pack import DOUBLE, LOWEST, SURPRISE
from games.bids.table.terms import does, points_words
from games.kit.words import CARD_NAMES, match_over, plural, signed


def move_words(move, name, seats):
    if move["type"] == "deal":
        return "The cards are dealt" if len(move["deck"]) == 10 * seats else "The black cards are put aside"
    return f"{name} {does(move['card'])}"


# Events


def _dealt(event, names):
    yield f"Round {event['round']} is dealt, ten cards each. {names[event['leader']]} leads."


def _turned(event, names):
    card = event["card"]
    if card == SURPRISE:
        yield f"Trick {event['trick']}: the Surprise card, with another face down under it."
    elif card == LOWEST:
        yield f"Trick {event['trick']}: the Lowest card, worth nothing."
    elif card == DOUBLE:
        yield f"Trick {event['trick']}: the black 2×, which doubles its winner's points of this round."
    else:
        yield f"Trick {event['trick']}: the {CARD_NAMES[card]} is in the centre."


def _lowest(event, names):
    yield "From now on the lowest number wins."


def _played(event, names):
    yield f"{names[event['seat']]} {does(event['card'])}."


def _revealed(event, names):
    yield f"Under the Surprise card lay the {CARD_NAMES[event['card']]}."


def _trick_won(event, names):
    black = plural(len(event["black"]), "black card")
    yield f"{names[event['seat']]} wins {black}, {points_words(event['points'])}."


def _trick_burnt(event, names):
    why = "The card in the centre is best" if event["by_centre"] else "A tie for the best bid"
    yield f"{why}: nobody wins this trick of {points_words(event['points'])}. {names[event['leads']]} leads."


def _doubled(event, names):
    yield f"{names[event['seat']]} doubles {signed(event['before'])} to {signed(event['after'])}."


def _allied(event, names):
    yield f"{names[event['seat']]} and {names[event['partner']]} are allied: they will share this round's points."


def _lucky_loser(event, names):
    name, nulls = names[event["seat"]], event["null_rounds"]
    yield f"No black card for {name}, null round {nulls}: {points_words(event['points'])} for the Lucky Loser."


def _shared(event, names):
    pair = f"{names[event['seat']]} and {names[event['partner']]}"
    yield f"{pair} share: {points_words(event['each'])} each."


def _round_scored(event, names):
    points = ", ".join(f"{name} {signed(total)}" for name, total in zip(names, event["total"], strict=True))
    yield f"Round {event['round']}: {points}."


SENTENCES = {
    "dealt": _dealt,
    "centre": _turned,
    "lowest": _lowest,
    "played": _played,
    "revealed": _revealed,
    "trick_won": _trick_won,
    "trick_burnt": _trick_burnt,
    "doubled": _doubled,
    "allied": _allied,
    "lucky_loser": _lucky_loser,
    "shared": _shared,
    "round_scored": _round_scored,
    "match_over": match_over,
}
