"""The words of hints about calls, declarations and cards, and the analysis of these decisions.

The analysis plays out what a call leads to; the bots look up its average gain instead.
"""

from collections.abc import Iterator, Sequence
from random import Random

from games.belot.bot import Position, read_auction, read_table
from games.belot.brain import BelotBrain, PlayWorld, likely_states, without_gifts, world_maker
from games.belot.calling import choose_call, gains, is_natural
from games.belot.rules import Belot
from games.belot.rules.pack import ALL_TRUMPS, BELOT, NO_TRUMPS, card_points, trump_suits, winning_index
from games.belot.rules.state import State
from games.belot.rules.types import View
from games.belot.rules.view import contract_of
from games.belot.simulation import best_play, first_lead, play_out
from games.belot.table.terms import CONTRACT_TITLES, CONTRACT_WORDS, contract_words
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.coach import (
    ONLY_A_TRUMP,
    Chance,
    Coach,
    as_good_to_lose,
    as_good_to_win,
    easier_to_beat,
    is_loss,
    play,
    still_out,
    the_card,
)
from games.kit.contract import Card, Move, Seat
from games.kit.language import lazy, lazy_all, say, say_count, say_in
from games.kit.search import Brain, Option
from games.kit.words import (
    SUBJECT_CARDS,
    SUBJECT_RANKS,
    SUIT_CARDS,
    SUIT_WORDS,
    THE_CARDS,
    THE_RANKS,
    capital,
    count_tenths,
    join_words,
    number_word,
    sentence_of,
)

MEANING = lazy(
    "For a card: the match points that the side should win more than the others in this deal, "
    "plus a little for every point. For a call: the match points that it should bring compared "
    "with a pass, less a margin for the risk."
)
JUDGED = lazy(
    "A move is worth the match points that its side should win more than the others, plus a little for every point."
)

MUCH = 4  # A smaller difference in points is no reason for a card.

THE_KIND = lazy_all({"tierce": "the tierce", "quarte": "the quarte", "quint": "the quint", "square": "the square"})
CALL = lazy_all({"pass": "Pass.", "double": "Double.", "redouble": "Redouble.", "surcontre": "Double a third time."})
WHY_DECLARE = lazy("Declaring costs nothing, and it counts unless somebody declares higher.")
A_CALL = lazy_all({"pass": "a pass", "double": "a double", "redouble": "a redouble", "surcontre": "a third double"})


class BelotCoach(Coach):
    unit = lazy("Match points")
    meaning = MEANING

    def advice(self, move: Move) -> str:
        match move:
            case {"type": "play", "card": card, "belot": True}:
                return say("Play the {card} and announce belot.", card=THE_CARDS[card])
            case {"type": "play", "card": card}:
                return play(card)
            case {"type": "declare", "kind": kind}:
                return say("Declare {kind}.", kind=THE_KIND[kind])
            case {"type": "bid", "contract": contract}:
                return say("Bid {contract}.", contract=CONTRACT_WORDS[contract])
        return str(CALL[move["type"]])

    def name(self, move: Move) -> str:
        match move:
            case {"type": "play", "card": card, "belot": True}:
                return say_in("a move", "the {card} with belot", card=SUBJECT_CARDS[card])
            case {"type": "play", "card": card}:
                return the_card(card)
            case {"type": "declare", "kind": kind}:
                return say("declaring {kind}", kind=THE_KIND[kind])
            case {"type": "bid", "contract": contract}:
                return say("a bid of {contract}", contract=CONTRACT_WORDS[contract])
        return str(A_CALL[move["type"]])

    def worth(self, number: float) -> str:
        if is_loss(number):
            return count_tenths(-number, "a loss of {number} match point", "a loss of {number} match points")
        return count_tenths(number, "a lead of {number} match point", "a lead of {number} match points")

    def amount(self, number: float) -> str:
        return count_tenths(number, "{number} match point", "{number} match points")

    def estimate(self, chosen: Option, other: Option, gain: float) -> str:
        one, many = (
            "It promises {number} match point more than {other}.",
            "It promises {number} match points more than {other}.",
        )
        return count_tenths(gain, one, many, other=self.name(other.move))

    def reasons(self, table: View, move: Move) -> list[str]:
        if move["type"] == "bid":
            return [_hand_reason(table["hand"], move["contract"])]
        if move["type"] == "declare":
            return [str(WHY_DECLARE)]
        return [_card_reason(table, move["card"])] if move["type"] == "play" else []

    def setting(self, table: View) -> str:
        return sentence_of(contract_words(table["contract"], CONTRACT_TITLES)) if table["contract"] else ""

    def contrast(self, table: View, made: Move, better: Move) -> str:
        if table["phase"] == "bid":
            # A double is about the highest bid so far.
            highest = contract_of(table)[0] if table["contract"] else None
            contracts = [move.get("contract", highest) for move in (better, made) if move["type"] != "pass"]
            return " ".join(_holding(table["hand"], contract) for contract in contracts if contract)
        if better["type"] == "declare" != made["type"]:
            return str(WHY_DECLARE)
        if "card" not in made or "card" not in better:
            return ""
        if made["card"] == better["card"]:
            return say("Announcing belot brings {number} points.", number=BELOT) if "belot" in better else ""
        return _contrast_of_cards(read_table(table), made["card"], better["card"])

    def knowledge(self, table: View, worlds: int) -> str:
        cards = len(table["hand"])
        return _knowledge_for_call(cards) if table["phase"] == "bid" else _knowledge_for_card(cards, worlds)

    def reason_alone(self, table: View, move: Move) -> str:
        if move["type"] == "declare":
            return say("It always declares: that costs nothing.")
        return super().reason_alone(table, move)


