"""Which tricks the own cards win or lose for certain, by the cards that a seat has seen."""

from bisect import bisect_left, bisect_right

from games.bleven.rules.pack import ASCENDING, POWER
from games.bleven.rules.state import CARDS, side_of
from games.bleven.table.stakes import own_field

SURE, LOST = "sure", "lost"


def prospects(table):
    """For each card in hand, in the order of play, the number of its trick, from 1, and SURE, LOST or "".

    A trick is sure that no field still possible beats, and lost to a single opponent that every such field beats.
    """
    hand, done = table["hand"], len(table["tricks"])
    rivals = [seat for seat, status in enumerate(table["status"]) if status == "stayed" and _is_rival(table, seat)]
    left, unseen = CARDS - done, [_unseen(table, rival) for rival in rivals]
    found = {}
    for place, card in enumerate(hand):
        fate = ""
        power = POWER[card]
        if all(len(powers) - bisect_right(powers, power) < left - place for powers in unseen):
            fate = SURE
        elif table["seats"] == 2 and bisect_left(unseen[0], power) < place + 1:
            fate = LOST
        found[card] = (done + place + 1, fate)
    return found


def _is_rival(table, seat):
    return side_of(seat) != side_of(table["seat"])


def _unseen(table, rival):
    """The powers of all cards that a rival may still play, ascending."""
    plays = [play for trick in table["tricks"] for play in trick["plays"]]
    shown = {play["card"] for play in plays}.union(own_field(table), *table["reserves"], *filter(None, table["faced"]))
    played = [POWER[play["card"]] for play in plays if play["seat"] == rival]
    least = max(played, default=-1)  # fields are played from the lowest card to the highest
    return [POWER[card] for card in ASCENDING if card not in shown and POWER[card] > least]
