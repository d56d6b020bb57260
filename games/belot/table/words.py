"""What happens in Belot, in whole sentences."""

from functools import partial

from games.belot.table.terms import contract_words, declaration_words, done_words, side_names
from games.kit.words import CARD_NAMES, SUIT_WORDS, card_played, match_over, signed, trick_won


def move_words(move, name):
    kind = move["type"]
    if kind == "deal":
        return "The cards are dealt"
    if kind == "declare":
        return f"{name} declares a {move['kind']}"  # not its cards: others don't know them
    if kind == "play":
        belot = " and announces belot" if "belot" in move else ""
        return f"{name} plays the {CARD_NAMES[move['card']]}{belot}"
    return f"{name} {done_words({**move, 'call': kind})}"


def written_words(mark, mp, kirtik):
    """What a side writes for a deal: "16", "nothing", "nothing and −10"."""
    if mark == "number":
        return signed(mp)
    return f"nothing and {signed(kirtik)}" if kirtik else "nothing"


def outcome_words(row, names):
    """ "Hearts, doubled, by Vera: made"."""
    return f"{contract_words(row).capitalize()}, by {names[row['bidder']]}: {OUTCOMES[row['outcome']]}"


OUTCOMES = {"made": "made", "inside": "inside", "hanging": "level, it hangs"}


def _sides_of(event, names):
    count = len(event["totals"])
    return [list(range(side, len(names), count)) for side in range(count)]


def _hand_dealt(event, names):
    yield f"Deal {event['deal']}. {names[event['dealer']]} deals."


def _called(event, names):
    yield f"{names[event['seat']]} {done_words(event)}."


def _bidding_closed(event, names):
    yield f"The contract is {contract_words(event)}, by {names[event['bidder']]}."


def _passed_out(event, names):
    yield "Everybody passed: the cards are dealt anew."


def _declared(event, names):
    yield f"{names[event['seat']]} declares a {event['kind']} for {event['points']}."


def _belot(says, event, names):
    yield f"{names[event['seat']]} {says} in {SUIT_WORDS[event['suit']]}."


def _hand_scored(event, names):
    sides = side_names(_sides_of(event, names), names)
    yield f"{outcome_words(event, names)}."
    for verdict, counted in (("counts", True), ("does not count", False)):
        for each in event["declared"]:
            if each["counted"] is counted:
                yield f"{names[each['seat']]}: {declaration_words(each)} {verdict}, {each['points']}."
    points = [f"{side} {points}" for side, points in zip(sides, event["points"], strict=True)]
    yield f"Points: {', '.join(points)}."
    if event["valat"] is not None:
        yield f"Valat: {sides[event['valat']]} took all tricks."
    written = [
        f"{side} {written_words(*line)}"
        for side, *line in zip(sides, event["marks"], event["mp"], event["kirtik"], strict=True)
    ]
    yield f"Written: {', '.join(written)}."
    if event["hanging"]:
        yield f"{event['hanging']} hang for whoever wins the next deal."
    totals = [f"{side} {signed(total)}" for side, total in zip(sides, event["totals"], strict=True)]
    yield f"Totals: {', '.join(totals)}."


SENTENCES = {
    "hand_dealt": _hand_dealt,
    "called": _called,
    "bidding_closed": _bidding_closed,
    "passed_out": _passed_out,
    "declared": _declared,
    "belot": partial(_belot, "announces belot"),
    "rebelot": partial(_belot, "completes the belot"),
    "card_played": card_played,
    "trick_won": trick_won,
    "hand_scored": _hand_scored,
    "match_over": match_over,
}
