"""The sensible Bleven player: knows what its field is likely to win, and says what promises the most stones.

Everything follows from the odds: the chance of each set of tricks that its side could win, against all fields that
rivals may hold. They are exact against one hidden field and drawn at random against more. From them it works out what
any prediction, answer or bet promises, in stones of its side less those of the other, and takes the best. How others
answer is guessed by a few constants below. The match score it does not look at.

Sets of tricks are the bits of an int: 1 for the first trick, 2 for the second, 4 for the third. Cards are ints, their
power, from 0 for the lowest of the pack to 39.
"""

from functools import partial
from math import prod, sumprod
from typing import NamedTuple

from games.bleven.rules.pack import ASCENDING, POWER, VALUES
from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE, MIN_SUM, POSITIONS, complete_options

# What people do. BLUFF and the `Turns` below were chosen by trying others against one another and against simple plans,
# with prices of 1 and 4. The others are guesses of how people behave at a table; certainties do not depend on them.
ODD_CARD = 0.25  # how likely a card below one thrown away is to have been kept, compared to a higher one
STRONG = 22  # the sum of a field with which people declare early, or stay when another has declared
BLUFF = 0.7  # how likely a field below that is then, compared to one above
BELIEF = 2.0  # how much likelier a rival's word makes what it hopes for
DOUBTED = {True: 0.4, False: 0.6}  # how often a prediction that comes true, or does not, is suspected
TOPPED = 2.0  # stones lost by a prediction that fails if the replier can top it
WORLDS = 60  # drawn where more than one field is hidden: the odds are then good to about a sixteenth

MOST = FIELD_SIZE - 1  # tricks: so many are a prediction that mostly fails
WON = range(1 << FIELD_SIZE)  # all sets of tricks
PREDICTIONS = [(tricks, positions) for tricks, sets in enumerate(POSITIONS) for positions in sets]


def _points(tricks, positions):
    """What a prediction scores, by the set of tricks won. Source: "Scoring"."""
    named = sum(1 << place - 1 for place in positions)
    return [triangular((tricks if won.bit_count() == tricks else 0) + (won & named).bit_count()) for won in WON]


POINTS = {prediction: _points(*prediction) for prediction in PREDICTIONS}
RIGHT = [[float(won.bit_count() == tricks) for won in WON] for tricks in range(FIELD_SIZE + 1)]


class Turns(NamedTuple):
    """When to declare, when to stay, and when to raise."""

    ready: float = 5.0  # points that a field must promise to declare before the reserve is full
    last_call: float = 2.0  # the same when it is full
    stays: float = -8.0  # points that it must promise beyond the rivals' to stay: who leaves too often is declared out
    helps: float | None = None  # the same where the partner may stay too; None to stay with any field then
    raises: float | None = None  # the same to doubt a prediction of most tricks with all the room; None not to


TURNS = Turns()


class BlevenBot:
    """Plays with two and four seats under all options. It draws random numbers only to imagine hidden fields."""

    def __init__(self, name="sensible-1", worlds=WORLDS, turns=TURNS):
        self.name = name
        self.worlds = worlds
        self.turns = turns

    def choose(self, table, moves, rng):
        if len(moves) == 1:
            return moves[0]
        position = read_table(table)
        find_odds = partial(self.odds_of, position, rng=rng)
        if table["phase"] == "discard":
            return {"type": "discard", "card": ASCENDING[choose_discard(position, find_odds)]}
        if table["phase"] in ("turn", "poll"):
            return {"type": choose_turn(position, [move["type"] for move in moves], find_odds, self.turns)}
        (odds,) = find_odds([position.hand])
        if table["phase"] == "reply" and self.raises(position, odds):
            doubts = [move for move in moves if move["type"] == "suspect" and "tricks" not in move]
            return max(doubts, key=lambda move: move.get("plus", 0))
        odds, calm_first = believed(position, odds), sorted(moves, key=lambda move: move["type"] != "pass")
        return max(calm_first, key=lambda move: worth(position, odds, move))  # of equal promises the first

    def odds_of(self, position, fields, rng):
        return odds_of(position, fields, rng, self.worlds)

    def raises(self, position, odds):
        """Whether to doubt a prediction of most tricks with all the room: many go out rather than accept."""
        least = self.turns.raises
        if least is None or position.played or position.prediction[0] < MOST:
            return False
        return not position.short and promise(odds) - promise(odds[::-1]) >= least


