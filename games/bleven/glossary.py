"""The words of Bleven."""

from games.kit.glossary import Word

GLOSSARY = (
    Word("field", "Field", "The three cards that you hold. They are played by themselves, the lowest first.", "cards"),
    Word("reserve", "Reserve", "The cards that a player has discarded, five at most, face up.", "cards"),
    Word(
        "declare",
        "Declare",
        "With 15 or more: you end the changing of cards, and will predict how many tricks you win.",
        "discarding",
    ),
    Word("stay", "Stay", "You keep your field and play it.", "discarding"),
    Word("leave", "Leave", "You give up the round before the prediction. The others get stones for it.", "discarding"),
    Word(
        "predict",
        "Prediction",
        "How many of the three tricks the declarer’s side will win, no more and no fewer.",
        "predicting",
    ),
    Word(
        "position",
        "Position",
        "Which trick will be won: the 1st, 2nd or 3rd. Each that is right makes a prediction worth more.",
        "predicting",
    ),
    Word("bet", "Bet", "Stones on a prediction. If somebody suspects it, whoever is right wins them.", "predicting"),
    Word(
        "deduce",
        "Deduce",
        "You believe the prediction. If it is right, its points are paid, but not the bet.",
        "predicting",
    ),
    Word("suspect", "Suspect", "You doubt the prediction. Whoever is right wins the bet.", "predicting"),
    Word("side-bet", "Side bet", "More stones, bet between two tricks on how the round will come out.", "tricks"),
    Word("stones", "Stones", "The points of Bleven: a white stone is one, a black stone five.", "scoring"),
    Word("crown", "Crown", "Thirty stones. The first side with enough crowns wins the match.", "scoring"),
    Word("dealer", "Dealer", "Who dealt this round. The next player begins.", "discarding"),
)