# Reasons for a call and for a card


def _hand_reason(hand: Sequence[Card], contract: str) -> str:
    """Say what a hand holds for a contract: its trumps, or without a single trump suit its aces or jacks."""
    if contract in (NO_TRUMPS, ALL_TRUMPS):
        best_rank = "A" if contract == NO_TRUMPS else "J"  # the rank of the highest card in each suit
        return _count_rank(sum(card[0] == best_rank for card in hand), best_rank)
    ranks = [card[0] for card in hand if card[1] == contract]
    return _count_trumps(contract, len(ranks), [rank for rank in "J9A" if rank in ranks])


def _card_reason(table: View, card: Card) -> str:
    """Say what a card does in this trick, as a reason for playing it: add points, give them away, or win.

    table: what the seat sees that plays it.
    """
    position = read_table(table)
    contract, trick = position.contract, list(position.trick)
    points = card_points(contract)
    if trick and winning_index(contract, [*trick, card]) < len(trick):  # Another card still wins.
        sides = len(table["sides"])
        is_ours = position.taker % sides == position.seat % sides
        return _say_it_adds(points[card]) if is_ours else _say_it_gives_away(points[card])
    if not position.following:  # Nobody plays after it.
        return _say_it_takes(sum(points[other] for other in [*trick, card]))
    # Its side is ahead with it. Find the unseen cards of its suit that would beat it: in a trick of the two cards, the
    # index of the winner is 1 if the other card wins, else 0.
    higher = [other for other in position.holders if other[1] == card[1] and winning_index(contract, [card, other])]
    if higher:
        # The highest of them, which the fewest others beat, comes first.
        return still_out(sorted(higher, key=lambda other: _count_beaters(contract, other, higher)))
    trumps = trump_suits(contract)
    may_be_ruffed = card[1] not in trumps and any(other[1] in trumps for other in position.holders)
    return str(ONLY_A_TRUMP) if may_be_ruffed else say("No card that is still out in its suit beats it.")


def _count_beaters(contract: str, card: Card, others: Sequence[Card]) -> int:
    """Return how many of the others, all of the same suit, beat a card."""
    # The index of the winner is 1 if the second card beats the first, else 0.
    return sum(winning_index(contract, [card, other]) for other in others if other != card)