class Rival(NamedTuple):
    """Another seat that plays for the tricks, the partner too, as everybody knows it."""

    partner: bool
    hidden: int  # how many cards it holds unseen
    above: int  # the highest card it has played, or -1: it holds only higher ones
    needs: int  # what its hidden cards must at least add up to
    bluff: int  # how much less than it has shown to be worth they may add up to, if it has bluffed
    thrown: int  # the highest card it has discarded, or -1
    discards: int = 0  # in its reserve


class Position(NamedTuple):
    """What a seat knows when it is to act. Stones are those on the table."""

    hand: tuple  # ascending
    unseen: tuple  # the cards that may be in other hands, ascending
    rivals: tuple
    won: int  # the set of tricks that the own side has won
    played: int  # how many tricks are over
    short: bool  # whether the own field is short of 15, and so wins nothing
    partner: bool  # whether the partner is still in
    players: int  # in a side
    price: int  # stones that a side loses that gives up
    discards: int  # in the own reserve
    declaring: bool  # whether the own side declares
    prediction: tuple | None
    claim: bool | None  # whether the rival to be answered says that the prediction will be right; None for no claim
    answer: str | None
    deduced_pays: bool  # whether a prediction that fails costs the bet even if it was believed
    most: int  # stones that can be at stake
    doubling: bool  # whether a counter-prediction must add as many stones as are at stake
    accepted: int
    offered: int
    side_bets: int
    side_offer: int | None


def read_table(table):
    """The `Position` of the seat whose view `table` is."""
    seat, seats, bet = table["seat"], table["seats"], table["bet"]
    shown = [[] for _ in range(seats)]  # by seat, the cards played
    for trick in table["tricks"]:
        for play in trick["plays"]:
            shown[play["seat"]].append(POWER[play["card"]])
    hand = tuple(POWER[card] for card in table["hand"])
    seen = {*hand, *(card for cards in shown for card in cards)}
    seen |= {POWER[card] for cards in (*table["reserves"], *table["faced"]) for card in cards or ()}
    others = [other for other in range(seats) if other != seat and table["status"][other] in ("undecided", "stayed")]
    prediction, offer = table["prediction"], table["side_offer"]
    terms = complete_options(table["options"])
    return Position(
        hand=hand,
        unseen=tuple(card for card in range(len(VALUES)) if card not in seen),
        rivals=tuple(_rival(table, other, shown[other]) for other in others),
        won=sum(1 << place for place, trick in enumerate(table["tricks"]) if trick["side"] == seat % 2),
        played=len(table["tricks"]),
        short=sum(VALUES[card] for card in (*hand, *shown[seat])) < MIN_SUM,
        partner=any(other % 2 == seat % 2 for other in others),
        players=seats // 2,
        price=seats // 2 * terms["leave_cost"],
        discards=len(table["reserves"][seat]),
        declaring=table["declarer"] is not None and table["declarer"] % 2 == seat % 2,
        prediction=prediction and (prediction["tricks"], tuple(prediction["positions"])),
        claim=_claim(table),
        answer=table["answer"],
        deduced_pays=terms["deduced_miss"] == "bet",
        most=terms["max_bet"],
        doubling=terms["counter"] == "double",
        accepted=bet["accepted"],
        offered=bet["offered"],
        side_bets=bet["side_bets"],
        side_offer=offer and offer["bet"],
    )


def _rival(table, seat, shown):
    """What the table tells of another seat. shown: the cards it has played."""
    known = sum(VALUES[card] for card in shown)
    needs = max(MIN_SUM - known, 0)
    return Rival(
        partner=seat % 2 == table["seat"] % 2,
        hidden=table["hand_counts"][seat],
        above=max(shown, default=-1),
        needs=needs,
        bluff=max(STRONG - known, 0) - needs if _has_shown_strength(table, seat) else 0,
        thrown=max((POWER[card] for card in table["reserves"][seat]), default=-1),
        discards=len(table["reserves"][seat]),
    )


