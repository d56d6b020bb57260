"""The words of Belot."""

from games.kit.glossary import DEALER, LEAD, TRICK, TRUMP, Word
from games.kit.language import lazily

GLOSSARY = (
    Word(
        "contract",
        lazily("Contract"),
        lazily("What is played: a trump suit, no trumps or all trumps. The side that bid it must take more points."),
    ),
    TRUMP,
    TRICK,
    LEAD,
    DEALER,
    Word(
        "double",
        lazily("Double"),
        lazily("The other side doubts the contract: the deal counts twice, and the winner takes everything."),
    ),
    Word(
        "declaration",
        lazily("Declaration"),
        lazily(
            "Cards that are worth extra points together, a run or four alike. They are declared in the first trick."
        ),
        "declarations",
    ),
    Word("tierce", lazily("Tierce"), lazily("Three cards of a suit in sequence, worth 20 points."), "declarations"),
    Word("quarte", lazily("Quarte"), lazily("Four cards of a suit in sequence, worth 50 points."), "declarations"),
    Word("quint", lazily("Quint"), lazily("Five cards of a suit in sequence, worth 100 points."), "declarations"),
    Word(
        "square",
        lazily("Square"),
        lazily("All four of a rank: jacks 200, nines 150, aces, kings, queens or tens 100."),
        "declarations",
    ),
    Word(
        "belot",
        lazily("Belot"),
        lazily("The king and queen of trumps in one hand, worth 20 points when one of them is played."),
    ),
    Word(
        "inside",
        lazily("Inside"),
        lazily("The side that bid took fewer points than the other, and scores nothing: the other side scores all."),
    ),
    Word(
        "hanging",
        lazily("Hanging"),
        lazily("Both sides took the same: the points of the bidding side wait for whoever wins the next deal."),
    ),
    Word("valat", lazily("Valat"), lazily("One side has taken every trick, and scores 9 more.")),
    Word(
        "kirtik",
        lazily("Kirtik"),
        lazily("Where a table plays with it, a side that bid or was doubled and did not win loses 10 from its score."),
    ),
    Word(
        "last-ten", lazily("Last ten"), lazily("The last trick of a deal counts 10 points besides its cards."), "cards"
    ),
)
