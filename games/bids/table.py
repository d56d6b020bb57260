"""Bids as it is drawn: the card in the centre and what it has grown to, who is ahead, the sheet with its workings."""

from functools import cache
from html import escape
from itertools import accumulate

from games.bids.rules.pack import ALLY, BLACK, COLOURS, DOUBLE, LOWEST, NUMBER, SURPRISE, is_black
from games.bids.rules.scoring import LUCKY_LOSER
from games.bids.rules.tricks import colour_counts, outcome
from games.kit.contract import placed
from games.kit.drawing import (
    CROWN,
    LEADER,
    Drawing,
    end_sentence,
    hand_of,
    joined,
    match_over,
    mine_of,
    past_tricks,
    plural,
    seat_of,
    signed,
    slots,
    winners_words,
)
from games.kit.markup import BACK, FACES, MINI, NAMES, NOTHING, Markup, add_pack

COLOUR_WORDS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", BLACK: "black"}  # as they lie in a hand
PLACE_IN_HAND = {colour: place for place, colour in enumerate(COLOUR_WORDS)}
SPECIAL_WORDS = {DOUBLE: "black 2×", LOWEST: "Lowest card", SURPRISE: "Surprise card", ALLY: "Ally"}
SPECIAL_PRINTS = {DOUBLE: "2×", LOWEST: "low", SURPRISE: "?", ALLY: "ally"}

add_pack(
    {card: f"{COLOUR_WORDS[card[0]]} {signed(number)}" for card, number in NUMBER.items()} | SPECIAL_WORDS,
    {card: signed(number) for card, number in NUMBER.items()} | SPECIAL_PRINTS,
)


HIDDEN_MAY_WIN = "The card under the Surprise may be better."
DOUBLES = "doubles the winner's points"
LUCKY = Markup('Lucky<span class="wide"> Loser</span>')


class BidsDrawing(Drawing):
    """Source: the rules page of Bids for what is on the table, and our own taste for how."""

    slug = "bids"
    name = "Bids"
    tells_tricks = True

    def suits_of(self, table):
        return laid_out(table["hand"])

    # The felt

    def felt(self, table, players):
        phase, count, actor = table["phase"], table["seats"], table["to_act"]
        names = [player["name"] for player in players]
        done = _finished_trick(table)
        trick = _slots(table, done)
        standing = _standing(table, done, names)
        sheet = table["score_sheet"]
        tallies = _tallies(table)

        seats = []
        for number, player in enumerate(players):
            seat = seat_of(player, number == actor, held=table["hand_counts"][number])
            seat["tally"], partner = tallies[number]
            seat["mark"] = _ally_mark(names[partner]) if partner is not None else NOTHING
            seat["classes"] = Markup(seat["classes"])
            seat["total"] = Markup(signed(sheet["totals"][number]))
            seat["slot"], seat["face"] = trick[number]
            seats.append(seat)

        classes = ["felt clockwise", f"players-{count}", f"phase-{phase}"]
        classes += ["lowest"] if table["lowest"] else []
        classes += ["with-colours"] if table["options"]["colour_bids"] else []
        return {
            "classes": Markup(" ".join(classes)),
            "players": str(count),
            "phase": phase,
            "contract": _contract(table, done, standing, names),
            "seats": seats,
            "centre": _centre(table),
            "gone": _gone(table, done),
            "caption": _caption(table, done, standing, names),
            "tricks": past_tricks(table["tricks"] or ([done] if done else []), names, _what_became_of_it, _turned_up),
        }

    # One seat's own part

    def mine(self, table, moves, players):
        names = [player["name"] for player in players]
        mine = mine_of(self.name, _stage(table), table, moves, players, _sentence(table, moves, names))
        if table["hand"]:
            mine["hand"] = hand_of(table["hand"], sort=_sort)
        if table["phase"] != "play" and table["score_sheet"]["rounds"]:
            mine["result"] = _result(table, players)
        return mine

    # The sheet

    def sheet(self, score_sheet, players, viewer=None, tricks=()):
        names = [player["name"] for player in players]
        rounds, current, totals = score_sheet["rounds"], score_sheet["current"], score_sheet["totals"]
        running = list(accumulate((row["total"] for row in rounds), _added))
        nulls = list(accumulate(([int(null) for null in row["null"]] for row in rounds), _added))
        links, rows = [], []
        for row, after, null_rounds in zip(rounds, running, nulls, strict=True):
            rows.append(_sheet_row(row, names, _by_seat(row["round"], tricks, links), after, null_rounds))
        if current:
            null_rounds = score_sheet["null_rounds"]
            rows.append(_current_row(current, names, _by_seat(current["round"], tricks, links), null_rounds))
        if rows:
            rows[-1] |= {"after": ()}  # the totals below say it
        best, over = max(totals), not current and bool(rounds)
        return {
            "caption": self.name,
            "players": [{"name": name} for name in names],
            "columns": str(1 + len(names)),
            "rows": rows,
            "totals": [
                {"total": signed(total), "crown": (CROWN if over else LEADER) if rounds and total == best else ""}
                for total in totals
            ],
            "links": links,
        }

    # Words

    def sentences(self, events, players):
        names = [player["name"] for player in players]
        return [sentence for event in events for sentence in _SENTENCES[event["type"]](event, names)]

    def move_words(self, move, players, seat=None):
        if move["type"] == "deal":
            hands = 10 * len(players)
            return "The cards are dealt" if len(move["deck"]) == hands else "The black cards are put aside"
        return f"{players[seat]['name'] if seat is not None else ''} {_does(move['card'])}"


