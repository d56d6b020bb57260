"""What is said of Bleven, in words and in stones: predictions, sides, moves and events."""

from functools import cache

from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import CROWN as CROWN_STONES
from games.bleven.rules.view import BLACK
from games.kit.markup import NOTHING, heap
from games.kit.words import CARD_NAMES, joined, plural

ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}
PAID_FOR = {"points": "Points", "bet": "Bet", "side_bets": "Side bets", "round": "Round", "out": "Out"}
PAID_WORDS = {
    "points": "for the points",
    "bet": "for the bet",
    "side_bets": "for the side bets",
    "round": "for the round",
    "out": "because the others went out",
}


def side_names(seat, names):
    """The names of the side of a seat, or of a side, joined."""
    return joined(names[seat % 2 :: 2])


def side_does(seat, names, one, many):
    """ "Ana wins", "Ana and Vera win": the side of a seat and what it does."""
    return f"{side_names(seat, names)} {one if len(names) == 2 else many}"


def worth(prediction):
    """The points of a prediction of which all comes true."""
    return triangular(prediction["tricks"] + len(prediction["positions"]))


def prediction_words(prediction):
    """ "no trick", "2 tricks, with the 1st and 3rd"."""
    tricks, positions = prediction["tricks"], prediction["positions"]
    words = plural(tricks, "trick") if tricks else "no trick"
    return f"{words}, with the {joined([ORDINALS[place] for place in positions])}" if positions else words


def stone_words(number):
    return plural(number, "stone")


def stones(number, crowns=False):
    """A heap of stones, drawn: black ones of 5 and white ones of 1. crowns: each 30 of them as a crown."""
    count, rest = divmod(number, CROWN_STONES) if crowns else (0, number)
    return _heap(count, rest) if number else NOTHING


@cache
def _heap(crowns, rest):
    black, white = divmod(rest, BLACK)
    words = [plural(crowns, "crown")] if crowns else []
    words += [stone_words(rest)] if rest else []
    return heap(joined(words), ["crown-stone"] * crowns + ["black"] * black + ["white"] * white)


def outcome(last, names):
    """How a round ended, in a few words without a full stop."""
    winner = last["winner"]
    match last["result"]:
        case "void":
            return "Nobody has 15: nobody is paid"
        case "left":
            return f"{side_does(1 - winner, names, 'leaves', 'leave')} the round"
        case "out":
            return f"{side_does(1 - winner, names, 'is', 'are')} out"
        case "under15":
            return f"{side_does(1 - winner, names, 'has', 'have')} less than 15"
    return "The prediction is right" if last["right"] else "The prediction fails"


def won_places(row):
    """The numbers of the tricks that the declaring side won."""
    return [number for number, trick in enumerate(row["tricks"], 1) if trick["side"] == row["declarer"] % 2]


def won_words(places):
    """Which tricks those are: "none", "the 1st and 3rd"."""
    if not places:
        return "none"
    return f"the {joined([ORDINALS[place] for place in places])}"


# Moves and events


def said_words(move):
    """What a seat does, from the verb on, without a full stop: "bets 2 stones more"."""
    kind = move["type"]
    match kind:
        case "predict":
            return f"predicts {prediction_words(move)} and bets {stone_words(move['bet'])}"
        case "deduce" | "suspect":
            says = f"{kind}s"
            if "tricks" in move:
                prediction = {"positions": []} | move
                instead = f"{says} and predicts {prediction_words(prediction)} instead"
                return f"{instead}, for {stone_words(move['plus'])} more" if move["plus"] else instead
            return f"{says} and adds {stone_words(move['plus'])}" if "plus" in move else says
        case "side_bet":
            if "tricks" in move:
                prediction = {"tricks": move["tricks"], "positions": []}
                return f"bets {stone_words(move['bet'])} more and now predicts {prediction_words(prediction)}"
            return f"makes a side bet of {stone_words(move['bet'])}"
        case "discard":
            return f"discards the {CARD_NAMES[move['card']]}"
    return _SAID[kind]


def auction_words(said, names):
    """What was said of the prediction and its stones, in one short line: "Ana: 2 tricks for 4 · Boris suspects, +4"."""
    return " · ".join(filter(None, [_short_words(words, names[words["seat"]]) for words in said]))


def _short_words(move, name):
    """A move of the auction in a few words, or None for any other."""
    if "tricks" in move:
        prediction = prediction_words({"positions": []} | move)
        if move["type"] == "predict":
            return f"{name}: {prediction}{',' if move['positions'] else ''} for {move['bet']}"
        added = move.get("plus", move.get("bet"))
        return f"{name}: {prediction}, +{added}" if added else f"{name}: {prediction}"
    match move["type"]:
        case "deduce" | "suspect" as kind:
            return f"{name} {kind}s, +{move['plus']}" if "plus" in move else f"{name} {kind}s"
        case "side_bet":
            return f"{name} bets {move['bet']}"
        case "accept":
            return f"{name} accepts"
        case "in" | "out" as kind:
            return f"{name} is {kind}"
    return None


_SAID = {
    "draw": "draws a card",
    "stay": "stays",
    "leave": "leaves the round",
    "declare": "declares",
    "out": "goes out",
    "accept": "accepts the raise",
    "in": "is in",
    "pass": "passes",
}


def _round_dealt(event, names):
    yield f"Round {event['round']}. {names[event['dealer']]} deals, {names[event['cutter']]} begins."


def _drew(event, names):
    yield f"{names[event['seat']]} draws a card."


def _discarded(event, names):
    yield f"{names[event['seat']]} discards the {CARD_NAMES[event['card']]}."


def _said(event, names):
    yield f"{names[event['seat']]} {said_words(event['move'])}."


def _must_declare(event, names):
    yield f"Nobody has declared: {names[event['seat']]} must."


def _faced(event, names):
    cards = joined([f"the {CARD_NAMES[card]}" for card in event["cards"]])
    yield f"{names[event['seat']]} has less than 15 and lays the field open: {cards}."


def _trick_won(event, names):
    plays = joined([f"{names[play['seat']]} the {CARD_NAMES[play['card']]}" for play in event["plays"]])
    yield f"Trick {event['trick']}: {plays}. {names[event['winner']]} wins it."


def _round_scored(event, names):
    yield f"{outcome(event, names)}."
    for side in (0, 1):
        paid = [
            f"{payment['stones']} {PAID_WORDS[payment['for']]}" for payment in event["paid"] if payment["side"] == side
        ]
        if paid:
            yield f"{side_does(side, names, 'gets', 'get')} {joined(paid)}."
    totals = [f"{side_names(side, names)} {total}" for side, total in enumerate(event["totals"])]
    yield f"Stones: {', '.join(totals)}."


def _crowned(event, names):
    yield f"{side_does(event['side'], names, 'has', 'have')} {plural(event['crowns'], 'crown')}."


def _match_over(event, names):
    winner = event["standings"][0]
    yield f"{side_does(winner['seat'], names, 'wins', 'win')} the match with {stone_words(winner['score'])}."


SENTENCES = {
    "round_dealt": _round_dealt,
    "drew": _drew,
    "discarded": _discarded,
    "said": _said,
    "must_declare": _must_declare,
    "faced": _faced,
    "trick_won": _trick_won,
    "round_scored": _round_scored,
    "crowned": _crowned,
    "match_over": _match_over,
}
