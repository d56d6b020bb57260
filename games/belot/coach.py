"""The words of hints about calls, declarations and cards, and the analysis of these decisions.

The analysis plays out what a call leads to; the bots look up its average gain instead.
"""

from collections.abc import Iterator, Sequence
from random import Random

from games.belot.bot import read_auction, read_table
from games.belot.brain import BelotBrain, PlayWorld, likely_states, without_gifts, world_maker
from games.belot.calling import choose_call, gains, is_natural
from games.belot.rules import Belot
from games.belot.rules.pack import ALL_TRUMPS, NO_TRUMPS, card_points, trump_suits, winning_index
from games.belot.rules.state import State
from games.belot.rules.types import View
from games.belot.simulation import best_play, first_lead, play_out
from games.belot.table.terms import CONTRACT_WORDS
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.coach import ONLY_A_TRUMP, Coach, decimal, is_loss, play, still_out, the_card
from games.kit.contract import Card, Move
from games.kit.language import lazy, lazy_all, say, say_count, say_in
from games.kit.search import Brain, Option
from games.kit.words import SUBJECT_CARDS, SUIT_CARDS, SUIT_WORDS, THE_CARDS, THE_RANKS, join_words, number_word

MEANING = lazy(
    "For a card: the match points that the side should win more than the others in this deal, "
    "plus a little for every point. For a call: the match points that it should bring compared "
    "with a pass, less a margin for the risk."
)
JUDGED = lazy(
    "A move is worth the match points that its side should win more than the others, plus a little for every point."
)

THE_KIND = lazy_all({"tierce": "the tierce", "quarte": "the quarte", "quint": "the quint", "square": "the square"})
CALL = lazy_all({"pass": "Pass.", "double": "Double.", "redouble": "Redouble.", "surcontre": "Double a third time."})
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
        sentence = "a loss of {number} match points" if is_loss(number) else "a lead of {number} match points"
        return say(sentence, number=decimal(abs(number)))

    def amount(self, number: float) -> str:
        if round(number, 1) == 1:
            return say_in("on average", "1 match point")
        return say_in("on average", "{number} match points", number=decimal(number))

    def estimate(self, chosen: Option, other: Option, gain: float) -> str:
        places = {"gain": decimal(gain), "other": self.name(other.move)}
        return say("It promises {gain} match points more than {other}.", **places)

    def reasons(self, table: View, move: Move) -> list[str]:
        if move["type"] == "bid":
            return [_hand_reason(table["hand"], move["contract"])]
        if move["type"] == "declare":
            return [say("Declaring costs nothing, and it counts unless somebody declares higher.")]
        return [_card_reason(table, move["card"])] if move["type"] == "play" else []

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