def _count_trumps(suit: str, number: int, ranks: Sequence[str]) -> str:
    """Say how many trumps a hand has, and name the best of them.

    number: of all trumps. ranks: the highest trumps that the hand has, of "J", "9" and "A".
    """
    if not number:
        return say("You hold no {suit}.", suit=SUIT_WORDS[suit])
    places = {"suit": SUIT_WORDS[suit], "card": SUIT_CARDS[suit], "count": number_word(number)}
    if not ranks:
        return say_count(number, "You hold {count} {card}.", "You hold {count} {suit}.", **places)
    listed = join_words([say_in("which you hold", "the {rank}", rank=THE_RANKS[rank]) for rank in ranks])
    if number == 1:
        return say("You hold {ranks} of {suit} alone.", ranks=listed, **places)
    one, many = "You hold {count} {card} with {ranks}.", "You hold {count} {suit} with {ranks}."
    return say_count(number, one, many, ranks=listed, **places)


def _count_rank(number: int, rank: str) -> str:
    """Say how many aces or jacks a hand has. rank: "A" or "J"."""
    if not number:
        return say("You hold no aces.") if rank == "A" else say("You hold no jacks.")
    one, many = "You hold {count} ace.", "You hold {count} aces."
    if rank == "J":
        one, many = "You hold {count} jack.", "You hold {count} jacks."
    return say_count(number, one, many, count=number_word(number))


def _say_it_takes(points: int) -> str:
    """Say that the card takes the trick. points: of all its cards."""
    return say_count(points, "It takes this trick of 1 point.", "It takes this trick of {number} points.")


def _say_it_adds(points: int) -> str:
    """Say what a card adds to the partner's trick. points: of the card."""
    if not points:
        return say("Your partner has this trick so far, and it adds nothing.")
    one = "Your partner has this trick so far, and it adds 1 point."
    many = "Your partner has this trick so far, and it adds {number} points."
    return say_count(points, one, many)


def _say_it_gives_away(points: int) -> str:
    """Say what a card gives away in a rival's trick. points: of the card."""
    if not points:
        return say("It can’t take this trick, and gives nothing away.")
    one = "It can’t take this trick, and gives 1 point away."
    return say_count(points, one, "It can’t take this trick, and gives {number} points away.")


# Why another move is better


def _holding(hand: Sequence[Card], contract: str) -> str:
    """Say what a hand has for a contract: its trumps, or without a single trump suit its aces or jacks."""
    if contract == NO_TRUMPS:
        number = sum(card[0] == "A" for card in hand)
        one, many = "For no trumps the hand has {number} ace.", "For no trumps the hand has {number} aces."
        return say_count(number, one, many) if number else say("For no trumps the hand has no ace.")
    if contract == ALL_TRUMPS:
        number = sum(card[0] == "J" for card in hand)
        one, many = "For all trumps the hand has {number} jack.", "For all trumps the hand has {number} jacks."
        return say_count(number, one, many) if number else say("For all trumps the hand has no jack.")
    ranks, suit = [card[0] for card in hand if card[1] == contract], SUIT_WORDS[contract]
    best = [say_in("which is out", "the {rank}", rank=SUBJECT_RANKS[rank]) for rank in "J9" if rank in ranks]
    if not ranks:
        return say("With {suit} as trumps the hand has no trump.", suit=suit)
    one, many = (
        "With {suit} as trumps the hand has {number} trump.",
        "With {suit} as trumps the hand has {number} trumps.",
    )
    if best:
        one, many = (
            "With {suit} as trumps the hand has {number} trump: {ranks}.",
            "With {suit} as trumps the hand has {number} trumps, among them {ranks}.",
        )
    return say_count(len(ranks), one, many, suit=suit, ranks=join_words(best))


