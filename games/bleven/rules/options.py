"""The options of a match of Bleven and how they are put to players. Source: "Options" on the rules page."""

from games.bleven.rules.state import CROWN
from games.kit.contract import Choice, OptionField


def option_fields(seats=None):
    return (
        OptionField(
            "crowns",
            "Crowns to win",
            f"How many crowns, of {CROWN} stones each, win the match.",
            tuple(
                Choice(crowns, label, f"The match is won with {crowns * CROWN} stones.")
                for crowns, label in enumerate(("One crown", "Two crowns", "Three crowns"), 1)
            ),
            1,
        ),
        OptionField(
            "max_bet",
            "Highest stake",
            "The most stones that can be at stake in a round, side bets included.",
            tuple(Choice(stones, f"{stones} stones") for stones in range(4, 31)),
            10,
        ),
        OptionField(
            "deduced_miss",
            "Failed prediction",
            "What the replier wins who believed in a prediction that fails.",
            (
                Choice("nothing", "Nothing", "Only who said suspect wins the bet when the prediction fails."),
                Choice("bet", "The bet", "When the prediction fails the bet goes to the replier in any case."),
            ),
            "nothing",
        ),
    )
