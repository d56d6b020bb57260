"""What everybody sees of a table of Bids: the card in the centre and what it has grown to, who is ahead."""

from functools import partial

from games.bids.rules.pack import BLACK, COLOURS, DOUBLE, NUMBER, SURPRISE, colour_counts, is_black
from games.bids.rules.scoring import lucky_loser_points
from games.bids.table import words
from games.bids.table.outlook import allies, before_doubling, black_cards, hidden_card_competes, so_far
from games.bids.table.terms import COLOUR_CLASSES, COLOUR_WORDS, points_unit, sum_of
from games.kit.contract import rank_seats
from games.kit.drawing import DASH, caption, draw_felt, past_tricks, slots
from games.kit.language import cache_by_language
from games.kit.markup import FACES, MINI, Markup, as_markup, back, told_apart
from games.kit.words import leads, winners_words, with_sign


def felt(table, players):
    names = [player["name"] for player in players]
    done = _finished_trick(table)
    now = None if done else so_far(table)
    totals, ranks = table["score_sheet"]["totals"], _ranks(table["score_sheet"])
    places, seats = zip(_tallies(table), _slots(table, done, now), strict=True), []
    for seat, ((tally, partner), (slot, face)) in enumerate(places):
        drawn = {"tally": tally, "rank": ranks.get(seat), "slot": slot, "face": face}
        drawn["ally"] = names[partner] if partner is not None else ""
        seats.append(drawn | {"total": Markup(with_sign(totals[seat]))})
    classes = "clockwise with-colours" if table["options"]["colour_bids"] else "clockwise"
    return draw_felt(table, players, seats, classes=classes) | {
        "contract": _contract(table, done, now, names),
        "centre": _centre(table),
        "gone": _gone(table, done),
        "caption": _caption(table, done, now, names),
        "tricks": past_tricks(table["tricks"] or ([done] if done else []), names, words.what_became_of_it, _turned_up),
        "lucky_loser": words.lucky_loser_rule(table["seats"]),
    }


# The trick


def _finished_trick(table):
    """The trick that has just been finished and still lies on the table, or None."""
    if table["plays"] or (table["phase"] == "play" and not table["tricks"]):
        return None
    return table["last_trick"]


def _black(trick):
    """The black cards of a finished trick: the centre card, the one under it, the bids in order."""
    turned_up = [trick["centre"], trick["under"]] if trick["under"] else [trick["centre"]]
    return turned_up + [play["card"] for play in trick["plays"] if is_black(play["card"])]


def _turned_up(trick):
    return (trick["centre"], trick["under"]) if trick["under"] else (trick["centre"],)


def _slots(table, done, now):
    """The places of the trick by seat: the one that is being played, or the finished one before it."""
    count = table["seats"]
    if done:
        return slots(count, done["plays"], done["winner"], finished=True)
    places = slots(count, table["plays"])
    if now and now.winning is not None:
        ahead = table["plays"][now.winning]["seat"]
        classes, face = places[ahead]
        places[ahead] = Markup(f"{classes} ahead"), face
    return places


def _state(done, now):
    """How the trick stands or has ended: "ahead", "burning", "won", "burnt" or ""."""
    if done:
        return "burnt" if done["winner"] is None else "won"
    if now is None:
        return ""
    return "burning" if now.winning is None else "ahead"


def _subject(table, done, now):
    """The seats that are spoken of when it is said how the trick stands or has ended, one at most."""
    if done:
        seat = done["winner"]
    else:
        seat = None if now is None or now.winning is None else table["plays"][now.winning]["seat"]
    return [] if seat is None else [seat]


def _tallies(table):
    """For each seat what it has won in this round, a dict, and the seat it is allied with or None."""
    sheet = table["score_sheet"]
    current = sheet["current"]
    if current is None:
        last = sheet["rounds"][-1] if sheet["rounds"] else None
        partners = allies(last)
        scored = last["total"] if last else [None] * table["seats"]
        return [(_scored(points), partners.get(seat)) for seat, points in enumerate(scored)]
    partners, tallies = allies(current), []
    for seat, black in enumerate(current["black_cards"]):
        points = current["trick_points"][seat] + current["doubling"][seat]
        prospect = lucky_loser_points(table["seats"], sheet["null_rounds"][seat])
        tallies.append((_tally(points, black) if black else _prospect(prospect), partners.get(seat)))
    return tallies


# What a plaque says of a seat: in full, and shorter for a phone. "prospect": as a Lucky Loser, which may be explained


@cache_by_language()
def _tally(points, black):
    return {"words": as_markup(words.tally(points, black)), "short": as_markup(words.short_tally(points, black))}


@cache_by_language()
def _prospect(points):
    return {"prospect": as_markup(words.lucky_loser(points)), "words": as_markup(words.prospect(points))}


@cache_by_language()
def _scored(points):
    if points is None:
        return {"words": DASH, "short": DASH}
    return {"words": as_markup(words.scored(points)), "short": as_markup(words.short_scored(points))}


def _ranks(sheet):
    """By seat its place in the match and how far it is behind; {} until a round is scored."""
    totals = sheet["totals"]
    if not sheet["rounds"]:
        return {}
    return {seat: _rank(place, max(totals) - total) for seat, total, place in rank_seats(totals)}