# By the chances of the card that was played and of the better one.
SURER = {
    (Chance.LOSES, Chance.TAKES): "{better} makes sure of this trick; with {made} it is lost.",
    (Chance.OPEN, Chance.TAKES): "{better} makes sure of this trick; with {made} it can still be lost.",
    (Chance.LOSES, Chance.OPEN): "With {better} this trick can still be won; with {made} it is lost.",
}
# By the chance of the trick, and whether one of two cards has no points.
POINTS = {
    (Chance.TAKES, True): "The trick is safe: {better} adds {points_of_better}, {made} nothing.",
    (Chance.TAKES, False): "The trick is safe: {better} adds {points_of_better}, {made} only {points_of_made}.",
    (Chance.OPEN, True): "The trick can still be lost: {made} puts {points_of_made} at risk, {better} none.",
    (Chance.OPEN, False): (
        "The trick can still be lost: {made} puts {points_of_made} at risk, {better} only {points_of_better}."
    ),
    (Chance.LOSES, True): (
        "{made} can’t save this trick and gives {points_of_made} away; {better} gives nothing away."
    ),
    (Chance.LOSES, False): (
        "{made} can’t save this trick and gives {points_of_made} away; {better} gives only {points_of_better}."
    ),
}


def _contrast_of_cards(position: Position, made: Card, better: Card) -> str:
    """Return a fact about two cards in this trick that speaks for the second, in a sentence, or ""."""
    chances = _chance(position, made), _chance(position, better)
    if chances in SURER:
        return capital(say(SURER[chances], made=the_card(made), better=the_card(better)))
    if Chance.OPEN != chances[0] != chances[1]:
        return ""
    trumps = trump_suits(position.contract)
    if chances[0] == Chance.TAKES and position.trick and len(trumps) == 1 and made[1] == trumps != better[1]:
        return say("The trick is safe without a trump, and {made} is spent on it.", made=the_card(made))
    return _contrast_of_points(position, chances[0], made, better) or _contrast_of_ranks(
        position, chances, made, better
    )


def _contrast_of_points(position: Position, chance: Chance, made: Card, better: Card) -> str:
    """Say how many points two cards bring to the trick or risk, if that speaks for the second, or ""."""
    points = card_points(position.contract)
    of_made, of_better = points[made], points[better]
    gain = of_better - of_made if chance == Chance.TAKES else of_made - of_better
    if gain < MUCH or (chance == Chance.LOSES and position.point_worth[position.taker] > 0):
        return ""
    places = {"points_of_made": _in_points(of_made), "points_of_better": _in_points(of_better)}
    sentence = POINTS[chance, not min(of_made, of_better)]
    return capital(say(sentence, made=the_card(made), better=the_card(better), **places))


def _in_points(number: int) -> str:
    """Name points of cards. Some languages have another word for the points on the sheet."""
    return say_count(number, "{number} card point", "{number} card points")


def _contrast_of_ranks(position: Position, chances: tuple[Chance, Chance], made: Card, better: Card) -> str:
    """Say that the better of two cards of a suit is needed in this trick, or that it is wasted on it, or ""."""
    if made[1] != better[1] or chances[0] != chances[1]:
        return ""
    names = the_card(made), the_card(better)
    made_is_higher = winning_index(position.contract, [better, made]) == 1
    if chances[0] == Chance.OPEN:
        return "" if made_is_higher else easier_to_beat(*names)
    if not made_is_higher:
        return ""
    return as_good_to_lose(*names) if chances[0] == Chance.LOSES else as_good_to_win(*names)


def _chance(position: Position, card: Card) -> Chance:
    """Return whether the seat's side takes this trick with a card. Unseen cards may be where nobody has denied them."""
    contract = position.contract
    cards = [*position.trick, card]
    winner = winning_index(contract, cards)
    is_ours = winner == len(cards) - 1 or position.point_worth[position.taker] == 1

    def may_lose_to(seats: Sequence[Seat]) -> bool:
        """Return whether one of these seats may hold a card that beats the best one."""
        return any(
            winning_index(contract, [*cards, other]) == len(cards)
            for other, chances in position.holders.items()
            if any(chances.get(seat) for seat in seats)
        )

    friends = [seat for seat in position.following if position.point_worth[seat] == 1]
    others = [seat for seat in position.following if position.point_worth[seat] != 1]
    if is_ours:
        return Chance.OPEN if may_lose_to(others) else Chance.TAKES
    return Chance.OPEN if may_lose_to(friends) else Chance.LOSES


# What a bot knew


