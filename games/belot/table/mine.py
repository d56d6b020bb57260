"""What one seat sees besides the felt: its hand, its calls, what it may announce, what a deal came to."""

from functools import cache

from games.belot.rules.declarations import points_of
from games.belot.rules.pack import CONTRACTS, trump_suits
from games.belot.rules.tricks import winner_of
from games.belot.table.terms import (
    CONTRACT_WORDS,
    DOUBLES,
    SIGNS,
    call_words,
    card_values,
    contract_words,
    declaration_words,
    labels,
    own_first,
    short_contract,
    side_names,
    small_cards,
)
from games.belot.table.words import OUTCOMES, written_words
from games.kit.contract import placed
from games.kit.drawing import own_part
from games.kit.hands import drawn_hand
from games.kit.markup import CROWN, Markup
from games.kit.tricks import played_by
from games.kit.words import CARD_NAMES, PLACES, RANK_WORDS, SUIT_WORDS, joined, number_word, plural, signed

VERDICTS = {"number": "", "dash": "dash", "hanging": "hang"}


def mine(drawing, table, moves, players):
    phase, seat = table["phase"], table["seat"]
    names = [player["name"] for player in players]
    row = _scored(table)
    if phase in ("deal", "over"):
        sentence = _end_sentence(table, names) if phase == "over" else _scored_sentence(table, row, names)
    else:
        sentence = _sentence(table, moves, names)
    stage = "Final result" if phase == "over" else f"Deal {table['deal_number']}"
    mine = own_part(stage, table, moves, players, sentence)
    mine |= {"classes": f"mine in-{phase}", "offers": None, "values": []}
    if table["hand"]:
        legal = {move["card"] for move in moves if move["type"] == "play"} if phase == "play" and moves else None
        belots = {move["card"]: (_belot_move(move["card"]), "belot") for move in moves if "belot" in move}
        ranks = drawing.ranks_of(table)
        dealt = [*table["hand"], *played_by(seat, [*table["tricks"], table["trick"]])]
        mine["hand"] = drawn_hand(table["hand"], drawing.trump_of(table), legal, ranks, belots, dealt=dealt)
    if phase == "bid" and seat is not None:
        mine["bids"] = _bid_box(table, moves, names)
    if phase == "play" and seat is not None:
        mine["offers"] = _offers(table, moves)
        mine["values"] = card_values(table["contract"]["contract"], table["seats"])
    if row:
        mine["result"] = _result(table, row, names)
    return mine


def _scored(table):
    """The deal just ended, if it was played."""
    last = table["last_hand"]
    return last if last and last["outcome"] != "passed" else None


# What is expected of a seat


def _sentence(table, moves, names):
    phase, seat, actor = table["phase"], table["seat"], table["to_act"]
    if not moves:
        doing = "call" if phase == "bid" else "play"
        watching = "You are watching. " if seat is None else ""
        return f"{watching}{names[actor]} is to {doing}."
    if phase == "bid":
        return _calling(table, moves, names)
    if any(move["type"] == "declare" for move in moves):
        return "Your turn. Declare now, or play a card."
    return f"Your turn. {_duty(table, {move['card'] for move in moves})}"


def _calling(table, moves, names):
    """What may be called, in a line that a phone has room for; the bid box tells the rest."""
    kinds = [move["type"] for move in moves]
    if "pass" not in kinds:
        return "Your call. All have passed: you must bid."
    if not table["contract"]:
        return "Your call. Nobody has bid yet."
    others = [DOUBLES[kind][0].lower() for kind in kinds if kind in DOUBLES]
    words = [*(["bid higher"] if "bid" in kinds else []), *others, "pass"]
    return f"Your call: {', '.join(words[:-1])}{' or ' if len(words) > 1 else ''}{words[-1]}."


def _duty(table, legal):
    """What the seat to act must play, and why."""
    plays, hand, contract = table["trick"]["plays"], set(table["hand"]), table["contract"]["contract"]
    if not plays:
        won = table["tricks"] and table["tricks"][-1]["winner"] == table["seat"]
        return "You took the trick: lead any card." if won else "Lead any card."
    trick = [play["card"] for play in plays]
    led, best = trick[0][1], trick[winner_of(contract, trick)]
    suit = SUIT_WORDS[led]
    following = {card for card in hand if card[1] == led}
    if not following:
        if legal == hand:
            return f"You have no {suit}: play any card."
        trumps = {card for card in hand if card[1] == contract}
        return f"You have no {suit}: {'overtrump' if legal < trumps else 'play a trump'}."
    if led in trump_suits(contract) and best[1] == led:
        if _beat(contract, trick, legal):
            return f"{suit.capitalize()}, higher than the {RANK_WORDS[best[0]]}."
        return f"{suit.capitalize()}: you can't beat the {RANK_WORDS[best[0]]}."
    return f"{suit.capitalize()} were led: follow suit."


