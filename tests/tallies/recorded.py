"""Matches between bots, and what somebody at the table would have entered of each deal."""

import random

from games.belot.rules.pack import NO_TRUMPS
from games.catalog import CHANCE, all_games
from tests import whist

GAMES = {game.slug: game for game in [*all_games(), whist.GAME]}


def played(slug, seed):
    """The options and the states between the deals of a match between bots, and the events of each deal."""
    rng = random.Random(f"{slug} {seed}")
    rules = GAMES[slug].newest
    seats = rules.seat_counts[seed % len(rules.seat_counts)]
    options = rules.usual_options(seats) | {
        field.name: rng.choice(field.choices).value
        for field in rules.option_fields(seats)
        if field.name not in rules.length_options or seed % 4 == 0
    }
    bot = GAMES[slug].bots["sensible-1"]
    state, deals, events = rules.new_match(seats, options), [], []
    while (seat := rules.to_act(state)) is not None:
        if seat == CHANCE:
            deck = rules.deck(state)
            rng.shuffle(deck)
            move = {"type": "deal", "deck": deck}
        else:
            move = bot.choose(rules.view(state, seat), rules.legal_moves(state), rng)
        after = rules.apply(state, move)
        events += rules.events(state, move, after)
        if state.phase != "deal" and after.phase in ("deal", "over"):
            deals.append((after, events))
            events = []
        state = after
    return seats, rules.clean_options(seats, options), deals


def bodies(slug, seats, deals):
    """What is entered of each deal."""
    return [ENTERED[slug](seats, state, events) for state, events in deals]


def oh_hell(seats, state, events):
    row = GAMES["oh-hell"].newest.score_sheet(state)["hands"][len(state.deal.lines) - 1]
    body = {"trump": row["trump"]}
    for seat, cell in enumerate(row["seats"]):
        body[f"bid{seat}"] = cell["bid"]
        if seat != row["dealer"]:
            body[f"took{seat}"] = cell["taken"]
    return body


