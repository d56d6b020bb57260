"""What a call of Bleven leads to, for the seat that may make it: who gets which points and stones."""

from itertools import combinations

from games.bleven.rules.pack import field_sum
from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import ENOUGH, all_terms
from games.bleven.table.words import ORDINALS, side_names, stone_words
from games.kit.words import plural


def price(table):
    """The stones that the other side gets when a side loses the round without playing it out."""
    return table["seats"] // 2 * all_terms(table["options"])["leave_cost"]


def own_sum(table):
    """The sum of the seat's field, cards played included."""
    seat = table["seat"]
    played = [play["card"] for trick in table["tricks"] for play in trick["plays"] if play["seat"] == seat]
    return field_sum([*table["hand"], *played])


def note(table, names):
    """What a field under 15 means for the answer."""
    if own_sum(table) >= ENOUGH:
        return ""
    if not _can_win(table):
        return "Under 15: you can't win this round."
    return f"Under 15: your field will lie open, and {names[(table['seat'] + 2) % 4]} plays alone."


def of_leaving(table, names):
    seat, seats = table["seat"], table["seats"]
    to_whom = "the other side" if seats == 4 else names[1 - seat]
    gives = f"gives {to_whom} {stone_words(price(table))}"
    alone = seats == 2 or table["status"][(seat + 2) % 4] == "left"
    return gives if alone else f"if both do: {gives}"


def of_going_out(table, names):
    seat, seats = table["seat"], table["seats"]
    partner = (seat + 2) % seats
    if seats == 4 and table["status"][partner] == "stayed":
        return f"{names[partner]} answers instead"
    bet = table["bet"]
    lost = price(table) + seats // 2 + bet["accepted"] + bet["side_bets"]  # a stone more a player for going out
    return f"gives {stone_words(lost)}"


def of_answer(table, names, suspected, raised=False):
    """What comes of an answer if the prediction turns out "right", and if "wrong"; or "anyway": dicts as by `_to`.

    raised: with more stones on the main bet, to be chosen.
    """
    prediction, bet = table["prediction"], table["bet"]
    stones, side_bets = bet["offered"] + bet["side_bets"], bet["side_bets"]
    declaring, other = _sides_in_words(table, names)
    right, wrong = _possible_points(prediction, True), _possible_points(prediction, False)
    points = _points_words(right)
    some = f"{'up to ' if len(wrong) > 2 else ''}{plural(wrong[-1], 'point')}"
    which = f"if the {ORDINALS[prediction['positions'][0]]} is right" if len(wrong) == 2 else "for positions"
    if not _can_win(table):
        stones += price(table)
        if declaring in ("you", "us"):
            return {"anyway": _to(other, stones, raised)}
        if table["seats"] == 4:
            return {"anyway": _to(declaring, stones, raised)}
        besides = f", and {some} {which}" if wrong[-1] else ""
        return {
            "right": _to(declaring, stones, raised, points),
            "wrong": _to(declaring, stones, raised, besides=besides),
        }
    won = (stones, raised) if suspected else (side_bets, False)
    lost = (stones, raised) if suspected or table["options"]["deduced_miss"] == "bet" else (side_bets, False)
    besides = f",{'' if lost[0] else ' or'} {some} to {declaring} {which}" if wrong[-1] else ""
    return {"right": _to(declaring, *won, points), "wrong": _to(other, *lost, besides=besides)}


def of_side_bet(table, names):
    """As `of_answer`, of being in on the side bet that has been offered."""
    offer = table["side_offer"]
    side, stones = side_names(offer["seat"], names), offer["bet"]
    if not _can_win(table):
        return {"anyway": _to(side, stones)}
    us = "you" if table["seats"] == 2 else "us"
    right, wrong = (side, us) if table["declarer"] % 2 == offer["seat"] % 2 else (us, side)
    return {"right": _to(right, stones), "wrong": _to(wrong, stones)}


def _to(whom, stones, raised=False, points="", besides=""):
    """Who gets what, as {"words": "6 points and 4 stones to Ana", "base": "", "rest": ""}.

    raised: a raise adds to the stones, and they are counted as it is chosen: "base" has so many, "words" what comes
    before them, "rest" what comes after.
    besides: what more is said, from the comma on.
    """
    if raised and stones:
        return {"words": f"{points} and " if points else "", "base": str(stones), "rest": f" to {whom}{besides}"}
    shares = " and ".join(filter(None, [points, stone_words(stones) if stones else ""]))
    return {"words": f"{shares} to {whom}{besides}" if shares else f"nothing{besides}", "base": "", "rest": ""}


def _possible_points(prediction, right):
    """The points that the declaring side may have, ascending, over all tricks it might win."""
    tricks, positions = prediction["tricks"], set(prediction["positions"])
    outcomes = [set(won) for count in range(4) for won in combinations(ORDINALS, count) if (count == tricks) == right]
    return sorted({triangular(tricks * right + len(won & positions)) for won in outcomes})


def _points_words(points):
    """ "6 points", "3 or 6 points", and nothing for none."""
    return f"{' or '.join(map(str, points))} {'point' if points == [1] else 'points'}" if points != [0] else ""


def _can_win(table):
    """Whether the own field lets the own side win this round still: with two seats, or alone, it takes 15."""
    seat, seats = table["seat"], table["seats"]
    return own_sum(table) >= ENOUGH or (seats == 4 and table["status"][(seat + 2) % seats] == "stayed")


def _sides_in_words(table, names):
    """What the declaring side and the other one are called to the seat: "Ana" and "you"."""
    us = "you" if table["seats"] == 2 else "us"
    declaring = table["declarer"] % 2
    if declaring == table["seat"] % 2:
        return us, side_names(1 - declaring, names)
    return side_names(declaring, names), us