# Cards


def laid_out(hand):
    """A hand as a list of colours, each a list of cards from the lowest number up; black and the Ally at the right."""
    held = {}
    for card in hand:
        held.setdefault(card if card == ALLY else card[0], []).append(card)
    return [
        sorted(held[colour], key=NUMBER.get) if colour != ALLY else held[colour]
        for colour in sorted(held, key=lambda colour: PLACE_IN_HAND.get(colour, len(PLACE_IN_HAND)))
    ]


def _sort(hand, _trump):
    return laid_out(hand)


def _does(card):
    return f"plays the {NAMES[card]}" if card == ALLY else f"bids the {NAMES[card]}"


def _points(number):
    """ "1 point", "12 points", "½ point"."""
    return f"{signed(number)} {'point' if abs(number) in (1, 0.5) else 'points'}"


def _sum(cards):
    """What black cards are worth together, step by step and in all: ("9 + 7 − 5", 11)."""
    numbers = [NUMBER[card] for card in cards if card in NUMBER]
    steps = "".join(f" {'−' if number < 0 else '+'} {abs(number)}" for number in numbers[1:])
    return (signed(numbers[0]) + steps if numbers else "0"), sum(numbers)


# The felt


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


def _so_far(table):
    """The `Outcome` if the trick ended now, or None while nobody has bid a number."""
    cards = [play["card"] for play in table["plays"]]
    if all(card not in NUMBER for card in cards):
        return None
    return outcome(cards, table["centre"], lowest=table["lowest"], colour_bids=table["options"]["colour_bids"])


def _slots(table, done):
    """The places of the trick by seat: the one that is being played, or the finished one before it."""
    count = table["seats"]
    if done:
        return slots(count, done["plays"], done["winner"], burnt=done["winner"] is None)
    places = slots(count, table["plays"])
    now = _so_far(table)
    if now and now.winning is not None:
        ahead = table["plays"][now.winning]["seat"]
        classes, face = places[ahead]
        places[ahead] = Markup(f"{classes} ahead"), face
    return places


def _standing(table, done, names):
    """How the trick on the table stands: (state, a sentence, a few words), state "ahead", "burning" or ""."""
    if done:
        return _ended(done, names)
    now = _so_far(table)
    if now is None:
        return "", "Nobody has bid a number yet.", ""
    lead = table["plays"][now.leading]
    if now.winning is not None:
        name = names[lead["seat"]]
        return "ahead", f"{name} is ahead with the {NAMES[lead['card']]}.", f"{name} is ahead"
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
    """As `_standing`, of a finished trick."""
    if trick["winner"] is None:
        why = "The card in the centre was best" if trick["by_centre"] else "A tie"
        return "burnt", f"{why}: the trick is burnt.", "Last trick burnt"
    name, points = names[trick["winner"]], _points(trick["points"])
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
    """For each seat what it has won in this round, in words, and the seat it is allied with or None."""
    sheet = table["score_sheet"]
    current = sheet["current"]
    if current is None:
        last = sheet["rounds"][-1] if sheet["rounds"] else None
        partners = _ally_of(last)
        scored = last["total"] if last else [None] * table["seats"]
        return [(_scored_words(points), partners.get(seat)) for seat, points in enumerate(scored)]
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
        return Markup(
            f'<span class="prospect" title="{words}" aria-hidden="true">'
            f'<span class="wide">no black: </span><span class="narrow">null </span>{signed(prospect, plus=True)}</span>'
            f'<span class="hidden-text">{words}</span>'
        )
    number, word = _points(points).split()
    return Markup(f"{number}<span class=wide> {word}</span>, {black} black")


