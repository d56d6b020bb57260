"""What Bleven has for newcomers: its words, what players say, and a first round for two with notes."""

from games.bleven.rules.pack import field_sum
from games.bleven.rules.state import ENOUGH
from games.kit.guide import Guide, Note, Phrase, Word
from games.kit.language import lazily, lazily_in

GLOSSARY = (
    Word(
        "field",
        lazily_in("word of Bleven", "Field"),
        lazily("The three cards that you hold. They play themselves, the lowest first."),
    ),
    Word("reserve", lazily("Reserve"), lazily("The cards that a player has discarded, five at most, face up.")),
    Word(
        "declare",
        lazily_in("word of Bleven", "Declare"),
        lazily("With 15 or more you may end the changing of cards and predict how many tricks you will win."),
    ),
    Word("stay", lazily_in("word of Bleven", "Stay"), lazily("You keep your field and play it.")),
    Word(
        "leave",
        lazily_in("word of Bleven", "Leave"),
        lazily("You give up the round before the prediction. The others get stones for it."),
    ),
    Word(
        "predict",
        lazily("Prediction"),
        lazily("How many of the three tricks the declarer’s side will win, no more and no fewer."),
        "word-prediction",
    ),
    Word(
        "position",
        lazily("Position"),
        lazily("Which trick will be won: the 1st, 2nd or 3rd. Each that is right adds to the points."),
    ),
    Word(
        "bet",
        lazily("Bet"),
        lazily("Stones on a prediction. If somebody suspects it, whoever is right wins them."),
        "word-stake",
    ),
    Word(
        "deduce",
        lazily_in("word of Bleven", "Deduce"),
        lazily("You believe the prediction. If it is right, its points are paid, but not the bet."),
    ),
    Word(
        "suspect",
        lazily_in("word of Bleven", "Suspect"),
        lazily("You doubt the prediction. Whoever is right wins the bet."),
    ),
    Word(
        "out",
        lazily_in("word of Bleven", "Out"),
        lazily("You give up the round after the prediction, which costs more than leaving before it."),
    ),
    Word("side-bet", lazily("Side bet"), lazily("More stones, bet between two tricks on how the round will come out.")),
    Word(
        "stones",
        lazily("Stones"),
        lazily("The points of Bleven: a white stone is one, a black stone five."),
        "word-stone",
    ),
    Word("crown", lazily("Crown"), lazily("Thirty stones. The first side with enough crowns wins the match.")),
    Word("dealer", lazily("Dealer"), lazily("Whoever dealt this round. The next player begins."), "deal"),
)


PHRASES = (
    Phrase("daring", lazily("How daring!")),
    Phrase("paid", lazily("That paid!")),
    Phrase("lost-it", lazily("There go my points!")),
)


def _can(*kinds):
    return lambda table, moves: any(move["type"] in kinds for move in moves)


def _in_phase(phase):
    return lambda table, moves: table["phase"] == phase and bool(moves)


def _begins(table, moves):
    return table["phase"] == "turn" and bool(moves) and not table["reserves"][table["seat"]]


def _scored(table, moves):
    return table["last_round"] is not None


def _played(table, moves):
    return _scored(table, moves) and table["last_round"]["result"] == "played"


PANEL = ("#bid-box",)
RESULT = ("#mine .result table",)

NOTES = (
    Note(
        "field",
        ("#hand .card",),
        lazily(
            "These three cards are your field. Later they play themselves, the lowest first; in each of the three "
            "tricks the higher card wins."
        ),
        _begins,
    ),
    Note(
        "sum",
        ("#sum",),
        lazily(
            "An ace counts 1, jack 8, queen 9, king 10, all others their number. With less than 15 in all you can’t win"
            " by tricks."
        ),
        _begins,
    ),
    Note(
        "draw",
        ("#call-draw",),
        lazily(
            "Draw a card to make your field better, and then discard one of the four. You may do that up to five times."
        ),
        _can("draw"),
    ),
    Note(
        "discard",
        ("#hand .card",),
        lazily(
            "Discard the card that you can best do without, usually the lowest. It goes to your reserve, face up for "
            "both of you."
        ),
        _in_phase("discard"),
    ),
    Note(
        "declare",
        ("#call-declare",),
        lazily(
            "With 15 or more you may declare: then the changing of cards is over, and you say how many tricks you will "
            "win."
        ),
        _can("declare"),
    ),
    Note(
        "stay",
        ("#call-stay",),
        lazily("Stay, and your field plays against theirs. Leave, and the round is over: your opponent gets 4 stones."),
        _can("stay"),
    ),
    Note(
        "short",
        ("#sum",),
        lazily(
            "Your field is short of 15. If you stay, the tricks can’t win it for you, and you may lose more than 4 "
            "stones."
        ),
        lambda table, moves: _can("stay")(table, moves) and field_sum(table["hand"]) < ENOUGH,
    ),
    Note(
        "predict",
        PANEL,
        lazily(
            "Predict how many of the three tricks you will win. It must be exactly that number. Then bet stones on it: "
            "your opponent may doubt you."
        ),
        _in_phase("predict"),
    ),
    Note(
        "positions",
        ("#bid-box [data-at-most]",),
        lazily(
            "You may also say which tricks: the 1st, 2nd or 3rd. Each position that is right makes your prediction "
            "worth more."
        ),
        _in_phase("predict"),
    ),
    Note(
        "believe",
        PANEL,
        lazily(
            "Do you believe it? Deduce if you do: then the bet goes to nobody. Suspect if you doubt it: then whoever is"
            " right wins the bet."
        ),
        _in_phase("reply"),
    ),
    Note(
        "raised",
        PANEL,
        lazily(
            "Your opponent has added stones to the bet. Accept, and the tricks decide. Out gives up the round and "
            "costs 5 "
            "stones."
        ),
        _in_phase("raise"),
    ),
    Note(
        "trick",
        ("#seat-{seat} ~ * .field", "#felt .field"),
        lazily("A trick has been played: the lowest card of each field. The higher one has won it."),
        lambda table, moves: bool(moves) and len(table["tricks"]) > 0,
    ),
    Note(
        "side-bet",
        PANEL,
        lazily("Before the next trick you may bet more stones on how it will come out. Passing costs nothing."),
        _in_phase("side_bet"),
    ),
    Note(
        "in-or-out",
        PANEL,
        lazily(
            "Your opponent bets more stones. In, and you play on for them. Out gives up the round with all that was at "
            "stake before."
        ),
        _in_phase("side_reply"),
    ),
    Note(
        "played",
        ("#tricks", "#bar-tricks"),
        lazily(
            "The fields have played themselves, and here are the tricks: the lowest cards in the first, the highest in "
            "the last."
        ),
        _played,
    ),
    Note(
        "points",
        RESULT,
        lazily(
            "A right prediction of one trick is worth 1 stone, of two 3, of three 6. Each position that was right "
            "counts like one more trick."
        ),
        _played,
    ),
    Note(
        "given-up",
        RESULT,
        lazily(
            "Nobody had to show their cards: a round that is given up is paid at once. It can be won by courage alone."
        ),
        lambda table, moves: _scored(table, moves) and table["last_round"]["result"] in ("left", "out"),
    ),
    Note(
        "end",
        ("#guide-play",),
        lazily("That was one round. Thirty stones make a crown, and the first crown wins a short match."),
        _scored,
    ),
)

GUIDE = Guide(
    seats=2,
    seed="8066691567511759fc362907d3d5467843b44484a0d93a8346ab5def9f8550cf",
    notes=NOTES,
    closing=3,
)
