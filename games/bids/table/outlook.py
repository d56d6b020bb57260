"""What each card of a hand would do to the trick, as far as the seat that holds it can know."""

from games.bids.rules.pack import ALLY, BLACK, DOUBLE, NUMBER, SURPRISE, is_black, outcome, top_colours
from games.bids.rules.scoring import lucky_loser_points
from games.bids.table import words
from games.bids.table.terms import sum_of


def outlooks(table, names):
    """By card of the hand of the seat that is to act, what it would do: a label.

    table: the `view` of that seat.
    """
    return {card: " · ".join(map(str, _outlook(table, card, names))) for card in table["hand"]}


def _outlook(table, card, names):
    """What a card would do to the trick, and what would come of that: a list of labels."""
    seat = table["seat"]
    after = table | {"plays": [*table["plays"], {"seat": seat, "card": card}]}
    now = so_far(after)
    if now is None:
        return [words.ALLIES_WITH_WINNER]
    settled = len(after["plays"]) == table["seats"] and not hidden_card_competes(after)
    if now.winning is None:
        return [_burns(after, now, settled, names), *_without_alliance(after)]
    winner = after["plays"][now.winning]["seat"]
    if card == ALLY:
        return [words.allies(names[winner], settled)]
    if winner == seat:
        return [_wins(after, settled), *_comes_of_winning(after, names)]
    label = words.loses(names[winner], words.worth(black_cards(after), table["centre"] == SURPRISE), settled)
    return [label, words.SHARED_WITH_YOU] if ally_of(table).get(seat) == winner else [label]


def _wins(after, settled):
    cards = black_cards(after)
    if DOUBLE in cards:
        return words.wins_double(before_doubling(after, after["seat"]), settled)
    return words.wins(words.worth(cards, after["centre"] == SURPRISE), settled)


def _comes_of_winning(after, names):
    """What else comes of winning the trick: labels."""
    seat, sheet = after["seat"], after["score_sheet"]
    for play in after["plays"]:
        if play["card"] == ALLY:
            yield words.allied_with(names[play["seat"]])
    if seat in ally_of(after):
        yield words.shared_with(names[ally_of(after)[seat]])
    if not sheet["current"]["black_cards"][seat]:
        yield words.no_lucky_loser(lucky_loser_points(after["seats"], sheet["null_rounds"][seat]))


def _burns(after, now, settled, names):
    """Why nobody would win."""
    if now.by_centre:
        return words.centre_wins(settled)
    plays, colours = after["plays"], after["options"]["colour_bids"]
    top = top_colours([play["card"] for play in plays]) if colours else ()
    best = NUMBER[plays[now.leading]["card"]]
    tied = [
        play["seat"] for play in plays if NUMBER.get(play["card"]) == best and (not colours or play["card"][0] in top)
    ]
    others = [names[seat] for seat in tied if seat != after["seat"]]
    if BLACK in top and NUMBER.get(after["centre"]) == best:
        others.append(str(words.THE_CENTRE))
    return (words.ties if after["seat"] in tied else words.others_tie)(others, settled)


def _without_alliance(after):
    return [words.NO_ALLIANCE] if any(play["card"] == ALLY for play in after["plays"]) else []


# A trick so far. table: as in a `view`, of a seat or of nobody


def so_far(table):
    """The `Outcome` if the trick ended now, or None while nobody has bid a number."""
    cards = [play["card"] for play in table["plays"]]
    if all(card not in NUMBER for card in cards):
        return None
    return outcome(cards, table["centre"], lowest=table["lowest"], colour_bids=table["options"]["colour_bids"])


def hidden_card_competes(table):
    """Whether the card under the Surprise may yet be better than all bids."""
    cards = [play["card"] for play in table["plays"]]
    return (
        table["centre"] == SURPRISE and table["options"]["colour_bids"] and bool(cards) and BLACK in top_colours(cards)
    )


def black_cards(table):
    """The cards that are played for: the one in the centre, and the black bids."""
    return [table["centre"], *(play["card"] for play in table["plays"] if is_black(play["card"]))]


def before_doubling(table, seat):
    """The points of the round that the black 2× would double if that seat won it now, those of the trick included."""
    _, points = sum_of(black_cards(table)[1:])
    return points + table["score_sheet"]["current"]["trick_points"][seat]


def ally_of(table):
    """By seat its partner in the round that is played; {} without an alliance."""
    return allies(table["score_sheet"]["current"])


def allies(row):
    """By seat its partner in a round of the score sheet, or None; {} without an alliance."""
    ally = row and row["ally"]
    return {ally["seat"]: ally["partner"], ally["partner"]: ally["seat"]} if ally else {}
