"""The sensible Bleven player, which makes the move with the highest expected stones.

It first works out the odds: the chance of each set of tricks that its side could win. They are exact against one
hidden field, and sampled against more. The odds give the expected stones of every prediction, answer and bet: the
stones of its own side minus the stones of the other. A few constants below guess how other players answer. The bot
ignores the match score.

A set of tricks is an int with a bit for each trick: 1 for the first, 2 for the second, 4 for the third. A card is an
int, its power: 0 is the lowest of the pack, 39 the highest.
"""

from functools import partial
from math import prod, sumprod
from typing import NamedTuple

from games.bleven.rules.pack import ASCENDING, POWER, VALUES
from games.bleven.rules.scoring import triangular
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE, MIN_SUM, POSITIONS, complete_options

# How people play. BLUFF and `Turns` come from matches between bots with different values, and against simple plans,
# with prices of 1 and 4. The other numbers are guesses. They only change the odds of what is uncertain.
ODD_CARD = 0.25  # Players rarely keep a card below one they discard: its weight, where higher cards weigh 1.
STRONG = 22  # The usual sum of a field that declares early, or stays after another declared.
BLUFF = 0.7  # The weight of a weaker field after such a move, where stronger fields weigh 1.
BELIEF = 2.0  # A rival's words multiply the odds of what it hopes for by this.
DOUBTED = {True: 0.4, False: 0.6}  # The share of right and of wrong predictions that are suspected.
TOPPED = 2.0  # The stones lost by a wrong prediction if the replier can top it.
WORLDS = 60  # The sample size where several fields are hidden. The odds are then good to about a sixteenth.

MOST = FIELD_SIZE - 1  # A prediction of this many tricks mostly fails.
WON = range(1 << FIELD_SIZE)  # All sets of tricks.
PREDICTIONS = [(tricks, positions) for tricks, sets in enumerate(POSITIONS) for positions in sets]


def _points(tricks, positions):
    """Return the points of a prediction, a list by the set of tricks won. Rules: "Scoring"."""
    named = sum(1 << place - 1 for place in positions)
    return [triangular((tricks if won.bit_count() == tricks else 0) + (won & named).bit_count()) for won in WON]


POINTS = {prediction: _points(*prediction) for prediction in PREDICTIONS}
RIGHT = [[float(won.bit_count() == tricks) for won in WON] for tricks in range(FIELD_SIZE + 1)]


class Turns(NamedTuple):
    """The thresholds for declaring, staying and raising, in points that a field promises."""

    ready: float = 5.0  # To declare before the reserve is full.
    last_call: float = 2.0  # To declare when the reserve is full.
    stays: float = -8.0  # To stay: the lead over the rivals. Others declare more against a player who leaves often.
    helps: float | None = None  # To stay if the partner may stay too. None: stay with any field.
    raises: float | None = None  # To doubt MOST tricks or more and raise to the limit. None: never raise.


TURNS = Turns()


class BlevenBot:
    """A bot for two and four seats and all options. It uses `rng` only to sample hidden fields."""

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
        return max(calm_first, key=lambda move: worth(position, odds, move))  # The first of equals.

    def odds_of(self, position, fields, rng):
        return odds_of(position, fields, rng, self.worlds)

    def raises(self, position, odds):
        """Return whether to doubt a long prediction and raise to the limit. Many declarers then go out."""
        least = self.turns.raises
        if least is None or position.played or position.prediction[0] < MOST:
            return False
        return not position.short and promise(odds) - promise(odds[::-1]) >= least


class Rival(NamedTuple):
    """What everybody knows about another seat that plays for the tricks, which may be the partner."""

    partner: bool
    hidden: int  # The number of its cards that are face down.
    above: int  # The highest card it has played, or -1. Its other cards are higher.
    needs: int  # The least sum of its hidden cards.
    bluff: int  # What a strong field has beyond that. Such a seat may still bluff. 0 if it claimed no strength.
    thrown: int  # The highest card it has discarded, or -1.
    discards: int = 0  # The size of its reserve.


