"""What the coach of Belot says of a call, a declaration and a card, and how the analysis judges them.

The analysis also knows what a call leads to, which the bots have in a table.
"""

from games.belot.bot import read_auction, read_table
from games.belot.brain import BelotBrain, dealing, likely_states
from games.belot.calling import choose_call, gains, is_natural
from games.belot.rules import Belot
from games.belot.rules.pack import points_of_cards, trump_suits, winner_of
from games.belot.simulation import best_play, first_lead, play_out
from games.belot.table.terms import CONTRACT_WORDS
from games.kit.analysis import Analyst, Effort, Scale
from games.kit.coach import ONLY_A_TRUMP, Coach, decimal, is_loss, play, still_out, the_card
from games.kit.language import lazy, lazy_all, say, say_count, say_in
from games.kit.search import Brain
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
    """For every number of seats and all options."""

    unit = lazy("Match points")
    meaning = MEANING

    def advice(self, move):
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

    def name(self, move):
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

    def worth(self, number):
        sentence = "a loss of {number} match points" if is_loss(number) else "a lead of {number} match points"
        return say(sentence, number=decimal(abs(number)))

    def amount(self, number):
        if round(number, 1) == 1:
            return say_in("on average", "1 match point")
        return say_in("on average", "{number} match points", number=decimal(number))

    def estimate(self, chosen, other, gain):
        places = {"gain": decimal(gain), "other": self.name(other.move)}
        return say("It promises {gain} match points more than {other}.", **places)

    def reasons(self, table, move):
        if move["type"] == "bid":
            return [_holding(table["hand"], move["contract"])]
        if move["type"] == "declare":
            return [say("Declaring costs nothing, and it counts unless somebody declares higher.")]
        return [_of_card(table, move["card"])] if move["type"] == "play" else []

    def knew(self, table, worlds):
        cards = len(table["hand"])
        return _knew_of_call(cards) if table["phase"] == "bid" else _knew(cards, worlds)

    def uncompared(self, table, move):
        if move["type"] == "declare":
            return say("It always declares: that costs nothing.")
        return super().uncompared(table, move)


# What speaks for a call and for a card


def _holding(hand, contract):
    """What is in a hand for a contract, as a sentence."""
    if contract in ("NT", "AT"):
        rank = "A" if contract == "NT" else "J"
        return _holds(sum(card[0] == rank for card in hand), rank)
    held = [card[0] for card in hand if card[1] == contract]
    return _holds_trumps(contract, len(held), [rank for rank in "J9A" if rank in held])


def _of_card(table, card):
    """What can become of a card that is played now, as a sentence."""
    position = read_table(table)
    contract, trick = position.contract, list(position.trick)
    worth = points_of_cards(contract)
    if trick and winner_of(contract, [*trick, card]) < len(trick):
        sides = len(table["sides"])
        is_ours = position.taker % sides == position.seat % sides
        return _for_partner(worth[card]) if is_ours else _for_others(worth[card])
    if not position.following:
        return _takes(sum(worth[each] for each in [*trick, card]))
    higher = [each for each in position.holds if each[1] == card[1] and winner_of(contract, [card, each])]
    if higher:
        return still_out(sorted(higher, key=lambda each: _beaten_by(contract, each, higher)))
    trumps = trump_suits(contract)
    may_ruff = card[1] not in trumps and any(each[1] in trumps for each in position.holds)
    return str(ONLY_A_TRUMP) if may_ruff else say("No card that is still out in its suit beats it.")


def _beaten_by(contract, card, others):
    """How many of the others, all of one suit, beat a card."""
    return sum(winner_of(contract, [card, other]) for other in others if other != card)


def _holds_trumps(suit, number, ranks):
    """ranks: the jack, the nine and the ace, if held."""
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


def _holds(number, rank):
    """rank: "A" or "J"."""
    if not number:
        return say("You hold no aces.") if rank == "A" else say("You hold no jacks.")
    one, many = "You hold {count} ace.", "You hold {count} aces."
    if rank == "J":
        one, many = "You hold {count} jack.", "You hold {count} jacks."
    return say_count(number, one, many, count=number_word(number))


def _takes(points):
    """points: of all cards of the trick, which nobody plays to any more."""
    return say_count(points, "It takes this trick of 1 point.", "It takes this trick of {number} points.")


def _for_partner(points):
    """points: of the card."""
    if not points:
        return say("Your partner has this trick so far, and it adds nothing.")
    one = "Your partner has this trick so far, and it adds 1 point."
    many = "Your partner has this trick so far, and it adds {number} points."
    return say_count(points, one, many)


def _for_others(points):
    """points: of the card."""
    if not points:
        return say("It can’t take this trick, and gives nothing away.")
    one = "It can’t take this trick, and gives 1 point away."
    return say_count(points, one, "It can’t take this trick, and gives {number} points away.")


# What a bot knew


def _knew_of_call(cards):
    one = "It knew its own card and the calls before its own."
    return say_count(cards, one, "It knew its own {number} cards and the calls before its own.")


def _knew(cards, worlds):
    """worlds: ways in which the unseen cards were dealt; 0 for none."""
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

OPEN_CARDS = {2: 12, 3: 12, 4: 16}  # by seats: so few cards in all hands are played as well as can be


class CallBrain(Brain):
    """Tries calls out: the others call as the bots do, then the deal is played out. Worlds are states of the rules."""

    def __init__(self):
        self.rules = Belot()

    def rule_move(self, table, moves, rng):
        return choose_call(read_auction(table), moves)

    def candidates(self, table, moves, rule_move):
        """Natural calls, and a pass: no partner could read others."""
        return [move for move in moves if move == rule_move or is_natural(table["hand"], move)]

    def worlds(self, table, rng):
        return likely_states(table, rng)

    def outcome(self, world, move, rng):
        side = world.to_act % world.deal.match.sides
        state = self.rules.apply(world, move)
        while state.phase == "bid":
            table = self.rules.view(state, state.to_act)
            state = self.rules.apply(state, choose_call(read_auction(table), self.rules.legal_moves(state)))
        if state.phase != "play":
            return 0.0  # all have passed
        position, declared, settlements = dealing(self.rules.view(state, state.to_act), side)(state)
        return settlements.worth(*play_out(position, first_lead(position), rng), declared)


CALLS = CallBrain()


class BelotAnalyst(Analyst):
    """For every number of seats and all options."""

    scale = Scale(inaccuracy=1.5, mistake=3.0, blunder=6.0)
    effort = Effort(match=250_000, most=1500, open=200)

    meaning = JUDGED

    def brain(self, table):
        return CALLS if table["phase"] == "bid" else super().brain(table)

    def agrees(self, table, moves, made, other):
        """Of calls, whether the bots' table says so too: play-outs know too little of what calls tell the others."""
        if table["phase"] != "bid":
            return True
        worth = gains(read_auction(table), moves)
        lost = worth.get(moves.index(made))  # none is known of what no partner could read
        return lost is None or worth.get(moves.index(other), lost) > lost

    def true_world(self, table, state):
        return state if table["phase"] == "bid" else dealing(table)(state)

    def solved(self, world, moves):
        if moves[0]["type"] != "play":
            return None
        position, declared, settlements = world
        if sum(hand.bit_count() for hand in position.hands) > OPEN_CARDS[len(position.hands)]:
            return None
        number = position.cards.number

        def worth(points, tricks):
            return settlements.worth(points, tricks, declared)

        return [best_play(position, number[move["card"]], worth) for move in moves]


ANALYST = BelotAnalyst(BelotBrain())
COACH = BelotCoach()