@cache_by_language()
def _rank(place, behind):
    mark = f"{words.PLACE_MARKS[place]} {with_sign(-behind)}" if behind else words.PLACE_MARKS[place]
    return {"mark": as_markup(mark), "words": as_markup(words.rank(place, behind)), "first": not behind}


def _contract(table, done, now, names):
    """What is being played for, with all that has been added to it."""
    sheet = table["score_sheet"]
    playing = table["phase"] == "play"
    cards = black_cards(table) if playing else _black(done) if done else []
    steps, total = sum_of(cards)
    hidden = table["centre"] == SURPRISE
    double = DOUBLE in cards
    numbers = sum(card in NUMBER for card in cards)
    partners = allies(sheet["current"] if playing else (sheet["rounds"] or [None])[-1])
    pair = sorted(partners)
    number = table["round"] - (table["phase"] == "deal" and done is not None)  # the one that is on the table
    state, sentences = "", []
    if done or table["plays"]:
        state = _state(done, now)
        said = partial(words.ended, done) if done else lambda each: words.standing(table, now, each)
        sentences.append(told_apart(said, names, _subject(table, done, now)))
    if playing and (done["winner"] is None if done else not table["plays"]):
        sentences.append(told_apart(partial(words.leads, table["leader"]), names, [table["leader"]]))
    return {
        "deal": Markup(words.round_of(number, table["options"]["rounds"])),
        "trick": Markup(words.trick_of_ten(table["trick"])) if playing else "",
        "black": Markup("".join(MINI[card] for card in cards)),
        "words": as_markup(words.cards_words(cards)),
        "steps": steps if numbers > 1 and not hidden and not double else "",
        "total": _worth(cards, hidden) if cards else "",
        "unit": points_unit(total) if cards and not double else "",
        "double": double,
        "gives": _would_double(table, now, names) if playing and double else None,
        "state": state,
        "standing": Markup(" ".join(sentences)),
        "hint": words.HIDDEN_MAY_WIN if hidden_card_competes(table) else "",
        "lowest": table["lowest"],
        "alliance": told_apart(partial(words.are_allied, pair), names, pair) if pair else "",
        "allies": told_apart(partial(words.are_allied_in_short, pair), names, pair) if pair else "",
        "colours": _colours(table, done) if table["options"]["colour_bids"] else (),
    }


def _worth(cards, hidden=False):
    """What is being played for, in short: "12", "×2" or "2× + 7" for the black 2×, "7 + ?" while a card is face down.

    cards: the card in the centre, the one that lay under it, the black bids.
    """
    _, total = sum_of(cards)
    added = any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        return as_markup(f"2× {'−' if total < 0 else '+'} {abs(total)}" if added else "×2")
    if hidden:
        return as_markup(f"{with_sign(total)} + ?" if added else "?")
    return as_markup(with_sign(total))


def _would_double(table, now, names):
    """What the black 2× would make of the points of whoever is ahead, in full and in short: a dict, or None."""
    if now is None or now.winning is None:
        return None
    ahead = table["plays"][now.winning]["seat"]
    before = before_doubling(table, ahead)
    in_full = told_apart(partial(words.would_double, ahead, before), names, [ahead])
    return {"words": in_full, "short": words.would_be_doubled(before)}


def _colours(table, done):
    """How often each colour has been bid, in the order of a hand, and whether it is on top."""
    plays = done["plays"] if done and table["phase"] != "play" else table["plays"]
    cards = [play["card"] for play in plays]
    counts = colour_counts(cards)
    most = max(counts.values())
    return [_colour(colour, counts[colour], bool(cards) and counts[colour] == most) for colour in _in_play(table)]


def _in_play(table):
    return [colour for colour in COLOUR_WORDS if colour == BLACK or colour in COLOURS[table["seats"]]]


@cache_by_language()
def _colour(colour, count, top):
    return {
        "classes": Markup(f"colour {COLOUR_CLASSES[colour]}{' top' if top else ''}"),
        "letter": Markup(colour),
        "count": Markup(count),
        "words": Markup(words.colour_count(COLOUR_WORDS[colour], count, top)),
    }


def _centre(table):
    """The card that is played for now, with what it has grown to: a dict, or None."""
    if table["phase"] != "play":
        return None
    cards, hidden = black_cards(table), table["centre"] == SURPRISE
    return {
        "face": FACES[table["centre"]],
        "back": back() if hidden else "",
        "worth": _worth(cards, hidden),
        "words": words.worth_in_the_centre(cards, hidden),
    }


def _gone(table, done):
    """The card that the finished trick was played for. It lies over the next one until the trick has been seen."""
    if not done:
        return None
    return {
        "face": FACES[done["prize"]],
        "surprise": FACES[SURPRISE] if done["under"] else "",
        "worth": _worth(_black(done)),
        "stays": table["phase"] != "play",
    }


def _caption(table, done, now, names):
    """What the middle of the table says."""
    phase = table["phase"]
    if phase == "over":
        totals = table["score_sheet"]["totals"]
        return caption(told_apart(partial(winners_words, totals), names, range(len(names))), classes="won")
    if phase == "deal" and not done:
        return caption(words.DEALING)
    if not (done or table["plays"]):
        return caption(told_apart(partial(leads, table["leader"]), names, [table["leader"]]))
    said = partial(words.ended_in_short, done) if done else lambda each: words.standing_in_short(table, now, each)
    return caption(told_apart(said, names, _subject(table, done, now)), classes=_state(done, now))