def belot(seats, state, events):
    scored = next((event for event in events if event["type"] == "hand_scored"), None)
    if scored is None:
        return {"bid": "pass"}
    body = {"bid": f"{scored['bidder']}{scored['contract']}", "level": scored["level"], "last": scored["last_trick"]}
    sides, valat = len(scored["points"]), scored["valat"]
    if scored["contract"] != NO_TRUMPS:
        for side in range(sides):
            kinds = ["belot"] * (scored["belots"][side] // 20)
            for each in scored["declared"]:
                if each["counted"] and each["seat"] % sides == side:
                    kinds.append({200: "jacks", 150: "nines", 100: each["kind"]}.get(each["points"], each["kind"]))
            body[f"declared{side}"] = in_order(kinds)
    ten = 10 if state.deal.match.last_trick_ten else 0
    points = [cards + ten * (side == scored["last_trick"]) for side, cards in enumerate(scored["cards"])]
    if seats == 4:
        side = 1 - scored["bidder"] % 2
        body["counted"] = str(side) if valat is None else f"v{valat}"
        if valat is None:
            body["points"] = points[side]
        return body
    body["counted"] = "all" if valat is None else f"v{valat}"
    asked = [0, 1] if valat is None else [valat] if seats == 2 else []
    return body | {f"points{side}": points[side] for side in asked}


def in_order(kinds):
    """The answers for these kinds, in the order of the options."""
    order = ["belot", "tierce", "quarte", "quint", "square", "nines", "jacks"]
    counts = {kind: kinds.count(kind) for kind in order}
    return [kind if number == 1 else f"{kind}.{number}" for kind in order for number in range(1, counts[kind] + 1)]


def bids(seats, state, events):
    row = GAMES["bids"].newest.score_sheet(state)["rounds"][-1]
    body = {"way": "totals"}
    for seat in range(seats):
        body[f"black{seat}"] = row["black_cards"][seat]
        body[f"points{seat}"] = row["trick_points"][seat]
    match = state.round.match
    if match.minus5_2x:
        doubled = next((event["seat"] for event in events if event["type"] == "doubled"), -1)
        body["doubled"] = doubled
        if doubled >= 0:
            body["double"] = row["doubling"][doubled]
    return body | ally_of(match, row)


def ally_of(match, row):
    if not match.ally:
        return {}
    return {"ally": row["ally"]["seat"], "partner": row["ally"]["partner"]} if row["ally"] else {"ally": -1}


def bids_by_trick(seats, state, events):
    """The same round trick by trick."""
    row, match = GAMES["bids"].newest.score_sheet(state)["rounds"][-1], state.round.match
    body, doubled = {"way": "tricks"}, {event["seat"]: event for event in events if event["type"] == "doubled"}
    number = 0
    for index, event in enumerate(events):
        if event["type"] == "trick_burnt":
            number += 1
            body[f"won{number}"] = -1
        elif event["type"] == "trick_won":
            number += 1
            body |= {f"won{number}": event["seat"], f"worth{number}": event["points"]}
            body[f"cards{number}"] = len(event["black"])
            if match.minus5_2x:
                following = events[index + 1] if index + 1 < len(events) else {"type": ""}
                body[f"twice{number}"] = ["2x"] if following["type"] == "doubled" else []
    assert len(doubled) == sum(body.get(f"twice{n}") == ["2x"] for n in range(1, 11))
    return body | ally_of(match, row)


def bleven(seats, state, events):
    row = GAMES["bleven"].newest.score_sheet(state)["rounds"][-1]
    result = row["result"]
    if result == "void":
        return {"end": "void"}
    loser = 1 - row["winner"]
    four = {"left": [str(seat) for seat in sorted(row["left"])]} if seats == 4 else {}
    if result == "left":
        declarer = -1 if row["declarer"] is None else row["declarer"]
        return {"end": f"left{loser}", "declarer": declarer} | four
    was_played = bool(row["tricks"])
    end = "played" if was_played else f"{result}{loser}"
    prediction = row["prediction"]
    body = {"end": end, "declarer": row["declarer"], "tricks": prediction["tricks"], "bet": row["bet"]}
    if prediction["tricks"]:
        body["positions"] = [str(position) for position in prediction["positions"]]
    if was_played or result == "under15":
        body["answer"] = row["answer"]
    body["side_bets"] = row["side_bets"]
    if was_played:
        side = row["declarer"] % 2
        body["won"] = [str(number) for number, trick in enumerate(row["tricks"], 1) if trick["side"] == side]
        if seats == 2:
            body["short"] = loser if result == "under15" else -1
    return body | four


def six_card_whist(seats, state, events):
    row = state.lines[-1]
    return {"trump": row.trump, "tricks": row.tricks[0]}


ENTERED = {"oh-hell": oh_hell, "belot": belot, "bids": bids, "bleven": bleven, "whist": six_card_whist}


# What an entry cannot know


def known(slug, seats, sheet):
    """The columns of a sheet that entries can know. docs/formats.md lists the others."""
    return KNOWN[slug](seats, sheet)


def known_of_oh_hell(seats, sheet):
    return sheet | {"hands": [row | {"turned": None} for row in sheet["hands"]]}


def known_of_belot(seats, sheet):
    rows = [row if row["valat"] is not None else row | {"tricks": None} for row in sheet["rows"]]
    return sheet | {"rows": rows}


def known_of_bleven(seats, sheet):
    return sheet | {"rounds": [known_round(seats, row) for row in sheet["rounds"]]}


def known_round(seats, row):
    tricks = [{"side": trick["side"]} for trick in row["tricks"]]
    row = row | {"tricks": tricks, "left": sorted(row["left"]), "faced": None}
    if row["result"] in ("left", "void"):  # Nobody at a table notes what was offered in a round that was not played.
        row |= {"prediction": None, "replier": None, "answer": None, "offered": None, "bet": None, "side_bets": None}
    if row["result"] == "void":
        row |= {"declarer": None, "left": None, "out": None}
    if row["result"] == "out":
        row |= {"answer": None, "offered": None}
    row |= {"offered": None}
    return row if seats == 2 else row | {"replier": None, "out": None}


KNOWN = {
    "oh-hell": known_of_oh_hell,
    "belot": known_of_belot,
    "bids": lambda seats, sheet: sheet,
    "bleven": known_of_bleven,
    "whist": lambda seats, sheet: sheet,
}
