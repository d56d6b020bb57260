"""The options of a match of Bleven and how they are put to players. Source: "Options" on the rules page."""

from games.bleven.rules.state import CROWN
from games.kit.contract import Choice, OptionField, Preset

PRESETS = (
    Preset("house", "House rules", "Balanced: leaving costs, bets can be topped, a match ends.", {}),
    Preset(
        "letter",
        "To the letter",
        "As its author wrote it down, for those who want it wild.",
        {
            "max_bet": 30,
            "deduced_miss": "bet",
            "leave_cost": 1,
            "counter": "any",
            "side_changes": "open",
            "five": "may",
            "rounds": 0,
        },
    ),
)


def option_fields(seats=None):
    """The fields, for this number of seats or for any number (None)."""
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
        OptionField(
            "leave_cost",
            "Price of giving up",
            "What each player of the other side gets when a side leaves, goes out or is short of 15.",
            (
                Choice(1, "1 stone", "Giving up is cheap, so many rounds end early."),
                *(Choice(stones, f"{stones} stones") for stones in range(2, 6)),
            ),
            2 if seats == 4 else 4,
        ),
        OptionField(
            "counter",
            "Counter-prediction",
            "How many stones the replier adds who tops a prediction with one of their own.",
            (
                Choice("any", "Any", "One or more; where there is no room for one, none, but then it must say more."),
                Choice("double", "Double", "At least as many as are at stake: high bets cannot be topped."),
            ),
            "any",
        ),
        OptionField(
            "side_changes",
            "New numbers in side bets",
            "Who may change the number of tricks by a side bet, and when.",
            (
                Choice("closed", "Closed", "The declaring side upwards; the others once the prediction has failed."),
                Choice("open", "Open", "Either side, to any number it can still reach, at any time."),
            ),
            "closed",
        ),
        OptionField(
            "five",
            "Five cards in the reserve",
            "Whether one may draw on with five cards in the reserve.",
            (
                Choice("must", "Stop", "Stay or leave; or declare with 15 or more."),
                Choice("may", "Draw on", "For as long as there are cards in the pile."),
            ),
            "must",
        ),
        OptionField(
            "rounds",
            "Most rounds",
            "After how many rounds the match is decided, if nobody has won it before.",
            (
                Choice(0, "No limit", "The match goes on until a side has its crowns."),
                *(Choice(rounds, f"{rounds} rounds", "Then the higher total wins.") for rounds in (20, 40, 60, 100)),
            ),
            60,
        ),
    )