def _has_shown_strength(table, seat):
    """Whether a seat declared with draws left, or stayed without a partner when another had declared."""
    said = [(words["seat"], words["type"]) for words in table["said"] if words["type"] in ("declare", "stay")]
    if (seat, "declare") in said:
        return len(table["reserves"][seat]) < FULL_RESERVE
    alone = table["seats"] == 2 or table["status"][(seat + 2) % 4] == "left"
    kinds = [kind for _, kind in said]
    return alone and "declare" in kinds and (seat, "stay") in said[kinds.index("declare") :]


def _claim(table):
    match table["phase"]:
        case "reply":
            return True
        case "raise" if table["answer"] == "suspect":
            return False
        case "side_reply":
            return table["side_offer"]["seat"] % 2 == table["declarer"] % 2
    return None


# The discard phase. `find_odds` is `odds_of` with all but the fields filled in.


def choose_discard(position, find_odds):
    """The card whose going leaves the field that promises most, of 15 if that can be; of equals the lowest."""
    fields = [tuple(card for card in position.hand if card != gone) for gone in position.hand]
    enough = [sum(VALUES[card] for card in field) >= MIN_SUM for field in fields]
    promises = map(promise, find_odds(fields))
    return max(zip(enough, promises, position.hand, strict=True), key=lambda choice: choice[:2])[2]


def choose_turn(position, kinds, find_odds, turns=TURNS):
    """The type of the move to make when undecided, out of `kinds`."""
    if position.short:
        return "draw" if "draw" in kinds else "leave"
    (odds,) = find_odds([position.hand])
    full = position.discards >= FULL_RESERVE
    if "declare" in kinds and promise(odds) >= (turns.last_call if full else turns.ready):
        return "declare"
    if "draw" in kinds and not full:
        return "draw"
    least = turns.helps if position.partner else turns.stays
    return "stay" if least is None or promise(odds) - promise(odds[::-1]) >= least else "leave"


def promise(odds):
    """The points to be expected of the prediction that promises most, for the side whose odds these are."""
    return max(sumprod(odds, points) for points in POINTS.values())


# The odds


def odds_of(position, fields, rng, count=WORLDS):
    """For each of these own fields the chance of every set of tricks: lists by `WON`, for the own side.

    The odds of the other side are the same list from behind. count: worlds that are imagined against more than one.
    """
    if position.short and len(position.hand) <= FIELD_SIZE:
        fields = [(-1,) * len(position.hand)]  # it takes no trick
    if len(position.rivals) == 1:
        return [_exact_odds(position, field) for field in fields]
    seats = [(rival, [card for card in position.unseen if card > rival.above]) for rival in position.rivals]
    worlds = [_imagined(position, seats, rng) for _ in range(count)]
    return [counted_odds(position, field, worlds) for field in fields]


def likelihood(rival, card):
    """How likely a seat is to hold a card, as a factor: people throw their lowest cards away."""
    return ODD_CARD if card < rival.thrown else 1.0


def _exact_odds(position, field):
    """The odds against one hidden field: a sum over all that it can be, made card by card from the lowest on."""
    (rival,) = position.rivals
    ways = [{} for _ in range(rival.hidden + 1)]  # by how many of its cards are chosen: {(needed, won): weight}
    ways[0][rival.needs + rival.bluff, position.won] = 1.0
    for card in position.unseen:
        if card < rival.above:
            continue
        weight, value = likelihood(rival, card), VALUES[card]
        for chosen in reversed(range(rival.hidden)):
            takes = (field[chosen] > card) << position.played + chosen
            more = ways[chosen + 1]
            for (needed, won), weighed in ways[chosen].items():
                key = max(needed - value, 0), won | takes
                more[key] = more.get(key, 0.0) + weighed * weight
    odds = [0.0] * len(WON)
    missing = max(rival.bluff, min(needed for needed, _ in ways[-1]))  # more only if the field must be short
    for (needed, won), weight in ways[-1].items():
        if needed <= missing:
            odds[won] += weight * (BLUFF if needed else 1.0)
    return _normal(odds)


def _imagined(position, seats, rng):
    """Hidden fields for all: the tricks that the partner takes or the side has, and for each trick the card to beat.

    seats: pairs of a rival and the unseen cards that it may hold.
    """
    left = FIELD_SIZE - position.played
    theirs, partners, used = [-1] * left, [-1] * left, set()
    for rival, cards in seats:
        cards = _likely_cards(rival, cards, used, rng)
        used.update(cards)
        best = partners if rival.partner else theirs
        for place, card in enumerate(cards):
            if card > best[place]:
                best[place] = card
    won = position.won
    for place in range(left):
        won |= (partners[place] > theirs[place]) << position.played + place
    return won, theirs


