"""What everybody sees of a table of Bids: the card in the centre and what it has grown to, who is ahead."""

from functools import cache, partial

from games.bids.rules.pack import BLACK, COLOURS, DOUBLE, NUMBER, SURPRISE, is_black
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.rules.tricks import colour_counts, outcome
from games.bids.table.terms import COLOUR_WORDS, points_words, sum_of
from games.kit.drawing import DASH, caption, drawn_seat, past_tricks, slots
from games.kit.markup import BACK, FACES, MINI, Markup, told_apart
from games.kit.words import CARD_NAMES, joined, signed, winners_words

HIDDEN_MAY_WIN = "The card under the Surprise may be better."
DOUBLES = "doubles the winner's points"


def felt(table, players):
    phase, count, actor = table["phase"], table["seats"], table["to_act"]
    names = [player["name"] for player in players]
    done = _finished_trick(table)
    now = None if done else so_far(table)
    trick = _slots(table, done, now)
    standing = _ended(done, names) if done else standing_of(table, now, names)
    sheet = table["score_sheet"]
    tallies = _tallies(table)

    seats = []
    for number, player in enumerate(players):
        seat = drawn_seat(player, number == actor, held=table["hand_counts"][number])
        seat["tally"], partner = tallies[number]
        seat["ally"] = names[partner] if partner is not None else ""
        seat["total"] = Markup(signed(sheet["totals"][number]))
        seat["slot"], seat["face"] = trick[number]
        seats.append(seat)

    classes = ["felt clockwise", f"players-{count}", f"phase-{phase}"]
    classes += ["lowest"] if table["lowest"] else []
    classes += ["with-colours"] if table["options"]["colour_bids"] else []
    return {
        "classes": Markup(" ".join(classes)),
        "players": Markup(count),
        "phase": Markup(phase),
        "contract": _contract(table, done, now, standing, names),
        "seats": seats,
        "centre": _centre(table),
        "gone": _gone(table, done),
        "caption": _caption(table, done, standing, names),
        "tricks": past_tricks(table["tricks"] or ([done] if done else []), names, _what_became_of_it, _turned_up),
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


def so_far(table):
    """The `Outcome` if the trick ended now, or None while nobody has bid a number."""
    cards = [play["card"] for play in table["plays"]]
    if all(card not in NUMBER for card in cards):
        return None
    return outcome(cards, table["centre"], lowest=table["lowest"], colour_bids=table["options"]["colour_bids"])


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


def standing_of(table, now, names):
    """How the trick that is played stands: (state, a sentence, a few words), state "ahead", "burning" or "".

    now: the `Outcome` so far.
    """
    if now is None:
        return "", "Nobody has bid a number yet.", ""
    lead = table["plays"][now.leading]
    if now.winning is not None:
        name = names[lead["seat"]]
        return "ahead", f"{name} is ahead with the {CARD_NAMES[lead['card']]}.", f"{name} is ahead"
    if now.by_centre:
        return "burning", "The centre is best: nobody wins.", "The centre is best"
    number = signed(NUMBER[lead["card"]])
    return "burning", f"A tie at {number}: nobody wins so far.", f"Tie at {number}: burns"


def _hidden_card_competes(table):
    """Whether the card under the Surprise may yet be better than all bids."""
    counts = colour_counts([play["card"] for play in table["plays"]])
    on_top = counts[BLACK] == max(counts.values())
    return table["centre"] == SURPRISE and table["options"]["colour_bids"] and on_top and bool(table["plays"])


def _ended(trick, names):
    """As `standing_of`, of a finished trick."""
    if trick["winner"] is None:
        why = "The card in the centre was best" if trick["by_centre"] else "A tie"
        return "burnt", f"{why}: the trick is burnt.", "Last trick burnt"
    name, points = names[trick["winner"]], points_words(trick["points"])
    if trick["doubling"]:
        return "won", f"{name} won the black 2×: {_doubled_words(trick['doubling'])}.", f"{name} doubled"
    return "won", f"{name} won {points}.", f"{name} won {points}"


def _doubled_words(doubling):
    return f"{signed(doubling)} doubled to {signed(2 * doubling)}"


def _ally_of(row):
    """By seat its partner in this round; {} without an alliance."""
    ally = row and row["ally"]
    return {ally["seat"]: ally["partner"], ally["partner"]: ally["seat"]} if ally else {}


def _tallies(table):
    """For each seat what it has won in this round, a dict, and the seat it is allied with or None."""
    sheet = table["score_sheet"]
    current = sheet["current"]
    if current is None:
        last = sheet["rounds"][-1] if sheet["rounds"] else None
        partners = _ally_of(last)
        scored = last["total"] if last else [None] * table["seats"]
        return [(_scored(points), partners.get(seat)) for seat, points in enumerate(scored)]
    partners, tallies = _ally_of(current), []
    for seat, black in enumerate(current["black_cards"]):
        points = current["trick_points"][seat] + current["doubling"][seat]
        prospect = LUCKY_LOSER[table["seats"]] * (sheet["null_rounds"][seat] + 1)
        tallies.append((_tally(points, black, prospect), partners.get(seat)))
    return tallies


@cache
def _tally(points, black, prospect):
    if not black:
        words = f"No black card yet: this null round would pay {prospect}"
        return {"black": "", "prospect": Markup(signed(prospect, plus=True)), "words": Markup(words)}
    number, unit = points_words(points).split()
    return {"points": Markup(number), "unit": Markup(unit), "black": Markup(black)}


@cache
def _scored(points):
    words = DASH if points is None else Markup(f"{signed(points, plus=True)} this round")
    return {"black": "", "prospect": "", "words": words}


def _contract(table, done, now, standing, names):
    """What is played for, with all that has been added to it."""
    sheet = table["score_sheet"]
    playing = table["phase"] == "play"
    cards = []
    if playing:
        cards = [table["centre"], *(play["card"] for play in table["plays"] if is_black(play["card"]))]
    elif done:
        cards = _black(done)
    steps, total = sum_of(cards)
    hidden = table["centre"] == SURPRISE
    double = DOUBLE in cards
    numbers = sum(card in NUMBER for card in cards)
    partners = _ally_of(sheet["current"] if playing else (sheet["rounds"] or [None])[-1])
    allies = [names[seat] for seat in sorted(partners)]
    number = table["round"] - (table["phase"] == "deal" and done is not None)  # the one that is on the table
    rounds = table["options"]["rounds"]
    state, sentence, _ = standing if playing or done else ("", "", "")
    if playing and done and done["winner"] is None:
        sentence = f"{sentence} {names[table['leader']]} leads."
    elif playing and not done and not table["plays"]:
        state, sentence = "", f"{names[table['leader']]} leads."
    return {
        "round": Markup(f"Round {number} of {rounds}"),
        "trick": Markup(f"trick {table['trick']} of 10") if playing else "",
        "black": Markup("".join(MINI[card] for card in cards)),
        "words": Markup(joined([CARD_NAMES[card] for card in cards])),
        "steps": steps if numbers > 1 and not hidden and not double else "",
        "total": _worth(cards, hidden) if cards else "",
        "unit": points_words(total).split()[1] if cards and not double else "",
        "double": double,
        "gives": _would_double(table, now, names) if playing and double else "",
        "state": state,
        "standing": sentence,
        "hint": HIDDEN_MAY_WIN if _hidden_card_competes(table) else "",
        "lowest": table["lowest"],
        "alliance": f"{joined(allies)} are allied" if allies else "",
        "allies": " + ".join(allies),
        "colours": _colours(table, done) if table["options"]["colour_bids"] else (),
    }


def _worth(cards, hidden=False):
    """What is played for, in short: "12", "×2" or "2× + 7" for the black 2×, "7 + ?" while a card is face down.

    cards: the card in the centre, the one that lay under it, the black bids.
    """
    _, total = sum_of(cards)
    added = any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        return Markup(f"2× {'−' if total < 0 else '+'} {abs(total)}" if added else "×2")
    if hidden:
        return Markup(f"{signed(total)} + ?" if added else "?")
    return Markup(signed(total))


def _worth_in_words(cards, hidden):
    """As `_worth`, for those who hear it."""
    _, total = sum_of(cards)
    added = any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        return f"{DOUBLES}, {points_words(total)} added first" if added else DOUBLES
    if hidden:
        return f"worth {points_words(total)} and what lies under it" if added else "worth what lies under it"
    return f"worth {points_words(total)}"


def _would_double(table, now, names):
    """What the black 2× would make of the points of whoever is ahead: "Ana: 13 to 26"; "" while nobody is."""
    if now is None or now.winning is None:
        return ""
    ahead = table["plays"][now.winning]["seat"]
    _, points = sum_of([play["card"] for play in table["plays"] if is_black(play["card"])])
    points += table["score_sheet"]["current"]["trick_points"][ahead]
    return f"{names[ahead]}: {signed(points)} to {signed(2 * points)}"


def _colours(table, done):
    """How often each colour has been bid, in the order of a hand, and whether it is on top."""
    plays = done["plays"] if done and table["phase"] != "play" else table["plays"]
    cards = [play["card"] for play in plays]
    counts = colour_counts(cards)
    most = max(counts.values())
    return [_colour(colour, counts[colour], bool(cards) and counts[colour] == most) for colour in _in_play(table)]


def _in_play(table):
    return [colour for colour in COLOUR_WORDS if colour == BLACK or colour in COLOURS[table["seats"]]]


@cache
def _colour(colour, count, top):
    return {
        "classes": Markup(f"colour {COLOUR_WORDS[colour]}{' top' if top else ''}"),
        "letter": Markup(colour),
        "count": Markup(count),
        "words": Markup(f"{COLOUR_WORDS[colour]} {count}{', on top' if top else ''}"),
    }


def _centre(table):
    """The card that is played for now, with what it has grown to: a dict, or None."""
    if table["phase"] != "play":
        return None
    cards = [table["centre"], *(play["card"] for play in table["plays"] if is_black(play["card"]))]
    hidden = table["centre"] == SURPRISE
    return {
        "face": FACES[table["centre"]],
        "back": BACK if hidden else "",
        "worth": _worth(cards, hidden),
        "words": _worth_in_words(cards, hidden),
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


def _caption(table, done, standing, names):
    """What the middle of the table says."""
    phase = table["phase"]
    if phase == "over":
        totals = table["score_sheet"]["totals"]
        return caption(told_apart(partial(winners_words, totals), names, range(len(names))), classes="won")
    if phase == "deal" and not done:
        return caption("The cards are dealt")
    state, _, words = standing
    if words:
        return caption(words, classes=state)
    return caption("" if table["plays"] else f"{names[table['leader']]} leads")


def _what_became_of_it(trick, names):
    """Who led a finished trick, and who won what, in words."""
    leader = names[trick["leader"]]
    if trick["winner"] is None:
        why = "the centre was best" if trick["by_centre"] else "a tie"
        return f"{leader} led, {why}: burnt, {points_words(trick['points'])} lost."
    words = f"{leader} led, {names[trick['winner']]} won {points_words(trick['points'])}"
    return f"{words}, {_doubled_words(trick['doubling'])}." if trick["doubling"] else f"{words}."