def _beat(contract, trick, cards):
    return any(winner_of(contract, [*trick, card]) == len(trick) for card in cards)


def _written(row, viewer, sides, names):
    """ "We write 8, you write 16."; in names for those who play alone and for spectators."""
    written = [written_words(*line) for line in zip(row["marks"], row["mp"], row["kirtik"], strict=True)]
    heads = side_names(sides, names)
    phrases = []
    for side in own_first(sides, viewer):
        mine, alone = viewer in sides[side], len(sides[side]) == 1
        if viewer is None or not (mine or not alone):
            head, verb = heads[side], "writes" if alone else "write"
        else:
            head, verb = ("You" if alone else "We") if mine else "you", "write"
        phrases.append(f"{head} {verb} {written[side]}")
    return ", ".join(phrases)


def _scored_sentence(table, row, names):
    if not row:
        passed = "Everybody passed. " if table["last_hand"] else ""
        return f"{passed}{names[table['dealer']]} is about to deal."
    hanging = f", {row['hanging']} hanging" if row["hanging"] else ""
    outcome = f"{short_contract(row).capitalize()} {OUTCOMES[row['outcome']].split(',')[0]}"
    return f"{outcome}. {_written(row, table['seat'], table['sides'], names)}{hanging}."


def _end_sentence(table, names):
    seat, sides, totals = table["seat"], table["sides"], table["totals"]
    order = placed(totals)
    best, most, _ = order[0]
    winners = side_names(sides, names)[best]
    others = joined([signed(total) for _, total, _ in order[1:]])
    after = plural(table["last_hand"]["deal"], "deal")
    if seat in sides[best]:
        return f"{'We' if len(sides[best]) > 1 else 'You'} win {most} to {others} after {after}."
    words = f"{winners} {'win' if len(sides[best]) > 1 else 'wins'} {most} to {others} after {after}."
    if seat is None or len(sides[best]) > 1:
        return words
    place = next(place for side, _, place in order if seat in sides[side])
    return f"{words} You are {PLACES[place - 1]}."


# The bid box


def _bid_box(table, moves, names):
    """The auction so far, and a button in a place of its own for every call; all of them closed out of turn."""
    calls, contract = table["calls"], table["contract"]
    open_calls = frozenset(move.get("contract", move["type"]) for move in moves)
    before = (table["seat"] - table["to_act"]) % table["seats"]
    turn = "you call next" if before == 1 else f"{number_word(before)} call before you"
    return {
        "heading": f"{contract_words(contract).capitalize()}, by {names[contract['bidder']]}"
        if contract
        else "No bid yet",
        "auction": ", ".join(f"{names[call['seat']]} {call_words(call)}" for call in calls),
        "wait": "" if moves else turn,
        "contracts": _contract_buttons(open_calls),
        "pass_closed": "pass" not in open_calls,
        "double": _double_button(open_calls, contract["level"] if contract else 1, table["options"]),
    }


@cache
def _contract_buttons(open_calls):
    return [
        {
            "contract": Markup(contract),
            "sign": SIGNS[contract],
            "name": CONTRACT_WORDS[contract].capitalize(),
            "closed": contract not in open_calls,
        }
        for contract in CONTRACTS
    ]


def _double_button(open_calls, level, options):
    """Double and its answers share a place: no two of them are ever open."""
    call = next((call for call in DOUBLES if call in open_calls), None)
    shown = call or ("surcontre" if level == 4 and options["third_double"] else "double" if level == 1 else "redouble")
    name, times = DOUBLES[shown]
    return {"call": shown, "name": name, "times": times, "closed": call is None}


# What may be announced


def _offers(table, moves):
    """What may be declared before the first card, what has been, and kings and queens to play without a word."""
    seat = table["seat"]
    declarations = [_declare_button(move) for move in moves if move["type"] == "declare"]
    without = [_plain_button(move["card"]) for move in moves if "belot" in move]
    made = [
        {
            "kind": each["kind"].capitalize(),
            "words": declaration_words(each),
            "cards": small_cards(tuple(each["cards"])),
        }
        for each in table["declared"]
        if each["seat"] == seat and _not_played(table)
    ]
    return {"declarations": declarations, "without": without, "made": made}