def _likely_cards(rival, cards, used, rng):
    """The hidden cards of a seat, ascending: drawn by likelihood from `cards`, less those used for others."""
    for _ in range(20):
        drawn = {cards[int(rng.random() * len(cards))] for _ in range(rival.hidden)}
        beyond = sum([VALUES[card] for card in drawn]) - rival.needs
        if len(drawn) < rival.hidden or beyond < 0 or not drawn.isdisjoint(used):
            continue
        chance = prod([likelihood(rival, card) for card in drawn]) * (BLUFF if beyond < rival.bluff else 1.0)
        if rng.random() < chance:
            return sorted(drawn)
    return sorted(rng.sample(cards, rival.hidden))  # hardly anything fits: an odd field does little harm


def counted_odds(position, field, worlds):
    """The odds of a field in worlds: pairs of a set of tricks that its side has without it, and the cards to beat."""
    odds = [0.0] * len(WON)
    for won, theirs in worlds:
        for place, card in enumerate(theirs):
            if field[place] > card:
                won |= 1 << position.played + place
        odds[won] += 1.0
    return _normal(odds)


def believed(position, odds):
    """The odds, given what the rival who has just spoken claims: it knows its own field."""
    if position.claim is None:
        return odds
    right = RIGHT[position.prediction[0]]
    if not position.declaring:
        right = right[::-1]
    hoped = float(position.claim)
    return _normal([chance * (BELIEF if comes == hoped else 1.0) for chance, comes in zip(odds, right, strict=True)])


def _normal(weights):
    total = sum(weights)
    return [weight / total for weight in weights]


# Predictions, answers and bets


def worth(position, odds, move):
    """The stones that a move promises: those of the own side less those of the other."""
    kind = move["type"]
    added = move.get("bet", move.get("plus", 0))
    if kind == "out":
        return -_forfeit(position)
    if "tricks" in move:
        prediction = move["tricks"], tuple(move.get("positions", ()))
        return _as_declarer(position, odds, prediction, position.offered + added)
    if kind in ("deduce", "suspect"):
        value = _played_out(position, odds, kind, position.offered + added, position.side_bets)
        return _if_refused(position, value) if added else value
    if kind == "side_bet":
        value = _played_out(position, odds, position.answer, position.accepted, position.side_bets + added)
        return _if_refused(position, value)
    # accept, in or pass
    return _played_out(
        position, odds, position.answer, position.offered, position.side_bets + (position.side_offer or 0)
    )


def _played_out(position, odds, answer, bet, side_bets):
    """What the round is worth if it is played out with the standing prediction and these stones."""
    if position.short and not position.partner:
        return -(position.price + bet + side_bets)  # lost whatever the tricks
    won = bet if answer == "suspect" else 0
    lost = bet if answer == "suspect" or position.deduced_pays else 0
    if position.declaring:
        return _declared(odds, position.prediction, won + side_bets, lost + side_bets)
    return -_declared(odds[::-1], position.prediction, won + side_bets, lost + side_bets)


def _as_declarer(position, odds, prediction, bet):
    """What it is worth to predict, not knowing what will be answered."""
    if position.short and not position.partner:
        return -(position.price + bet + position.side_bets)
    won = DOUBTED[True] * bet
    lost = bet if position.deduced_pays else DOUBTED[False] * bet
    if not position.doubling or 2 * (bet + position.side_bets) <= position.most:
        lost += TOPPED
    return _declared(odds, prediction, won + position.side_bets, lost + position.side_bets)


def _declared(odds, prediction, won, lost):
    """What a prediction is worth to the side that makes it, whose odds these are, besides these stones."""
    right = sumprod(odds, RIGHT[prediction[0]])
    return sumprod(odds, POINTS[prediction]) + right * won - (1 - right) * lost


def _forfeit(position):
    """The stones lost by going out. The partner would have to go too, which is counted as sure."""
    return position.price + position.players + position.accepted + position.side_bets


def _if_refused(position, value):
    """What a bet is worth that would be worth `value` if taken: one time in two rivals go out of what they should."""
    return (value + min(value, _forfeit(position))) / 2
