"""The help for newcomers to Bleven: a glossary, phrases for the chat, and a first round for two with notes."""

from collections.abc import Callable

from games.bleven.rules.options import LEAVE_COST
from games.bleven.rules.pack import field_sum
from games.bleven.rules.scoring import triangular
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import MIN_SUM
from games.bleven.table.stakes import own_seat
from games.kit.contract import Move
from games.kit.guide import Guide, Phrase, note, word
from games.kit.language import lazy, lazy_in

GLOSSARY = (
    word(
        "field",
        lazy_in("word of Bleven", "Field"),
        "The three cards that you hold. They play themselves, the lowest first.",
    ),
    word("reserve", lazy("Reserve"), "The cards that a player has discarded, five at most, face up."),
    word(
        "declare",
        lazy_in("word of Bleven", "Declare"),
        "With {enough} or more you may end the changing of cards and predict how many tricks you will win.",
        enough=MIN_SUM,
    ),
    word("stay", lazy_in("word of Bleven", "Stay"), "You keep your field and play it."),
    word(
        "leave",
        lazy_in("word of Bleven", "Leave"),
        "You give up the round before the prediction. The others get stones for it.",
    ),
    word(
        "predict",
        lazy("Prediction"),
        "How many of the three tricks the declarer’s side will win, no more and no fewer.",
        "word-prediction",
    ),
    word(
        "position",
        lazy("Position"),
        "Which trick will be won: the 1st, 2nd or 3rd. Each that is right adds to the points.",
    ),
    word(
        "bet",
        lazy("Bet"),
        "Stones on a prediction. If somebody suspects it, the side that is right wins them.",
        "word-stake",
    ),
    word(
        "deduce",
        lazy_in("word of Bleven", "Deduce"),
        "You believe the prediction. If it is right, its points are paid, but not the bet.",
    ),
    word(
        "suspect",
        lazy_in("word of Bleven", "Suspect"),
        "You doubt the prediction. The side that is right wins the bet.",
    ),
    word(
        "out",
        lazy_in("word of Bleven", "Out"),
        "You give up the round after the prediction, which costs more than leaving before it.",
    ),
    word("side-bet", lazy("Side bet"), "More stones, bet between two tricks on the result of the round."),
    word("stones", lazy("Stones"), "The points of Bleven: a white stone is one, a black stone five.", "word-stone"),
    word("crown", lazy("Crown"), "Thirty stones. The first side with enough crowns wins the match."),
    word("dealer", lazy("Dealer"), "The player who dealt this round. The next player begins.", "deal"),
)


PHRASES = (
    Phrase("daring", lazy("How daring!")),
    Phrase("paid", lazy("That paid!")),
    Phrase("lost-it", lazy("There go my points!")),
)


type Condition = Callable[[Table, list[Move]], bool]


def _can(*kinds: str) -> Condition:
    return lambda table, moves: any(move["type"] in kinds for move in moves)


def _in_phase(phase: str) -> Condition:
    return lambda table, moves: table["phase"] == phase and bool(moves)


def _ended_by(*results: str) -> Condition:
    return lambda table, moves: table["last_round"] is not None and table["last_round"]["result"] in results


def _begins(table: Table, moves: list[Move]) -> bool:
    return _in_phase("turn")(table, moves) and not table["reserves"][own_seat(table)]


def _is_short(table: Table, moves: list[Move]) -> bool:
    return _can("stay")(table, moves) and field_sum(table["hand"]) < MIN_SUM


def _has_trick(table: Table, moves: list[Move]) -> bool:
    return bool(moves and table["tricks"])


def _is_scored(table: Table, moves: list[Move]) -> bool:
    return table["last_round"] is not None


PANEL = ("#bid-box",)
RESULT = ("#mine .result table",)