@cache
def _scored_words(points):
    return Markup("–" if points is None else f"{signed(points, plus=True)} this round")


@cache
def _ally_mark(name):
    title = Markup(f"Allied with {escape(name)}")
    return Markup(f'<span class="mark allied" title="{title}" role="img" aria-label="{title}"></span>')


def _contract(table, done, standing, names):
    """What is played for, with all that has been added to it."""
    sheet = table["score_sheet"]
    playing = table["phase"] == "play"
    cards = []
    if playing:
        cards = [table["centre"], *(play["card"] for play in table["plays"] if is_black(play["card"]))]
    elif done:
        cards = _black(done)
    steps, total = _sum(cards)
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
        "round": f"Round {number} of {rounds}",
        "trick": f"trick {table['trick']} of 10" if playing else "",
        "black": Markup("".join(MINI[card] for card in cards)),
        "words": joined([NAMES[card] for card in cards]),
        "steps": steps if numbers > 1 and not hidden and not double else "",
        "total": _worth(cards, hidden) if cards else "",
        "unit": _points(total).split()[1] if cards and not double else "",
        "double": double,
        "gives": _would_double(table, names) if playing and double else "",
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
    _, total = _sum(cards)
    added = any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        return f"2× {'−' if total < 0 else '+'} {abs(total)}" if added else "×2"
    if hidden:
        return f"{signed(total)} + ?" if added else "?"
    return signed(total)


def _worth_in_words(cards, hidden):
    """As `_worth`, for those who hear it."""
    _, total = _sum(cards)
    added = any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        return f"{DOUBLES}, {_points(total)} added first" if added else DOUBLES
    if hidden:
        return f"worth {_points(total)} and what lies under it" if added else "worth what lies under it"
    return f"worth {_points(total)}"


def _would_double(table, names):
    """What the black 2× would make of the points of whoever is ahead: "Ana: 13 to 26"; "" while nobody is."""
    now = _so_far(table)
    if now is None or now.winning is None:
        return ""
    ahead = table["plays"][now.winning]["seat"]
    _, points = _sum([play["card"] for play in table["plays"] if is_black(play["card"])])
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
        "letter": colour,
        "count": str(count),
        "words": f"{COLOUR_WORDS[colour]} {count}{', on top' if top else ''}",
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
    """What the middle of the table says: (class, words), or None."""
    phase = table["phase"]
    if phase == "over":
        return "won", winners_words(table["score_sheet"]["totals"], names)
    if phase == "deal" and not done:
        return "", "The cards are dealt"
    state, _, words = standing
    return (state, words) if words else ("", f"{names[table['leader']]} leads") if not table["plays"] else None


def _what_became_of_it(trick, names):
    """Who led a finished trick, and who won what, in words."""
    leader = names[trick["leader"]]
    if trick["winner"] is None:
        why = "the centre was best" if trick["by_centre"] else "a tie"
        return f"{leader} led, {why}: burnt, {_points(trick['points'])} lost."
    words = f"{leader} led, {names[trick['winner']]} won {_points(trick['points'])}"
    return f"{words}, {_doubled_words(trick['doubling'])}." if trick["doubling"] else f"{words}."


# What is expected of a seat


def _stage(table):
    return "Final result" if table["phase"] == "over" else f"Round {table['round']}"


def _sentence(table, moves, names):
    seat, phase = table["seat"], table["phase"]
    totals = table["score_sheet"]["totals"]
    if phase == "over":
        return end_sentence(totals, seat, names)
    if phase == "deal":
        return _scored_sentence(table, names)
    if not moves:
        watching = "You are watching. " if seat is None else ""
        return f"{watching}{names[table['to_act']]} is to bid."
    if table["plays"]:
        return f"Your bid. {_standing(table, None, names)[1]}"
    what = "the hidden card" if table["centre"] == SURPRISE else f"the {NAMES[table['centre']]}"
    won = table["tricks"] and table["tricks"][-1]["winner"] == seat
    begin = "Lowest wins" if table["lowest"] else "You won" if won else "You lead"
    return f"{begin}. Bid any card for {what}."


def _scored_sentence(table, names):
    rounds, seat = table["score_sheet"]["rounds"], table["seat"]
    if not rounds:
        return f"The cards are about to be dealt: {names[table['first_leader']]} leads."
    last = rounds[-1]
    if seat is None:
        best = max(last["total"])
        most = [name for name, points in zip(names, last["total"], strict=True) if points == best]
        return f"Round {last['round']}: most for {joined(most)}, {_points(best)}."
    words = f"{_points(last['total'][seat])} for you in round {last['round']}"
    if last["null"][seat]:
        return f"{words}: no black card, Lucky Loser {signed(last['lucky_loser'][seat], plus=True)}."
    return f"{words}."


