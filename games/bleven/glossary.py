"""The words of Bleven."""

from games.kit.glossary import Word

GLOSSARY = (
    Word("field", "Field", "The three cards that you hold. They play themselves, the lowest first."),
    Word("reserve", "Reserve", "The cards that a player has discarded, five at most, face up."),
    Word(
        "declare",
        "Declare",
        "With 15 or more you may end the changing of cards and predict how many tricks you will win.",
    ),
    Word("stay", "Stay", "You keep your field and play it."),
    Word("leave", "Leave", "You give up the round before the prediction. The others get stones for it."),
    Word(
        "predict",
        "Prediction",
        "How many of the three tricks the declarer’s side will win, no more and no fewer.",
        "word-prediction",
    ),
    Word(
        "position", "Position", "Which trick will be won: the 1st, 2nd or 3rd. Each that is right adds to the points."
    ),
    Word("bet", "Bet", "Stones on a prediction. If somebody suspects it, whoever is right wins them.", "word-stake"),
    Word("deduce", "Deduce", "You believe the prediction. If it is right, its points are paid, but not the bet."),
    Word("suspect", "Suspect", "You doubt the prediction. Whoever is right wins the bet."),
    Word("out", "Out", "You give up the round after the prediction, which costs more than leaving before it."),
    Word("side-bet", "Side bet", "More stones, bet between two tricks on how the round will come out."),
    Word("stones", "Stones", "The points of Bleven: a white stone is one, a black stone five.", "word-stone"),
    Word("crown", "Crown", "Thirty stones. The first side with enough crowns wins the match."),
    Word("dealer", "Dealer", "Whoever dealt this round. The next player begins.", "deal"),
)