class Position(NamedTuple):
    """What the seat to act knows. Stones are the stones on the table."""

    hand: tuple  # Ascending.
    unseen: tuple  # The cards that other seats may hold, ascending.
    rivals: tuple
    won: int  # The set of tricks that its side has won.
    played: int  # The number of finished tricks.
    short: bool  # Whether its field is below 15. Such a field wins nothing.
    partner: bool  # Whether the partner is still in the round.
    players: int  # The number of players in a side.
    price: int  # The stones that a side loses when it gives up.
    discards: int  # The size of its reserve.
    declaring: bool  # Whether its side declares.
    prediction: tuple | None
    claim: bool | None  # What the rival to answer says of the prediction: right, wrong, or None for no claim.
    answer: str | None
    deduced_pays: bool  # Whether a wrong prediction costs the bet even if the replier believed it.
    most: int  # The limit of stones at stake.
    doubling: bool  # Whether a counter-prediction must double the stones at stake.
    accepted: int
    offered: int
    side_bets: int
    side_offer: int | None


def read_table(table):
    """Return the `Position` of the seat that sees `table`."""
    seat, seats, bet = table["seat"], table["seats"], table["bet"]
    played = [[] for _ in range(seats)]  # By seat.
    for trick in table["tricks"]:
        for play in trick["plays"]:
            played[play["seat"]].append(POWER[play["card"]])
    hand = tuple(POWER[card] for card in table["hand"])
    visible = {*hand, *(card for cards in played for card in cards)}
    visible |= {POWER[card] for cards in (*table["reserves"], *table["faced"]) for card in cards or ()}
    others = [other for other in range(seats) if other != seat and table["status"][other] in ("undecided", "stayed")]
    prediction, offer = table["prediction"], table["side_offer"]
    terms = complete_options(table["options"])
    return Position(
        hand=hand,
        unseen=tuple(card for card in range(len(VALUES)) if card not in visible),
        rivals=tuple(_rival(table, other, played[other]) for other in others),
        won=sum(1 << place for place, trick in enumerate(table["tricks"]) if trick["side"] == seat % 2),
        played=len(table["tricks"]),
        short=sum(VALUES[card] for card in (*hand, *played[seat])) < MIN_SUM,
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


def _rival(table, seat, played):
    """Return the `Rival` in a seat that has played these cards."""
    played_sum = sum(VALUES[card] for card in played)
    needs = max(MIN_SUM - played_sum, 0)
    return Rival(
        partner=seat % 2 == table["seat"] % 2,
        hidden=table["hand_counts"][seat],
        above=max(played, default=-1),
        needs=needs,
        bluff=max(STRONG - played_sum, 0) - needs if _claims_strength(table, seat) else 0,
        thrown=max((POWER[card] for card in table["reserves"][seat]), default=-1),
        discards=len(table["reserves"][seat]),
    )


def _claims_strength(table, seat):
    """Return whether a seat declared with draws left, or stayed alone after another seat declared."""
    calls = [(words["seat"], words["type"]) for words in table["said"] if words["type"] in ("declare", "stay")]
    if (seat, "declare") in calls:
        return len(table["reserves"][seat]) < FULL_RESERVE
    alone = table["seats"] == 2 or table["status"][(seat + 2) % 4] == "left"
    kinds = [kind for _, kind in calls]
    return alone and "declare" in kinds and (seat, "stay") in calls[kinds.index("declare") :]


def _claim(table):
    match table["phase"]:
        case "reply":
            return True
        case "raise" if table["answer"] == "suspect":
            return False
        case "side_reply":
            return table["side_offer"]["seat"] % 2 == table["declarer"] % 2
    return None


# The discard phase. `find_odds` is `odds_of` with every argument bound except the fields.


def choose_discard(position, find_odds):
    """Return the discard that leaves the best field, of 15 or more if possible. The lowest of equals wins."""
    fields = [tuple(card for card in position.hand if card != discard) for discard in position.hand]
    enough = [sum(VALUES[card] for card in field) >= MIN_SUM for field in fields]
    promises = map(promise, find_odds(fields))
    return max(zip(enough, promises, position.hand, strict=True), key=lambda choice: choice[:2])[2]


def choose_turn(position, kinds, find_odds, turns=TURNS):
    """Return the type of the move of an undecided seat. kinds: the legal types."""
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
    """Return the expected points of the best prediction for the side with these odds."""
    return max(sumprod(odds, points) for points in POINTS.values())


# The odds


def odds_of(position, fields, rng, count=WORLDS):
    """Return the odds of each field: the chance of every set of tricks that its side may win, a list by `WON`.

    The same list in reverse holds the odds of the other side. count: the sample size against several rivals.
    """
    if position.short and len(position.hand) <= FIELD_SIZE:
        fields = [(-1,) * len(position.hand)]  # Such a field wins no trick.
    if len(position.rivals) == 1:
        return [_exact_odds(position, field) for field in fields]
    seats = [(rival, [card for card in position.unseen if card > rival.above]) for rival in position.rivals]
    worlds = [_imagined(position, seats, rng) for _ in range(count)]
    return [counted_odds(position, field, worlds) for field in fields]


def likelihood(rival, card):
    """Return the weight of a card in a rival's hand. Players discard their lowest cards."""
    return ODD_CARD if card < rival.thrown else 1.0


def _exact_odds(position, field):
    """Return the odds against one hidden field. Adds up all possible fields card by card, the lowest first."""
    (rival,) = position.rivals
    ways = [{} for _ in range(rival.hidden + 1)]  # By the number of cards so far: {(needed, won): weight}.
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
    missing = max(rival.bluff, min(needed for needed, _ in ways[-1]))  # More only if the field must be below 15.
    for (needed, won), weight in ways[-1].items():
        if needed <= missing:
            odds[won] += weight * (BLUFF if needed else 1.0)
    return _normal(odds)


def _imagined(position, seats, rng):
    """Sample all hidden fields. Return the tricks won without the own cards, and the card to beat in each trick.

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
    """Sample the hidden cards of a seat, ascending, by their weights. used: the cards of other seats."""
    for _ in range(20):
        sample = {cards[int(rng.random() * len(cards))] for _ in range(rival.hidden)}
        beyond = sum([VALUES[card] for card in sample]) - rival.needs
        if len(sample) < rival.hidden or beyond < 0 or not sample.isdisjoint(used):
            continue
        chance = prod([likelihood(rival, card) for card in sample]) * (BLUFF if beyond < rival.bluff else 1.0)
        if rng.random() < chance:
            return sorted(sample)
    return sorted(rng.sample(cards, rival.hidden))  # Hardly any field fits. An unlikely one does little harm.


def counted_odds(position, field, worlds):
    """Return the odds of a field over a sample of worlds, which are results of `_imagined`."""
    odds = [0.0] * len(WON)
    for won, theirs in worlds:
        for place, card in enumerate(theirs):
            if field[place] > card:
                won |= 1 << position.played + place
        odds[won] += 1.0
    return _normal(odds)


def believed(position, odds):
    """Return the odds after the claim of the last rival to speak, who knows its own field."""
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
    """Return the expected stones of a move: the own side's minus the other side's."""
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
    # The move is accept, in or pass.
    return _played_out(
        position, odds, position.answer, position.offered, position.side_bets + (position.side_offer or 0)
    )


def _played_out(position, odds, answer, bet, side_bets):
    """Return the expected stones if the round ends with this answer and these stones."""
    if position.short and not position.partner:
        return -(position.price + bet + side_bets)  # The tricks no longer matter.
    won = bet if answer == "suspect" else 0
    lost = bet if answer == "suspect" or position.deduced_pays else 0
    if position.declaring:
        return _declared(odds, position.prediction, won + side_bets, lost + side_bets)
    return -_declared(odds[::-1], position.prediction, won + side_bets, lost + side_bets)


def _as_declarer(position, odds, prediction, bet):
    """Return the expected stones of a prediction before the answer to it."""
    if position.short and not position.partner:
        return -(position.price + bet + position.side_bets)
    won = DOUBTED[True] * bet
    lost = bet if position.deduced_pays else DOUBTED[False] * bet
    if not position.doubling or 2 * (bet + position.side_bets) <= position.most:
        lost += TOPPED
    return _declared(odds, prediction, won + position.side_bets, lost + position.side_bets)


def _declared(odds, prediction, won, lost):
    """Return the expected stones of a prediction for its own side. won, lost: the stones if it is right or wrong."""
    right = sumprod(odds, RIGHT[prediction[0]])
    return sumprod(odds, POINTS[prediction]) + right * won - (1 - right) * lost


def _forfeit(position):
    """Return the stones lost by going out. Assumes that the partner goes out too."""
    return position.price + position.players + position.accepted + position.side_bets


def _if_refused(position, value):
    """Return the expected stones of a bet worth `value` if accepted. Rivals go out half as often as they should."""
    return (value + min(value, _forfeit(position))) / 2