# The result of a round, and of the match


def _result(table, players):
    """A line for every seat: what its points of the last round are made of; by place when the match is over."""
    sheet, over = table["score_sheet"], table["phase"] == "over"
    last = sheet["rounds"][-1]
    doubled, allied = any(last["doubling"]), bool(last["ally"])
    columns = [("Tricks", last["trick_points"])]
    columns += [("2×", last["doubling"])] if doubled else []
    columns += [("Lucky", last["lucky_loser"])]
    columns += [("Ally", last["ally_change"])] if allied else []
    lines = []
    for seat, total, place in placed(sheet["totals"]):
        lines.append(
            {
                "seat": seat,
                "classes": "me" if seat == table["seat"] else "",
                "place": str(place),
                "crown": CROWN if over and place == 1 else "",
                "name": players[seat]["name"],
                "parts": [_part(figures[seat], heading) for heading, figures in columns],
                "points": signed(last["total"][seat], plus=True),
                "total": signed(total),
            }
        )
    if not over:
        lines.sort(key=lambda line: line["seat"])
    return {
        "over": over,
        "heading": "Final result" if over else f"Round {last['round']} of {table['options']['rounds']}",
        "columns": [heading for heading, _ in columns],
        "lines": lines,
    }


def _part(points, heading):
    return signed(points, plus=heading != "Tricks") if points else "–"


# The sheet


def _added(left, right):
    return [one + other for one, other in zip(left, right, strict=True)]


def _by_seat(number, tricks, links):
    """By seat the tricks it won in a round, each with its events and a link. New links are added to `links`."""
    won = {}
    for trick in tricks:
        if trick["deal"] != number:
            continue
        events = {event["type"]: event for event in trick["events"]}
        if "trick_won" in events:
            link = {"move": trick["move"], "trick": f"Trick {trick['trick']}", "url": ""}
            links.append(link)
            won.setdefault(events["trick_won"]["seat"], []).append((link, events))
    return won


def _sheet_row(row, names, won, after, null_rounds):
    """A finished round: a line of figures for each part of it, and for each seat how its figures came about."""
    number, seats = row["round"], range(len(names))
    parts = [_line("Tricks", row["trick_points"], row["black_cards"])]
    parts += [_line("2×", row["doubling"])] if any(row["doubling"]) else []
    parts += [_line(LUCKY, row["lucky_loser"])]
    parts += [_line("Ally", row["ally_change"])] if row["ally"] else []
    for part in parts:
        _name_figures(part, number)
    return {
        "deal": number,
        "number": str(number),
        "classes": "scored",
        "parts": parts,
        "points": _name_figures(_line("Round", row["total"], [True] * len(names)), number)["figures"],
        "after": [signed(total) for total in after],
        "workings": [
            {
                "id": _workings_id(number, seat),
                "heading": f"{names[seat]}, round {number}",
                "tricks": _trick_steps(won.get(seat, ())),
                "steps": _steps(row, seat, names, null_rounds[seat], after[seat]),
            }
            for seat in seats
        ],
        "url": "",  # the page that shows the sheet knows where its deals are
    }


def _current_row(current, names, won, null_rounds):
    """The round that is being played: nothing in it is in the totals yet."""
    number, seats = current["round"], range(len(names))
    prospects = [
        0 if black else LUCKY_LOSER[len(names)] * (nulls + 1)
        for black, nulls in zip(current["black_cards"], null_rounds, strict=True)
    ]
    parts = [_line("Tricks", current["trick_points"], current["black_cards"])]
    parts += [_line("2×", current["doubling"])] if any(current["doubling"]) else []
    lucky = _line(LUCKY, prospects)
    for figure in lucky["figures"]:
        if figure["text"] != "–":
            figure |= {"text": f"({figure['text']})", "words": "if it stays without a black card"}
    parts.append(lucky)
    for part in parts:
        _name_figures(part, number)
    ally = current["ally"]
    pair = f"{names[ally['seat']]} and {names[ally['partner']]} are allied." if ally else ""
    return {
        "deal": number,
        "number": str(number),
        "classes": "current",
        "parts": parts,
        "points": (),
        "after": (),
        "workings": [
            {
                "id": _workings_id(number, seat),
                "heading": f"{names[seat]}, round {number} so far",
                "tricks": _trick_steps(won.get(seat, ())),
                "steps": [
                    f"{plural(current['black_cards'][seat], 'black card')} so far."
                    if current["black_cards"][seat]
                    else f"No black card yet: this null round would pay {prospects[seat]}.",
                    *([pair] if ally and seat in ally.values() else []),
                ],
            }
            for seat in seats
        ],
        "url": "",
    }