def _not_played(table):
    """Whether the seat has still to play to the first trick."""
    return not table["tricks"] and all(play["seat"] != table["seat"] for play in table["trick"]["plays"])


def _declare_button(move):
    cards = ",".join(f'"{card}"' for card in move["cards"])
    points = points_of(move["kind"], move["cards"][-1])
    return {
        "id": Markup(f"declare-{move['kind']}-{move['cards'][-1]}"),
        "value": Markup(f'{{"type":"declare","kind":"{move["kind"]}","cards":[{cards}]}}'),
        "name": move["kind"].capitalize(),
        "words": declaration_words(move),
        "cards": small_cards(tuple(move["cards"])),
        "points": str(points),
    }


def _plain_button(card):
    return {
        "id": Markup(f"plain-{card}"),
        "value": Markup(f'{{"type":"play","card":"{card}"}}'),
        "words": CARD_NAMES[card],
        "cards": small_cards((card,)),
    }


def _belot_move(card):
    """The move that plays a card with the announcement, as JSON."""
    return f'{{"type":"play","card":"{card}","belot":true}}'


# The result of a deal, and of the match


def _result(table, row, names):
    """A line for every side: its points and how they came about, what it writes; by place when the match is over."""
    seat, sides, over = table["seat"], table["sides"], table["phase"] == "over"
    heads = labels(sides, names, seat)
    mates = side_names(sides, names)
    lines = []
    places = {side: place for side, _, place in placed(row["totals"])}
    for side in list(places) if over and len(mates) == len(names) else own_first(sides, seat):
        cards = row["cards"][side] + _last_ten(row, side)
        extras = row["declarations"][side] + row["belots"][side]
        lines.append(
            {
                "classes": "me" if seat in sides[side] else "",
                "crown": CROWN if over and places[side] == 1 else "",
                "name": heads[side],
                "mates": mates[side] if heads[side] != mates[side] else "",
                "tricks": str(row["tricks"][side]),
                "cards": str(cards),
                "extras": str(extras) if extras else "–",
                "points": str(row["points"][side]),
                "written": _written_mark(row, side),
                "verdict": VERDICTS[row["marks"][side]],
                "total": signed(row["totals"][side]),
            }
        )
    return {
        "over": over,
        "heading": f"{short_contract(row).capitalize()} by {names[row['bidder']]}:",
        "outcome": OUTCOMES[row["outcome"]],
        "state": row["outcome"],
        "doubled": row["contract"] == "NT",
        "lines": lines,
        "announced": _announcements(row, names),
        "hanging": f"{row['hanging']} hang for whoever wins the next deal." if row["hanging"] and not over else "",
        "valat": f"Valat: {mates[row['valat']]} took all tricks, 9 more." if row["valat"] is not None else "",
    }


def _last_ten(row, side):
    """The ten of the last trick, if this match has it: what the points hold besides all else."""
    if side != row["last_trick"]:
        return 0
    doubled = 2 if row["contract"] == "NT" else 1
    return row["points"][side] // doubled - sum(row[part][side] for part in ("cards", "declarations", "belots"))


def _written_mark(row, side):
    """What is written in the column of a side: "16", "–", "hang"."""
    mark, mp = row["marks"][side], signed(row["mp"][side])
    if mark == "number":
        return mp
    sign = "–" if mark == "dash" else "hang"
    return f"{sign} ({mp})" if row["kirtik"][side] else sign


def _announcements(row, names):
    """The declarations of the deal with their cards, and the belots: dicts of a line each."""
    lines = [
        {
            "who": names[each["seat"]],
            "words": declaration_words(each),
            "cards": small_cards(tuple(each["cards"])),
            "kind": each["kind"],
            "points": str(each["points"]),
            "verdict": "counts" if each["counted"] else "does not count",
            "classes": "counted" if each["counted"] else "lost",
        }
        for each in row["declared"]
    ]
    return lines + [
        {
            "who": names[each["seat"]],
            "words": f"belot in {SUIT_WORDS[each['suit']]}",
            "cards": small_cards(("K" + each["suit"], "Q" + each["suit"])),
            "kind": "belot",
            "points": "20",
            "verdict": "counts",
            "classes": "counted",
        }
        for each in row["announced"]
    ]