def _knowledge_for_call(cards: int) -> str:
    one = "It knew its own card and the calls before its own."
    return say_count(cards, one, "It knew its own {number} cards and the calls before its own.")


def _knowledge_for_card(cards: int, worlds: int) -> str:
    if not worlds:
        return say("It knew its own cards, the calls, what was declared and every card played.")
    one, many = (
        "It knew its own card, the calls, what was declared and every card played.",
        "It knew its own {number} cards, the calls, what was declared and every card played.",
    )
    way, ways = (
        "It tried {number} deal of the unseen cards.",
        "It tried {number} deals of the unseen cards.",
    )
    return f"{say_count(cards, one, many)} {say_count(worlds, way, ways)}"


# The analysis

OPEN_CARDS = {2: 12, 3: 12, 4: 16}  # By seats: with this many cards in all hands the play is solved to the end.


class CallBrain(Brain):
    """Tries calls: the others call as the bots do, and then the deal is played out. Its worlds are states."""

    def __init__(self) -> None:
        self.rules = Belot()

    def rule_move(self, table: View, moves: list[Move], rng: Random) -> Move:
        return choose_call(read_auction(table), moves)

    def candidates(self, table: View, moves: list[Move], rule_move: Move) -> list[Move]:
        """Return the natural calls, which include a pass. A partner could not understand others."""
        return [move for move in moves if move == rule_move or is_natural(table["hand"], move)]

    def worlds(self, table: View, rng: Random) -> Iterator[State]:
        return likely_states(table, rng)

    def outcome(self, world: State, move: Move, rng: Random) -> float:
        """Return the result of a call in a possible deal: by how many match points the caller's side would be ahead.

        All others call and play as the bots do. world: the state before the call, with all cards dealt. move: the call.
        rng: for the play.
        """
        assert world.to_act is not None
        side = world.to_act % world.deal.match.sides
        state = self.rules.apply(world, move)
        while state.phase == "bid":
            table = self.rules.view(state, state.to_act)
            state = self.rules.apply(state, choose_call(read_auction(table), self.rules.legal_moves(state)))
        if state.phase != "play":
            return 0.0  # Everybody has passed.
        # The bidding is over. Simulate the play.
        table = self.rules.view(state, state.to_act)
        position, declarations, settlements = world_maker(table, side)(state)
        return settlements.worth(*play_out(position, first_lead(position), rng), declarations)


CALLS = CallBrain()


class BelotAnalyst(Analyst):
    scale = Scale(inaccuracy=1.5, mistake=3.0, blunder=6.0)
    effort = Effort(match=250_000, most=1500, open=200)

    meaning = JUDGED

    def brain(self, table: View) -> Brain:
        return CALLS if table["phase"] == "bid" else super().brain(table)

    def agrees(self, table: View, moves: list[Move], move: Move, other: Move) -> bool:
        """Return whether the bots' estimates of calls also say that `other` was better than `move`.

        The analysis has found so by playing many deals to the end. But these deals ignore most of what a call tells the
        other seats, so calls need this second opinion. The bots have no estimate for a call that no partner would
        understand. There the first opinion is enough.
        """
        if table["phase"] != "bid":
            return True
        by_index = gains(read_auction(table), moves)
        gain = by_index.get(moves.index(move))
        return gain is None or by_index.get(moves.index(other), gain) > gain

    def true_world(self, table: View, state: State) -> State | PlayWorld:
        return state if table["phase"] == "bid" else world_maker(table)(state)

    def solved(self, world: State | PlayWorld, moves: list[Move]) -> list[float] | None:
        if not isinstance(world, PlayWorld) or moves[0]["type"] != "play":
            return None
        position, declarations, settlements = world
        if sum(hand.bit_count() for hand in position.hands) > OPEN_CARDS[len(position.hands)]:
            return None
        number = position.cards.number

        def worth(points: Sequence[int], tricks: Sequence[int]) -> float:
            return settlements.worth(points, tricks, declarations)

        return [best_play(position, number[move["card"]], worth) for move in moves]


ANALYST = BelotAnalyst(BelotBrain(without_gifts))
COACH = BelotCoach()