def _line(heading, figures, shown=()):
    """shown: by seat whether nothing is to be written as 0; otherwise as a dash."""
    shown = shown or [False] * len(figures)
    texts = [signed(points) if points or zero else "–" for points, zero in zip(figures, shown, strict=True)]
    return {"heading": heading, "figures": [{"text": text, "words": ""} for text in texts]}


def _name_figures(line, number):
    """The line, with what its every figure opens."""
    name = line["heading"].partition("<")[0].lower().replace("×", "x")
    for seat, figure in enumerate(line["figures"]):
        figure |= {"id": f"figure-{number}-{seat}-{name}", "opens": _workings_id(number, seat)}
    return line


def _workings_id(number, seat):
    return f"workings-{number}-{seat}"


def _trick_steps(won):
    """The tricks that a seat won, as [(link, words)]."""
    steps = []
    for link, events in won:
        event = events["trick_won"]
        numbers, total = _sum(event["black"])
        cards = joined([NAMES[card] for card in event["black"]])
        sums = f" ({numbers})" if len(event["black"]) > 1 else ""
        words = f"{cards}: {_points(total)}{sums}"
        if "doubled" in events:
            before, after = events["doubled"]["before"], events["doubled"]["after"]
            words += f", then {signed(before)} doubled to {signed(after)}"
        if "allied" in events:
            words += ", with the Ally"
        steps.append({"link": link, "words": f"{words}."})
    return steps


def _steps(row, seat, names, null_rounds, after):
    """How the points of a seat in a finished round came about, from its tricks on: a list of sentences."""
    won, doubling, lucky, total = (row[part][seat] for part in ("trick_points", "doubling", "lucky_loser", "total"))
    steps = []
    if row["null"][seat]:
        base = LUCKY_LOSER[len(names)]
        steps.append(f"No black card: null round {null_rounds}, {base} × {null_rounds} = {lucky}.")
    else:
        steps.append(f"{plural(row['black_cards'][seat], 'black card')}: {_points(won)}.")
    if doubling:
        steps.append(f"Doubled by the black 2×: {signed(doubling, plus=True)}.")
    ally = row["ally"]
    if ally and seat in ally.values():
        pair = [ally["seat"], ally["partner"]]
        own = [sum(row[part][other] for part in ("trick_points", "doubling", "lucky_loser")) for other in pair]
        steps.append(
            f"{names[pair[0]]} played the Ally and {names[pair[1]]} won that trick: "
            f"({signed(own[0])} + {_in_sum(own[1])}) ÷ 2 = {signed(total)} for each, "
            f"a change of {signed(row['ally_change'][seat], plus=True)}."
        )
    steps.append(f"Round {row['round']}: {_points(total)}. After it: {signed(after)}.")
    return steps


def _in_sum(number):
    return f"({signed(number)})" if number < 0 else signed(number)


# Sentences


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
        yield f"Trick {event['trick']}: the {NAMES[card]} is in the centre."


def _lowest(event, names):
    yield "From now on the lowest number wins."


def _played(event, names):
    yield f"{names[event['seat']]} {_does(event['card'])}."


def _revealed(event, names):
    yield f"Under the Surprise card lay the {NAMES[event['card']]}."


def _trick_won(event, names):
    black = plural(len(event["black"]), "black card")
    yield f"{names[event['seat']]} wins {black}, {_points(event['points'])}."


def _trick_burnt(event, names):
    why = "The card in the centre is best" if event["by_centre"] else "A tie for the best bid"
    yield f"{why}: nobody wins this trick of {_points(event['points'])}. {names[event['leads']]} leads."


def _doubled(event, names):
    yield f"{names[event['seat']]} doubles {signed(event['before'])} to {signed(event['after'])}."


def _allied(event, names):
    yield f"{names[event['seat']]} and {names[event['partner']]} are allied: they will share this round's points."


def _lucky_loser(event, names):
    name, nulls = names[event["seat"]], event["null_rounds"]
    yield f"No black card for {name}, null round {nulls}: {_points(event['points'])} for the Lucky Loser."


def _shared(event, names):
    pair = f"{names[event['seat']]} and {names[event['partner']]}"
    yield f"{pair} share: {_points(event['each'])} each."


def _round_scored(event, names):
    points = ", ".join(f"{name} {signed(total)}" for name, total in zip(names, event["total"], strict=True))
    yield f"Round {event['round']}: {points}."


_SENTENCES = {
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