NOTES = (
    note(
        "field",
        ("#hand .card",),
        _begins,
        "These three cards are your field. Later they play themselves, the lowest first; in each of the three "
        "tricks the higher card wins.",
    ),
    note(
        "sum",
        ("#sum",),
        _begins,
        "An ace counts 1, jack 8, queen 9, king 10, all others their number. With less than {enough} in all you "
        "can’t win by tricks.",
        enough=MIN_SUM,
    ),
    note(
        "draw",
        ("#call-draw",),
        _can("draw"),
        "Draw a card to make your field better, and then discard one of the four. You may do that up to five times.",
    ),
    note(
        "discard",
        ("#hand .card",),
        _in_phase("discard"),
        "Discard the card that you can best do without, usually the lowest. It goes to your reserve, face up for "
        "both of you.",
    ),
    note(
        "declare",
        ("#call-declare",),
        _can("declare"),
        "With {enough} or more you may declare: then the changing of cards is over, and you say how many tricks "
        "you will win.",
        enough=MIN_SUM,
    ),
    note(
        "stay",
        ("#call-stay",),
        _can("stay"),
        "Stay, and your field plays against theirs. Leave, and the round is over: your opponent gets {stones} stones.",
        stones=LEAVE_COST[2],
    ),
    note(
        "short",
        ("#sum",),
        _is_short,
        "Your field is short of {enough}. If you stay, the tricks can’t win it for you, and you may lose more than "
        "{stones} stones.",
        enough=MIN_SUM,
        stones=LEAVE_COST[2],
    ),
    note(
        "predict",
        PANEL,
        _in_phase("predict"),
        "Predict how many of the three tricks you will win. It must be exactly that number. Then bet stones on it: "
        "your opponent may doubt you.",
    ),
    note(
        "positions",
        ("#bid-box [data-at-most]",),
        _in_phase("predict"),
        "You may also say which tricks: the 1st, 2nd or 3rd. Each position that is right makes your prediction "
        "worth more.",
    ),
    note(
        "believe",
        PANEL,
        _in_phase("reply"),
        "Do you believe it? Deduce if you do: then the bet goes to nobody. Suspect if you doubt it: "
        "then the side that is right wins the bet.",
    ),
    note(
        "raised",
        PANEL,
        _in_phase("raise"),
        "Your opponent has added stones to the bet. Accept, and the tricks decide. Out gives up the round and "
        "costs {stones} stones.",
        stones=LEAVE_COST[2] + 1,
    ),
    note(
        "trick",
        ("#seat-{seat} ~ * .field", "#felt .field"),
        _has_trick,
        "A trick has been played: the lowest card of each field. The higher one has won it.",
    ),
    note(
        "side-bet",
        PANEL,
        _in_phase("side_bet"),
        "Before the next trick you may bet more stones on the prediction. Passing costs nothing.",
    ),
    note(
        "in-or-out",
        PANEL,
        _in_phase("side_reply"),
        "Your opponent bets more stones. In, and you play on for them. Out gives up the round with all that was at "
        "stake before.",
    ),
    note(
        "played",
        ("#tricks", "#bar-tricks"),
        _ended_by("played"),
        "The fields have played themselves, and here are the tricks: the lowest cards in the first, the highest in "
        "the last.",
    ),
    note(
        "points",
        RESULT,
        _ended_by("played"),
        "A right prediction of one trick is worth 1 stone, of two {two}, of three {three}. Each position that was "
        "right counts like one more trick.",
        two=triangular(2),
        three=triangular(3),
    ),
    note(
        "given-up",
        RESULT,
        _ended_by("left", "out"),
        "Nobody had to show their cards: a round that is given up is paid at once. It can be won by courage alone.",
    ),
    note(
        "end",
        ("#guide-play",),
        _is_scored,
        "That was one round. Thirty stones make a crown, and the first crown wins a short match.",
    ),
)

GUIDE = Guide(seats=2, seed="8066691567511759fc362907d3d5467843b44484a0d93a8346ab5def9f8550cf", notes=NOTES, closing=3)
