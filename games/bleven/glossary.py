"""The words of Bleven."""

from games.kit.glossary import Word
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
